package drills_test

import (
	"testing"

	"boardorder/pkg/board/testkit/uploads"
)

func TestEagleLayers(t *testing.T) {
	t.Parallel()
	s := uploads.Ordinary().Merge(uploads.Set{"x-PTH.drl": "", "x-In1_Cu.gbr": uploads.Gerber("", "5,5"), "x-In2_Cu.gbr": uploads.Gerber("", "5,5")})
	s["drill_1_16.xln"] = uploads.Drill("", "5,5", "10,5")
	s["drill_15_16.xln"] = uploads.Drill("", "3,3")
	for _, h := range s.Read(t).Boards[0].Holes {
		want := [2]int16{1, 4}
		if h.A.X == 3_000_000 {
			want = [2]int16{3, 4}
		}
		if got := [2]int16{h.From, h.To}; got != want {
			t.Errorf("hole at %v spans %v, want %v", h.A, got, want)
		}
	}
}
