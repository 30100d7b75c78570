package conductor

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/pcb"
)

// TestCopperInTheWaste: gaps and widths of copper that lies wholly beside the board, as
// coupons do, are no fault of it; what leads to the board is.
func TestCopperInTheWaste(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.TrackClearance: 100 * kit.Micron, dfm.PadClearance: 100 * kit.Micron, dfm.TrackWidth: 100 * kit.Micron, dfm.CopperToHole: 200 * kit.Micron}
	for _, c := range []struct {
		name         string
		x            int64 // where the coupon begins, in micrometres; the board ends at 40,000
		draw         func(k *kit.Kit)
		gaps, widths int
	}{
		{"on the board", 10_000, nil, 1, 1},
		{"beside it", 50_000, nil, 0, 0},
		{"beside it, by a track to the board", 50_000, func(k *kit.Kit) { k.Track("a", 30_000, 5000, 50_000, 5000, 200) }, 0, 1}, // its neighbour is in the waste,
		{"beside it, of an uncertain outline", 50_000, func(k *kit.Kit) {
			k.Findings = append(k.Findings, pcb.Finding{Code: "outline_repeated", Level: pcb.Warning})
		}, 1, 1},
		{"in a cutout, as boards lie in a panel's frame", 10_000, func(k *kit.Kit) {
			k.SetOutline(k.Outline.Areas[0].Outer, kit.Poly(2000, 2000, 38_000, 2000, 38_000, 28_000, 2000, 28_000))
		}, 1, 1},
		{"over the edge", 36_000, nil, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.AddVia("a", c.x, 5000, 1000, 300)
			k.AddVia("b", c.x, 7000, 1000, 300)
			k.Track("a", c.x, 5000, c.x+5000, 5000, 60)
			k.Track("b", c.x, 7000, c.x, 5560, 200)
			k.AddVia("c", c.x+3000, 5260, 400, 300)
			if c.draw != nil {
				c.draw(k)
			}
			r := k.Judge(clearances, of)
			must := 0
			for _, f := range r.Findings {
				if f.Level == dfm.MustFix {
					must++
				}
			}
			if (must > 0) != (c.gaps > 0) {
				t.Errorf("%d gaps to mend, want some: %v: %+v", must, c.gaps > 0, r.Findings)
			}
			r = k.Judge(widths, of)
			kit.Want(t, &r, dfm.TrackWidth, dfm.MustFix, c.widths)
		})
	}
}
