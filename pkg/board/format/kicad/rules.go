package kicad

import (
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/pcb"
)

// readCustomRules keeps every (rule …) of a .kicad_dru as text. The file is a
// sequence of lists without one round them.
func readCustomRules(b *pcb.Board, f File) {
	wrapped := append(append([]byte("(rules "), f.Data...), ')')
	r := sexpr.NewReader(wrapped)
	r.Open()
	for n, ok := r.Next(); ok; n, ok = r.Next() {
		switch {
		case n.Is("rule"):
			b.Rules.Custom = append(b.Rules.Custom, string(n.Raw()))
		case n.Is("version"):
		default:
			b.Findings = append(b.Findings, pcb.Finding{Code: "element_not_read", Level: pcb.Note, File: f.Name,
				Line: n.Line(), Message: "this is not a rule and was passed over"})
		}
	}
	for _, x := range r.Faults() {
		b.Findings = append(b.Findings, pcb.Finding{Code: "file_damaged", Level: pcb.Warning, File: f.Name,
			Line: x.Line, Message: x.Text})
	}
}
