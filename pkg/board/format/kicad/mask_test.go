package kicad

import (
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
)

func TestMaskBridges(t *testing.T) {
	t.Parallel()
	const row = `(setup (pad_to_mask_clearance 0) (solder_mask_min_width %W))
		(footprint "x" (layer "F.Cu") (at 0 0)
			(pad "1" smd rect (at 0 0) (size 1 0.4) (layers "F.Cu" "F.Mask"))
			(pad "2" smd rect (at 0 0.6) (size 1 0.4) (layers "F.Cu" "F.Mask"))
			(pad "3" smd rect (at 1.15 0.6) (size 1 0.4) (layers "F.Cu" "F.Mask"))
			(pad "4" smd circle (at 0 -0.5) (size 0.5 0.5) (layers "F.Cu" "F.Mask")))`
	for name, tt := range map[string]struct {
		width string
		area  float64
	}{
		"none asked for":         {"0", 0},
		"all gaps wide enough":   {"0.1", 0},
		"one gap narrower":       {"0.18", .15 * .4},
		"two gaps narrower":      {"0.25", .15*.4 + .2*1},
		"a width out of bounds":  {"20", 0},
		"a width below nothing":  {"-1", 0},
		"as wide as the bridges": {"0.15", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := readText(t, v9(strings.ReplaceAll(row, "%W", tt.width)))
			got := 0.0
			l := layer(t, b, pcb.RoleMask, pcb.Top)
			for _, r := range l.Regions {
				got += r.Area() / mm / mm
			}
			if got < tt.area-1e-6 || got > tt.area+1e-6 {
				t.Errorf("joined %g mm², want %g", got, tt.area)
			}
			if hasFinding(b, "mask_joined") != (tt.area > 0) {
				t.Errorf("finding mask_joined is there: %t, want %t", hasFinding(b, "mask_joined"), tt.area > 0)
			}
		})
	}
}
