package outline

import (
	"math"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// chainOf is an open path through points.
func chainOf(points ...geom.Point) geom.Path { return geom.Path{Points: points} }

// squareOf is a closed square from x, y on.
func squareOf(x, y, side int64) geom.Path {
	return geom.Rect(geom.Box{Min: geom.Pt(x, y), Max: geom.Pt(x+side, y+side)})
}

// TestDropBeside: lines that close nothing are left over where they lie clear of a board that
// holds all copper and holes.
func TestDropBeside(t *testing.T) {
	t.Parallel()
	board := []geom.Polygon{{Outer: squareOf(0, 0, 20*mm)}}
	far := chainOf(geom.Pt(40*mm, 0), geom.Pt(50*mm, 0))
	for _, c := range []struct {
		name  string
		areas []geom.Polygon
		open  []geom.Path
		pads  []geom.Point
		holes []geom.Point
		taken int
	}{
		{"far beside", board, []geom.Path{far}, []geom.Point{{X: 5 * mm, Y: 5 * mm}}, nil, 1},
		{"nothing is open", board, nil, []geom.Point{{X: 5 * mm, Y: 5 * mm}}, nil, 0},
		{"no area", nil, []geom.Path{far}, []geom.Point{{X: 5 * mm, Y: 5 * mm}}, nil, 0},
		{"no copper and no hole", board, []geom.Path{far}, nil, nil, 0},
		{"copper beside the board", board, []geom.Path{far}, []geom.Point{{X: 5 * mm, Y: 5 * mm}, {X: 45 * mm, Y: mm}}, nil, 0},
		{"a hole beside the board", board, []geom.Path{far}, []geom.Point{{X: 5 * mm, Y: 5 * mm}}, []geom.Point{{X: 45 * mm, Y: mm}}, 0},
		{"holes alone, on the board", board, []geom.Path{far}, nil, []geom.Point{{X: 5 * mm, Y: 5 * mm}}, 1},
		{"a gap's width from the board", board, []geom.Path{chainOf(geom.Pt(20*mm+MaxGap, 0), geom.Pt(50*mm, 0))}, []geom.Point{{X: 5 * mm, Y: 5 * mm}}, nil, 0},
		{"farther than a gap", board, []geom.Path{chainOf(geom.Pt(20*mm+MaxGap+1, 0), geom.Pt(50*mm, 0))}, []geom.Point{{X: 5 * mm, Y: 5 * mm}}, nil, 1},
		{"one beside and one across", board, []geom.Path{far, chainOf(geom.Pt(-mm, mm), geom.Pt(30*mm, mm))}, []geom.Point{{X: 5 * mm, Y: 5 * mm}}, nil, 1},
		{"two boards that hold all", append(board[:1:1], geom.Polygon{Outer: squareOf(60*mm, 0, 20*mm)}), []geom.Path{far}, []geom.Point{{X: 5 * mm, Y: 5 * mm}, {X: 65 * mm, Y: 5 * mm}}, nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(nil, c.pads...)
			for _, p := range c.holes {
				b.Holes = append(b.Holes, pcb.Hole{A: p, B: p, Diameter: mm})
			}
			b.Outline = pcb.Outline{Areas: c.areas, Open: c.open}
			taken := DropBeside(t.Context(), b)
			kept := len(c.open) - c.taken
			if len(taken) != c.taken || len(b.Outline.Open) != kept || b.Outline.Closed != (c.taken > 0 && kept == 0) {
				t.Errorf("of %d lines %v were taken and %v kept, closed %v; want %d taken", len(c.open), taken, b.Outline.Open, b.Outline.Closed, c.taken)
			}
		})
	}
}

// TestEdgeOfFilms: the shape that several films draw round all copper is the board's, where the
// outline draws nothing.
func TestEdgeOfFilms(t *testing.T) {
	t.Parallel()
	edge, inner := rect(0, 0, 20*mm, 10*mm), rect(mm, mm, 18*mm, 8*mm)
	pads := []geom.Point{{X: 5 * mm, Y: 5 * mm}, {X: 15 * mm, Y: 5 * mm}}
	for _, c := range []struct {
		name       string
		layerFiles [][]geom.Edge
		pads       []geom.Point
		width      int64 // of the board; 0 for none
	}{
		{"two films that draw one shape", [][]geom.Edge{edge, edge}, pads, 20 * mm},
		{"one of them draws another thing too", [][]geom.Edge{edge, concat(edge, rect(4*mm, 4*mm, mm, mm))}, pads, 20 * mm},
		{"one film", [][]geom.Edge{edge}, pads, 0},
		{"two films of two shapes", [][]geom.Edge{edge, inner}, pads, 0},
		{"two shapes, of which two films draw one", [][]geom.Edge{edge, concat(edge, inner)}, pads, 20 * mm},
		{"two shapes that two films draw: the smaller", [][]geom.Edge{concat(edge, inner), concat(edge, inner)}, pads, 18 * mm},
		{"copper outside of it", [][]geom.Edge{edge, edge}, append(pads[:2:2], geom.Pt(21*mm, 5*mm)), 0},
		{"copper on its edge", [][]geom.Edge{edge, edge}, append(pads[:2:2], geom.Pt(20*mm, 5*mm)), 20 * mm},
		{"the frame of a sheet", [][]geom.Edge{rect(-100*mm, -100*mm, 300*mm, 200*mm), rect(-100*mm, -100*mm, 300*mm, 200*mm)}, pads, 0},
		{"no copper", [][]geom.Edge{edge, edge}, nil, 0},
		{"shapes that are open", [][]geom.Edge{edge[:2], edge[:2]}, pads, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(nil, c.pads...)
			var layerFiles []*pcb.Layer
			for _, e := range c.layerFiles {
				l := lines(pcb.RoleAssembly, e)
				b.Layers, layerFiles = append(b.Layers, l), append(layerFiles, l)
			}
			took := edgeOfLayerFiles(t.Context(), b, layerFiles)
			if took != (c.width > 0) || took && b.Outline.Bounds().Width() != c.width {
				t.Errorf("taken %v, the board lies in %v; want it %d nm wide", took, b.Outline.Bounds(), c.width)
			}
		})
	}
}

// TestCloseGaps: the nearest ends are joined where a gap is small by itself and against the longer
// of the chains.
func TestCloseGaps(t *testing.T) {
	t.Parallel()
	u := func(gap int64) geom.Path { // a square of 10 mm that lacks the last part of a side
		return chainOf(geom.Pt(0, 0), geom.Pt(10*mm, 0), geom.Pt(10*mm, 10*mm), geom.Pt(0, 10*mm), geom.Pt(0, gap))
	}
	for _, c := range []struct {
		name         string
		open         []geom.Path
		limit        int64
		closed, rest int
		gaps         int
		widest       int64
	}{
		{"its own ends", []geom.Path{u(mm / 2)}, mm, 1, 0, 1, mm / 2},
		{"as wide as is closed", []geom.Path{u(mm)}, mm, 1, 0, 1, mm},
		{"wider", []geom.Path{u(mm + 1)}, mm, 0, 1, 0, 0},
		{"two halves", []geom.Path{
			chainOf(geom.Pt(0, 0), geom.Pt(10*mm, 0), geom.Pt(10*mm, 10*mm)), chainOf(geom.Pt(0, mm/10), geom.Pt(0, 10*mm), geom.Pt(10*mm-mm/10, 10*mm)),
		}, mm, 1, 0, 2, mm / 10},
		{"two halves, one the other way round", []geom.Path{
			chainOf(geom.Pt(0, 0), geom.Pt(10*mm, 0), geom.Pt(10*mm, 10*mm)), chainOf(geom.Pt(10*mm-mm/10, 10*mm), geom.Pt(0, 10*mm), geom.Pt(0, mm/10)),
		}, mm, 1, 0, 2, mm / 10},
		{"a chain that is joined and stays open", []geom.Path{chainOf(geom.Pt(0, 0), geom.Pt(10*mm, 0)), chainOf(geom.Pt(10*mm+mm/10, 0), geom.Pt(30*mm, 0))}, mm, 0, 1, 1, mm / 10},
		{"the nearer of two", []geom.Path{
			chainOf(geom.Pt(0, 0), geom.Pt(10*mm, 0)), chainOf(geom.Pt(10*mm+mm/5, 0), geom.Pt(30*mm, 0)), chainOf(geom.Pt(10*mm, mm/10), geom.Pt(10*mm, 20*mm)),
		}, mm, 0, 2, 1, mm / 10},
		{"a gap too wide for short chains", []geom.Path{chainOf(geom.Pt(0, 0), geom.Pt(mm, 0)), chainOf(geom.Pt(mm+mm/20, 0), geom.Pt(2*mm, 0))}, mm, 0, 2, 0, 0},
		{"a gap that is just narrow enough for them", []geom.Path{chainOf(geom.Pt(0, 0), geom.Pt(mm, 0)), chainOf(geom.Pt(mm+mm/20-1, 0), geom.Pt(2*mm, 0))}, mm, 0, 1, 1, mm/20 - 1},
		{"a line does not close on itself", []geom.Path{chainOf(geom.Pt(0, 0), geom.Pt(mm/2, 0))}, mm, 0, 1, 0, 0},
		{"nothing", nil, mm, 0, 0, 0, 0},
	} {
		closed, rest, gaps := closeGaps(nil, c.open, c.limit, pcb.Meter{})
		widest := int64(0)
		for _, g := range gaps {
			widest = max(widest, g.Size)
		}
		if len(closed) != c.closed || len(rest) != c.rest || len(gaps) != c.gaps || widest != c.widest {
			t.Errorf("%s: %d closed, %d open, gaps %+v; want %d, %d, and %d gaps of at most %d nm", c.name, len(closed), len(rest), gaps, c.closed, c.rest, c.gaps, c.widest)
		}
		for _, p := range closed {
			if a := math.Abs(p.Area()); a < 90*float64(mm)*float64(mm) {
				t.Errorf("%s: what was closed is %v round %v nm², want a square of 10 mm", c.name, p, a)
			}
		}
	}
}

// TestTrimSpikes: lines that hang on a shape are taken off it, and lobes are not.
func TestTrimSpikes(t *testing.T) {
	t.Parallel()
	path := func(xy ...int64) geom.Path {
		p := geom.Path{Closed: true}
		for i := 0; i+1 < len(xy); i += 2 {
			p.LineTo(geom.Pt(xy[i]*mm, xy[i+1]*mm))
		}
		return p
	}
	for _, c := range []struct {
		name    string
		p       geom.Path
		corners int
	}{
		{"a square", path(0, 0, 10, 0, 10, 10, 0, 10), 4},
		{"a line out and back", path(0, 0, 10, 0, 20, 0, 10, 0, 10, 10, 0, 10), 4},
		{"a bent line out and back", path(0, 0, 10, 0, 20, 0, 20, 5, 20, 0, 10, 0, 10, 10, 0, 10), 4},
		{"one that the walk begins on", path(20, 0, 10, 0, 10, 10, 0, 10, 0, 0, 10, 0), 4},
		{"a lobe", path(0, 0, 10, 0, 20, -5, 20, 5, 10, 0, 10, 10, 0, 10), 7},
	} {
		got := trimSpikes(c.p)
		if got.Len() != c.corners || math.Abs(math.Abs(got.Area())-math.Abs(c.p.Area())) > 1e12 {
			t.Errorf("%s: %v becomes %v round %v nm², want %d corners round %v", c.name, c.p, got, got.Area(), c.corners, c.p.Area())
		}
	}
}

// TestBoardsOfAnOutline: pieces that may be boards of their own.
func TestBoardsOfAnOutline(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		sides []int64 // of squares, in mm
		want  int
	}{
		{"none", nil, 0}, {"one", []int64{20}, 1}, {"two alike", []int64{20, 20}, 2}, {"a small one beside", []int64{20, 4}, 1}, {"one of more than a twentieth", []int64{20, 5}, 2},
	} {
		var o pcb.Outline
		for i, s := range c.sides {
			o.Areas = append(o.Areas, geom.Polygon{Outer: squareOf(int64(i)*100*mm, 0, s*mm)})
		}
		if got := Boards(o); got != c.want {
			t.Errorf("%s: squares of %v mm are %d boards, want %d", c.name, c.sides, got, c.want)
		}
	}
}
