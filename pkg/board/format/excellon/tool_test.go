package excellon

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

func freeMeter() pcb.Meter { return pcb.Meter{} }

// toolsOf writes the tools of a file, one a line.
func toolsOf(f *File) string {
	var b strings.Builder
	for _, t := range f.Tools {
		fmt.Fprintf(&b, "T%d %.4g %s", t.Number, geom.Millimetres(t.Diameter), t.Plating)
		if t.Function != "" {
			fmt.Fprintf(&b, " %s", t.Function)
		}
		if t.Stated > 0 {
			fmt.Fprintf(&b, " of %d", t.Stated)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestTools(t *testing.T) {
	t.Parallel()
	const end = "M30"
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"sizes with speeds and feeds", lines("M48", "INCH,TZ", "T01F00S00C0.0280", "T2C.015F095S3", "T3S1H2B3Z4C0.1", "%", end),
			"T1 0.7112 unknown\nT2 0.381 unknown\nT3 2.54 unknown\n"},
		{"a size below zero is a size", lines("M48", "METRIC", "T1C-0.8", "%", end), "T1 0.8 unknown\n"},
		{"listed without a size", lines("M48", "METRIC", "T1", "%", "T1", "X1.0Y1.0", end), "T1 0 unknown\n"},
		{"a size without its point", lines("M48", "METRIC,TZ", "T1C800", "%", "T1", "X1000Y1000", end), "T1 0.8 unknown\n"},
		{"T0 parks the tool", lines("M48", "METRIC", "T1C1", "%", "T1", "X1.0Y1.0", "T0", end), "T1 1 unknown\n"},
		{"four digits: tool and compensation", lines("M48", "METRIC", "T1C1", "T2C2", "%", "T0101", "X1.0Y1.0", "T0202", "X2.0Y2.0", end), "T1 1 unknown\nT2 2 unknown\n"},
		{"four digits that are a tool", lines("M48", "METRIC", "T1001C1", "%", "T1001", "X1.0Y1.0", end), "T1001 1 unknown\n"},
		{"metres wide", lines("M48", "METRIC", "T1C1000.0", "%", end), "T1 0 unknown\n"},
		{"a cut-out", lines("M48", "METRIC", "T1C30.0", "%", end), "T1 30 unknown\n"},
		{"a table of EasyEDA", lines(";Holesize 1 = 0.3 mm PLATED Quantity = 2", "M48", "METRIC", "%", "T1", "X1.0Y1.0", "X2.0Y1.0", end), "T1 0.3 plated of 2\n"},
		{"a table in microns", lines(";T5 Holesize 1. = 300 NON_PLATED MICRONS Quantity = 1", "%", "T5", "X001000Y001000", end), "T5 0.3 non-plated of 1\n"},
		{"a table in inches", lines(";T5 Holesize 1. = 0.1 PLATED INCHES Quantity = 1", "%", "T5", "X001000Y001000", end), "T5 2.54 plated of 1\n"},
		{"a back-drill file of Allegro has one tool and never selects it", lines(";FILE  : b-bd-18-15.drl for backdrilling ... from layer BOTTOM to layer GND5", ";   BackdrillSize 1. = 0.355600 Tolerance = +0.000000/-0.000000 NON_PLATED MM Quantity = 3", "%", "G90", "X01.0Y01.0", "R02Y-00.15", end),
			"T1 0.3556 non-plated BackDrill of 3\n"},
		{"a back-drill file in mils, named by its tool", lines("; T01 Back-drill size 1. = 14 NON_PLATED MILS Quantity = 1", "%", "T01", "X1.0Y1.0", end), "T1 0.3556 non-plated BackDrill of 1\n"},
		{"a comment says what the file is for", lines("; Back drilling from BOTTOM", "M48", "METRIC", "T1C0.5", "%", "T1", "X1.0Y1.0", end), "T1 0.5 unknown BackDrill\n"},
		{"a function of its own goes before the comment", lines("; back drill", "M48", "METRIC", "; #@! TA.AperFunction,Plated,PTH,ViaDrill", "T1C0.5", "%", "T1", "X1.0Y1.0", end), "T1 0.5 plated ViaDrill\n"},
		{"tools by their counts, none selected", lines(";Holesize 1. = 0.3 PLATED MM Quantity = 2", ";Holesize 2. = 1 NON_PLATED MM Quantity = 1", "%", "X1.0Y1.0", "X2.0Y1.0", "X3.0Y1.0", end), "T1 0.3 plated of 2\nT2 1 non-plated of 1\n"},
		{"free words with a unit", lines("; T1 = 0.8 mm", "; Tool 2: dia .032 in", "; T3 size 40 mil", "M48", "METRIC", "T1", "T2", "T3", "%", "T1", "X1.0Y1.0", "T2", "X2.0Y1.0", "T3", "X3.0Y1.0", end),
			"T1 0.8 unknown\nT2 0.8128 unknown\nT3 1.016 unknown\n"},
		{"a header that was commented out", lines("M48", "METRIC", ";T1F00S00C0.8", ";T2C1.2", "%", "T1", "X1.0Y1.0", "T2", "X2.0Y1.0", end), "T1 0.8 unknown\nT2 1.2 unknown\n"},
		{"in brackets, without an M48", lines("(T1 0.6mm)", "METRIC", "%", "T1", "X1.0Y1.0", "X2.0Y1.0", end), "T1 0.6 unknown\n"},
		{"one tool of free words that is never selected", lines("; Tool 4 diameter 0.9 mm", "M48", "METRIC", "%", "X1.0Y1.0", end), "T4 0.9 unknown\n"},
		{"mils without a word in a file of inches", lines("; T1 size 32", "M48", "INCH", "T1", "%", "T1", "X1.0Y1.0", end), "T1 0.8128 unknown\n"},
		{"a header goes before free words", lines("; T1 = 0.5 mm", "M48", "METRIC", "T1C0.8", "%", "T1", "X1.0Y1.0", end), "T1 0.8 unknown\n"},
		{"a count is no size", lines("; T1 12", "M48", "METRIC", "T1", "%", "T1", "X1.0Y1.0", end), "T1 0 unknown\n"},
		{"a sentence is no size", lines("; T1 is for 3 holes", "M48", "METRIC", "T1", "%", "T1", "X1.0Y1.0", end), "T1 0 unknown\n"},
		{"the table goes before nothing", lines(";T1 Holesize 1. = 99 MM", "M48", "METRIC", "T1C1", "%", end), "T1 1 unknown\n"},
		{"a table with a size that is none", lines(";T1 Holesize 1. = ... MM", "M48", "METRIC", "T2C1", "%", end), "T2 1 unknown\n"},
		{"functions of X2", lines("M48", "METRIC", "; #@! TA.AperFunction,Plated,PTH,ViaDrill", "T1C0.3", "; #@! TA.AperFunction,Plated,PTH,ComponentDrill", "T2C1", "; #@! TD", "T3C3", "%", end),
			"T1 0.3 plated ViaDrill\nT2 1 plated ComponentDrill\nT3 3 unknown\n"},
		{"sections", lines("M48", "METRIC", ";TYPE=PLATED", "T1C0.3", "T2C1", ";TYPE=NON_PLATED", "T3C3", "%", end),
			"T1 0.3 plated\nT2 1 plated\nT3 3 non-plated\n"},
		{"sections, and the body defines the tools again", lines("M48", "METRIC", ";TYPE=PLATED", "T1C0.3", ";TYPE=NON_PLATED", "T3C3", "%", "T1C0.3", "X1.0Y1.0", "T3C3", "X2.0Y2.0", end),
			"T1 0.3 plated\nT3 3 non-plated\n"},
		{"attributes, and the body defines the tools again", lines("M48", "METRIC", "; #@! TA.AperFunction,Plated,PTH,ViaDrill", "T1C0.3", "; #@! TA.AperFunction,NonPlated,NPTH,ComponentDrill", "T3C3", "M95", "T1C0.3", "X1.0Y1.0", "T3C3", "X2.0Y2.0", end),
			"T1 0.3 plated ViaDrill\nT3 3 non-plated ComponentDrill\n"},
		{"sections of the body", lines("M48", "METRIC", "%", ";TYPE=PLATED", "T1C0.3", "X1.0Y1.0", ";TYPE=NON_PLATED", "T2C3", "X2.0Y2.0", end),
			"T1 0.3 plated\nT2 3 non-plated\n"},
		{"the file's attribute holds for all", lines("M48", "; #@! TF.FileFunction,NonPlated,1,2,NPTH", "METRIC", "T1C3", "%", end), "T1 3 non-plated\n"},
		{"a tool's attribute goes before the file's", lines("M48", "; #@! TF.FileFunction,Plated,1,2,PTH", "METRIC", "; #@! TA.AperFunction,NonPlated,NPTH,ComponentDrill", "T1C3", "%", end),
			"T1 3 non-plated ComponentDrill\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), c.in, Options{})
			if diff := cmp.Diff(c.want, toolsOf(f)); diff != "" {
				t.Errorf("tools (-want +got):\n%s\nfindings %v", diff, codes(f))
			}
		})
	}
}

// TestToolsByCount: where nothing but the number of holes tells which tool drills which.
func TestToolsByCount(t *testing.T) {
	t.Parallel()
	table := []string{";Holesize 1. = 0.3 PLATED MM Quantity = 3", ";Holesize 2. = 1 NON_PLATED MM Quantity = 1", "%", "X1.0Y1.0", "R2X1.0"}
	f := Read(t.Context(), lines(append(table, "X9.0Y1.0", "M30")...), Options{})
	if got := f.toolsUsed(); !slices.Equal(got, []int{3, 1}) || slices.Contains(codes(f), "drill_no_tool") {
		t.Errorf("as many as stated: tools used %v, findings %v; want 3 and 1 times, without drill_no_tool", got, codes(f))
	}
	f = Read(t.Context(), lines(append(table, "X9.0Y1.0", "X9.0Y2.0", "M30")...), Options{})
	if !slices.Contains(codes(f), "drill_no_tool") {
		t.Errorf("one more than stated: findings %v, want drill_no_tool", codes(f))
	}
	f = Read(t.Context(), lines("M48", "METRIC", "%", "X1.0Y1.0", "M30"), Options{Tools: map[int]Tool{3: {Number: 3, Diameter: geom.MM(0.7)}}})
	if got, want := toolsOf(f), "T3 0.7 unknown\n"; got != want {
		t.Errorf("the one tool of a report: %q, want %q", got, want)
	}
}

// TestPlating: of the file as a whole, from its tools, its words and its name.
func TestPlating(t *testing.T) {
	t.Parallel()
	body := []string{"%", "T1", "X1.0Y1.0", "T2", "X2.0Y2.0", "M30"}
	for _, c := range []struct {
		name   string
		header []string
		byName pcb.Plating
		want   pcb.Plating
	}{
		{"nothing says", []string{"T1C1", "T2C2"}, pcb.PlatingUnknown, pcb.PlatingUnknown},
		{"the name says", []string{"T1C1", "T2C2"}, pcb.NonPlated, pcb.NonPlated},
		{"both kinds", []string{";TYPE=PLATED", "T1C1", ";TYPE=NON_PLATED", "T2C2"}, pcb.PlatingUnknown, pcb.MixedPlating},
		{"both kinds, whatever the name", []string{";TYPE=PLATED", "T1C1", ";TYPE=NON_PLATED", "T2C2"}, pcb.Plated, pcb.MixedPlating},
		{"all of one kind", []string{";TYPE=PLATED", "T1C1", "T2C2"}, pcb.PlatingUnknown, pcb.Plated},
		{"an attribute goes before the name", []string{"; #@! TF.FileFunction,Plated,1,2,PTH", "T1C1", "T2C2"}, pcb.NonPlated, pcb.Plated},
		{"mixed by attribute: the name does not count", []string{"; #@! TF.FileFunction,MixedPlating,1,2", "T1C1", "T2C2"}, pcb.NonPlated, pcb.PlatingUnknown},
		{"Xpedition's words", []string{";Contents: Thru Non-Plated Holes", "T1C1", "T2C2"}, pcb.PlatingUnknown, pcb.NonPlated},
		{"Xpedition's other words", []string{";Contents: Thru Plated Holes", "T1C1", "T2C2"}, pcb.PlatingUnknown, pcb.Plated},
		{"a layer comment", []string{";Layer: Drill PTH", "T1C1", "T2C2"}, pcb.PlatingUnknown, pcb.Plated},
		{"a layer comment, not plated", []string{";Layer: Drill NPTH", "T1C1", "T2C2"}, pcb.PlatingUnknown, pcb.NonPlated},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := lines(append(append([]string{"M48", "METRIC"}, c.header...), body...)...)
			if f := Read(t.Context(), in, Options{Plating: c.byName}); f.Plating != c.want {
				t.Errorf("%s, want %s; tools\n%s", f.Plating, c.want, toolsOf(f))
			}
		})
	}
}

// TestReports: what a drill report says of a tool, beside what the file does.
func TestReports(t *testing.T) {
	t.Parallel()
	mm := geom.Millimetre
	for _, c := range []struct {
		name     string
		size     string
		report   Tool
		want     string
		findings []string
	}{
		{"agrees", "C0.5", Tool{Diameter: mm / 2, Plating: pcb.Plated, Stated: 1}, "T1 0.5 plated of 1\n", nil},
		{"agrees but for rounding", "C0.5", Tool{Diameter: mm/2 + 50*geom.Micrometre}, "T1 0.5 unknown\n", nil},
		{"another size", "C0.5", Tool{Diameter: mm}, "T1 0.5 unknown\n", []string{"drill_tool_conflict"}},
		{"the only size", "", Tool{Diameter: mm}, "T1 1 unknown\n", []string{"drill_tool_report"}},
		{"no size there either", "", Tool{Plating: pcb.NonPlated}, "T1 0 non-plated\n", []string{"drill_no_size"}},
		{"another count", "C0.5", Tool{Diameter: mm / 2, Stated: 7}, "T1 0.5 unknown of 7\n", []string{"drill_count"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), lines("M48", "METRIC", "T1"+c.size, "%", "T1", "X1.0Y1.0", "M30"), Options{Tools: map[int]Tool{1: c.report}})
			if diff := cmp.Diff(c.want, toolsOf(f)); diff != "" {
				t.Errorf("tools of size %q with the report %+v (-want +got):\n%s", c.size, c.report, diff)
			}
			if diff := cmp.Diff(c.findings, codes(f)); diff != "" {
				t.Errorf("findings of size %q with the report %+v (-want +got):\n%s", c.size, c.report, diff)
			}
		})
	}
}

// TestCountsOfSlots: a report may count a slot once or at both of its ends.
func TestCountsOfSlots(t *testing.T) {
	t.Parallel()
	for stated, want := range map[int][]string{3: nil, 5: nil, 4: {"drill_count"}, 6: {"drill_count"}} {
		f := Read(t.Context(), lines("M48", "METRIC", "T1C0.5", "%", "T1", "X1.0Y1.0", "X2.0Y1.0G85X3.0Y1.0", "X2.0Y2.0G85X3.0Y2.0", "M30"), Options{Tools: map[int]Tool{1: {Diameter: geom.Millimetre / 2, Stated: stated}}})
		if diff := cmp.Diff(want, codes(f)); diff != "" {
			t.Errorf("%d stated for a hole and two slots (-want +got):\n%s", stated, diff)
		}
	}
}

// TestLists: a list of tools speaks of those only that nothing else gives a size.
func TestLists(t *testing.T) {
	t.Parallel()
	mm := geom.Millimetre
	for _, c := range []struct {
		name, size   string
		report, list Tool
		want         string
		findings     []string
	}{
		{"the only size", "", Tool{}, Tool{Diameter: mm, Plating: pcb.NonPlated, Stated: 1}, "T1 1 non-plated of 1\n", []string{"drill_tool_report"}},
		{"another count", "", Tool{}, Tool{Diameter: mm, Stated: 2}, "T1 1 unknown of 2\n", []string{"drill_tool_report", "drill_count"}},
		{"the file has one", "C0.5", Tool{}, Tool{Diameter: mm, Plating: pcb.NonPlated, Stated: 7}, "T1 0.5 unknown\n", nil},
		{"its report has one", "", Tool{Diameter: mm / 2}, Tool{Diameter: mm}, "T1 0.5 unknown\n", []string{"drill_tool_report"}},
		{"of no size", "", Tool{}, Tool{Plating: pcb.NonPlated}, "T1 0 unknown\n", []string{"drill_no_size"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), lines("M48", "METRIC", "T1"+c.size, "%", "T1", "X1.0Y1.0", "M30"),
				Options{Tools: map[int]Tool{1: c.report}, Lists: map[int]Tool{1: c.list}})
			if diff := cmp.Diff(c.want, toolsOf(f)); diff != "" {
				t.Errorf("tools of size %q with the report %+v and the list %+v (-want +got):\n%s", c.size, c.report, c.list, diff)
			}
			if diff := cmp.Diff(c.findings, codes(f)); diff != "" {
				t.Errorf("findings of size %q with the report %+v and the list %+v (-want +got):\n%s", c.size, c.report, c.list, diff)
			}
		})
	}
}

func TestTooManyTools(t *testing.T) {
	t.Parallel()
	in := []string{"M48", "METRIC"}
	for i := range maxTools + 5 {
		in = append(in, fmt.Sprintf("T%dC1", i+1))
	}
	f := Read(t.Context(), lines(append(in, "%", "M30")...), Options{})
	if len(f.Tools) != maxTools {
		t.Errorf("%d tools, want %d", len(f.Tools), maxTools)
	}
	if got := codes(f); len(got) != 5 || got[0] != "drill_tools" {
		t.Errorf("findings %v, want five, the first drill_tools", got)
	}
}
