package dfm

import (
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

func TestLegendWidth(t *testing.T) {
	t.Parallel()
	for width, want := range map[int64]struct {
		level Level
		count int
	}{150 * micron: {Note, 0}, 148 * micron: {Note, 1}, 99 * micron: {Warning, 1}} {
		k := newKit()
		k.silk.Line(geom.Pt(5*milli, 5*milli), geom.Pt(9*milli, 5*milli), width, artwork.Meta{})
		k.silk.Line(geom.Pt(-5*milli, 5*milli), geom.Pt(-9*milli, 5*milli), micron, artwork.Meta{}) // beside the board
		r := k.judge(legends, map[Name]int64{SilkWidth: 150 * micron})
		r.want(t, SilkWidth, want.level, want.count)
	}
}

// TestLegendThatFills draws an area by thin lines, and the border of another.
func TestLegendThatFills(t *testing.T) {
	t.Parallel()
	k := newKit()
	for i := range int64(40) {
		k.silk.Line(geom.Pt(5*milli, 5*milli+i*20*micron), geom.Pt(9*milli, 5*milli+i*20*micron), 25*micron, artwork.Meta{})
	}
	field := poly(20000, 5000, 24000, 5000, 24000, 9000, 20000, 9000)
	k.silk.Region(geom.Polygon{Outer: field}, artwork.Meta{})
	k.silk.Path(field, 10*micron, artwork.Meta{})
	of := map[Name]int64{SilkWidth: 150 * micron}
	r := k.judge(legends, of)
	r.want(t, SilkWidth, Note, 0)
	r.want(t, SilkWidth, Warning, 0)
	k.silk.Line(geom.Pt(30*milli, 5*milli), geom.Pt(34*milli, 5*milli), 25*micron, artwork.Meta{})
	k.silk.Line(geom.Pt(30*milli, 5020*micron), geom.Pt(34*milli, 5020*micron), 25*micron, artwork.Meta{})
	r = k.judge(legends, of)
	if f := r.want(t, SilkWidth, Warning, 2); f.Value < 40*micron || f.Value > 50*micron {
		t.Errorf("two lines beside each other make %d", f.Value)
	}
}

func TestLegendOnCopper(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		grow     int64 // opening beyond the pad
		from     int64 // edge of the line from the pad's
		erase    bool  // cut off where the mask is open
		on, near int
	}{
		{"far", 50 * micron, 152 * micron, false, 0, 0},
		{"near", 50 * micron, 148 * micron, false, 0, 1},
		{"in the opening, beside the pad", 50 * micron, 20 * micron, false, 0, 1},
		{"on the pad", 50 * micron, -20 * micron, false, 1, 0},
		{"on the pad, but mask covers it there", -100 * micron, -50 * micron, false, 0, 1},
		{"cut off", 50 * micron, -20 * micron, true, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			k.pad(5*milli, 5*milli, milli, c.grow, "A")
			y := 5*milli + 500*micron + c.from + 100*micron
			k.silk.Line(geom.Pt(2*milli, y), geom.Pt(9*milli, y), 200*micron, artwork.Meta{})
			if c.erase {
				k.silk.Flash(geom.Pt(5*milli, 5*milli), artwork.Rect(2*milli, 2*milli), 0, false, artwork.Meta{Clear: true})
			}
			r := k.judge(legendOnCopper, map[Name]int64{SilkToMask: 150 * micron})
			r.want(t, SilkOverCopper, Note, c.on)
			r.want(t, SilkToMask, Note, c.near)
		})
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		text     board.Text
		bottom   bool
		mirrored int
		low      int
	}{
		{"top", board.Text{Text: "R1", Height: milli}, false, 0, 0},
		{"top, mirrored", board.Text{Text: "R1", Height: milli, Mirrored: true}, false, 1, 0},
		{"bottom", board.Text{Text: "R1", Height: milli, Mirrored: true}, true, 0, 0},
		{"bottom, not mirrored", board.Text{Text: "R1", Height: milli}, true, 1, 0},
		{"reads the same", board.Text{Text: "AVA", Height: milli, Mirrored: true}, false, 0, 0},
		{"the same letters, but not the same when mirrored", board.Text{Text: "EVE", Height: milli, Mirrored: true}, false, 1, 0},
		{"low", board.Text{Text: "R1", Height: 998 * micron}, false, 0, 1},
		{"empty", board.Text{Text: " ", Height: 1, Mirrored: true}, false, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			if c.bottom {
				k.silk.Layer.Side = board.Bottom
			}
			k.silk.Layer.Texts = []board.Text{c.text}
			r := k.judge(texts, map[Name]int64{SilkHeight: milli})
			r.want(t, TextMirrored, Warning, c.mirrored)
			r.want(t, SilkHeight, Note, c.low)
		})
	}
	k := newKit()
	k.silk.Line(geom.Pt(5*milli, 5*milli), geom.Pt(9*milli, 5*milli), 200*micron, artwork.Meta{})
	if r := k.judge(texts, nil); len(r.unchecked) != 1 {
		t.Errorf("lines only: %v", r.unchecked)
	}
}
