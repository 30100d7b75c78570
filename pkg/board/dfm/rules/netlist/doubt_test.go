package netlist

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// TestPlaneInDoubt: what an inner layer joins that may be a negative is not known, so that
// missing connections, and shorts by that layer, are told of with that reason. Shorts that
// are there without it are faults.
func TestPlaneInDoubt(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		disc       int64 // micrometres, on the inner layer
		open       dfm.Level
		certain    int // shorts
		uncertain  int
		acrossOnly bool // no track crosses another
	}{
		"discs larger than the pads":            {disc: 1400, open: dfm.Warning, certain: 1, uncertain: 1},
		"discs larger than the pads, no tracks": {disc: 1400, open: dfm.Warning, uncertain: 1, acrossOnly: true},
		"lands like those outside":              {disc: 1000, open: dfm.MustFix, certain: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Bottom.Layer.Order = 3
			in := artwork.NewSheet("L2", "l2.art", pcb.RoleCopper, pcb.Inner)
			in.Layer.Order = 2
			k.Layers = append(k.Layers, in.Layer)
			via := func(net string, x, y int64) {
				k.AddVia(net, x, y, 1000, 400)
				in.Flash(geom.Pt(x*kit.Micron, y*kit.Micron), artwork.Circle(tt.disc*kit.Micron), 0, false, artwork.Meta{})
			}
			for i := range int64(10) {
				via("", 3000+3000*i, 5000)
			}
			via("C", 20000, 20000)
			via("D", 21200, 20000) // whose discs overlap
			k.Land(5, 15, "A", "R1", "1")
			k.Land(15, 15, "A", "R2", "1")
			if !tt.acrossOnly {
				k.Wire(5, 20, 15, 20, "A")
				k.Wire(10, 18, 10, 22, "B")
			}
			r := k.Judge(nets, nil)
			kit.Want(t, &r, dfm.Open, tt.open, 1)
			kit.Want(t, &r, dfm.Short, dfm.MustFix, tt.certain)
			kit.Want(t, &r, dfm.Short, dfm.Warning, tt.uncertain)
		})
	}
}
