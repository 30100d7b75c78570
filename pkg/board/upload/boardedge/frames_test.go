package boardedge_test

import (
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestSecondFrame: where two layers draw plain frames round all copper, one close within
// the other, and nothing but an extension says which is the board's edge, that is asked
// and no size is stated. Where one states itself, where a job file tells, or where the
// second is no plain frame or far away, nothing is asked.
func TestSecondFrame(t *testing.T) {
	t.Parallel()
	frame := func(by float64, more ...string) string {
		return uploads.GerberWithPen("0.2", -by, -by, 20+by, 10+by, more...)
	}
	for _, c := range []struct {
		name      string
		gko       string
		more      uploads.Set
		requested bool
	}{
		{"one frame", frame(0), nil, false},
		{"one a millimetre outside of the other", frame(0), uploads.Set{"x.gm5": frame(1)}, true},
		{"one a millimetre within the other", frame(0), uploads.Set{"x.gm5": frame(-1)}, true},
		{"the same twice", frame(0), uploads.Set{"x.gm5": frame(0.1)}, false},
		{"far outside", frame(0), uploads.Set{"x.gm5": frame(6)}, false},
		{"round some of the pads", frame(0), uploads.Set{"x.gm5": uploads.GerberWithPen("0.2", 0, 0, 8, 9)}, false},
		{"with a drawing beside it", frame(0), uploads.Set{"x.gm5": frame(1, "30,0 40,0")}, false},
		{"with a pad", frame(0), uploads.Set{"x.gm5": frame(1, "5,5")}, false},
		{"an outline that states itself", uploads.Function("Profile,NP") + frame(0), uploads.Set{"x.gm5": frame(1)}, false},
		{"an outline that a comment names", "G04 Layer: BoardOutline*\n" + frame(0), uploads.Set{"x.gm5": frame(1)}, false},
		{"a job file with the size", frame(0), uploads.Set{"x.gm5": frame(1), "x.gbrjob": `{"Header":{},"GeneralSpecs":{"Size":{"X":20.0,"Y":10.0}}}`}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _ := uploads.BoardWithHoles()
			p := s.Merge(uploads.Set{"x-Edge_Cuts.gbr": "", "x.gko": c.gko}).Merge(c.more).Read(t)
			b := p.Boards[0]
			if requested := slices.Contains(uploads.Codes(p, pcb.Problem), "outline_doubt"); requested != c.requested || b.Facts.Width.Known == requested {
				t.Errorf("asked %v, want %v: %+v, %q", requested, c.requested, b.Facts.Width, uploads.Codes(p, pcb.Note))
			}
		})
	}
}
