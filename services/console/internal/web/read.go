package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/plain"
)

// perPage is how many rows a list shows.
const perPage = 30

// get reads the state of one aggregate; nil when there is none.
func get[S any](ctx context.Context, docs projection.Store, a contract.Aggregate, id string) (*S, error) {
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
	return decode[S](doc)
}

func decode[S any](doc projection.Document) (*S, error) {
	var state S
	if err := json.Unmarshal(doc.Body, &state); err != nil {
		return nil, fmt.Errorf("decode %s %s: %w", doc.Kind, doc.ID, err)
	}
	return &state, nil
}

// list reads a part of a list of states.
func list[S any](ctx context.Context, docs projection.Store, a contract.Aggregate, key, value string, p projection.Page) ([]*S, string, error) {
	found, next, err := docs.List(ctx, string(a), key, value, p)
	if err != nil {
		return nil, "", fmt.Errorf("list %s: %w", a, err)
	}
	states := make([]*S, 0, len(found))
	for _, doc := range found {
		state, err := decode[S](doc)
		if err != nil {
			return nil, "", err
		}
		states = append(states, state)
	}
	return states, next, nil
}

// most is how far counting goes.
const most = 1000

// count counts up to most documents.
func count(ctx context.Context, docs projection.Store, a contract.Aggregate, key, value string) (int, error) {
	found, _, err := docs.List(ctx, string(a), key, value, projection.Page{Limit: most})
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", a, err)
	}
	return len(found), nil
}

// accountName is what people call an account; the id when it is not known.
func (c *call) accountName(owner string) string {
	if contract.IsTest(owner) {
		return c.accountName(contract.AccountOf(owner)) + " (test)"
	}
	id := owner
	if name, ok := c.names[id]; ok {
		return name
	}
	name := id
	if a, err := get[accounts.Account](c.r.Context(), c.s.Docs, contract.AccountAggregate, id); err == nil && a != nil && a.Name != "" {
		name = plain.Line(a.Name, 60)
	}
	if c.names == nil {
		c.names = map[string]string{}
	}
	c.names[id] = name
	return name
}
