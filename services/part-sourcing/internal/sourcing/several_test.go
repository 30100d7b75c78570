package sourcing_test

import (
	"testing"
	"time"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/sourcing"
	"boardorder/services/part-sourcing/internal/testparts"
	"boardorder/services/part-sourcing/internal/verdict"
)

// TestFirstOfSeveral: everybody is asked for the first number of a cell before another of
// them that the fabricator has is taken.
func TestFirstOfSeveral(t *testing.T) {
	t.Parallel()
	e := lookup.NewShared(lookup.NewMemory(100, nil), nil, nil, testparts.Supplies(time.Now, "fab", "distributor_a", "distributor_b", "aggregator")...)
	t.Cleanup(e.Close)
	s := sourcing.Sourcer{Engine: e, Rounds: [][]string{{"fab"}, {"distributor_a", "distributor_b"}, {"aggregator"}}}
	for _, tt := range []struct {
		first, second string
		fab, complete verdict.Verdict
		bought        string
	}{
		{testparts.Distributor, testparts.Stocked, verdict.Checking, verdict.OK, testparts.Distributor},
		{testparts.Stocked, testparts.Distributor, verdict.OK, verdict.OK, testparts.Stocked},
		{testparts.Unknown, testparts.Stocked, verdict.Checking, verdict.Check, testparts.Stocked},
		{testparts.NoStock, testparts.Stocked, verdict.Checking, verdict.Check, testparts.Stocked},
	} {
		r := request(t, 5, bom.List{Lines: []bom.Line{{Refs: []string{"U1"}, Quantity: 1, MPN: tt.first, Alternates: []bom.Part{{MPN: tt.second}}, Joined: []string{tt.first, tt.second}}}})
		if p := s.Fab(t.Context(), r).Parts[0]; p.Verdict != tt.fab {
			t.Errorf("%s/%s: at the fabricator %s %s, want %s", tt.first, tt.second, p.Verdict, p.Why, tt.fab)
		}
		if p := s.Complete(t.Context(), r).Parts[0]; p.Verdict != tt.complete || p.MPN != tt.bought || p.Similar != nil {
			t.Errorf("%s/%s: %s %s %s, want %s %s", tt.first, tt.second, p.Verdict, p.MPN, p.Why, tt.complete, tt.bought)
		}
	}
}
