package quotes

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/wording"
)

// Acknowledgement is what a customer said to have seen before paying.
type Acknowledgement struct {
	Findings []contract.Finding `json:"findings"`
	At       time.Time          `json:"at"`
}

// CheckSubstitution is the check of what a customer acknowledges about a part
// that takes the place of another.
const CheckSubstitution = "substitution"

// CheckPart is the check of what a customer acknowledges about a part that is sold
// though something about it needs a look.
const CheckPart = "part"

// Substitutes are the parts of the quote that take the place of others because
// somebody said that the customer approved it: the customer alone knows.
func (q Quote) Substitutes() []assemblies.Part {
	var out []assemblies.Part
	for _, p := range q.Reply.Parts {
		if p.Approved && p.Replaces != "" && p.Fitting == assemblies.Fitted {
			out = append(out, p)
		}
	}
	return out
}

// Doubtful are the parts of the quote that are sold with the verdict check: the
// identity or the package needs a look. Those that the team chose were looked at, and
// those that take the place of others with the customer's word stand in [Quote.Substitutes].
func (q Quote) Doubtful() []assemblies.Part {
	var out []assemblies.Part
	for _, p := range q.Reply.Parts {
		if p.Verdict == "check" && p.Bought > 0 && p.Fitting == assemblies.Fitted && p.PickedBy == "" {
			out = append(out, p)
		}
	}
	return out
}

// doubt says in words what the customer confirms about a part that needs a look.
func doubt(p assemblies.Part) contract.Finding {
	return contract.Finding{Level: "warning", Check: CheckPart, What: fmt.Sprintf("at %s the part %s is fitted, and it needs a look: %s", abbreviate(p.Reference), cmp.Or(p.MPN, p.Part), p.Why)}
}

// substitution says in words what the customer confirms about a part.
func substitution(p assemblies.Part) contract.Finding {
	fitted := cmp.Or(p.MPN, p.Part)
	if p.Manufacturer != "" {
		fitted += " of " + p.Manufacturer
	}
	return contract.Finding{Level: "warning", Check: CheckSubstitution, What: fmt.Sprintf(
		"at %s the part %s is fitted in place of %s; whoever asked for this price said that you approved it", abbreviate(p.Reference), fitted, p.Replaces)}
}

// abbreviate is the beginning of a long list of designators.
func abbreviate(refs string) string {
	list := strings.Split(refs, ",")
	if len(list) <= 12 {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:12], ", ") + " and " + wording.Count(len(list)-12, "more place")
}

// FindingsToAcknowledge is what a customer must have seen to pay the quote: the findings
// in the design, then the parts that need a look, then those that take the place of
// others.
func (q Quote) FindingsToAcknowledge() []contract.Finding {
	var out []contract.Finding
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
	return contract.DeriveID(append([]string{"acknowledgement", q.Ref}, words...)...)
}
