package outcome

import (
	"context"
	"errors"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
)

// Current is a store that finds by its id also what was committed and is not
// projected yet: aggregates whose outcomes are announced, because whoever was told
// of one asks for it at once, and uploads, whose ids are given before they are
// unpacked. Lists and counts follow with the projection.
func Current(docs projection.Store, log aggregate.Log) projection.Store { return current{docs, log} }

type current struct {
	projection.Store
	log aggregate.Log
}

// Get reads the stream only for what the projection does not have at all.
func (c current) Get(ctx context.Context, kind, id string) (projection.Document, error) {
	doc, err := c.Store.Get(ctx, kind, id)
	if !errors.Is(err, projection.ErrNotFound) || !isToldEarly(contract.Aggregate(kind)) || !contract.ValidToken(id) {
		return doc, err
	}
	e, failed := c.log.Last(ctx, contract.Aggregate(kind), id)
	if errors.Is(failed, aggregate.ErrNone) {
		return doc, err
	}
	if failed != nil {
		return doc, failed
	}
	committed, found, failed := documentOf(e)
	if failed != nil || found {
		return committed, failed
	}
	return doc, err
}

// isToldEarly reports whether clients hear of an aggregate before it is projected.
func isToldEarly(a contract.Aggregate) bool {
	return contract.IsAnnounced(a) || a == contract.UploadAggregate
}

// documentOf is the document of the state that an event carries, without what it
// is listed by; none where it has no state.
func documentOf(e contract.Event) (doc projection.Document, found bool, err error) {
	state := contract.StateOf(e.Data)
	if len(state) == 0 || string(state) == "null" {
		return doc, false, nil
	}
	if state, err = contract.Upgrade(e.Aggregate, e.Format, state); err != nil {
		return doc, false, fmt.Errorf("upgrade %s %s version %d: %w", e.Aggregate, e.AggregateID, e.Version, err)
	}
	return projection.Document{Kind: string(e.Aggregate), ID: e.AggregateID, Seq: e.Version, At: e.At, Body: state}, true, nil
}
