// Package findings collects what is found about the files of an upload. A stage of the
// reading is handed a list, and knows nothing of where its findings end up.
package findings

import (
	"fmt"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A List collects findings in the order in which they are made. The zero List is empty.
type List []pcb.Finding

// ListOf is the list of a board's own findings: what is added to it is added to the board.
func ListOf(b *pcb.Board) *List { return (*List)(&b.Findings) }

// Add adds findings as they are.
func (l *List) Add(f ...pcb.Finding) { *l = append(*l, f...) }

// Say adds a finding about a file, "" for none, with its message formatted.
func (l *List) Say(level pcb.Level, code, file, format string, args ...any) {
	l.Add(pcb.Finding{Code: code, Level: level, File: file, Message: fmt.Sprintf(format, args...)})
}

// Ask adds to the last finding what the customer can say to settle it. There must be one.
func (l *List) Ask(settle ...answers.Answer) {
	f := &(*l)[len(*l)-1]
	f.Answers = append(f.Answers, settle...)
}

// Millimetres writes a length in millimetres for a message, without needless zeros.
func Millimetres(nm int64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", geom.Millimetres(nm)), "0"), ".")
}
