package simulation

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	feedcontract "boardorder/pkg/contract/feed"
	"boardorder/pkg/flow"
	"boardorder/services/feed"

	"go.uber.org/zap"
)

// deliverEvent stands for the consumer by which the feed gets a stored event.
var deliverEvent = contract.CommandName{Service: "feed", Verb: "event"}

var errNotOver = errors.New("the quote can be paid still")

// followEvents has each stored event handed to the feed.
func (w *world) followEvents() {
	w.Follow = func(e contract.Event) (contract.Command, bool) {
		if !feedcontract.MayDerive(e) && e.Aggregate != contract.QuoteAggregate {
			return contract.Command{}, false
		}
		data, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		return contract.Command{ID: "feed-" + e.ID + "-" + fmt.Sprint(e.Seq), Name: deliverEvent, At: w.Now(), Data: data}, true
	}
}

// feedHandlers is a process of the feed.
func (w *world) feedHandlers() flow.Handlers {
	s := feed.New(feed.Config{}, w.Sim, zap.NewNop(), w.Now)
	return flow.Handlers{deliverEvent: func(ctx context.Context, c contract.Command) error {
		e, err := flow.Decode[contract.Event](c)
		if err != nil {
			return err
		}
		if err := s.HandleEvents(ctx, []contract.Event{e}); err != nil || e.Aggregate != contract.QuoteAggregate {
			return err
		}
		again, err := s.HandleExpiries(ctx, []contract.Event{e})
		if err == nil && again[0] > 0 {
			return flow.Snooze(again[0], errNotOver)
		}
		return err
	}}
}

// noteExpiry notes that a quote may be told of as expired with its version e, and has to be if
// it is the last one, nobody has paid or may pay yet, and there was time for it.
func (w *world) noteExpiry(e contract.Event, expiry feedcontract.Entry, want map[string]feedcontract.Entry, purged map[string]bool, gone bool) {
	last, ok := w.LatestEvent(e.Aggregate, e.AggregateID)
	_, paid := w.LatestEvent(contract.OrderAggregate, e.AggregateID)
	if paid || w.Now().Before(expiry.Timestamp) {
		return
	}
	checkout, err := state[checkouts.Checkout](w, contract.CheckoutAggregate, e.AggregateID)
	paying := err == nil && checkout.Status != "" && checkout.Status != checkouts.Closed
	want[expiry.ID] = expiry
	purged[expiry.ID] = gone || !ok || last.Version != e.Version || paying || w.isToldExpired(expiry) || w.Now().Before(expiry.Timestamp.Add(2*time.Hour))
}

// isToldExpired tells whether a quote was told of as expired, with whichever version.
func (w *world) isToldExpired(expiry feedcontract.Entry) bool {
	return slices.ContainsFunc(w.Public(), func(e feedcontract.Entry) bool {
		return e.Type == expiry.Type && e.Key == expiry.Key && e.Timestamp.Equal(expiry.Timestamp)
	})
}

// checkFeed: what follows from each stored event was told once, in order within its object, each
// naming the one before, and nothing else was. What an erasure removed may have gone untold.
func (w *world) checkFeed() error {
	want := map[string]feedcontract.Entry{}
	purged := map[string]bool{}
	add := func(e contract.Event, gone bool) error {
		derived, err := feedcontract.Derive(e)
		for _, d := range derived {
			want[d.ID], purged[d.ID] = d, gone
		}
		if err != nil || e.Aggregate != contract.QuoteAggregate {
			return err
		}
		expiry, err := feedcontract.DeriveExpiry(e)
		if expiry != nil {
			w.noteExpiry(e, *expiry, want, purged, gone)
		}
		return err
	}
	for _, a := range contract.Aggregates() {
		for _, e := range w.Events(a) {
			if err := add(e, false); err != nil {
				return err
			}
		}
	}
	for _, e := range w.Purges() {
		if err := add(e, true); err != nil {
			return err
		}
	}
	last, expired := map[string]uint64{}, map[string]bool{}
	for _, e := range w.Public() {
		derived, ok := want[e.ID]
		if !ok {
			return fmt.Errorf("the feed told of %s (%s), which follows from nothing or came twice", e.ID, e.Type)
		}
		object := feedcontract.SubjectOf(e.Owner, e.Key)
		if e.Previous != last[object] || e.Sequence <= last[object] {
			return fmt.Errorf("the feed told of %s (%s) with sequence %d after %d, and %d came before", e.ID, e.Type, e.Sequence, e.Previous, last[object])
		}
		if e.Type != derived.Type || e.Owner != derived.Owner || e.Sequence != derived.Sequence {
			return fmt.Errorf("the feed told of %s as %s, and it is %s", e.ID, e.Type, derived.Type)
		}
		last[object] = e.Sequence
		if e.Type == feedcontract.QuoteExpired {
			at := object + e.Timestamp.String()
			if expired[at] {
				return fmt.Errorf("the feed told twice that %s has expired", e.ID)
			}
			expired[at] = true
		}
		delete(want, e.ID)
	}
	var missing []string
	for id, d := range want {
		if !purged[id] {
			missing = append(missing, fmt.Sprint(id, " ", d.Type))
		}
	}
	slices.SortFunc(missing, cmp.Compare[string])
	if len(missing) > 0 {
		return fmt.Errorf("the feed did not tell of %d events, the first %s", len(missing), missing[0])
	}
	return nil
}
