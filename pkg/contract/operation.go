package contract

import "time"

// Events of the operation aggregate: outcomes that changed nothing else.
const (
	OperationRefused   EventName = "refused"
	OperationCompleted EventName = "completed"
)

// Operation is the outcome of a request. Aggregate id = the request id.
//
// Most outcomes are part of the event that they brought about (Event.Operation
// names the request); the projector makes the same document of both kinds.
type Operation struct {
	Request   string    `json:"request"`
	Account   string    `json:"account"`
	Aggregate Aggregate `json:"aggregate,omitempty"` // where the result is
	ID        string    `json:"id,omitempty"`
	Refusal   *Refusal  `json:"refusal,omitempty"`
	At        time.Time `json:"at"`
}
