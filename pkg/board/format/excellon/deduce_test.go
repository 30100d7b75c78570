package excellon

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// evidenceOf scans a metric program without points and gathers what it tells.
func evidenceOf(opt Options, body ...string) (*scanner, *evidence) {
	s := scan(freeMeter(), lines(append(append([]string{"M48", "METRIC,TZ", "T1C1.0", "%", "T1"}, body...), "M30")...), opt)
	return s, s.evidence()
}

var (
	thirds   = Format{Unit: Millimetre, Integer: 3, Decimal: 3, Zeros: TrailingKept}
	inchform = Format{Unit: Inch, Integer: 2, Decimal: 4, Zeros: TrailingKept}
)

func TestEvidence(t *testing.T) {
	t.Parallel()
	box := geom.BoxOf(geom.Point{}, geom.Pt(geom.MM(100), geom.MM(50)))
	for _, c := range []struct {
		name           string
		body           []string
		inside, spread float64 // in 3.3 mm
		same           bool    // as large as the board
	}{
		{"all over the board", []string{"X10000Y5000", "X90000Y45000", "X50000Y20000"}, 1, 1, true},
		{"half of them beyond", []string{"X10000Y5000", "X900000Y450000"}, 0.5, 0.8, false},
		{"in one spot", []string{"X10000Y5000", "X10100Y5000", "X10000Y5100"}, 1, 0.204, false},
		{"elsewhere, but as large", []string{"X1010000Y1005000", "X1090000Y1045000", "X1050000Y1020000"}, 0, 1, true},
		{"beyond all measure", []string{"X999999999999Y1", "X1Y999999999999", "X1Y1"}, 1.0 / 3, 0.2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, e := evidenceOf(Options{Extents: box}, c.body...)
			share, all := e.locateHoles(thirds)
			if near := func(a, b float64) bool { return a-b < 0.001 && b-a < 0.001 }; !near(share, c.inside) || !near(e.boardShare(thirds), c.inside) || !near(e.spread(all), c.spread) {
				t.Errorf("inside %.3f, spread %.3f; want %.3f, %.3f", share, e.spread(all), c.inside, c.spread)
			}
			if got := e.sameScale(thirds); got != c.same {
				t.Errorf("same scale %v, want %v", got, c.same)
			}
		})
	}
}

// TestEvidenceWithoutBoard: where nothing is known of the board, nothing fits.
func TestEvidenceWithoutBoard(t *testing.T) {
	t.Parallel()
	_, e := evidenceOf(Options{}, "X1000Y1000", "X2000Y2000")
	if e.fits(thirds) != 0 || e.sameScale(thirds) || e.matchesPads(thirds) || e.padsTell() {
		t.Errorf("%+v tells something", e)
	}
}

func TestOnPads(t *testing.T) {
	t.Parallel()
	pads := inches("0.1,0.1 0.2,0.1 0.3,0.1 0.4,0.1 0.5,0.1 0.6,0.1 0.7,0.1")
	six := []string{"X1000Y1000", "X2000Y1000", "X3000Y1000", "X4000Y1000", "X5000Y1000", "X6000Y1000"}
	for _, c := range []struct {
		name   string
		body   []string
		mm, in bool
	}{
		{"all of six, in inches", six, false, true},
		{"four of six", append([]string{"X1111Y3333", "X2222Y3333"}, six[:4]...), false, true},
		{"two of six", append([]string{"X1111Y3333", "X2222Y3333", "X3333Y3333", "X4444Y3333"}, six[:2]...), false, false},
		{"six times the same", []string{"X1000Y1000", "X1000Y1000", "X1000Y1000", "X1000Y1000", "X1000Y1000", "X1000Y1000"}, false, false},
		{"both of two", six[:2], false, true},
		{"one of two", []string{"X1000Y1000", "X1111Y3333"}, false, false},
		{"one alone", six[:1], false, false},
		{"within a cell", []string{"X1001Y1000", "X2001Y999"}, false, true},
		{"a cell beside it", []string{"X1040Y1000", "X2040Y1000"}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, e := evidenceOf(Options{Pads: pads}, c.body...)
			if mm, in := e.matchesPads(thirds), e.matchesPads(inchform); mm != c.mm || in != c.in {
				t.Errorf("in mm %v, in inches %v; want %v, %v", mm, in, c.mm, c.in)
			}
		})
	}
}

// TestSettledFormat: a format that the file states and that spreads the holes over the
// board gives way only to one that puts every hole on a pad of its own: some of many
// holes lie on pads by chance.
func TestSettledFormat(t *testing.T) {
	t.Parallel()
	extents := geom.BoxOf(geom.Point{}, geom.Pt(geom.MM(100), geom.MM(100)))
	pads := func(at ...geom.Point) []geom.Point {
		for i, p := range at {
			at[i] = geom.Pt(p.X*geom.Millimetre, p.Y*geom.Millimetre)
		}
		return at
	}
	six := []string{"X10000Y10000", "X20000Y10000", "X30000Y10000", "X40000Y10000", "X50000Y10000", "X60000Y90000"}
	for _, c := range []struct {
		name     string
		pads     []geom.Point
		decimals int
		codes    []string
	}{
		{"pads where the file says", pads(geom.Pt(10, 10), geom.Pt(20, 10), geom.Pt(30, 10), geom.Pt(40, 10), geom.Pt(50, 10)), 3, nil},
		{"every hole on a pad in another", pads(geom.Pt(1, 1), geom.Pt(2, 1), geom.Pt(3, 1), geom.Pt(4, 1), geom.Pt(5, 1), geom.Pt(6, 9)), 4, []string{"drill_format_wrong"}},
		{"all but one", pads(geom.Pt(1, 1), geom.Pt(2, 1), geom.Pt(3, 1), geom.Pt(4, 1), geom.Pt(5, 1)), 3, nil},
		{"pads elsewhere", pads(geom.Pt(7, 77), geom.Pt(8, 77)), 3, nil},
		{"no pads known", nil, 3, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := lines(append(append([]string{"M48", ";FILE_FORMAT=3:3", "METRIC,TZ", "T1C0.8", "%", "T1"}, six...), "M30")...)
			f := Read(t.Context(), in, Options{Extents: extents, Pads: c.pads})
			if f.Format.Unit != Millimetre || f.Format.Decimal != c.decimals {
				t.Errorf("read as %s, want %d decimals", f.Format, c.decimals)
			}
			if diff := cmp.Diff(c.codes, codes(f)); diff != "" {
				t.Errorf("findings of %q with pads %v (-want +got):\n%s", in, c.pads, diff)
			}
			if len(c.codes) > 0 && f.Findings[0].Level != pcb.Warning {
				t.Errorf("pads settle it, and it is a %v, want a %v", f.Findings[0].Level, pcb.Warning)
			}
		})
	}
}

// TestZerosByPads: numbers of full length lie on pads either way; the others tell which zeros
// were left out, unless the file does.
func TestZerosByPads(t *testing.T) {
	t.Parallel()
	pads := inches("10.1111,10.2222 10.3333,10.4444 10.5555,10.6666 10.7777,10.8888 10.9999,10.1111 10.12,10.3333 10.14,10.5555")
	full := []string{"X101111Y102222", "X103333Y104444", "X105555Y106666", "X107777Y108888", "X109999Y101111"}
	for _, c := range []struct {
		name, head string
		rest       []string
		want       Zeros
	}{
		{"zeros at the end left out", "", []string{"X1012Y103333", "X1014Y105555"}, LeadingKept},
		{"all of full length", "", nil, TrailingKept},
		{"some that lie on no pad either way", "", []string{"X5Y5"}, TrailingKept},
		{"the file says otherwise", "INCH,TZ", []string{"X1012Y103333", "X1014Y105555"}, TrailingKept},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := lines(slices.Concat([]string{"M48", c.head, "T1C0.02", "%", "T1"}, full, c.rest, []string{"M30"})...)
			f := Read(t.Context(), in, Options{Extents: geom.BoxOf(pads...).Grow(geom.Millimetre), Pads: pads})
			if f.Format.Zeros != c.want || f.Format.Unit != Inch || f.Format.Decimal != 4 {
				t.Errorf("read as %s, want inches, %v, 4 decimals", f.Format, c.want)
			}
		})
	}
}

// TestFitAlone: a header that is contradicted by the size of the board alone stays a problem.
func TestFitAlone(t *testing.T) {
	t.Parallel()
	in := lines("M48", "INCH,LZ", "T1C0.02", "%", "T1", "X5000Y5000", "X35000Y15000", "X12000Y2000", "X38000Y19000", "M30")
	f := Read(t.Context(), in, Options{Extents: geom.BoxOf(geom.Point{}, geom.Pt(geom.MM(100), geom.MM(50)))})
	if len(f.Findings) != 1 || f.Findings[0].Code != "drill_format_wrong" || f.Findings[0].Level != pcb.Problem {
		t.Errorf("findings %+v, want drill_format_wrong alone, a problem", f.Findings)
	}
}

// TestCandidates: all formats that are tried are whole, differ, and begin with the
// unit and zeros at hand.
func TestCandidates(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{thirds, inchform} {
		s, _ := evidenceOf(Options{}, "X1Y1")
		all := s.candidates(f)
		seen := map[string]bool{}
		for _, c := range all {
			if c.Unit == UnknownUnit || c.Zeros == UnknownZeros || c.Integer < 1 || c.Decimal < 1 || seen[c.String()] {
				t.Errorf("%s is tried", c)
			}
			seen[c.String()] = true
		}
		if all[0].Unit != f.Unit || all[0].Zeros != f.Zeros || len(all) < 40 {
			t.Errorf("%d formats, first %s; want 40 at least, first unit and zeros of %s", len(all), all[0], f)
		}
	}
}

func TestCells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want int64 }{{7, 5, 1}, {-7, 5, -2}, {-5, 5, -1}, {0, 5, 0}, {4, 5, 0}, {-1, 5, -1}} {
		if got := floorDiv(c.a, c.b); got != c.want {
			t.Errorf("%d / %d = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestConfess: what nobody stated is said, and how it came to be known.
func TestConfess(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		in   []byte
		want string // in the words of the finding; "" for none
	}{
		{"points and a unit leave nothing open", lines("M48", "METRIC", "T1C1", "%", "T1", "X1.0Y1.0", "M30"), ""},
		{"the unit alone is open", lines("M48", "T1C1.0", "%", "T1", "X1.0Y1.0", "M30"), "mm with decimal points"},
		{"places assumed", lines("M48", "METRIC,TZ", "T1C1.0", "%", "T1", "X1000Y12000", "M30"), "in part assumed"},
		{"places deduced from full numbers", lines("M48", "INCH,TZ", "T1C0.02", "%", "T1", "X0100000Y0200000", "M30"), "deduced"},
		{"full numbers leave zeros no choice", lines("M48", "METRIC,000.000", "T1C1.0", "%", "T1", "X001000Y012000", "M30"), ""},
		{"no coordinates, nothing to say", lines("M48", "T1C1.0", "%", "M30"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			message := ""
			for _, g := range Read(t.Context(), c.in, Options{File: "fab.zip!/a.drl"}).Findings {
				if g.Code == "drill_format_deduced" {
					message = g.Message
				}
			}
			if (message == "") != (c.want == "") || !strings.Contains(message, c.want) || c.want != "" && !strings.HasPrefix(message, `"a.drl" does not state`) {
				t.Errorf("said %q, want %q of a.drl", message, c.want)
			}
		})
	}
}

// TestSniffScores: certain of what only drill files have, doubtful of bare
// coordinates, and never of artwork.
func TestSniffScores(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]float64{
		"M48\n":                               1,
		"; a comment\r\nM48\r\nMETRIC\r\n":    1,
		"xM48\n":                              0,
		"%%3000\nX1Y1T1\n":                    0.9,
		"T01C0.6\n":                           0.95,
		"T1F00S00C0.028\n":                    0.95,
		"; Holesize 1 = 0.3\n":                0.95,
		"X1Y2\nX3Y4\nX5Y6\n":                  0.7,
		"X1Y2\nX3Y4\n":                        0,
		"%\nT01\nX1Y2\nM30\n":                 0.7,
		"T1\r\nG00X1Y2\r\nG01X3Y2\r\nM30\r\n": 0.7, // one slot
		"%\nT01\nX1Y2\n":                      0,
		"T1\nX1Y2D03*\nM30\n":                 0,
		"X1Y2D02*\nX3Y4D01*\nX5Y6D01*\n":      0,
		"M48\n%FSLAX24Y24*%\n":                0,
		"M48\n%ADD10C,0.1*%\n":                0,
		"M48\n\x00\x01":                       0,
		"":                                    0,
		strings.Repeat("words\n", 1000) + "M48\n": 0, // beyond what is looked at
	} {
		if got := Sniff([]byte(in)); got != want {
			t.Errorf("Sniff(%.40q) = %v, want %v", in, got, want)
		}
	}
}
