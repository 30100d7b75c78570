package hole

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// TestMirroredUnderPour: a layer whose pour meets every hole, and whose lands lie where
// the holes are only when it is mirrored, is told as that. Lands at their holes are right,
// and lands that fit neither way are left to the checks of rings.
func TestMirroredUnderPour(t *testing.T) {
	t.Parallel()
	const mid = 5_000_000
	for name, c := range map[string]struct {
		place func(p geom.Point, i int) geom.Point
		count int
	}{
		"mirrored": {func(p geom.Point, _ int) geom.Point { return geom.Pt(2*mid-p.X, p.Y) }, 14},
		"as it is": {func(p geom.Point, _ int) geom.Point { return p }, 0},
		"half mirrored": {func(p geom.Point, i int) geom.Point {
			if i%2 == 0 {
				return p
			}
			return geom.Pt(2*mid-p.X, p.Y)
		}, 0},
		"elsewhere": {func(p geom.Point, i int) geom.Point { return p.Add(geom.Pt(int64(100_000*(i%5-7)), 300_000)) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New().SetOutline(kit.Poly(0, 0, 10_000, 0, 10_000, 10_000, 0, 10_000))
			k.Area("", kit.Poly(200, 200, 9800, 200, 9800, 9800, 200, 9800))
			for i := range 14 {
				p := geom.Pt(int64(600_000+(i*i*7)%37*100_000), int64(500_000+i*600_000))
				k.Hole(p.X, p.Y, 300_000, pcb.Plated)
				k.Bottom.Flash(p, artwork.Circle(600_000), 0, false, artwork.Meta{})
				k.Top.Flash(c.place(p, i), artwork.Circle(600_000), 0, false, artwork.Meta{})
			}
			r := k.Judge(lands, nil)
			kit.Want(t, &r, dfm.Registration, dfm.MustFix, c.count)
		})
	}
}
