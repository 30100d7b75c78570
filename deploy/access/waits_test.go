package access

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
)

// Whoever waits is woken: the table names what the commands of each service wait
// for, and nothing else.
func TestTableFollowsWhatServicesWaitFor(t *testing.T) {
	t.Parallel()
	constants := aggregateConstants(t)
	for _, p := range Services() {
		waits := map[contract.Aggregate]bool{}
		for _, name := range snoozes(t, filepath.Join(root, "services", p.Name)) {
			a, ok := constants[name]
			if !ok {
				t.Errorf("%s: flow.SnoozeUntil of %q, want a constant contract.…Aggregate: the table is held to it", p.Name, name)
			}
			waits[a] = true
		}
		want, have := slices.Sorted(maps.Keys(waits)), slices.Sorted(slices.Values(p.Waits))
		if !p.Awaits && !slices.Equal(want, have) {
			t.Errorf("%s waits for %q by its code; the table's Waits are %q", p.Name, want, have)
		}
	}
}

// snoozes gives the first argument of each flow.SnoozeUntil in a folder, as it is
// written behind "contract.".
func snoozes(t *testing.T, dir string) (names []string) {
	t.Helper()
	visitCode(t, dir, func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "SnoozeUntil" {
			return
		}
		name := ""
		if of, ok := call.Args[0].(*ast.SelectorExpr); ok {
			name = of.Sel.Name
		}
		names = append(names, name)
	})
	return names
}

// aggregateConstants gives the aggregates by the names of their constants.
func aggregateConstants(t *testing.T) map[string]contract.Aggregate {
	t.Helper()
	out := map[string]contract.Aggregate{}
	visitCode(t, filepath.Join(root, "pkg", "contract"), func(n ast.Node) {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != len(spec.Names) {
			return
		}
		for i, name := range spec.Names {
			if text, ok := spec.Values[i].(*ast.BasicLit); ok && text.Kind == token.STRING && strings.HasSuffix(name.Name, "Aggregate") {
				out[name.Name] = contract.Aggregate(strings.Trim(text.Value, `"`))
			}
		}
	})
	if len(out) == 0 {
		t.Fatal("no constants of aggregates")
	}
	return out
}

// visitCode visits the code of a folder, tests left out.
func visitCode(t *testing.T, dir string, visit func(ast.Node)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err == nil {
			ast.Inspect(file, func(n ast.Node) bool { visit(n); return true })
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
