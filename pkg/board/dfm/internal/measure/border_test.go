package measure_test

import (
	"testing"

	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// TestBorderContains: points on the board of 40 by 30 mm, in its cutout and beside it.
func TestBorderContains(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.SetOutline(kit.Poly(0, 0, 40_000, 0, 40_000, 30_000, 0, 30_000), kit.Poly(10_000, 10_000, 20_000, 10_000, 20_000, 20_000, 10_000, 20_000))
	r := inputOf(t, k).Border()
	for _, c := range []struct {
		x, y       int64 // micrometres
		want, near bool  // near: within 1 mm of an edge
	}{
		{5_000, 5_000, true, false}, {15_000, 15_000, false, false}, {50_000, 5_000, false, false}, {-2_000, 5_000, false, false}, {39_500, 15_000, true, true}, {40_500, 15_000, false, true},
		{19_500, 15_000, false, true}, {20_500, 15_000, true, true}, {25_000, 15_000, true, false}, {5_000, 999, true, true}, {5_000, 1_001, true, false},
	} {
		p := geom.Pt(c.x*micron, c.y*micron)
		if got := r.Contains(p); got != c.want {
			t.Errorf("%d, %d um on the board: %v, want %v", c.x, c.y, got, c.want)
		}
		if got := r.Reaches(p, milli); got != c.near {
			t.Errorf("%d, %d um within 1 mm of the cut: %v, want %v", c.x, c.y, got, c.near)
		}
	}
	if middle, ok := r.CutoutAt(geom.Pt(20*milli, 12*milli)); !ok || middle != geom.Pt(15*milli, 15*milli) {
		t.Errorf("the cutout at its edge: middle %v, %v; want 15, 15 mm", middle, ok)
	}
	if middle, ok := r.CutoutAt(geom.Pt(40*milli, 12*milli)); ok {
		t.Errorf("the cutout at the outline: middle %v, want none", middle)
	}
	if r.IsEmpty() {
		t.Error("the border of a board of 40 by 30 mm is empty")
	}
}

// TestCutoutsThatAreNone: what is drawn into an outline and no cutter makes as a cutout.
func TestCutoutsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		side  int64 // of the square cutout round 20, 15 mm, in micrometres
		drill int64 // a hole in the same place, 0 for none
		want  bool  // the middle is on the board
	}{
		{"a cutout of 5 mm", 5_000, 0, false},
		{"as small as a cutter", 800, 0, false},
		{"smaller than a cutter", 799, 0, true},
		{"drilled", 3_000, 3_000, true},
		{"drilled, 0.15 mm smaller", 3_300, 3_000, true},
		{"with a smaller hole within", 3_302, 3_000, false},
		{"with a larger hole round it", 3_000, 3_302, false},
	} {
		k := kit.New()
		a, b := 20_000-c.side/2, 15_000-c.side/2
		k.SetOutline(geom.Rect(geom.Box{Max: geom.Pt(40*milli, 30*milli)}), kit.Poly(a, b, a+c.side, b, a+c.side, b+c.side, a, b+c.side))
		if c.drill > 0 {
			k.Hole(20*milli, 15*milli, c.drill*micron, pcb.NonPlated)
		}
		if got := inputOf(t, k).Border().Contains(geom.Pt(20*milli, 15*milli)); got != c.want {
			t.Errorf("%s: the middle of a cutout of %d um with a hole of %d um is on the board: %v, want %v", c.name, c.side, c.drill, got, c.want)
		}
	}
}

// TestBorderDistance: how far a pad is from the cut, and nothing beyond the reach.
func TestBorderDistance(t *testing.T) {
	t.Parallel()
	r := inputOf(t, kit.New()).Border()
	for _, c := range []struct {
		name string
		x    int64 // of a dot of 1 mm at 15 mm, in micrometres
		want int64 // micrometres
		ok   bool
	}{
		{"beyond the reach", 2_000, 0, false},
		{"half a millimetre", 1_000, 500, true},
		{"touching", 500, 0, true},
		{"cut", 300, -200, true},
		{"cut through its middle", 0, -500, true},
	} {
		s := shape.Circle(geom.Pt(c.x*micron, 15*milli), milli)
		d, _, onCut, ok := r.Distance(&s, float64(milli))
		if ok != c.ok || ok && (measure.Length(d) != c.want*micron || onCut.X != 0) {
			t.Errorf("%s: a dot at %d um is %v nm from %v of the cut, %v; want %d um from x = 0, %v", c.name, c.x, d, onCut, ok, c.want, c.ok)
		}
	}
}

// TestHalfHoles: holes of which the cut leaves a half.
func TestHalfHoles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		x, d int64 // micrometres
		kind pcb.HoleKind
		want bool
	}{
		{"on the edge", 0, 600, pcb.DrillHole, true},
		{"a quarter off", 150, 600, pcb.DrillHole, true},
		{"less than a half is cut", 160, 600, pcb.DrillHole, false},
		{"touching the edge", 300, 600, pcb.DrillHole, false},
		{"within the board", 1_000, 600, pcb.DrillHole, false},
		{"the smallest", 0, 250, pcb.DrillHole, true},
		{"a mistake", 0, 249, pcb.DrillHole, false},
		{"a slot", 0, 600, pcb.SlotHole, true},
		{"a way of the cutter", 0, 600, pcb.RoutedHole, false},
	} {
		k := kit.New()
		k.Hole(c.x*micron, 15*milli, c.d*micron, pcb.Plated).Kind = c.kind
		in := inputOf(t, k)
		if got := in.Border().CutsHole(&in.Drills().List[0]); got != c.want {
			t.Errorf("%s: a hole of %d um at %d um from the edge is cut: %v, want %v", c.name, c.d, c.x, got, c.want)
		}
	}
}

// TestHasLine: lines that run on the cut.
func TestHasLine(t *testing.T) {
	t.Parallel()
	r := inputOf(t, kit.New()).Border()
	for _, c := range []struct {
		name string
		e    geom.Edge
		want bool
	}{
		{"a part of an edge", geom.Line(geom.Pt(milli, 0), geom.Pt(9*milli, 0)), true},
		{"20 um beside it", geom.Line(geom.Pt(milli, 20*micron), geom.Pt(9*milli, 20*micron)), true},
		{"21 um beside it", geom.Line(geom.Pt(milli, 21*micron), geom.Pt(9*milli, 21*micron)), false},
		{"with one end off", geom.Line(geom.Pt(milli, 0), geom.Pt(9*milli, milli)), false},
		{"across a corner", geom.Line(geom.Pt(milli, 0), geom.Pt(0, milli)), false},
		{"longer than the edge", geom.Line(geom.Pt(-milli, 0), geom.Pt(9*milli, 0)), false},
	} {
		if got := r.HasLine(c.e); got != c.want {
			t.Errorf("%s: %v runs on the cut: %v, want %v", c.name, c.e, got, c.want)
		}
	}
}

// score draws a line on a layer of V-scores.
func score(k *kit.Kit, lines ...[4]int64) {
	s := artwork.NewSheet("scores", "scores.gbr", pcb.RoleVCut, pcb.NoSide)
	for _, l := range lines {
		s.Line(geom.Pt(l[0]*milli, l[1]*milli), geom.Pt(l[2]*milli, l[3]*milli), 100*micron, artwork.Meta{})
	}
	k.Layers = append(k.Layers, s.Layer)
}

// TestScores: lines that a blade can follow, and those that end within the board.
func TestScores(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		lines [][4]int64 // millimetres
		count int
		loose bool
	}{
		{"from edge to edge", [][4]int64{{0, 15, 40, 15}}, 1, false},
		{"beyond the edges", [][4]int64{{-3, 15, 43, 15}}, 1, false},
		{"2 mm from the edge", [][4]int64{{2, 15, 40, 15}}, 1, false},
		{"ends within the board", [][4]int64{{3, 15, 40, 15}}, 1, true},
		{"as long as a score is", [][4]int64{{0, 15, 10, 15}}, 1, true},
		{"too short: lettering", [][4]int64{{0, 15, 9, 15}}, 0, false},
		{"aslant: lettering", [][4]int64{{0, 0, 40, 30}}, 0, false},
		{"upright", [][4]int64{{20, 0, 20, 30}}, 1, false},
		{"ends at one that crosses", [][4]int64{{20, 0, 20, 30}, {0, 15, 20, 15}}, 2, false},
		{"goes on in another", [][4]int64{{0, 15, 20, 15}, {20, 15, 40, 15}}, 2, false},
		{"turns a corner", [][4]int64{{0, 15, 20, 15}, {20, 15, 20, 30}}, 2, true},
		{"none", nil, 0, false},
	} {
		k := kit.New()
		score(k, c.lines...)
		in := inputOf(t, k)
		if got, loose := len(in.Scored().Rims), in.LooseScore(); got != c.count || loose != c.loose {
			t.Errorf("%s: lines %v in mm: %d scores, one ends within the board %v; want %d, %v", c.name, c.lines, got, loose, c.count, c.loose)
		}
	}
}
