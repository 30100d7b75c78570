package quotes

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
)

// Commands about the approval of alternative parts.
var (
	AskApproval    = contract.CommandName{Service: "pricing", Verb: "ask-part-approval"}    // whoever asked for the quote asks its customer
	AnswerApproval = contract.CommandName{Service: "pricing", Verb: "answer-part-approval"} // the customer, on the page that asks
)

// Events of the approval of alternative parts. Quote.Approvals has what was asked and answered.
const (
	EventApprovalAsked contract.EventName = "part_approval_asked"
	EventPartsApproved contract.EventName = "parts_approved" // one at least
	EventPartsDeclined contract.EventName = "parts_declined" // all of them
)

// ApprovalPrefix starts the id of an approval.
const ApprovalPrefix = "pa_"

// Bounds of approvals: a quote has to fit a message.
const (
	MaxApprovals        = 10  // that are asked for of one quote
	MaxApprovalLines    = 20  // of one approval
	MaxApprovalsOffered = 60  // alternatives of all approvals of a quote together
	MaxApprover         = 100 // characters of a name or a position
)

// PartApproval asks the customer which other part may take the place of the one of a line, and
// holds the answer. It never changes once it is answered.
type PartApproval struct {
	ID        string          `json:"id"`
	Key       string          `json:"key,omitempty"`     // id of the API key that asked
	Network   string          `json:"network,omitempty"` // that it was asked from
	Lines     []ApprovalLine  `json:"lines"`
	AsOf      time.Time       `json:"as_of"` // when suppliers were asked
	AskedAt   time.Time       `json:"asked_at"`
	ExpiresAt time.Time       `json:"expires_at"`
	Answer    *ApprovalAnswer `json:"answer,omitempty"`
}

// ApprovalLine is a line of the quote as the customer is shown it.
type ApprovalLine struct {
	Reference        string                   `json:"reference"`
	Part             string                   `json:"part"` // as the design names it
	MPN              string                   `json:"mpn,omitempty"`
	Manufacturer     string                   `json:"manufacturer,omitempty"`
	Footprint        string                   `json:"footprint,omitempty"`
	QuantityPerBoard int64                    `json:"quantity_per_board"`
	Bought           int64                    `json:"bought,omitempty"` // 0: it cannot be bought
	CostCents        int64                    `json:"cost_cents,omitempty"`
	Why              string                   `json:"why,omitempty"`
	Alternatives     []partchecks.Alternative `json:"alternatives"` // the best first
}

// ApprovalAnswer is what the customer decided, and by what it is known.
type ApprovalAnswer struct {
	Chosen   []string `json:"chosen"` // the alternative's number, line by line; "" declines
	Name     string   `json:"name"`   // as typed
	Position string   `json:"position,omitempty"`
	Email    string   `json:"email,omitempty"`
	Network  string   `json:"network,omitempty"` // an address, or the network that one of IPv6 is in
	// SameNetwork: it came from the network that the approval was asked for from.
	SameNetwork bool      `json:"same_network,omitempty"`
	Language    string    `json:"language"` // of the page, as pkg/language has it
	Shown       string    `json:"shown"`    // [Quote.DigestOf] of what the page showed
	LookedS     int       `json:"looked_s"` // seconds from when the page was shown
	At          time.Time `json:"at"`
}

// ApprovalStatus is how an approval stands.
type ApprovalStatus string

// The statuses of an approval.
const (
	ApprovalOpen     ApprovalStatus = "open"
	ApprovalApproved ApprovalStatus = "approved"
	ApprovalPartly   ApprovalStatus = "partly_approved"
	ApprovalDeclined ApprovalStatus = "declined"
	ApprovalExpired  ApprovalStatus = "expired" // nobody answered in time
	ApprovalVoid     ApprovalStatus = "void"    // a line is another now
)

// AskApprovalData is the command [AskApproval].
type AskApprovalData struct {
	Quote    string      `json:"quote"`    // ref
	Approval string      `json:"approval"` // its id
	Key      string      `json:"key"`
	Network  string      `json:"network,omitempty"`
	Lines    []AskedLine `json:"lines,omitempty"` // none: all lines that have alternatives
}

// AskedLine names a line, and the alternatives that the customer may choose from; none: all.
type AskedLine struct {
	Reference string   `json:"reference"`
	MPNs      []string `json:"mpns,omitempty"`
}

// AnswerApprovalData is the command [AnswerApproval].
type AnswerApprovalData struct {
	Quote    string    `json:"quote"` // ref
	Approval string    `json:"approval"`
	Shown    string    `json:"shown"` // [Quote.DigestOf], as the page was made
	OpenedAt time.Time `json:"opened_at"`
	Chosen   []string  `json:"chosen"`
	Name     string    `json:"name"`
	Position string    `json:"position,omitempty"`
	Email    string    `json:"email,omitempty"`
	Network  string    `json:"network,omitempty"`
	Language string    `json:"language"`
}

// ApprovedPart is a part that a customer approved for a line, which goes along to every quote of the
// same design in which it is fitted there.
type ApprovedPart struct {
	Approval     string    `json:"approval"`
	Quote        string    `json:"quote"` // ref of the quote that it was asked of
	Reference    string    `json:"reference"`
	Part         string    `json:"part"` // that it takes the place of, as the design names it
	MPN          string    `json:"mpn"`
	Manufacturer string    `json:"manufacturer,omitempty"`
	Digest       string    `json:"digest"` // of the files
	Board        string    `json:"board"`
	Shown        string    `json:"shown"`
	By           string    `json:"by"`
	At           time.Time `json:"at"`
}

// Approval gives an approval of a quote; nil for none.
func (q Quote) Approval(id string) *PartApproval {
	i := slices.IndexFunc(q.Approvals, func(a PartApproval) bool { return a.ID == id })
	if i < 0 {
		return nil
	}
	return &q.Approvals[i]
}

// ApprovalLineOf is a line as a customer is shown it, with those of its alternatives that have one of
// the numbers, or with all; ok is false where the line, or one of them, is not there.
func (q Quote) ApprovalLineOf(reference string, mpns []string) (line ApprovalLine, ok bool) {
	i := slices.IndexFunc(q.Reply.Parts, func(p assemblies.Part) bool { return p.Reference == reference })
	if i < 0 || q.Reply.Parts[i].Fitting != assemblies.Fitted {
		return line, false
	}
	p := q.Reply.Parts[i]
	line = ApprovalLine{
		Reference: p.Reference, Part: p.Part, MPN: p.MPN, Manufacturer: p.Manufacturer, Footprint: p.Footprint, QuantityPerBoard: p.QuantityPerBoard, Bought: p.Bought, CostCents: p.CostCents, Why: p.Why,
	}
	for _, a := range p.Alternatives {
		if len(mpns) == 0 || slices.Contains(mpns, a.MPN) {
			line.Alternatives = append(line.Alternatives, a)
		}
	}
	return line, len(line.Alternatives) > 0 && (len(mpns) == 0 || len(line.Alternatives) == len(mpns))
}

// Numbers are those of a line's alternatives.
func (l ApprovalLine) Numbers() []string {
	var out []string
	for _, a := range l.Alternatives {
		out = append(out, a.MPN)
	}
	return out
}

// ApprovalStatusOf is how an approval of the quote stands. What was answered is void once a line, or a
// part that was offered for it, is another than was shown.
func (q Quote) ApprovalStatusOf(a PartApproval, now time.Time) ApprovalStatus {
	for _, l := range a.Lines {
		if current, ok := q.ApprovalLineOf(l.Reference, l.Numbers()); !ok || !reflect.DeepEqual(current, l) {
			return ApprovalVoid
		}
	}
	switch {
	case a.Answer == nil && !now.Before(a.ExpiresAt):
		return ApprovalExpired
	case a.Answer == nil:
		return ApprovalOpen
	}
	switch declined := a.Answer.countDeclined(); declined {
	case 0:
		return ApprovalApproved
	case len(a.Lines):
		return ApprovalDeclined
	}
	return ApprovalPartly
}

// RefuseUnapproved is why an approval that stands so approves nothing; nil where it does.
func RefuseUnapproved(s ApprovalStatus) *contract.Refusal {
	switch s {
	case ApprovalApproved, ApprovalPartly:
		return nil
	case ApprovalVoid:
		return contract.Refuse(contract.Conflict, "The files, a line of the quote, or a part that was offered for it have changed since the customer was asked, so the approval is void. Ask again.")
	case ApprovalDeclined:
		return contract.Refuse(contract.ApprovalRequired, "The customer has approved none of these parts.")
	case ApprovalExpired:
		return contract.Refuse(contract.ApprovalRequired, "The customer did not answer in time. Refresh the quote and ask again.")
	}
	return contract.Refuse(contract.ApprovalRequired, "The customer has not answered yet: nobody else approves parts, and they do at approval_url.")
}

func (a *ApprovalAnswer) countDeclined() (n int) {
	for _, mpn := range a.Chosen {
		if mpn == "" {
			n++
		}
	}
	return n
}

// Count gives for how many lines a part was approved, and for how many none.
func (a PartApproval) Count() (approved, declined int) {
	if a.Answer == nil {
		return 0, 0
	}
	declined = a.Answer.countDeclined()
	return len(a.Answer.Chosen) - declined, declined
}

// DigestOf is the SHA-256, in hex, of what the page of an approval shows: files, board, lines and all
// that is said of each alternative.
func (q Quote) DigestOf(a PartApproval) (string, error) {
	text, err := json.Marshal([]any{q.Digest, q.Board, a.ID, a.AsOf.UTC(), a.Lines})
	if err != nil {
		return "", fmt.Errorf("encode approval %s: %w", a.ID, err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// ListApproved gives the parts that an approval's answer approves.
func (q Quote) ListApproved(a PartApproval) []ApprovedPart {
	if a.Answer == nil {
		return nil
	}
	var out []ApprovedPart
	for i, l := range a.Lines {
		at := slices.IndexFunc(l.Alternatives, func(o partchecks.Alternative) bool { return a.Answer.Chosen[i] != "" && o.MPN == a.Answer.Chosen[i] })
		if at < 0 {
			continue
		}
		o := l.Alternatives[at]
		out = append(out, ApprovedPart{
			Approval: a.ID, Quote: q.Ref, Reference: l.Reference, Part: l.Part, MPN: o.MPN, Manufacturer: o.Manufacturer, Digest: q.Digest, Board: q.Board,
			Shown: a.Answer.Shown, By: a.Answer.Name, At: a.Answer.At,
		})
	}
	return out
}

// Substitution is what asks for the part in a quote of the same design: the reference names the line.
func (p ApprovedPart) Substitution() assemblies.Substitution {
	return assemblies.Substitution{Reference: p.Reference, ReplacementMPN: p.MPN, ReplacementManufacturer: p.Manufacturer}
}

// redact is an approval without what tells who answered it.
func (a PartApproval) redact() PartApproval {
	a.Network = ""
	if a.Answer != nil {
		answer := *a.Answer
		answer.Name, answer.Position, answer.Email, answer.Network = "", "", "", ""
		a.Answer = &answer
	}
	return a
}

// redactApprovals drops who approved parts, wherever the quote has it.
func (q *Quote) redactApprovals() {
	q.Approvals, q.Approved = slices.Clone(q.Approvals), slices.Clone(q.Approved)
	for i, a := range q.Approvals {
		q.Approvals[i] = a.redact()
	}
	for i := range q.Approved {
		q.Approved[i].By = ""
	}
	q.Reply.Parts = slices.Clone(q.Reply.Parts)
	for i, p := range q.Reply.Parts {
		if p.Approval != nil {
			own := *p.Approval
			own.By = ""
			q.Reply.Parts[i].Approval = &own
		}
	}
}
