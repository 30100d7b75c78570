package panel_test

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/panel"
)

// TestBoardsThatRepeat: holes that lie there several times with cuts between are boards of a panel;
// without a cut, or with other holes, they are one board.
func TestBoardsThatRepeat(t *testing.T) {
	t.Parallel()
	const mm, pitch = geom.Millimetre, 24 * geom.Millimetre
	slot := func(x0, y0, x1, y1 int64) geom.Path {
		return geom.Rect(geom.Box{Min: geom.Pt(x0*mm, y0*mm), Max: geom.Pt(x1*mm, y1*mm)})
	}
	one := []geom.Point{{X: 2 * mm, Y: 2 * mm}, {X: 17 * mm, Y: 3 * mm}, {X: 5 * mm, Y: 9 * mm}, {X: 11 * mm, Y: 7 * mm}, {X: 14 * mm, Y: 16 * mm}, {X: 4 * mm, Y: 18 * mm}}
	upright := []geom.Path{slot(21, 2, 23, 18), slot(21, 26, 23, 42)}
	level := []geom.Path{slot(2, 21, 18, 23), slot(26, 21, 42, 23)}
	for name, c := range map[string]struct {
		columns, rows int64
		holes         []geom.Point
		cuts          []geom.Path
		spoil         bool // the last hole lies elsewhere in the last copy
		apart         bool // nothing joins them
		plating       pcb.Plating
		want          int
	}{
		"two beside each other":                {2, 1, one, upright, false, false, pcb.Plated, 2},
		"two above each other":                 {1, 2, one, level, false, false, pcb.Plated, 2},
		"four":                                 {2, 2, one, append(level, upright...), false, false, pcb.Plated, 4},
		"four of which two columns hang on":    {2, 2, one, level, false, false, pcb.Plated, 2},
		"two without a cut":                    {2, 1, one, nil, false, false, pcb.Plated, 0},
		"two with a short cut":                 {2, 1, one, upright[:1], false, false, pcb.Plated, 0},
		"two with a cut elsewhere":             {2, 1, one, level, false, false, pcb.Plated, 0},
		"two, with a hole of the second moved": {2, 1, one, upright, true, false, pcb.Plated, 0},
		"two of few holes":                     {2, 1, one[:5], upright, false, false, pcb.Plated, 0},
		"two with bare holes":                  {2, 1, one, upright, false, false, pcb.NonPlated, 0},
		"two that nothing joins":               {2, 1, one, nil, false, true, pcb.Plated, 0},
		"one":                                  {1, 1, one, upright, false, false, pcb.Plated, 0},
	} {
		b := pcb.NewBoard("x")
		b.Outline.Areas = []geom.Polygon{{Outer: slot(0, 0, 44, 44), Holes: c.cuts}}
		for x := range c.columns {
			for y := range c.rows {
				for i, h := range c.holes {
					at := h.Add(geom.Pt(x*pitch, y*pitch))
					if c.spoil && x == c.columns-1 && i == len(c.holes)-1 {
						at = at.Add(geom.Pt(mm, 0))
					}
					b.Holes = append(b.Holes, pcb.Hole{A: at, B: at, Diameter: 800_000, Plating: c.plating})
				}
			}
		}
		panel.StateRepeats(pcb.Meter{}, b)
		if c.apart {
			b.Outline.Areas = []geom.Polygon{{Outer: slot(0, 0, 20, 20)}, {Outer: slot(23, 0, 43, 20)}}
		}
		if f := b.Facts; f.BoardsInPanel.Value != c.want || f.Panel.Value != (c.want > 0) {
			t.Errorf("%s: panel %+v of %+v, want %d boards", name, f.Panel, f.BoardsInPanel, c.want)
		}
	}
}
