package topology_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
)

func contextWithTimeout(t *testing.T) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), 500*time.Millisecond)
}

func commit(t *testing.T, b *bus.Bus, id string) {
	t.Helper()
	if err := commitData(t, b, id, json.RawMessage(`{"state":{}}`)); err != nil {
		t.Fatal(err)
	}
}

func commitData(t *testing.T, b *bus.Bus, id string, data json.RawMessage) error {
	t.Helper()
	_, err := b.Append(t.Context(), contract.Event{
		ID: id, Aggregate: contract.QuoteAggregate, AggregateID: id, Name: quotes.EventPriced, Version: 1, At: time.Now(), Data: data,
	}, 0)
	return err
}

func collect(into map[string]bool) func([]contract.Event) error {
	locked := make(chan struct{}, 1) // parts are read at the same time
	return func(events []contract.Event) error {
		locked <- struct{}{}
		defer func() { <-locked }()
		for _, e := range events {
			into[e.AggregateID] = true
		}
		return nil
	}
}
