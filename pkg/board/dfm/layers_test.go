package dfm

import (
	"slices"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

func TestLayers(t *testing.T) {
	t.Parallel()
	without := func(k *kit, role board.Role, s board.Side) {
		k.Layers = slices.DeleteFunc(k.Layers, func(l *board.Layer) bool { return l.Role == role && l.Side == s })
	}
	for _, c := range []struct {
		name  string
		set   func(*kit)
		check Name
		level Level
	}{
		{"whole", func(*kit) {}, "", Note},
		{"no top mask", func(k *kit) { without(k, board.RoleMask, board.Top) }, LayerMissing, Warning},
		{"no holes", func(k *kit) { k.Holes = nil }, LayerMissing, Warning},
		{"numbering skips one", func(k *kit) { k.bottom.Layer.Order = 3 }, LayerMissing, MustFix},
		{"files tell of four", func(k *kit) { k.Facts.CopperLayers = board.State(4, board.Source{}, 1, "job file") }, LayerMissing, MustFix},
		{"drills go deeper", func(k *kit) { k.Holes[0].From, k.Holes[0].To = 1, 4 }, LayerMissing, MustFix},
		{"two tops", func(k *kit) {
			x := artwork.On("top2", "top2.gbr", board.RoleCopper, board.Top)
			x.Layer.Order = 3
			x.Line(geom.Pt(0, 0), geom.Pt(milli, 0), milli, artwork.Meta{})
			k.Layers = append(k.Layers, x.Layer)
		}, LayerExtra, MustFix},
		{"mask without openings", func(k *kit) { k.mask.Layer.Features = nil }, LayerEmpty, Warning},
		{"bottom empty", func(k *kit) { k.bottom.Layer.Features = nil }, LayerEmpty, Note},
		{"bottom empty, but negative", func(k *kit) { k.bottom.Layer.Features, k.bottom.Layer.Negative = nil, true }, "", Note},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			k.pad(5*milli, 5*milli, milli, 0, "A")
			k.bottom.Line(geom.Pt(5*milli, 5*milli), geom.Pt(9*milli, 5*milli), milli, artwork.Meta{})
			k.hole(5*milli, 5*milli, 300*micron, board.Plated)
			c.set(k)
			r := k.judge(layers, nil)
			want := 1
			if c.check == "" {
				want = 0
			}
			if len(r.findings) != want || want == 1 && (r.findings[0].Check != c.check || r.findings[0].Level != c.level) {
				t.Errorf("found %+v", r.findings)
			}
		})
	}
}

func TestNegativePlanes(t *testing.T) {
	t.Parallel()
	build := func(size int64, lines int) *kit {
		k := newKit()
		in := artwork.On("in1", "in1.gbr", board.RoleCopper, board.Inner)
		in.Layer.Order = 2
		k.Layers = append(k.Layers, in.Layer)
		for i := range int64(12) {
			k.hole((2+i)*milli, 5*milli, 300*micron, board.Plated)
			k.top.Flash(geom.Pt((2+i)*milli, 5*milli), artwork.Circle(600*micron), 0, false, artwork.Meta{})
			in.Flash(geom.Pt((2+i)*milli, 5*milli), artwork.Circle(size), 0, false, artwork.Meta{})
		}
		for i := range int64(lines) {
			in.Line(geom.Pt(0, i*milli), geom.Pt(9*milli, i*milli), 200*micron, artwork.Meta{})
		}
		return k
	}
	k := build(900*micron, 4)
	r := k.judge(negatives, nil)
	r.want(t, NegativePlane, Warning, 1)
	k.Layers[len(k.Layers)-1].Negative = true
	r = k.judge(negatives, nil)
	r.want(t, NegativePlane, Note, 1)
	r = build(600*micron, 4).judge(negatives, nil) // pads as large as outside
	r.want(t, NegativePlane, Warning, 0)
	r = build(900*micron, 40).judge(negatives, nil) // a layer of tracks
	r.want(t, NegativePlane, Warning, 0)
}

func TestSizes(t *testing.T) {
	t.Parallel()
	k := newKit()
	k.Facts.Thickness = board.State(3*milli, board.Source{}, 1, "")
	k.Facts.OuterCopper = board.State(3.0, board.Source{}, 1, "")
	r := k.judge(sizes, map[Name]int64{BoardLength: 39 * milli, BoardWidth: 30 * milli, BoardThickness: 2 * milli, LayerCount: 2, CopperWeight: 2000})
	for n, want := range map[Name]int{BoardLength: 1, BoardWidth: 0, BoardThickness: 1, LayerCount: 0, CopperWeight: 1} {
		r.want(t, n, MustFix, want)
	}
}
