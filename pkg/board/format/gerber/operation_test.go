package gerber

import (
	"strings"
	"testing"
)

// TestOperations: what D codes draw, whichever way files write them, and what is left out.
func TestOperations(t *testing.T) {
	t.Parallel()
	const arc = "G75*X0Y0D02*G03*X2000000Y0I1000000J0D01*G01*"
	for _, c := range []struct{ name, src, want, findings string }{
		{"coordinates before any operation", "D10*X1000000Y0*X2000000Y0D01*", "line D10 1,0 to 2,0", "missing_operation"},
		{"a flash that goes on", "D10*X0Y0D03*X1000000*Y1000000*", "flash D10 at 0,0\nflash D10 at 1,0\nflash D10 at 1,1", ""},
		{"an aperture and coordinates", "D10*X0Y0D03*D11X1000000*", "flash D10 at 0,0\nflash D11 at 1,0", ""},
		{"an aperture and an operation in one command", "D10*D11X1000000Y0D03*X0D03*", "flash D11 at 1,0\nflash D11 at 0,0", ""},
		{"the operation first", "D10*X1000000Y0D03D11*", "flash D11 at 1,0", ""},
		{"two apertures, the last counts", "D11D10*X0Y0D03*", "flash D10 at 0,0", ""},
		{"after G54", "D10*G54D11X0Y0D02*X1000000D01*", "line D11 0,0 to 1,0", ""},
		{"a move out of a region", "D10*G36*X0Y0D02*X1000000D01*Y1000000D01*X0Y0D01*X9000000Y0D02*G37*X8000000D01*", "region 0,0 1,0 1,1\nline D10 9,0 to 8,0", ""},
		{"a region within a region", "G36*X0Y0D02*X1000000D01*Y1000000D01*X0Y0D01*G36*X5000000D02*X6000000D01*Y1000000D01*X5000000Y0D01*G37*", "region 0,0 1,0 1,1\nregion 5,0 6,0 6,1", "nested_region"},
		{"a region that begins within a contour", "G36*X0Y0D02*X1000000D01*Y1000000D01*G36*X0Y0D01*Y5000000D01*X1000000Y1000000D01*G37*", "region 0,0 1,0 1,1\nregion 1,1 0,0 0,5", "nested_region open_region"},
		{"an image that is turned, with an arc", "%IR90*%D10*" + arc, "arc D10 0,0 to 0,2 round 0,1 ccw turned 90", "deprecated_transform"},
		{"an image that is turned, with a region", "%IR90*%G36*X0Y0D02*X1000000D01*Y1000000D01*X0Y0D01*G37*", "region 0,0 0,1 -1,1", "deprecated_transform"},
		{"a region without a contour", "D10*G36*G37*X0Y0D03*", "flash D10 at 0,0", ""},
		{"a region of one arc", "G75*G36*X0Y0D02*G02*X0Y0I1000000J0D01*G37*", "region 0,0 (arc round 1,0)", ""},
		{"steps that lead out of all boards", "%FSLIX46Y46*%D10*X3000000000Y0D02*X3000000000D03*X-3000000000D03*", "flash D10 at 3000,0", "format_changed incremental coordinate_range"},
		{"an offset out of all boards", "%OFA3000B0*%D10*X3000000000Y0D03*X-2999000000D03*", "flash D10 at 1,0", "deprecated_transform coordinate_range"},
		{"a block that is mirrored turns its arcs", "%ABD20*%D10*" + arc + "%AB*%%LMX*%D20*X9000000Y0D03*", "arc D10 9,0 to 7,0 round 8,0 cw turned 0 mirrored", ""},
		{"a block that is turned moves its regions", "%ABD20*%G36*X0Y0D02*X2000000D01*Y1000000D01*X0Y0D01*G37*%AB*%%LR90*%D20*X9000000Y0D03*", "region 9,0 9,2 8,2", ""},
		{"a block that is scaled", "%ABD20*%D10*X1000000Y0D03*%AB*%%LS2*%D20*X0Y0D03*", "flash D10 at 2,0 turned 0 x2", ""},
		{"a repeat within a block", "%ABD20*%D10*%SRX2Y1I1J0*%X0Y0D03*%AB*%D20*X5000000Y0D03*", "flash D10 at 5,0\nflash D10 at 6,0", ""},
		{"a repeat that another ends", "D10*%SRX2Y1I1J0*%X0Y0D03*%SRX1Y2I0J5*%X9000000Y0D03*%SR*%", "flash D10 at 0,0\nflash D10 at 1,0\nflash D10 at 9,0\nflash D10 at 9,5", ""},
		{"a block of nothing", "%ABD20*%%AB*%D20*X0Y0D03*D10*X0Y0D03*", "flash D10 at 0,0", ""},
	} {
		f := Read(t.Context(), "x.gbr", []byte(mm+c.src+"M02*"), Options{})
		if got := describe(f); got != c.want || codes(f) != c.findings {
			t.Errorf("%s: %s draws\n%s\nwith findings %q; want\n%s\nwith %q", c.name, c.src, got, codes(f), c.want, c.findings)
		}
	}
}

// TestDefinitions: which definitions of apertures are told of, and how bad that is once
// something is drawn with them, and where nothing is.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]struct{ drawn, unused string }{
		"%ADD20C,1*%":                {"", ""},
		"%AD D20C,1 *%":              {"", ""},
		"%ADd20C,1*%":                {"", ""},
		"%AD*%":                      {"empty_definition note aperture_undefined problem", "empty_definition note"},
		"%ADX20C,1*%":                {"bad_aperture problem aperture_undefined problem", "bad_aperture problem"},
		"%ADDC,1*%":                  {"bad_aperture problem aperture_undefined problem", "bad_aperture problem"},
		"%ADD1234567890C,1*%":        {"bad_aperture problem aperture_undefined problem", "bad_aperture problem"},
		"%ADD20C*%":                  {"bad_aperture problem", "bad_aperture note"},
		"%ADD20O,1*%":                {"square_aperture warning", "square_aperture warning"},
		"%ADD20P,1*%":                {"bad_aperture problem", "bad_aperture note"},
		"%ADD20P,1X1001*%":           {"bad_aperture problem", "bad_aperture note"},
		"%ADD20T,1*%":                {"unknown_aperture problem", "unknown_aperture note"},
		"%ADD20*%":                   {"unknown_aperture problem", "unknown_aperture note"},
		"%ADD20C,1*%%ADD20C,2*%":     {"", ""}, // not in use
		"D20*%ADD20C,1*%":            {"", ""}, // not before its first use
		"%ADD20C,1*%D20*%ADD20C,2*%": {"aperture_redefined note", "aperture_redefined note"},
		"D20*X0Y0D03*%ADD20C,1*%":    {"aperture_undefined problem", "aperture_undefined problem"},
		"D20*X0Y0D02*%ADD20C,1*%":    {"", ""},
		"%ADD5C,1*%%ADD20C,1*%":      {"bad_aperture_code warning", "bad_aperture_code warning"},
	} {
		for src, want := range map[string]string{in + "D20*X0Y0D03*": want.drawn, in + "D10*X0Y0D03*": want.unused} {
			f := Read(t.Context(), "x.gbr", []byte(mm+src+"M02*"), Options{})
			var got []string
			for _, x := range f.Findings {
				got = append(got, x.Code+" "+x.Level.String())
			}
			if s := strings.Join(got, " "); s != want {
				t.Errorf("%s: findings %q, want %q: %+v", src, s, want, f.Findings)
			}
		}
	}
}

// TestComments: what is kept of comments, and that those of KiCad that hold attributes are none.
func TestComments(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"G04 top side*":              "top side",
		"G4 short*":                  "short",
		"G04*":                       "",
		"G04 one*G04 two*":           "one|two",
		"G04 one\nline more*":        "one\nline more",
		"G04 no end\nG04 next*":      "no end|next",
		"G04 no end\n%LPD*%":         "no end",
		"G04 #@! TF.Part,Single*":    "",
		"G04 #@!TO.N,A*":             "",
		"G04 #@! a note*":            "#@! a note",
		"G04 #@ TF.Part,Single*":     "#@ TF.Part,Single",
		"G04 \xff\xfe*":              "?",
		"G04 X0Y0D03 is no command*": "X0Y0D03 is no command",
	} {
		f := Read(t.Context(), "x.gbr", []byte(mm+in+"D10*X0Y0D03*M02*"), Options{})
		if got := strings.Join(f.Comments, "|"); got != want || len(f.Layer.Features) != 1 || f.Layer.Features[0].Line != int32(1+strings.Count(in, "\n")) {
			t.Errorf("%q: comments %q, draws %s of line %d; want %q, and one flash of the last line", in, got, describe(f), f.Layer.Features[0].Line, want)
		}
	}
}
