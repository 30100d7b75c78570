package contract

import (
	"fmt"
	"time"
)

// CentralOption is one way in which an order can be built, with its price.
type CentralOption struct {
	ID           string `json:"option_id"`
	Fabricator   string `json:"fabricator"`
	Description  string `json:"description,omitempty"`
	LeadTimeDays int    `json:"lead_time_days"` // from acceptance to shipping
	Lines        []Line `json:"lines"`
	TotalCents   int64  `json:"total_cents"`
	Currency     string `json:"currency"`
}

// CentralQuote is a formal quote: all of its options were issued together, and
// a new one replaces them all.
type CentralQuote struct {
	Number     string          `json:"quote_number"`
	IssuedAt   time.Time       `json:"issued_at"` // whole milliseconds, UTC
	ValidUntil time.Time       `json:"valid_until"`
	Operator   string          `json:"operator"`
	Note       string          `json:"note,omitempty"`
	Options    []CentralOption `json:"options"`
	Seller     []string        `json:"seller,omitempty"` // who sells, line by line, as the document says it
}

// HasEnded reports whether the quote cannot be accepted any more.
func (q CentralQuote) HasEnded(now time.Time) bool { return !now.Before(q.ValidUntil) }

// ExplainEnd says of an order whose quote has ended how it goes on.
func (o CentralOrder) ExplainEnd() string {
	return fmt.Sprintf("Quote %s could be accepted until %s. Ask the operator's team for a new quote of order %s, or send the order again under another request_id.",
		o.Quote.Number, o.Quote.ValidUntil.UTC().Format("2006-01-02 15:04 UTC"), o.Ref)
}

// FormalQuoteLink is the purpose of the signed links to a formal quote as a PDF.
const FormalQuoteLink = "formal-quote"

// formalQuoteKept is how long such a link works after the quote has ended.
const formalQuoteKept = 90 * 24 * time.Hour

// FormalQuotePath is where the current quote of an order is shown as a PDF to
// whoever has the address. sign signs links. Never of a controlled order.
func FormalQuotePath(sign func(purpose, subject string, expires time.Time) string, o CentralOrder) string {
	return "/formal-quotes/" + sign(FormalQuoteLink, o.Key+"_"+o.Quote.Number, o.Quote.ValidUntil.Add(formalQuoteKept)) + ".pdf"
}

// Option gives an option of the quote; nil if it has none of that id.
func (q *CentralQuote) Option(id string) *CentralOption {
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

// QuoteCentralData issues a quote.
type QuoteCentralData struct {
	Order      string          `json:"order"`
	ITAR       bool            `json:"itar,omitempty"`
	Operator   string          `json:"operator"`
	ValidUntil time.Time       `json:"valid_until"`
	Note       string          `json:"note,omitempty"`
	Email      string          `json:"email,omitempty"` // where it is announced; empty: where it was before
	Options    []CentralOption `json:"options"`         // without ids
}

// CentralTerms are what a customer saw and approves. All of it must match the
// current quote.
type CentralTerms struct {
	OptionID    string    `json:"option_id"`
	QuoteNumber string    `json:"quote_number"`
	IssuedAt    time.Time `json:"issued_at"`
	TotalCents  int64     `json:"total_cents"`
}

// AcceptCentralData accepts an option, after the customer's explicit approval.
type AcceptCentralData struct {
	CentralTerms
	Order    string `json:"order"`
	ITAR     bool   `json:"itar,omitempty"`
	Approved bool   `json:"customer_approved"`
	Key      string `json:"key"` // id of the API key that says so
}

// CentralAcceptance records who approved what, and when.
type CentralAcceptance struct {
	CentralTerms
	Currency   string    `json:"currency"`
	AcceptedAt time.Time `json:"accepted_at"`
	Key        string    `json:"key"` // id of the API key that reported the approval
	Request    string    `json:"request"`
}

// CentralFinding is something about the design that people should know.
type CentralFinding struct {
	Level string `json:"level"` // must_fix, warning, note
	Check string `json:"check,omitempty"`
	What  string `json:"what"`
}

// CentralReview is what the team found in the design.
type CentralReview struct {
	Operator string           `json:"operator"`
	Findings []CentralFinding `json:"findings"`
	Note     string           `json:"note,omitempty"`
	At       time.Time        `json:"at"`
}

// ReviewCentralData replaces what the team found.
type ReviewCentralData struct {
	Order    string           `json:"order"`
	ITAR     bool             `json:"itar,omitempty"`
	Operator string           `json:"operator"`
	Findings []CentralFinding `json:"findings"`
	Note     string           `json:"note,omitempty"`
}

// CentralNotRun is the status of an automatic check that there is none of.
const CentralNotRun CheckStatus = "not_run"

// CentralCheck is what the automatic design check found, or why there is none.
type CentralCheck struct {
	Status       CheckStatus      `json:"status"` // pass, warning, must_fix, not_run
	Why          string           `json:"why,omitempty"`
	Digest       string           `json:"digest,omitempty"` // of the board that was read
	Board        string           `json:"board,omitempty"`
	Findings     []CentralFinding `json:"findings"`
	MoreFindings int              `json:"more_findings,omitempty"`
	Assumed      []string         `json:"assumed,omitempty"`
	At           time.Time        `json:"at"`
}
