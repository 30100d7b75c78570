package altium

import (
	"math"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"

	"github.com/google/go-cmp/cmp"
)

func TestParseProperties(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]properties{
		"":                            {},
		"|A=1|b=2|C=\x00\x00":         {"A": "1", "B": "2", "C": ""},
		"A=1|A=2|a=3":                 {"A": "1"},
		"|NAME=x=y|words|=z|":         {"NAME": "x=y", "": "z"},
		"|T=\xb5m\r\n":                {"T": "µm"},
		"|T=µm":                       {"T": "µm"},
		"|A= spaces stay |B=\x00|C=1": {"A": " spaces stay ", "B": "\x00", "C": "1"},
	} {
		if d := cmp.Diff(want, parseProperties([]byte(in))); d != "" {
			t.Errorf("%q (-want +got):\n%s", in, d)
		}
	}
}

// TestText: letters beyond the code page stand beside a value, as codes or as UTF-8.
func TestText(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		p    properties
		want string
	}{
		"plain":                   {properties{"N": "GND"}, "GND"},
		"nothing":                 {properties{}, ""},
		"codes":                   {properties{"N": "?", "UNICODE__N": "937, 49"}, "Ω1"},
		"codes that are none":     {properties{"N": "R", "UNICODE__N": "x"}, "R"},
		"codes beyond all":        {properties{"N": "R", "UNICODE__N": "1114112"}, "R"},
		"a code below all":        {properties{"N": "R", "UNICODE__N": "65,0"}, "R"},
		"UTF-8":                   {properties{"N": "?", "%UTF8%N": "Ω"}, "Ω"},
		"codes go before UTF-8":   {properties{"N": "?", "%UTF8%N": "x", "UNICODE__N": "65"}, "A"},
		"a name of several words": {properties{"N": "net 1", "UNICODE__M": "65"}, "net 1"},
	} {
		if got := tt.p.text("N"); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	for in, want := range map[string]string{"65,66": "AB", "": "", "top": "top", "65,-1": "65,-1", "65,1114112": "65,1114112"} {
		if got := (properties{"N": in}).codes("N"); got != want {
			t.Errorf("codes of %q: %q, want %q", in, got, want)
		}
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	p := properties{"T": "TRUE", "LOWER": "true", "LETTER": "T", "F": "FALSE", "ONE": "1", "EMPTY": "", "N": " 12 ", "MINUS": "-3", "BROKEN": "1.5", "FLOAT": " 9.0E+1 ", "HUGE": "1e13", "NAN": "NaN", "INF": "Inf"}
	for name, want := range map[string]bool{"T": true, "LOWER": true, "LETTER": true, "F": false, "ONE": false, "EMPTY": false, "NONE": false} {
		if got := p.is(name); got != want {
			t.Errorf("is(%s) = %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]int{"N": 12, "MINUS": -3, "BROKEN": 7, "EMPTY": 7, "NONE": 7} {
		if got := p.number(name, 7); got != want {
			t.Errorf("number(%s) = %d, want %d", name, got, want)
		}
	}
	for name, want := range map[string]float64{"FLOAT": 90, "BROKEN": 1.5, "HUGE": 0, "NAN": 0, "INF": 0, "NONE": 0} {
		if got := p.float(name); got != want {
			t.Errorf("float(%s) = %g, want %g", name, got, want)
		}
	}
	if !p.has("EMPTY") || p.has("NONE") {
		t.Error("a name without a value is there, one that is not there is not")
	}
}

// TestLengths: without a unit a length is of mils, and one that no board has is 0.
func TestLengths(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{
		"10mil": 254_000, "10": 254_000, "-10mil": -254_000, " 0.5mm ": 500_000, "2in": 50_800_000, "0.00001mil": 0, "x mil": 0, "mil": 0, "": 0, "1e-3mm": 1_000, "99999999mm": 0, "-99999999in": 0,
	} {
		if got := (properties{"L": in}).length("L"); got != want {
			t.Errorf("length %q = %d, want %d", in, got, want)
		}
	}
}

// TestUnit: coordinates that are broken numbers count tenths of a micron of an inch,
// rounded away from zero, within what a board can hold.
func TestUnit(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]int64{0: 0, 10_000: 25_400, -10_000: -25_400, 0.5: 1, -0.5: -1, 0.1: 0, 1e13: 0, -1e13: 0, 1 << 40: geom.MaxCoord, math.SmallestNonzeroFloat64: 0} {
		if got := unit(in); got != want {
			t.Errorf("unit(%g) = %d, want %d", in, got, want)
		}
	}
}

func TestLatin(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"abc": "abc", "\xb0": "°", "°": "°", "\xff\xfe": "ÿþ", "": ""} {
		if got := latin([]byte(in)); got != want {
			t.Errorf("latin(%q) = %q, want %q", in, got, want)
		}
	}
	if long := strings.Repeat("\xe9", 1000); len([]rune(latin([]byte(long)))) != 1000 {
		t.Errorf("a text of 1000 letters is read as %d", len([]rune(latin([]byte(long)))))
	}
}
