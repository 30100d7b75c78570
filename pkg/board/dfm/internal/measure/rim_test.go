package measure

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestRims: the edges of a piece of board and its cutout, whichever way round they are drawn.
func TestRims(t *testing.T) {
	t.Parallel()
	outer, inner := poly(0, 0, 9000, 0, 9000, 9000, 0, 9000), poly(3000, 3000, 6000, 3000, 6000, 6000, 3000, 6000)
	for _, c := range []struct {
		name string
		a    geom.Polygon
	}{
		{"both to the left", geom.Polygon{Outer: outer, Holes: []geom.Path{inner}}},
		{"the outline to the right", geom.Polygon{Outer: outer.Reverse(), Holes: []geom.Path{inner}}},
		{"the cutout to the right", geom.Polygon{Outer: outer, Holes: []geom.Path{inner.Reverse()}}},
	} {
		rims := Rims(c.a)
		if len(rims) != 8 {
			t.Errorf("%s: %d edges of two squares, want 8", c.name, len(rims))
			continue
		}
		for i := range rims {
			r := &rims[i]
			into := r.Mid().Add(r.InnerNormal(r.Mid()).Point(1000))
			if !c.a.Contains(into) {
				t.Errorf("%s: a micrometre from the middle of edge %d, %v, is %v, want it on the board", c.name, i, r.Edge, into)
			}
			if rims[r.Next].Prev != i || rims[r.Prev].Next != i || rims[r.Next].A != r.B {
				t.Errorf("%s: edge %d comes after %d and before %d, want a ring", c.name, i, r.Prev, r.Next)
			}
			dent := -math.Pi / 2 // a corner of the board
			if i >= 4 {
				dent = math.Pi / 2 // one that the board encloses
			}
			if got := Dent(r, &rims[r.Next]); math.Abs(got-dent) > 1e-9 {
				t.Errorf("%s: the corner after edge %d turns out by %v, want %v", c.name, i, got, dent)
			}
		}
	}
}

// TestRimsLeaveOut: edges without length are none.
func TestRimsLeaveOut(t *testing.T) {
	t.Parallel()
	rims := Rims(geom.Polygon{Outer: poly(0, 0, 9000, 0, 9000, 0, 9000, 9000)})
	if len(rims) != 3 || rims[0].Next != 1 || rims[2].Next != 0 {
		t.Errorf("edges of a triangle with a corner twice: %+v, want 3 in a ring", rims)
	}
	if got := Rims(geom.Polygon{}); got != nil {
		t.Errorf("edges of nothing: %+v, want none", got)
	}
}

// TestRimArcs: directions, places and bends along a rim that is round.
func TestRimArcs(t *testing.T) {
	t.Parallel()
	const r = 1000 * geom.Micrometre
	for _, c := range []struct {
		name      string
		clockwise bool
		inward    float64
		tangent   Vector // at the right
		middle    geom.Point
		bend      float64
	}{
		{"a disc", false, 1, Vector{0, 1}, geom.Pt(0, r), -math.Pi},
		{"a round cutout", true, 1, Vector{0, -1}, geom.Pt(0, -r), math.Pi},
		{"a round cutout drawn the other way", false, -1, Vector{0, 1}, geom.Pt(0, r), math.Pi},
	} {
		rim := Rim{Edge: geom.ArcEdge(geom.Pt(r, 0), geom.Pt(-r, 0), geom.Pt(0, 0), c.clockwise), Inward: c.inward}
		if got := rim.Tangent(rim.A); math.Abs(got.X-c.tangent.X)+math.Abs(got.Y-c.tangent.Y) > 1e-9 {
			t.Errorf("%s: tangent at its begin %v, want %v", c.name, got, c.tangent)
		}
		if got := rim.PointAt(0.5); got.Dist(c.middle) > 1 {
			t.Errorf("%s: half way along it is %v, want %v", c.name, got, c.middle)
		}
		if got := rim.Bend(); math.Abs(got-c.bend) > 1e-9 {
			t.Errorf("%s: it bends outwards by %v, want %v", c.name, got, c.bend)
		}
	}
	straight := Rim{Edge: geom.Line(geom.Pt(0, 0), geom.Pt(10, 20))}
	for part, want := range map[float64]geom.Point{0: {}, 0.5: {X: 5, Y: 10}, 1: {X: 10, Y: 20}} {
		if got := straight.PointAt(part); got != want {
			t.Errorf("%v of the way along %v: %v, want %v", part, straight.Edge, got, want)
		}
	}
	if got := straight.Bend(); got != 0 {
		t.Errorf("a straight edge bends by %v, want 0", got)
	}
}

func TestVectors(t *testing.T) {
	t.Parallel()
	x, y := Vector{1, 0}, Vector{0, 1}
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"Direction(3, 4)", Direction(geom.Pt(3, 4)), Vector{0.6, 0.8}},
		{"Direction(0, 0)", Direction(geom.Pt(0, 0)), Vector{}},
		{"x·x", x.Dot(x), 1.0},
		{"x·y", x.Dot(y), 0.0},
		{"x×y: y is to the left of x", x.Cross(y), 1.0},
		{"y×x", y.Cross(x), -1.0},
		{"2x", x.Times(2), Vector{2, 0}},
		{"x to the left", x.TurnLeft(), y},
		{"y to the left", y.TurnLeft(), Vector{-1, 0}},
		{"x, 5 long", x.Point(5), geom.Pt(5, 0)},
		{"from x to y", x.turnTo(y), math.Pi / 2},
		{"from y to x", y.turnTo(x), -math.Pi / 2},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestUnion: sets have the number of their lowest member, in whatever order they are joined.
func TestUnion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		joins [][2]int
		want  []int
	}{
		{nil, []int{0, 1, 2, 3, 4}},
		{[][2]int{{3, 1}, {4, 3}}, []int{0, 1, 2, 1, 1}},
		{[][2]int{{4, 3}, {3, 1}}, []int{0, 1, 2, 1, 1}},
		{[][2]int{{1, 2}, {3, 4}, {2, 4}}, []int{0, 1, 1, 1, 1}},
		{[][2]int{{2, 2}, {0, 2}, {2, 0}}, []int{0, 1, 0, 3, 4}},
	} {
		u := newUnion(5)
		for _, j := range c.joins {
			u.join(j[0], j[1])
		}
		var got []int
		for i := range u {
			got = append(got, u.find(i))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("sets after joins %v (-want +got):\n%s", c.joins, diff)
		}
	}
}

func TestFloor(t *testing.T) {
	t.Parallel()
	for in, want := range map[int64]int64{0: 0, 9: 0, 10: 1, 19: 1, -1: -1, -10: -1, -11: -2, -20: -2} {
		if got := floor(in, 10); got != want {
			t.Errorf("floor(%d, 10) = %d, want %d", in, got, want)
		}
	}
}

// TestHoleAt: the hole whose middle is nearest to a place, within 20 um.
func TestHoleAt(t *testing.T) {
	t.Parallel()
	b := pcb.NewBoard("x")
	for i, x := range []int64{0, 1_000, 1_015, -5_000} {
		p := geom.Pt(x*geom.Micrometre, 0)
		b.Holes = append(b.Holes, pcb.Hole{A: p, B: p, Tool: int32(i)})
	}
	b.Holes = append(b.Holes, pcb.Hole{A: geom.Pt(9*geom.Millimetre, 0), B: geom.Pt(11*geom.Millimetre, 0), Tool: 4})
	m := newHoleMap(b, pcb.Meter{})
	for _, c := range []struct {
		x, y int64 // micrometres
		want int32 // -1 for none
	}{
		{0, 0, 0}, {19, 0, 0}, {-19, 0, 0}, {0, 19, 0}, {20, 0, -1}, {14, 14, 0}, {15, 15, -1}, {1_007, 0, 1}, {1_008, 0, 2}, {-5_010, 3, 3}, {10_000, 0, 4}, {9_000, 0, -1},
	} {
		got := int32(-1)
		if h := m.holeAt(geom.Pt(c.x*geom.Micrometre, c.y*geom.Micrometre)); h != nil {
			got = h.Tool
		}
		if got != c.want {
			t.Errorf("the hole at %d, %d um is %d, want %d", c.x, c.y, got, c.want)
		}
	}
}

// TestRimPoints: places on the rim of a stroke are as far from its middle line as its pen reaches.
func TestRimPoints(t *testing.T) {
	t.Parallel()
	const r = 100_000.0
	for _, e := range []geom.Edge{
		geom.Line(geom.Pt(0, 0), geom.Pt(geom.Millimetre, 0)),
		geom.Line(geom.Pt(0, 0), geom.Pt(0, -geom.Millimetre)),
		geom.ArcEdge(geom.Pt(geom.Millimetre, 0), geom.Pt(0, geom.Millimetre), geom.Pt(0, 0), false),
		geom.ArcEdge(geom.Pt(geom.Millimetre, 0), geom.Pt(0, -geom.Millimetre), geom.Pt(0, 0), true),
	} {
		points, ends, rim := 0, 0, 0
		all := visitRimPoints(e, r, func(p geom.Point) bool {
			points++
			switch _, d := e.Nearest(p); {
			case min(p.Dist(e.A), p.Dist(e.B)) <= r+2 && math.Abs(d-r) < 2 && points <= 2:
				ends++
			case math.Abs(d-r) < 2:
				rim++
			case d > 2:
				t.Errorf("a place along %v is %v nm from it, want 0 or %v", e, d, r)
			}
			return true
		})
		if !all || ends != 2 || points != rimPoints+2 || rim != 2*(rimParts+1) {
			t.Errorf("along %v: %d places, %d at its ends and %d on its rim, all %v; want %d, 2 and %d, all", e, points, ends, rim, all, rimPoints+2, 2*(rimParts+1))
		}
		if visitRimPoints(e, r, func(geom.Point) bool { return false }) {
			t.Errorf("along %v: visitRimPoints = true though the first place is refused, want false", e)
		}
	}
}
