package outline

import (
	"slices"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// ring is a circle as two arcs.
func ring(at geom.Point, r int64) []geom.Edge {
	a, b := geom.Pt(at.X-r, at.Y), geom.Pt(at.X+r, at.Y)
	return []geom.Edge{geom.ArcEdge(a, b, at, false), geom.ArcEdge(b, a, at, false)}
}

// TestMarks: what is drawn round drilled holes, and letters of a drawing on the outline layer,
// are no cutouts.
func TestMarks(t *testing.T) {
	t.Parallel()
	outer := rect(0, 0, 40*mm, 20*mm)
	at := geom.Pt(10*mm, 10*mm)
	var dimensions []geom.Edge // lines of a drawing beside the board
	for i := range int64(lettered) {
		dimensions = append(dimensions, geom.Line(geom.Pt(60*mm+3*i*mm, 0), geom.Pt(60*mm+3*i*mm, 2*mm)))
	}
	letter := rect(30*mm, 10*mm, 4*mm/10, 8*mm/10)
	pads := []geom.Point{geom.Pt(2*mm, 2*mm), geom.Pt(38*mm, 18*mm), geom.Pt(20*mm, 3*mm)}
	for _, tt := range []struct {
		name     string
		edges    []geom.Edge
		hole     int64 // diameter at the middle of the marks
		holes    int   // cutouts that are left
		reported bool
	}{
		{"a mark round a drilled hole", concat(outer, ring(at, 3*mm)), 3 * mm, 0, true},
		{"a mark round the rim of a drilled hole", concat(outer, ring(at, 3*mm), ring(at, 3*mm/2)), 3 * mm, 0, true},
		{"a cutout without a hole", concat(outer, ring(at, 3*mm)), 0, 1, false},
		{"a cutout that is the hole", concat(outer, ring(at, 3*mm/2)), 3 * mm, 1, false},
		{"a cutout as large as a part round a hole", concat(outer, rect(mm, mm, 18*mm, 18*mm)), 3 * mm, 1, false},
		{"a letter of a drawing", concat(outer, dimensions, letter), 0, 0, true},
		{"a slot without a drawing", concat(outer, letter), 0, 1, false},
		{"a slot as long as no letter is", concat(outer, dimensions, rect(30*mm, 10*mm, 4*mm/10, 4*mm)), 0, 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(tt.edges, pads...)
			if tt.hole > 0 {
				b.Holes = append(b.Holes, pcb.Hole{A: at, B: at, Diameter: tt.hole})
			}
			Shape(t.Context(), b)
			holes := 0
			for _, a := range b.Outline.Areas {
				holes += len(a.Holes)
			}
			reported := slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == "outline_drawing" })
			if len(b.Outline.Areas) != 1 || holes != tt.holes || reported != tt.reported {
				t.Errorf("%d pieces, %d cutouts, %v; want 1, %d, %v", len(b.Outline.Areas), holes, b.Findings, tt.holes, tt.reported)
			}
		})
	}
}

// TestLettersOverCopper: a closed shape as small as a letter is one where copper lies.
func TestLettersOverCopper(t *testing.T) {
	t.Parallel()
	pour := pcb.NewLayer("inner", "inner.gbr")
	pour.Role, pour.Side = pcb.RoleCopper, pcb.Inner
	area := geom.Path{Closed: true}
	for _, e := range rect(0, 0, 30*mm, 20*mm) {
		area.Add(e)
	}
	pour.Regions = []geom.Polygon{{Outer: area}}
	pour.Features = []pcb.Feature{{Kind: pcb.RegionFeature}}
	b := pcb.NewBoard("")
	b.Adopt(pour)
	s := selection{ctx: t.Context(), meter: pcb.MeterOf(t.Context()), board: b}
	for _, tt := range []struct {
		name      string
		x, height int64
		want      bool
	}{
		{"on the pour", 10 * mm, 2 * mm, true},
		{"beside the pour", 35 * mm, 2 * mm, false},
		{"larger than a letter", 10 * mm, 3 * mm, false},
	} {
		shape := geom.Path{Closed: true}
		for _, e := range rect(tt.x, 5*mm, 12*mm/10, tt.height) {
			shape.Add(e)
		}
		if got := s.isLetter(shape); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestSpikes: what hangs on the edge is no part of it, wherever the walk round it begins.
func TestSpikes(t *testing.T) {
	t.Parallel()
	corners := func(xy ...int64) geom.Path {
		p := geom.Path{Closed: true}
		for i := 0; i < len(xy); i += 2 {
			p.Points = append(p.Points, geom.Pt(xy[i]*mm, xy[i+1]*mm))
		}
		return p
	}
	for _, tt := range []struct {
		name string
		path geom.Path
		want int64 // square millimetres
		len  int
	}{
		{"a rectangle", corners(0, 0, 10, 0, 10, 5, 0, 5), 50, 4},
		{"a line into the board", corners(0, 0, 10, 0, 10, 2, 4, 2, 4, 3, 4, 2, 10, 2, 10, 5, 0, 5), 50, 5},
		{"a line out of the board", corners(0, 0, 10, 0, 10, 2, 14, 2, 10, 2, 10, 5, 0, 5), 50, 5},
		{"the walk begins at the tip", corners(4, 2, 10, 2, 10, 5, 0, 5, 0, 0, 10, 0, 10, 2), 50, 5},
		{"two halves that meet in a corner", corners(0, 0, 5, 0, 5, 5, 10, 5, 10, 10, 5, 10, 5, 5, 0, 5), 50, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := trimSpikes(tt.path)
			if area := int64(max(got.Area(), -got.Area()) / 1e12); area != tt.want || got.Len() != tt.len {
				t.Errorf("%d mm² round %d edges, want %d and %d: %v", area, got.Len(), tt.want, tt.len, got.Points)
			}
		})
	}
}
