package outline

import (
	"math/rand/v2"
	"testing"

	"boardorder/pkg/board/geom"
)

// TestCorners holds found corners against looking at all of them.
func TestCorners(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	c := newCorners(4000)
	var all []geom.Point
	for range 4000 {
		near := geom.Pt(rng.Int64N(8)*cornerCell, rng.Int64N(8)*cornerCell) // where cells meet
		p := near.Add(geom.Pt(rng.Int64N(8*Touch)-4*Touch, rng.Int64N(8*Touch)-4*Touch))
		within := map[int32]bool{}
		for i, q := range all {
			if q.Dist(p) <= float64(Touch) {
				within[int32(i)] = true
			}
		}
		i, found := c.find(p)
		switch {
		case found != (len(within) > 0), found && !within[i]:
			t.Fatalf("corner of %v = %d, %v; want one of those within reach, %v", p, i, found, within)
		case !found && int(i) != len(all):
			t.Fatalf("new corner %d, want %d", i, len(all))
		case !found:
			all = append(all, p)
		}
	}
	if len(all) < 100 || len(all) == 4000 {
		t.Errorf("%d corners, want 100 at least and not each of 4000", len(all))
	}
}
