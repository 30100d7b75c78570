package gerber

import (
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// mm is the head of a file in millimetres with a 1 mm circle as D10 and a
// 2 by 1 mm rectangle as D11.
const mm = "%FSLAX46Y46*%%MOMM*%%ADD10C,1*%%ADD11R,2X1*%"

func TestRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src, want, findings string
	}{
		{"line and flash", mm + "D10*X0Y0D02*X1000000D01*Y2000000D03*M02*",
			"line D10 0,0 to 1,0\nflash D10 at 1,2", ""},
		{"rectangle keeps its shape", mm + "D11*X0Y0D03*M02*", "flash D11 at 0,0", ""},
		{"several codes in one command", mm + "G01D10*X0Y0D02*G01X1000000Y0D01*M02*", "line D10 0,0 to 1,0", ""},
		{"inch 2.4 leading zeros omitted", "%FSLAX24Y24*%%MOIN*%%ADD10C,.01*%D10*X10000Y5000D03*M02*", "flash D10 at 25.4,12.7", ""},
		{"inch 2.3 trailing zeros omitted", "%FSTAX23Y23*%%MOIN*%%ADD10C,.01*%D10*X01Y005D03*M02*",
			"flash D10 at 25.4,12.7", "trailing_zeros_omitted"},
		{"negative and plus signs", mm + "D10*X-1000000Y+2000000D03*M02*", "flash D10 at -1,2", ""},
		{"decimal points", mm + "D10*X-1.5Y2.25D03*M02*", "flash D10 at -1.5,2.25", "decimal_point"},
		{"incremental", "%FSLIX46Y46*%%MOMM*%%ADD10C,1*%D10*X1000000Y0D02*X1000000D01*Y500000D01*M02*",
			"line D10 1,0 to 2,0\nline D10 2,0 to 2,0.5", "incremental"},
		{"G91 and G90", mm + "D10*G91*X1000000Y0D02*X1000000D01*G90*X0Y0D01*M02*",
			"line D10 1,0 to 2,0\nline D10 2,0 to 0,0", ""},
		{"modal operation", mm + "D10*X0Y0D02*X1000000D01*X2000000*M02*", "line D10 0,0 to 1,0\nline D10 1,0 to 2,0", ""},
		{"operation alone, then coordinates", mm + "D10*D02*X1000000Y0*D01*X2000000Y0*M02*", "line D10 1,0 to 2,0", ""},
		{"flash code alone", mm + "D10*X1000000Y0D02*D03*M02*", "flash D10 at 1,0", ""},
		{"G54 and G55", mm + "G54D10*G55X1000000Y0D03*M02*", "flash D10 at 1,0", ""},
		{"sequence numbers", mm + "N10D10*N20X0Y0D02*N30X1000000D01*N40M02*", "line D10 0,0 to 1,0", ""},
		{"line breaks inside commands", mm + "D10*\r\nX0\r\nY0\r\nD02*\r\nX1000000\r\nD01*\r\nM02*\r\n", "line D10 0,0 to 1,0", ""},
		{"lower case", mm + "d10*x0y0d02*x1000000d01*m02*", "line D10 0,0 to 1,0", "lower_case"},
		{"M00 and M01", mm + "D10*X0Y0D03*M01*M00*", "flash D10 at 0,0", ""},
		{"M30 is not ours", mm + "D10*X0Y0D03*M30*M02*", "flash D10 at 0,0", "unknown_command"},
		{"G70 and G71 change the unit", "%FSLAX24Y24*%G71*%ADD10C,1*%D10*X10000Y0D03*M02*", "flash D10 at 1,0", ""},
		{"polarity", mm + "D10*X0Y0D03*%LPC*%X0D03*%LPD*%X0D03*M02*",
			"flash D10 at 0,0\nclear flash D10 at 0,0\nflash D10 at 0,0", ""},
		{"mirror, rotate, scale", mm + "D11*%LMX*%%LR30*%%LS0.5*%X0Y0D03*%LMN*%%LR0*%%LS1*%X0D03*%LMY*%X0D03*%LMXY*%X0D03*M02*",
			"flash D11 at 0,0 turned 30 mirrored x0.5\nflash D11 at 0,0\nflash D11 at 0,0 turned 180 mirrored\nflash D11 at 0,0 turned 180", ""},
		{"region", mm + "G36*X0Y0D02*X1000000D01*Y1000000D01*X0Y0D01*G37*M02*", "region 0,0 1,0 1,1", ""},
		{"region of two contours", mm + "G36*X0Y0D02*X1000000D01*Y1000000D01*X0Y0D01*X5000000Y0D02*X6000000D01*Y1000000D01*X5000000Y0D01*G37*M02*",
			"region 0,0 1,0 1,1\nregion 5,0 6,0 6,1", ""},
		{"region with an arc", mm + "G75*G36*X0Y0D02*G03*X2000000Y0I1000000J0D01*G01*X0Y0D01*G37*M02*",
			"region 0,0 (arc round 1,0) 2,0", ""},
		{"region left open", mm + "G36*X0Y0D02*X1000000D01*Y1000000D01*G37*M02*", "region 0,0 1,0 1,1", "open_region"},
		{"region without an aperture", "%FSLAX46Y46*%%MOMM*%G36*X0Y0D02*X1000000D01*Y1000000D01*X0Y0D01*G37*M02*", "region 0,0 1,0 1,1", ""},
		{"region that encloses nothing", mm + "G36*X0Y0D02*X1000000D01*G37*M02*", "", "open_region empty_region empty_layer"},
		{"flash in a region", mm + "D10*G36*X0Y0D03*X0Y0D02*X1000000D01*Y1000000D01*X0Y0D01*G37*M02*", "region 0,0 1,0 1,1", "flash_in_region"},
		{"step and repeat", mm + "D10*%SRX2Y2I5J4*%X0Y0D03*%SR*%X9000000Y0D03*M02*",
			"flash D10 at 0,0\nflash D10 at 0,4\nflash D10 at 5,0\nflash D10 at 5,4\nflash D10 at 9,0", ""},
		{"step and repeat of regions and arcs", mm + "G75*D10*%SRX2Y1I5J0*%X0Y0D02*G02*X0Y0I1000000J0D01*G01*G36*X0Y0D02*X1000000D01*Y1000000D01*X0Y0D01*G37*%SR*%M02*",
			"arc D10 0,0 to 0,0 round 1,0 cw\nregion 0,0 1,0 1,1\narc D10 5,0 to 5,0 round 6,0 cw\nregion 5,0 6,0 6,1", ""},
		{"step and repeat ended by the file", mm + "D10*%SRX2Y1I5J0*%X0Y0D03*M02*", "flash D10 at 0,0\nflash D10 at 5,0", ""},
		{"aperture block", mm + "%ABD20*%D10*X0Y0D03*X1000000D03*%AB*%D20*X5000000Y0D03*%LPC*%X6000000D03*M02*",
			"flash D10 at 5,0\nflash D10 at 6,0\nclear flash D10 at 6,0\nclear flash D10 at 7,0", ""},
		{"blocks in blocks, turned", mm + "%ABD20*%D11*X1000000Y0D03*%AB*%%ABD21*%D20*X0Y0D03*%LR90*%X0Y0D03*%LR0*%%AB*%D21*%LR90*%X0Y0D03*M02*",
			"flash D11 at 0,1 turned 90\nflash D11 at -1,0 turned 180", ""},
		{"clear within a block turns dark when flashed clear", mm + "%ABD20*%D10*X0Y0D03*%LPC*%D11*X0Y0D03*%LPD*%%AB*%%LPC*%D20*X0Y0D03*M02*",
			"clear flash D10 at 0,0\nflash D11 at 0,0", ""},
		{"block never closed", mm + "%ABD20*%D10*X0Y0D03*M02*", "flash D10 at 0,0", "block_not_ended"},
		{"a line drawn with a block", mm + "%ABD20*%D10*X0Y0D03*%AB*%D20*X0Y0D02*X1000000D01*D10*X0D03*M02*", "flash D10 at 0,0", "block_stroke"},
		{"block closed twice", mm + "%AB*%D10*X0Y0D03*M02*", "flash D10 at 0,0", "bad_block"},
		{"image polarity", mm + "%IPNEG*%D10*X0Y0D03*M02*", "flash D10 at 0,0", ""},
		{"image rotation", mm + "%IR90*%D11*X1000000Y0D03*M02*", "flash D11 at 0,1 turned 90", "deprecated_transform"},
		{"mirror image", mm + "%MIA1B0*%D10*X1000000Y2000000D03*M02*", "flash D10 at -1,2", "deprecated_transform"},
		{"mirror image turns arcs", mm + "%MIA1B0*%G75*D10*X1000000Y0D02*G02*X1000000Y0I1000000J0D01*M02*",
			"arc D10 -1,0 to -1,0 round -2,0 ccw", "deprecated_transform"},
		{"offset, scale factor, axis select", mm + "%OFA1B2*%%SFA2B2*%%ASAYBX*%D10*X1000000Y0D03*M02*",
			"flash D10 at 2,3", "deprecated_transform deprecated_transform deprecated_transform"},
		{"deprecated commands that do nothing", mm + "%ASAXBY*%%OFA0B0*%%MIA0B0*%%SFA1B1*%%IR0*%%INtop*%%LNlayer*%%IPPOS*%%ICAS*%D10*X0Y0D03*M02*",
			"flash D10 at 0,0", ""},
		{"polygon with an unknown operation", mm + "D10*X0Y0D05*X0Y0D03*M02*", "flash D10 at 0,0", "unknown_command"},
		{"no asterisk at a line's end", mm + "D10*\nX0Y0D02\nX1000000D01\nX0Y0D01*\nM02*", "line D10 0,0 to 1,0\nline D10 1,0 to 0,0", "missing_asterisk"},
		{"no percent sign after a command", "%FSLAX46Y46*\n%MOMM*%%ADD10C,1*%D10*X0Y0D03*M02*", "flash D10 at 0,0", "missing_percent"},
		{"no percent signs at all", "FSLAX46Y46*MOMM*ADD10C,1*D10*X0Y0D03*M02*", "flash D10 at 0,0", "missing_percent"},
		{"command block left open", "%FSLAX46Y46*MOMM*ADD10C,1*\nD10*X0Y0D03*M02*", "flash D10 at 0,0", "missing_percent"},
		{"several commands in one block", "%FSLAX46Y46*MOMM*ADD10C,1*%D10*X0Y0D03*M02*", "flash D10 at 0,0", ""},
		{"comment without an asterisk", mm + "G04 a comment\nD10*X0Y0D03*M02*", "flash D10 at 0,0", "missing_asterisk"},
		{"undefined aperture", mm + "D99*X0Y0D03*X1D03*M02*", "flash D99 at 0,0\nflash D99 at 1e-06,0", "aperture_undefined"},
		{"no aperture chosen", mm + "X0Y0D03*M02*", "flash D0 at 0,0", "no_aperture"},
		{"no format", "%MOIN*%%ADD10C,.01*%D10*X100000Y0D03*M02*", "flash D10 at 254,0", "format_assumed"},
		{"short coordinates without a format", "%MOIN*%%ADD10C,.01*%D10*X01000Y0D03*M02*", "flash D10 at 25.4,0", "format_assumed"},
		{"no unit", "%FSLAX24Y24*%%ADD10C,.01*%D10*X10000Y0D03*M02*", "flash D10 at 25.4,0", "unit_assumed"},
		{"cut off in a command", mm + "D10*X0Y0D03*X100", "flash D10 at 0,0", "truncated no_end"},
		{"cut off in an extended command", mm + "D10*X0Y0D03*%ADD12C,0.", "flash D10 at 0,0", "truncated no_end"},
		{"cut off in a region", mm + "G36*X0Y0D02*X1000000D01*Y1000000D01*", "region 0,0 1,0 1,1", "open_region region_not_ended no_end"},
		{"no end", mm + "D10*X0Y0D03*", "flash D10 at 0,0", "no_end"},
		{"more after the end", mm + "D10*X0Y0D03*M02*X1D03*", "flash D10 at 0,0", "data_after_end"},
		{"the end twice", mm + "D10*X0Y0D03*M02*\nM02*\n", "flash D10 at 0,0", ""},
		{"coordinate out of range", mm + "D10*X99999999999Y0D03*X0D03*M02*", "flash D10 at 0,0", "coordinate_range"},
		{"lines to and from beyond the range", mm + "D10*X0Y0D02*X99999999999D01*X1000000D01*X2000000D01*M02*", "line D10 1,0 to 2,0", "coordinate_range"},
		{"an arc whose centre is beyond the range", "%FSLAX46Y46*%%MOMM*%G75*%ADD10C,1*%D10*G01*X1000000Y5000000D02*G02*X9000000Y5000000I4000000J-7999999500D01*M02*", "arc D10 1,5 to 9,5 round 5,-3995 cw", ""},
		{"a contour beyond the range", mm + "G36*X0Y0D02*X1000000D01*Y99999999999D01*X0Y1000000D01*Y0D01*G37*M02*", "region 0,0 1,0", "coordinate_range"},
		{"an aperture larger than the range", "%FSLAX46Y46*%%MOMM*%%ADD10C,99999999*%D10*X0Y0D03*M02*", "flash D10 at 0,0", "bad_aperture"},
		{"the rotation of a polygon in inches", "%FSLAX24Y24*%%MOIN*%%ADD10P,.1X6X360*%D10*X0Y0D03*M02*", "flash D10 at 0,0", ""},
		{"byte order mark", "\xef\xbb\xbf" + mm + "D10*X0Y0D03*M02*", "flash D10 at 0,0", ""},
		{"rubbish between commands", mm + "D10*?!&*X0Y0D03*M02*", "flash D10 at 0,0", "unknown_command"},
		{"include file", mm + "%IFother.gbr*%D10*X0Y0D03*M02*", "flash D10 at 0,0", "include_file"},
		{"knockout", mm + "%KOD*%D10*X0Y0D03*M02*", "flash D10 at 0,0", "ignored_command"},
		{"nothing", "", "", "no_end"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), "x.gbr", []byte(tt.src), Options{})
			if got := describe(f); got != tt.want {
				t.Errorf("%s draws:\n%s\nwant:\n%s", tt.src, got, tt.want)
			}
			if got := codes(f); got != tt.findings {
				t.Errorf("findings of %s are %q, want %q: %+v", tt.src, got, tt.findings, f.Findings)
			}
		})
	}
}

func TestArcs(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want, findings string }{
		{"multi quadrant", "G75*X1000000Y0D02*G03*X-1000000Y0I-1000000J0D01*", "arc D10 1,0 to -1,0 round 0,0 ccw", ""},
		{"full circle", "G75*X1000000Y0D02*G02*X1000000Y0I-1000000J0D01*", "arc D10 1,0 to 1,0 round 0,0 cw", ""},
		{"full circle, quadrants not stated", "X1000000Y0D02*G02*X1000000Y0I1000000J0D01*", "arc D10 1,0 to 1,0 round 2,0 cw", "quadrant_assumed"},
		{"full circle the other way, quadrants not stated", "X1000000Y0D02*G02*X1000000Y0I-1000000J0D01*", "arc D10 1,0 to 1,0 round 0,0 cw", "quadrant_assumed"},
		{"single quadrant, counter-clockwise", "G74*X1000000Y0D02*G03*X0Y1000000I1000000J0D01*", "arc D10 1,0 to 0,1 round 0,0 ccw", ""},
		{"single quadrant, clockwise", "G74*X0Y1000000D02*G02*X1000000Y0I0J1000000D01*", "arc D10 0,1 to 1,0 round 0,0 cw", ""},
		{"single quadrant, third", "G74*X-1000000Y0D02*G03*X0Y-1000000I1000000J0D01*", "arc D10 -1,0 to 0,-1 round 0,0 ccw", ""},
		{"single quadrant, no length", "G74*X1000000Y0D02*G03*X1000000Y0I1000000J0D01*", "line D10 1,0 to 1,0", ""},
		{"signed offsets in single quadrant mode", "G74*X1000000Y0D02*G03*X-1000000Y0I-1000000J0D01*",
			"arc D10 1,0 to -1,0 round 0,0 ccw", "signed_offset"},
		{"no mode, signed", "X1000000Y0D02*G03*X-1000000Y0I-1000000J0D01*", "arc D10 1,0 to -1,0 round 0,0 ccw", "quadrant_assumed"},
		{"no mode, unsigned", "X1000000Y0D02*G03*X0Y1000000I1000000J0D01*", "arc D10 1,0 to 0,1 round 0,0 ccw", "quadrant_assumed"},
		{"no centre", "G75*X1000000Y0D02*G03*X0Y1000000D01*", "line D10 1,0 to 0,1", "arc_without_centre"},
		{"end off the circle", "G75*X1000000Y0D02*G03*X0Y2000000I-1000000J0D01*", "arc D10 1,0 to 0,2 round 0,0 ccw", "arc_mismatch"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), "x.gbr", []byte(mm+"D10*"+tt.src+"M02*"), Options{})
			if got := describe(f); got != tt.want {
				t.Errorf("%s draws %s, want %s", tt.src, got, tt.want)
			}
			if got := codes(f); got != tt.findings {
				t.Errorf("findings of %s are %q, want %q: %+v", tt.src, got, tt.findings, f.Findings)
			}
		})
	}
}

func TestFindingsNameTheLine(t *testing.T) {
	t.Parallel()
	src := "G04 head*\n%FSLAX46Y46*%\n%MOMM*%\n%AMm*\n1,1,1,0,0*\n99,1*%\n%ADD10m*%\nD10*\nX0Y0D03*\nG99*\nM02*\n"
	for _, nl := range []string{"\n", "\r\n", "\r"} {
		f := Read(t.Context(), "x.gbr", []byte(strings.ReplaceAll(src, "\n", nl)), Options{})
		got := map[string]int{}
		for _, x := range f.Findings {
			got[x.Code] = x.Line
		}
		if got["bad_macro"] != 6 || got["unknown_command"] != 10 {
			t.Errorf("line ends %q: lines %v, want bad_macro 6 and unknown_command 10", nl, got)
		}
		if l := f.Layer.Features[0].Line; l != 9 {
			t.Errorf("line ends %q: flash on line %d, want 9", nl, l)
		}
	}
}

func TestApertureListFromOutside(t *testing.T) {
	t.Parallel()
	src := []byte("G54D10*\nX01000Y01000D02*\nX02000D01*\nM02*\n")
	bare := Read(t.Context(), "x.pho", src, Options{})
	if !bare.NeedsApertures || !strings.Contains(codes(bare), "apertures_missing") {
		t.Errorf("without a list: NeedsApertures %v, findings %s; want true, and apertures_missing", bare.NeedsApertures, codes(bare))
	}
	if got, want := describe(bare), "line D10 25.4,25.4 to 50.8,25.4"; got != want {
		t.Errorf("without a list draws %s, want %s", got, want)
	}
	full := Read(t.Context(), "x.pho", src, Options{Apertures: map[int]pcb.Aperture{10: pcb.Circle(geom.Mil * 10)}})
	if full.NeedsApertures || full.Layer.Width(&full.Layer.Features[0]) != 254_000 {
		t.Errorf("with a list: NeedsApertures %v, width %d nm; want false, 254000", full.NeedsApertures, full.Layer.Width(&full.Layer.Features[0]))
	}
	metric := true
	reported := Read(t.Context(), "x.pho", src, Options{Format: &Format{Integer: 3, Decimal: 2}, Metric: &metric})
	if got, want := describe(reported), "line D10 10,10 to 20,10"; got != want {
		t.Errorf("with a format given draws %s, want %s", got, want)
	}
}

func TestExpansionIsBounded(t *testing.T) {
	t.Parallel()
	src := mm + "%SRX100000Y100000I1J1*%D10*X0Y0D03*%SR*%M02*"
	checkBounded(t, 1000, []byte(src))
	var nested strings.Builder // each block flashes the one before ten times
	nested.WriteString(mm + "%ABD20*%D10*X0Y0D03*%AB*%")
	for d := 21; d < 60; d++ {
		nested.WriteString("%ABD" + itoa(d) + "*%D" + itoa(d-1) + "*")
		for range 10 {
			nested.WriteString("X0Y0D03*")
		}
		nested.WriteString("%AB*%")
	}
	checkBounded(t, 10_000, []byte(nested.String()+"D59*X0Y0D03*M02*"))
}

// checkBounded reads what expands to more than most features.
func checkBounded(t *testing.T, most int64, src []byte) {
	t.Helper()
	ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: most})
	defer end()
	f := Read(ctx, "x.gbr", src, Options{})
	e := pcb.Excess(ctx)
	if n := len(f.Layer.Features); int64(n) > most || e == nil || e.File != "x.gbr" || e.Counted != pcb.Drawn {
		t.Errorf("%d features of %.60q, excess %v; want at most %d, and the excess of x.gbr told", n, src, e, most)
	}
}

func itoa(d int) string { return string([]byte{byte('0' + d/10), byte('0' + d%10)}) }

// TestRotatedImageKeepsTheIdentity holds the first transform to be none, which those
// who draw take it for.
func TestRotatedImageKeepsTheIdentity(t *testing.T) {
	t.Parallel()
	l := Read(t.Context(), "x.gbr", []byte("%FSLAX46Y46*%%MOMM*%%ADD11R,1X2*%%IR90*%D11*X1000000Y0D03*M02*"), Options{}).Layer
	f := l.Features[0]
	if !l.Transforms[0].Identity() || l.Transforms[f.Transform].Rotation != 90 {
		t.Errorf("transforms %+v, of the flash %d; want the first the identity, the flash's turned by 90 degrees", l.Transforms, f.Transform)
	}
}

// TestAsDrawn: an image that is mirrored as a whole can be read as it was drawn.
func TestAsDrawn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, command string
		asDrawn       bool
		x, y          int64 // of a flash at 1,2
		mirrored      bool
	}{
		{"not mirrored", "", false, 1, 2, false},
		{"mirrored", "%MIA1B0*%", false, -1, 2, true},
		{"mirrored the other way", "%MIA0B1*%", false, 1, -2, true},
		{"turned, not mirrored", "%MIA1B1*%", false, -1, -2, false},
		{"as drawn", "%MIA1B0*%", true, 1, 2, true},
		{"as drawn, and nothing to leave out", "%MIA0B0*%", true, 1, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), "x", []byte("%FSLAX24Y24*%%MOMM*%%ADD10C,1*%"+c.command+"D10*X10000Y20000D03*M02*"), Options{AsDrawn: c.asDrawn})
			if want := geom.Pt(c.x*1_000_000, c.y*1_000_000); f.Layer.Features[0].A != want || f.Mirrored != c.mirrored {
				t.Errorf("flash at %v, mirrored %v; want %v, %v", f.Layer.Features[0].A, f.Mirrored, want, c.mirrored)
			}
		})
	}
}
