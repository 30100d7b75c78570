package excellon

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// metric is a program of one 1 mm tool in millimetres with points.
func metric(body ...string) []byte {
	return lines(append(append([]string{"M48", "METRIC", "T1C1", "%", "T1"}, body...), "M30")...)
}

func TestMoves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"G01 without rout mode drills", metric("G01X1.0Y1.0"), "hole 1,1 T1 1 unknown\n"},
		{"G81 goes back to drilling", metric("G00X0.0Y0.0", "G81", "X1.0Y1.0"), "hole 1,1 T1 1 unknown\n"},
		{"tool up: nothing is cut", metric("G00X1.0Y1.0", "G01X5.0", "M15", "G01X6.0", "M17"), "slot 5,1 6,1 T1\n"},
		{"a program without plunges cuts all", metric("G00X1.0Y1.0", "G01X5.0", "G05"), "slot 1,1 5,1 T1\n"},
		{"a cut that turns a corner", metric("G00X0.0Y0.0", "M15", "G01X2.0", "Y3.0", "M16"), "path T1 closed=false 0,0 2,0 2,3\n"},
		{"a closed cut", metric("G00X0.0Y0.0", "M15", "G01X2.0", "Y2.0", "X0.0", "Y0.0", "M16"), "path T1 closed=true 0,0 2,0 2,2 0,2 0,0\n"},
		{"an arc by its centre", metric("G00X0.0Y0.0", "M15", "G02X2.0Y0.0I1.0J0.0", "M16"), "path T1 closed=false 0,0 2,0 bend0@1,0\n"},
		{"an arc by its radius, clockwise", metric("G00X0.0Y0.0", "M15", "G02X2.0Y2.0A2.0", "M16"), "path T1 closed=false 0,0 2,2 bend0@2,0\n"},
		{"an arc by its radius, the other way", metric("G00X0.0Y0.0", "M15", "G03X2.0Y2.0A2.0", "M16"), "path T1 closed=false 0,0 2,2 bend0@0,2\n"},
		{"a radius too short: half the chord", metric("G00X0.0Y0.0", "M15", "G02X4.0Y0.0A1.0", "M16"), "path T1 closed=false 0,0 4,0 bend0@2,0\n"},
		{"a change of tool ends the cut", metric("G00X0.0Y0.0", "M15", "G01X2.0", "T1", "G01X4.0", "M16"), "slot 0,0 2,0 T1\nslot 2,0 4,0 T1\n"},
		{"a cut at the end of the program", metric("G00X0.0Y0.0", "M15", "G01X2.0"), "slot 0,0 2,0 T1\n"},
		{"a plunge without a move", metric("G00X1.0Y1.0", "M15", "M16"), ""},
		{"a slot in one coordinate", metric("X1.0Y1.0G85Y3.0"), "slot 1,1 1,3 T1\n"},
		{"slots one after another", metric("X0.0Y0.0G85X1.0Y0.0", "X0.0Y2.0G85X1.0Y2.0"), "slot 0,0 1,0 T1\nslot 0,2 1,2 T1\n"},
		{"G84 gives the hole's diameter", metric("X5.0Y5.0G84X3.0"), "path T1 closed=true 6,5 6,5 bend0@5,5\n"},
		{"a circle no larger than its tool is a hole", metric("X5.0Y5.0G84X1.0"), "hole 5,5 T1 1 unknown\n"},
		{"G32 gives the tool's way", metric("G32X5.0Y5.0A2.0"), "path T1 closed=true 7,5 7,5 bend0@5,5\n"},
		{"the origin moves", metric("X1.0Y1.0", "G93X10.0Y0.0", "X1.0Y1.0", "G92X0.0Y0.0", "X2.0Y2.0"), "hole 1,1 T1 1 unknown\nhole 11,1 T1 1 unknown\nhole 2,2 T1 1 unknown\n"},
		{"from steps to places and back", metric("G91", "X1.0Y1.0", "X1.0Y1.0", "G90", "X1.0Y1.0"), "hole 1,1 T1 1 unknown\nhole 2,2 T1 1 unknown\nhole 1,1 T1 1 unknown\n"},
		{"ICI,ON is steps", lines("M48", "METRIC", "ICI,ON", "T1C1", "%", "T1", "X1.0Y1.0", "X1.0", "M30"), "hole 1,1 T1 1 unknown\nhole 2,1 T1 1 unknown\n"},
		{"ICI,OFF is not", lines("M48", "METRIC", "ICI,OFF", "T1C1", "%", "T1", "X1.0Y1.0", "X1.0", "M30"), "hole 1,1 T1 1 unknown\nhole 1,1 T1 1 unknown\n"},
		{"repeats in both directions", metric("X0.0Y0.0", "R2X1.0Y2.0"), "hole 0,0 T1 1 unknown\nhole 1,2 T1 1 unknown\nhole 2,4 T1 1 unknown\n"},
		{"a repeat goes on from the last", metric("X0.0Y0.0", "R1X1.0", "R1Y1.0"), "hole 0,0 T1 1 unknown\nhole 1,0 T1 1 unknown\nhole 1,1 T1 1 unknown\n"},
		{"R0 repeats nothing", metric("X0.0Y0.0", "R0X1.0"), "hole 0,0 T1 1 unknown\n"},
		{"a pattern three times", metric("M25", "X0.0Y0.0", "M01", "R2M02X5.0"), "hole 0,0 T1 1 unknown\nhole 5,0 T1 1 unknown\nhole 10,0 T1 1 unknown\n"},
		{"a pattern that nobody ended", metric("M25", "X0.0Y0.0", "M02X5.0"), "hole 0,0 T1 1 unknown\nhole 5,0 T1 1 unknown\n"},
		{"line numbers and feeds move nothing", metric("N10X1.0Y1.0F100S3", "N20X2.0"), "hole 1,1 T1 1 unknown\nhole 2,1 T1 1 unknown\n"},
		{"what follows the end is not read", metric("X1.0Y1.0", "M30", "X2.0Y2.0"), "hole 1,1 T1 1 unknown\n"},
		{"several statements on a line", metric("G05X1.0Y1.0"), "hole 1,1 T1 1 unknown\n"},
		{"a byte order mark", append([]byte("\xef\xbb\xbf"), metric("X1.0Y1.0")...), "hole 1,1 T1 1 unknown\n"},
		{"a comment behind a statement", metric("X1.0Y1.0 ; the first"), "hole 1,1 T1 1 unknown\n"},
		{"a bracketed comment", metric("(a note)", "X1.0Y1.0"), "hole 1,1 T1 1 unknown\n"},
		{"lines of other machines", metric("/X9.0Y9.0", ":100", "$1", "X1.0Y1.0"), "hole 1,1 T1 1 unknown\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), c.in, Options{})
			if diff := cmp.Diff(c.want, show(f)); diff != "" {
				t.Errorf("holes (-want +got):\n%s\nfindings %v", diff, codes(f))
			}
		})
	}
}

// TestEnds: what tells that a program is whole.
func TestEnds(t *testing.T) {
	t.Parallel()
	head := []string{"M48", "METRIC", "T1C1", "%", "T1", "X1.0Y1.0"}
	for _, c := range []struct {
		name string
		tail []string
		want bool
	}{
		{"M30", []string{"M30"}, true},
		{"M02", []string{"M02"}, true},
		{"M00, and nothing after it", []string{"M00"}, true},
		{"M00 and a bracket of words", []string{"M00", "(end)", ";bye"}, true},
		{"M00, and holes after it", []string{"M00", "X2.0Y2.0"}, false},
		{"T0 alone", []string{"T0"}, false},
		{"nothing", nil, false},
		{"M02 of a pattern", []string{"M25", "X2.0Y2.0", "M02X1.0"}, false},
		{"M30 behind the last hole", []string{"X2.0Y2.0M30"}, true},
		{"M30 in small letters", []string{"m30"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), lines(append(append([]string{}, head...), c.tail...)...), Options{})
			if f.Ended != c.want || strings.Contains(strings.Join(codes(f), " "), "drill_truncated") == c.want {
				t.Errorf("ended %v, findings %v; want %v", f.Ended, codes(f), c.want)
			}
		})
	}
}

// TestSpans: which copper layers a program joins.
func TestSpans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		header string
		span   Span
		bottom bool
	}{
		{"a span", "; #@! TF.FileFunction,Plated,1,4,PTH,Drill", Span{1, 4}, false},
		{"upside down", "; #@! TF.FileFunction,Plated,4,2,Buried", Span{2, 4}, false},
		{"without the mark of KiCad", ";TF.FileFunction,Plated,1,2,Blind", Span{1, 2}, false},
		{"no numbers", ";TF.FileFunction,Plated,a,b,Blind", Span{}, false},
		{"beyond any board", ";TF.FileFunction,Plated,1,999,PTH", Span{}, false},
		{"layers that there are not", ";TF.FileFunction,Plated,0,2,PTH", Span{}, false},
		{"too short", ";TF.FileFunction,Plated", Span{}, false},
		{"Allegro's words", ";LAYER: drill, layers TOP and BOTTOM", Span{From: 1}, true},
		{"Allegro's other words", "; Layers TOP to BOTTOM", Span{From: 1}, true},
		{"nothing", "; a comment", Span{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), lines("M48", "METRIC", c.header, "T1C1", "%", "T1", "X1.0Y1.0", "M30"), Options{})
			if f.Span != c.span || f.Bottom != c.bottom {
				t.Errorf("%+v, bottom %v; want %+v, %v", f.Span, f.Bottom, c.span, c.bottom)
			}
		})
	}
}

func TestSoftware(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		";DRILL file {KiCad 6.0.11} date 2024-01-02":     "KiCad 6.0.11",
		"; #@! TF.GenerationSoftware,Kicad,Pcbnew,7.0.1": "Kicad Pcbnew 7.0.1",
		";GenerationSoftware,Autodesk,EAGLE,9.6.2*%":     "Autodesk,EAGLE,9.6.2",
		";EasyEDA v6.5.23, 2022-12-09 20:58:38":          "EasyEDA v6.5.23, 2022-12-09 20:58:38",
		";Contents: Thru Plated Holes":                   "Siemens Xpedition",
		";a file of nobody in particular":                "",
	} {
		f := Read(t.Context(), lines("M48", header, "METRIC", "T1C1", "%", "T1", "X1.0Y1.0", "M30"), Options{})
		if f.Software != want {
			t.Errorf("%q: %q, want %q", header, f.Software, want)
		}
	}
}

// TestOdd: what cannot be right is said, with its line, and nothing is invented.
func TestOdd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, code string
		body       []string
		line       int
		level      pcb.Level
		holes      int
	}{
		{"a repeat of nothing", "drill_repeat", []string{"R3X1.0"}, 6, pcb.Problem, 0},
		{"a repeat after a slot", "drill_repeat", []string{"X0.0Y0.0G85X1.0Y0.0", "R3X1.0"}, 7, pcb.Problem, 1},
		{"a repeat after a change of tool", "drill_repeat", []string{"X0.0Y0.0", "T1", "R3X1.0"}, 8, pcb.Problem, 1},
		{"a pattern that was never begun", "drill_pattern", []string{"X1.0Y1.0", "M02X5.0"}, 7, pcb.Problem, 1},
		{"a mirrored pattern", "drill_pattern", []string{"M25", "X1.0Y1.0", "M01", "M02X5.0M80"}, 9, pcb.Problem, 1},
		{"a turned pattern", "drill_pattern", []string{"M25", "X1.0Y1.0", "M01", "M02X5.0M70"}, 9, pcb.Problem, 1},
		{"compensation to the right", "drill_compensation", []string{"G42", "X1.0Y1.0"}, 6, pcb.Problem, 1},
		{"drilled text", "drill_text", []string{"X1.0Y1.0", "M97,hello"}, 7, pcb.Problem, 1},
		{"an unknown code", "drill_code", []string{"G66", "X1.0Y1.0"}, 6, pcb.Note, 1},
		{"an unknown machine code", "drill_code", []string{"M66", "X1.0Y1.0"}, 6, pcb.Note, 1},
		{"letters of another language", "drill_unreadable", []string{"X1.0Y1.0", "\xc4\xd6"}, 7, pcb.Problem, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), metric(c.body...), Options{})
			if f.Holes() != c.holes {
				t.Errorf("%d holes, want %d", f.Holes(), c.holes)
			}
			for _, g := range f.Findings {
				if g.Code == c.code {
					if g.Line != c.line || g.Level != c.level {
						t.Errorf("%s on line %d, level %v; want line %d, level %v", g.Code, g.Line, g.Level, c.line, c.level)
					}
					return
				}
			}
			t.Errorf("no %s in %v", c.code, codes(f))
		})
	}
}

// TestFindingsAreFew: a file that is wrong on each of its lines is said so fifty
// times, not a million.
func TestFindingsAreFew(t *testing.T) {
	t.Parallel()
	body := make([]string, 5000)
	for i := range body {
		body[i] = "X1.0?"
	}
	f := Read(t.Context(), metric(body...), Options{})
	n := 0
	for _, g := range f.Findings {
		if g.Code == "drill_unreadable" {
			n++
		}
	}
	if n != maxFindings {
		t.Errorf("said %d times, want %d", n, maxFindings)
	}
	const limit = 60
	if long := quote([]byte(strings.Repeat("?", 500))); len(long) > limit {
		t.Errorf("%d bytes of 500 are quoted, want %d at most", len(long), limit)
	}
}

// TestPatternsEnd: what patterns and repeats expand to is bounded by the budget,
// however few bytes they take.
func TestPatternsEnd(t *testing.T) {
	t.Parallel()
	for name, body := range map[string][]string{
		"patterns":             {"M25", "X1.0Y1.0", "M01", "R30000M02X0.1", "R30000M02X0.1", "R30000M02X0.1"},
		"repeats":              {"X1.0Y1.0", "R9999999X0.001"},
		"a pattern of repeats": {"M25", "X1.0Y1.0", "R30000X0.001", "M01", "R30000M02X0.1"},
		"a pattern of nothing": {"M25", "M01", "R2000000000M02X0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 10_000})
			defer end()
			if f := Read(ctx, metric(body...), Options{}); len(f.Hits) > 20_000 {
				t.Errorf("%d holes within 10,000 objects, want 20,000 at most", len(f.Hits))
			}
			if name != "a pattern of nothing" && pcb.Excess(ctx) == nil {
				t.Errorf("%s: nothing says that it was too much", name)
			}
		})
	}
}

// TestSlotsOnPads: a few slots that lie exactly in their pads settle the format,
// however they huddle in a corner of the board.
func TestSlotsOnPads(t *testing.T) {
	t.Parallel()
	mm := func(xy ...float64) []geom.Point {
		var out []geom.Point
		for i := 0; i < len(xy); i += 2 {
			out = append(out, geom.Pt(geom.MM(xy[i]), geom.MM(xy[i+1])))
		}
		return out
	}
	board100 := geom.BoxOf(geom.Point{}, geom.Pt(geom.MM(100), geom.MM(100)))
	pads := mm(2, 3, 6, 3, 2, 7, 6, 7, 50, 50, 90, 90)
	for _, c := range []struct {
		name   string
		body   []string
		want   string
		format string
	}{
		{"canned slots", []string{"X1500Y3000G85X2500Y3000", "X5500Y3000G85X6500Y3000", "X1500Y7000G85X2500Y7000", "X5500Y7000G85X6500Y7000"},
			"slot 1.5,3 2.5,3 T1", "mm 3.3, trailing zeros kept"},
		{"routed slots", []string{"G00X1500Y3000", "M15", "G01X2500", "M16", "G00X5500Y7000", "M15", "G01X6500", "M16"},
			"slot 1.5,3 2.5,3 T1", "mm 3.3, trailing zeros kept"},
		{"two holes", []string{"X2000Y3000", "X6000Y7000"}, "hole 2,3 T1 1 unknown", "mm 3.3, trailing zeros kept"},
		{"slots in another scale", []string{"X15000Y30000G85X25000Y30000", "X55000Y30000G85X65000Y30000"},
			"slot 1.5,3 2.5,3 T1", "mm 4.4, trailing zeros kept"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := lines(append(append([]string{"M48", "METRIC,TZ", "T1C1.0", "%", "T1"}, c.body...), "M30")...)
			f := Read(t.Context(), in, Options{Extents: board100, Pads: pads})
			if got, _, _ := strings.Cut(show(f), "\n"); got != c.want || f.Format.String() != c.format {
				t.Errorf("%s, %s; want %s, %s", got, f.Format, c.want, c.format)
			}
			for _, g := range f.Findings {
				if g.Level == pcb.Problem {
					t.Errorf("problem %s: %s; want none", g.Code, g.Message)
				}
			}
		})
	}
}
