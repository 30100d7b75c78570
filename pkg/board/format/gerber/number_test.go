package gerber

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
)

// TestLeadingFloat: the number that a text starts with, and nothing of what follows.
func TestLeadingFloat(t *testing.T) {
	t.Parallel()
	const none = -99
	for in, want := range map[string]float64{
		"1": 1, "1.5": 1.5, " \t2": 2, "-3": -3, "+4": 4, ".5": 0.5, "5.": 5, "1X2": 1, "1e3": 1000, "1E-3": 0.001, "2e": 2, "2e+": 2, "007": 7, "-.5mm": -0.5,
		"": none, "X1": none, "-": none, ".": none, "--1": none, "1.2.3": none, "e5": none, "1e999": 1, "∞": none,
	} {
		if got := leadingFloat(in, none); got != want {
			t.Errorf("leadingFloat(%q) = %v, want %v", in, got, want)
		}
	}
}

// TestParameters: the sizes of an aperture; what is no number is 0, and said so.
func TestParameters(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]struct {
		Values []float64
		OK     bool
	}{
		"":         {nil, true},
		"  ":       {nil, true},
		"1":        {[]float64{1}, true},
		"1X2":      {[]float64{1, 2}, true},
		"1x2,3":    {[]float64{1, 2, 3}, true},
		"1XX2":     {[]float64{1, 2}, true},
		"-1X.5":    {[]float64{-1, 0.5}, true},
		"aX2":      {[]float64{0, 2}, false},
		"1X2mm":    {[]float64{1, 2}, true},
		"1 X 2":    {[]float64{1, 2}, true},
		"X":        {nil, true},
		"1X-":      {[]float64{1, 0}, false},
		"1Xinf":    {[]float64{1, 0}, false},
		"1.5e1X2":  {[]float64{15, 2}, true},
		"1X2X3X4X": {[]float64{1, 2, 3, 4}, true},
	} {
		got, ok := parameters(in)
		if diff := cmp.Diff(want.Values, got); diff != "" || ok != want.OK {
			t.Errorf("parameters(%q), read %v, want %v (-want +got):\n%s", in, ok, want.OK, diff)
		}
	}
	if got, _ := parameters(strings.Repeat("1X", 5000)); len(got) != 1000 {
		t.Errorf("%d parameters of 5000, want 1000", len(got))
	}
}

// TestNanometres: digits of coordinates in nanometres, by the format and the zeros that it leaves out.
func TestNanometres(t *testing.T) {
	t.Parallel()
	const leading, trailing = false, true
	for _, c := range []struct {
		name    string
		format  Format
		metric  bool
		v       int64
		written int // digits
		want    int64
		within  bool
	}{
		{"metric 4.6", Format{4, 6, leading, false}, true, 1_500_000, 7, 1_500_000, true},
		{"metric 3.3", Format{3, 3, leading, false}, true, 1500, 4, 1_500_000, true},
		{"inch 2.4", Format{2, 4, leading, false}, false, 10_000, 5, 25_400_000, true},
		{"inch 2.5, a digit", Format{2, 5, leading, false}, false, 1, 1, 254, true},
		{"inch 2.6, half a nanometre up", Format{2, 6, leading, false}, false, 3, 1, 76, true},
		{"inch 2.3, trailing zeros left out", Format{2, 3, trailing, false}, false, 1, 2, 25_400_000, true},
		{"the same, all digits", Format{2, 3, trailing, false}, false, 1000, 5, 25_400_000, true},
		{"the same, more digits than the format has", Format{2, 3, trailing, false}, false, 1_000_0, 6, 25_400_000, true},
		{"the same, one digit", Format{2, 3, trailing, false}, false, 1, 1, 254_000_000, true},
		{"below zero", Format{2, 4, leading, false}, false, -10_000, 5, -25_400_000, true},
		{"as far as boards are", Format{4, 6, leading, false}, true, geom.MaxCoord, 10, geom.MaxCoord, true},
		{"farther", Format{4, 6, leading, false}, true, geom.MaxCoord + 1, 10, geom.MaxCoord, false},
		{"farther below zero", Format{4, 0, leading, false}, true, -99_999, 5, -geom.MaxCoord, false},
	} {
		s := newScale(c.format, c.metric)
		if got, within := s.nanometres(c.v, c.written); got != c.want || within != c.within {
			t.Errorf("%s: %d of %d digits in %+v is %d nm, within %v; want %d, %v", c.name, c.v, c.written, c.format, got, within, c.want, c.within)
		}
	}
}

// TestMulDiv: products and quotients as of numbers without end, rounded half away from zero.
func TestMulDiv(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	check := func(v, num, den int64) {
		q := new(big.Int).Mul(big.NewInt(v), big.NewInt(num))
		sign := int64(q.Sign())
		q.Abs(q)
		q.Add(q, big.NewInt(den/2)).Div(q, big.NewInt(den))
		want, within := geom.MaxCoord, false
		if q.Cmp(big.NewInt(geom.MaxCoord)) <= 0 {
			want, within = q.Int64(), true
		}
		if sign < 0 {
			want = -want
		}
		if got, ok := mulDiv(v, num, den); got != want || ok != within {
			t.Errorf("mulDiv(%d, %d, %d) = %d, %v; want %d, %v", v, num, den, got, ok, want, within)
		}
	}
	for _, den := range []int64{1, 2, 3, 10, 1000, 1_000_000_000} {
		for _, v := range []int64{0, 1, -1, 5, -5, 999, geom.MaxCoord, -geom.MaxCoord, 1e17, -1e17} {
			check(v, geom.Inch, den)
			check(v, 1, den)
		}
		for range 200 {
			check(r.Int64N(2e17)-1e17, 1+r.Int64N(geom.Inch), den)
			check(r.Int64N(2e6)-1e6, 1+r.Int64N(geom.Inch), den)
		}
	}
}

// TestSteps: how far apart neighbouring coordinates are.
func TestSteps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format Format
		metric bool
		want   int64
	}{
		{Format{Integer: 4, Decimal: 6}, true, 1}, {Format{Integer: 4, Decimal: 4}, true, 100}, {Format{Integer: 3, Decimal: 3}, true, 1000}, {Format{Integer: 2, Decimal: 4}, false, 2540},
		{Format{Integer: 2, Decimal: 6}, false, 25}, {Format{Integer: 2, Decimal: 9}, false, 1}, {Format{Integer: 2}, false, geom.Inch},
	} {
		s := newScale(c.format, c.metric)
		if got := s.step(); got != c.want {
			t.Errorf("coordinates of %+v, metric %v, are %d nm apart, want %d", c.format, c.metric, got, c.want)
		}
	}
}

// TestHasDigits: whether coordinates are written with so many digits.
func TestHasDigits(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"X123456Y1D02*": true, "X1Y123456D02*": true, "X-123456": true, "X+00123": false, "X12345Y12345": false, "D123456*": false, "G04 123456*": false, "X1 23456": false, "": false,
		"I123456": false, "X12.3456": false,
	} {
		if got := hasDigits([]byte(in), 6); got != want {
			t.Errorf("hasDigits(%q, 6) = %v, want %v", in, got, want)
		}
	}
}

// TestExpressions: arithmetic of macros: products before sums, signs before products, from the left.
func TestExpressions(t *testing.T) {
	t.Parallel()
	vars := []float64{0, 10, 4, 0.5}
	for in, want := range map[string]float64{
		"1": 1, "1.5": 1.5, ".5": 0.5, "1e3": 1000, "1.5E-1": 0.15, "$1": 10, "$3": 0.5, "$9": 0, "$0": 0, "1+2": 3, "1 + 2": 3, "7-2-1": 4, "2x3": 6, "2X3": 6, "2*3": 6, "8/4/2": 1, "1+2x3": 7,
		"(1+2)x3": 9, "((2))": 2, "-1": -1, "+1": 1, "--1": 1, "-+-1": 1, "2x-3": -6, "2--3": 5, "-2x3": -6, "-(1+2)": -3, "-$1": -10, "$1-$2x$3": 8, "$1/$2+$3": 3, "(1+2": 3, "((1": 1,
	} {
		code, ok := compileExpression(in)
		got, fine := evaluate(code, vars)
		if !ok || !fine || math.Abs(got-want) > 1e-12 {
			t.Errorf("%q is %v, compiled %v, evaluated %v; want %v", in, got, ok, fine, want)
		}
	}
	for _, in := range []string{"", " ", "+", "1+", "x2", "/2", "1 2", "1(2)", "(1)2", ")", "1)", "()", "$", "$a", "$1001", "1..2", "1%2", "a", "1e999"} {
		if code, ok := compileExpression(in); ok {
			t.Errorf("%q is compiled to %+v, want it refused", in, code)
		}
	}
	for _, in := range []string{"1/0", "1/$9", "1/(2-2)", "1e300x1e300"} {
		code, ok := compileExpression(in)
		if got, fine := evaluate(code, vars); !ok || fine {
			t.Errorf("%q is %v, compiled %v, evaluated %v; want no number", in, got, ok, fine)
		}
	}
	if _, ok := compileExpression(strings.Repeat("(", maxExpression+2) + "1"); ok {
		t.Errorf("an expression of %d parentheses is compiled, want it refused", maxExpression+2)
	}
	if got, ok := evaluate(nil, nil); ok {
		t.Errorf("nothing is %v, want no number", got)
	}
}
