package standalone_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// reports are what a test fails by.
var reports = strings.Fields("Error Errorf Fatal Fatalf")

// TestFailuresPrintWhatTheyCompare holds that a test which compares two values and fails
// prints more than a sentence: whoever reads it in a log needs what was got.
func TestFailuresPrintWhatTheyCompare(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, s := range sources(t) {
		if !strings.HasSuffix(s.path, "_test.go") {
			continue
		}
		for n := range ast.Preorder(s.file) {
			i, ok := n.(*ast.IfStmt)
			if !ok || !isComparison(i.Cond) {
				continue
			}
			compared++
			for _, statement := range i.Body.List {
				if sentence := bareReport(statement); sentence != "" {
					t.Errorf("%s: a test compares two values, and fails with %s alone, want the values too", s.path, sentence)
				}
			}
		}
	}
	if compared < 4000 {
		t.Errorf("%d comparisons, want thousands", compared)
	}
}

// isComparison reports whether a condition compares two values of which none is
// written there as nil, true, false, 0 or "": where one is, the sentence tells it.
func isComparison(condition ast.Expr) bool {
	for n := range ast.Preorder(condition) {
		b, ok := n.(*ast.BinaryExpr)
		if ok && slices.Contains(comparisons, b.Op) && !isPlain(b.X) && !isPlain(b.Y) {
			return true
		}
	}
	return false
}

var comparisons = []token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ}

func isPlain(e ast.Expr) bool {
	switch v := e.(type) {
	case *ast.Ident:
		return slices.Contains(strings.Fields("nil true false"), v.Name)
	case *ast.BasicLit:
		return v.Value == "0" || v.Value == `""`
	default:
		return false
	}
}

// bareReport is the sentence by which alone a statement fails a test, or "".
func bareReport(s ast.Stmt) string {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return ""
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return ""
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	sentence, literal := call.Args[0].(*ast.BasicLit)
	if !ok || !literal || !slices.Contains(reports, f.Sel.Name) {
		return ""
	}
	return sentence.Value
}
