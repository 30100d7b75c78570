// Package outcome reads how a request ended: from the operation's document to
// the document of what it brought about.
package outcome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"

	"github.com/tidwall/gjson"
)

// Outcomes reads outcomes.
type Outcomes struct {
	Docs projection.Store
	// Made names the aggregate that a request makes if it is granted, where its id
	// follows from the request; its document then decides without the operation's.
	// May be nil.
	Made func(request string) (kind contract.Aggregate, id string)
}

// Outcome is how a request ended: Refusal in the operation, or the document
// that the operation names.
type Outcome struct {
	contract.Operation
	Doc projection.Document
}

// readTimeout bounds one look into the store.
const readTimeout = 5 * time.Second

// Find gives the outcome of a request, or nil while it has none. A result whose
// document is not there yet is none either, unless its stream has it.
func (d Outcomes) Find(ctx context.Context, request string) (*Outcome, error) {
	out, err := d.look(ctx, request)
	docs, ok := d.Docs.(current)
	if out != nil || err != nil || d.Made == nil || !ok {
		return out, err
	}
	return d.readCommitted(ctx, docs.log, request)
}

// look is Find in the projection alone, for thousands who wait.
func (d Outcomes) look(ctx context.Context, request string) (*Outcome, error) {
	if docs, ok := d.Docs.(current); ok {
		d.Docs = docs.Store
	}
	if d.Made != nil {
		if out, err := d.readMade(ctx, request); err != nil || out != nil {
			return out, err
		}
	}
	op, found, err := Read[contract.Operation](ctx, d.Docs, string(contract.OperationAggregate), request)
	if err != nil || !found {
		return nil, err
	}
	out := &Outcome{Operation: op}
	if op.Refusal != nil || op.Aggregate == "" {
		return out, nil
	}
	out.Doc, err = get(ctx, d.Docs, string(op.Aggregate), op.ID)
	if errors.Is(err, projection.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, problem.Unavailable(err)
	}
	return out, nil
}

func (d Outcomes) readMade(ctx context.Context, request string) (*Outcome, error) {
	kind, id := d.Made(request)
	doc, found, err := Document(ctx, d.Docs, string(kind), id)
	if err != nil || !found {
		return nil, err
	}
	account := gjson.GetBytes(doc.Body, "account").Str
	return &Outcome{contract.Operation{Request: request, Account: account, Aggregate: kind, ID: id, At: doc.At}, doc}, nil
}

// readCommitted looks into the stream of what the request makes.
func (d Outcomes) readCommitted(ctx context.Context, log aggregate.Log, request string) (*Outcome, error) {
	kind, id := d.Made(request)
	e, err := log.Last(ctx, kind, id)
	if errors.Is(err, aggregate.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, problem.Unavailable(err)
	}
	if e.Operation == request {
		return outcomeOf(e)
	}
	doc, found, err := documentOf(e)
	if err != nil || !found {
		return nil, err
	}
	return &Outcome{contract.Operation{Request: request, Account: e.Account, Aggregate: kind, ID: id, At: e.At}, doc}, nil
}

// outcomeOf is the outcome that an event completes a request with.
func outcomeOf(e contract.Event) (*Outcome, error) {
	op, ok, err := contract.OutcomeOf(e)
	if err != nil || !ok {
		return nil, err
	}
	out := &Outcome{Operation: op}
	if op.Refusal != nil {
		return out, nil
	}
	doc, found, err := documentOf(e)
	if err != nil || !found {
		return nil, err
	}
	out.Doc = doc
	return out, nil
}

// Await is Find, repeated until there is an outcome or the timeout ends; then
// nil. w was joined before.
func (d Outcomes) Await(ctx context.Context, w *wait.Waiter, request string, timeout time.Duration) (*Outcome, error) {
	if out, err := d.Find(ctx, request); err != nil || out != nil {
		return out, err
	}
	return d.AwaitNext(ctx, w, request, timeout), nil
}

// AwaitNext is Await without the first look, for a request that was published only
// after w was joined. Where the event that completes it is handed to w, nothing is
// read. A store that fails may be back before the timeout ends.
func (d Outcomes) AwaitNext(ctx context.Context, w *wait.Waiter, request string, timeout time.Duration) (out *Outcome) {
	_, _ = w.AwaitNext(ctx, timeout, func(ctx context.Context) (bool, error) {
		if e := w.OutcomeEvent(); e != nil && d.Made != nil {
			if out, _ = outcomeOf(*e); out != nil {
				return true, nil
			}
		}
		found, err := d.look(ctx, request)
		if err == nil {
			out = found
		}
		return out != nil, nil
	})
	return out
}

// Read gives the state that a document holds.
func Read[S any](ctx context.Context, docs projection.Store, kind, id string) (state S, found bool, err error) {
	doc, found, err := Document(ctx, docs, kind, id)
	if err != nil || !found {
		return state, false, err
	}
	state, err = Decode[S](doc)
	return state, err == nil, err
}

// Document gives a document as it is stored.
func Document(ctx context.Context, docs projection.Store, kind, id string) (doc projection.Document, found bool, err error) {
	doc, err = get(ctx, docs, kind, id)
	if errors.Is(err, projection.ErrNotFound) {
		return doc, false, nil
	}
	if err != nil {
		return doc, false, problem.Unavailable(err)
	}
	return doc, true, nil
}

// Decode reads the state out of a document.
func Decode[S any](doc projection.Document) (state S, err error) {
	if err := json.Unmarshal(doc.Body, &state); err != nil {
		return state, fmt.Errorf("decode %s document: %w", doc.Kind, err)
	}
	return state, nil
}

func get(ctx context.Context, docs projection.Store, kind, id string) (projection.Document, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return docs.Get(ctx, kind, id)
}
