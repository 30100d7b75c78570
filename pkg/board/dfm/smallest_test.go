package dfm_test

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/pcb"
)

// TestOfferEmptyLayers: how many inner layers carry nothing is a fact of the board, and no
// length.
func TestOfferEmptyLayers(t *testing.T) {
	t.Parallel()
	var f pcb.Facts
	r := dfm.Report{Measures: []dfm.Measure{{Check: dfm.LayerEmpty, Inner: true, Mild: true, Place: dfm.Place{Value: 14}}}}
	if r.Offer(&f); f.EmptyInner.Value != 14 || f.MinTrack.Known || f.MinGap.Known || f.MinRing.Known {
		t.Errorf("Offer of 14 empty inner layers = %+v, want EmptyInner 14 and no smallest track, gap or ring", f)
	}
}
