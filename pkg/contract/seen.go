package contract

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	"boardorder/pkg/board/naming"
)

// Acknowledgement is what a customer said to have seen before paying.
type Acknowledgement struct {
	Findings []Finding `json:"findings"`
	At       time.Time `json:"at"`
}

// CheckSubstitution is the check of what a customer acknowledges about a part
// that takes the place of another.
const CheckSubstitution = "substitution"

// CheckPart is the check of what a customer acknowledges about a part that is sold
// though something about it needs a look.
const CheckPart = "part"

// Substitutes are the parts of the quote that take the place of others because
// somebody said that the customer approved it: the customer alone knows.
func (q Quote) Substitutes() []AssemblyPart {
	var out []AssemblyPart
	for _, p := range q.Reply.Parts {
		if p.Approved && p.Replaces != "" && p.Fitting == Fitted {
			out = append(out, p)
		}
	}
	return out
}

// Doubtful are the parts of the quote that are sold with the verdict check: the
// identity or the package needs a look. Those that the team chose were looked at, and
// those that take the place of others with the customer's word stand in [Quote.Substitutes].
func (q Quote) Doubtful() []AssemblyPart {
	var out []AssemblyPart
	for _, p := range q.Reply.Parts {
		if p.Verdict == "check" && p.Bought > 0 && p.Fitting == Fitted && p.PickedBy == "" {
			out = append(out, p)
		}
	}
	return out
}

// doubt says in words what the customer confirms about a part that needs a look.
func doubt(p AssemblyPart) Finding {
	return Finding{Level: "warning", Check: CheckPart, What: fmt.Sprintf("at %s the part %s is fitted, and it needs a look: %s", abbreviate(p.Reference), cmp.Or(p.MPN, p.Part), p.Why)}
}

// substitution says in words what the customer confirms about a part.
func substitution(p AssemblyPart) Finding {
	fitted := cmp.Or(p.MPN, p.Part)
	if p.Manufacturer != "" {
		fitted += " of " + p.Manufacturer
	}
	return Finding{Level: "warning", Check: CheckSubstitution, What: fmt.Sprintf(
		"at %s the part %s is fitted in place of %s; whoever asked for this price said that you approved it", abbreviate(p.Reference), fitted, p.Replaces)}
}

// abbreviate is the beginning of a long list of designators.
func abbreviate(refs string) string {
	list := strings.Split(refs, ",")
	if len(list) <= 12 {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more places", strings.Join(list[:12], ", "), len(list)-12)
}

// FindingsToAcknowledge is what a customer must have seen to pay the quote: the findings
// in the design, then the parts that need a look, then those that take the place of
// others.
func (q Quote) FindingsToAcknowledge() []Finding {
	var out []Finding
	for _, f := range q.Reply.BoardFindings {
		if f.Level != "note" {
			out = append(out, f)
		}
	}
	for _, p := range q.Doubtful() {
		out = append(out, doubt(p))
	}
	for _, p := range q.Substitutes() {
		out = append(out, substitution(p))
	}
	return out
}

// AcknowledgementHash names what a page showed to be acknowledged; empty if there are none to
// acknowledge. Anything else has another.
func (q Quote) AcknowledgementHash() string {
	seen := q.FindingsToAcknowledge()
	if len(seen) == 0 {
		return ""
	}
	var words []string
	for _, f := range seen {
		words = append(words, f.Level, f.Check, f.What)
	}
	return DeriveID(append([]string{"seen", q.Ref}, words...)...)
}

// Sentence is what the finding says where nothing stands beside it: with its file, unless
// the words name it.
func (f Finding) Sentence() string {
	file := path.Base(f.File)
	if f.File == "" || strings.Contains(f.What, file) {
		return Sentence(f.What)
	}
	return naming.Mention(file) + ": " + addStop(strings.TrimSpace(f.What))
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
	return addStop(clause)
}

// addStop ends a clause with a full stop.
func addStop(clause string) string { return strings.TrimSuffix(clause, ".") + "." }
