package feed_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	feedcontract "boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
)

// put stores a version of an aggregate after the one at a sequence.
func put(t *testing.T, b *bus.Bus, a contract.Aggregate, id string, name contract.EventName, version, after uint64, state any) contract.Event {
	t.Helper()
	data, err := json.Marshal(map[string]any{"state": state})
	if err != nil {
		t.Fatal(err)
	}
	e := contract.Event{ID: contract.NewID("e", time.Now()), Aggregate: a, AggregateID: id, Name: name, Version: version, Account: owner, At: begin, Data: data}
	if e.Seq, err = b.Append(t.Context(), e, after); err != nil {
		t.Fatal(err)
	}
	return e
}

func aQuote(expires time.Time) quotes.Quote {
	return quotes.Quote{Ref: "q1", Account: owner, RequestID: "req_1", Status: quotes.Ready, ExpiresAt: expires}
}

// TestExpiry: what becomes of a quote whose event comes at a time after it was priced, by what
// else there is: told, asked about again, or never.
func TestExpiry(t *testing.T) {
	t.Parallel()
	week := 7 * 24 * time.Hour
	checkout := func(s checkouts.Status) func(*testing.T, *bus.Bus, uint64) {
		return func(t *testing.T, b *bus.Bus, _ uint64) {
			put(t, b, contract.CheckoutAggregate, "q1", checkouts.EventBegun, 1, 0, checkouts.Checkout{Quote: "q1", Status: s})
		}
	}
	for name, tt := range map[string]struct {
		at    time.Duration
		with  func(*testing.T, *bus.Bus, uint64)
		again time.Duration
		told  []uint64
	}{
		"just priced":            {at: 0, again: week + time.Minute},
		"a moment before":        {at: week + time.Minute - time.Second, again: time.Second},
		"its time is over":       {at: week + time.Minute, told: []uint64{11, 19}},
		"weeks later":            {at: 6 * week},
		"a payment ended":        {at: week + time.Hour, with: checkout(checkouts.Closed), told: []uint64{11, 19}},
		"a payment is open":      {at: week + time.Hour, with: checkout(checkouts.Open), again: time.Hour},
		"paid, and no order yet": {at: week + time.Hour, with: checkout(checkouts.Paid), again: time.Hour},
		"paid": {at: week + time.Hour, with: func(t *testing.T, b *bus.Bus, _ uint64) {
			put(t, b, contract.OrderAggregate, "q1", orders.EventPaid, 1, 0, orders.Order{ID: "ord_1", Account: owner, Quote: "q1", Status: orders.Paid})
		}},
		"a request was refused later": {at: week + time.Hour, told: []uint64{11, 19}, with: func(t *testing.T, b *bus.Bus, after uint64) {
			first := put(t, b, contract.QuoteAggregate, "q1", contract.RequestRefused, 2, after, aQuote(begin.Add(week)))
			expiry, err := feedcontract.DeriveExpiry(first)
			if err != nil {
				t.Fatal(err)
			}
			before := *expiry
			before.Sequence, before.ID = 19, feedcontract.IDOf(expiry.Key, 19)
			priced := before
			priced.Type, priced.Sequence, priced.ID = feedcontract.QuotePriced, 11, feedcontract.IDOf(expiry.Key, 11)
			seq, err := b.PublishPublic(t.Context(), priced, 0)
			if err == nil {
				before.Previous = 11
				_, err = b.PublishPublic(t.Context(), before, seq)
			}
			if err != nil {
				t.Fatal(err)
			}
			if again, err := newService(b, begin.Add(week+time.Hour)).HandleExpiries(t.Context(), []contract.Event{first}); err != nil || again[0] != 0 {
				t.Errorf("the refusal's own delivery: %v, %v", again, err)
			}
		}},
		"priced again": {at: week + time.Hour, with: func(t *testing.T, b *bus.Bus, after uint64) {
			put(t, b, contract.QuoteAggregate, "q1", quotes.EventReviewPriced, 2, after, aQuote(begin.Add(4*week)))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := bustest.Start(t)
			e := put(t, b, contract.QuoteAggregate, "q1", quotes.EventPriced, 1, 0, aQuote(begin.Add(week)))
			if tt.with != nil {
				tt.with(t, b, e.Seq)
			}
			service := newService(b, begin.Add(tt.at))
			for range 2 { // it comes again, and changes nothing
				again, err := service.HandleExpiries(t.Context(), []contract.Event{e})
				if err != nil || len(again) != 1 || again[0] != tt.again {
					t.Errorf("HandleExpiries at %s: %v, %v; want %s", tt.at, again, err, tt.again)
				}
			}
			var told []uint64
			previous := uint64(0)
			for _, p := range readPublished(t, b, feedcontract.KeyOf(contract.QuoteAggregate, "q1")) {
				if told = append(told, p.Sequence); p.Previous != previous {
					t.Errorf("%s has the sequence %d before it, want %d", p.Type, p.Previous, previous)
				}
				previous = p.Sequence
			}
			if len(told) != len(tt.told) || len(told) > 0 && told[1] != tt.told[1] {
				t.Errorf("told %v, want %v: what was not told of the price comes first", told, tt.told)
			}
		})
	}
}

// TestExpiryThroughTheBroker: the broker keeps an event until its time, also for another process,
// and several tell of it once.
func TestExpiryThroughTheBroker(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	put(t, b, contract.QuoteAggregate, "q1", quotes.EventPriced, 1, 0, aQuote(time.Now().Add(1500*time.Millisecond-time.Minute)))
	for range 2 {
		bustest.Go(t, func(ctx context.Context) error {
			return b.FollowAgain(ctx, feedcontract.ExpiryConsumer, contract.QuoteAggregate, newRunningService(b).HandleExpiries)
		})
	}
	key := feedcontract.KeyOf(contract.QuoteAggregate, "q1")
	var last feedcontract.Entry
	bustest.WaitFor(t, "the quote to be told of as expired", func() bool {
		var err error
		last, err = b.LatestPublic(t.Context(), owner, key)
		if err != nil && !errors.Is(err, aggregate.ErrNone) {
			t.Fatal(err)
		}
		return err == nil && last.Type == feedcontract.QuoteExpired
	})
	if last.Stored.Before(last.Timestamp.Add(time.Minute)) || last.Previous != 11 {
		t.Errorf("told at %s of what expired at %s, after %d; want a minute later, after 11", last.Stored, last.Timestamp, last.Previous)
	}
}
