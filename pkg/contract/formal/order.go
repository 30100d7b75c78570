package formal

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/shipments"
)

// Commands of the central service: formal orders, which the operator's team
// quotes for any fabricator or assembler.
var (
	Submit       = contract.CommandName{Service: "central", Verb: "submit"}
	IssueQuote   = contract.CommandName{Service: "central", Verb: "issue-quote"}
	AcceptQuote  = contract.CommandName{Service: "central", Verb: "accept-quote"}
	Move         = contract.CommandName{Service: "central", Verb: "move"}
	RecordReview = contract.CommandName{Service: "central", Verb: "review"}
	CheckDesign  = contract.CommandName{Service: "central", Verb: "check"}      // the automatic design check
	DropFiles    = contract.CommandName{Service: "central", Verb: "drop-files"} // when nothing happened for long
	Erase        = contract.CommandName{Service: "central", Verb: "erase"}
)

// Events of the central-order aggregate.
const (
	EventSubmitted    contract.EventName = "submitted"
	EventInReview     contract.EventName = "in_review" // the team has begun
	EventQuoted       contract.EventName = "quoted"
	EventAccepted     contract.EventName = "accepted"
	EventInProduction contract.EventName = "in_production"
	EventShipped      contract.EventName = "shipped"
	EventDelivered    contract.EventName = "delivered"
	EventCancelled    contract.EventName = "cancelled"
	EventUpdated      contract.EventName = "updated"  // dates or tracking, or that it is controlled after all
	EventReviewed     contract.EventName = "reviewed" // what the team found in the design
	EventChecked      contract.EventName = "checked"  // what the automatic check found
	EventFilesDropped contract.EventName = "files_dropped"
	EventAsked        contract.EventName = "asked"    // the team wants to know something of the customer
	EventAnswered     contract.EventName = "answered" // the customer has answered
)

// Events are all of the aggregate.
var Events = []contract.EventName{
	EventSubmitted, EventInReview, EventQuoted, EventAccepted, EventInProduction,
	EventShipped, EventDelivered, EventCancelled, EventUpdated, EventReviewed,
	EventChecked, EventFilesDropped, EventAsked, EventAnswered,
}

// Status is where a formal order stands.
type Status string

// The statuses, in their order. Cancelled is reached from any before production.
const (
	Submitted    Status = "submitted"
	InReview     Status = "in_review"
	Quoted       Status = "quoted"
	Accepted     Status = "accepted"
	InProduction Status = "in_production"
	Shipped      Status = "shipped"
	Delivered    Status = "delivered"
	Cancelled    Status = "cancelled"
)

// Statuses lists them all.
func Statuses() []Status {
	return []Status{
		Submitted, InReview, Quoted, Accepted,
		InProduction, Shipped, Delivered, Cancelled,
	}
}

// Next lists where the team can send an order of the status. Quoted and accepted
// are reached by a quote and its acceptance only.
func (s Status) Next() []Status {
	switch s {
	case Submitted:
		return []Status{InReview, Cancelled}
	case InReview:
		return []Status{Cancelled}
	case Quoted:
		return []Status{InReview, Cancelled}
	case Accepted:
		return []Status{InProduction, Cancelled}
	case InProduction:
		return []Status{Shipped}
	case Shipped:
		return []Status{Delivered}
	}
	return nil
}

// Prefix is where the files of formal orders lie: central/<key>/….
const Prefix = "central/"

// Bounds of a formal order.
const (
	MaxFileBytes = 20 << 20
	MaxOptions   = 10
	MaxFindings  = 100
)

// Key is the aggregate id of a formal order: what was sent under one
// request_id of one account is one order.
func Key(account, requestID string) string {
	return contract.DeriveID("central-order", account, requestID)
}

// Services are what an order is for.
type Services struct {
	Fabrication     bool `json:"fabrication"`
	PartProcurement bool `json:"part_procurement"`
	Assembly        bool `json:"assembly"`
}

// The roles of an order's files: the names of the form's fields.
const (
	Gerbers = "gerbers"
	BOM     = "bom"
	CPL     = "cpl" // pick-and-place
)

// Form is what a customer fills in.
type Form struct {
	Name           string   `json:"name"`
	Qty            int      `json:"qty"`
	Services       Services `json:"services"`
	BoardLayers    *int     `json:"board_layers"`
	BoardOrigin    string   `json:"board_origin,omitempty"` // us, or as the customer wrote it; empty: any
	ProductionSpec string   `json:"production_spec,omitempty"`
	TargetDate     string   `json:"target_date,omitempty"`
	ITAR           bool     `json:"itar"`
	CustomerPO     string   `json:"customer_po,omitempty"`
	Notes          string   `json:"notes,omitempty"`
	Email          string   `json:"email,omitempty"` // where formal quotes are announced
	// Language is that of quotes and e-mails, as pkg/language has it; "" of an order from
	// before it was kept, in English.
	Language string `json:"language,omitempty"`
}

// USOrigin is the board_origin of boards that are made in the United States.
const USOrigin = "us"

// Refusal says why an order with such files cannot be taken; nil: it can.
func (f Form) Refusal(has func(role string) bool) *contract.Refusal {
	switch {
	case f.ITAR && f.BoardOrigin != USOrigin:
		return contract.Refuse(contract.ITAROrigin, "An ITAR-controlled order is made in the United States only: send board_origin=us. Nothing of this request was kept.")
	case !has(Gerbers) && !has(BOM):
		return contract.Refuse(contract.DesignOrBOMRequired, "Send the Gerbers, a bill of materials, or both.")
	case f.Services.Fabrication && !has(Gerbers):
		return contract.Refuse(contract.GerbersRequired, "Fabrication needs the Gerbers: send them in the field gerbers.")
	case f.BoardLayers == nil:
		return contract.Refuse(contract.LayersRequired, "Say in board_layers how many copper layers the board has.")
	}
	return nil
}

// File is one file of an order.
type File struct {
	Role   string `json:"role"` // gerbers, bom, cpl
	Name   string `json:"name"` // as the customer called it, cleaned
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // hex
	Key    string `json:"key"`    // in the blob store; empty once it was deleted
}

// SubmitData asks for a formal order.
type SubmitData struct {
	Form
	Order     string `json:"order"` // [Key]
	RequestID string `json:"request_id"`
	Files     []File `json:"files"` // staged
}

// Dates are when what happened, or is expected.
type Dates struct {
	Submitted     time.Time  `json:"submitted"`
	Quoted        *time.Time `json:"quoted"`
	Accepted      *time.Time `json:"accepted"`
	EstimatedShip string     `json:"estimated_ship,omitempty"` // 2006-01-02
	Shipped       *time.Time `json:"shipped"`
	Delivered     *time.Time `json:"delivered"`
}

// Moment is an entry of an order's timeline.
type Moment struct {
	What contract.EventName `json:"what"`
	At   time.Time          `json:"at"`
	// By is the operator; empty: the customer, or the service itself.
	By   string `json:"by,omitempty"`
	Note string `json:"note,omitempty"` // an operator's, for the customer
}

// Order is a formal order. Aggregate id = Key.
type Order struct {
	Key       string `json:"key"` // [Key]
	ID        string `json:"id"`  // ord_…
	Ref       string `json:"ref"` // what people say: CO-…
	Account   string `json:"account"`
	RequestID string `json:"request_id"`
	// Submission is the command that made the order, of all that asked for it.
	Submission string `json:"submission"`
	Status     Status `json:"status"`
	Form
	Files     []File              `json:"files"`
	Issued    int                 `json:"issued"`          // quotes so far: numbers are not used again
	Quote     *Quote              `json:"quote,omitempty"` // the current one
	Accepted  *Acceptance         `json:"accepted,omitempty"`
	Review    *Review             `json:"review,omitempty"`
	Check     *Check              `json:"check,omitempty"`
	Questions []Question          `json:"questions,omitempty"` // oldest first; at most one has no answer
	Dates     Dates               `json:"dates"`
	Tracking  *shipments.Tracking `json:"tracking,omitempty"`
	Timeline  []Moment            `json:"timeline"`
	CreatedAt time.Time           `json:"created_at"`
	UpdatedAt time.Time           `json:"updated_at"`
	// FilesUntil is when the files go, unless something happens before.
	FilesUntil time.Time `json:"files_until,omitzero"`
}

// Has tells whether the order has a file in a role.
func (o Order) Has(role string) bool { return o.File(role) != nil }

// File gives the file in a role; nil if there is none.
func (o Order) File(role string) *File {
	for i := range o.Files {
		if o.Files[i].Role == role {
			return &o.Files[i]
		}
	}
	return nil
}

// Labels of a formal order: whom an e-mail goes to, and whether only US persons
// may see it.
func (o Order) Labels() contract.Labels {
	labels := contract.NewLabels(contract.PersonLabel(o.Email))
	if o.ITAR {
		labels = labels.Union(contract.Labels{contract.ControlledLabel})
	}
	return labels
}

// Redact is the order without what names or tells of its customer: what
// bookkeeping needs stays.
func (o Order) Redact() Order {
	o.Form = Form{
		Qty: o.Qty, Services: o.Services, BoardLayers: o.BoardLayers, BoardOrigin: o.BoardOrigin, TargetDate: o.TargetDate, ITAR: o.ITAR,
	}
	o.Files, o.Review, o.Check, o.Tracking, o.Questions = []File{}, nil, nil, nil, dropWords(o.Questions)
	if o.Quote != nil {
		quote := *o.Quote
		quote.Note = ""
		o.Quote = &quote
	}
	timeline := make([]Moment, len(o.Timeline))
	for i, m := range o.Timeline {
		m.Note = ""
		timeline[i] = m
	}
	o.Timeline, o.FilesUntil = timeline, time.Time{}
	return o
}

// MoveData is an operator's word on a formal order.
type MoveData struct {
	Order    string `json:"order"`
	ITAR     bool   `json:"itar,omitempty"` // of the order: labels the command
	Operator string `json:"operator"`
	// From is how the order stood when the operator decided; empty: however it stands.
	From Status `json:"from,omitempty"`
	// Status is where the order goes; empty: it stays.
	Status        Status              `json:"status,omitempty"`
	EstimatedShip string              `json:"estimated_ship,omitempty"` // 2006-01-02
	Tracking      *shipments.Tracking `json:"tracking,omitempty"`
	Note          string              `json:"note,omitempty"` // for the customer
}

// Data names a formal order.
type Data struct {
	Order string `json:"order"`
	ITAR  bool   `json:"itar,omitempty"`
}
