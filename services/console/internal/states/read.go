// Package states reads the states of aggregates from the projection: one, a list,
// a list of one mode.
package states

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
)

// PerPage is how many rows a list shows.
const PerPage = 30

// Get reads the state of one aggregate; nil when there is none.
func Get[S any](ctx context.Context, docs projection.Store, a contract.Aggregate, id string) (*S, error) {
	if !contract.ValidToken(id) {
		return nil, nil
	}
	doc, err := docs.Get(ctx, string(a), id)
	if errors.Is(err, projection.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s %s: %w", a, id, err)
	}
	return Decode[S](doc)
}

// Decode reads the state in a document.
func Decode[S any](doc projection.Document) (*S, error) {
	var state S
	if err := json.Unmarshal(doc.Body, &state); err != nil {
		return nil, fmt.Errorf("decode %s %s: %w", doc.Kind, doc.ID, err)
	}
	return &state, nil
}

// List reads a part of a list of states.
func List[S any](ctx context.Context, docs projection.Store, a contract.Aggregate, key, value string, p projection.Page) ([]*S, string, error) {
	found, next, err := docs.List(ctx, string(a), key, value, p)
	if err != nil {
		return nil, "", fmt.Errorf("list %s: %w", a, err)
	}
	states := make([]*S, 0, len(found))
	for _, doc := range found {
		state, err := Decode[S](doc)
		if err != nil {
			return nil, "", err
		}
		states = append(states, state)
	}
	return states, next, nil
}

// MaxCount is how many states are read to be looked through on one page.
const MaxCount = 1000
