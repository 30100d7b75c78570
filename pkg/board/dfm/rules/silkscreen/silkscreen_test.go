package silkscreen

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

func TestSilkscreenWidth(t *testing.T) {
	t.Parallel()
	for width, want := range map[int64]struct {
		level dfm.Level
		count int
	}{150 * kit.Micron: {dfm.Note, 0}, 148 * kit.Micron: {dfm.Note, 1}, 99 * kit.Micron: {dfm.Warning, 1}} {
		k := kit.New()
		k.Silk.Line(geom.Pt(5*kit.Milli, 5*kit.Milli), geom.Pt(9*kit.Milli, 5*kit.Milli), width, artwork.Meta{})
		k.Silk.Line(geom.Pt(-5*kit.Milli, 5*kit.Milli), geom.Pt(-9*kit.Milli, 5*kit.Milli), kit.Micron, artwork.Meta{}) // beside the board
		r := k.Judge(widths, map[dfm.Name]int64{dfm.SilkWidth: 150 * kit.Micron})
		kit.Want(t, &r, dfm.SilkWidth, want.level, want.count)
	}
}

// TestLegendThatFills draws an area by thin lines, and the border of another.
func TestSilkscreenThatFills(t *testing.T) {
	t.Parallel()
	k := kit.New()
	for i := range int64(40) {
		k.Silk.Line(geom.Pt(5*kit.Milli, 5*kit.Milli+i*20*kit.Micron), geom.Pt(9*kit.Milli, 5*kit.Milli+i*20*kit.Micron), 25*kit.Micron, artwork.Meta{})
	}
	field := kit.Poly(20000, 5000, 24000, 5000, 24000, 9000, 20000, 9000)
	k.Silk.Region(geom.Polygon{Outer: field}, artwork.Meta{})
	k.Silk.Path(field, 10*kit.Micron, artwork.Meta{})
	of := map[dfm.Name]int64{dfm.SilkWidth: 150 * kit.Micron}
	r := k.Judge(widths, of)
	kit.Want(t, &r, dfm.SilkWidth, dfm.Note, 0)
	kit.Want(t, &r, dfm.SilkWidth, dfm.Warning, 0)
	k.Silk.Line(geom.Pt(30*kit.Milli, 5*kit.Milli), geom.Pt(34*kit.Milli, 5*kit.Milli), 25*kit.Micron, artwork.Meta{})
	k.Silk.Line(geom.Pt(30*kit.Milli, 5020*kit.Micron), geom.Pt(34*kit.Milli, 5020*kit.Micron), 25*kit.Micron, artwork.Meta{})
	r = k.Judge(widths, of)
	if f := kit.Want(t, &r, dfm.SilkWidth, dfm.Warning, 2); f.Value < 40*kit.Micron || f.Value > 50*kit.Micron {
		t.Errorf("two lines beside each other make %d nm, want %d to %d nm", f.Value, 40*kit.Micron, 50*kit.Micron)
	}
}

func TestSilkscreenOnCopper(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		grow     int64 // opening beyond the pad
		from     int64 // edge of the line from the pad's
		erase    bool  // cut off where the mask is open
		on, near int
	}{
		{"far", 50 * kit.Micron, 152 * kit.Micron, false, 0, 0},
		{"near", 50 * kit.Micron, 148 * kit.Micron, false, 0, 1},
		{"in the opening, beside the pad", 50 * kit.Micron, 20 * kit.Micron, false, 0, 1},
		{"on the pad", 50 * kit.Micron, -20 * kit.Micron, false, 1, 0},
		{"on the pad, but mask covers it there", -100 * kit.Micron, -50 * kit.Micron, false, 0, 1},
		{"cut off", 50 * kit.Micron, -20 * kit.Micron, true, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Pad(5*kit.Milli, 5*kit.Milli, kit.Milli, c.grow, "A")
			y := 5*kit.Milli + 500*kit.Micron + c.from + 100*kit.Micron
			k.Silk.Line(geom.Pt(2*kit.Milli, y), geom.Pt(9*kit.Milli, y), 200*kit.Micron, artwork.Meta{})
			if c.erase {
				k.Silk.Flash(geom.Pt(5*kit.Milli, 5*kit.Milli), artwork.Rect(2*kit.Milli, 2*kit.Milli), 0, false, artwork.Meta{Clear: true})
			}
			r := k.Judge(judgeOnCopper, map[dfm.Name]int64{dfm.SilkToMask: 150 * kit.Micron})
			kit.Want(t, &r, dfm.SilkOverCopper, dfm.Note, c.on)
			kit.Want(t, &r, dfm.SilkToMask, dfm.Note, c.near)
		})
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		text     pcb.Text
		bottom   bool
		mirrored int
		low      int
	}{
		{"top", pcb.Text{Text: "R1", Height: kit.Milli}, false, 0, 0},
		{"top, mirrored", pcb.Text{Text: "R1", Height: kit.Milli, Mirrored: true}, false, 1, 0},
		{"bottom", pcb.Text{Text: "R1", Height: kit.Milli, Mirrored: true}, true, 0, 0},
		{"bottom, not mirrored", pcb.Text{Text: "R1", Height: kit.Milli}, true, 1, 0},
		{"reads the same", pcb.Text{Text: "AVA", Height: kit.Milli, Mirrored: true}, false, 0, 0},
		{"the same letters, but not the same when mirrored", pcb.Text{Text: "EVE", Height: kit.Milli, Mirrored: true}, false, 1, 0},
		{"low", pcb.Text{Text: "R1", Height: 998 * kit.Micron}, false, 0, 1},
		{"empty", pcb.Text{Text: " ", Height: 1, Mirrored: true}, false, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			if c.bottom {
				k.Silk.Layer.Side = pcb.Bottom
			}
			k.Silk.Layer.Texts = []pcb.Text{c.text}
			r := k.Judge(texts, map[dfm.Name]int64{dfm.SilkHeight: kit.Milli})
			kit.Want(t, &r, dfm.TextMirrored, dfm.Warning, c.mirrored)
			kit.Want(t, &r, dfm.SilkHeight, dfm.Note, c.low)
		})
	}
	k := kit.New()
	k.Silk.Line(geom.Pt(5*kit.Milli, 5*kit.Milli), geom.Pt(9*kit.Milli, 5*kit.Milli), 200*kit.Micron, artwork.Meta{})
	if r := k.Judge(texts, nil); len(r.Unchecked) != 1 {
		t.Errorf("lines only: unchecked %q, want one sentence", r.Unchecked)
	}
}
