package outline

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestLineAcrossTheBoard: a line parts a board of 20 by 10 mm in two; copper that
// crosses it tells that it is no edge.
func TestLineAcrossTheBoard(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	for name, c := range map[string]struct {
		track geom.Edge
		areas int
	}{
		"copper crosses":     {geom.Line(geom.Pt(5*mm, 5*mm), geom.Pt(15*mm, 5*mm)), 1},
		"copper ends before": {geom.Line(geom.Pt(3*mm, 5*mm), geom.Pt(9*mm, 5*mm)), 2},
		"copper touches":     {geom.Line(geom.Pt(5*mm, 5*mm), geom.Pt(10*mm-100_000, 5*mm)), 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(concat(rect(0, 0, 10*mm, 10*mm), rect(10*mm, 0, 10*mm, 10*mm)),
				geom.Pt(2*mm, 2*mm), geom.Pt(18*mm, 2*mm))
			b.Layers = append(b.Layers, lines(pcb.RoleCopper, []geom.Edge{c.track}))
			Shape(t.Context(), b)
			if n := len(b.Outline.Areas); n != c.areas {
				t.Fatalf("%d pieces, want %d", n, c.areas)
			}
			if box := b.Outline.Bounds(); box.Width() != 20*mm {
				t.Errorf("width %d nm, want 20 mm", box.Width())
			}
		})
	}
}

// TestFieldAtTheEdge: a filled field along the lower edge marks a chamfer; one
// within the board is a cutout.
func TestFieldAtTheEdge(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	field := func(x, y, w, h int64) *pcb.Layer {
		l := lines(pcb.RoleOutline, rect(0, 0, 20*mm, 10*mm))
		l.Regions = append(l.Regions, geom.Polygon{Outer: geom.Rect(geom.BoxOf(geom.Pt(x, y), geom.Pt(x+w, y+h)))})
		l.Features = append(l.Features, pcb.Feature{Kind: pcb.RegionFeature, Shape: int32(len(l.Regions) - 1)})
		return l
	}
	for name, c := range map[string]struct {
		layer *pcb.Layer
		holes int
		code  string
	}{
		"along the edge":   {field(0, 0, 20*mm, mm), 0, "outline_field"},
		"within the board": {field(5*mm, 3*mm, 4*mm, 2*mm), 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(nil, geom.Pt(2*mm, 5*mm), geom.Pt(18*mm, 8*mm))
			b.Layers = append([]*pcb.Layer{c.layer}, b.Copper()...)
			Shape(t.Context(), b)
			if n := len(b.Outline.Areas); n != 1 || len(b.Outline.Areas[0].Holes) != c.holes || b.Outline.Bounds().Height() != 10*mm {
				t.Fatalf("%d pieces %+v, want one 10 mm high with %d cutouts", n, b.Outline.Areas, c.holes)
			}
			if reported := len(b.Findings) > 0 && b.Findings[0].Code == c.code; reported != (c.code != "") {
				t.Errorf("findings %v, want the first to be %q or none", b.Findings, c.code)
			}
		})
	}
}
