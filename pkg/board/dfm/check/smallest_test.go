package check

import (
	"context"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

func TestSmallest(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.AddVia("A", 5000, 5000, 600, 300)
	k.AddVia("B", 9000, 7400, 700, 300)
	k.Track("A", 5000, 5000, 5000, 9000, 220)
	k.Track("B", 9000, 7400, 5350, 7400, 250)
	r, err := Run(context.Background(), k.Board, dfm.Options{}.WithSmallest(2))
	if err != nil {
		t.Fatal(err)
	}
	r.Offer(&k.Facts)
	for name, got := range map[string][2]int64{
		"track": {k.Facts.MinTrack.Value, 220_000},
		"gap":   {k.Facts.MinGap.Value, 115_000},
		"ring":  {k.Facts.MinRing.Value, 150_000},
	} {
		if got[0] != got[1] {
			t.Errorf("smallest %s %d, want %d", name, got[0], got[1])
		}
	}
}

// TestWhatNoPriceAsksForIsNotLookedFor: how wide copper is matters up to the widest track
// and gap that any fabricator asks for.
func TestWhatNoPriceAsksForIsNotLookedFor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		layers                   int
		width, gap, track, clear int64
	}{
		{layers: 2, width: 310, gap: 310, track: 310_000, clear: 310_000},
		{layers: 2, width: 330, gap: 330},
		{layers: 4, width: 190, gap: 190, track: 190_000, clear: 190_000},
		{layers: 4, width: 210, gap: 210},
	} {
		k := kit.New()
		for i := range tt.layers - 2 {
			in := artwork.NewSheet("inner", "inner.gbr", pcb.RoleCopper, pcb.Inner)
			in.Layer.Order, k.Bottom.Layer.Order = i+2, i+3
			k.Layers = append(k.Layers, in.Layer)
		}
		k.Track("A", 5000, 5000, 9000, 5000, tt.width)
		k.Track("B", 5000, 5000+tt.width+tt.gap, 9000, 5000+tt.width+tt.gap, tt.width)
		r, err := Inspect(context.Background(), k.Board, dfm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Faults) > 0 || k.Facts.MinTrack.Value != tt.track || k.Facts.MinGap.Value != tt.clear {
			t.Errorf("%d layers, tracks of %d µm, %d µm apart: %d and %d nm, want %d and %d; faults %v", tt.layers, tt.width, tt.gap, k.Facts.MinTrack.Value, k.Facts.MinGap.Value, tt.track, tt.clear, r.Faults)
		}
	}
}
