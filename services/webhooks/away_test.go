package webhooks

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/webhooks"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

// TestReceiverIsAwayForAnHour: all that happened meanwhile comes once the receiver is back, once, and each
// object's in its order; also of more objects than may wait at once. Attempts are due by the service's own
// clock, which the test moves on by an hour in steps.
func TestReceiverIsAwayForAnHour(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r, live := w.receive(), w.start()
	id := w.create(r.URL)
	before := w.tell(owner, "o0")
	r.awaitTaken(t, 1)
	away := func(out http.ResponseWriter, _ *http.Request, _ feed.Event) { out.WriteHeader(http.StatusBadGateway) }
	r.set(away)
	settled := func() (n int) { // how many attempts were made, once all are over
		bustest.WaitFor(t, "attempts to be over", func() bool {
			attempts, _ := r.deliveries()
			n = len(attempts)
			return n == int(testutil.ToFloat64(live.measures.attempts.WithLabelValues("failed"))+testutil.ToFloat64(live.measures.attempts.WithLabelValues("delivered")))
		})
		return n
	}
	want := []string{before.ID}
	const steps, objects = 6, webhooks.Window + 20
	for step := range steps {
		for i := range objects {
			if i%steps == step || i < 3 { // all happen, some again and again
				want = append(want, w.tell(owner, fmt.Sprint("o", i)).ID)
			}
		}
		n := settled()
		w.advance(time.Hour/steps, live)
		bustest.WaitFor(t, "an attempt in vain to be over", func() bool { return settled() > n })
	}
	if _, taken := r.deliveries(); len(taken) != 1 {
		t.Fatalf("%d deliveries were taken while the receiver was away, want that of before alone", len(taken))
	}
	r.set(nil)
	w.advance(30*time.Minute, live)
	taken := r.awaitTaken(t, len(want))
	checkOrder(t, taken)
	var got []string
	for _, e := range taken {
		got = append(got, e.ID)
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("taken %d events, want %d, each once:\n%q\n%q", len(got), len(want), got, want)
	}
	bustest.WaitFor(t, "nothing to wait any more", func() bool { p := w.progress(id); return len(p.Lanes) == 0 && p.FailingSince == nil })
}
