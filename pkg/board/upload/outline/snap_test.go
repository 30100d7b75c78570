package outline

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// rail is a panel of 20 by 13 mm: a board of 10 mm and a rail beneath, whose sides
// stop short of the board.
func rail(short int64) []geom.Edge {
	return concat(rect(0, 0, 20*mm, 10*mm), []geom.Edge{
		geom.Line(geom.Pt(0, -short), geom.Pt(0, -3*mm)),
		geom.Line(geom.Pt(0, -3*mm), geom.Pt(20*mm, -3*mm)),
		geom.Line(geom.Pt(20*mm, -3*mm), geom.Pt(20*mm, 0)),
	})
}

// TestRailsThatDoNotClose: what all but touches is joined, and a rail that is lost is
// told of, since the board's size is then another.
func TestRailsThatDoNotClose(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edges    []geom.Edge
		height   int64
		findings []string
	}{
		"closed":               {rail(0), 13 * mm, nil},
		"short by 0.02 mm":     {rail(20_000), 13 * mm, []string{"outline_gap_tiny"}},
		"short by 0.3 mm":      {rail(300_000), 10 * mm, []string{"outline_beyond"}},
		"short by 2 mm":        {rail(2 * mm), 10 * mm, nil}, // a leader of a dimension
		"an extension line":    {concat(rect(0, 0, 20*mm, 10*mm), []geom.Edge{geom.Line(geom.Pt(0, -300_000), geom.Pt(0, -9*mm))}), 10 * mm, nil},
		"a bracket on the top": {concat(rail(0), []geom.Edge{geom.Line(geom.Pt(5*mm, 10*mm), geom.Pt(5*mm, 30*mm))}), 13 * mm, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(c.edges, geom.Pt(5*mm, 5*mm), geom.Pt(5*mm, -mm), geom.Pt(12*mm, 5*mm), geom.Pt(4*mm, 3*mm), geom.Pt(3*mm, 6*mm), geom.Pt(3*mm, 8*mm))
			Shape(t.Context(), b)
			if h := b.Facts.Height.Value; h != c.height {
				t.Errorf("height %d, want %d", h, c.height)
			}
			var reported []string
			for _, f := range b.Findings {
				if f.Code != "outline_stray_lines" { // says that lines are no edge, wherever they are
					reported = append(reported, f.Code)
				}
				if f.Code == "outline_beyond" && (f.Level != pcb.Warning || f.At == nil || f.To == nil) {
					t.Errorf("finding %+v, want a warning with both places", f)
				}
			}
			if len(reported) != len(c.findings) || len(reported) > 0 && reported[0] != c.findings[0] {
				t.Errorf("findings %v, want %v", reported, c.findings)
			}
		})
	}
}

// TestTitleOnEveryFilm: a title beside the board that the copper draws as well is no
// copper of the board, nor is the name of the layer file, in a letter that closes.
func TestTitleOnEveryLayerFile(t *testing.T) {
	t.Parallel()
	title := rect(40*mm, 0, 30*mm, 10*mm)
	letter := rect(0, 30*mm, mm, 2*mm)
	b := boardWithPads(concat(rect(0, 0, 20*mm, 10*mm), title, letter), geom.Pt(5*mm, 5*mm), geom.Pt(15*mm, 5*mm))
	within := geom.Line(geom.Pt(300_000, 31*mm), geom.Pt(600_000, 31*mm))
	b.Adopt(lines(pcb.RoleCopper, concat(title, []geom.Edge{within})))
	Shape(t.Context(), b)
	if w, h := b.Facts.Width.Value, b.Facts.Height.Value; w != 20*mm || h != 10*mm || len(b.Outline.Areas) != 1 {
		t.Errorf("%d by %d nm in %d pieces, want 20 by 10 mm in one: %+v", w, h, len(b.Outline.Areas), b.Findings)
	}
	small := boardWithPads(concat(rect(0, 0, 20*mm, 10*mm), letter), geom.Pt(5*mm, 5*mm), geom.Pt(500_000, 31*mm))
	Shape(t.Context(), small)
	if len(small.Outline.Areas) != 2 {
		t.Errorf("with a pad on the small piece: %d pieces, want 2: %+v", len(small.Outline.Areas), small.Findings)
	}
}
