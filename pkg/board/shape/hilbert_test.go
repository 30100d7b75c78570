package shape

import (
	"math/rand/v2"
	"slices"
	"testing"

	"boardorder/pkg/board/geom"
)

// The curve passes every square of a grid once, and goes from each to one beside it.
func TestHilbertGoesFromSquareToSquare(t *testing.T) {
	t.Parallel()
	const side = 64
	all := geom.Box{Max: pt(1<<curveBits-1, 1<<curveBits-1)}
	square := int64(1<<curveBits) / side
	at := map[uint64]geom.Point{}
	for x := range int64(side) {
		for y := range int64(side) {
			at[hilbert(all, pt(x*square+square/2, y*square+square/2))/uint64(square*square)] = pt(x, y)
		}
	}
	for d := range uint64(side*side - 1) {
		p, ok := at[d]
		q, more := at[d+1]
		if !ok || !more || p.Dist(q) != 1 {
			t.Fatalf("square %d is %v (found %v), the next %v (found %v); want two neighbours", d, p, ok, q, more)
		}
	}
}

func TestSortKeys(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(31, 32))
	for _, n := range []int{0, 1, 100, 5000} {
		keys := make([]uint64, n)
		for i := range keys {
			keys[i] = r.Uint64N(1<<(2*curveBits))>>r.IntN(30)<<itemBits | uint64(i)
		}
		want := slices.Sorted(slices.Values(keys))
		if sortKeys(keys); !slices.Equal(keys, want) {
			t.Errorf("%d keys are not sorted", n)
		}
	}
}
