package kit

import (
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/services/part-sourcing/internal/placement"
)

func TestBeside(t *testing.T) {
	t.Parallel()
	const mm = geom.Millimetre
	frame := geom.Box{Max: geom.Pt(50*mm, 40*mm)}
	at := func(ref string, x, y int64, side placement.Side) placement.Part {
		return placement.Part{Ref: ref, At: geom.Pt(x*mm, y*mm), Side: side}
	}
	for name, tt := range map[string]struct {
		frame geom.Box
		parts []placement.Part
		off   string
		moved bool
	}{
		"on the board":                    {frame, []placement.Part{at("R1", 1, 1, placement.Top), at("J1", -4, 20, placement.Top)}, "", false},
		"far away":                        {frame, []placement.Part{at("R1", 1, 1, placement.Top), at("U1", 2000, 1, placement.Top), at("R2", 3, -400, placement.Bottom)}, "U1 R2", false},
		"few, one beside":                 {frame, []placement.Part{at("R1", 1, 1, placement.Top), at("R2", 5, 5, placement.Top), at("U1", 56, 1, placement.Top)}, "U1", false},
		"another origin":                  {frame, []placement.Part{at("R1", 101, -80, placement.Top), at("U1", 140, -50, placement.Bottom)}, "", true},
		"another and far":                 {frame, []placement.Part{at("R1", 101, -80, placement.Top), at("U1", 2000, -50, placement.Top)}, "R1 U1", false},
		"bottom mirrored":                 {frame, []placement.Part{at("R1", 1, 1, placement.Top), at("U1", -40, 5, placement.Bottom)}, "", false},
		"bottom mirrored, another origin": {frame, []placement.Part{at("R1", 101, -80, placement.Top), at("U1", -140, -50, placement.Bottom), at("U2", -102, -60, placement.Bottom)}, "", true},
		"no outline at all":               {geom.EmptyBox(), []placement.Part{at("U1", 2000, 1, placement.Top)}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, moved := markOffBoard(placement.List{Parts: tt.parts}, tt.frame)
			var off []string
			for i, p := range got.Parts {
				if p.Beside {
					off = append(off, p.Ref)
				}
				if tt.parts[i].Beside {
					t.Error("the caller's list was changed")
				}
			}
			if s := strings.Join(off, " "); s != tt.off || moved != tt.moved {
				t.Errorf("%q off, moved %v; want %q, %v", s, moved, tt.off, tt.moved)
			}
		})
	}
}
