package roles_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestOverlappingContour: what programs fill differently stops the order in copper,
// and not in ink.
func TestOverlappingContour(t *testing.T) {
	t.Parallel()
	const loop = "G36*\nX1000000Y1000000D02*\nX9000000D01*\nY9000000D01*\nX5000000D01*\nY7000000D01*\nX3000000D01*\nY3000000D01*\nX7000000D01*\nY7000000D01*\nX5000000D01*\nY9000000D01*\nX1000000D01*\nY1000000D01*\nG37*\nM02*\n"
	twice := func(f string) string { return strings.Replace(uploads.Gerber(uploads.Function(f)), "M02*\n", loop, 1) }
	for file, want := range map[string]pcb.Level{
		"x-F_Silkscreen.gbr Legend,Top": pcb.Warning, "x-F_Cu.gbr Copper,L1,Top": pcb.Problem,
		"x-F_Mask.gbr Soldermask,Top": pcb.Problem,
	} {
		name, f, _ := strings.Cut(file, " ")
		p := uploads.Ordinary().Merge(uploads.Set{name: twice(f)}).Read(t)
		if got := uploads.Codes(p, want); !slices.Contains(got, "overlapping_contour") {
			t.Errorf("%s: findings %v, want overlapping_contour", file, got)
		}
		if got := uploads.Codes(p, pcb.Problem); want < pcb.Problem && slices.Contains(got, "overlapping_contour") {
			t.Errorf("%s: overlapping_contour stops the order, want it as a %v at most", file, want)
		}
	}
}

// TestLetteringInMask: a contour that overlaps itself away from pads opens lettering, which
// stops nothing.
func TestLetteringInMask(t *testing.T) {
	t.Parallel()
	const loop = "G36*\nX1000000Y7000000D02*\nX4000000D01*\nY9500000D01*\nX2500000D01*\nY9000000D01*\nX1500000D01*\nY8000000D01*\nX3500000D01*\nY9000000D01*\nX2500000D01*\nY9500000D01*\nX1000000D01*\nY7000000D01*\nG37*\nM02*\n"
	mask := strings.Replace(uploads.Gerber(uploads.Function("Soldermask,Top"), "5,5", "10,5", "15,5"), "M02*\n", loop, 1)
	p := uploads.Ordinary().Merge(uploads.Set{"x-F_Mask.gbr": mask}).Read(t)
	if got := uploads.Codes(p, pcb.Warning); !slices.Contains(got, "overlapping_contour") {
		t.Errorf("warnings of a mask %v, want overlapping_contour", got)
	}
	if got := uploads.Codes(p, pcb.Problem); slices.Contains(got, "overlapping_contour") {
		t.Errorf("overlapping_contour of a mask stops the order: problems %v", got)
	}
}

// TestBadApertureOfInk: an aperture that cannot be drawn stops the order in copper, and
// not in ink.
func TestBadApertureOfInk(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]pcb.Level{"x-F_Silkscreen.gbr Legend,Top": pcb.Warning, "x-F_Cu.gbr Copper,L1,Top": pcb.Problem} {
		name, f, _ := strings.Cut(file, " ")
		bad := strings.Replace(uploads.Gerber(uploads.Function(f), "5,5 15,5"), "%ADD10C,0.2*%", "%ADD10C,-0.2*%", 1)
		p := uploads.Ordinary().Merge(uploads.Set{name: bad}).Read(t)
		if got := uploads.Codes(p, want); !slices.Contains(got, "bad_aperture") {
			t.Errorf("%s: findings %v, want bad_aperture", file, got)
		}
		if got := uploads.Codes(p, pcb.Problem); want < pcb.Problem && slices.Contains(got, "bad_aperture") {
			t.Errorf("%s: bad_aperture stops the order, want it as a %v at most", file, want)
		}
	}
}
