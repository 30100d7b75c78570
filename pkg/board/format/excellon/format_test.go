package excellon

import (
	"testing"

	"boardorder/pkg/board/geom"
)

func TestLength(t *testing.T) {
	t.Parallel()
	const um = geom.Micrometre
	inch := func(i, d int, z Zeros) Format { return Format{Unit: Inch, Integer: i, Decimal: d, Zeros: z} }
	mm := func(i, d int, z Zeros) Format { return Format{Unit: Millimetre, Integer: i, Decimal: d, Zeros: z} }
	for _, c := range []struct {
		name   string
		format Format
		in     string
		want   int64
		ok     bool
	}{
		{"2.4 inch, from the right", inch(2, 4, TrailingKept), "10000", 25_400 * um, true},
		{"the same, zeros in front", inch(2, 4, TrailingKept), "010000", 25_400 * um, true},
		{"2.4 inch, from the left", inch(2, 4, LeadingKept), "01", 25_400 * um, true},
		{"from the left, all digits", inch(2, 4, LeadingKept), "012345", 31_356_300, true},
		{"from the left, negative", inch(2, 4, LeadingKept), "-005", -12_700 * um, true},
		{"3.3 mm, from the right", mm(3, 3, TrailingKept), "1500", 1500 * um, true},
		{"3.3 mm, from the left", mm(3, 3, LeadingKept), "0015", 1500 * um, true},
		{"4.4 mm", mm(4, 4, TrailingKept), "12345", 1_234_500, true},
		{"3.2 mm", mm(3, 2, TrailingKept), "12345", 123_450 * um, true},
		{"a point goes before the places", mm(3, 3, TrailingKept), "1.5", 1500 * um, true},
		{"a point in inches", inch(2, 4, LeadingKept), ".1", 2540 * um, true},
		{"half a nanometre rounds up", mm(3, 3, TrailingKept), "0.0000005", 1, true},
		{"zero", inch(2, 4, LeadingKept), "0", 0, true},
		{"metres away", mm(3, 3, TrailingKept), "999999999999", 0, false},
		{"metres away, below zero", inch(2, 4, TrailingKept), "-999999999999", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n, _, _ := scanNumber([]byte(c.in), 0)
			if got, ok := c.format.length(n); got != c.want || ok != c.ok {
				t.Errorf("%s as %s: %d, %v; want %d, %v", c.in, c.format, got, ok, c.want, c.ok)
			}
		})
	}
}

func TestFormatInWords(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]Format{
		"inch 2.4, trailing zeros kept":        {Unit: Inch, Integer: 2, Decimal: 4, Zeros: TrailingKept},
		"mm 3.3, leading zeros kept":           {Unit: Millimetre, Integer: 3, Decimal: 3, Zeros: LeadingKept},
		"mm with decimal points":               {Unit: Millimetre, Points: true},
		"unknown unit 0.0, unknown zeros":      {},
		"inch with decimal points":             {Unit: Inch, Integer: 2, Decimal: 4, Points: true},
		"unknown unit 2.5, leading zeros kept": {Integer: 2, Decimal: 5, Zeros: LeadingKept},
	} {
		if got := f.String(); got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
	for want, s := range map[string]Source{"assumed": Assumed, "deduced": Deduced, "reported": Reported, "stated": Stated} {
		if got := s.String(); got != want {
			t.Errorf("%d: %q, want %q", s, got, want)
		}
	}
}

func TestSplitPlaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		digits           int
		unit             Unit
		integer, decimal int
	}{
		{6, Inch, 2, 4}, {7, Inch, 2, 5}, {8, Inch, 3, 5},
		{6, Millimetre, 3, 3}, {7, Millimetre, 4, 3}, {8, Millimetre, 3, 5},
	} {
		if i, d := splitPlaces(c.digits, c.unit); i != c.integer || d != c.decimal {
			t.Errorf("%d digits of %s: %d.%d, want %d.%d", c.digits, c.unit, i, d, c.integer, c.decimal)
		}
	}
}

// TestHeaderWords: what the header's words say about the format, before anything is
// deduced.
func TestHeaderWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		in               []byte
		unit             Unit
		zeros            Zeros
		integer, decimal int
	}{
		{"METRIC", lines("METRIC"), Millimetre, UnknownZeros, 0, 0},
		{"METRIC,TZ", lines("METRIC,TZ"), Millimetre, TrailingKept, 0, 0},
		{"METRIC with a mask", lines("METRIC,LZ,0000.00"), Millimetre, LeadingKept, 4, 2},
		{"INCH,LZ", lines("INCH,LZ"), Inch, LeadingKept, 0, 0},
		{"lower case", lines("inch,tz"), Inch, TrailingKept, 0, 0},
		{"a mask of nothing but a point", lines("METRIC,."), Millimetre, UnknownZeros, 0, 0},
		{"a mask with other digits is none", lines("METRIC,012.345"), Millimetre, UnknownZeros, 0, 0},
		{"a mask beyond reason", lines("METRIC,00000000.000"), Millimetre, UnknownZeros, 0, 0},
		{"zeros on a line of their own", lines("INCH", "LZ"), Inch, LeadingKept, 0, 0},
		{"M71", lines("M71"), Millimetre, UnknownZeros, 0, 0},
		{"M72", lines("M72"), Inch, UnknownZeros, 0, 0},
		{"G20", lines("G20"), Inch, UnknownZeros, 0, 0},
		{"G21", lines("G21"), Millimetre, UnknownZeros, 0, 0},
		{"G70", lines("G70"), Inch, UnknownZeros, 0, 0},
		{"G71", lines("G71"), Millimetre, UnknownZeros, 0, 0},
		{"KiCad's comment", lines("; FORMAT={3:3/ absolute / metric / suppress trailing zeros}"), Millimetre, LeadingKept, 3, 3},
		{"KiCad's, in inches", lines("; FORMAT={2:4/ absolute / inch / suppress leading zeros}"), Inch, TrailingKept, 2, 4},
		{"Altium's comment", lines(";FILE_FORMAT=4:4"), UnknownUnit, UnknownZeros, 4, 4},
		{"a unit in words", lines("; units: mm"), Millimetre, UnknownZeros, 0, 0},
		{"inches in words", lines("; Unit = inches"), Inch, UnknownZeros, 0, 0},
		{"zeros in words", lines("; trailing zero suppress, format 2.5"), UnknownUnit, LeadingKept, 0, 0},
		{"the first unit holds", lines("METRIC", "; format / inch /"), Millimetre, UnknownZeros, 0, 0},
		{"machine words say nothing", lines("VER,1", "FMAT,2", "DETECT,ON", "ATC,ON"), UnknownUnit, UnknownZeros, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := append(lines("M48"), c.in...)
			s := scan(freeMeter(), in, Options{})
			if f := s.stated; f.Unit != c.unit || f.Zeros != c.zeros || f.Integer != c.integer || f.Decimal != c.decimal {
				t.Errorf("%s, %d.%d, %s; want %s, %d.%d, %s", f.Unit, f.Integer, f.Decimal, f.Zeros, c.unit, c.integer, c.decimal, c.zeros)
			}
		})
	}
}

// TestUnitFromTools: without any word about the unit the sizes of drills tell.
func TestUnitFromTools(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		tools  []string
		unit   Unit
		source Source
	}{
		{"no tools", nil, Inch, Assumed},
		{"hundredths", []string{"T1C0.012", "T2C0.04"}, Inch, Deduced},
		{"millimetres", []string{"T1C0.3", "T2C1.0"}, Millimetre, Deduced},
		{"half an inch is no drill", []string{"T1C0.6"}, Millimetre, Deduced},
		{"either", []string{"T1C0.25", "T2C0.3"}, Millimetre, Assumed},
		{"a table in mils", []string{";T1 Holesize 1. = 12.0 PLATED MILS Quantity = 1"}, Inch, Deduced},
		{"a table in millimetres", []string{";T1 Holesize 1. = 0.3 PLATED MM Quantity = 1"}, Millimetre, Deduced},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := scan(freeMeter(), lines(append([]string{"M48"}, c.tools...)...), Options{})
			if u, how := s.unitFromTools(); u != c.unit || how != c.source {
				t.Errorf("%s, %s; want %s, %s", u, how, c.unit, c.source)
			}
		})
	}
}

// TestFormatReported: a parameter file beside the drill file fills in what the file
// itself leaves open, and never overrules it.
func TestFormatReported(t *testing.T) {
	t.Parallel()
	beside := Format{Unit: Inch, Integer: 2, Decimal: 5, Zeros: LeadingKept}
	for _, c := range []struct {
		name   string
		header []string
		want   string
		unit   Source
	}{
		{"all of it", []string{"T1C0.02"}, "inch 2.5, leading zeros kept", Reported},
		{"the unit stands in the file", []string{"METRIC", "T1C0.5"}, "mm 2.5, leading zeros kept", Stated},
		{"so do zeros", []string{"INCH,TZ", "T1C0.02"}, "inch 2.5, trailing zeros kept", Stated},
		{"and places", []string{";FILE_FORMAT=3:3", "T1C0.02"}, "inch 3.3, leading zeros kept", Reported},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := lines(append(append([]string{"M48"}, c.header...), "%", "T1", "X12345Y12346", "M30")...)
			f := Read(t.Context(), in, Options{Format: beside}).Format
			if f.String() != c.want || f.UnitSource != c.unit {
				t.Errorf("%s (%s), want %s (%s)", f, f.UnitSource, c.want, c.unit)
			}
		})
	}
}
