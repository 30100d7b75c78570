package dfm

import (
	"context"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

// net is the meta of copper of a net.
func (k *kit) net(name string) artwork.Meta { return artwork.Meta{Net: k.Net(name)} }

// track draws on the top, in micrometres, with a via at its start.
func (k *kit) track(net string, x0, y0, x1, y1, width int64) {
	m := k.net(net)
	m.Function = board.FuncConductor
	a, b := geom.Pt(x0*micron, y0*micron), geom.Pt(x1*micron, y1*micron)
	k.top.Line(a, b, width*micron, m)
}

// via joins both layers at a place, in micrometres.
func (k *kit) via(net string, x, y, pad, drill int64) *board.Hole {
	for _, s := range []*artwork.Sheet{k.top, k.bottom} {
		s.Flash(geom.Pt(x*micron, y*micron), artwork.Circle(pad*micron), 0, false, artwork.Meta{Net: k.Net(net), Function: board.FuncViaPad})
	}
	h := k.hole(x*micron, y*micron, drill*micron, board.Plated)
	h.Function, h.Net = board.FuncViaDrill, k.Net(net)
	return h
}

func (k *kit) area(net string, outer geom.Path, holes ...geom.Path) {
	m := k.net(net)
	m.Function = board.FuncPour
	k.top.Region(geom.Polygon{Outer: outer, Holes: holes}, m)
}

func TestSpacings(t *testing.T) {
	t.Parallel()
	of := map[Name]int64{TrackClearance: 100 * micron, PadClearance: 150 * micron}
	for name, tt := range map[string]struct {
		draw  func(k *kit)
		check Name
		level Level
		count int
	}{
		"tracks far enough": {func(k *kit) {
			k.via("A", 5000, 5000, 600, 300)
			k.via("B", 20000, 5400, 600, 300)
			k.track("A", 5000, 5000, 10000, 5000, 200)
			k.track("B", 20000, 5300, 8000, 5300, 200)
		}, TrackClearance, MustFix, 0},
		"tracks too close": {func(k *kit) {
			k.via("A", 5000, 5000, 600, 300)
			k.via("B", 20000, 5400, 600, 300)
			k.track("A", 5000, 5000, 10000, 5000, 200)
			k.track("B", 20000, 5297, 9500, 5297, 200)
		}, TrackClearance, MustFix, 1},
		"half a micrometre of rounding": {func(k *kit) {
			k.via("A", 5000, 5000, 600, 300)
			k.via("B", 20000, 5400, 600, 300)
			k.track("A", 5000, 5000, 10000, 5000, 200)
			k.top.Line(geom.Pt(20*milli, 5299_500), geom.Pt(9500*micron, 5299_500), 200*micron, k.net("B"))
		}, TrackClearance, MustFix, 0},
		"the same net": {func(k *kit) {
			k.via("A", 5000, 5000, 600, 300)
			k.via("A", 20000, 5400, 600, 300)
			k.track("A", 5000, 5000, 10000, 5000, 200)
			k.track("A", 20000, 5250, 9500, 5250, 200)
		}, TrackClearance, MustFix, 0},
		"one net by a joint below": {func(k *kit) {
			k.via("", 5000, 5000, 600, 300)
			k.via("", 20000, 5400, 600, 300)
			k.bottom.Line(geom.Pt(5*milli, 5*milli), geom.Pt(20*milli, 5400*micron), 200*micron, artwork.Meta{})
			k.track("", 5000, 5000, 10000, 5000, 200)
			k.track("", 20000, 5250, 9500, 5250, 200)
		}, TrackClearance, MustFix, 0},
		"nets that nobody names": {func(k *kit) {
			k.via("", 5000, 5000, 600, 300)
			k.via("", 20000, 5400, 600, 300)
			k.track("", 5000, 5000, 10000, 5000, 200)
			k.track("", 20000, 5250, 9500, 5250, 200)
		}, TrackClearance, MustFix, 1},
		"lettering beside a track": {func(k *kit) {
			k.via("A", 5000, 5000, 600, 300)
			k.track("A", 5000, 5000, 10000, 5000, 200)
			k.top.Line(geom.Pt(8*milli, 5250*micron), geom.Pt(9*milli, 5250*micron), 200*micron, artwork.Meta{Function: board.FuncNonConductor})
		}, TrackClearance, Warning, 1},
		"two letters": {func(k *kit) {
			for _, y := range []int64{5000, 5250} {
				k.top.Line(geom.Pt(8*milli, y*micron), geom.Pt(9*milli, y*micron), 200*micron, artwork.Meta{Function: board.FuncNonConductor})
			}
		}, TrackClearance, Warning, 0},
		"pad and track": {func(k *kit) {
			k.pad(10*milli, 10*milli, milli, 0, "A")
			k.via("B", 5000, 10740, 600, 300)
			k.track("B", 5000, 10740, 12000, 10740, 200)
		}, PadClearance, MustFix, 1},
		"track in a pour's gap": {func(k *kit) {
			k.via("A", 5000, 5000, 600, 300)
			k.via("B", 10000, 10000, 600, 300)
			k.area("A", poly(2000, 2000, 20000, 2000, 20000, 20000, 2000, 20000), poly(9000, 9000, 15000, 9000, 15000, 10195, 12000, 10195, 12000, 11000, 9000, 11000))
			k.track("B", 10000, 10000, 14500, 10000, 200)
		}, TrackClearance, MustFix, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			tt.draw(k)
			r := k.judge(spacings, of)
			r.want(t, tt.check, tt.level, tt.count)
			if tt.count == 0 && len(r.findings) > 0 {
				t.Errorf("findings: %+v", r.findings)
			}
		})
	}
}

func TestSpacingSaysWhatAndWhere(t *testing.T) {
	t.Parallel()
	k := newKit()
	pin := k.Pin("U1", "3")
	k.top.Flash(geom.Pt(10*milli, 10*milli), artwork.Rect(milli, milli), 0, false, artwork.Meta{Net: k.Net("GND"), Pin: pin, Function: board.FuncSMDPad})
	k.via("VCC", 5000, 10700, 600, 300)
	k.track("VCC", 5000, 10700, 10300, 10700, 200)
	r := k.judge(spacings, map[Name]int64{PadClearance: 150 * micron})
	f := r.want(t, PadClearance, MustFix, 1)
	if len(f.Places) != 1 {
		t.Fatalf("%d places", len(f.Places))
	}
	p := f.Places[0]
	if p.Layer != "top" || p.Value != 100*micron || p.Nets != [2]string{"GND", "VCC"} || p.Objects != [2]string{"pad U1-3", "track of VCC"} || !p.Distance {
		t.Errorf("place %+v", p)
	}
	if got := r.measured(t, PadClearance); got != 100*micron {
		t.Errorf("measured %d", got)
	}
}

func TestWidths(t *testing.T) {
	t.Parallel()
	of := map[Name]int64{TrackWidth: 127 * micron, CopperSliver: 100 * micron}
	for name, tt := range map[string]struct {
		draw  func(k *kit)
		check Name
		level Level
		count int
	}{
		"exactly the limit": {func(k *kit) { k.track("A", 5000, 5000, 9000, 5000, 127) }, TrackWidth, MustFix, 0},
		"narrow":            {func(k *kit) { k.track("A", 5000, 5000, 9000, 7000, 125) }, TrackWidth, MustFix, 1},
		"narrow, inside a pour": {func(k *kit) {
			k.area("A", poly(4000, 4000, 10000, 4000, 10000, 10000, 4000, 10000))
			k.track("A", 5000, 5000, 9000, 7000, 100)
		}, TrackWidth, MustFix, 0},
		"narrow, round a pour": {func(k *kit) {
			k.area("A", poly(4000, 4000, 10000, 4000, 10000, 10000, 4000, 10000))
			k.top.Path(poly(4000, 4000, 10000, 4000, 10000, 10000, 4000, 10000), 50*micron, k.net("A"))
		}, TrackWidth, MustFix, 0},
		"many that paint a strip": {func(k *kit) {
			for y := int64(5000); y <= 6000; y += 50 {
				k.track("A", 5000, y, 9000, y, 60)
			}
		}, TrackWidth, MustFix, 0},
		"two that are narrow together": {func(k *kit) {
			k.track("A", 5000, 5000, 9000, 5000, 60)
			k.track("A", 5000, 5050, 9000, 5050, 60)
		}, TrackWidth, MustFix, 1},
		"a dot": {func(k *kit) { k.track("A", 5000, 5000, 5000, 5000, 60) }, TrackWidth, MustFix, 0},
		"the outline on copper": {func(k *kit) {
			k.top.Path(geom.Rect(geom.Box{Max: geom.Pt(40*milli, 30*milli)}), 50*micron, artwork.Meta{})
		}, TrackWidth, MustFix, 0},
		"lettering": {func(k *kit) {
			k.top.Line(geom.Pt(20*milli, 20*milli), geom.Pt(22*milli, 20*milli), 100*micron, artwork.Meta{Function: board.FuncNonConductor})
		}, TrackWidth, Warning, 1},
		"tongue": {func(k *kit) {
			k.area("A", poly(4000, 4000, 6000, 4000, 6000, 5000, 8000, 5000, 8000, 5080, 6000, 5080, 6000, 10000, 4000, 10000))
		}, CopperSliver, Warning, 1},
		"bridge between pads": {func(k *kit) {
			k.via("A", 5000, 5000, 600, 300)
			k.via("A", 12000, 5000, 600, 300)
			k.area("A", poly(4000, 4000, 6000, 4000, 6000, 5000, 11000, 5000, 11000, 4000, 13000, 4000, 13000, 8000, 11000, 8000, 11000, 5080, 6000, 5080, 6000, 8000, 4000, 8000))
		}, TrackWidth, Warning, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			k.via("A", 5000, 5000, 600, 300)
			tt.draw(k)
			r := k.judge(widths, of)
			r.want(t, tt.check, tt.level, tt.count)
			if tt.count == 0 && len(r.findings) > 0 {
				t.Errorf("findings: %+v", r.findings)
			}
		})
	}
}

func TestTrackInPiecesIsOneFault(t *testing.T) {
	t.Parallel()
	k := newKit()
	k.via("A", 5000, 5000, 600, 300)
	for x := int64(5000); x < 6000; x += 100 {
		k.track("A", x, 5000, x+100, 5000, 100)
	}
	r := k.judge(widths, map[Name]int64{TrackWidth: 127 * micron})
	if f := r.want(t, TrackWidth, MustFix, 1); f.Value != 100*micron {
		t.Errorf("value %d", f.Value)
	}
}

func TestCopperEdges(t *testing.T) {
	t.Parallel()
	of := map[Name]int64{CopperToVScore: 400 * micron, CopperToEdge: 200 * micron}
	for name, tt := range map[string]struct {
		draw  func(k *kit)
		check Name
		level Level
		count int
	}{
		"far enough":           {func(k *kit) { k.track("A", 5000, 300, 9000, 300, 200) }, CopperToEdge, MustFix, 0},
		"close":                {func(k *kit) { k.track("A", 5000, 298, 9000, 298, 200) }, CopperToEdge, MustFix, 1},
		"much too close":       {func(k *kit) { k.track("A", 5000, 150, 9000, 150, 200) }, CopperToEdge, MustFix, 1},
		"pour, much too close": {func(k *kit) { k.area("A", poly(4000, 50, 10000, 50, 10000, 10000, 4000, 10000)) }, CopperToEdge, Warning, 1},
		"close to a cutout": {func(k *kit) {
			k.outline(k.Outline.Areas[0].Outer, geom.Circle(geom.Pt(20*milli, 20*milli), 2*milli))
			k.track("A", 15000, 17702, 25000, 17702, 200)
		}, CopperToEdge, MustFix, 1},
		"at a hole that the outline shows too": {func(k *kit) {
			k.outline(k.Outline.Areas[0].Outer, geom.Circle(geom.Pt(20*milli, 20*milli), 2*milli))
			k.hole(20*milli, 20*milli, 4*milli, board.NonPlated)
			k.track("A", 15000, 17702, 25000, 17702, 200)
		}, CopperToEdge, MustFix, 0},
		"close to a score": {func(k *kit) {
			v := artwork.On("v-cut", "v.gbr", board.RoleVCut, board.NoSide)
			v.Line(geom.Pt(-5*milli, 15*milli), geom.Pt(45*milli, 15*milli), 100*micron, artwork.Meta{})
			k.Layers = append(k.Layers, v.Layer)
			k.track("A", 5000, 15498, 9000, 15498, 200)
		}, CopperToVScore, MustFix, 1},
		"far enough from a score": {func(k *kit) {
			v := artwork.On("v-cut", "v.gbr", board.RoleVCut, board.NoSide)
			v.Line(geom.Pt(-5*milli, 15*milli), geom.Pt(45*milli, 15*milli), 100*micron, artwork.Meta{})
			k.Layers = append(k.Layers, v.Layer)
			k.track("A", 5000, 15502, 9000, 15502, 200)
		}, CopperToVScore, MustFix, 0},
		"across a score": {func(k *kit) {
			v := artwork.On("v-cut", "v.gbr", board.RoleVCut, board.NoSide)
			v.Line(geom.Pt(-5*milli, 15*milli), geom.Pt(45*milli, 15*milli), 100*micron, artwork.Meta{})
			k.Layers = append(k.Layers, v.Layer)
			k.track("A", 5000, 5000, 5000, 20000, 200)
		}, CopperToVScore, MustFix, 1},
		"across":       {func(k *kit) { k.track("A", 5000, 50, 9000, 50, 200) }, CopperOutside, MustFix, 1},
		"beyond":       {func(k *kit) { k.track("A", 5000, -1000, 9000, -1000, 200) }, CopperOutside, Note, 1},
		"the outline":  {func(k *kit) { k.top.Path(k.Outline.Areas[0].Outer, 100*micron, artwork.Meta{}) }, CopperOutside, MustFix, 0},
		"pour":         {func(k *kit) { k.area("A", poly(4000, 100, 10000, 100, 10000, 10000, 4000, 10000)) }, CopperToEdge, Warning, 1},
		"pad":          {func(k *kit) { k.pad(10*milli, 600*micron, milli, 0, "A") }, CopperToEdge, Warning, 1},
		"castellation": {func(k *kit) { k.via("A", 10000, 0, 1200, 600) }, CopperToEdge, Warning, 0},
		"edge connector": {func(k *kit) {
			for x := range int64(5) {
				k.top.Flash(geom.Pt(10*milli+x*2*milli, 1600*micron), artwork.Rect(milli, 3*milli), 0, false, k.net("A"))
			}
		}, CopperToEdge, Note, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			k.via("A", 5000, 5000, 600, 300)
			tt.draw(k)
			r := k.judge(copperEdges, of)
			r.wantBad(t, tt.check, tt.level, tt.count)
			if tt.count == 0 && len(r.findings) > 0 {
				t.Errorf("findings: %+v", r.findings)
			}
		})
	}
}

func TestSmallest(t *testing.T) {
	t.Parallel()
	k := newKit()
	k.via("A", 5000, 5000, 600, 300)
	k.via("B", 9000, 7400, 700, 300)
	k.track("A", 5000, 5000, 5000, 9000, 220)
	k.track("B", 9000, 7400, 5350, 7400, 250)
	r, err := Run(context.Background(), k.Board, Options{}.WithSmallest())
	if err != nil {
		t.Fatal(err)
	}
	r.Offer(&k.Facts)
	for name, got := range map[string][2]int64{
		"track": {k.Facts.MinTrack.Value, 220_000},
		"gap":   {k.Facts.MinGap.Value, 115_000},
		"ring":  {k.Facts.MinRing.Value, 150_000},
	} {
		if got[0] != got[1] {
			t.Errorf("smallest %s %d, want %d", name, got[0], got[1])
		}
	}
}
