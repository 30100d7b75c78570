package gerber

import (
	"strconv"
	"testing"

	"boardorder/pkg/board/pcb"
)

func TestAperturesThatNothingIsDrawnWith(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, defs, draw string
		want             pcb.Level
	}{
		{"not selected", "%ADD20C*%", "D10*X0Y0D03*", pcb.Note},
		{"selected, not drawn", "%ADD20C,1..2*%", "D20*D10*X0Y0D03*", pcb.Note},
		{"flashed", "%ADD20C*%", "D20*X0Y0D03*", pcb.Problem},
		{"lines", "%ADD20NOWHERE,1*%", "D20*X0Y0D02*X5Y0D01*", pcb.Problem},
		{"the second of two is used", "%ADD20C*%%ADD21C*%", "D21*X0Y0D03*", pcb.Problem},
		{"a region needs none", "%ADD20C*%", "D20*G36*X0Y0D02*X9Y0D01*X9Y9D01*X0Y0D01*G37*", pcb.Note},
		{"an empty definition", "%AD*%", "D10*X0Y0D03*", pcb.Note},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), "x.gbr", []byte("%FSLAX46Y46*%%MOMM*%%ADD10C,1*%"+tt.defs+tt.draw+"M02*"), Options{})
			if len(f.Findings) != 1 || f.Findings[0].Level != tt.want {
				t.Errorf("want one finding of level %v, got %+v", tt.want, f.Findings)
			}
		})
	}
}

// TestNarrowOverlap: a contour that overlaps itself where nothing can be made of it is a
// note, and a fault where it can.
func TestNarrowOverlap(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]pcb.Level{9: pcb.Note, 11: pcb.Problem} { // µm
		far := strconv.Itoa(300000 + 1000*width)
		f := Read(t.Context(), "x.gbr", []byte(mm+"G36*X0Y0D02*X1000000D01*Y1000000D01*X300000D01*Y300000D01*X"+far+
			"D01*Y700000D01*X300000D01*Y1000000D01*X0D01*Y0D01*G37*M02*"), Options{})
		if len(f.Findings) != 1 || f.Findings[0].Code != "overlapping_contour" || f.Findings[0].Level != want {
			t.Errorf("an overlap of %d µm: findings %+v, want overlapping_contour, %v", width, f.Findings, want)
		}
	}
}
