package odb

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
)

func TestStructured(t *testing.T) {
	t.Parallel()
	got := parseRecords([]byte("# a comment\r\nUNITS=MM\r\nunits=INCH\r\nEMPTY=\r\nno assignment\r\nSTEP {\r\n COL=1\r\n NAME = \"a b\" \r\n}\r\nAFTER=x\r\nlayer {\n ROW=2\n"))
	want := []record{
		{value: map[string]string{"UNITS": "MM", "EMPTY": "", "AFTER": "x"}},
		{kind: "STEP", value: map[string]string{"COL": "1", "NAME": "a b"}, line: 6},
		{kind: "LAYER", value: map[string]string{"ROW": "2"}, line: 11},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(record{})); diff != "" {
		t.Errorf("parseRecords (-want +got):\n%s", diff)
	}
	if got := parseRecords(nil); len(got) != 1 || len(got[0].value) != 0 {
		t.Errorf("of nothing: %+v, want one record without values", got)
	}
	if got := parseRecords([]byte(strings.Repeat("A {\n", 200_000))); len(got) > 100_002 {
		t.Errorf("%d records of 200,000 that nest, want 100,002 at most", len(got))
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]float64{
		"":                       0,
		"0":                      0,
		"12":                     12,
		"-12.5":                  -12.5,
		"+3":                     3,
		".5":                     0.5,
		"5.":                     5,
		"0.000001":               0.000001,
		"-0.0":                   0,
		"1e3":                    1000,
		"1.5E-2":                 0.015,
		"123456789.123456789":    123456789.123456789,
		"00000000000000000007":   7,
		"0.00000000000000000001": 0.00000000000000000001,
		"x":                      0,
		"1x":                     0,
		"1.2.3":                  0,
		"inf":                    0,
		"nan":                    0,
		"1e999":                  0,
		"--1":                    0,
	} {
		if got := number([]byte(in)); got != want && !(got-want < 1e-9 && want-got < 1e-9) {
			t.Errorf("number(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	w := fields{[]byte("  P\t1.5   -2 7 4e99 rest of it")}
	if got := string(w.next()); got != "P" {
		t.Errorf("first word %q, want P", got)
	}
	if got := w.point(nmPerMM); got != geom.Pt(1_500_000, -2_000_000) {
		t.Errorf("point %v, want 1.5 and -2 mm", got)
	}
	if got := w.int(); got != 7 {
		t.Errorf("count %d, want 7", got)
	}
	if got := w.int(); got != -1 {
		t.Errorf("a count beyond all reason is %d, want -1", got)
	}
	if got := strings.TrimSpace(string(w.rest)); got != "rest of it" {
		t.Errorf("rest %q, want rest of it", got)
	}
	empty := fields{}
	if empty.next() == nil && empty.number() != 0 || empty.point(nmPerMM) != (geom.Point{}) {
		t.Errorf("a line without words gives the number %v and the point %v, want neither", empty.number(), empty.point(nmPerMM))
	}
}

func TestNanometres(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]int64{0.4: 0, 0.5: 1, -0.5: -1, 1e6: 1_000_000, 1e300: geom.MaxCoord, -1e300: -geom.MaxCoord} {
		if got := nm(in); got != want {
			t.Errorf("nm(%v) = %d, want %d", in, got, want)
		}
	}
}

func TestUnitOf(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]float64{"MM": nmPerMM, "mm": nmPerMM, "INCH": nmPerInch, "Inch": nmPerInch, "": 7, "FURLONG": 7} {
		if got := unitOf(in, 7); got != want {
			t.Errorf("unit %q is %v, want %v", in, got, want)
		}
	}
}

// TestOunces: the standard means ounces, and tools write thicknesses.
func TestOunces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ w, unit, want float64 }{
		{1, nmPerMM, 1}, {0.5, nmPerMM, 0.5}, {35.56, nmPerMM, 1}, {17.5, nmPerMM, 0.5}, {70, nmPerMM, 2},
		{1.4, nmPerInch, 1}, {0.7, nmPerInch, 0.5}, {2.8, nmPerInch, 2}, {2, nmPerInch, 2}, {1, nmPerInch, 1},
	} {
		if got := ounces(c.w, c.unit); got != c.want {
			t.Errorf("%v of unit %v is %v oz, want %v", c.w, c.unit, got, c.want)
		}
	}
}

func TestTurned(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]float64{0: 0, 90: 90, -90: 270, 360: 0, 725: 5, -725: 355, 1e9: 0, -1e9: 0} {
		if got := normalizeAngle(in); got != want {
			t.Errorf("normalizeAngle(%v) = %v, want %v", in, got, want)
		}
	}
}

func TestQuoted(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{" '10k' ": "10k", "'a b' 1 2": "a b", "plain": "plain", "": "", "''": ""} {
		if got := unquote([]byte(in)); got != want {
			t.Errorf("unquote(%q) = %q, want %q", in, got, want)
		}
	}
}
