package measure_test

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// topSide is the top as it will be soldered; nil where it has no copper or no mask.
func topSide(in *measure.Input) *measure.Side {
	for _, f := range in.Sides() {
		if f.Face == pcb.Top {
			return f
		}
	}
	return nil
}

// dot puts a round pad of 1 mm on the top.
func dot(k *kit.Kit, x, y int64, m artwork.Meta) {
	k.Top.Flash(geom.Pt(x*milli, y*milli), artwork.Circle(milli), 0, false, m)
}

// open opens the top's mask for a dot.
func open(k *kit.Kit, x, y, d int64) {
	k.Mask.Flash(geom.Pt(x*milli, y*milli), artwork.Circle(d*micron), 0, false, artwork.Meta{})
}

// TestSides: which sides can be judged for soldering.
func TestSides(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		draw func(*kit.Kit)
		want int
	}{
		{"copper and mask on the top", func(k *kit.Kit) { k.Pad(milli, milli, milli, 0, "") }, 1},
		{"both sides", func(k *kit.Kit) {
			k.Pad(milli, milli, milli, 0, "")
			k.MaskBottom.Flash(geom.Pt(milli, milli), artwork.Circle(milli), 0, false, artwork.Meta{})
		}, 2},
		{"a mask that opens nothing", func(*kit.Kit) {}, 0},
		{"a mask as a negative", func(k *kit.Kit) {
			k.Pad(milli, milli, milli, 0, "")
			k.Mask.Layer.Negative = true
		}, 0},
		{"copper as a negative", func(k *kit.Kit) {
			k.Pad(milli, milli, milli, 0, "")
			k.Top.Layer.Negative = true
		}, 0},
		{"no copper", func(k *kit.Kit) {
			k.Pad(milli, milli, milli, 0, "")
			k.Top.Layer.Role = pcb.RoleOther
		}, 0},
	} {
		k := kit.New()
		c.draw(k)
		if got := len(inputOf(t, k).Sides()); got != c.want {
			t.Errorf("%s: %d sides, want %d", c.name, got, c.want)
		}
	}
}

// TestOpenings: which pads an opening shows: one that touches a pad with its border alone shows
// nothing of it, and openings that touch are one.
func TestOpenings(t *testing.T) {
	t.Parallel()
	type shown struct{ Openings, Pads int }
	for _, c := range []struct {
		name string
		draw func(*kit.Kit)
		want shown // openings, and pads that the first of them shows
	}{
		{"a pad", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}); open(k, 5, 5, 1_100) }, shown{1, 1}},
		{"an opening within its pad", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}); open(k, 5, 5, 500) }, shown{1, 1}},
		{"beside", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}); open(k, 7, 5, 1_000) }, shown{1, 0}},
		{"touching", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}); open(k, 6, 5, 1_000) }, shown{1, 0}},
		{"over its border", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}); open(k, 6, 5, 1_020) }, shown{1, 1}},
		{"two pads in one", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}); dot(k, 7, 5, artwork.Meta{}); open(k, 6, 5, 2_000) }, shown{1, 2}},
		{"two openings that touch", func(k *kit.Kit) {
			dot(k, 5, 5, artwork.Meta{})
			dot(k, 6, 5, artwork.Meta{})
			open(k, 5, 5, 1_000)
			open(k, 6, 5, 1_000)
		}, shown{1, 2}},
		{"two openings apart", func(k *kit.Kit) {
			dot(k, 5, 5, artwork.Meta{})
			dot(k, 6, 5, artwork.Meta{})
			open(k, 5, 5, 990)
			open(k, 6, 5, 990)
		}, shown{2, 1}},
	} {
		k := kit.New()
		c.draw(k)
		f := topSide(inputOf(t, k))
		if f == nil {
			t.Errorf("%s: no top, want one", c.name)
			continue
		}
		if got := (shown{len(f.Parts), len(f.Over[0])}); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestCovered: pads that no opening shows, and how many make a mask doubtful.
func TestCovered(t *testing.T) {
	t.Parallel()
	smd := artwork.Meta{Function: pcb.FuncSMDPad}
	row := func(covered, shown int64) func(*kit.Kit) {
		return func(k *kit.Kit) {
			open(k, 38, 28, 500)
			for i := range covered {
				dot(k, 1+2*i, 2, smd)
			}
			for i := range shown {
				dot(k, 1+2*i, 6, smd)
				open(k, 1+2*i, 6, 1_100)
			}
		}
	}
	for _, c := range []struct {
		name                string
		draw                func(*kit.Kit)
		solderable, covered int
		doubtful            bool
	}{
		{"all are shown", row(0, 3), 3, 0, false},
		{"one is covered", row(1, 3), 4, 1, false},
		{"nine, and nothing is shown", row(9, 0), 9, 9, false},
		{"ten, and nothing is shown", row(10, 0), 10, 10, true},
		{"ten of twenty", row(10, 10), 20, 10, false},
		{"ten of nineteen", row(10, 9), 19, 10, true},
		{"a via's pad", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{Function: pcb.FuncViaPad}); open(k, 38, 28, 500) }, 0, 0, false},
		{"the pad of a hole that may be a via's", func(k *kit.Kit) {
			dot(k, 5, 5, artwork.Meta{})
			open(k, 38, 28, 500)
			k.Hole(5*milli, 5*milli, 300*micron, pcb.Plated)
		}, 0, 0, false},
		{"the pad of a hole of a part", func(k *kit.Kit) {
			dot(k, 5, 5, artwork.Meta{})
			open(k, 38, 28, 500)
			k.Hole(5*milli, 5*milli, 300*micron, pcb.Plated).Function = pcb.FuncComponentDrill
		}, 1, 1, false},
		{"a dot where no holes are known", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}); open(k, 38, 28, 500) }, 0, 0, false},
		{"a dot where some are", func(k *kit.Kit) {
			dot(k, 5, 5, artwork.Meta{})
			open(k, 38, 28, 500)
			k.Hole(9*milli, 9*milli, 300*micron, pcb.Plated)
		}, 1, 1, false},
		{"a pad that was erased", func(k *kit.Kit) {
			dot(k, 5, 5, smd)
			open(k, 38, 28, 500)
			dot(k, 5, 5, artwork.Meta{Clear: true})
		}, 0, 0, false},
	} {
		k := kit.New()
		c.draw(k)
		f := topSide(inputOf(t, k))
		if f.Solderable != c.solderable || len(f.Covered) != c.covered || f.Doubtful != c.doubtful {
			t.Errorf("%s: %d pads, %d of them covered, doubtful %v; want %d, %d, %v", c.name, f.Solderable, len(f.Covered), f.Doubtful, c.solderable, c.covered, c.doubtful)
		}
	}
}

// TestIsMasked: holes that the mask covers on both sides: vias.
func TestIsMasked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		draw func(*kit.Kit) *pcb.Hole
		want bool
	}{
		{"covered", func(k *kit.Kit) *pcb.Hole { return k.AddVia("a", 5_000, 5_000, 1_500, 800) }, true},
		{"shown on the top", func(k *kit.Kit) *pcb.Hole { open(k, 5, 5, 2_000); return k.AddVia("a", 5_000, 5_000, 1_500, 800) }, false},
		{"of a part", func(k *kit.Kit) *pcb.Hole {
			h := k.AddVia("a", 5_000, 5_000, 1_500, 800)
			h.Function = pcb.FuncComponentDrill
			return h
		}, false},
		{"of a pin", func(k *kit.Kit) *pcb.Hole {
			h := k.AddVia("a", 5_000, 5_000, 1_500, 800)
			h.Pin = k.Pin("U1", "1")
			return h
		}, false},
		{"as large as a via may be", func(k *kit.Kit) *pcb.Hole { return k.AddVia("a", 5_000, 5_000, 1_500, 1_000) }, true},
		{"larger: for a screw", func(k *kit.Kit) *pcb.Hole { return k.AddVia("a", 5_000, 5_000, 1_500, 1_001) }, false},
		{"a slot", func(k *kit.Kit) *pcb.Hole {
			h := k.AddVia("a", 5_000, 5_000, 1_500, 800)
			h.Kind = pcb.SlotHole
			return h
		}, false},
		{"with a pad that is stated to be of a part", func(k *kit.Kit) *pcb.Hole {
			dot(k, 5, 5, artwork.Meta{Function: pcb.FuncComponentPad})
			return k.Hole(5*milli, 5*milli, 800*micron, pcb.Plated)
		}, false},
		{"no mask on the bottom", func(k *kit.Kit) *pcb.Hole {
			k.MaskBottom.Layer.Role = pcb.RoleOther
			return k.AddVia("a", 5_000, 5_000, 1_500, 800)
		}, false},
	} {
		k := kit.New()
		open(k, 38, 28, 500)
		k.MaskBottom.Flash(geom.Pt(38*milli, 28*milli), artwork.Circle(500*micron), 0, false, artwork.Meta{})
		c.draw(k)
		in := inputOf(t, k)
		if got := in.IsMasked(&in.Drills().List[0]); got != c.want {
			t.Errorf("%s: %+v is covered: %v, want %v", c.name, k.Holes[0], got, c.want)
		}
	}
}

// TestOpenStroke: strokes that the mask leaves open over their whole shape.
func TestOpenStroke(t *testing.T) {
	t.Parallel()
	line := func(k *kit.Kit) {
		k.Top.Line(geom.Pt(5*milli, 5*milli), geom.Pt(9*milli, 5*milli), milli, artwork.Meta{})
	}
	bare := func(k *kit.Kit, x0, x1, width int64) {
		k.Mask.Line(geom.Pt(x0*milli, 5*milli), geom.Pt(x1*milli, 5*milli), width*micron, artwork.Meta{})
	}
	for _, c := range []struct {
		name string
		draw func(*kit.Kit)
		want bool
	}{
		{"with room", func(k *kit.Kit) { line(k); bare(k, 5, 9, 1_200) }, true},
		{"exactly", func(k *kit.Kit) { line(k); bare(k, 5, 9, 1_000) }, true},
		{"10 um too narrow: rounding", func(k *kit.Kit) { line(k); bare(k, 5, 9, 990) }, true},
		{"more too narrow", func(k *kit.Kit) { line(k); bare(k, 5, 9, 988) }, false},
		{"not to its end", func(k *kit.Kit) { line(k); bare(k, 5, 8, 1_200) }, false},
		{"in two openings", func(k *kit.Kit) { line(k); bare(k, 5, 7, 1_200); bare(k, 7, 9, 1_200) }, true},
		{"under the mask", func(k *kit.Kit) { line(k); open(k, 38, 28, 500) }, false},
		{"a pad", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}); open(k, 5, 5, 1_200) }, false},
		{"in an opening of a quarter of the board", func(k *kit.Kit) {
			line(k)
			k.Mask.Flash(geom.Pt(10*milli, 7_500*micron), artwork.Rect(20*milli, 15*milli), 0, false, artwork.Meta{})
		}, false},
		{"in a smaller one", func(k *kit.Kit) {
			line(k)
			k.Mask.Flash(geom.Pt(10*milli, 7_500*micron), artwork.Rect(20*milli, 14*milli), 0, false, artwork.Meta{})
		}, true},
	} {
		k := kit.New()
		c.draw(k)
		in := inputOf(t, k)
		copper, err := in.Copper()
		if err != nil {
			t.Errorf("%s: copper: %v", c.name, err)
			continue
		}
		if got := in.OpenStroke(copper.Layers[0], 0); got != c.want {
			t.Errorf("%s: the first item of the top is open: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestSeemsNegative: inner layers that draw what is cut out of a plane, without saying so.
func TestSeemsNegative(t *testing.T) {
	t.Parallel()
	type board struct {
		disc  int64 // micrometres
		holes int   // of ten pads
		inner int   // discs on the inner layer
		add   func(*artwork.Sheet)
	}
	for _, c := range []struct {
		name string
		b    board
		want bool
	}{
		{"larger than the pads", board{disc: 1_200, holes: 10, inner: 10}, true},
		{"larger by 15 %", board{disc: 1_150, holes: 10, inner: 10}, true},
		{"larger by less", board{disc: 1_149, holes: 10, inner: 10}, false},
		{"as large as the pads", board{disc: 1_000, holes: 10, inner: 10}, false},
		{"eight discs", board{disc: 1_200, holes: 10, inner: 8}, true},
		{"seven discs", board{disc: 1_200, holes: 10, inner: 7}, false},
		{"holes at eight", board{disc: 1_200, holes: 8, inner: 10}, true},
		{"holes at seven", board{disc: 1_200, holes: 7, inner: 10}, false},
		{"with a net", board{disc: 1_200, holes: 10, inner: 10, add: func(s *artwork.Sheet) {
			s.Flash(geom.Pt(35*milli, 25*milli), artwork.Circle(milli), 0, false, artwork.Meta{Net: 1})
		}}, false},
		{"with a pour", board{disc: 1_200, holes: 10, inner: 10, add: func(s *artwork.Sheet) {
			s.Region(geom.Polygon{Outer: kit.Poly(0, 0, 1000, 0, 1000, 1000)}, artwork.Meta{})
		}}, false},
		{"with a line or two", board{disc: 1_200, holes: 10, inner: 10, add: func(s *artwork.Sheet) { s.Line(geom.Pt(0, 0), geom.Pt(milli, 0), micron, artwork.Meta{}) }}, true},
	} {
		k := kit.New()
		inner := artwork.NewSheet("inner", "inner.gbr", pcb.RoleCopper, pcb.Inner)
		inner.Layer.Order, k.Bottom.Layer.Order = 2, 3
		k.Layers = append(k.Layers, inner.Layer)
		for i := range 10 {
			at := geom.Pt(int64(2+3*i)*milli, 5*milli)
			k.Top.Flash(at, artwork.Circle(milli), 0, false, artwork.Meta{})
			if i < c.b.inner {
				inner.Flash(at, artwork.Circle(c.b.disc*micron), 0, false, artwork.Meta{})
			}
			if i < c.b.holes {
				k.Hole(at.X, at.Y, 500*micron, pcb.Plated)
			}
		}
		if c.b.add != nil {
			c.b.add(inner)
		}
		if got := inputOf(t, k).SeemsNegative(inner.Layer); got != c.want {
			t.Errorf("%s: discs of %d um over pads of 1000 um seem a negative: %v, want %v", c.name, c.b.disc, got, c.want)
		}
	}
}

// TestLandsOnly: layers on which nothing is connected.
func TestLandsOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		draw func(*kit.Kit)
		want bool
	}{
		{"lands of holes", func(k *kit.Kit) { k.AddVia("a", 5_000, 5_000, 1_000, 500) }, true},
		{"nothing", func(*kit.Kit) {}, false},
		{"a pad that is stated", func(k *kit.Kit) { k.Pad(milli, milli, milli, 0, "a") }, true},
		{"a dot without a hole", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}) }, false},
		{"a track", func(k *kit.Kit) {
			k.AddVia("a", 5_000, 5_000, 1_000, 500)
			k.Track("a", 5_000, 5_000, 9_000, 5_000, 200)
		}, false},
		{"a pour", func(k *kit.Kit) {
			k.AddVia("a", 5_000, 5_000, 1_000, 500)
			k.Area("a", kit.Poly(0, 0, 1000, 0, 1000, 1000))
		}, false},
		{"what erases", func(k *kit.Kit) {
			k.AddVia("a", 5_000, 5_000, 1_000, 500)
			k.Top.Line(geom.Pt(0, 0), geom.Pt(milli, 0), micron, artwork.Meta{Clear: true})
		}, true},
	} {
		k := kit.New()
		c.draw(k)
		if got := inputOf(t, k).LandsOnly(k.Top.Layer); got != c.want {
			t.Errorf("%s: the top has lands only: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestObjects: what an item of copper is called, and its net.
func TestObjects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want, net string
		draw            func(*kit.Kit)
	}{
		{"a pad of a pin", "pad U1-3", "GND", func(k *kit.Kit) { k.Land(5, 5, "GND", "U1", "3") }},
		{"a track", "track of GND", "GND", func(k *kit.Kit) {
			m := k.NetMeta("GND")
			m.Function = pcb.FuncConductor
			k.Top.Line(geom.Pt(0, 0), geom.Pt(milli, 0), 100*micron, m)
		}},
		{"a via", "via of GND", "GND", func(k *kit.Kit) { k.AddVia("GND", 5_000, 5_000, 1_000, 500) }},
		{"a pour", "area of GND", "GND", func(k *kit.Kit) { k.Area("GND", kit.Poly(0, 0, 1000, 0, 1000, 1000)) }},
		{"a dot", "pad", "", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}) }},
		{"lettering", "copper text", "", func(k *kit.Kit) {
			m := k.NetMeta("GND")
			m.Function = pcb.FuncNonConductor
			k.Top.Line(geom.Pt(0, 0), geom.Pt(milli, 0), 100*micron, m)
		}},
		{"the outline", "drawn line", "", func(k *kit.Kit) {
			k.Top.Line(geom.Pt(0, 0), geom.Pt(milli, 0), 100*micron, artwork.Meta{Function: pcb.FuncProfile})
		}},
	} {
		k := kit.New()
		c.draw(k)
		in := measure.New(t.Context(), k.Board, dfm.Options{})
		copper, err := in.Copper()
		if err != nil {
			t.Errorf("%s: copper: %v", c.name, err)
			continue
		}
		l := copper.Layers[0]
		if got, net := in.Object(l, 0), in.NetName(in.NetOf(&l.Items[0])); got != c.want || net != c.net {
			t.Errorf("%s: %q of net %q, want %q of %q", c.name, got, net, c.want, c.net)
		}
	}
	in := inputOf(t, kit.New())
	for _, n := range []int32{-1, 0, 999} {
		if got := in.NetName(n); got != "" {
			t.Errorf("the name of net %d is %q, want none", n, got)
		}
	}
}

// TestLive: copper that something is connected to.
func TestLive(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		draw func(*kit.Kit)
		want bool // the first island
	}{
		{"a pad", func(k *kit.Kit) { k.Pad(5*milli, 5*milli, milli, 0, "") }, true},
		{"a via", func(k *kit.Kit) { k.AddVia("", 5_000, 5_000, 1_000, 500) }, true},
		{"a track of a net", func(k *kit.Kit) { k.Top.Line(geom.Pt(milli, milli), geom.Pt(5*milli, milli), milli, k.NetMeta("a")) }, true},
		{"a line of no net", func(k *kit.Kit) { k.Top.Line(geom.Pt(milli, milli), geom.Pt(5*milli, milli), milli, artwork.Meta{}) }, false},
		{"lettering", func(k *kit.Kit) {
			m := k.NetMeta("a")
			m.Function = pcb.FuncNonConductor
			k.Top.Line(geom.Pt(milli, milli), geom.Pt(5*milli, milli), milli, m)
		}, false},
		{"a pour that nothing joins", func(k *kit.Kit) { k.Area("a", kit.Poly(1000, 1000, 5000, 1000, 5000, 5000)) }, false},
		{"a dot under the mask", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}); open(k, 38, 28, 500) }, false},
		{"a dot that is bare", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}); open(k, 5, 5, 1_100) }, true},
		{"a dot where there is no mask", func(k *kit.Kit) { dot(k, 5, 5, artwork.Meta{}) }, true},
		{"a dot of a net under the mask", func(k *kit.Kit) { dot(k, 5, 5, k.NetMeta("a")); open(k, 38, 28, 500) }, true},
		{"a pad that its drill takes away", func(k *kit.Kit) {
			dot(k, 5, 5, artwork.Meta{})
			dot(k, 5, 5, artwork.Meta{})
			k.Bottom.Flash(geom.Pt(5*milli, 5*milli), artwork.Circle(milli), 0, false, artwork.Meta{})
			k.Hole(5*milli, 5*milli, milli, pcb.Plated)
		}, false},
		{"a pad that its drill leaves a ring of", func(k *kit.Kit) {
			dot(k, 5, 5, artwork.Meta{})
			k.Bottom.Flash(geom.Pt(5*milli, 5*milli), artwork.Circle(milli), 0, false, artwork.Meta{})
			k.Hole(5*milli, 5*milli, 970*micron, pcb.Plated)
		}, true},
		{"a pad beside the board", func(k *kit.Kit) { k.Pad(60*milli, 5*milli, milli, 0, "") }, false},
		{"one beside an outline that is doubted", func(k *kit.Kit) { k.Pad(60*milli, 5*milli, milli, 0, ""); k.Outline.Closed = false }, true},
	} {
		k := kit.New()
		c.draw(k)
		live := inputOf(t, k).Live()
		if len(live) == 0 || live[0] != c.want {
			t.Errorf("%s: islands that something is connected to: %v, want %v first", c.name, live, c.want)
		}
	}
}
