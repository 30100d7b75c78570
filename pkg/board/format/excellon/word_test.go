package excellon

import (
	"fmt"
	"strings"
	"testing"
)

// spell writes words as letter, mantissa and places, for comparison: "X-15/1".
func spell(ws []word) string {
	var out []string
	for _, w := range ws {
		switch {
		case !w.has:
			out = append(out, string(w.letter))
		case w.num.decimals < 0:
			out = append(out, fmt.Sprintf("%c%d", w.letter, w.num.mantissa))
		default:
			out = append(out, fmt.Sprintf("%c%d/%d", w.letter, w.num.mantissa, w.num.decimals))
		}
	}
	return strings.Join(out, " ")
}

func TestScanWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, want string
		rest           int
	}{
		{"a pair", "X100Y-200", "X100 Y-200", -1},
		{"points", "X1.5Y.25", "X15/1 Y25/2", -1},
		{"a point at the end", "X12.", "X12/0", -1},
		{"plus signs", "X+5Y+0.1", "X5 Y1/1", -1},
		{"blanks, but no tabs, between letter and number", "X 100 Y\t200", "X100 Y", 8},
		{"lower case", "x1y2", "X1 Y2", -1},
		{"stars and commas separate", "X1*,Y2*", "X1 Y2", -1},
		{"a comment ends the line", "X1;Y2", "X1", -1},
		{"so does a bracket", "X1(Y2)", "X1", -1},
		{"letters alone", "GM", "G M", -1},
		{"a sign without digits is no number", "X-Y5", "X", 1},
		{"what is no word", "X1?Y2", "X1", 2},
		{"a second point ends the number", "X1.2.3", "X12/1", 4},
		{"nothing", "", "", -1},
		{"bytes beyond ASCII", "X1\xffY2", "X1", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ws, rest := scanWords([]byte(c.in), nil)
			if got := spell(ws); got != c.want || rest != c.rest {
				t.Errorf("scanWords(%q) = %q, %d; want %q, %d", c.in, got, rest, c.want, c.rest)
			}
		})
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in      string
		value   float64
		integer int
		digits  int8
		leading bool
	}{
		{"0", 0, 0, 1, true},
		{"7", 7, 7, 1, false},
		{"007", 7, 7, 3, true},
		{"-007", -7, -7, 3, true},
		{"1.50", 1.5, 1, 3, false},
		{".5", 0.5, 0, 1, false},
		{"-12.75", -12.75, -12, 4, false},
		{"999999999999999999", 999999999999999, 1 << 30, maxDigits, false}, // the rest is beyond any machine
		{"-999999999999", -999999999999, -(1 << 30), 12, false},
	} {
		n, ok, next := scanNumber([]byte(c.in), 0)
		if !ok || next != len(c.in) || n.value() != c.value || n.integer() != c.integer || n.digits != c.digits || n.leading != c.leading {
			t.Errorf("%q: %v %d, %+v, value %v, integer %d; want %v, %d", c.in, ok, next, n, n.value(), n.integer(), c.value, c.integer)
		}
	}
	for _, in := range []string{"", "-", "+", ".", "-.", "x", " "} {
		if n, ok, next := scanNumber([]byte(in), 0); ok || n.digits != 0 {
			t.Errorf("%q was read as %+v, next %d", in, n, next)
		}
	}
}

func TestCutLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a\nb\nc":         "a|b|c",
		"a\r\nb\r\n":      "a|b",
		"a\rb\r":          "a|b",
		"a\n\nb":          "a||b",
		"a\r\n\r\nb":      "a||b",
		"\n":              "",
		"no end":          "no end",
		"mixed\rx\ny\r\n": "mixed|x|y",
	} {
		var got []string
		for data := []byte(in); len(data) > 0; {
			var line []byte
			line, data = splitLine(data)
			got = append(got, string(line))
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %q, want %q", in, s, want)
		}
	}
}

// TestTally: the digits of all coordinates are evidence for the format.
func TestTally(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in               string
		count, pointed         int
		withLeading, withTrail int
		constant               int
	}{
		{"all of one length", "0100 2345 0070", 3, 0, 2, 2, 4},
		{"of several", "1 22 333", 3, 0, 0, 0, 0},
		{"trailing zeros kept", "1000 25000 500", 3, 0, 0, 3, 0},
		{"leading zeros kept", "01 005 02", 3, 0, 3, 0, 0},
		{"points tell nothing of zeros", "1.0 2.5", 2, 2, 0, 0, 0},
		{"a bare zero tells nothing", "0 0 0", 3, 0, 0, 0, 0},
		{"zero written out has a length", "0000 1234", 2, 0, 1, 0, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got tally
			for f := range strings.FieldsSeq(c.in) {
				n, _, _ := scanNumber([]byte(f), 0)
				got.add(n)
			}
			if got.count != c.count || got.pointed != c.pointed || got.withLeading != c.withLeading || got.withTrailing != c.withTrail || got.constant() != c.constant {
				t.Errorf("%+v, constant %d; want %+v", got, got.constant(), c)
			}
		})
	}
}
