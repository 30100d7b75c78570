package standalone_test

import (
	"go/ast"
	"os"
	"strings"
	"testing"
)

// TestLongTestsAreFound: the Makefile finds the tests that -short leaves out by the call
// of testing.Short in their own functions, and what must pass before a change lands
// runs them.
func TestLongTestsAreFound(t *testing.T) {
	t.Parallel()
	found := 0
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !asksForShort(f) {
				continue
			}
			found++
			if !strings.HasPrefix(f.Name.Name, "Test") || f.Recv != nil || !strings.HasSuffix(s.path, "_test.go") {
				t.Errorf("%s: %s calls testing.Short, want tests alone to: make test-long knows them by it", s.path, f.Name.Name)
			}
		}
	}
	if found < 10 {
		t.Errorf("%d tests call testing.Short, want the dozen that there are: looked in the wrong place", found)
	}
	run, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"make test ", "make test-long\n"} {
		if !strings.Contains(string(run), "\n"+verb) {
			t.Errorf(".ci/run does not run %q, want all tests run before a change lands", verb)
		}
	}
}

func asksForShort(f *ast.FuncDecl) (asks bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if ok && sel.Sel.Name == "Short" {
			pkg, ok := sel.X.(*ast.Ident)
			asks = asks || ok && pkg.Name == "testing"
		}
		return true
	})
	return asks
}
