package outline

import (
	"math"
	"testing"

	"boardorder/pkg/board/geom"
)

const mm = 1_000_000

func rect(x, y, w, h int64) []geom.Edge {
	a, b, c, d := geom.Pt(x, y), geom.Pt(x+w, y), geom.Pt(x+w, y+h), geom.Pt(x, y+h)
	return []geom.Edge{geom.Line(a, b), geom.Line(c, b), geom.Line(c, d), geom.Line(a, d)}
}

// polyline draws lines from place to place.
func polyline(xy ...int64) (out []geom.Edge) {
	for i := 0; i+3 < len(xy); i += 2 {
		out = append(out, geom.Line(geom.Pt(xy[i], xy[i+1]), geom.Pt(xy[i+2], xy[i+3])))
	}
	return out
}

func circle(x, y, r int64) geom.Edge {
	p := geom.Pt(x+r, y)
	return geom.ArcEdge(p, p, geom.Pt(x, y), false)
}

func concat(parts ...[]geom.Edge) []geom.Edge {
	var out []geom.Edge
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func TestFind(t *testing.T) {
	t.Parallel()
	board := rect(0, 0, 100*mm, 50*mm)
	shifted := rect(0, 0, 100*mm, 50*mm)
	shifted[2].A.X += 200_000
	var fine []geom.Edge // a circle in steps of 6 µm
	for i := range 1000 {
		at := func(i int) geom.Point { return geom.Point{}.Polar(1*mm, float64(i%1000)*2*math.Pi/1000) }
		fine = append(fine, geom.Line(at(i), at(i+1)))
	}
	for name, tt := range map[string]struct {
		edges        []geom.Edge
		areas, holes int
		open, gaps   int
		square       float64 // mm²
	}{
		"rectangle":       {board, 1, 0, 0, 0, 5000},
		"drawn twice":     {concat(board, board), 1, 0, 0, 0, 5000},
		"cutouts":         {concat(board, rect(10*mm, 10*mm, 5*mm, 4*mm), []geom.Edge{circle(50*mm, 25*mm, 10*mm)}), 1, 2, 0, 0, 5000 - 20 - 100*math.Pi},
		"round":           {[]geom.Edge{circle(0, 0, 10*mm)}, 1, 0, 0, 0, 100 * math.Pi},
		"two boards":      {concat(board, rect(200*mm, 0, 10*mm, 10*mm)), 2, 0, 0, 0, 5100},
		"island":          {concat(board, rect(10*mm, 10*mm, 30*mm, 30*mm), rect(20*mm, 20*mm, 5*mm, 5*mm)), 2, 1, 0, 0, 5000 - 900 + 25},
		"rounded to 1 µm": {concat(board[:2], []geom.Edge{geom.Line(geom.Pt(100*mm+3000, 50*mm-2000), geom.Pt(0, 50*mm))}, board[3:]), 1, 0, 0, 0, 5000},
		"many tiny lines": {fine, 1, 0, 0, 0, math.Pi},
		"gap":             {shifted, 1, 0, 0, 1, 5000},
		"side missing":    {board[:3], 0, 0, 1, 0, 0},
		"nothing":         {nil, 0, 0, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := Find(t.Context(), tt.edges)
			holes, square := 0, 0.0
			for _, a := range r.Outline.Areas {
				holes += len(a.Holes)
				square += a.Area() / mm / mm
			}
			if len(r.Outline.Areas) != tt.areas || holes != tt.holes || len(r.Outline.Open) != tt.open || len(r.Gaps) != tt.gaps {
				t.Fatalf("areas %d holes %d open %d gaps %d, want %d %d %d %d", len(r.Outline.Areas), holes,
					len(r.Outline.Open), len(r.Gaps), tt.areas, tt.holes, tt.open, tt.gaps)
			}
			if math.Abs(square-tt.square) > 1 {
				t.Errorf("area %.3f mm², want %.3f", square, tt.square)
			}
			if want := tt.open == 0 && tt.areas > 0; r.Outline.Closed != want {
				t.Errorf("closed = %v, want %v", r.Outline.Closed, want)
			}
		})
	}
}

// TestCrossedSide: a cutout that crosses the side of a board of 100 by 50 mm, at one of
// the side's corners and at one of its own, does not lose the board.
func TestCrossedSide(t *testing.T) {
	t.Parallel()
	line := func(x0, y0, x1, y1 int64) geom.Edge { return geom.Line(geom.Pt(x0*mm, y0*mm), geom.Pt(x1*mm, y1*mm)) }
	sides := []geom.Edge{line(0, 0, 50, 0), line(50, 0, 100, 0), line(100, 0, 100, 50), line(100, 50, 0, 50), line(0, 50, 0, 0)}
	for name, cutout := range map[string][]geom.Edge{
		"crossing":          {line(50, 0, 53, -1), line(53, -1, 52, 0), line(52, 0, 51, 2), line(51, 2, 50, 0)},
		"the other way":     {line(50, 0, 51, 2), line(51, 2, 52, 0), line(52, 0, 53, -1), line(53, -1, 50, 0)},
		"touching, inside":  {line(50, 0, 53, 1), line(53, 1, 51, 2), line(51, 2, 50, 0)},
		"away from corners": {line(20, -1, 23, -1), line(23, -1, 21, 2), line(21, 2, 20, -1)},
	} {
		o := Find(t.Context(), concat(sides, cutout)).Outline
		if len(o.Areas) == 0 {
			t.Errorf("%s: no area", name)
			continue
		}
		if box := o.Areas[0].Bounds(); box.Width() < 100*mm || box.Height() < 50*mm {
			t.Errorf("%s: the first area lies in %v, want 100 mm x 50 mm at least", name, box)
		}
	}
}

// TestCrossedWhereNoLineEnds: a cutout that leaves a corner of the side and crosses the
// side where neither ends does not lose the board, whether most of it lies inside or
// outside.
func TestCrossedWhereNoLineEnds(t *testing.T) {
	t.Parallel()
	line := func(x0, y0, x1, y1 int64) geom.Edge { return geom.Line(geom.Pt(x0*mm, y0*mm), geom.Pt(x1*mm, y1*mm)) }
	sides := []geom.Edge{line(0, 0, 50, 0), line(50, 0, 100, 0), line(100, 0, 100, 50), line(100, 50, 0, 50), line(0, 50, 0, 0)}
	for name, cutout := range map[string][]geom.Edge{
		"inside":                 {line(50, 0, 53, -1), line(53, -1, 51, 9), line(51, 9, 50, 0)},
		"inside, the other way":  {line(50, 0, 51, 9), line(51, 9, 53, -1), line(53, -1, 50, 0)},
		"outside":                {line(50, 0, 53, 1), line(53, 1, 51, -9), line(51, -9, 50, 0)},
		"outside, the other way": {line(50, 0, 51, -9), line(51, -9, 53, 1), line(53, 1, 50, 0)},
		"an arc":                 {line(50, 0, 53, -1), geom.ArcEdge(geom.Pt(53*mm, -1*mm), geom.Pt(51*mm, 9*mm), geom.Pt(47*mm, 3_200_000), false), line(51, 9, 50, 0)},
		"twice":                  {line(50, 0, 53, -1), line(53, -1, 53, 2), line(53, 2, 55, 2), line(55, 2, 55, -2), line(55, -2, 57, -2), line(57, -2, 57, 9), line(57, 9, 50, 0)},
	} {
		for turn := range sides { // the side that is walked first decides which way is lost
			edges := append(append(concat(sides[turn:]), sides[:turn]...), cutout...)
			o := Find(t.Context(), edges).Outline
			var largest geom.Polygon
			for _, a := range o.Areas {
				if a.Area() > largest.Area() {
					largest = a
				}
			}
			if got := largest.Area() / mm / mm; len(o.Areas) == 0 || got < 4950 || got > 5050 {
				t.Errorf("%s, from side %d: %d areas, the largest of %.0f mm²; want the board of 5000", name, turn, len(o.Areas), got)
			}
		}
	}
}
