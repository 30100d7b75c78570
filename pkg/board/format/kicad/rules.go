package kicad

import (
	"boardorder/pkg/board"
	"boardorder/pkg/board/internal/sexpr"
)

// readCustomRules keeps every (rule …) of a .kicad_dru as text. The file is a
// sequence of lists without one round them.
func readCustomRules(b *board.Board, f File) {
	wrapped := append(append([]byte("(rules "), f.Data...), ')')
	r := sexpr.NewReader(wrapped)
	r.Open()
	for n, ok := r.Next(); ok; n, ok = r.Next() {
		switch {
		case n.Is("rule"):
			b.Rules.Custom = append(b.Rules.Custom, string(n.Raw()))
		case n.Is("version"):
		default:
			b.Findings = append(b.Findings, board.Finding{Code: "element_not_read", Level: board.Note, File: f.Name,
				Line: n.Line(), Message: "this is not a rule and was passed over"})
		}
	}
	for _, x := range r.Faults() {
		b.Findings = append(b.Findings, board.Finding{Code: "file_damaged", Level: board.Warning, File: f.Name,
			Line: x.Line, Message: x.Text})
	}
}
