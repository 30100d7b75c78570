package simulation

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"boardorder/pkg/contract"
	feedcontract "boardorder/pkg/contract/feed"
	"boardorder/pkg/flow"
	"boardorder/services/feed"

	"go.uber.org/zap"
)

// deliverEvent stands for the consumer by which the feed gets a stored event.
var deliverEvent = contract.CommandName{Service: "feed", Verb: "event"}

// followEvents has each stored event handed to the feed.
func (w *world) followEvents() {
	w.Follow = func(e contract.Event) (contract.Command, bool) {
		if !feedcontract.MayDerive(e) {
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
		return s.HandleEvents(ctx, []contract.Event{e})
	}}
}

// checkFeed: what follows from each stored event was told once, in order within its object, each
// naming the one before, and nothing else was. What an erasure removed may have gone untold.
func (w *world) checkFeed() error {
	want := map[string]feedcontract.Entry{}
	purged := map[string]bool{}
	add := func(e contract.Event, gone bool) error {
		d, err := feedcontract.Derive(e)
		if err != nil || d == nil {
			return err
		}
		want[d.ID], purged[d.ID] = *d, gone
		return nil
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
	last := map[string]uint64{}
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
