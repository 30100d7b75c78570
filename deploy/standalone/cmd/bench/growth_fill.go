package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// fillers is how many publish at once: as many as the broker takes in one batch.
const fillers = 256

// fill stores n quotes as pricing does, each with a request, without anybody being asked
// for a price. The program projects them.
func (s *system) fill(ctx context.Context, n int) error {
	made, err := newQuoteMaker()
	if err != nil {
		return err
	}
	b, err := bus.Connect(ctx, bus.Config{URL: s.NATSURL, Name: "bench", Log: zap.NewNop()})
	if err != nil {
		return err
	}
	defer b.Close()
	if err := b.Verify(ctx); err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	group, ctx := errgroup.WithContext(ctx)
	events := make(chan contract.Event, fillers)
	group.Go(func() error {
		defer close(events)
		for range n {
			e, err := made.event()
			if err != nil {
				return err
			}
			select {
			case events <- e:
			case <-ctx.Done():
				return nil // a filler says why
			}
		}
		return nil
	})
	for range fillers {
		group.Go(func() error {
			for e := range events {
				if err := store(ctx, b, e); err != nil {
					return fmt.Errorf("fill: %w", err)
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// store stores an event, and a request that nobody takes: pricing would price it again.
func store(ctx context.Context, b *bus.Bus, e contract.Event) error {
	request := contract.Command{
		ID: e.Cause, Name: contract.CommandName{Service: "bench", Verb: "fill"}, Request: e.Operation, Account: e.Account, At: e.At, Data: sample[:requestBytes/2],
	}
	if err := b.Claim(ctx, bus.Claim{Key: e.AggregateID, Command: request}); err != nil {
		return err
	}
	_, err := b.Append(ctx, e, 0)
	return err
}

// A quoteMaker makes quotes as pricing commits them, each with names of its own.
type quoteMaker struct {
	state map[string]json.RawMessage
	n     int
}

func newQuoteMaker() (*quoteMaker, error) {
	f := &quoteMaker{}
	return f, json.Unmarshal(sample, &f.state)
}

// event is the next quote.
func (f *quoteMaker) event() (contract.Event, error) {
	f.n++
	request, at := fmt.Sprintf("req_%026d", f.n), time.Now()
	e := contract.Event{
		ID: contract.DeriveID("event", request), Aggregate: contract.QuoteAggregate, AggregateID: contract.DeriveID("filled", request), Name: quotes.EventPriced,
		Format: contract.FormatOf(contract.QuoteAggregate), Version: 1, Account: fmt.Sprint("acc_", f.n%50), Operation: request, Cause: contract.DeriveID("command", request), At: at,
	}
	for name, value := range map[string]any{
		"ref": e.AggregateID, "account": e.Account, "request": request, "created_at": at, "expires_at": at.Add(7 * contract.Day),
	} {
		text, err := json.Marshal(value)
		if err != nil {
			return e, err
		}
		f.state[name] = text
	}
	var err error
	e.Data, err = json.Marshal(contract.Body[map[string]json.RawMessage]{State: f.state, Applied: []string{e.Cause}})
	return e, err
}
