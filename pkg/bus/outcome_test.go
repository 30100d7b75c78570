package bus

import (
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

// What is promised of quotes counts from the client's request: however long the
// last run took, what the request waited before is in it.
func TestOutcomesCountFromTheRequest(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	m := newMetrics(registry)
	requestedAt := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	request, err := contract.NewCommand(quotes.Price, "req_1", "acc_1", requestedAt, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.noteHandle(request.Name.String(), "done", 3*time.Millisecond)
	m.noteOutcome(request, requestedAt.Add(40*time.Second))
	next, err := request.Follow(boards.Read, "read", requestedAt, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.noteOutcome(next, requestedAt.Add(time.Hour)) // nobody's request
	if n := testutil.CollectAndCount(m.outcomes); n != 1 {
		t.Errorf("%d commands have outcomes, want only %s", n, request.Name)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != "boardorder_outcome_seconds" {
			continue
		}
		if h := f.GetMetric()[0].GetHistogram(); h.GetSampleCount() != 1 || h.GetSampleSum() != 40 {
			t.Errorf("%d outcomes after %v s together, want 1 after 40 s", h.GetSampleCount(), h.GetSampleSum())
		}
	}
}
