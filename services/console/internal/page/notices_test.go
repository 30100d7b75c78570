package page

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
)

// TestWhatWasDoneIsSaid: each page that sends the operator on after a command says by a word what
// was done, and there is a sentence for each such word.
func TestWhatWasDoneIsSaid(t *testing.T) {
	t.Parallel()
	reported := 0
	pages := os.DirFS("../pages")
	err := fs.WalkDir(pages, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(pages, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Finish" && f.Sel.Name != "answer" {
				return true
			}
			word, ok := call.Args[len(call.Args)-1].(*ast.BasicLit)
			if !ok {
				return true
			}
			done, err := strconv.Unquote(word.Value)
			if reported++; err != nil || notices[done] == "" {
				t.Errorf("%s ends with %s (%v), and nothing says what that is", name, word.Value, err)
			}
			return true
		})
		return nil
	})
	if err != nil || reported < 10 {
		t.Errorf("found %d words in pages (%v), want those of all forms", reported, err)
	}
}
