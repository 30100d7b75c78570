package erasures

import (
	"maps"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/uploads"
)

// Commands that remove what tells of a person or a design.
var (
	EraseCustomer = contract.CommandName{Service: "console", Verb: "erase-customer"} // an operator wants a customer's personal data gone
)

// Events of the erasure aggregate.
const (
	EventRequested contract.EventName = "requested"
	EventPassed    contract.EventName = "passed" // a service went through what it keeps
)

// Events are all of the aggregate.
var Events = []contract.EventName{EventRequested, EventPassed}

// EraseCustomerData is an operator's decision. Person is a [contract.PersonRef]: the
// address itself is in no message.
type EraseCustomerData struct {
	Person   string `json:"person"`
	Operator string `json:"operator"`
}

// Data says what shall be removed: a person's data, or all that tells of a
// design that was declared ITAR-controlled.
type Data struct {
	Person string `json:"person,omitempty"` // [contract.PersonRef]
	Upload string `json:"upload,omitempty"` // ref
	// Boards are the digests of the upload's files, at any time.
	Boards []string `json:"boards,omitempty"`
	// DuplicateKeys are what the upload's files were entered under, at any time: [duplicates.Key].
	DuplicateKeys []string `json:"duplicate_keys,omitempty"`
	Again         bool     `json:"again,omitempty"` // a second look, for what was under way at the first
}

// SecondLook is after how long a second look follows: no command is under way
// for that long.
const SecondLook = time.Hour

// IsControlled reports whether it is about a design rather than about a person.
func (d Data) IsControlled() bool { return d.Upload != "" }

// Labels are those of what shall be removed.
func (d Data) Labels() contract.Labels {
	if !d.IsControlled() {
		return contract.NewLabels(contract.NewLabel("person:", d.Person))
	}
	return contract.NewLabels(uploads.Label(d.Upload))
}

// MessageLabels are those of messages that shall be removed: they may name a
// design by its files only.
func (d Data) MessageLabels() contract.Labels {
	labels := d.Labels()
	for _, digest := range d.Boards {
		labels = labels.Union(contract.Labels{boards.Label(digest)})
	}
	return labels
}

// Target names what is erased, as an id for timers.
func (d Data) Target() string {
	if d.IsControlled() {
		return d.Upload
	}
	return d.Person
}

// Erasure is the record that a customer's personal data was removed. Aggregate
// id = Person. It holds nothing that names anybody but operators.
type Erasure struct {
	Person   string                     `json:"person"` // [contract.PersonRef]
	Requests []Request                  `json:"requests"`
	Erased   map[contract.Aggregate]int `json:"erased,omitempty"`  // aggregates and, as REQUESTS and DEAD_LETTERS, messages
	Waiting  int                        `json:"waiting,omitempty"` // orders on their way, in the last pass: erased once they are shipped
	PassedAt time.Time                  `json:"passed_at,omitzero"`
}

// AddPass is the record after a service's pass. Only the payment service knows of
// orders that wait.
func (e Erasure) AddPass(erased map[contract.Aggregate]int, waiting int, by contract.CommandName, at time.Time) Erasure {
	sum := maps.Clone(e.Erased)
	if sum == nil {
		sum = map[contract.Aggregate]int{}
	}
	for kind, n := range erased {
		if n > 0 {
			sum[kind] += n
		}
	}
	e.Erased, e.PassedAt = sum, at
	if by == orders.Erase {
		e.Waiting = waiting
	}
	return e
}

// Request is who asked for an erasure, and when.
type Request struct {
	Operator string    `json:"operator"`
	At       time.Time `json:"at"`
}
