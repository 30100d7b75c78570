package netlist

import (
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

// TestPlaneInDoubt: what an inner layer joins that may be a negative is not known, so that
// missing connections and shorts are told of with that reason.
func TestPlaneInDoubt(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		disc  int64 // micrometres, on the inner layer
		level dfm.Level
	}{
		"discs larger than the pads": {1400, dfm.Warning},
		"lands like those outside":   {1000, dfm.MustFix},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Bottom.Layer.Order = 3
			in := artwork.On("L2", "l2.art", board.RoleCopper, board.Inner)
			in.Layer.Order = 2
			k.Layers = append(k.Layers, in.Layer)
			for i := range int64(10) {
				x := 3000 + 3000*i
				k.Via("", x, 5000, 1000, 400)
				in.Flash(geom.Pt(x*kit.Micron, 5000*kit.Micron), artwork.Circle(tt.disc*kit.Micron), 0, false, artwork.Meta{})
			}
			k.Land(5, 15, "A", "R1", "1")
			k.Land(15, 15, "A", "R2", "1")
			k.Wire(5, 20, 15, 20, "A")
			k.Wire(10, 18, 10, 22, "B")
			r := k.Judge(nets, nil)
			kit.Want(t, &r, dfm.Open, tt.level, 1)
			kit.Want(t, &r, dfm.Short, tt.level, 1)
		})
	}
}
