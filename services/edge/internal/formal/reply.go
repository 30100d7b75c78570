package formal

import (
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/money"
)

// Record is the order record of the interface.
type Record struct {
	OK             bool            `json:"ok"`
	OrderID        string          `json:"order_id"`
	OrderRef       string          `json:"order_ref"`
	RequestID      string          `json:"request_id"`
	Name           string          `json:"name"`
	Qty            int             `json:"qty"`
	Status         formal.Status   `json:"status"`
	Services       formal.Services `json:"services"`
	BoardLayers    *int            `json:"board_layers"`
	BoardOrigin    *string         `json:"board_origin"`
	ProductionSpec *string         `json:"production_spec"`
	TargetDate     *string         `json:"target_date"`
	ITAR           bool            `json:"itar"`
	CustomerPO     *string         `json:"customer_po"`
	Notes          *string         `json:"notes"` // the customer's
	Email          *string         `json:"email"`
	Files          []File          `json:"files"`
	Quotes         []Option        `json:"quotes"`
	QuoteNote      *string         `json:"quote_note"`
	QuotePDF       *string         `json:"quote_pdf_url"` // where the quote is a document
	Accepted       *Accepted       `json:"accepted"`
	Dates          Dates           `json:"dates"`
	Tracking       *Tracking       `json:"tracking"`
	Timeline       []Moment        `json:"timeline"`
	Questions      []Question      `json:"questions"`
	Next           string          `json:"next"`
	MissingFiles   []string        `json:"missing_files"`        // that the services need
	LeftAside      []string        `json:"left_aside,omitempty"` // fields of the form that are not known, and a header of no effect
	Differs        []string        `json:"differs,omitempty"`    // fields of a repeated request that are not those of its order
}

// File is one file of an order.
type File struct {
	Field  string `json:"field"` // gerbers, bom, cpl
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Kept   bool   `json:"kept"` // not deleted yet
}

// Option is one option of the current quote.
type Option struct {
	OptionID     string `json:"option_id"`
	QuoteNumber  string `json:"quote_number"`
	IssuedAt     string `json:"issued_at"`
	ValidUntil   string `json:"valid_until"`
	Fabricator   string `json:"fabricator"`
	Description  string `json:"description"`
	LeadTimeDays int    `json:"lead_time_days"`
	Lines        []Line `json:"lines"`
	Total        string `json:"total"`
	TotalCents   int64  `json:"total_cents"`
	Currency     string `json:"currency"`
}

// Line is one line of an option.
type Line struct {
	Label  string `json:"label"`
	Cents  int64  `json:"cents"`
	Amount string `json:"amount"`
}

// Accepted is what was accepted, when, and on whose word.
type Accepted struct {
	OptionID    string `json:"option_id"`
	QuoteNumber string `json:"quote_number"`
	IssuedAt    string `json:"issued_at"`
	TotalCents  int64  `json:"total_cents"`
	Currency    string `json:"currency"`
	AcceptedAt  string `json:"accepted_at"`
	ApprovedBy  string `json:"approved_by"` // id of the API key that reported the approval
}

// Dates are when what happened, or is expected.
type Dates struct {
	Submitted     string  `json:"submitted"`
	Quoted        *string `json:"quoted"`
	Accepted      *string `json:"accepted"`
	EstimatedShip *string `json:"estimated_ship"`
	Shipped       *string `json:"shipped"`
	Delivered     *string `json:"delivered"`
}

// Tracking is where the parcel can be followed.
type Tracking struct {
	Carrier string  `json:"carrier"`
	Number  string  `json:"number"`
	URL     *string `json:"url"`
}

// Moment is one entry of the timeline.
type Moment struct {
	What contract.EventName `json:"what"`
	At   string             `json:"at"`
	Note *string            `json:"note"` // the team's
}

// moment is a time as the interface writes it: to the millisecond, so that what was
// shown can be sent back exactly.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func momentOrNil(t *time.Time) *string {
	if t == nil {
		return nil
	}
	s := moment(*t)
	return &s
}

func nilIfEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (k *Orders) recordOf(o formal.Order) Record {
	r := Record{
		OK: true, OrderID: o.ID, OrderRef: o.Ref, RequestID: o.RequestID, Name: o.Name, Qty: o.Qty, Status: o.Status, Services: o.Services,
		BoardLayers: o.BoardLayers, BoardOrigin: nilIfEmpty(o.BoardOrigin), ProductionSpec: nilIfEmpty(o.ProductionSpec), TargetDate: nilIfEmpty(o.TargetDate),
		ITAR: o.ITAR, CustomerPO: nilIfEmpty(o.CustomerPO), Notes: nilIfEmpty(o.Notes), Email: nilIfEmpty(o.Email),
		Files: make([]File, len(o.Files)), Quotes: []Option{}, Timeline: make([]Moment, len(o.Timeline)), Next: advice(o, k.Now()), MissingFiles: wanting(o), Questions: questionsOf(o),
		Dates: Dates{
			Submitted: moment(o.Dates.Submitted), Quoted: momentOrNil(o.Dates.Quoted), Accepted: momentOrNil(o.Dates.Accepted),
			EstimatedShip: nilIfEmpty(o.Dates.EstimatedShip), Shipped: momentOrNil(o.Dates.Shipped), Delivered: momentOrNil(o.Dates.Delivered),
		},
	}
	if r.MissingFiles == nil {
		r.MissingFiles = []string{}
	}
	for i, f := range o.Files {
		r.Files[i] = File{Field: f.Role, Name: f.Name, Size: f.Size, SHA256: f.SHA256, Kept: f.Key != ""}
	}
	for i, m := range o.Timeline {
		r.Timeline[i] = Moment{m.What, moment(m.At), nilIfEmpty(m.Note)}
	}
	if q := o.Quote; q != nil {
		r.Quotes, r.QuoteNote, r.QuotePDF = optionsOf(*q), nilIfEmpty(q.Note), nilIfEmpty(k.quoteURL(o))
	}
	if a := o.Accepted; a != nil {
		r.Accepted = &Accepted{
			OptionID: a.OptionID, QuoteNumber: a.QuoteNumber, IssuedAt: moment(a.IssuedAt), TotalCents: a.TotalCents, Currency: a.Currency,
			AcceptedAt: moment(a.AcceptedAt), ApprovedBy: a.Key,
		}
	}
	if t := o.Tracking; t != nil {
		r.Tracking = &Tracking{t.Carrier, t.Number, nilIfEmpty(t.URL)}
	}
	return r
}

func optionsOf(q formal.Quote) []Option {
	out := make([]Option, len(q.Options))
	for i, o := range q.Options {
		lines := make([]Line, len(o.Lines))
		for j, l := range o.Lines {
			lines[j] = Line{l.Label, l.Cents, money.Amount(l.Cents, o.Currency)}
		}
		out[i] = Option{
			OptionID: o.ID, QuoteNumber: q.Number, IssuedAt: moment(q.IssuedAt), ValidUntil: moment(q.ValidUntil), Fabricator: o.Fabricator,
			Description: o.Description, LeadTimeDays: o.LeadTimeDays, Lines: lines, Total: money.Amount(o.TotalCents, o.Currency),
			TotalCents: o.TotalCents, Currency: o.Currency,
		}
	}
	return out
}

// advice says what to do next, in words to relay.
func advice(o formal.Order, now time.Time) string {
	if o.OpenQuestion() != nil {
		return "Our team has a question, the last in questions, and waits for the answer: ask the customer, and send what they say to POST /v1/orders/" + o.ID + "/answers."
	}
	switch o.Status {
	case formal.Submitted, formal.InReview:
		if files := wanting(o); len(files) > 0 {
			return "The operator's team looks at the order and issues a quote. What is asked for needs files that the order has not (" + strings.Join(files, ", ") +
				"): unless the others hold it, send an order with them under another request_id, or expect a question."
		}
		return "The operator's team looks at the order and issues a quote. Read the order again to see it."
	case formal.Quoted:
		if o.Quote != nil && o.Quote.HasEnded(now) {
			return o.ExplainEnd()
		}
		return "Show the customer the options in quotes. Only after the customer approved one of them explicitly, accept it with POST /v1/orders/" + o.ID + "/accept-quote."
	case formal.Cancelled:
		return "The order is cancelled."
	case formal.Delivered:
		return "The order is delivered."
	}
	return "The order is " + strings.ReplaceAll(string(o.Status), "_", " ") + ". Its dates and tracking stand here as they become known."
}
