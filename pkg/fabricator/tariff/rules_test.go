package tariff

import (
	"testing"

	"boardorder/pkg/fabricator"

	"github.com/shopspring/decimal"
)

// TestSpans: a span holds from above its lower end up to and with its upper one; what was not
// measured meets no span that is set.
func TestSpans(t *testing.T) {
	t.Parallel()
	two, four := 2.0, 4.0
	for rule, tt := range map[string]struct {
		span            span
		v               float64
		holds, measured bool
	}{
		"no span": {span{}, 3, true, true}, "no span, not measured": {span{}, 0, true, true}, "at the lower end": {span{Over: &two}, 2, false, false}, "above it": {span{Over: &two}, 2.0001, true, true}, "at the upper end": {span{To: &four}, 4, true, true},
		"beyond it": {span{To: &four}, 4.0001, false, false}, "between": {span{&two, &four}, 3, true, true}, "not measured": {span{To: &four}, 0, true, false},
	} {
		if holds, measured := tt.span.holds(tt.v), holdsMeasured(tt.span, tt.v); holds != tt.holds || measured != tt.measured {
			t.Errorf("%s: %v holds %t, measured %t; want %t, %t", rule, tt.v, holds, measured, tt.holds, tt.measured)
		}
	}
	for want, s := range map[float64]fabricator.Spec{0: {}, 0.1: {MinTrack: 100_000}, 0.2: {MinSpace: 200_000}, 0.15: {MinTrack: 150_000, MinSpace: 300_000}} {
		if got := finest(s); got != want {
			t.Errorf("the finest of %d and %d nm is %v mm, want %v", s.MinTrack, s.MinSpace, got, want)
		}
	}
}

// TestZoneCosts: a parcel costs what the first break that holds it says, and each kilogram begun
// beyond the last one more.
func TestZoneCosts(t *testing.T) {
	t.Parallel()
	price := func(n int64) amount { return amount{decimal.NewFromInt(n)} }
	z := zone{Breaks: []weightBreak{{500, price(95)}, {1000, price(120)}}, PerExtraKg: price(30)}
	for grams, want := range map[int64]int64{1: 95, 500: 95, 501: 120, 1000: 120, 1001: 150, 2000: 150, 2001: 180, 11_000: 420} {
		if got := z.cost(grams); !got.Equal(decimal.NewFromInt(want)) {
			t.Errorf("%d g cost %s, want %d", grams, got, want)
		}
	}
	for v, want := range map[any]int{3: 3, "4": 4, 2.0: 2, "x": 0, nil: 0, true: 0} {
		if got := whole(v); got != want {
			t.Errorf("the whole number of %v is %d, want %d", v, got, want)
		}
	}
	for n, want := range map[int]string{1: "1 working day", 2: "2 working days"} {
		if got := daysOf(n); got != want {
			t.Errorf("%d days are written %q, want %q", n, got, want)
		}
	}
}
