package conductor

import (
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

func TestSpacings(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.TrackClearance: 100 * kit.Micron, dfm.PadClearance: 150 * kit.Micron}
	for name, tt := range map[string]struct {
		draw  func(k *kit.Kit)
		check dfm.Name
		level dfm.Level
		count int
	}{
		"tracks far enough": {func(k *kit.Kit) {
			k.AddVia("A", 5000, 5000, 600, 300)
			k.AddVia("B", 20000, 5400, 600, 300)
			k.Track("A", 5000, 5000, 10000, 5000, 200)
			k.Track("B", 20000, 5300, 8000, 5300, 200)
		}, dfm.TrackClearance, dfm.MustFix, 0},
		"tracks too close": {func(k *kit.Kit) {
			k.AddVia("A", 5000, 5000, 600, 300)
			k.AddVia("B", 20000, 5400, 600, 300)
			k.Track("A", 5000, 5000, 10000, 5000, 200)
			k.Track("B", 20000, 5297, 9500, 5297, 200)
		}, dfm.TrackClearance, dfm.MustFix, 1},
		"half a micrometre of rounding": {func(k *kit.Kit) {
			k.AddVia("A", 5000, 5000, 600, 300)
			k.AddVia("B", 20000, 5400, 600, 300)
			k.Track("A", 5000, 5000, 10000, 5000, 200)
			k.Top.Line(geom.Pt(20*kit.Milli, 5299_500), geom.Pt(9500*kit.Micron, 5299_500), 200*kit.Micron, k.NetMeta("B"))
		}, dfm.TrackClearance, dfm.MustFix, 0},
		"the same net": {func(k *kit.Kit) {
			k.AddVia("A", 5000, 5000, 600, 300)
			k.AddVia("A", 20000, 5400, 600, 300)
			k.Track("A", 5000, 5000, 10000, 5000, 200)
			k.Track("A", 20000, 5250, 9500, 5250, 200)
		}, dfm.TrackClearance, dfm.MustFix, 0},
		"one net by a joint below": {func(k *kit.Kit) {
			k.AddVia("", 5000, 5000, 600, 300)
			k.AddVia("", 20000, 5400, 600, 300)
			k.Bottom.Line(geom.Pt(5*kit.Milli, 5*kit.Milli), geom.Pt(20*kit.Milli, 5400*kit.Micron), 200*kit.Micron, artwork.Meta{})
			k.Track("", 5000, 5000, 10000, 5000, 200)
			k.Track("", 20000, 5250, 9500, 5250, 200)
		}, dfm.TrackClearance, dfm.MustFix, 0},
		"nets that nobody names": {func(k *kit.Kit) {
			k.AddVia("", 5000, 5000, 600, 300)
			k.AddVia("", 20000, 5400, 600, 300)
			k.Track("", 5000, 5000, 10000, 5000, 200)
			k.Track("", 20000, 5250, 9500, 5250, 200)
		}, dfm.TrackClearance, dfm.MustFix, 1},
		"two pieces of a picture drawn in rows": {func(k *kit.Kit) { pictures(k, 10, 20, "", true, false) }, dfm.TrackClearance, dfm.Warning, 1},
		"such pieces that have a net":           {func(k *kit.Kit) { pictures(k, 10, 20, "A", true, false) }, dfm.PadClearance, dfm.MustFix, 1},
		"such pieces with paste":                {func(k *kit.Kit) { pictures(k, 10, 20, "", true, true) }, dfm.PadClearance, dfm.MustFix, 1},
		"pieces of few rows":                    {func(k *kit.Kit) { pictures(k, 7, 20, "", true, false) }, dfm.PadClearance, dfm.MustFix, 1},
		"rows as high as pads":                  {func(k *kit.Kit) { pictures(k, 4, 150, "", true, false) }, dfm.PadClearance, dfm.MustFix, 1},
		"such rows, all under the mask":         {func(k *kit.Kit) { pictures(k, 4, 150, "", false, false) }, dfm.TrackClearance, dfm.Warning, 1},
		"a piece of a picture and a pad": {func(k *kit.Kit) {
			pictures(k, 10, 20, "", true, false)
			k.Pad(7100*kit.Micron, 5*kit.Milli, kit.Milli, 50*kit.Micron, "")
			k.AddVia("", 7100, 5000, 600, 300)
		}, dfm.PadClearance, dfm.MustFix, 1},
		"lettering beside a track": {func(k *kit.Kit) {
			k.AddVia("A", 5000, 5000, 600, 300)
			k.Track("A", 5000, 5000, 10000, 5000, 200)
			k.Top.Line(geom.Pt(8*kit.Milli, 5250*kit.Micron), geom.Pt(9*kit.Milli, 5250*kit.Micron), 200*kit.Micron, artwork.Meta{Function: pcb.FuncNonConductor})
		}, dfm.TrackClearance, dfm.Warning, 1},
		"a line of the outline that runs into a pour, beside a track": {func(k *kit.Kit) {
			k.AddVia("A", 5000, 5000, 600, 300)
			k.Track("A", 5000, 5000, 10000, 5000, 200)
			k.AddVia("B", 9000, 7000, 600, 300)
			k.Area("B", kit.Poly(8000, 6000, 12000, 6000, 12000, 9000, 8000, 9000))
			k.Top.Line(geom.Pt(9*kit.Milli, 5250*kit.Micron), geom.Pt(9*kit.Milli, 6500*kit.Micron), 200*kit.Micron, artwork.Meta{Function: pcb.FuncProfile})
		}, dfm.TrackClearance, dfm.Warning, 1},
		"a line of no function that runs into a pour, beside a track": {func(k *kit.Kit) {
			k.AddVia("A", 5000, 5000, 600, 300)
			k.Track("A", 5000, 5000, 10000, 5000, 200)
			k.AddVia("B", 9000, 7000, 600, 300)
			k.Area("B", kit.Poly(8000, 6000, 12000, 6000, 12000, 9000, 8000, 9000))
			k.Top.Line(geom.Pt(9*kit.Milli, 5250*kit.Micron), geom.Pt(9*kit.Milli, 6500*kit.Micron), 200*kit.Micron, artwork.Meta{})
		}, dfm.TrackClearance, dfm.MustFix, 1},
		"two letters": {func(k *kit.Kit) {
			for _, y := range []int64{5000, 5250} {
				k.Top.Line(geom.Pt(8*kit.Milli, y*kit.Micron), geom.Pt(9*kit.Milli, y*kit.Micron), 200*kit.Micron, artwork.Meta{Function: pcb.FuncNonConductor})
			}
		}, dfm.TrackClearance, dfm.Warning, 0},
		"pad and track": {func(k *kit.Kit) {
			k.Pad(10*kit.Milli, 10*kit.Milli, kit.Milli, 0, "A")
			k.AddVia("B", 5000, 10740, 600, 300)
			k.Track("B", 5000, 10740, 12000, 10740, 200)
		}, dfm.PadClearance, dfm.MustFix, 1},
		"track in a pour's gap": {func(k *kit.Kit) {
			k.AddVia("A", 5000, 5000, 600, 300)
			k.AddVia("B", 10000, 10000, 600, 300)
			k.Area("A", kit.Poly(2000, 2000, 20000, 2000, 20000, 20000, 2000, 20000), kit.Poly(9000, 9000, 15000, 9000, 15000, 10195, 12000, 10195, 12000, 11000, 9000, 11000))
			k.Track("B", 10000, 10000, 14500, 10000, 200)
		}, dfm.TrackClearance, dfm.MustFix, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			tt.draw(k)
			r := k.Judge(clearances, of)
			kit.Want(t, &r, tt.check, tt.level, tt.count)
			if tt.count == 0 && len(r.Findings) > 0 {
				t.Errorf("findings: %+v, want none", r.Findings)
			}
		})
	}
}

func TestSpacingSaysWhatAndWhere(t *testing.T) {
	t.Parallel()
	k := kit.New()
	pin := k.Pin("U1", "3")
	k.Top.Flash(geom.Pt(10*kit.Milli, 10*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{Net: k.Net("GND"), Pin: pin, Function: pcb.FuncSMDPad})
	k.AddVia("VCC", 5000, 10700, 600, 300)
	k.Track("VCC", 5000, 10700, 10300, 10700, 200)
	r := k.Judge(clearances, map[dfm.Name]int64{dfm.PadClearance: 150 * kit.Micron})
	f := kit.Want(t, &r, dfm.PadClearance, dfm.MustFix, 1)
	if len(f.Places) != 1 {
		t.Fatalf("%d places, want one: %+v", len(f.Places), f.Places)
	}
	p := f.Places[0]
	if p.Layer != "top" || p.Value != 100*kit.Micron || p.Nets != [2]string{"GND", "VCC"} || p.Objects != [2]string{"pad U1-3", "track of VCC"} || !p.Distance {
		t.Errorf("place %+v; want top, 100 µm from pad U1-3 of GND to a track of VCC", p)
	}
	if got := kit.ValueOf(t, &r, dfm.PadClearance); got != 100*kit.Micron {
		t.Errorf("measured %d nm, want 100 µm", got)
	}
}

func TestWidths(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.TrackWidth: 127 * kit.Micron, dfm.CopperSliver: 100 * kit.Micron}
	for name, tt := range map[string]struct {
		draw  func(k *kit.Kit)
		check dfm.Name
		level dfm.Level
		count int
	}{
		"exactly the limit": {func(k *kit.Kit) { k.Track("A", 5000, 5000, 9000, 5000, 127) }, dfm.TrackWidth, dfm.MustFix, 0},
		"narrow":            {func(k *kit.Kit) { k.Track("A", 5000, 5000, 9000, 7000, 125) }, dfm.TrackWidth, dfm.MustFix, 1},
		"narrow, inside a pour": {func(k *kit.Kit) {
			k.Area("A", kit.Poly(4000, 4000, 10000, 4000, 10000, 10000, 4000, 10000))
			k.Track("A", 5000, 5000, 9000, 7000, 100)
		}, dfm.TrackWidth, dfm.MustFix, 0},
		"narrow, round a pour": {func(k *kit.Kit) {
			k.Area("A", kit.Poly(4000, 4000, 10000, 4000, 10000, 10000, 4000, 10000))
			k.Top.Path(kit.Poly(4000, 4000, 10000, 4000, 10000, 10000, 4000, 10000), 50*kit.Micron, k.NetMeta("A"))
		}, dfm.TrackWidth, dfm.MustFix, 0},
		"narrow tip of an area and its rim": {func(k *kit.Kit) {
			tip := kit.Poly(4000, 4000, 6000, 4000, 9000, 5990, 9010, 6000, 9000, 6010, 6000, 8000, 4000, 8000)
			k.Area("A", tip)
			k.Top.Path(tip, 26*kit.Micron, k.NetMeta("A"))
		}, dfm.TrackWidth, dfm.Warning, 2},
		"narrow, out of an area": {func(k *kit.Kit) {
			k.Area("A", kit.Poly(4000, 4000, 6000, 4000, 6000, 8000, 4000, 8000))
			k.Track("A", 6000, 4000, 9000, 4000, 100)
		}, dfm.TrackWidth, dfm.MustFix, 1},
		"narrow, between two areas": {func(k *kit.Kit) {
			k.Area("A", kit.Poly(4000, 4000, 6000, 4000, 6000, 8000, 4000, 8000))
			k.Area("A", kit.Poly(7000, 4000, 9000, 4000, 9000, 8000, 7000, 8000))
			k.Track("A", 6000, 5000, 7000, 5000, 100)
		}, dfm.TrackWidth, dfm.MustFix, 1},
		"narrow, drilled away": {func(k *kit.Kit) {
			k.Hole(9*kit.Milli, 5*kit.Milli, kit.Milli, pcb.NonPlated)
			k.Track("A", 8600, 5000, 9400, 5000, 60)
		}, dfm.TrackWidth, dfm.MustFix, 0},
		"narrow, from a hole": {func(k *kit.Kit) {
			k.Hole(9*kit.Milli, 5*kit.Milli, kit.Milli, pcb.Plated)
			k.Track("A", 9000, 5000, 14000, 5000, 60)
		}, dfm.TrackWidth, dfm.MustFix, 1},
		"many that paint a strip": {func(k *kit.Kit) {
			for y := int64(5000); y <= 6000; y += 50 {
				k.Track("A", 5000, y, 9000, y, 60)
			}
		}, dfm.TrackWidth, dfm.MustFix, 0},
		"two that are narrow together": {func(k *kit.Kit) {
			k.Track("A", 5000, 5000, 9000, 5000, 60)
			k.Track("A", 5000, 5050, 9000, 5050, 60)
		}, dfm.TrackWidth, dfm.MustFix, 1},
		"a dot": {func(k *kit.Kit) { k.Track("A", 5000, 5000, 5000, 5000, 60) }, dfm.TrackWidth, dfm.MustFix, 0},
		"the outline on copper": {func(k *kit.Kit) {
			k.Top.Path(geom.Rect(geom.Box{Max: geom.Pt(40*kit.Milli, 30*kit.Milli)}), 50*kit.Micron, artwork.Meta{})
		}, dfm.TrackWidth, dfm.MustFix, 0},
		"lettering": {func(k *kit.Kit) {
			k.Top.Line(geom.Pt(20*kit.Milli, 20*kit.Milli), geom.Pt(22*kit.Milli, 20*kit.Milli), 100*kit.Micron, artwork.Meta{Function: pcb.FuncNonConductor})
		}, dfm.TrackWidth, dfm.Warning, 1},
		"a fill with a pen of 5 µm": {func(k *kit.Kit) {
			for y := int64(5000); y <= 5050; y += 5 {
				k.Track("A", 5000, y, 9000, y, 5)
			}
		}, dfm.TrackWidth, dfm.MustFix, 0},
		"a line of that pen between pads": {func(k *kit.Kit) { k.Track("A", 5000, 5000, 9000, 5000, 5) }, dfm.TrackWidth, dfm.Warning, 1},
		"a pen of 6 µm":                   {func(k *kit.Kit) { k.Track("A", 5000, 5000, 9000, 5000, 6) }, dfm.TrackWidth, dfm.MustFix, 1},
		"tongue": {func(k *kit.Kit) {
			k.Area("A", kit.Poly(4000, 4000, 6000, 4000, 6000, 5000, 8000, 5000, 8000, 5080, 6000, 5080, 6000, 10000, 4000, 10000))
		}, dfm.CopperSliver, dfm.Warning, 1},
		"bridge between pads": {func(k *kit.Kit) {
			k.AddVia("A", 5000, 5000, 600, 300)
			k.AddVia("A", 12000, 5000, 600, 300)
			k.Area("A", kit.Poly(4000, 4000, 6000, 4000, 6000, 5000, 11000, 5000, 11000, 4000, 13000, 4000, 13000, 8000, 11000, 8000, 11000, 5080, 6000, 5080, 6000, 8000, 4000, 8000))
		}, dfm.TrackWidth, dfm.Warning, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.AddVia("A", 5000, 5000, 600, 300)
			tt.draw(k)
			r := k.Judge(widths, of)
			kit.Want(t, &r, tt.check, tt.level, tt.count)
			if tt.count == 0 && len(r.Findings) > 0 {
				t.Errorf("findings: %+v, want none", r.Findings)
			}
		})
	}
}

func TestTrackInPiecesIsOneFault(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.AddVia("A", 5000, 5000, 600, 300)
	for x := int64(5000); x < 6000; x += 100 {
		k.Track("A", x, 5000, x+100, 5000, 100)
	}
	r := k.Judge(widths, map[dfm.Name]int64{dfm.TrackWidth: 127 * kit.Micron})
	if f := kit.Want(t, &r, dfm.TrackWidth, dfm.MustFix, 1); f.Value != 100*kit.Micron {
		t.Errorf("width %d nm, want 100 µm", f.Value)
	}
}

// frame draws a square on the layer of V-scores, from a place within the board.
func frame(k *kit.Kit, x, y, size int64) {
	v := artwork.NewSheet("v-cut", "v.gbr", pcb.RoleVCut, pcb.NoSide)
	v.Path(geom.Rect(geom.Box{Min: geom.Pt(x*kit.Milli, y*kit.Milli), Max: geom.Pt((x+size)*kit.Milli, (y+size)*kit.Milli)}), 100*kit.Micron, artwork.Meta{})
	k.Layers = append(k.Layers, v.Layer)
}

func TestCopperEdges(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.CopperToVScore: 400 * kit.Micron, dfm.CopperToEdge: 200 * kit.Micron}
	for name, tt := range map[string]struct {
		draw  func(k *kit.Kit)
		check dfm.Name
		level dfm.Level
		count int
	}{
		"far enough":           {func(k *kit.Kit) { k.Track("A", 5000, 300, 9000, 300, 200) }, dfm.CopperToEdge, dfm.MustFix, 0},
		"close":                {func(k *kit.Kit) { k.Track("A", 5000, 298, 9000, 298, 200) }, dfm.CopperToEdge, dfm.MustFix, 1},
		"much too close":       {func(k *kit.Kit) { k.Track("A", 5000, 150, 9000, 150, 200) }, dfm.CopperToEdge, dfm.MustFix, 1},
		"pour, much too close": {func(k *kit.Kit) { k.Area("A", kit.Poly(4000, 50, 10000, 50, 10000, 10000, 4000, 10000)) }, dfm.CopperToEdge, dfm.Warning, 1},
		"close to a cutout": {func(k *kit.Kit) {
			k.SetOutline(k.Outline.Areas[0].Outer, geom.Circle(geom.Pt(20*kit.Milli, 20*kit.Milli), 2*kit.Milli))
			k.Track("A", 15000, 17702, 25000, 17702, 200)
		}, dfm.CopperToEdge, dfm.MustFix, 1},
		"at a hole that the outline shows too": {func(k *kit.Kit) {
			k.SetOutline(k.Outline.Areas[0].Outer, geom.Circle(geom.Pt(20*kit.Milli, 20*kit.Milli), 2*kit.Milli))
			k.Hole(20*kit.Milli, 20*kit.Milli, 4*kit.Milli, pcb.NonPlated)
			k.Track("A", 15000, 17702, 25000, 17702, 200)
		}, dfm.CopperToEdge, dfm.MustFix, 0},
		"close to a score": {func(k *kit.Kit) {
			v := artwork.NewSheet("v-cut", "v.gbr", pcb.RoleVCut, pcb.NoSide)
			v.Line(geom.Pt(-5*kit.Milli, 15*kit.Milli), geom.Pt(45*kit.Milli, 15*kit.Milli), 100*kit.Micron, artwork.Meta{})
			k.Layers = append(k.Layers, v.Layer)
			k.Track("A", 5000, 15498, 9000, 15498, 200)
		}, dfm.CopperToVScore, dfm.MustFix, 1},
		"far enough from a score": {func(k *kit.Kit) {
			v := artwork.NewSheet("v-cut", "v.gbr", pcb.RoleVCut, pcb.NoSide)
			v.Line(geom.Pt(-5*kit.Milli, 15*kit.Milli), geom.Pt(45*kit.Milli, 15*kit.Milli), 100*kit.Micron, artwork.Meta{})
			k.Layers = append(k.Layers, v.Layer)
			k.Track("A", 5000, 15502, 9000, 15502, 200)
		}, dfm.CopperToVScore, dfm.MustFix, 0},
		"across a score": {func(k *kit.Kit) {
			v := artwork.NewSheet("v-cut", "v.gbr", pcb.RoleVCut, pcb.NoSide)
			v.Line(geom.Pt(-5*kit.Milli, 15*kit.Milli), geom.Pt(45*kit.Milli, 15*kit.Milli), 100*kit.Micron, artwork.Meta{})
			k.Layers = append(k.Layers, v.Layer)
			k.Track("A", 5000, 5000, 5000, 20000, 200)
		}, dfm.CopperToVScore, dfm.MustFix, 1},
		"across lines of a score layer that end within the board": {func(k *kit.Kit) {
			frame(k, 10, 15, 60)
			k.Track("A", 8000, 10000, 20000, 10000, 200)
			k.Track("A", 15000, 5000, 15000, 20000, 200)
		}, dfm.CopperToVScore, dfm.Warning, 1},
		"across scores that meet in a T": {func(k *kit.Kit) {
			v := artwork.NewSheet("v-cut", "v.gbr", pcb.RoleVCut, pcb.NoSide)
			v.Line(geom.Pt(-5*kit.Milli, 15*kit.Milli), geom.Pt(45*kit.Milli, 15*kit.Milli), 100*kit.Micron, artwork.Meta{})
			v.Line(geom.Pt(10*kit.Milli, 15*kit.Milli), geom.Pt(10*kit.Milli, 60*kit.Milli), 100*kit.Micron, artwork.Meta{})
			k.Layers = append(k.Layers, v.Layer)
			k.Track("A", 5000, 5000, 5000, 20000, 200)
		}, dfm.CopperToVScore, dfm.MustFix, 1},
		"across a score in two pieces": {func(k *kit.Kit) {
			v := artwork.NewSheet("v-cut", "v.gbr", pcb.RoleVCut, pcb.NoSide)
			v.Line(geom.Pt(-5*kit.Milli, 15*kit.Milli), geom.Pt(20*kit.Milli, 15*kit.Milli), 100*kit.Micron, artwork.Meta{})
			v.Line(geom.Pt(20*kit.Milli, 15*kit.Milli), geom.Pt(45*kit.Milli, 15*kit.Milli), 100*kit.Micron, artwork.Meta{})
			k.Layers = append(k.Layers, v.Layer)
			k.Track("A", 5000, 5000, 5000, 20000, 200)
		}, dfm.CopperToVScore, dfm.MustFix, 1},
		"across":      {func(k *kit.Kit) { k.Track("A", 5000, 50, 9000, 50, 200) }, dfm.CopperOutside, dfm.MustFix, 1},
		"beyond":      {func(k *kit.Kit) { k.Track("A", 5000, -1000, 9000, -1000, 200) }, dfm.CopperOutside, dfm.Note, 1},
		"the outline": {func(k *kit.Kit) { k.Top.Path(k.Outline.Areas[0].Outer, 100*kit.Micron, artwork.Meta{}) }, dfm.CopperOutside, dfm.MustFix, 0},
		"pour":        {func(k *kit.Kit) { k.Area("A", kit.Poly(4000, 100, 10000, 100, 10000, 10000, 4000, 10000)) }, dfm.CopperToEdge, dfm.Warning, 1},
		"rim of a pour": {func(k *kit.Kit) {
			m := k.NetMeta("A")
			m.Function = pcb.FuncPour
			k.Top.Line(geom.Pt(5*kit.Milli, 150*kit.Micron), geom.Pt(9*kit.Milli, 150*kit.Micron), 200*kit.Micron, m)
		}, dfm.CopperToEdge, dfm.Warning, 1},
		"rim of a hatched area turns inwards": {func(k *kit.Kit) {
			k.Track("A", 5000, 0, 15000, 0, 400)
			k.Track("A", 15000, 0, 14000, 1500, 400)
			k.Track("A", 14000, 1500, 5000, 5000, 400)
		}, dfm.CopperOutside, dfm.Warning, 1},
		"a track of another width from there": {func(k *kit.Kit) {
			k.Track("A", 5000, 0, 15000, 0, 400)
			k.Track("A", 15000, 0, 14000, 1500, 300)
			k.Track("A", 14000, 1500, 5000, 5000, 400)
		}, dfm.CopperOutside, dfm.MustFix, 1},
		"a track from the edge where no rim ends": {func(k *kit.Kit) {
			k.Track("A", 5000, 0, 15000, 0, 400)
			k.Track("A", 16000, 0, 14000, 1500, 400)
			k.Track("A", 14000, 1500, 5000, 5000, 400)
		}, dfm.CopperOutside, dfm.MustFix, 1},
		"rim of a fill that balances copper": {func(k *kit.Kit) {
			m := k.NetMeta("A")
			m.Function = pcb.FuncBalancing
			k.Top.Line(geom.Pt(5*kit.Milli, 150*kit.Micron), geom.Pt(9*kit.Milli, 150*kit.Micron), 200*kit.Micron, m)
		}, dfm.CopperToEdge, dfm.Warning, 1},
		"tail of a painted area":              {func(k *kit.Kit) { paint(k, 30, 300, 400) }, dfm.CopperOutside, dfm.Warning, 1},
		"tail of a few lines":                 {func(k *kit.Kit) { paint(k, 10, 300, 400) }, dfm.CopperOutside, dfm.MustFix, 1},
		"tail drawn with another pen":         {func(k *kit.Kit) { paint(k, 30, 300, 350) }, dfm.CopperOutside, dfm.MustFix, 1},
		"tail of tracks that lie apart":       {func(k *kit.Kit) { paint(k, 30, 700, 400) }, dfm.CopperOutside, dfm.MustFix, 1},
		"tracks with open ends across, four":  {func(k *kit.Kit) { openEnds(k, 4, 0, 2000) }, dfm.CopperOutside, dfm.Note, 4},
		"tracks with open ends across, three": {func(k *kit.Kit) { openEnds(k, 3, 0, 2000) }, dfm.CopperOutside, dfm.MustFix, 3},
		"tracks with open ends across, three of a flexible board": {func(k *kit.Kit) {
			openEnds(k, 3, 0, 2000)
			k.Facts.Flex = pcb.State(true, pcb.Source{}, 0.9, "notes")
		}, dfm.CopperOutside, dfm.Warning, 3},
		"tracks with ends in a narrow band, three of a flexible board": {func(k *kit.Kit) {
			openEnds(k, 3, 0, 50)
			k.Facts.Flex = pcb.State(true, pcb.Source{}, 0.9, "notes")
		}, dfm.CopperOutside, dfm.Warning, 3},
		"tracks with ends that the mask covers, of a flexible board": {func(k *kit.Kit) {
			openEnds(k, 3, 0, 0)
			k.Facts.Flex = pcb.State(true, pcb.Source{}, 0.9, "notes")
		}, dfm.CopperOutside, dfm.MustFix, 3},
		"tracks with ends across that the mask covers, four":      {func(k *kit.Kit) { openEnds(k, 4, 0, 0) }, dfm.CopperOutside, dfm.MustFix, 4},
		"tracks with open ends that run on across the edge, four": {func(k *kit.Kit) { openEnds(k, 4, -3000, 2000) }, dfm.CopperOutside, dfm.MustFix, 4},
		"tracks that are open at the edge only, four":             {func(k *kit.Kit) { openEnds(k, 4, 0, 50) }, dfm.CopperOutside, dfm.MustFix, 4},
		"pad drawn as a stroke, across": {func(k *kit.Kit) {
			k.Hole(10*kit.Milli, 1500*kit.Micron, 800*kit.Micron, pcb.Plated)
			k.Top.Line(geom.Pt(10*kit.Milli, 1500*kit.Micron), geom.Pt(10*kit.Milli, 0), 1500*kit.Micron, artwork.Meta{})
		}, dfm.CopperOutside, dfm.Warning, 1},
		"track with a hole, across": {func(k *kit.Kit) {
			k.Hole(10*kit.Milli, 1500*kit.Micron, 800*kit.Micron, pcb.Plated)
			k.Track("A", 10000, 1500, 10000, 0, 1500)
		}, dfm.CopperOutside, dfm.MustFix, 1},
		"stroke with a via, across": {func(k *kit.Kit) {
			k.Hole(10*kit.Milli, 1500*kit.Micron, 300*kit.Micron, pcb.Plated)
			k.Top.Line(geom.Pt(10*kit.Milli, 1500*kit.Micron), geom.Pt(10*kit.Milli, 0), 1500*kit.Micron, artwork.Meta{})
		}, dfm.CopperOutside, dfm.MustFix, 1},
		"stroke without a hole, across": {func(k *kit.Kit) {
			k.AddVia("A", 12000, 3000, 600, 300)
			k.Track("A", 10000, 1500, 10000, 0, 1500)
			k.Track("A", 10000, 1500, 12000, 3000, 200)
		}, dfm.CopperOutside, dfm.MustFix, 1},
		"stroke that the mask leaves open, across": {func(k *kit.Kit) {
			k.Track("A", 10000, 1500, 10000, 0, 1500)
			k.Mask.Line(geom.Pt(10*kit.Milli, 1500*kit.Micron), geom.Pt(10*kit.Milli, 0), 1500*kit.Micron, artwork.Meta{})
		}, dfm.CopperOutside, dfm.Warning, 1},
		"disc drawn as a stroke that the mask leaves open, close": {func(k *kit.Kit) {
			k.Track("A", 10000, 1050, 10000, 1050, 2000)
			k.Mask.Line(geom.Pt(10*kit.Milli, 1050*kit.Micron), geom.Pt(10*kit.Milli, 1050*kit.Micron), 2*kit.Milli, artwork.Meta{})
		}, dfm.CopperToEdge, dfm.Warning, 1},
		"bend that the mask leaves open, across": {func(k *kit.Kit) {
			bend := geom.ArcEdge(geom.Pt(9*kit.Milli, 0), geom.Pt(11*kit.Milli, 0), geom.Pt(10*kit.Milli, 0), true)
			k.Top.Edge(bend, 600*kit.Micron, k.NetMeta("A"))
			k.Mask.Edge(bend, 600*kit.Micron, artwork.Meta{})
		}, dfm.CopperOutside, dfm.Warning, 1},
		"stroke that the mask leaves open but for its rim, across": {func(k *kit.Kit) {
			k.Track("A", 10000, 1500, 10000, 0, 1500)
			k.Mask.Line(geom.Pt(10*kit.Milli, 1500*kit.Micron), geom.Pt(10*kit.Milli, 0), 1480*kit.Micron, artwork.Meta{})
		}, dfm.CopperOutside, dfm.MustFix, 1},
		"stroke that the mask leaves open at its end, across": {func(k *kit.Kit) {
			k.Track("A", 10000, 5000, 10000, 0, 1500)
			k.Mask.Line(geom.Pt(10*kit.Milli, 1500*kit.Micron), geom.Pt(10*kit.Milli, 0), 1500*kit.Micron, artwork.Meta{})
		}, dfm.CopperOutside, dfm.MustFix, 1},
		"track on a board that has no mask, across": {func(k *kit.Kit) {
			k.Track("A", 10000, 1500, 10000, 0, 1500)
			k.Mask.Region(geom.Polygon{Outer: kit.Poly(-1000, -1000, 41000, -1000, 41000, 31000, -1000, 31000)}, artwork.Meta{})
		}, dfm.CopperOutside, dfm.MustFix, 1},
		"pad":          {func(k *kit.Kit) { k.Pad(10*kit.Milli, 600*kit.Micron, kit.Milli, 0, "A") }, dfm.CopperToEdge, dfm.Warning, 1},
		"castellation": {func(k *kit.Kit) { k.AddVia("A", 10000, 0, 1200, 600) }, dfm.CopperToEdge, dfm.Warning, 0},
		"edge connector": {func(k *kit.Kit) {
			for x := range int64(5) {
				k.Top.Flash(geom.Pt(10*kit.Milli+x*2*kit.Milli, 1600*kit.Micron), artwork.Rect(kit.Milli, 3*kit.Milli), 0, false, k.NetMeta("A"))
			}
		}, dfm.CopperToEdge, dfm.Note, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.AddVia("A", 5000, 5000, 600, 300)
			tt.draw(k)
			r := k.Judge(judgeEdges, of)
			kit.WantBad(t, &r, tt.check, tt.level, tt.count)
			if tt.count == 0 && len(r.Findings) > 0 {
				t.Errorf("findings: %+v, want none", r.Findings)
			}
		})
	}
}

// paint draws lines of 0.4 mm that lie pitch micrometres apart, one along their ends that joins them, and
// a tail of a width across the edge.
func paint(k *kit.Kit, lines, pitch, tail int64) {
	for i := range lines {
		k.Track("A", 8000, 5000+i*pitch, 15000, 5000+i*pitch, 400)
	}
	k.Track("A", 15000, 5000, 15000, 5000+(lines-1)*pitch, 400)
	k.Track("A", 8000, 5000, 8000, -500, tail)
}

// openEnds draws tracks of 0.2 mm that end at y micrometres, and an opening of the mask over all
// of them from beyond the edge to so many micrometres within; 0 for none.
func openEnds(k *kit.Kit, count, y, open int64) {
	for i := range count {
		x := 10_000 + 500*i
		k.AddVia("A", x, 8000, 300, 150)
		k.Track("A", x, 8000, x, y, 200)
	}
	if open > 0 {
		k.Mask.Region(geom.Polygon{Outer: kit.Poly(9000, -4000, 13_000, -4000, 13_000, open, 9000, open)}, artwork.Meta{})
	}
}

// TestHoleInRim: a bare hole in the rim of a pad is a fault where it takes much of the pad.
func TestHoleInRim(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.CopperToHole: 200 * kit.Micron}
	for _, c := range []struct {
		side  int64 // of the pad, in micrometres; the hole is 1 mm wide, its middle 0.2 mm beyond the pad
		level dfm.Level
	}{{5000, dfm.Warning}, {4990, dfm.MustFix}, {1200, dfm.MustFix}} {
		k := kit.New()
		k.Pad(20*kit.Milli, 15*kit.Milli, c.side*kit.Micron, 0, "A")
		k.AddVia("A", 30000, 15000, 600, 300)
		k.Track("A", 20000, 15000, 30000, 15000, 200)
		k.Hole(20*kit.Milli-c.side*kit.Micron/2-200*kit.Micron, 15*kit.Milli, kit.Milli, pcb.NonPlated)
		r := k.Judge(judgeHoles, of)
		kit.WantBad(t, &r, dfm.CopperToHole, c.level, 1)
	}
}

// TestHoleInRimOfLead: a bare hole that takes the rim of the pad of a lead is no fault while
// the two holes are far enough apart for drills that wander.
func TestHoleInRimOfLead(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.CopperToHole: 200 * kit.Micron}
	for _, c := range []struct {
		name  string
		draw  func(k *kit.Kit)
		apart int64 // the barrels of the two holes, in micrometres
		level dfm.Level
	}{
		{"the rim", nil, 110, dfm.Warning},
		{"near it", nil, 600, dfm.Warning},
		{"more than the rim", nil, 90, dfm.MustFix},
		{"a track there", func(k *kit.Kit) { k.Track("A", 20000, 15000, 23000, 15000, 200) }, 110, dfm.MustFix},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			h := k.AddVia("A", 20000, 15000, 2500, 1500)
			h.Function = pcb.FuncComponentDrill
			k.AddVia("A", 10000, 15000, 600, 300)
			k.Track("A", 20000, 15000, 10000, 15000, 200)
			if c.draw != nil {
				c.draw(k)
			}
			k.Hole(20*kit.Milli+(750+c.apart+1000)*kit.Micron, 15*kit.Milli, 2*kit.Milli, pcb.NonPlated)
			r := k.Judge(judgeHoles, of)
			kit.WantBad(t, &r, dfm.CopperToHole, c.level, 2-map[bool]int{true: 1}[c.draw != nil])
		})
	}
}

// TestAcrossGuessedOutline: where the shape is a guess, tracks across it say so.
func TestAcrossGuessedOutline(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.CopperToEdge: 200 * kit.Micron}
	for _, c := range []struct {
		code  string
		check dfm.Name
		says  string
	}{
		{"outline_elsewhere", dfm.OutlineMissing, "send the layer that draws the board's edge"},
		{"outline_gap", dfm.CopperOutside, "the cutter goes through"},
	} {
		k := kit.New()
		k.Findings = append(k.Findings, pcb.Finding{Code: c.code, Level: pcb.Warning})
		k.AddVia("A", 5000, 5000, 600, 300)
		k.Track("A", 5000, 50, 9000, 50, 200)
		r := k.Judge(judgeEdges, of)
		if f := kit.Want(t, &r, c.check, dfm.MustFix, 1); !strings.Contains(f.What, c.says) {
			t.Errorf("%s: says %q, want %q in it", c.code, f.What, c.says)
		}
	}
}

// TestTouchesTheOutline: copper that ends right at the outline is not said to lie across it.
func TestTouchesTheOutline(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		y    []int64 // micrometres, where tracks of 0.2 mm end above the edge at 0
		says string
	}{
		{"touches", []int64{100}, "1 track reaches up to the outline of the board, with nothing between"},
		{"by what a file rounds", []int64{99}, "1 track reaches up to the outline"},
		{"over the edge", []int64{95}, "1 track reaches across the outline of the board: the cutter goes through."},
		{"to the middle", []int64{5}, "1 track reaches across the outline"},
		{"two of them", []int64{100, 10}, "2 tracks reach the outline of the board, 1 of them across it: the cutter goes through."},
	} {
		k := kit.New()
		for i, y := range c.y {
			x := int64(5000 + 10_000*i)
			k.AddVia("A", x, 5000, 600, 300)
			k.Track("A", x, 5000, x, y, 200)
		}
		r := k.Judge(judgeEdges, map[dfm.Name]int64{dfm.CopperToEdge: 200 * kit.Micron})
		f := kit.Want(t, &r, dfm.CopperOutside, dfm.MustFix, len(c.y))
		if !strings.HasPrefix(f.What, c.says) {
			t.Errorf("%s: says %q, want it to begin with %q", c.name, f.What, c.says)
		}
	}
}

// TestFinePens: the tips of an area painted with a fine pen are no tracks; lines of such a
// pen that lead somewhere by themselves are.
func TestFinePens(t *testing.T) {
	t.Parallel()
	const pen = 25 * kit.Micron
	for name, tt := range map[string]struct {
		rows, alone int64
		want        dfm.Level
	}{
		"an area and a tip":      {200, 1, dfm.Warning},
		"an area, many lines":    {200, 40, dfm.MustFix},
		"too few for an area":    {20, 1, dfm.MustFix},
		"a pen and nothing more": {0, 3, dfm.MustFix},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.AddVia("A", 5000, 5000, 600, 300)
			line := func(x0, y0, x1, y1 int64) {
				k.Top.Line(geom.Pt(x0, y0), geom.Pt(x1, y1), pen, artwork.Meta{Net: k.Net("A")})
			}
			for row := range tt.rows {
				y := 5*kit.Milli + row*20*kit.Micron
				line(5*kit.Milli, y, 9*kit.Milli, y)
			}
			for n := range tt.alone {
				y := 5*kit.Milli + n*2*kit.Milli/10
				line(5*kit.Milli-n*kit.Micron, y, kit.Milli, y)
				line(5*kit.Milli-n*kit.Micron, y, 5*kit.Milli, 5*kit.Milli)
			}
			r := k.Judge(widths, map[dfm.Name]int64{dfm.TrackWidth: 100 * kit.Micron})
			var got dfm.Level
			for _, f := range r.Findings {
				got = max(got, f.Level)
			}
			if got != tt.want {
				t.Errorf("%v, want %v: %+v", got, tt.want, r.Findings)
			}
		})
	}
}

// pictures draws two pieces 50 micrometres apart, each of rows of the height given,
// beside a via and an opening of the mask elsewhere.
func pictures(k *kit.Kit, rows, row int64, net string, bare, paste bool) {
	k.AddVia("B", 20000, 20000, 600, 300)
	k.Pad(20*kit.Milli, 10*kit.Milli, kit.Milli, 50*kit.Micron, "B")
	sheet := artwork.NewSheet("paste", "paste.gbr", pcb.RolePaste, pcb.Top)
	for piece := range int64(2) {
		for i := range rows {
			at := geom.Pt(5*kit.Milli+piece*1050*kit.Micron, 5*kit.Milli+i*row*kit.Micron)
			k.Top.Flash(at, artwork.Rect(kit.Milli, row*kit.Micron), 0, false, artwork.Meta{Net: k.Net(net + strings.Repeat("x", int(piece)*len(net)))})
			if bare {
				k.Mask.Flash(at, artwork.Rect(kit.Milli, row*kit.Micron), 0, false, artwork.Meta{})
			}
			if paste {
				sheet.Flash(at, artwork.Rect(kit.Milli, row*kit.Micron), 0, false, artwork.Meta{})
			}
		}
	}
	k.Layers = append(k.Layers, sheet.Layer)
}
