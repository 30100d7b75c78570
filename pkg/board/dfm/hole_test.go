package dfm

import (
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

func TestDrills(t *testing.T) {
	t.Parallel()
	of := map[Name]int64{DrillSize: 200 * micron, NPTHDrillSize: 500 * micron, DrillMaximum: 6 * milli, AspectRatio: 8000}
	for _, c := range []struct {
		name     string
		diameter int64
		plating  board.Plating
		span     [2]int16
		check    Name
		level    Level
	}{
		{"good", 200 * micron, board.Plated, [2]int16{}, "", Note},
		{"within rounding", 199*micron + 500, board.Plated, [2]int16{}, "", Note},
		{"small", 198 * micron, board.Plated, [2]int16{}, DrillSize, MustFix},
		{"small, plating not stated", 198 * micron, board.PlatingUnknown, [2]int16{}, DrillSize, MustFix},
		{"small, non-plated", 498 * micron, board.NonPlated, [2]int16{}, NPTHDrillSize, Warning},
		{"non-plated", 500 * micron, board.NonPlated, [2]int16{}, "", Note},
		{"large", 6002 * micron, board.NonPlated, [2]int16{}, DrillMaximum, Note},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			h := k.hole(5*milli, 5*milli, c.diameter, c.plating)
			h.From, h.To = c.span[0], c.span[1]
			r := k.judge(drills, of)
			for _, n := range []Name{DrillSize, NPTHDrillSize, DrillMaximum} {
				count := 0
				if n == c.check {
					count = 1
				}
				r.want(t, n, c.level, count)
			}
		})
	}
}

func TestAspectRatio(t *testing.T) {
	t.Parallel()
	k := newKit()
	k.Facts.CopperLayers = board.State(4, board.Source{}, 1, "")
	k.hole(5*milli, 5*milli, 200*micron, board.Plated)
	blind := k.hole(6*milli, 5*milli, 100*micron, board.Plated)
	blind.From, blind.To = 1, 2
	r := k.judge(drills, map[Name]int64{AspectRatio: 7900})
	if f := r.want(t, AspectRatio, MustFix, 1); f.Value != 8000 {
		t.Errorf("1.6 mm by 0.2 mm is %d", f.Value)
	}
	k.Stackup = []board.StackupLayer{
		{Kind: board.StackCopper, Order: 1, Thickness: board.State(35*micron, board.Source{}, 1, "")},
		{Kind: board.StackPrepreg, Thickness: board.State(1000*micron, board.Source{}, 1, "")},
		{Kind: board.StackCopper, Order: 2, Thickness: board.State(15*micron, board.Source{}, 1, "")},
	}
	r = k.judge(drills, map[Name]int64{AspectRatio: 7900})
	if f := r.want(t, AspectRatio, MustFix, 2); f.Value != 10500 {
		t.Errorf("the blind via is %d", f.Value)
	}
}

func TestSlots(t *testing.T) {
	t.Parallel()
	k := newKit()
	for i, p := range []board.Plating{board.Plated, board.NonPlated, board.PlatingUnknown} {
		h := k.hole(5*milli, int64(5+i)*milli, 498*micron, p)
		h.B.X, h.Kind = 7*milli, board.SlotHole
	}
	r := k.judge(slots, map[Name]int64{SlotWidth: 500 * micron, NPTHSlotWidth: 500 * micron})
	r.want(t, SlotWidth, MustFix, 2)
	r.want(t, NPTHSlotWidth, Warning, 1)
	if v := r.measured(t, SlotWidth); v != 498*micron {
		t.Errorf("measured %d", v)
	}
}

func TestStrays(t *testing.T) {
	t.Parallel()
	via := func(k *kit, x, y int64) *board.Hole {
		k.top.Flash(geom.Pt(x, y), artwork.Circle(600*micron), 0, false, artwork.Meta{Function: board.FuncViaPad})
		return k.hole(x, y, 300*micron, board.Plated)
	}
	for _, c := range []struct {
		name  string
		draw  func(*kit)
		level Level
		count int
	}{
		{"via", func(k *kit) { via(k, 5*milli, 5*milli) }, Warning, 0},
		{"plated, no copper", func(k *kit) { k.hole(5*milli, 5*milli, milli, board.Plated) }, Warning, 1},
		{"plating not stated, no copper", func(k *kit) { k.hole(5*milli, 5*milli, milli, board.PlatingUnknown) }, Warning, 0},
		{"touches a track", func(k *kit) {
			k.bottom.Line(geom.Pt(0, 5600*micron), geom.Pt(10*milli, 5600*micron), 300*micron, artwork.Meta{})
			k.hole(5*milli, 5*milli, milli, board.Plated)
		}, Warning, 0},
		{"in a clear area", func(k *kit) {
			k.top.Region(geom.Polygon{Outer: poly(1000, 1000, 20000, 1000, 20000, 20000, 1000, 20000)}, artwork.Meta{})
			k.top.Flash(geom.Pt(5*milli, 5*milli), artwork.Circle(2*milli), 0, false, artwork.Meta{Clear: true})
			k.hole(5*milli, 5*milli, milli, board.Plated)
		}, Warning, 1},
		{"outside", func(k *kit) { k.hole(-2*milli, 5*milli, milli, board.NonPlated) }, Warning, 1},
		{"on the edge", func(k *kit) { k.hole(0, 5*milli, milli, board.NonPlated) }, Warning, 0},
		{"in a cutout", func(k *kit) {
			k.Outline.Areas[0].Holes = []geom.Path{poly(10000, 10000, 20000, 10000, 20000, 20000, 10000, 20000)}
			k.hole(15*milli, 15*milli, milli, board.NonPlated)
		}, Warning, 0},
		{"twice", func(k *kit) { via(k, 5*milli, 5*milli); k.hole(5*milli, 5*milli, 300*micron, board.Plated) }, Note, 1},
		{"two sizes", func(k *kit) { via(k, 5*milli, 5*milli); k.hole(5*milli, 5*milli, 400*micron, board.Plated) }, Warning, 1},
		{"drills and copper of two boards", func(k *kit) {
			for i := range int64(12) {
				via(k, (5+i)*milli, 5*milli).A.Y += 8 * milli
				k.Holes[i].B = k.Holes[i].A
			}
		}, MustFix, 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			c.draw(k)
			r := k.judge(strays, nil)
			r.want(t, HoleWithoutCopper, c.level, c.count)
		})
	}
}
