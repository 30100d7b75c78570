package contract

import (
	"strings"
	"time"
)

// Acknowledgement is what a customer said to have seen before paying.
type Acknowledgement struct {
	Findings []Finding `json:"findings"`
	At       time.Time `json:"at"`
}

// ToAcknowledge are the findings that a customer must have seen to pay the quote.
func (q Quote) ToAcknowledge() []Finding {
	var out []Finding
	for _, f := range q.Reply.BoardFindings {
		if f.Level != "note" {
			out = append(out, f)
		}
	}
	return out
}

// SeenMark names the findings that a page showed; empty if there are none to
// acknowledge. Other findings have another.
func (q Quote) SeenMark() string {
	seen := q.ToAcknowledge()
	if len(seen) == 0 {
		return ""
	}
	var words []string
	for _, f := range seen {
		words = append(words, f.Level, f.Check, f.What)
	}
	return DeriveID(append([]string{"seen", q.Ref}, words...)...)
}

// Sentence makes a whole sentence of what a finding says, which may be a clause. One
// that begins with the name of a field stays so.
func Sentence(clause string) string {
	clause = strings.TrimSpace(clause)
	if clause == "" {
		return ""
	}
	if first, _, _ := strings.Cut(clause, " "); clause[0] <= 'z' && !strings.ContainsAny(first, "_./\\[") {
		clause = strings.ToUpper(clause[:1]) + clause[1:]
	}
	if !strings.HasSuffix(clause, ".") {
		clause += "."
	}
	return clause
}
