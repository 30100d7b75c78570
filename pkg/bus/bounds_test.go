package bus_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRequestsToTheBrokerAreBounded: the answer to a request may be lost with a node, and
// nats.go then waits as long as its caller may run, which of a handler are minutes. So each
// is made by what asks again.
func TestRequestsToTheBrokerAreBounded(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	requests := []string{"KeyValue", "Stream", "Info", "GetMsg", "GetLastMsgForSubject", "SecureDeleteMsg", "OrderedConsumer"}
	again := []string{"ask", "askWithin", "look", "lookFor"}
	bounded := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains(requests, f.Sel.Name) || len(call.Args) == 0 {
				return true
			}
			if ctx, ok := call.Args[0].(*ast.Ident); !ok || ctx.Name != "ctx" {
				return true // of a logger
			}
			if !slices.ContainsFunc(stack, func(n ast.Node) bool {
				outer, ok := n.(*ast.CallExpr)
				if !ok {
					return false
				}
				by, ok := outer.Fun.(*ast.Ident)
				return ok && slices.Contains(again, by.Name)
			}) {
				t.Errorf("%s: %s waits for its answer as long as its caller runs; ask by %v", fset.Position(call.Pos()), f.Sel.Name, again)
				return true
			}
			bounded++
			return true
		})
	}
	if bounded == 0 {
		t.Error("no request was looked at")
	}
}
