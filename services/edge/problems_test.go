package edge_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/contract"

	"github.com/google/go-cmp/cmp"
)

// TestFieldProblems: what a refused field can have for a problem is one closed list, in
// the contract, in its description, and in all code that refuses fields.
func TestFieldProblems(t *testing.T) {
	t.Parallel()
	d, err := theDescription()
	if err != nil {
		t.Fatal(err)
	}
	problem := objectOf(objectOf(objectOf(objectOf(objectOf(d.doc["components"])["schemas"])["FieldProblem"])["properties"])["problem"])
	var described []string
	for _, v := range problem["enum"].([]any) {
		described = append(described, v.(string))
	}
	slices.Sort(described)
	if diff := cmp.Diff(contract.FieldProblems(), described); diff != "" {
		t.Errorf("contract and description differ (-contract +description):\n%s", diff)
	}
	if diff := cmp.Diff(contract.FieldProblems(), collectProblems(t)); diff != "" {
		t.Errorf("contract and code differ (-contract +code):\n%s", diff)
	}
}

// collectProblems are the problems that code of the services writes into refused fields.
func collectProblems(t *testing.T) []string {
	t.Helper()
	c := &problemCode{constants: map[string]string{}, found: map[string]bool{}}
	for _, root := range []string{"../../pkg", "..", "../../deploy/standalone"} {
		if err := filepath.WalkDir(root, c.read); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range c.files {
		c.literals(f)
	}
	for range 3 { // a function may hand on what it was given
		for _, f := range c.files {
			c.calls(f)
		}
	}
	maps.DeleteFunc(c.found, func(s string, _ bool) bool { return !problemShape.MatchString(s) })
	return slices.Sorted(maps.Keys(c.found))
}

var problemShape = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

// problemCode finds, in source, what is written into Problem of a FieldProblem.
type problemCode struct {
	files     []*ast.File
	constants map[string]string // package.Name of those of a string
	givers    []giver
	found     map[string]bool
}

// giver is a function of a package that writes one of its parameters there.
type giver struct {
	pack, name string
	at         int
}

func (c *problemCode) read(path string, e fs.DirEntry, err error) error {
	if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
		return err
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	c.files = append(c.files, f)
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			for i, name := range spec.Names {
				if value := text(elementAt(spec.Values, i)); value != "" {
					c.constants[f.Name.Name+"."+name.Name] = value
					if f.Name.Name == "archive" && ident(spec.Type) == "Code" { // handed on as they are
						c.found[value] = true
					}
				}
			}
		}
		return true
	})
	return nil
}

// literals looks into the functions of a file for refused fields.
func (c *problemCode) literals(f *ast.File) {
	for _, decl := range f.Decls {
		do, _ := decl.(*ast.FuncDecl)
		ast.Inspect(decl, func(n ast.Node) bool {
			if list, ok := n.(*ast.CompositeLit); ok && fieldProblems(f, list.Type) {
				for _, e := range list.Elts {
					inner, ok := e.(*ast.CompositeLit)
					if ok {
						c.fields(f, do, inner)
					}
				}
				c.fields(f, do, list)
			}
			if set, ok := n.(*ast.AssignStmt); ok { // p.Field, p.Problem = …
				for i, to := range set.Lhs {
					if s, ok := to.(*ast.SelectorExpr); ok && s.Sel.Name == "Problem" {
						c.value(f, do, elementAt(set.Rhs, i))
					}
				}
			}
			return true
		})
	}
}

func (c *problemCode) fields(f *ast.File, do *ast.FuncDecl, literal *ast.CompositeLit) {
	for _, e := range literal.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Problem" {
				c.value(f, do, kv.Value)
			}
		}
	}
}

// fieldProblems reports whether a literal is of refused fields.
func fieldProblems(f *ast.File, of ast.Expr) bool {
	switch of := of.(type) {
	case *ast.ArrayType:
		return fieldProblems(f, of.Elt)
	case *ast.SelectorExpr:
		return of.Sel.Name == "FieldProblem" || of.Sel.Name == "Problem" && ident(of.X) == "catalog"
	case *ast.Ident:
		return of.Name == "FieldProblem" || of.Name == "Problem" && f.Name.Name == "catalog"
	}
	return false
}

// value notes what a problem is: a text, a constant, or what the function is given.
func (c *problemCode) value(f *ast.File, do *ast.FuncDecl, v ast.Expr) {
	if s := text(v); s != "" {
		c.found[s] = true
		return
	}
	name := ident(v)
	if s, ok := v.(*ast.SelectorExpr); ok {
		name = ident(s.X) + "." + s.Sel.Name
	} else if name != "" {
		if i := parameter(do, name); i >= 0 {
			g := giver{f.Name.Name, do.Name.Name, i}
			if !slices.Contains(c.givers, g) {
				c.givers = append(c.givers, g)
			}
			return
		}
		name = f.Name.Name + "." + name
	}
	if s, ok := c.constants[name]; ok {
		c.found[s] = true
	}
}

// calls looks for calls of givers.
func (c *problemCode) calls(f *ast.File) {
	for _, decl := range f.Decls {
		do, _ := decl.(*ast.FuncDecl)
		ast.Inspect(decl, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, pack := ident(call.Fun), f.Name.Name
			if s, ok := call.Fun.(*ast.SelectorExpr); ok {
				name = s.Sel.Name
			}
			for _, g := range c.givers {
				if g.name == name && (g.pack == pack || name == "Refuse" && g.pack == "jsonbody") {
					c.value(f, do, elementAt(call.Args, g.at))
				}
			}
			return true
		})
	}
}

// parameter gives which of a function's parameters has a name, or -1.
func parameter(do *ast.FuncDecl, name string) int {
	if do == nil {
		return -1
	}
	i := 0
	for _, p := range do.Type.Params.List {
		for _, n := range p.Names {
			if n.Name == name {
				return i
			}
			i++
		}
	}
	return -1
}

func elementAt(list []ast.Expr, i int) ast.Expr {
	if i < len(list) {
		return list[i]
	}
	return nil
}

func ident(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

func text(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		s, _ := strconv.Unquote(lit.Value)
		return s
	}
	return ""
}
