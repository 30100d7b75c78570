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
	Cents      int64
	Currency   string
}

// A FormalReceived goes to the customer once the team has a formal order.
type FormalReceived struct {
	Formal
	CustomerPO, TargetDate string    // as the customer wrote them; empty where it is controlled
	Notes                  string    // likewise
	AnswerBy               time.Time // until when to expect the quote
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

// A FormalTalk is a question of the team's about a formal order: it goes to the customer, and
// with its answer back to the team.
type FormalTalk struct {
	Formal
	Question, Answer string // empty where it is controlled
	ConsoleURL       string // for the team
}

// FormalQuestion writes to the customer what the team wants to know.
func (w *Writer) FormalQuestion(t FormalTalk) (Message, error) {
	return w.write("formal-question", t, nil, 0)
}

// FormalAnswered writes to the team what the customer answered.
func (w *Writer) FormalAnswered(t FormalTalk) (Message, error) {
	return w.write("formal-answered", t, nil, 0)
}

// FormalQuote writes that a formal quote is issued.
func (w *Writer) FormalQuote(q FormalQuote) (Message, error) {
	return w.write("formal-quote", q, nil, 0)
}

// FormalReceived writes that the team has a formal order.
func (w *Writer) FormalReceived(r FormalReceived) (Message, error) {
	return w.write("formal-received", r, nil, 0)
}

// FormalParcel writes that a formal order is on its way.
func (w *Writer) FormalParcel(p FormalParcel) (Message, error) {
	return w.write("formal-parcel", p, nil, 0)
}

// FormalTeam writes to the team about a formal order.
func (w *Writer) FormalTeam(t FormalTeam) (Message, error) { return w.write("formal-team", t, nil, 0) }
