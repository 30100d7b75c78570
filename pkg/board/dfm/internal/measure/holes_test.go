package measure_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// TestDrillTable: which holes are looked at, and which of them come twice.
func TestDrillTable(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.Hole(milli, milli, 300*micron, pcb.Plated)
	k.Hole(milli, milli, 300*micron, pcb.NonPlated)
	k.Hole(milli, milli, 400*micron, pcb.Plated)
	k.Hole(2*milli, milli, 0, pcb.Plated)
	k.Hole(3*milli, milli, 300*micron, pcb.Plated).Function = pcb.FuncBackDrill
	k.Hole(4*milli, milli, 300*micron, pcb.Plated).Kind = pcb.SlotHole
	type row struct {
		At    int
		Twice bool
	}
	var got []row
	table := inputOf(t, k).Drills()
	for _, d := range table.List {
		got = append(got, row{d.At, d.Twice})
	}
	if diff := cmp.Diff([]row{{0, false}, {1, true}, {2, false}, {5, false}}, got); diff != "" {
		t.Errorf("holes of %+v (-want +got):\n%s", k.Holes, diff)
	}
	for _, c := range []struct {
		x, y int64 // micrometres
		want bool
	}{{1000, 1000, true}, {1199, 1000, true}, {1201, 1000, false}, {3000, 1000, false}, {4000, 1149, true}, {2000, 1000, false}} {
		if got := table.HasHoleAt(geom.Pt(c.x*micron, c.y*micron)); got != c.want {
			t.Errorf("a hole at %d, %d um: %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

// TestLead: which holes something is soldered into.
func TestLead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		h    pcb.Hole
		want bool
	}{
		{"as large as vias are", pcb.Hole{Diameter: 750 * micron}, false},
		{"larger", pcb.Hole{Diameter: 751 * micron}, true},
		{"of no plating", pcb.Hole{Diameter: milli, Plating: pcb.NonPlated}, false},
		{"of a part, as small as thermal vias", pcb.Hole{Diameter: 500 * micron, Function: pcb.FuncComponentDrill}, false},
		{"of a part", pcb.Hole{Diameter: 501 * micron, Function: pcb.FuncComponentDrill}, true},
		{"of a pin", pcb.Hole{Diameter: 501 * micron, Pin: 1}, true},
		{"of a via, however large", pcb.Hole{Diameter: 2 * milli, Function: pcb.FuncViaDrill}, false},
		{"a slot, however narrow", pcb.Hole{Diameter: 300 * micron, Kind: pcb.SlotHole}, true},
		{"a slot of no plating", pcb.Hole{Diameter: milli, Kind: pcb.SlotHole, Plating: pcb.NonPlated}, false},
	} {
		if got := (&measure.Drilled{Hole: &c.h}).Lead(); got != c.want {
			t.Errorf("%s: %+v takes a lead: %v, want %v", c.name, c.h, got, c.want)
		}
	}
}

// TestMeets: holes that pass a common sheet between two copper layers.
func TestMeets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b [2]int16
		want bool
	}{
		{[2]int16{0, 0}, [2]int16{2, 3}, true}, {[2]int16{1, 2}, [2]int16{0, 0}, true}, {[2]int16{1, 2}, [2]int16{1, 2}, true}, {[2]int16{1, 2}, [2]int16{2, 3}, false},
		{[2]int16{1, 3}, [2]int16{2, 4}, true}, {[2]int16{4, 2}, [2]int16{3, 1}, true}, {[2]int16{1, 2}, [2]int16{3, 4}, false},
	} {
		a := measure.Drilled{Hole: &pcb.Hole{From: c.a[0], To: c.a[1]}}
		b := measure.Drilled{Hole: &pcb.Hole{From: c.b[0], To: c.b[1]}}
		if got, back := a.Meets(&b), b.Meets(&a); got != c.want || back != c.want {
			t.Errorf("layers %v and %v: %v, and %v the other way; want %v", c.a, c.b, got, back, c.want)
		}
	}
}

// TestHoleDistance: the least web between two holes, slots among them.
func TestHoleDistance(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.Hole(0, 0, milli, pcb.Plated)
	k.Hole(3*milli, 0, milli, pcb.Plated)
	slot := k.Hole(0, 3*milli, milli, pcb.Plated)
	slot.Kind, slot.B = pcb.SlotHole, geom.Pt(9*milli, 3*milli)
	list := inputOf(t, k).Drills().List
	for _, c := range []struct {
		i, j  int
		reach float64
		want  int64 // -1 for beyond the reach
	}{{0, 1, 2e6, 2 * milli}, {0, 1, 1.9e6, -1}, {0, 2, 3e6, 2 * milli}, {1, 2, 3e6, 2 * milli}} {
		v, p, q, ok := list[c.i].Dist(&list[c.j], c.reach)
		if ok != (c.want >= 0) || ok && (measure.Length(v) != c.want || measure.Length(p.Dist(q)) != c.want) {
			t.Errorf("holes %d and %d within %v nm: %v from %v to %v, %v; want %d", c.i, c.j, c.reach, v, p, q, ok, c.want)
		}
	}
}

// TestBreaks: rows of holes along which a board is broken off.
func TestBreaks(t *testing.T) {
	t.Parallel()
	row := func(n int, x, y, step, d int64) func(*kit.Kit) {
		return func(k *kit.Kit) {
			for i := range int64(n) {
				k.Hole((x+i*step)*micron, y*micron, d*micron, pcb.NonPlated)
			}
		}
	}
	for _, c := range []struct {
		name  string
		draw  func(*kit.Kit)
		count int
	}{
		{"along the edge", row(5, 10_000, 300, 800, 500), 5},
		{"as few as there can be", row(3, 10_000, 300, 800, 500), 3},
		{"two are no row", row(2, 10_000, 300, 800, 500), 0},
		{"within the board", row(5, 10_000, 15_000, 800, 500), 0},
		{"as far from the edge as a tab ends", row(5, 10_000, 1_500, 800, 500), 5},
		{"farther than that", row(5, 10_000, 1_501, 800, 500), 0},
		{"as far apart as they may be", row(5, 10_000, 300, 1_100, 500), 5},
		{"farther apart", row(5, 10_000, 300, 1_101, 500), 0},
		{"touching each other", row(4, 10_000, 300, 500, 500), 0},
		{"as small as they may be", row(5, 10_000, 200, 500, 300), 5},
		{"smaller", row(5, 10_000, 200, 500, 299), 0},
		{"as large as they may be, as far apart as these may be", row(5, 10_000, 300, 3_300, 1_500), 5},
		{"larger", row(5, 10_000, 300, 2_000, 1_501), 0},
		{"across a narrow board", row(25, 1_400, 15_000, 1_550, 1_000), 25},
		{"across a wide one", row(20, 5_000, 15_000, 1_550, 1_000), 0},
		{"a row with another size in it", func(k *kit.Kit) {
			row(5, 10_000, 300, 800, 500)(k)
			k.Holes[2].Diameter = 600 * micron
		}, 0},
		{"slots", func(k *kit.Kit) {
			row(5, 10_000, 300, 800, 500)(k)
			for i := range k.Holes {
				k.Holes[i].Kind = pcb.SlotHole
			}
		}, 0},
		{"with copper round them", func(k *kit.Kit) {
			for i := range int64(5) {
				k.AddVia("a", 10_000+i*800, 300, 700, 500)
			}
		}, 0},
		{"without an outline", func(k *kit.Kit) {
			row(5, 10_000, 300, 800, 500)(k)
			k.Outline = pcb.Outline{}
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			c.draw(k)
			count := 0
			for _, b := range inputOf(t, k).Breaks() {
				if b {
					count++
				}
			}
			if count != c.count {
				t.Errorf("%d of %d holes break the board off, want %d: %+v", count, len(k.Holes), c.count, k.Holes[:min(2, len(k.Holes))])
			}
		})
	}
}

// TestOutside: holes that lie in the waste beside the board.
func TestOutside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		x, d int64 // at 15 mm, in micrometres
		draw func(*kit.Kit)
		want bool
	}{
		{"on the board", 5_000, 1_000, nil, false},
		{"on the edge", 40_000, 1_000, nil, false},
		{"touching the edge from beside", 40_500, 1_000, nil, false},
		{"beside it", 40_502, 1_000, nil, true},
		{"far beside it", 60_000, 1_000, nil, true},
		{"without a size", 60_000, 0, nil, false},
		{"in a cutout", 20_000, 1_000, func(k *kit.Kit) {
			k.SetOutline(k.Outline.Areas[0].Outer, kit.Poly(10_000, 10_000, 30_000, 10_000, 30_000, 20_000, 10_000, 20_000))
		}, false},
		{"of an outline that is not closed", 60_000, 1_000, func(k *kit.Kit) { k.Outline.Closed = false }, false},
		{"of no outline", 60_000, 1_000, func(k *kit.Kit) { k.Outline.Areas = nil }, false},
		{"of an outline that is doubted", 60_000, 1_000, func(k *kit.Kit) {
			k.Findings = append(k.Findings, pcb.Finding{Level: pcb.Warning, Code: "outline_elsewhere"})
		}, false},
		{"of one with a note", 60_000, 1_000, func(k *kit.Kit) {
			k.Findings = append(k.Findings, pcb.Finding{Level: pcb.Note, Code: "outline_elsewhere"})
		}, true},
		{"of another doubt", 60_000, 1_000, func(k *kit.Kit) {
			k.Findings = append(k.Findings, pcb.Finding{Level: pcb.Warning, Code: "drill_missing"})
		}, true},
		{"with a pad of its own there", 60_000, 1_000, func(k *kit.Kit) {
			k.Top.Flash(geom.Pt(60*milli, 15*milli), artwork.Circle(2*milli), 0, false, artwork.Meta{})
		}, true},
		{"joined to the board", 60_000, 1_000, func(k *kit.Kit) {
			k.Top.Line(geom.Pt(60*milli, 15*milli), geom.Pt(20*milli, 15*milli), milli, artwork.Meta{})
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			if c.draw != nil {
				c.draw(k)
			}
			k.Hole(c.x*micron, 15*milli, c.d*micron, pcb.Plated)
			in := inputOf(t, k)
			if got, unmade := in.Outside()[0], in.Unmade()[0]; got != c.want || unmade != c.want {
				t.Errorf("a hole of %d um at %d um beside a board of 40 mm: outside %v, not made %v; want %v", c.d, c.x, got, unmade, c.want)
			}
		})
	}
}

// route adds a way of the cutter through points in micrometres.
func route(k *kit.Kit, closed bool, d int64, plating pcb.Plating, xy ...int64) *pcb.Hole {
	way := kit.Poly(xy...)
	way.Closed = closed
	k.Routes = append(k.Routes, way)
	k.Holes = append(k.Holes, pcb.Hole{Kind: pcb.RoutedHole, Path: int32(len(k.Routes) - 1), Diameter: d * micron, Plating: plating, A: way.Points[0], B: way.Points[len(way.Points)-1]})
	return &k.Holes[len(k.Holes)-1]
}

// TestCutoutEdge: ways of the cutter that are the edge of a cutout rather than slots.
func TestCutoutEdge(t *testing.T) {
	t.Parallel()
	square := []int64{10_000, 10_000, 20_000, 10_000, 20_000, 20_000, 10_000, 20_000}
	for _, c := range []struct {
		name string
		draw func(*kit.Kit)
		want bool
	}{
		{"a square of 10 mm", func(k *kit.Kit) { route(k, true, 200, pcb.PlatingUnknown, square...) }, true},
		{"not plated", func(k *kit.Kit) { route(k, true, 200, pcb.NonPlated, square...) }, true},
		{"plated", func(k *kit.Kit) { route(k, true, 200, pcb.Plated, square...) }, false},
		{"stated to be a slot", func(k *kit.Kit) { route(k, true, 200, pcb.PlatingUnknown, square...).Function = pcb.FuncSlot }, false},
		{"open by far", func(k *kit.Kit) { route(k, false, 200, pcb.PlatingUnknown, square...) }, false},
		{"open by half the cutter", func(k *kit.Kit) { route(k, false, 200, pcb.PlatingUnknown, append(square, 10_000, 10_100)...) }, true},
		{"open by more", func(k *kit.Kit) { route(k, false, 200, pcb.PlatingUnknown, append(square, 10_000, 10_101)...) }, false},
		{"two corners", func(k *kit.Kit) { route(k, true, 200, pcb.PlatingUnknown, square[:4]...) }, false},
		{"as wide as five cutters", func(k *kit.Kit) { route(k, true, 1_000, pcb.PlatingUnknown, square...) }, true}, // 2 × 100 mm² / 40 mm = 5 mm
		{"narrower than that", func(k *kit.Kit) { route(k, true, 1_001, pcb.PlatingUnknown, square...) }, false},
		{"no cutter", func(k *kit.Kit) { route(k, true, 0, pcb.PlatingUnknown, square...) }, false},
		{"copper within", func(k *kit.Kit) {
			route(k, true, 200, pcb.PlatingUnknown, square...)
			k.Pad(15*milli, 15*milli, milli, 0, "a")
		}, false},
		{"copper beside", func(k *kit.Kit) {
			route(k, true, 200, pcb.PlatingUnknown, square...)
			k.Pad(25*milli, 15*milli, milli, 0, "a")
		}, true},
		{"a drilled hole", func(k *kit.Kit) { k.Hole(15*milli, 15*milli, 5*milli, pcb.NonPlated) }, false},
	} {
		k := kit.New()
		c.draw(k)
		if got := inputOf(t, k).CutoutEdge(0, 0); got != c.want {
			t.Errorf("%s: %+v along %v is the edge of a cutout: %v, want %v", c.name, k.Holes[0], k.Routes, got, c.want)
		}
	}
	k := kit.New()
	route(k, true, 200, pcb.PlatingUnknown, square...)
	for mills, want := range map[int64]bool{5 * milli: true, 5*milli + 1: false} {
		if got := inputOf(t, k).CutoutEdge(0, mills); got != want {
			t.Errorf("a square of 10 mm where %d nm can be milled is the edge of a cutout: %v, want %v", mills, got, want)
		}
	}
}

// TestBare: ways of the cutter that nothing says are plated.
func TestBare(t *testing.T) {
	t.Parallel()
	way := []int64{10_000, 10_000, 20_000, 10_000}
	for _, c := range []struct {
		name string
		draw func(*kit.Kit)
		want bool
	}{
		{"nothing says", func(k *kit.Kit) { route(k, false, 1_000, pcb.PlatingUnknown, way...) }, true},
		{"plated", func(k *kit.Kit) { route(k, false, 1_000, pcb.Plated, way...) }, false},
		{"not plated, and said so", func(k *kit.Kit) { route(k, false, 1_000, pcb.NonPlated, way...) }, false},
		{"copper that it meets", func(k *kit.Kit) {
			route(k, false, 1_000, pcb.PlatingUnknown, way...)
			for _, s := range []*artwork.Sheet{k.Top, k.Bottom} {
				s.Flash(geom.Pt(15*milli, 10*milli), artwork.Obround(12*milli, 2*milli), 0, false, artwork.Meta{})
			}
		}, false},
		{"copper that it meets on one side alone", func(k *kit.Kit) {
			route(k, false, 1_000, pcb.PlatingUnknown, way...)
			k.Top.Flash(geom.Pt(15*milli, 10*milli), artwork.Obround(12*milli, 2*milli), 0, false, artwork.Meta{})
		}, true},
		{"a slot", func(k *kit.Kit) { k.Hole(15*milli, 10*milli, milli, pcb.PlatingUnknown).Kind = pcb.SlotHole }, false},
	} {
		k := kit.New()
		c.draw(k)
		if got := inputOf(t, k).Bare(0); got != c.want {
			t.Errorf("%s: %+v is bare: %v, want %v", c.name, k.Holes[0], got, c.want)
		}
	}
}

// TestCutsAlongTheEdge: ways of the cutter along the board's edge are no holes.
func TestCutsAlongTheEdge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		draw func(*kit.Kit)
		want bool
	}{
		{"all round", func(k *kit.Kit) {
			route(k, true, 1_000, pcb.PlatingUnknown, 0, 0, 40_000, 0, 40_000, 30_000, 0, 30_000)
		}, true},
		{"a piece of the edge", func(k *kit.Kit) { route(k, false, 1_000, pcb.Plated, 10_000, 0, 15_000, 0) }, true},
		{"shorter than a slot in the edge", func(k *kit.Kit) { route(k, false, 1_000, pcb.Plated, 10_000, 0, 14_999, 0) }, false},
		{"beside the edge", func(k *kit.Kit) { route(k, false, 1_000, pcb.Plated, 10_000, 21, 20_000, 21) }, false},
		{"across the board", func(k *kit.Kit) { route(k, false, 1_000, pcb.Plated, 0, 15_000, 40_000, 15_000) }, false},
		{"with copper in it", func(k *kit.Kit) {
			route(k, false, 1_000, pcb.Plated, 10_000, 0, 20_000, 0)
			k.Top.Line(geom.Pt(10*milli, 0), geom.Pt(20*milli, 0), 2*milli, artwork.Meta{})
		}, false},
		{"of a doubtful outline", func(k *kit.Kit) {
			route(k, false, 1_000, pcb.Plated, 10_000, 0, 15_000, 0)
			k.Outline.Closed = false
		}, false},
	} {
		k := kit.New()
		c.draw(k)
		if got := inputOf(t, k).Unmade()[0]; got != c.want {
			t.Errorf("%s: %+v along %v is no hole of the board: %v, want %v", c.name, k.Holes[0], k.Routes, got, c.want)
		}
	}
}

// TestReachOf: how far a covered stretch goes, by how much room there is round its points.
func TestReachOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		end, far, enough float64 // the stretch ends at end
		least, most      float64
	}{
		{"to its end", 123_456, 1e6, 1e6, 122_956, 123_456},
		{"no farther than it is looked", 123_456, 100_000, 1e6, 100_000, 100_000},
		{"not followed beyond enough", 1e9, 1e9, 50_000, 50_000, 1e9},
		{"nothing is covered", -1, 1e6, 1e6, 0, 500},
	} {
		room := func(w float64) float64 {
			if w > c.end {
				return math.Inf(-1)
			}
			return min(c.end-w, 20_000)
		}
		if got := measure.ReachOf(room, c.far, c.enough); got < c.least || got > c.most {
			t.Errorf("%s: a stretch of %v nm, looked at to %v and %v: %v, want %v to %v", c.name, c.end, c.far, c.enough, got, c.least, c.most)
		}
	}
}
