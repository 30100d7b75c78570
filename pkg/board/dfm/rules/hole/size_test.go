package hole

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

func TestDrills(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.DrillSize: 200 * kit.Micron, dfm.NPTHDrillSize: 500 * kit.Micron, dfm.DrillMaximum: 6 * kit.Milli, dfm.AspectRatio: 8000}
	for _, c := range []struct {
		name     string
		diameter int64
		plating  pcb.Plating
		span     [2]int16
		check    dfm.Name
		level    dfm.Level
	}{
		{"good", 200 * kit.Micron, pcb.Plated, [2]int16{}, "", dfm.Note},
		{"within rounding", 199*kit.Micron + 500, pcb.Plated, [2]int16{}, "", dfm.Note},
		{"small", 198 * kit.Micron, pcb.Plated, [2]int16{}, dfm.DrillSize, dfm.MustFix},
		{"small, plating not stated", 198 * kit.Micron, pcb.PlatingUnknown, [2]int16{}, dfm.DrillSize, dfm.MustFix},
		{"small, non-plated", 498 * kit.Micron, pcb.NonPlated, [2]int16{}, dfm.NPTHDrillSize, dfm.Warning},
		{"non-plated", 500 * kit.Micron, pcb.NonPlated, [2]int16{}, "", dfm.Note},
		{"large", 6002 * kit.Micron, pcb.NonPlated, [2]int16{}, dfm.DrillMaximum, dfm.Note},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			h := k.Hole(5*kit.Milli, 5*kit.Milli, c.diameter, c.plating)
			h.From, h.To = c.span[0], c.span[1]
			r := k.Judge(sizes, of)
			for _, n := range []dfm.Name{dfm.DrillSize, dfm.NPTHDrillSize, dfm.DrillMaximum} {
				count := 0
				if n == c.check {
					count = 1
				}
				kit.Want(t, &r, n, c.level, count)
			}
		})
	}
}

// TestBackDrillsAreNoHoles: what is drilled a second time is as wide as its plated hole and
// some more, and is no hole by itself.
func TestBackDrillsAreNoHoles(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.Hole(5*kit.Milli, 5*kit.Milli, 356*kit.Micron, pcb.NonPlated).Function = pcb.FuncBackDrill
	r := k.Judge(sizes, map[dfm.Name]int64{dfm.NPTHDrillSize: 500 * kit.Micron})
	kit.Want(t, &r, dfm.NPTHDrillSize, dfm.Warning, 0)
}

func TestAspectRatio(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.Facts.CopperLayers = pcb.State(4, pcb.Source{}, 1, "")
	k.Hole(5*kit.Milli, 5*kit.Milli, 200*kit.Micron, pcb.Plated)
	blind := k.Hole(6*kit.Milli, 5*kit.Milli, 100*kit.Micron, pcb.Plated)
	blind.From, blind.To = 1, 2
	r := k.Judge(sizes, map[dfm.Name]int64{dfm.AspectRatio: 7900})
	if f := kit.Want(t, &r, dfm.AspectRatio, dfm.MustFix, 1); f.Value != 8000 {
		t.Errorf("1.6 mm by 0.2 mm is %d, want 8000", f.Value)
	}
	k.Stackup = []pcb.StackupLayer{
		{Kind: pcb.StackCopper, Order: 1, Thickness: pcb.State(35*kit.Micron, pcb.Source{}, 1, "")},
		{Kind: pcb.StackPrepreg, Thickness: pcb.State(1000*kit.Micron, pcb.Source{}, 1, "")},
		{Kind: pcb.StackCopper, Order: 2, Thickness: pcb.State(15*kit.Micron, pcb.Source{}, 1, "")},
	}
	r = k.Judge(sizes, map[dfm.Name]int64{dfm.AspectRatio: 7900})
	if f := kit.Want(t, &r, dfm.AspectRatio, dfm.MustFix, 2); f.Value != 10500 {
		t.Errorf("1.05 mm by 0.1 mm of the blind via is %d, want 10500", f.Value)
	}
}

func TestSlots(t *testing.T) {
	t.Parallel()
	k := kit.New()
	for i, p := range []pcb.Plating{pcb.Plated, pcb.NonPlated, pcb.PlatingUnknown} {
		h := k.Hole(5*kit.Milli, int64(5+i)*kit.Milli, 498*kit.Micron, p)
		h.B.X, h.Kind = 7*kit.Milli, pcb.SlotHole
	}
	r := k.Judge(slots, map[dfm.Name]int64{dfm.SlotWidth: 500 * kit.Micron, dfm.NPTHSlotWidth: 500 * kit.Micron})
	kit.Want(t, &r, dfm.SlotWidth, dfm.MustFix, 2)
	kit.Want(t, &r, dfm.NPTHSlotWidth, dfm.Warning, 1)
	if v := kit.ValueOf(t, &r, dfm.SlotWidth); v != 498*kit.Micron {
		t.Errorf("measured %d nm, want 498 µm", v)
	}
}

func TestStrays(t *testing.T) {
	t.Parallel()
	via := func(k *kit.Kit, x, y int64) *pcb.Hole {
		k.Top.Flash(geom.Pt(x, y), artwork.Circle(600*kit.Micron), 0, false, artwork.Meta{Function: pcb.FuncViaPad})
		return k.Hole(x, y, 300*kit.Micron, pcb.Plated)
	}
	for _, c := range []struct {
		name  string
		draw  func(*kit.Kit)
		level dfm.Level
		count int
	}{
		{"via", func(k *kit.Kit) { via(k, 5*kit.Milli, 5*kit.Milli) }, dfm.Warning, 0},
		{"plated, no copper", func(k *kit.Kit) { k.Hole(5*kit.Milli, 5*kit.Milli, kit.Milli, pcb.Plated) }, dfm.Warning, 1},
		{"plating not stated, no copper", func(k *kit.Kit) { k.Hole(5*kit.Milli, 5*kit.Milli, kit.Milli, pcb.PlatingUnknown) }, dfm.Warning, 0},
		{"touches a track", func(k *kit.Kit) {
			k.Bottom.Line(geom.Pt(0, 5600*kit.Micron), geom.Pt(10*kit.Milli, 5600*kit.Micron), 300*kit.Micron, artwork.Meta{})
			k.Hole(5*kit.Milli, 5*kit.Milli, kit.Milli, pcb.Plated)
		}, dfm.Warning, 0},
		{"in a clear area", func(k *kit.Kit) {
			k.Top.Region(geom.Polygon{Outer: kit.Poly(1000, 1000, 20000, 1000, 20000, 20000, 1000, 20000)}, artwork.Meta{})
			k.Top.Flash(geom.Pt(5*kit.Milli, 5*kit.Milli), artwork.Circle(2*kit.Milli), 0, false, artwork.Meta{Clear: true})
			k.Hole(5*kit.Milli, 5*kit.Milli, kit.Milli, pcb.Plated)
		}, dfm.Warning, 1},
		{"outside", func(k *kit.Kit) { k.Hole(-2*kit.Milli, 5*kit.Milli, kit.Milli, pcb.NonPlated) }, dfm.Warning, 1},
		{"on the edge", func(k *kit.Kit) { k.Hole(0, 5*kit.Milli, kit.Milli, pcb.NonPlated) }, dfm.Warning, 0},
		{"in a cutout", func(k *kit.Kit) {
			k.Outline.Areas[0].Holes = []geom.Path{kit.Poly(10000, 10000, 20000, 10000, 20000, 20000, 10000, 20000)}
			k.Hole(15*kit.Milli, 15*kit.Milli, kit.Milli, pcb.NonPlated)
		}, dfm.Warning, 0},
		{"twice", func(k *kit.Kit) {
			via(k, 5*kit.Milli, 5*kit.Milli)
			k.Hole(5*kit.Milli, 5*kit.Milli, 300*kit.Micron, pcb.Plated)
		}, dfm.Note, 1},
		{"two sizes", func(k *kit.Kit) {
			via(k, 5*kit.Milli, 5*kit.Milli)
			k.Hole(5*kit.Milli, 5*kit.Milli, 400*kit.Micron, pcb.Plated)
		}, dfm.Warning, 1},
		{"drills and copper of two boards", func(k *kit.Kit) {
			for i := range int64(12) {
				via(k, (5+i)*kit.Milli, 5*kit.Milli).A.Y += 8 * kit.Milli
				k.Holes[i].B = k.Holes[i].A
			}
		}, dfm.MustFix, 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			c.draw(k)
			r := k.Judge(strays, nil)
			kit.Want(t, &r, dfm.HoleWithoutCopper, c.level, c.count)
		})
	}
}
