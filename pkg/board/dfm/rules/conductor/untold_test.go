package conductor

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// TestGapsBesideArtworkNotToldApart: where another file may be the copper or the holes that
// join two pieces, nobody knows that they are of different nets.
func TestGapsBesideArtworkNotToldApart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		draw  func(k *kit.Kit)
		level dfm.Level
	}{
		"one layer and nothing else": {func(*kit.Kit) {}, dfm.MustFix},
		"artwork of no known layer":  {unknown, dfm.Warning},
		"the same, with holes": {func(k *kit.Kit) {
			unknown(k)
			k.Hole(30*kit.Milli, 20*kit.Milli, kit.Milli, pcb.Plated)
		}, dfm.Warning},
		"both layers and holes beside it": {func(k *kit.Kit) {
			unknown(k)
			k.Bottom.Layer.Role, k.Silk.Layer.Role = pcb.RoleCopper, pcb.RoleUnknown
			k.Silk.Flash(geom.Pt(10*kit.Milli, 10*kit.Milli), artwork.Circle(kit.Milli), 0, false, artwork.Meta{})
			k.Hole(30*kit.Milli, 20*kit.Milli, kit.Milli, pcb.Plated)
		}, dfm.MustFix},
		"a drawing of no known layer without anything on it": {func(k *kit.Kit) { k.Bottom.Layer.Role = pcb.RoleUnknown }, dfm.MustFix},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Bottom.Layer.Role = pcb.RoleOther
			c.draw(k)
			for _, at := range []int64{10, 11} {
				k.Top.Flash(geom.Pt(at*kit.Milli, 10*kit.Milli), artwork.Rect(kit.Milli-40*kit.Micron, kit.Milli), 0, false, artwork.Meta{Function: pcb.FuncSMDPad})
			}
			r := k.Judge(clearances, map[dfm.Name]int64{dfm.PadClearance: 100 * kit.Micron})
			kit.Want(t, &r, dfm.PadClearance, c.level, 1)
		})
	}
}

func unknown(k *kit.Kit) {
	k.Bottom.Layer.Role = pcb.RoleUnknown
	k.Bottom.Flash(geom.Pt(10*kit.Milli, 10*kit.Milli), artwork.Circle(kit.Milli), 0, false, artwork.Meta{})
}
