package gerber

import (
	"testing"

	"boardorder/pkg/board/pcb"
)

func TestApertures(t *testing.T) {
	t.Parallel()
	const sector = "area 0.994987,0.1 (arc round 0,0) 0.1,0.994987 0.1,0.489898 (arc round 0,0) 0.489898,0.1; " +
		"area -0.1,0.994987 (arc round 0,0) -0.994987,0.1 -0.489898,0.1 (arc round 0,0) -0.1,0.489898; " +
		"area -0.994987,-0.1 (arc round 0,0) -0.1,-0.994987 -0.1,-0.489898 (arc round 0,0) -0.489898,-0.1; " +
		"area 0.1,-0.994987 (arc round 0,0) 0.994987,-0.1 0.489898,-0.1 (arc round 0,0) 0.1,-0.489898"
	tests := []struct{ name, def, want, findings string }{
		{"circle", "%ADD20C,0.5*%", "circle 0,0 r0.25", ""},
		{"circle with a hole", "%ADD20C,0.5X0.2*%", "circle 0,0 r0.25; clear circle 0,0 r0.1", ""},
		{"circle with a square hole", "%ADD20C,0.5X0.2X0.1*%", "circle 0,0 r0.25; clear area -0.1,-0.05 0.1,-0.05 0.1,0.05 -0.1,0.05", ""},
		{"rectangle", "%ADD20R,2X1*%", "area -1,-0.5 1,-0.5 1,0.5 -1,0.5", ""},
		{"rectangle with a hole", "%ADD20R,2X1X0.2*%", "area -1,-0.5 1,-0.5 1,0.5 -1,0.5; clear circle 0,0 r0.1", ""},
		{"obround", "%ADD20O,2X1*%", "stroke -0.5,0 to 0.5,0 r0.5", ""},
		{"upright obround", "%ADD20O,1X2*%", "stroke 0,-0.5 to 0,0.5 r0.5", ""},
		{"polygon", "%ADD20P,2X4*%", "area 1,0 0,1 -1,0 0,-1", ""},
		{"turned polygon with a hole", "%ADD20P,2X4X45X0.5*%",
			"area 0.707107,0.707107 -0.707107,0.707107 -0.707107,-0.707107 0.707107,-0.707107; clear circle 0,0 r0.25", ""},
		{"leading zeros in the code", "%ADD020C,0.5*%", "circle 0,0 r0.25", ""},
		{"two corners", "%ADD20P,2X2*%", "circle 0,0 r1", "bad_aperture"},
		{"one size of two", "%ADD20R,2*%", "area -1,-1 1,-1 1,1 -1,1", "square_aperture"},
		{"no size", "%ADD20C*%", "circle 0,0 r0", "bad_aperture"},
		{"size that is no number", "%ADD20C,abc*%", "circle 0,0 r0", "bad_aperture"},
		{"negative size", "%ADD20C,-1*%", "circle 0,0 r0", "bad_aperture"},
		{"unknown shape", "%ADD20NOWHERE,1*%", "circle 0,0 r0", "unknown_aperture"},
		{"macro circle", "%AMm*1,1,$1,$2,0*%%ADD20m,1X0.5*%", "circle 0.5,0 r0.5", ""},
		{"macro circle, turned", "%AMm*1,1,1,1,0,90*%%ADD20m*%", "circle 0,1 r0.5", ""},
		{"macro vector line", "%AMm*20,1,0.2,0,0,1,0,0*%%ADD20m*%", "area 0,-0.1 1,-0.1 1,0.1 0,0.1", ""},
		{"macro old vector line", "%AMm*2,1,0.2,0,0,1,0,90*%%ADD20m*%", "area 0.1,0 0.1,1 -0.1,1 -0.1,0", ""},
		{"macro centre line", "%AMm*21,1,2,1,0,0,0*%%ADD20m*%", "area -1,-0.5 1,-0.5 1,0.5 -1,0.5", ""},
		{"macro corner line", "%AMm*22,1,2,1,0,0,0*%%ADD20m*%", "area 0,0 2,0 2,1 0,1", ""},
		{"macro outline", "%AMm*4,1,3,0,0,1,0,1,1,0,0,0*%%ADD20m*%", "area 0,0 1,0 1,1", ""},
		{"macro outline over several lines", "%AMm*\n4,1,3,\n0,0,\n1,0,\n1,1,\n0,0,\n0*\n%%ADD20m*%", "area 0,0 1,0 1,1", ""},
		{"macro outline of one point", "%AMm*1,1,$1,$2,0*4,1,0,0.01,0,0*%%ADD20m,1X0.5*%", "circle 0.5,0 r0.5", ""},
		{"macro outline too short", "%AMm*4,1,5,0,0,1,0,1,1*%%ADD20m*%", "area 0,0 1,0 1,1", "bad_macro"},
		{"macro polygon", "%AMm*5,1,4,0,0,2,0*%%ADD20m*%", "area 1,0 0,1 -1,0 0,-1", ""},
		{"macro thermal", "%AMm*7,0,0,2,1,0.2,0*%%ADD20m*%", sector, ""},
		{"macro thermal that does not fit", "%AMm*7,0,0,1,2,0.2,0*%%ADD20m*%", "", "bad_macro empty_aperture"},
		{"macro moire", "%AMm*6,0,0,2,0.2,0.3,1,0.1,3,0*%%ADD20m*%",
			"area 1,0 (arc round 0,0) 1,0 0.8,0 (arc round 0,0) 0.8,0; area -1.5,-0.05 1.5,-0.05 1.5,0.05 -1.5,0.05; area -0.05,-1.5 0.05,-1.5 0.05,1.5 -0.05,1.5", ""},
		{"macro exposure off", "%AMm*1,1,1,0,0*1,0,0.5,0,0*%%ADD20m*%", "circle 0,0 r0.5; clear circle 0,0 r0.25", ""},
		{"macro exposure by parameter", "%AMm*1,$1,1,0,0*%%ADD20m,0*%", "clear circle 0,0 r0.5", ""},
		{"macro comments and blanks", "%AMm*\n0 a comment (2 * 3)*\n1, 1, 1, 0, 0*\n%%ADD20m*%", "circle 0,0 r0.5", ""},
		{"macro comment before a primitive on its line", "%AMm*0 Rectangle Pad at angle 45*21,1,2,1,0,0,0*%%ADD20m*%", "area -1,-0.5 1,-0.5 1,0.5 -1,0.5", ""},
		{"macro comment before an assignment on its line", "%AMm*0 a * b*$2=$1*1,1,$2,0,0*%%ADD20m,1*%", "circle 0,0 r0.5", ""},
		{"macro comment with asterisks", "%AMm*0 2 * 3 * 4*\n1,1,1,0,0*%%ADD20m*%", "circle 0,0 r0.5", ""},
		{"macro comments on one line", "%AMm*0 one*0 two*1,1,1,0,0*%%ADD20m*%", "circle 0,0 r0.5", ""},
		{"macro variables", "%AMm*$3=$1+$2x2*$3=$3/2*1,1,$3,0,0*%%ADD20m,1X2*%", "circle 0,0 r1.25", ""},
		{"macro expression", "%AMm*1,1,(1+2)x2-4/2,-$1,--1+-1*%%ADD20m,0.5*%", "circle -0.5,0 r2", ""},
		{"macro parameter not given", "%AMm*1,1,1+$5,0,0*%%ADD20m*%", "circle 0,0 r0.5", ""},
		{"macro division by zero", "%AMm*1,1,1/$1,0,0*%%ADD20m*%", "circle 0,0 r0", "bad_macro"},
		{"macro expression that makes no sense", "%AMm*1,1,1+,0,0*%%ADD20m*%", "circle 0,0 r0", "bad_macro"},
		{"macro with an unknown primitive", "%AMm*8,1*1,1,1,0,0*%%ADD20m*%", "circle 0,0 r0.5", "bad_macro"},
		{"macro name with odd letters", "%AM$a-b.c*1,1,1,0,0*%%ADD20$a-b.c*%", "circle 0,0 r0.5", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), "x.gbr", []byte("%FSLAX46Y46*%%MOMM*%"+tt.def+"D20*X0Y0D03*M02*"), Options{})
			if got := shapes(f.Layer.Apertures[0]); got != tt.want {
				t.Errorf("%s is %s\nwant %s", tt.def, got, tt.want)
			}
			if got := codes(f); got != tt.findings {
				t.Errorf("findings of %s are %q, want %q: %+v", tt.def, got, tt.findings, f.Findings)
			}
		})
	}
}

func TestInchApertures(t *testing.T) {
	t.Parallel()
	f := Read(t.Context(), "x.gbr", []byte("%FSLAX24Y24*%%MOIN*%%AMm*1,1,$1,0,0*%%ADD10C,0.01*%%ADD11m,0.1*%D10*X0Y0D03*M02*"), Options{})
	for i, want := range []int64{254_000, 2_540_000} {
		if got := f.Layer.Apertures[i].X; got != want {
			t.Errorf("aperture %d is %d nm wide, want %d", i, got, want)
		}
	}
}

func TestRedefinedAperture(t *testing.T) {
	t.Parallel()
	f := Read(t.Context(), "x.gbr", []byte(mm+"D10*X0Y0D03*%ADD10C,2*%D10*X0Y0D03*M02*"), Options{})
	a, b := f.Layer.Aperture(&f.Layer.Features[0]), f.Layer.Aperture(&f.Layer.Features[1])
	if a.X != 1_000_000 || b.X != 2_000_000 {
		t.Errorf("widths %d and %d, want 1 mm and 2 mm", a.X, b.X)
	}
	if a.Kind != pcb.CircleShape {
		t.Errorf("the first is a %v, want a circle", a.Kind)
	}
}
