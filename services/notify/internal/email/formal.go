package email

import "time"

// Formal is what every e-mail about a formal order says of it.
type Formal struct {
	OrderRef   string // CO-…
	Name       string // of the order; empty where it is controlled
	Quantity   int
	Controlled bool // ITAR-controlled: nothing of the design is in the e-mail
}

// A FormalQuote goes to the customer once the team issued a formal quote.
type FormalQuote struct {
	Formal
	Number     string
	Options    []FormalOption // none where it is controlled
	Note       string         // the team's words; may be empty
	ValidUntil time.Time
	// DocumentURL is where the quote is a PDF; empty where it is controlled.
	DocumentURL string
}

// A FormalOption is one option of a formal quote.
type FormalOption struct {
	Fabricator string
	Days       int
	Total      string
}

// A FormalParcel goes to the customer once a formal order is on its way.
type FormalParcel struct {
	Formal
	Carrier, Number, TrackingURL string // empty where it is controlled
}

// A FormalTeam goes to the operator's team: a formal order came, or was accepted.
type FormalTeam struct {
	Formal
	Partner    string
	Accepted   bool
	ConsoleURL string
}

// FormalQuote writes that a formal quote is issued.
func (w *Writer) FormalQuote(q FormalQuote) (Message, error) {
	return w.write("formal-quote", q, nil, 0)
}

// FormalParcel writes that a formal order is on its way.
func (w *Writer) FormalParcel(p FormalParcel) (Message, error) {
	return w.write("formal-parcel", p, nil, 0)
}

// FormalTeam writes to the team about a formal order.
func (w *Writer) FormalTeam(t FormalTeam) (Message, error) { return w.write("formal-team", t, nil, 0) }
