package simulation

import (
	"fmt"
	"hash/fnv"
	"testing"

	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// A seed that found something must find it again.
func TestASeedRepeats(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		once, again := history(t, seed+1), history(t, seed+1)
		if once != again {
			t.Errorf("seed %d: two runs differ", seed+1)
		}
	}
}

// history sums up all that was stored, in order, and when. Ids of events are left
// out, and requests are numbered as they appear: an id that must be unique is drawn
// by the service itself, and others are derived from it.
func history(t *testing.T, seed uint64) uint64 {
	t.Helper()
	w, delivered, err := live(seed)
	if err != nil {
		t.Fatal(err)
	}
	sum := fnv.New64a()
	fmt.Fprintln(sum, delivered, w.Crashes())
	requests := map[string]int{}
	for _, a := range contract.Aggregates() {
		for _, e := range w.Events(a) {
			if _, known := requests[e.Operation]; !known {
				requests[e.Operation] = len(requests)
			}
			fmt.Fprintln(sum, e.Aggregate, e.AggregateID, e.Name, e.Version, e.StoredAt, requests[e.Operation])
		}
	}
	return sum.Sum64()
}

// The checks must be able to fail: a world whose events are changed is wrong.
func TestTheChecksFindWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(w *world){
		"what a user may not do":      func(w *world) { w.Violations["pricing: evt.order.0.x"] = true },
		"a dead letter":               func(w *world) { w.Dead = append(w.Dead, simbus.Dead{}) },
		"a request without outcome":   func(w *world) { w.requests["req_lost"] = quotes.Price },
		"an outcome without request":  func(w *world) { clear(w.requests) },
		"a charge without order":      func(w *world) { w.cards.payments = append(w.cards.payments, &card.Payment{ID: "pi_theirs", Cents: 1}) },
		"an order at the fabricator":  func(w *world) { w.fab.orders["theirs"] = nil },
		"a file of an upload is left": func(w *world) { w.blobs.kept[uploads.Prefix+"u/f"] = kept{} },
	} {
		w, _, err := live(3)
		if err != nil {
			t.Fatal(err)
		}
		if spoil(w); w.check() == nil {
			t.Errorf("%s is not found", name)
		}
	}
}

// A file goes after its recorded decision only.
func TestADeletionWithoutDecisionIsFound(t *testing.T) {
	t.Parallel()
	w, err := newWorld(1, simbus.Faults{})
	if err != nil {
		t.Fatal(err)
	}
	w.upload()
	for key := range w.blobs.kept { // staged, not taken in
		if err := w.blobs.Delete(t.Context(), key); err != nil || len(w.blobs.wrong) != 1 {
			t.Errorf("delete %s: %v, found wrong: %v, want no error, one", key, err, w.blobs.wrong)
		}
	}
	w, err = newWorld(1, simbus.Faults{})
	if err != nil {
		t.Fatal(err)
	}
	w.upload()
	w.Run(w.Now().Add(1000))
	w.Run(w.Now().Add(1e9))
	n := len(w.blobs.kept)
	for key := range w.blobs.kept { // of an open upload, and of a board that is known
		if err := w.blobs.Delete(t.Context(), key); err != nil {
			t.Error(err)
		}
	}
	if n < 2 || len(w.blobs.wrong) != n {
		t.Errorf("of %d files %d deletions were found wrong: %v; want 2 files at least, all found", n, len(w.blobs.wrong), w.blobs.wrong)
	}
}

// Services are held to the permissions that they have at the broker.
func TestServicesPublishWhatTheyMay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		service, subject string
		want             bool
	}{
		{"pricing", contract.EventSubject(contract.QuoteAggregate, "x"), true},
		{"pricing", contract.EventSubject(contract.OrderAggregate, "x"), false},
		{"pricing", contract.CommandSubject(boards.Read, "x"), true},
		{"design-check", contract.CommandSubject(quotes.Price, "x"), false},
		{"payment", contract.TimerSubject(contract.CheckoutAggregate, "x", "settle"), true},
		{"payment", contract.TimerSubject(contract.QuoteAggregate, "x", "settle"), false},
		{"upload", "$JS.API.STREAM.MSG.GET." + contract.EventStream(contract.UploadAggregate), true},
		{"upload", "$JS.API.STREAM.MSG.GET." + contract.EventStream(contract.OrderAggregate), false},
	} {
		if got := mayPublish(tt.service, tt.subject); got != tt.want {
			t.Errorf("mayPublish(%s, %s) = %t, want %t", tt.service, tt.subject, got, tt.want)
		}
	}
}
