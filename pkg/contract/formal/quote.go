package formal

import (
	"fmt"
	"time"

	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/prices"
)

// Option is one way in which an order can be built, with its price.
type Option struct {
	ID           string        `json:"option_id"`
	Fabricator   string        `json:"fabricator"`
	Description  string        `json:"description,omitempty"`
	LeadTimeDays int           `json:"lead_time_days"` // from acceptance to shipping
	Lines        []prices.Line `json:"lines"`
	TotalCents   int64         `json:"total_cents"`
	Currency     string        `json:"currency"`
}

// Quote is a formal quote: all of its options were issued together, and
// a new one replaces them all.
type Quote struct {
	Number     string    `json:"quote_number"`
	IssuedAt   time.Time `json:"issued_at"` // whole milliseconds, UTC
	ValidUntil time.Time `json:"valid_until"`
	Operator   string    `json:"operator"`
	Note       string    `json:"note,omitempty"`
	Options    []Option  `json:"options"`
	Seller     []string  `json:"seller,omitempty"` // who sells, line by line, as the document says it
}

// HasEnded reports whether the quote cannot be accepted any more.
func (q Quote) HasEnded(now time.Time) bool { return !now.Before(q.ValidUntil) }

// ExplainEnd says of an order whose quote has ended how it goes on.
func (o Order) ExplainEnd() string {
	return fmt.Sprintf("Quote %s could be accepted until %s. Ask the operator's team for a new quote of order %s, or send the order again under another request_id.",
		o.Quote.Number, o.Quote.ValidUntil.UTC().Format("2006-01-02 15:04 UTC"), o.Ref)
}

// QuoteLink is the purpose of the signed links to a formal quote as a PDF.
const QuoteLink = "formal-quote"

// quoteRetention is how long such a link works after the quote has ended.
const quoteRetention = 90 * 24 * time.Hour

// QuotePath is where the current quote of an order is shown as a PDF to
// whoever has the address. sign signs links. Never of a controlled order.
func QuotePath(sign func(purpose, subject string, expires time.Time) string, o Order) string {
	return "/formal-quotes/" + sign(QuoteLink, o.Key+"_"+o.Quote.Number, o.Quote.ValidUntil.Add(quoteRetention)) + ".pdf"
}

// Option gives an option of the quote; nil if it has none of that id.
func (q *Quote) Option(id string) *Option {
	if q == nil {
		return nil
	}
	for i := range q.Options {
		if q.Options[i].ID == id {
			return &q.Options[i]
		}
	}
	return nil
}

// IssueQuoteData issues a quote.
type IssueQuoteData struct {
	Order      string    `json:"order"`
	ITAR       bool      `json:"itar,omitempty"`
	Operator   string    `json:"operator"`
	ValidUntil time.Time `json:"valid_until"`
	Note       string    `json:"note,omitempty"`
	Email      string    `json:"email,omitempty"` // where it is announced; empty: where it was before
	Options    []Option  `json:"options"`         // without ids
}

// Terms are what a customer saw and approves. All of it must match the
// current quote.
type Terms struct {
	OptionID    string    `json:"option_id"`
	QuoteNumber string    `json:"quote_number"`
	IssuedAt    time.Time `json:"issued_at"`
	TotalCents  int64     `json:"total_cents"`
}

// AcceptQuoteData accepts an option, after the customer's explicit approval.
type AcceptQuoteData struct {
	Terms
	Order    string `json:"order"`
	ITAR     bool   `json:"itar,omitempty"`
	Approved bool   `json:"customer_approved"`
	Key      string `json:"key"` // id of the API key that says so
}

// Acceptance records who approved what, and when.
type Acceptance struct {
	Terms
	Currency   string    `json:"currency"`
	AcceptedAt time.Time `json:"accepted_at"`
	Key        string    `json:"key"` // id of the API key that reported the approval
	Request    string    `json:"request"`
}

// Finding is something about the design that people should know.
type Finding struct {
	Level string `json:"level"` // must_fix, warning, note
	Check string `json:"check,omitempty"`
	What  string `json:"what"`
}

// Review is what the team found in the design.
type Review struct {
	Operator string    `json:"operator"`
	Findings []Finding `json:"findings"`
	Note     string    `json:"note,omitempty"`
	At       time.Time `json:"at"`
}

// RecordReviewData replaces what the team found.
type RecordReviewData struct {
	Order    string    `json:"order"`
	ITAR     bool      `json:"itar,omitempty"`
	Operator string    `json:"operator"`
	Findings []Finding `json:"findings"`
	Note     string    `json:"note,omitempty"`
}

// NotRun is the status of an automatic check that there is none of.
const NotRun designchecks.Status = "not_run"

// Check is what the automatic design check found, or why there is none.
type Check struct {
	Status       designchecks.Status `json:"status"` // pass, warning, must_fix, not_run
	Why          string              `json:"why,omitempty"`
	Digest       string              `json:"digest,omitempty"` // of the board that was read
	Board        string              `json:"board,omitempty"`
	Findings     []Finding           `json:"findings"`
	MoreFindings int                 `json:"more_findings,omitempty"`
	Assumed      []string            `json:"assumed,omitempty"`
	At           time.Time           `json:"at"`
}
