package hole

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/pcb"
)

// TestLandsLost: a hole that takes lands of other places away stops the board; one that takes
// its own, or cuts others, is judged by other rules.
func TestLandsLost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hole int64 // diameter in micrometres, at 10,10
		land int64 // from there, of 1 mm
		want int
	}{
		"another's land":           {15_240, 3_000, 1},
		"its own":                  {3_000, 0, 0},
		"one in its middle":        {3_000, 300, 0},
		"one that it cuts":         {6_000, 3_000, 0},
		"one beside it":            {3_000, 5_000, 0},
		"a hole that is not large": {900, 300, 0},
	} {
		k := kit.New()
		k.Pad(10*kit.Milli+c.land*kit.Micron, 10*kit.Milli, kit.Milli, 0, "A")
		k.Hole(10*kit.Milli, 10*kit.Milli, c.hole*kit.Micron, pcb.Plated)
		r := k.Judge(strays, nil)
		t.Log(name)
		kit.Want(t, &r, dfm.HoleWithoutCopper, dfm.MustFix, c.want)
	}
}
