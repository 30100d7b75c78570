package contract

import (
	"encoding/json"
	"fmt"
	"time"
)

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

// IsAnnounced reports whether the outcomes of requests that are about such an
// aggregate go to whoever waits for them as they are committed, with their states. All
// others are read in the projection.
func IsAnnounced(a Aggregate) bool {
	return a == QuoteAggregate || a == PriceTableAggregate || a == SavingsAggregate
}

// OutcomeOf gives the outcome that an event records of the request that it
// completes, the same whether it came with a change, with a refusal, or alone.
// ok is false for an event that completes no request.
func OutcomeOf(e Event) (op Operation, ok bool, err error) {
	if e.Operation == "" {
		return op, false, nil
	}
	if e.Aggregate == OperationAggregate {
		var body Body[Operation]
		err := json.Unmarshal(e.Data, &body)
		return body.State, err == nil, err
	}
	op = Operation{Request: e.Operation, Account: e.Account, At: e.At}
	if e.Name != RequestRefused {
		op.Aggregate, op.ID = e.Aggregate, e.AggregateID
		return op, true, nil
	}
	var body Body[json.RawMessage]
	if err := json.Unmarshal(e.Data, &body); err != nil {
		return op, false, fmt.Errorf("decode refusal of %s: %w", e.Operation, err)
	}
	if op.Refusal = body.Refusal; op.Refusal == nil {
		return op, false, fmt.Errorf("event %s refuses request %s without a refusal", e.ID, e.Operation)
	}
	return op, true, nil
}
