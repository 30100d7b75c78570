package outline

import (
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestLeadedBodies: a closed shape that leads stand in, or whose line runs through their pads
// while tracks leave it, is a part's outline, at the board's edge too; cutouts with pilot holes,
// slots round one lead, castellated cutouts and the boards of a panel are none.
func TestLeadedBodies(t *testing.T) {
	t.Parallel()
	outer := rect(0, 0, 40*mm, 20*mm)
	others := []geom.Point{geom.Pt(2*mm, 15*mm), geom.Pt(33*mm, 2*mm), geom.Pt(38*mm, 18*mm), geom.Pt(20*mm, 18*mm), geom.Pt(30*mm, 15*mm), geom.Pt(10*mm, 18*mm), geom.Pt(12*mm, 14*mm)}
	body := rect(5*mm, 5*mm, 4*mm, 4*mm)
	pins := []geom.Point{geom.Pt(6*mm, 6*mm), geom.Pt(8*mm, 6*mm)}
	legs := []geom.Point{geom.Pt(49*mm/10, 6*mm), geom.Pt(91*mm/10, 6*mm)}
	flush := []geom.Point{geom.Pt(36*mm, 7*mm), geom.Pt(36*mm, 9*mm)}
	out := []geom.Point{geom.Pt(7*mm, 7*mm), geom.Pt(12*mm, 7*mm)}
	panel := []geom.Point{geom.Pt(5*mm, 5*mm), geom.Pt(5*mm, 10*mm), geom.Pt(8*mm, 12*mm), geom.Pt(25*mm, 5*mm), geom.Pt(25*mm, 10*mm), geom.Pt(30*mm, 12*mm)}
	hole := func(p pcb.Plating, at ...geom.Point) (out []pcb.Hole) {
		for _, a := range at {
			out = append(out, pcb.Hole{A: a, B: a, Diameter: mm / 2, Plating: p})
		}
		return out
	}
	for _, tt := range []struct {
		name    string
		edges   []geom.Edge
		pads    []geom.Point
		holes   []pcb.Hole
		track   []geom.Point
		cutouts int
		message string
	}{
		{"leads within, not wired", concat(outer, body), concatPoints(others, pins), hole(pcb.Plated, pins...), nil, 0, "outline_parts"},
		{"leads within a body flush with the edge", concat(outer, rect(34*mm, 5*mm, 6*mm, 6*mm)), concatPoints(others, flush), hole(pcb.Plated, flush...), nil, 0, "outline_parts"},
		{"round legs on the line, wired", concat(outer, body), concatPoints(others, legs), hole(pcb.Plated, legs...), out, 0, "outline_parts"},
		{"a body and a cutout", concat(outer, body, rect(20*mm, 5*mm, 4*mm, 4*mm)), concatPoints(others, pins), hole(pcb.Plated, pins...), nil, 1, "outline_parts"},
		{"castellations on the line", concat(outer, body), concatPoints(others, []geom.Point{geom.Pt(5*mm, 6*mm), geom.Pt(9*mm, 6*mm)}), hole(pcb.Plated, geom.Pt(5*mm, 6*mm), geom.Pt(9*mm, 6*mm)), nil, 1, ""},
		{"holes without plating within", concat(outer, body), concatPoints(others, pins), hole(pcb.NonPlated, pins...), nil, 1, ""},
		{"pads without holes within", concat(outer, body), concatPoints(others, pins), nil, nil, 1, ""},
		{"one lead within", concat(outer, body), concatPoints(others, pins[:1]), hole(pcb.Plated, pins[0]), nil, 1, ""},
		{"a slot through two leads", concat(outer, rect(55*mm/10, 57*mm/10, 3*mm, 6*mm/10)), concatPoints(others, pins), hole(pcb.Plated, pins...), nil, 1, ""},
		{"two boards in a frame", concat(outer, rect(2*mm, 2*mm, 17*mm, 16*mm), rect(21*mm, 2*mm, 17*mm, 16*mm)), panel, hole(pcb.Plated, panel...), nil, 2, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(tt.edges, tt.pads...)
			b.Holes = tt.holes
			if tt.track != nil {
				copper := b.Copper()[0]
				copper.Features = append(copper.Features, pcb.Feature{A: tt.track[0], B: tt.track[1]})
			}
			Shape(t.Context(), b)
			var codes []string
			for _, f := range b.Findings {
				codes = append(codes, f.Code)
				if f.Code == "outline_parts" && strings.Contains(f.Message, "one other shape is cut out") != (tt.cutouts == 1) {
					t.Errorf("%d cutouts: %s; want one other shape said only of one", tt.cutouts, f.Message)
				}
			}
			cutouts := 0
			for _, a := range b.Outline.Areas {
				cutouts += len(a.Holes)
			}
			if got := strings.Join(codes, " "); got != tt.message || cutouts != tt.cutouts || len(b.Outline.Areas) != 1 {
				t.Errorf("%d pieces, %d cutouts, findings %q; want 1, %d, %q", len(b.Outline.Areas), cutouts, got, tt.cutouts, tt.message)
			}
		})
	}
}
