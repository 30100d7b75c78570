package mask

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

func TestMaskExpansion(t *testing.T) {
	t.Parallel()
	macro := func(grow int64) artwork.Shape { // a rounded rectangle as CAD systems write it: a cross and four discs
		x, y, r := 700*kit.Micron, 300*kit.Micron, 100*kit.Micron+grow
		return artwork.Shape{Key: "macro" + words.MM(grow), Build: func() pcb.Aperture {
			area := func(x, y int64) pcb.Primitive {
				return pcb.Primitive{Kind: pcb.AreaPrimitive, Area: geom.Rect(geom.Box{Min: geom.Pt(-x, -y), Max: geom.Pt(x, y)})}
			}
			prims := []pcb.Primitive{area(x+r, y), area(x, y+r)}
			for _, c := range []geom.Point{{X: x, Y: y}, {X: -x, Y: y}, {X: -x, Y: -y}, {X: x, Y: -y}} {
				prims = append(prims, pcb.Primitive{Kind: pcb.CirclePrimitive, A: c, B: c, Radius: r})
			}
			return pcb.Custom("RoundRect", prims)
		}}
	}
	turned := func(half int64) artwork.Shape {
		return artwork.Shape{Key: "turned" + words.MM(half), Build: func() pcb.Aperture {
			p := geom.Transform{Rotation: 30}.Path(geom.Rect(geom.Box{Min: geom.Pt(-2*half, -half), Max: geom.Pt(2*half, half)}))
			return pcb.Area(pcb.MacroShape, p)
		}}
	}
	for _, c := range []struct {
		name         string
		pad, opening artwork.Shape
		function     pcb.Function
		want         int64
		seen         bool
	}{
		{"circles", artwork.Circle(kit.Milli), artwork.Circle(1100 * kit.Micron), pcb.FuncSMDPad, 50 * kit.Micron, true},
		{"the same", artwork.Rect(kit.Milli, kit.Milli), artwork.Rect(kit.Milli, kit.Milli), pcb.FuncSMDPad, 0, true},
		{"smaller", artwork.Rect(kit.Milli, kit.Milli), artwork.Rect(kit.Milli, 900*kit.Micron), pcb.FuncSMDPad, -50 * kit.Micron, true},
		{"mask defined", artwork.Rect(kit.Milli, kit.Milli), artwork.Rect(kit.Milli, 900*kit.Micron), pcb.FuncBGAPadMask, 0, false},
		{"macros", macro(0), macro(40 * kit.Micron), pcb.FuncSMDPad, 40 * kit.Micron, true},
		{"turned macros", turned(500 * kit.Micron), turned(530 * kit.Micron), pcb.FuncSMDPad, 30 * kit.Micron, true},
		{"a window of many", artwork.Rect(4*kit.Milli, 4*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), pcb.FuncSMDPad, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Top.Flash(geom.Pt(5*kit.Milli, 5*kit.Milli), c.pad, 0, false, artwork.Meta{Function: c.function})
			k.Mask.Flash(geom.Pt(5*kit.Milli, 5*kit.Milli), c.opening, 0, false, artwork.Meta{})
			r := k.Judge(pads, map[dfm.Name]int64{dfm.MaskExpansion: 10 * kit.Milli})
			if !c.seen {
				kit.Want(t, &r, dfm.MaskExpansion, dfm.Note, 0)
				return
			}
			if v := kit.ValueOf(t, &r, dfm.MaskExpansion); v < c.want-1 || v > c.want+1 {
				t.Errorf("measured %d, want %d", v, c.want)
			}
			kit.Want(t, &r, dfm.MaskExpansion, dfm.Note, 1)
		})
	}
}

func TestMaskMissing(t *testing.T) {
	t.Parallel()
	k := kit.New()
	paste := artwork.NewSheet("paste", "paste.gbr", pcb.RolePaste, pcb.Top)
	k.Layers = append(k.Layers, paste.Layer)
	bare := func(x int64, f pcb.Function) {
		k.Top.Flash(geom.Pt(x, 5*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{Function: f})
	}
	k.Pad(5*kit.Milli, 5*kit.Milli, kit.Milli, 0, "")
	bare(10*kit.Milli, pcb.FuncSMDPad)
	bare(12*kit.Milli, pcb.FuncSMDPad)
	bare(14*kit.Milli, pcb.FuncViaPad)
	bare(16*kit.Milli, pcb.FuncUnknown)
	paste.Flash(geom.Pt(10*kit.Milli, 5*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{})
	r := k.Judge(pads, nil)
	kit.Want(t, &r, dfm.MaskMissing, dfm.MustFix, 1)
	kit.Want(t, &r, dfm.MaskMissing, dfm.Note, 1)
}

func TestMaskDoubtful(t *testing.T) {
	t.Parallel()
	k := kit.New()
	for i := range int64(12) {
		k.Top.Flash(geom.Pt(i*2*kit.Milli, 5*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{Function: pcb.FuncSMDPad})
	}
	k.Mask.Line(geom.Pt(0, 20*kit.Milli), geom.Pt(10*kit.Milli, 20*kit.Milli), kit.Milli, artwork.Meta{})
	r := k.Judge(pads, nil)
	kit.Want(t, &r, dfm.MaskMissing, dfm.Warning, 12)
	kit.Want(t, &r, dfm.MaskMissing, dfm.MustFix, 0)
}

// TestMaskOfBareSide: a mask that covers all pads stops the order, unless it opens the holes of the
// board and so is the mask of a side on which nothing is soldered.
func TestMaskOfBareSide(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		apart int64 // the openings from the holes
		want  dfm.Level
	}{"over the holes": {0, dfm.Warning}, "beside the holes": {kit.Milli, dfm.MustFix}} {
		k := kit.New()
		for i := range int64(30) {
			k.Top.Flash(geom.Pt(i*2*kit.Milli, 5*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{Function: pcb.FuncSMDPad})
			at := geom.Pt(i*3*kit.Milli, 20*kit.Milli)
			k.Board.Holes = append(k.Board.Holes, pcb.Hole{A: at, B: at, Diameter: kit.Milli, Plating: pcb.NonPlated})
			k.Mask.Flash(geom.Pt(at.X, at.Y+c.apart), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{})
		}
		r := k.Judge(pads, nil)
		for _, level := range []dfm.Level{dfm.Warning, dfm.MustFix} {
			count := 0
			if level == c.want {
				count = 30
			}
			t.Run(name, func(t *testing.T) { kit.Want(t, &r, dfm.MaskMissing, level, count) })
		}
	}
}

func TestMaskBridge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		gap   int64 // between pads whose openings are 50 µm larger
		nets  [2]string
		join  bool
		level dfm.Level
		count int
	}{
		{"wide", 202 * kit.Micron, [2]string{"A", "B"}, false, dfm.Warning, 0},
		{"just enough", 200 * kit.Micron, [2]string{"A", "B"}, false, dfm.Warning, 0},
		{"narrow", 198 * kit.Micron, [2]string{"A", "B"}, false, dfm.Warning, 1},
		{"of one net", 198 * kit.Micron, [2]string{"A", "A"}, false, dfm.Warning, 0},
		{"nets not stated", 198 * kit.Micron, [2]string{}, false, dfm.Warning, 1},
		{"nets not stated, joined", 198 * kit.Micron, [2]string{}, true, dfm.Warning, 0},
		{"one opening", 90 * kit.Micron, [2]string{"A", "B"}, false, dfm.Note, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Pad(5*kit.Milli, 5*kit.Milli, kit.Milli, 50*kit.Micron, c.nets[0])
			k.Pad(6*kit.Milli+c.gap, 5*kit.Milli, kit.Milli, 50*kit.Micron, c.nets[1])
			if c.join {
				k.Top.Line(geom.Pt(5*kit.Milli, 5*kit.Milli), geom.Pt(6*kit.Milli, 5*kit.Milli), 200*kit.Micron, artwork.Meta{})
				k.Top.Line(geom.Pt(6*kit.Milli, 5*kit.Milli), geom.Pt(6*kit.Milli+c.gap, 5*kit.Milli), 200*kit.Micron, artwork.Meta{})
			}
			r := k.Judge(bridges, map[dfm.Name]int64{dfm.MaskBridge: 100 * kit.Micron})
			kit.Want(t, &r, dfm.MaskBridge, c.level, c.count)
		})
	}
}

func TestExposed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		track int64 // edge of a track of another net from the pad's
		net   string
		check dfm.Name
		level dfm.Level
		count int
	}{
		{"far", 300 * kit.Micron, "B", dfm.MaskToCopper, dfm.Note, 0},
		{"near", 138 * kit.Micron, "B", dfm.MaskToCopper, dfm.Note, 1},
		{"bare", 40 * kit.Micron, "B", dfm.ExposedCopper, dfm.Warning, 1},
		{"its own net", 40 * kit.Micron, "A", dfm.ExposedCopper, dfm.Warning, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Pad(5*kit.Milli, 5*kit.Milli, kit.Milli, 50*kit.Micron, "A")
			y := 5*kit.Milli + 500*kit.Micron + c.track + 100*kit.Micron
			k.Top.Line(geom.Pt(2*kit.Milli, y), geom.Pt(9*kit.Milli, y), 200*kit.Micron, artwork.Meta{Net: k.Net(c.net), Function: pcb.FuncConductor})
			r := k.Judge(judgeExposed, map[dfm.Name]int64{dfm.MaskToCopper: 90 * kit.Micron})
			kit.Want(t, &r, c.check, c.level, c.count)
		})
	}
	t.Run("no pad", func(t *testing.T) {
		t.Parallel()
		k := kit.New()
		k.Pad(5*kit.Milli, 5*kit.Milli, kit.Milli, 50*kit.Micron, "A")
		k.Top.Line(geom.Pt(10*kit.Milli, 5*kit.Milli), geom.Pt(20*kit.Milli, 5*kit.Milli), kit.Milli, artwork.Meta{Net: k.Net("B"), Function: pcb.FuncConductor})
		k.Mask.Line(geom.Pt(12*kit.Milli, 5*kit.Milli), geom.Pt(18*kit.Milli, 5*kit.Milli), kit.Milli/2, artwork.Meta{})
		r := k.Judge(judgeExposed, nil)
		kit.Want(t, &r, dfm.ExposedCopper, dfm.Note, 1)
	})
}

// TestMaskThatErases closes an opening again: its pad is covered then.
func TestMaskThatErases(t *testing.T) {
	t.Parallel()
	k := kit.New()
	paste := artwork.NewSheet("paste", "paste.gbr", pcb.RolePaste, pcb.Top)
	k.Layers = append(k.Layers, paste.Layer)
	for i := range int64(2) {
		k.Pad((5+5*i)*kit.Milli, 5*kit.Milli, kit.Milli, 0, "")
		paste.Flash(geom.Pt((5+5*i)*kit.Milli, 5*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{})
	}
	k.Mask.Flash(geom.Pt(5*kit.Milli, 5*kit.Milli), artwork.Rect(3*kit.Milli, 3*kit.Milli), 0, false, artwork.Meta{Clear: true})
	r := k.Judge(pads, nil)
	kit.Want(t, &r, dfm.MaskMissing, dfm.MustFix, 1)
	k.Mask.Layer.Negative = true
	if r = k.Judge(pads, nil); len(r.Findings) != 0 || len(r.Unchecked) != 1 {
		t.Errorf("a negative mask: %+v, want no finding and one thing unchecked", r)
	}
}
