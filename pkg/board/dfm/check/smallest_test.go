package check

import (
	"context"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
)

func TestSmallest(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.Via("A", 5000, 5000, 600, 300)
	k.Via("B", 9000, 7400, 700, 300)
	k.Track("A", 5000, 5000, 5000, 9000, 220)
	k.Track("B", 9000, 7400, 5350, 7400, 250)
	r, err := Run(context.Background(), k.Board, dfm.Options{}.WithSmallest())
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
