package pads

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/services/part-sourcing/internal/placement"
)

const mm = geom.Millimetre

// TestReadings: where a point of a list lies in each reading: first the unit, then what grows the
// other way, then the offset.
func TestReadings(t *testing.T) {
	t.Parallel()
	at := geom.Pt(10*mm, 4*mm)
	for rule, tt := range map[string]struct {
		reading Reading
		want    geom.Point
		side    placement.Side // of a part that is listed on the top
	}{
		"as listed":                   {Reading{}, at, placement.Top},
		"on the other side":           {Reading{OtherSide: true}, at, placement.Bottom},
		"x to the left":               {Reading{MirrorX: true}, geom.Pt(-10*mm, 4*mm), placement.Top},
		"y downwards":                 {Reading{MirrorY: true}, geom.Pt(10*mm, -4*mm), placement.Top},
		"moved":                       {Reading{Offset: geom.Pt(mm, -mm)}, geom.Pt(11*mm, 3*mm), placement.Top},
		"mirrored, then moved":        {Reading{MirrorX: true, Offset: geom.Pt(60*mm, 0)}, geom.Pt(50*mm, 4*mm), placement.Top},
		"inches for millimetres":      {Reading{}.changeUnit(placement.Inch, placement.Millimetre), geom.Pt(254*mm, 1016*mm/10), placement.Top},
		"millimetres for inches":      {Reading{}.changeUnit(placement.Millimetre, placement.Inch), geom.Pt(393_701, 157_480), placement.Top},
		"mils for inches, mirrored":   {Reading{MirrorX: true}.changeUnit(placement.Mil, placement.Inch), geom.Pt(-10_000, 4_000), placement.Top},
		"all of it on the other side": {Reading{MirrorX: true, MirrorY: true, OtherSide: true, Offset: geom.Pt(1, 2)}, geom.Pt(-10*mm+1, -4*mm+2), placement.Bottom},
	} {
		got := tt.reading.Apply(placement.Part{Ref: "R1", At: at, Side: placement.Top, Rotation: 90})
		if got.At != tt.want || got.Side != tt.side || got.Ref != "R1" || got.Rotation != 90 {
			t.Errorf("%s: %v on the top is read as %v on the %s, want %v on the %s", rule, at, got.At, got.Side, tt.want, tt.side)
		}
		if back := tt.reading.side(tt.reading.side(placement.Bottom)); back != placement.Bottom {
			t.Errorf("%s: the other side of the other side of the bottom is the %s, want the bottom", rule, back)
		}
	}
}

// TestFields: pads are found within reach, across the squares they are kept in and on either side
// of the origin.
func TestFields(t *testing.T) {
	t.Parallel()
	for v, want := range map[int64]int64{0: 0, 9: 0, 10: 1, -1: -1, -10: -1, -11: -2} {
		if got := floor(v, 10); got != want {
			t.Errorf("%d lies in the interval %d of ten, want %d", v, got, want)
		}
	}
	f := newField()
	for _, at := range []geom.Point{geom.Pt(0, 0), geom.Pt(-mm, 0), geom.Pt(mm, mm), geom.Pt(30*mm, 30*mm)} {
		f.take(geom.Box{Min: at.Sub(geom.Pt(mm/4, mm/4)), Max: at.Add(geom.Pt(mm/4, mm/4))})
	}
	for _, tt := range []struct {
		at    geom.Point
		reach int64
		want  int
	}{{geom.Pt(0, 0), 0, 1}, {geom.Pt(0, 0), mm - 1, 1}, {geom.Pt(0, 0), mm, 3}, {geom.Pt(30*mm, 30*mm), 5 * mm, 1}, {geom.Pt(15*mm, 15*mm), mm, 0}, {geom.Pt(-mm/2, 0), mm / 2, 2}} {
		if got := len(f.padsAround(tt.at, tt.reach)); got != tt.want {
			t.Errorf("within %d nm of %v lie %d pads, want %d", tt.reach, tt.at, got, tt.want)
		}
	}
	for distance, want := range map[int64]bool{799_999: false, 800_000: true, 1_600_000: true, 2_880_000: true, 2_880_001: false} {
		if got := isPair(&pad{at: geom.Pt(0, 0)}, &pad{at: geom.Pt(0, distance)}, 1_600_000); got != want {
			t.Errorf("two pads %d nm apart are of a chip of 1.6 mm %t, want %t", distance, got, want)
		}
	}
	for _, tt := range []struct {
		n, of     int
		all, most bool
	}{{9, 10, true, true}, {8, 10, false, true}, {7, 10, false, true}, {6, 10, false, false}, {18, 20, true, true}, {17, 20, false, true}, {0, 0, true, true}} {
		if all, most := coversAll(tt.n, tt.of), coversMost(tt.n, tt.of); all != tt.all || most != tt.most {
			t.Errorf("%d of %d are all %t and most %t, want %t and %t", tt.n, tt.of, all, most, tt.all, tt.most)
		}
	}
}
