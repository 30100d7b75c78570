package dfm

import (
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

func TestMaskExpansion(t *testing.T) {
	t.Parallel()
	macro := func(grow int64) artwork.Shape { // a rounded rectangle as CAD systems write it: a cross and four discs
		x, y, r := 700*micron, 300*micron, 100*micron+grow
		return artwork.Shape{Key: "macro" + mm(grow), Build: func() board.Aperture {
			area := func(x, y int64) board.Primitive {
				return board.Primitive{Kind: board.AreaPrimitive, Area: geom.Rect(geom.Box{Min: geom.Pt(-x, -y), Max: geom.Pt(x, y)})}
			}
			prims := []board.Primitive{area(x+r, y), area(x, y+r)}
			for _, c := range []geom.Point{{X: x, Y: y}, {X: -x, Y: y}, {X: -x, Y: -y}, {X: x, Y: -y}} {
				prims = append(prims, board.Primitive{Kind: board.CirclePrimitive, A: c, B: c, Radius: r})
			}
			return board.Custom("RoundRect", prims)
		}}
	}
	turned := func(half int64) artwork.Shape {
		return artwork.Shape{Key: "turned" + mm(half), Build: func() board.Aperture {
			p := geom.Transform{Rotation: 30}.Path(geom.Rect(geom.Box{Min: geom.Pt(-2*half, -half), Max: geom.Pt(2*half, half)}))
			return board.Area(board.MacroShape, p)
		}}
	}
	for _, c := range []struct {
		name         string
		pad, opening artwork.Shape
		function     board.Function
		want         int64
		seen         bool
	}{
		{"circles", artwork.Circle(milli), artwork.Circle(1100 * micron), board.FuncSMDPad, 50 * micron, true},
		{"the same", artwork.Rect(milli, milli), artwork.Rect(milli, milli), board.FuncSMDPad, 0, true},
		{"smaller", artwork.Rect(milli, milli), artwork.Rect(milli, 900*micron), board.FuncSMDPad, -50 * micron, true},
		{"mask defined", artwork.Rect(milli, milli), artwork.Rect(milli, 900*micron), board.FuncBGAPadMask, 0, false},
		{"macros", macro(0), macro(40 * micron), board.FuncSMDPad, 40 * micron, true},
		{"turned macros", turned(500 * micron), turned(530 * micron), board.FuncSMDPad, 30 * micron, true},
		{"a window of many", artwork.Rect(4*milli, 4*milli), artwork.Rect(milli, milli), board.FuncSMDPad, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			k.top.Flash(geom.Pt(5*milli, 5*milli), c.pad, 0, false, artwork.Meta{Function: c.function})
			k.mask.Flash(geom.Pt(5*milli, 5*milli), c.opening, 0, false, artwork.Meta{})
			r := k.judge(maskPads, map[Name]int64{MaskExpansion: 10 * milli})
			if !c.seen {
				r.want(t, MaskExpansion, Note, 0)
				return
			}
			if v := r.measured(t, MaskExpansion); v < c.want-1 || v > c.want+1 {
				t.Errorf("measured %d, want %d", v, c.want)
			}
			r.want(t, MaskExpansion, Note, 1)
		})
	}
}

func TestMaskMissing(t *testing.T) {
	t.Parallel()
	k := newKit()
	paste := artwork.On("paste", "paste.gbr", board.RolePaste, board.Top)
	k.Layers = append(k.Layers, paste.Layer)
	bare := func(x int64, f board.Function) {
		k.top.Flash(geom.Pt(x, 5*milli), artwork.Rect(milli, milli), 0, false, artwork.Meta{Function: f})
	}
	k.pad(5*milli, 5*milli, milli, 0, "")
	bare(10*milli, board.FuncSMDPad)
	bare(12*milli, board.FuncSMDPad)
	bare(14*milli, board.FuncViaPad)
	bare(16*milli, board.FuncUnknown)
	paste.Flash(geom.Pt(10*milli, 5*milli), artwork.Rect(milli, milli), 0, false, artwork.Meta{})
	r := k.judge(maskPads, nil)
	r.want(t, MaskMissing, MustFix, 1)
	r.want(t, MaskMissing, Note, 1)
}

func TestMaskDoubtful(t *testing.T) {
	t.Parallel()
	k := newKit()
	for i := range int64(12) {
		k.top.Flash(geom.Pt(i*2*milli, 5*milli), artwork.Rect(milli, milli), 0, false, artwork.Meta{Function: board.FuncSMDPad})
	}
	k.mask.Line(geom.Pt(0, 20*milli), geom.Pt(10*milli, 20*milli), milli, artwork.Meta{})
	r := k.judge(maskPads, nil)
	r.want(t, MaskMissing, Warning, 12)
	r.want(t, MaskMissing, MustFix, 0)
}

func TestMaskBridge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		gap   int64 // between pads whose openings are 50 µm larger
		nets  [2]string
		join  bool
		level Level
		count int
	}{
		{"wide", 202 * micron, [2]string{"A", "B"}, false, Warning, 0},
		{"just enough", 200 * micron, [2]string{"A", "B"}, false, Warning, 0},
		{"narrow", 198 * micron, [2]string{"A", "B"}, false, Warning, 1},
		{"of one net", 198 * micron, [2]string{"A", "A"}, false, Warning, 0},
		{"nets not stated", 198 * micron, [2]string{}, false, Warning, 1},
		{"nets not stated, joined", 198 * micron, [2]string{}, true, Warning, 0},
		{"one opening", 90 * micron, [2]string{"A", "B"}, false, Note, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			k.pad(5*milli, 5*milli, milli, 50*micron, c.nets[0])
			k.pad(6*milli+c.gap, 5*milli, milli, 50*micron, c.nets[1])
			if c.join {
				k.top.Line(geom.Pt(5*milli, 5*milli), geom.Pt(6*milli, 5*milli), 200*micron, artwork.Meta{})
				k.top.Line(geom.Pt(6*milli, 5*milli), geom.Pt(6*milli+c.gap, 5*milli), 200*micron, artwork.Meta{})
			}
			r := k.judge(bridges, map[Name]int64{MaskBridge: 100 * micron})
			r.want(t, MaskBridge, c.level, c.count)
		})
	}
}

func TestExposed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		track int64 // edge of a track of another net from the pad's
		net   string
		check Name
		level Level
		count int
	}{
		{"far", 300 * micron, "B", MaskToCopper, Note, 0},
		{"near", 138 * micron, "B", MaskToCopper, Note, 1},
		{"bare", 40 * micron, "B", ExposedCopper, Warning, 1},
		{"its own net", 40 * micron, "A", ExposedCopper, Warning, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			k.pad(5*milli, 5*milli, milli, 50*micron, "A")
			y := 5*milli + 500*micron + c.track + 100*micron
			k.top.Line(geom.Pt(2*milli, y), geom.Pt(9*milli, y), 200*micron, artwork.Meta{Net: k.Net(c.net), Function: board.FuncConductor})
			r := k.judge(exposed, map[Name]int64{MaskToCopper: 90 * micron})
			r.want(t, c.check, c.level, c.count)
		})
	}
	t.Run("no pad", func(t *testing.T) {
		t.Parallel()
		k := newKit()
		k.pad(5*milli, 5*milli, milli, 50*micron, "A")
		k.top.Line(geom.Pt(10*milli, 5*milli), geom.Pt(20*milli, 5*milli), milli, artwork.Meta{Net: k.Net("B"), Function: board.FuncConductor})
		k.mask.Line(geom.Pt(12*milli, 5*milli), geom.Pt(18*milli, 5*milli), milli/2, artwork.Meta{})
		r := k.judge(exposed, nil)
		r.want(t, ExposedCopper, Note, 1)
	})
}

// TestMaskThatErases closes an opening again: its pad is covered then.
func TestMaskThatErases(t *testing.T) {
	t.Parallel()
	k := newKit()
	paste := artwork.On("paste", "paste.gbr", board.RolePaste, board.Top)
	k.Layers = append(k.Layers, paste.Layer)
	for i := range int64(2) {
		k.pad((5+5*i)*milli, 5*milli, milli, 0, "")
		paste.Flash(geom.Pt((5+5*i)*milli, 5*milli), artwork.Rect(milli, milli), 0, false, artwork.Meta{})
	}
	k.mask.Flash(geom.Pt(5*milli, 5*milli), artwork.Rect(3*milli, 3*milli), 0, false, artwork.Meta{Clear: true})
	r := k.judge(maskPads, nil)
	r.want(t, MaskMissing, MustFix, 1)
	k.mask.Layer.Negative = true
	if r = k.judge(maskPads, nil); len(r.findings) != 0 || len(r.unchecked) != 1 {
		t.Errorf("a negative: %+v", r)
	}
}
