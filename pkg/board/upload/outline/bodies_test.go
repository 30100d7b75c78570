package outline

import (
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestBodies: closed shapes on the outline layer that hold pads and that tracks run out
// of are outlines of parts: no cutouts of a board, and no boards.
func TestBodies(t *testing.T) {
	t.Parallel()
	type track struct{ a, b geom.Point }
	outer := rect(0, 0, 40*mm, 20*mm)
	body := func(x int64) []geom.Edge { return concat(rect(x, 5*mm, 4*mm, 4*mm), rect(x+mm, 6*mm, 2*mm, 2*mm)) }
	pads := func(x int64) []geom.Point { return []geom.Point{geom.Pt(x+mm/2, 7*mm), geom.Pt(x+7*mm/2, 7*mm)} }
	out := func(x int64) track { return track{geom.Pt(x+7*mm/2, 7*mm), geom.Pt(x+7*mm, 7*mm)} }
	others := []geom.Point{geom.Pt(2*mm, 15*mm), geom.Pt(35*mm, 2*mm), geom.Pt(38*mm, 10*mm), geom.Pt(20*mm, 18*mm), geom.Pt(30*mm, 15*mm), geom.Pt(10*mm, 18*mm), geom.Pt(12*mm, 14*mm)}
	legs := []geom.Point{geom.Pt(49*mm/10, 6*mm), geom.Pt(91*mm/10, 6*mm)} // their middles outside
	three := concat(body(3*mm), body(13*mm), body(23*mm))
	padsOfThree := concatPoints(concatPoints(pads(3*mm), pads(13*mm)), pads(23*mm))
	for _, tt := range []struct {
		name     string
		edges    []geom.Edge
		pads     []geom.Point
		tracks   []track
		pieces   int
		holes    int
		findings string
	}{
		{"a part within the board, wired", concat(outer, body(5*mm)), concatPoints(others, pads(5*mm)), []track{out(5 * mm)}, 1, 0, "outline_parts"},
		{"a part at the board's edge, wired", concat(outer, rect(30*mm, 5*mm, 5*mm, 4*mm)), concatPoints(others, pads(30*mm)), []track{{geom.Pt(31*mm, 7*mm), geom.Pt(25*mm, 7*mm)}}, 1, 0, "outline_parts"},
		{"three wired parts, a small one that is not, a slot in one pad and one through two", concat(outer, three, rect(7*mm, 15*mm, 9*mm/10, 2*mm), rect(33*mm, 15*mm, mm/5, mm/5), rect(36*mm, 12*mm, 6*mm/10, 4*mm)),
			concatPoints(concatPoints(others, padsOfThree), []geom.Point{geom.Pt(74*mm/10, 31*mm/2), geom.Pt(74*mm/10, 33*mm/2), geom.Pt(331*mm/10, 151*mm/10), geom.Pt(363*mm/10, 13*mm), geom.Pt(363*mm/10, 15*mm)}),
			[]track{out(3 * mm), out(13 * mm), out(23 * mm)}, 1, 2, "outline_parts"},
		{"a small part alone", concat(outer, rect(7*mm, 15*mm, 9*mm/10, 2*mm)), concatPoints(others, []geom.Point{geom.Pt(74*mm/10, 31*mm/2), geom.Pt(74*mm/10, 33*mm/2)}), nil, 1, 1, ""},
		{"a cutout without copper", concat(outer, rect(5*mm, 5*mm, 4*mm, 4*mm)), others, nil, 1, 1, ""},
		{"a cutout that a track runs across", concat(outer, rect(5*mm, 5*mm, 4*mm, 4*mm)), others, []track{{geom.Pt(2*mm, 7*mm), geom.Pt(12*mm, 7*mm)}}, 1, 1, ""},
		{"a cutout that one pad lies in", concat(outer, rect(5*mm, 5*mm, 4*mm, 4*mm)), append(concatPoints(others, nil), geom.Pt(7*mm, 7*mm)), []track{{geom.Pt(7*mm, 7*mm), geom.Pt(12*mm, 7*mm)}}, 1, 1, ""},
		{"a part whose legs reach out of its body, wired", concat(outer, rect(5*mm, 5*mm, 4*mm, 4*mm)), concatPoints(others, legs), []track{{geom.Pt(7*mm, 7*mm), geom.Pt(12*mm, 7*mm)}}, 1, 0, "outline_parts"},
		{"legs across a cutout's line, not wired", concat(outer, rect(5*mm, 5*mm, 4*mm, 4*mm)), concatPoints(others, legs), nil, 1, 1, ""},
		{"one leg across a cutout's line, wired", concat(outer, rect(5*mm, 5*mm, 4*mm, 4*mm)), concatPoints(others, legs[:1]), []track{{geom.Pt(7*mm, 7*mm), geom.Pt(12*mm, 7*mm)}}, 1, 1, ""},
		{"pads beside a cutout that a track runs across", concat(outer, rect(5*mm, 5*mm, 4*mm, 4*mm)), concatPoints(others, []geom.Point{geom.Pt(4*mm, 6*mm), geom.Pt(10*mm, 6*mm)}), []track{{geom.Pt(7*mm, 7*mm), geom.Pt(12*mm, 7*mm)}}, 1, 1, ""},
		{"a slot in a shell's lands, wired", concat(outer, rect(5*mm, 5*mm, 6*mm/10, 4*mm)), concatPoints(others, []geom.Point{geom.Pt(53*mm/10, 6*mm), geom.Pt(53*mm/10, 8*mm)}), []track{{geom.Pt(53*mm/10, 7*mm), geom.Pt(53*mm/10, 12*mm)}}, 1, 1, ""},
		{"a cutout with pads in it, and a track that stops short", concat(outer, rect(5*mm, 5*mm, 4*mm, 4*mm)), concatPoints(others, pads(5*mm)), []track{{geom.Pt(17*mm/2, 7*mm), geom.Pt(91*mm/10, 7*mm)}}, 1, 1, ""},
		{"parts and nothing round the board, wired", three, concatPoints(others, padsOfThree), []track{out(3 * mm), out(13 * mm), out(23 * mm)}, 0, 0, "outline_missing"},
		{"parts and nothing round the board, wired, with all copper near them", concat(body(mm), body(15*mm), body(31*mm)), concatPoints(pads(mm), concatPoints(pads(15*mm), pads(31*mm))),
			[]track{out(mm), out(15 * mm), out(31 * mm)}, 0, 0, "outline_missing"},
		{"a panel with tracks that join its boards", concat(rect(0, 0, 8*mm, 20*mm), rect(9*mm, 0, 8*mm, 20*mm), rect(18*mm, 0, 8*mm, 20*mm)), concatPoints(pads(2*mm), concatPoints(pads(11*mm), pads(20*mm))),
			[]track{{geom.Pt(5*mm, 7*mm), geom.Pt(11*mm, 7*mm)}, {geom.Pt(11*mm, 8*mm), geom.Pt(20*mm, 8*mm)}}, 3, 0, ""},
		{"three small boards", concat(rect(0, 0, 8*mm, 20*mm), rect(10*mm, 0, 8*mm, 20*mm), rect(20*mm, 0, 8*mm, 20*mm)), padsOfThree, []track{{geom.Pt(mm, mm), geom.Pt(5*mm, mm)}}, 3, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(tt.edges, tt.pads...)
			copper := b.Copper()[0]
			below := pcb.NewLayer("bottom", "bottom.gbr") // of leads that go through
			below.Role, below.Apertures, below.Features = copper.Role, copper.Apertures, copper.Features[:len(copper.Features):len(copper.Features)]
			b.Adopt(below)
			for _, w := range tt.tracks {
				copper.Features = append(copper.Features, pcb.Feature{A: w.a, B: w.b})
			}
			Shape(t.Context(), b)
			var codes []string
			for _, f := range b.Findings {
				codes = append(codes, f.Code)
			}
			holes := 0
			for _, a := range b.Outline.Areas {
				holes += len(a.Holes)
			}
			if got := strings.Join(codes, " "); got != tt.findings || len(b.Outline.Areas) != tt.pieces || holes != tt.holes {
				t.Errorf("%d pieces, %d holes, findings %q; want %d, %d, %q", len(b.Outline.Areas), holes, got, tt.pieces, tt.holes, tt.findings)
			}
		})
	}
}
