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

// TestOfferSmallest: of several measures the smallest is the board's, whatever the order; what the
// files state themselves goes before it.
func TestOfferSmallest(t *testing.T) {
	t.Parallel()
	measure := func(n dfm.Name, v int64) dfm.Measure { return dfm.Measure{Check: n, Place: dfm.Place{Value: v}} }
	for _, c := range []struct {
		name             string
		measures         []dfm.Measure
		track, gap, ring int64
	}{
		{"a track", []dfm.Measure{measure(dfm.TrackWidth, 100)}, 100, 0, 0},
		{"the smaller last", []dfm.Measure{measure(dfm.TrackWidth, 100), measure(dfm.TrackWidth, 90)}, 90, 0, 0},
		{"the smaller first", []dfm.Measure{measure(dfm.TrackWidth, 90), measure(dfm.TrackWidth, 100)}, 90, 0, 0},
		{"gaps of tracks and of pads", []dfm.Measure{measure(dfm.TrackClearance, 80), measure(dfm.PadClearance, 70)}, 0, 70, 0},
		{"rings of both kinds", []dfm.Measure{measure(dfm.ViaRing, 60), measure(dfm.AnnularRing, 65)}, 0, 0, 60},
		{"other measures", []dfm.Measure{measure(dfm.HoleToHole, 50)}, 0, 0, 0},
	} {
		var f pcb.Facts
		r := dfm.Report{Measures: c.measures}
		r.Offer(&f)
		if f.MinTrack.Value != c.track || f.MinGap.Value != c.gap || f.MinRing.Value != c.ring {
			t.Errorf("%s: Offer of %+v gives track %d, gap %d, ring %d; want %d, %d, %d", c.name, c.measures, f.MinTrack.Value, f.MinGap.Value, f.MinRing.Value, c.track, c.gap, c.ring)
		}
	}
}

// TestWithSmallest: what is asked for as well, and how far is looked.
func TestWithSmallest(t *testing.T) {
	t.Parallel()
	only := make([]dfm.Name, 1, 9)
	only[0] = dfm.Short
	for layers, want := range map[int]int64{1: 320_000, 2: 320_000, 3: 200_000, 16: 200_000} {
		o := dfm.Options{Only: only}.WithSmallest(layers)
		if got := o.Reach[dfm.TrackWidth]; got != want || !o.Asks(dfm.Short) || !o.Asks(dfm.AnnularRing) || o.Asks(dfm.DrillSize) {
			t.Errorf("with %d layers it is looked as far as %d nm for %v, want %d for short, and the smallest track, gap and ring", layers, got, o.Only, want)
		}
	}
	if got := only[:2][1]; got != "" {
		t.Errorf("the caller's list goes on with %q, want it left alone", got)
	}
	if !(dfm.Options{}).Asks(dfm.DrillSize) {
		t.Error("options without a choice do not ask for drill_size, want all")
	}
}
