package sourcing_test

import (
	"testing"
	"time"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/sourcing"
	"boardorder/services/part-sourcing/internal/testparts"
	"boardorder/services/part-sourcing/internal/verdict"
)

// TestFirstOfSeveral: everybody is asked for the first number of a cell before another of
// them that the fabricator has is taken.
func TestFirstOfSeveral(t *testing.T) {
	t.Parallel()
	e := lookup.NewShared(lookup.NewMemory(100, nil), nil, nil, testparts.Supplies(time.Now, false, "fab", map[string]part.Scheme{"distributor_a": part.DigiKey, "distributor_b": part.Mouser}, "aggregator")...)
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

// TestOddPlaces: a resistor at a test point is looked at; one with a number, or at a place
// of its own, is not.
func TestOddPlaces(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line  bom.Line
		doubt bool
	}{
		{bom.Line{Refs: []string{"TP1"}, Value: "10k", Footprint: "R_0603_1608Metric"}, true},
		{bom.Line{Refs: []string{"FID1"}, Value: "100nF 50V", Footprint: "C_0603_1608Metric"}, true},
		{bom.Line{Refs: []string{"R1"}, Value: "10k", Footprint: "R_0603_1608Metric"}, false},
		{bom.Line{Refs: []string{"TP1"}, Value: "10k", Footprint: "R_0603_1608Metric", MPN: "RC0603FR-0710KL"}, false},
	} {
		tt.line.Quantity = 1
		if r := request(t, 5, bom.List{Lines: []bom.Line{tt.line}}); len(r.Lines) != 1 || (len(r.Lines[0].Doubts) > 0) != tt.doubt {
			t.Errorf("%+v: %+v, want one line, with doubts: %v", tt.line, r.Lines, tt.doubt)
		}
	}
}
