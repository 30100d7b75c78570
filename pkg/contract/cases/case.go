package cases

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
)

// Commands of the console service about the team's own work on a quote or its order.
var (
	Take            = contract.CommandName{Service: "console", Verb: "take-case"}        // an operator takes it on, or leaves it to the others
	RequestApproval = contract.CommandName{Service: "console", Verb: "request-approval"} // something that a second operator has to approve
	Decide          = contract.CommandName{Service: "console", Verb: "decide-request"}   // the second operator approves or declines
	AddNote         = contract.CommandName{Service: "console", Verb: "add-note"}         // an operator writes down what colleagues should know
)

// Events of the case aggregate.
const (
	EventTaken             contract.EventName = "taken"
	EventReleased          contract.EventName = "released"
	EventApprovalRequested contract.EventName = "approval_requested"
	EventApprovalGranted   contract.EventName = "approval_granted" // the command that was asked for is sent after it
	EventApprovalDeclined  contract.EventName = "approval_declined"
	EventNoted             contract.EventName = "noted"
)

// Events are all of the aggregate.
var Events = []contract.EventName{EventTaken, EventReleased, EventApprovalRequested, EventApprovalGranted, EventApprovalDeclined, EventNoted}

// Case is the team's work on one quote and the order that it became, or on a formal
// order, or about a customer: who has it, what waits for a second operator, and what
// operators noted. Aggregate id = the quote's ref, the formal order's key, or the
// customer's id.
type Case struct {
	Ref       string     `json:"ref"`
	Account   string     `json:"account"`
	Person    string     `json:"person,omitempty"` // contract.PersonRef of the customer
	ITAR      bool       `json:"itar,omitempty"`   // of a controlled formal order
	Assignee  string     `json:"assignee,omitempty"`
	TakenAt   *time.Time `json:"taken_at,omitempty"`
	Approvals []Approval `json:"approvals,omitempty"` // oldest first
	Waiting   string     `json:"waiting,omitempty"`   // Waits while an approval is open
	Notes     []Note     `json:"notes,omitempty"`     // oldest first; customers never see them
	CreatedAt time.Time  `json:"created_at"`
}

// Waits is Case.Waiting while a second operator is wanted.
const Waits = "approval"

// ApprovalKind is what is to be approved.
type ApprovalKind string

// The kinds, with the command that each carries out.
const (
	ApproveRefund ApprovalKind = "refund" // orders.IssueRefund
	ApproveCancel ApprovalKind = "cancel" // orders.Cancel
	ApprovePrice  ApprovalKind = "price"  // quotes.PriceReview
	ApproveFormal ApprovalKind = "formal" // formal.IssueQuote
)

// ApprovalStatus is how far a request for approval is.
type ApprovalStatus string

// The statuses of a request for approval.
const (
	ApprovalOpen     ApprovalStatus = "open"
	ApprovalApproved ApprovalStatus = "approved"
	ApprovalRefused  ApprovalStatus = "declined"
)

// Approval is one thing that an operator wants and another has to agree to.
type Approval struct {
	ID        string          `json:"id"` // the request that asked for it
	Kind      ApprovalKind    `json:"kind"`
	Cents     int64           `json:"cents"`
	Currency  string          `json:"currency"`
	Command   json.RawMessage `json:"command,omitempty"` // the data of the command that is carried out
	AskedBy   string          `json:"asked_by"`
	AskedAt   time.Time       `json:"asked_at"`
	Status    ApprovalStatus  `json:"status"`
	DecidedBy string          `json:"decided_by,omitempty"`
	DecidedAt *time.Time      `json:"decided_at,omitempty"`
	Request   string          `json:"request,omitempty"` // of the command that was sent, once approved
}

// Note is what an operator wrote down for colleagues.
type Note struct {
	ID       string    `json:"id"` // the request that wrote it
	Operator string    `json:"operator"`
	At       time.Time `json:"at"`
	Text     string    `json:"text"`
}

// Bounds of notes.
const (
	MaxNotes    = 200 // about one thing
	MaxNoteText = 2000
)

// AddNoteData is a note.
type AddNoteData struct {
	Case     string `json:"case"`           // the quote's ref, the formal order's key, or the customer's id
	ITAR     bool   `json:"itar,omitempty"` // of the formal order: labels the command
	Person   string `json:"person,omitempty"`
	Operator string `json:"operator"`
	Text     string `json:"text"`
}

// TakeData says who has a case; an empty operator leaves it.
type TakeData struct {
	Case     string `json:"case"`           // the quote's ref, or the formal order's key
	ITAR     bool   `json:"itar,omitempty"` // of the formal order: labels the command
	Person   string `json:"person,omitempty"`
	Operator string `json:"operator"`
	Leave    bool   `json:"leave,omitempty"`
}

// RequestApprovalData is what an operator wants to do.
type RequestApprovalData struct {
	Case     string          `json:"case"`           // the quote's ref, or the formal order's key
	ITAR     bool            `json:"itar,omitempty"` // of the formal order: labels the command
	Person   string          `json:"person,omitempty"`
	Operator string          `json:"operator"`
	Kind     ApprovalKind    `json:"kind"`
	Cents    int64           `json:"cents"`
	Currency string          `json:"currency"`
	Command  json.RawMessage `json:"command"`
}

// DecideData is a second operator's decision.
type DecideData struct {
	Case     string `json:"case"`           // the quote's ref, or the formal order's key
	ITAR     bool   `json:"itar,omitempty"` // of the formal order: labels the command
	Approval string `json:"approval"`
	Operator string `json:"operator"`
	Approve  bool   `json:"approve"`
}

// Labels of a case: the customer whose it is, and whether only US persons may see it.
func (c Case) Labels() contract.Labels {
	labels := contract.NewLabels(contract.NewLabel("person:", c.Person))
	if c.ITAR {
		labels = labels.Union(contract.Labels{contract.ControlledLabel})
	}
	return labels
}

// Redact is a case without words that were written to a customer or about one.
func (c Case) Redact() Case {
	c.Notes = nil
	c.Person, c.Approvals = "", slices.Clone(c.Approvals)
	for i := range c.Approvals {
		c.Approvals[i].Command = nil
	}
	return c
}

// Open gives the approvals that wait for a decision.
func (c Case) Open() []Approval {
	var out []Approval
	for _, a := range c.Approvals {
		if a.Status == ApprovalOpen {
			out = append(out, a)
		}
	}
	return out
}

// pair stands between the names of two operators.
const pair = ", approved by "

// NamePair is the name under which something is done that one operator asked for and
// another approved.
func NamePair(asker, approver string) string { return asker + pair + approver }

// IsPair reports whether a name is that of two operators.
func IsPair(name string) bool { return strings.Contains(name, pair) }
