package outline

import (
	"math"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// roundRectEdges is a rectangle of 40 by 20 mm with corners of 3 mm, of so many strokes each, and a
// round cutout.
func roundRectEdges(steps int) (out []geom.Edge) {
	var at []geom.Point
	for i, c := range []geom.Point{geom.Pt(37*mm, 17*mm), geom.Pt(3*mm, 17*mm), geom.Pt(3*mm, 3*mm), geom.Pt(37*mm, 3*mm)} {
		for k := 0; k <= steps; k++ {
			at = append(at, c.Polar(3e6, (float64(i)+float64(k)/float64(steps))*math.Pi/2))
		}
	}
	for i := range at {
		out = append(out, geom.Line(at[i], at[(i+1)%len(at)]))
	}
	ring := 4*steps + 1
	for k := range ring {
		turn := func(k int) geom.Point {
			return geom.Pt(20*mm, 10*mm).Polar(4e6, 2*math.Pi*float64(k%ring)/float64(ring))
		}
		out = append(out, geom.Line(turn(k), turn(k+1)))
	}
	return out
}

// TestOutlineOfTwoPens: an outline that is drawn again with another pen, its curves in other
// steps, is one board. What the other pen draws elsewhere is kept.
func TestOutlineOfTwoPens(t *testing.T) {
	t.Parallel()
	fine, coarse := roundRectEdges(33), roundRectEdges(20)
	for _, c := range []struct {
		name          string
		first, second []geom.Edge
		holes         int
	}{
		{"one pen", fine, nil, 1},
		{"the same again", fine, coarse, 1},
		{"the same again, the coarse first", coarse, fine, 1},
		{"a cutout with another pen", fine, rect(30*mm, 8*mm, 3*mm, 3*mm), 2},
		{"a part of it again", fine, coarse[:20], 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(append(append([]geom.Edge{}, c.first...), c.second...), geom.Pt(10*mm, 10*mm))
			var l *pcb.Layer
			for _, l = range b.Layers {
				if l.Role == pcb.RoleOutline {
					break
				}
			}
			l.Apertures = append(l.Apertures, pcb.Circle(250_000))
			for i := range c.second {
				l.Features[len(c.first)+i].Shape = int32(len(l.Apertures) - 1)
			}
			Shape(t.Context(), b)
			o := b.Outline
			if !o.Closed || len(o.Areas) != 1 || len(o.Areas[0].Holes) != c.holes || b.Facts.Width.Value != 40*mm || b.Facts.Height.Value != 20*mm {
				t.Errorf("closed %v, %d pieces %+v, %d x %d nm; want true, 1 with %d holes, 40 x 20 mm: %+v", o.Closed, len(o.Areas), o.Areas, b.Facts.Width.Value, b.Facts.Height.Value, c.holes, b.Findings)
			}
		})
	}
}
