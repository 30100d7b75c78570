package contract

import "time"

// Commands of the central service: formal orders, which the operator's team
// quotes for any fabricator or assembler.
var (
	SubmitCentral = CommandName{"central", "submit"}
	QuoteCentral  = CommandName{"central", "issue-quote"}
	AcceptCentral = CommandName{"central", "accept-quote"}
	MoveCentral   = CommandName{"central", "move"}
	ReviewCentral = CommandName{"central", "review"}
	CheckCentral  = CommandName{"central", "check"}      // the automatic design check
	CloseCentral  = CommandName{"central", "drop-files"} // when nothing happened for long
	EraseCentral  = CommandName{"central", "erase"}
)

// Events of the central-order aggregate.
const (
	CentralSubmitted    EventName = "submitted"
	CentralInReview     EventName = "in_review" // the team has begun
	CentralQuoted       EventName = "quoted"
	CentralAccepted     EventName = "accepted"
	CentralInProduction EventName = "in_production"
	CentralShipped      EventName = "shipped"
	CentralDelivered    EventName = "delivered"
	CentralCancelled    EventName = "cancelled"
	CentralUpdated      EventName = "updated"  // dates or tracking, or that it is controlled after all
	CentralReviewed     EventName = "reviewed" // what the team found in the design
	CentralChecked      EventName = "checked"  // what the automatic check found
	CentralFilesDropped EventName = "files_dropped"
)

// CentralStatus is where a formal order stands.
type CentralStatus string

// The statuses, in their order. Cancelled is reached from any before production.
const (
	CentralStatusSubmitted    CentralStatus = "submitted"
	CentralStatusInReview     CentralStatus = "in_review"
	CentralStatusQuoted       CentralStatus = "quoted"
	CentralStatusAccepted     CentralStatus = "accepted"
	CentralStatusInProduction CentralStatus = "in_production"
	CentralStatusShipped      CentralStatus = "shipped"
	CentralStatusDelivered    CentralStatus = "delivered"
	CentralStatusCancelled    CentralStatus = "cancelled"
)

// CentralStatuses lists them all.
func CentralStatuses() []CentralStatus {
	return []CentralStatus{
		CentralStatusSubmitted, CentralStatusInReview, CentralStatusQuoted, CentralStatusAccepted,
		CentralStatusInProduction, CentralStatusShipped, CentralStatusDelivered, CentralStatusCancelled,
	}
}

// Next lists where the team can send an order of the status. Quoted and accepted
// are reached by a quote and its acceptance only.
func (s CentralStatus) Next() []CentralStatus {
	switch s {
	case CentralStatusSubmitted:
		return []CentralStatus{CentralStatusInReview, CentralStatusCancelled}
	case CentralStatusInReview:
		return []CentralStatus{CentralStatusCancelled}
	case CentralStatusQuoted:
		return []CentralStatus{CentralStatusInReview, CentralStatusCancelled}
	case CentralStatusAccepted:
		return []CentralStatus{CentralStatusInProduction, CentralStatusCancelled}
	case CentralStatusInProduction:
		return []CentralStatus{CentralStatusShipped}
	case CentralStatusShipped:
		return []CentralStatus{CentralStatusDelivered}
	}
	return nil
}

// CentralPrefix is where the files of formal orders lie: central/<key>/….
const CentralPrefix = "central/"

// Bounds of a formal order.
const (
	MaxCentralFileBytes = 20 << 20
	MaxCentralOptions   = 10
	MaxCentralFindings  = 100
)

// CentralKey is the aggregate id of a formal order: what was sent under one
// request_id of one account is one order.
func CentralKey(account, requestID string) string {
	return DeriveID("central-order", account, requestID)
}

// CentralServices are what an order is for.
type CentralServices struct {
	Fabrication     bool `json:"fabrication"`
	PartProcurement bool `json:"part_procurement"`
	Assembly        bool `json:"assembly"`
}

// The roles of an order's files: the names of the form's fields.
const (
	CentralGerbers = "gerbers"
	CentralBOM     = "bom"
	CentralCPL     = "cpl" // pick-and-place
)

// CentralForm is what a customer fills in.
type CentralForm struct {
	Name           string          `json:"name"`
	Qty            int             `json:"qty"`
	Services       CentralServices `json:"services"`
	BoardLayers    *int            `json:"board_layers"`
	BoardOrigin    string          `json:"board_origin,omitempty"` // us, or as the customer wrote it; empty: any
	ProductionSpec string          `json:"production_spec,omitempty"`
	TargetDate     string          `json:"target_date,omitempty"`
	ITAR           bool            `json:"itar"`
	CustomerPO     string          `json:"customer_po,omitempty"`
	Notes          string          `json:"notes,omitempty"`
	Email          string          `json:"email,omitempty"` // where formal quotes are announced
}

// USOrigin is the board_origin of boards that are made in the United States.
const USOrigin = "us"

// Refusal says why an order with such files cannot be taken; nil: it can.
func (f CentralForm) Refusal(has func(role string) bool) *Refusal {
	switch {
	case f.ITAR && f.BoardOrigin != USOrigin:
		return Refuse(ITAROrigin, "An ITAR-controlled order is made in the United States only: send board_origin=us. Nothing of this request was kept.")
	case !has(CentralGerbers) && !has(CentralBOM):
		return Refuse(DesignOrBOMRequired, "Send the Gerbers, a bill of materials, or both.")
	case f.Services.Fabrication && !has(CentralGerbers):
		return Refuse(GerbersRequired, "Fabrication needs the Gerbers: send them in the field gerbers.")
	case f.BoardLayers == nil:
		return Refuse(LayersRequired, "Say in board_layers how many copper layers the board has.")
	}
	return nil
}

// CentralFile is one file of an order.
type CentralFile struct {
	Role   string `json:"role"` // gerbers, bom, cpl
	Name   string `json:"name"` // as the customer called it, cleaned
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // hex
	Key    string `json:"key"`    // in the blob store; empty once it was deleted
}

// SubmitCentralData asks for a formal order.
type SubmitCentralData struct {
	CentralForm
	Order     string        `json:"order"` // [CentralKey]
	RequestID string        `json:"request_id"`
	Files     []CentralFile `json:"files"` // staged
}

// CentralDates are when what happened, or is expected.
type CentralDates struct {
	Submitted     time.Time  `json:"submitted"`
	Quoted        *time.Time `json:"quoted"`
	Accepted      *time.Time `json:"accepted"`
	EstimatedShip string     `json:"estimated_ship,omitempty"` // 2006-01-02
	Shipped       *time.Time `json:"shipped"`
	Delivered     *time.Time `json:"delivered"`
}

// CentralMoment is an entry of an order's timeline.
type CentralMoment struct {
	What EventName `json:"what"`
	At   time.Time `json:"at"`
	// By is the operator; empty: the customer, or the service itself.
	By   string `json:"by,omitempty"`
	Note string `json:"note,omitempty"` // an operator's, for the customer
}

// CentralOrder is a formal order. Aggregate id = Key.
type CentralOrder struct {
	Key       string `json:"key"` // [CentralKey]
	ID        string `json:"id"`  // ord_…
	Ref       string `json:"ref"` // what people say: CO-…
	Account   string `json:"account"`
	RequestID string `json:"request_id"`
	// Submission is the command that made the order, of all that asked for it.
	Submission string        `json:"submission"`
	Status     CentralStatus `json:"status"`
	CentralForm
	Files     []CentralFile      `json:"files"`
	Issued    int                `json:"issued"`          // quotes so far: numbers are not used again
	Quote     *CentralQuote      `json:"quote,omitempty"` // the current one
	Accepted  *CentralAcceptance `json:"accepted,omitempty"`
	Review    *CentralReview     `json:"review,omitempty"`
	Check     *CentralCheck      `json:"check,omitempty"`
	Dates     CentralDates       `json:"dates"`
	Tracking  *Tracking          `json:"tracking,omitempty"`
	Timeline  []CentralMoment    `json:"timeline"`
	CreatedAt time.Time          `json:"created_at"`
	UpdatedAt time.Time          `json:"updated_at"`
	// FilesUntil is when the files go, unless something happens before.
	FilesUntil time.Time `json:"files_until,omitzero"`
}

// Has tells whether the order has a file in a role.
func (o CentralOrder) Has(role string) bool { return o.File(role) != nil }

// File gives the file in a role; nil if there is none.
func (o CentralOrder) File(role string) *CentralFile {
	for i := range o.Files {
		if o.Files[i].Role == role {
			return &o.Files[i]
		}
	}
	return nil
}

// Marks of a formal order: whom a letter goes to, and whether only US persons
// may see it.
func (o CentralOrder) Marks() Marks {
	marks := MarksFrom(PersonMark(o.Email))
	if o.ITAR {
		marks = marks.Union(Marks{ControlledMark})
	}
	return marks
}

// Redact is the order without what names or tells of its customer: what the
// books need stays.
func (o CentralOrder) Redact() CentralOrder {
	o.CentralForm = CentralForm{
		Qty: o.Qty, Services: o.Services, BoardLayers: o.BoardLayers, BoardOrigin: o.BoardOrigin, TargetDate: o.TargetDate, ITAR: o.ITAR,
	}
	o.Files, o.Review, o.Check, o.Tracking = []CentralFile{}, nil, nil, nil
	if o.Quote != nil {
		quote := *o.Quote
		quote.Note = ""
		o.Quote = &quote
	}
	timeline := make([]CentralMoment, len(o.Timeline))
	for i, m := range o.Timeline {
		m.Note = ""
		timeline[i] = m
	}
	o.Timeline, o.FilesUntil = timeline, time.Time{}
	return o
}

// MoveCentralData is an operator's word on a formal order.
type MoveCentralData struct {
	Order    string `json:"order"`
	ITAR     bool   `json:"itar,omitempty"` // of the order: marks the command
	Operator string `json:"operator"`
	// From is how the order stood when the operator decided; empty: however it stands.
	From CentralStatus `json:"from,omitempty"`
	// Status is where the order goes; empty: it stays.
	Status        CentralStatus `json:"status,omitempty"`
	EstimatedShip string        `json:"estimated_ship,omitempty"` // 2006-01-02
	Tracking      *Tracking     `json:"tracking,omitempty"`
	Note          string        `json:"note,omitempty"` // for the customer
}

// CentralOrderData names a formal order.
type CentralOrderData struct {
	Order string `json:"order"`
	ITAR  bool   `json:"itar,omitempty"`
}
