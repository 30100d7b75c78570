package contract

import (
	"maps"
	"time"
)

// Commands that remove what tells of a person or a design.
var (
	EraseCustomer = CommandName{"console", "erase-customer"} // an operator wants a customer's personal data gone
	EraseQuotes   = CommandName{"pricing", "erase"}          // quotes, what was asked for, and dead letters
	EraseOrders   = CommandName{"payment", "erase"}          // checkouts and orders
	HoldEqual     = CommandName{"payment", "hold-equal"}     // other accounts' orders of the same files
)

// Events of the erasure aggregate.
const (
	ErasureRequested EventName = "requested"
	ErasurePassed    EventName = "passed" // a service went through what it keeps
)

// EraseCustomerData is an operator's decision. Person is a [PersonRef]: the
// address itself is in no message.
type EraseCustomerData struct {
	Person   string `json:"person"`
	Operator string `json:"operator"`
}

// EraseData says what shall be removed: a person's data, or all that tells of a
// design that was declared ITAR-controlled.
type EraseData struct {
	Person string `json:"person,omitempty"` // [PersonRef]
	Upload string `json:"upload,omitempty"` // ref
	// Boards are the digests of the upload's files, at any time.
	Boards []string `json:"boards,omitempty"`
	// Equal are what the upload's files were entered under, at any time: [EqualKey].
	Equal []string `json:"equal,omitempty"`
	Again bool     `json:"again,omitempty"` // a second look, for what was under way at the first
}

// EraseAgain is after how long a second look follows: no command is under way
// for that long.
const EraseAgain = time.Hour

// IsControlled reports whether it is about a design rather than about a person.
func (d EraseData) IsControlled() bool { return d.Upload != "" }

// Marks are those of what shall be removed.
func (d EraseData) Marks() Marks {
	if !d.IsControlled() {
		return MarksFrom(mark("person:", d.Person))
	}
	return MarksFrom(UploadMark(d.Upload))
}

// MessageMarks are those of messages that shall be removed: they may name a
// design by its files only.
func (d EraseData) MessageMarks() Marks {
	marks := d.Marks()
	for _, digest := range d.Boards {
		marks = marks.Union(Marks{BoardMark(digest)})
	}
	return marks
}

// Target names what is erased, as an id for timers.
func (d EraseData) Target() string {
	if d.IsControlled() {
		return d.Upload
	}
	return d.Person
}

// HoldEqualData names the content of files that an account declared
// ITAR-controlled: other accounts' orders of the same are held, or with Upload the
// account's own of that upload.
type HoldEqualData struct {
	Account string   `json:"account"`
	Content []string `json:"content"` // Upload.Content, at any time
	Upload  string   `json:"upload,omitempty"`
}

// Concerns reports whether the order of a quote is one of those to be held, as far as
// its account and its upload say.
func (d HoldEqualData) Concerns(account, upload string) bool {
	if d.Upload != "" {
		return account == d.Account && upload == d.Upload
	}
	return account != d.Account && IsTest(account) == IsTest(d.Account)
}

// Erasure is the record that a customer's personal data was removed. Aggregate
// id = Person. It holds nothing that names anybody but operators.
type Erasure struct {
	Person   string            `json:"person"` // [PersonRef]
	Requests []ErasureRequest  `json:"requests"`
	Erased   map[Aggregate]int `json:"erased,omitempty"`  // aggregates and, as REQUESTS and DEAD_LETTERS, messages
	Waiting  int               `json:"waiting,omitempty"` // orders on their way, in the last pass: erased once they are shipped
	PassedAt time.Time         `json:"passed_at,omitzero"`
}

// AddPass is the record after a service's pass. Only the payment service knows of
// orders that wait.
func (e Erasure) AddPass(erased map[Aggregate]int, waiting int, by CommandName, at time.Time) Erasure {
	sum := maps.Clone(e.Erased)
	if sum == nil {
		sum = map[Aggregate]int{}
	}
	for kind, n := range erased {
		if n > 0 {
			sum[kind] += n
		}
	}
	e.Erased, e.PassedAt = sum, at
	if by == EraseOrders {
		e.Waiting = waiting
	}
	return e
}

// ErasureRequest is who asked for an erasure, and when.
type ErasureRequest struct {
	Operator string    `json:"operator"`
	At       time.Time `json:"at"`
}
