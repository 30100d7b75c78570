package hole

import (
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

var unmadeLimits = map[dfm.Name]int64{
	dfm.DrillSize: 150 * kit.Micron, dfm.AspectRatio: 12_000, dfm.HoleToHole: 200 * kit.Micron, dfm.AnnularRing: 100 * kit.Micron, dfm.ViaRing: 100 * kit.Micron,
}

// TestSwallowedHoles: a hit wholly inside a larger hole of the same layers and plating is
// no hole of its own; one that reaches beyond it, or is made otherwise, is.
func TestContainedHoles(t *testing.T) {
	t.Parallel()
	const small = 100 // micrometres, as all here
	for _, c := range []struct {
		name            string
		x, d            int64 // of the larger hole, at y 5000; the small one is at 5000, 5000
		long            int64 // of the larger hole when it is a slot
		plating         pcb.Plating
		from, to        int16
		gone, toldTwice bool
	}{
		{"beside the middle", 5019, 559, 0, pcb.Plated, 0, 0, true, false},
		{"up to the wall", 5229, 559, 0, pcb.Plated, 0, 0, true, false},
		{"beyond the wall", 5232, 559, 0, pcb.Plated, 0, 0, false, false},
		{"in a slot", 4000, 600, 2000, pcb.Plated, 0, 0, true, false},
		{"beside a slot", 2000, 600, 2740, pcb.Plated, 0, 0, false, false},
		{"of no stated plating", 5019, 559, 0, pcb.PlatingUnknown, 0, 0, true, false},
		{"not plated", 5019, 559, 0, pcb.NonPlated, 0, 0, false, false},
		{"through, as its layers say", 5019, 559, 0, pcb.Plated, 1, 2, true, false},
		{"blind", 5019, 559, 0, pcb.Plated, 1, 3, false, false},
		{"of the same middle", 5000, 559, 0, pcb.Plated, 0, 0, true, true},
		{"no larger", 5000, small, 0, pcb.Plated, 0, 0, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			g := k.Hole(c.x*kit.Micron, 5*kit.Milli, c.d*kit.Micron, c.plating)
			if g.From, g.To = c.from, c.to; c.long > 0 {
				g.Kind, g.B = pcb.SlotHole, geom.Pt((c.x+c.long)*kit.Micron, 5*kit.Milli)
			}
			if c.to == 3 { // of four layers
				for range 2 {
					l := pcb.NewLayer("inner", "inner.gbr")
					l.Role = pcb.RoleCopper
					k.Layers = append(k.Layers, l)
				}
			}
			k.Hole(5*kit.Milli, 5*kit.Milli, small*kit.Micron, pcb.Plated).Tool = 1
			count := 1
			if c.gone {
				count = 0
			}
			if c.d == small {
				count = 2
			}
			r := k.Judge(sizes, unmadeLimits)
			kit.WantBad(t, &r, dfm.DrillSize, dfm.MustFix, count)
			kit.WantBad(t, &r, dfm.AspectRatio, dfm.MustFix, count)
			r = k.Judge(strays, unmadeLimits)
			reported := false
			for _, f := range r.Findings {
				reported = reported || f.Level == dfm.Note && strings.HasPrefix(f.What, "1 hit (tool T1) lies wholly within a larger hole")
			}
			if reported != (c.gone && !c.toldTwice) {
				t.Errorf("said %v, want %v: %+v", reported, c.gone && !c.toldTwice, r.Findings)
			}
		})
	}
}

// TestSwallowedBeside: a hit within a larger hole has neither a ring nor a web of board
// to its neighbours; the larger hole has.
func TestContainedBeside(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.AddVia("a", 5000, 5000, 1000, 600)
	k.Hole(5180*kit.Micron, 5*kit.Milli, 100*kit.Micron, pcb.Plated)
	k.AddVia("b", 5600, 5000, 800, 300)
	r := k.Judge(spacings, unmadeLimits)
	if f := kit.Want(t, &r, dfm.HoleToHole, dfm.Warning, 1); len(f.Places) != 1 || f.Places[0].Value != 150*kit.Micron {
		t.Errorf("a hole inside of a larger one: %+v, want one place of 150 µm, from the larger hole to its neighbour", f)
	}
	r = k.Judge(rings, map[dfm.Name]int64{dfm.ViaRing: 250 * kit.Micron})
	for _, f := range r.Findings {
		for _, p := range f.Places {
			if p.At == geom.Pt(5180*kit.Micron, 5*kit.Milli) {
				t.Errorf("a ring of the hit: %+v, want none at %v", f, p.At)
			}
		}
	}
}

// TestHolesInTheWaste: holes wholly beside every piece of a board are not made, when the
// outline is certain and nothing joins them to the board.
func TestHolesInTheWaste(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		x     int64 // micrometres; the board ends at 40,000
		draw  func(k *kit.Kit)
		count int
	}{
		{"inside", 39_000, nil, 1},
		{"on the edge", 40_040, nil, 1},
		{"outside", 40_100, nil, 0},
		{"far outside", 60_000, nil, 0},
		{"in a cutout", 20_000, func(k *kit.Kit) {
			k.SetOutline(k.Outline.Areas[0].Outer, kit.Poly(18000, 3000, 22000, 3000, 22000, 7000, 18000, 7000))
		}, 1},
		{"on the second piece", 60_000, func(k *kit.Kit) {
			k.Outline.Areas = append(k.Outline.Areas, geom.Polygon{Outer: kit.Poly(55000, 0, 65000, 0, 65000, 10000, 55000, 10000)})
		}, 1},
		{"outside, with a pad of its own", 60_000, func(k *kit.Kit) { k.AddVia("", 60_000, 5000, 400, 100) }, 0},
		{"outside, a track leads to the board", 60_000, func(k *kit.Kit) {
			k.AddVia("a", 60_000, 5000, 400, 100)
			k.Track("a", 30_000, 5000, 60_000, 5000, 200)
		}, 2},
		{"an outline that is not closed", 60_000, func(k *kit.Kit) { k.Outline.Closed = false }, 1},
		{"an outline from elsewhere", 60_000, func(k *kit.Kit) {
			k.Findings = append(k.Findings, pcb.Finding{Code: "outline_elsewhere", Level: pcb.Warning})
		}, 1},
		{"no outline", 60_000, func(k *kit.Kit) { k.Outline = pcb.Outline{} }, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Hole(c.x*kit.Micron, 5*kit.Milli, 100*kit.Micron, pcb.Plated)
			if c.draw != nil {
				c.draw(k)
			}
			r := k.Judge(sizes, unmadeLimits)
			kit.WantBad(t, &r, dfm.DrillSize, dfm.MustFix, c.count)
			kit.WantBad(t, &r, dfm.AspectRatio, dfm.MustFix, c.count)
		})
	}
}

// TestCutsAlongTheEdge: a way of the cutter along the board's edge is no slot; one that
// leaves the edge, is short, or has copper in it may be.
func TestCutsAlongTheEdge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		way   []int64 // micrometres
		draw  func(k *kit.Kit)
		count int
	}{
		{"all round", []int64{0, 0, 40_000, 0, 40_000, 30_000, 0, 30_000, 0, 0}, nil, 0},
		{"a piece between tabs", []int64{10_000, 0, 40_000, 0, 40_000, 20_000}, nil, 0},
		{"beside the edge", []int64{10_000, 500, 30_000, 500}, nil, 1},
		{"into the board", []int64{10_000, 0, 20_000, 0, 20_000, 10_000}, nil, 1},
		{"short", []int64{10_000, 0, 14_000, 0}, nil, 1},
		{"of an outline that is not certain", []int64{0, 0, 40_000, 0}, func(k *kit.Kit) { k.Outline.Closed = false }, 1},
		{"with copper", []int64{10_000, 0, 20_000, 0}, func(k *kit.Kit) {
			k.Track("a", 10_000, 0, 20_000, 0, 1000)
			k.Holes[0].Net = k.Net("a")
		}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			h := k.Hole(c.way[0]*kit.Micron, c.way[1]*kit.Micron, 400*kit.Micron, pcb.Plated)
			h.Kind = pcb.RoutedHole
			p := kit.Poly(c.way...)
			p.Closed = false
			k.Routes = append(k.Routes, p)
			if c.draw != nil {
				c.draw(k)
			}
			r := k.Judge(slots, map[dfm.Name]int64{dfm.SlotWidth: 500 * kit.Micron})
			kit.WantBad(t, &r, dfm.SlotWidth, dfm.MustFix, c.count)
		})
	}
}

// TestCutoutEdges: a way of the cutter that closes on itself round far more than the
// cutter's width is the edge of a cutout, which is said; one that is said to be plated, does
// not close, encloses little, or has copper in it is a slot.
func TestCutoutEdges(t *testing.T) {
	t.Parallel()
	long := []int64{10_000, 10_000, 30_000, 10_000, 30_000, 12_000, 10_000, 12_000, 10_000, 10_000}
	for _, c := range []struct {
		name       string
		way        []int64 // micrometres
		cutter     int64
		plating    pcb.Plating
		draw       func(k *kit.Kit)
		slot, deep int // must_fix
		note       int
	}{
		{"a long cutout", long, 100, pcb.PlatingUnknown, nil, 0, 0, 1},
		{"turned the other way", []int64{10_000, 10_000, 10_000, 12_000, 30_000, 12_000, 30_000, 10_000, 10_000, 10_000}, 100, pcb.PlatingUnknown, nil, 0, 0, 1},
		{"not plated", long, 100, pcb.NonPlated, nil, 0, 0, 1},
		{"plated", long, 100, pcb.Plated, nil, 1, 1, 0},
		{"of a cutter that there is", long, 1000, pcb.PlatingUnknown, nil, 0, 0, 0},
		{"open", long[:8], 100, pcb.PlatingUnknown, nil, 1, 0, 0},
		{"there and back", []int64{10_000, 10_000, 30_000, 20_000, 10_000, 10_000}, 100, pcb.PlatingUnknown, nil, 1, 0, 0},
		{"hardly wider than the cutter", []int64{10_000, 10_000, 30_000, 10_000, 30_000, 10_900, 10_000, 10_900, 10_000, 10_000}, 200, pcb.PlatingUnknown, nil, 1, 0, 0},
		{"narrower than can be milled", []int64{10_000, 10_000, 30_000, 10_000, 30_000, 10_450, 10_000, 10_450, 10_000, 10_000}, 50, pcb.PlatingUnknown, nil, 1, 0, 0},
		{"round copper", long, 100, pcb.PlatingUnknown, func(k *kit.Kit) { k.Track("a", 19_000, 11_000, 20_000, 11_000, 200) }, 1, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			h := k.Hole(c.way[0]*kit.Micron, c.way[1]*kit.Micron, c.cutter*kit.Micron, c.plating)
			h.Kind = pcb.RoutedHole
			p := kit.Poly(c.way...)
			p.Closed = false
			k.Routes = append(k.Routes, p)
			if c.draw != nil {
				c.draw(k)
			}
			limits := map[dfm.Name]int64{dfm.SlotWidth: 500 * kit.Micron, dfm.NPTHSlotWidth: 500 * kit.Micron, dfm.AspectRatio: 12_000}
			r := k.Judge(slots, limits)
			kit.WantBad(t, &r, dfm.SlotWidth, dfm.MustFix, c.slot)
			kit.Want(t, &r, dfm.NPTHSlotWidth, dfm.Warning, 0)
			kit.Want(t, &r, dfm.SlotWidth, dfm.Note, c.note)
			deep := k.Judge(sizes, limits)
			kit.WantBad(t, &deep, dfm.AspectRatio, dfm.MustFix, c.deep)
		})
	}
}
