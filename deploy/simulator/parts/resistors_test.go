package parts

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/passive"
)

// tolerances are the letters of all makers' ordering codes, by micro-parts.
var tolerances = map[int64]string{1_000: "B", 2_500: "C", 5_000: "D", 10_000: "F", 20_000: "G", 50_000: "J", 100_000: "K"}

var (
	codedDigits = regexp.MustCompile(`[0-9]{3,}`)
	codedPoint  = regexp.MustCompile(`([0-9]*)([LRKM])([0-9]*)`)
)

// codesValue reports whether a number has a resistance in one of the usual codes: 4K7, R010,
// or two or three digits and an exponent.
func codesValue(number string, micro int64) bool {
	var coded []float64
	for _, m := range codedPoint.FindAllStringSubmatch(number, -1) {
		for i := range len(m[1]) + 1 {
			for j := range len(m[3]) + 1 {
				if v, err := strconv.ParseFloat("0"+m[1][i:]+"."+m[3][:j]+"0", 64); err == nil && len(m[1][i:])+j > 0 {
					coded = append(coded, v*map[string]float64{"L": 1e3, "R": 1e6, "K": 1e9, "M": 1e12}[m[2]])
				}
			}
		}
	}
	for _, digits := range codedDigits.FindAllString(number, -1) {
		for width := 3; width <= 4; width++ {
			for at := 0; at+width <= len(digits); at++ {
				v, _ := strconv.ParseFloat(digits[at:at+width-1]+"e"+digits[at+width-1:at+width], 64)
				coded = append(coded, v*1e6)
			}
		}
	}
	for _, v := range coded {
		if int64(v+0.5) == micro {
			return true
		}
	}
	return false
}

// listUnsourced says which figure of a resistor's row its number does not tell.
func listUnsourced(p *Part) string {
	switch s := p.Spec; {
	case s.Kind != passive.Resistor:
		return ""
	case !codesValue(p.MPN, s.Value):
		return "value"
	case s.Tolerance > 0 && !strings.Contains(p.MPN, tolerances[s.Tolerance]):
		return "tolerance"
	case s.Power > 0 || s.Voltage > 0 || s.Tempco > 0:
		return "rating"
	}
	return ""
}

// TestFiguresOfResistorsHaveASource: what a row states is told by the ordering code of the
// maker; ratings come from series with a data sheet only.
func TestFiguresOfResistorsHaveASource(t *testing.T) {
	t.Parallel()
	for item, want := range map[string]string{
		"RL0816T-R010-F 0603 2 0.02 {0.01Ω 1%}":        "",
		"RMCF0402FT10K0 0402 2 0.02 {10kΩ 1%}":         "",
		"RMCF0402FT10K0 0402 2 0.02 {11kΩ 1%}":         "value",
		"RC1608J100CS 0603 2 0.02 {10Ω 5%}":            "",
		"RC1608J100CS 0603 2 0.02 {10Ω 2%}":            "tolerance",
		"RMCF0402FT10K0 0402 2 0.02 {10kΩ 1% 0.1W}":    "rating",
		"RMCF0402FT10K0 0402 2 0.02 {10kΩ 1% 75V}":     "rating",
		"ACASN1002S1002P1ATF1002X 0606x2 4 0.02":       "",
		"RK73H1ETTP9763F 0402 2 0.02 {976kΩ 1%} @C123": "",
	} {
		p, err := readItem("Maker", "Resistors", item)
		if err != nil {
			t.Fatal(err)
		}
		if got := listUnsourced(&p); got != want {
			t.Errorf("%s: %q is without a source, want %q", item, got, want)
		}
	}
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Parts {
		p := &c.Parts[i]
		if _, read := passive.Read(p.MPN); read {
			continue
		}
		if what := listUnsourced(p); what != "" {
			t.Errorf("%s of %s: nothing tells its %s", p.MPN, p.Manufacturer, what)
		}
	}
}
