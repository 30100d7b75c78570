package worker

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// TestMetricsHaveThePrefix: one prefix keeps ours apart from other programs' metrics.
func TestMetricsHaveThePrefix(t *testing.T) {
	t.Parallel()
	r := prometheus.NewRegistry()
	newCounters(r).failures.WithLabelValues("memory").Inc() // a vector shows once it has a label
	families, err := r.Gather()
	if err != nil || len(families) != 3 {
		t.Fatalf("%d metrics, %v; want 3", len(families), err)
	}
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), "boardorder_worker_") {
			t.Errorf("%s has another prefix", f.GetName())
		}
	}
}
