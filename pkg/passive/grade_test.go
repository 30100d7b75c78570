package passive_test

import (
	"testing"

	"boardorder/pkg/passive"
)

func TestCompareGrades(t *testing.T) {
	t.Parallel()
	const plainC, plainR = "CC0603KRX7R9BB104", "0603WAF1002T5E"
	for _, c := range []struct {
		named, by string
		worse     bool
	}{
		{"GRM188R71H104KA93D", plainC, false},
		{"CL10B104KB8NNNC", plainC, false},
		{"CL05A105KA5NQNC", "CC0402KRX5R8BB105", false},
		{"C0603C104K5RACTU", plainC, false},
		{"C1608X7R1H104K080AA", plainC, false},
		{"06035C104KAT2A", plainC, false},
		{"0603B104K500NT", plainC, false},
		{"RC0603FR-0710KL", plainR, false},
		{plainR, "ERJ-3EKF1002V", false},
		{"GCM188R71H104KA57D", plainC, true},
		{"GCM155R71H104KE02D", plainC, true},
		{"GCJ188R71H104KA12D", plainC, true},
		{"GCJ188R71H104KA12D", "GCM188R71H104KA57D", true},
		{"GCM188R71H104KA57D", "CGA3E2X7R1H104K080AA", false},
		{"GRJ188R71H104KE11D", plainC, true},
		{"GRT188R71H104KE13D", plainC, true},
		{"GJM1555C1H100JB01D", "CL05C100JB5NNNC", true},
		{"CGA3E2X7R1H104K080AA", plainC, true},
		{"CGA3E2X7R1H104K080AE", plainC, true},
		{"C1608X7R1H104K080AE", plainC, true},
		{"C0402C104K4RACAUTO", "CC0402KRX7R7BB104", true},
		{"AC0402KRX7R9BB104", "CC0402KRX7R9BB104", true},
		{"CL10B104KB8WPNC", plainC, true},
		{"CL10B104KB85PNC", plainC, true},
		{"AC0603FR-0710KL", plainR, true},
		{"ERJ-3EKF1002V", plainR, true},
		{"ERJ-3EKF1002V", "CRCW060310K0FKEA", false},
		{"a series of nobody's", plainC, true},
	} {
		if got := passive.CompareGrades(c.named, c.by); got.Worse != c.worse {
			t.Errorf("%s in place of %s: %+v, worse must be %t", c.by, c.named, got, c.worse)
		}
	}
}

// Whatever is put in a part's place by itself is of a series that is known.
func TestGradeOfWhatIsNumbered(t *testing.T) {
	t.Parallel()
	for _, s := range []passive.Spec{
		{Kind: passive.Resistor, Value: 10_000_000_000, Size: "0603", Tolerance: 10_000},
		{Kind: passive.Capacitor, Value: 100_000_000, Size: "0603", Tolerance: 100_000, Voltage: 16_000, Dielectric: "X7R"},
	} {
		for _, n := range passive.Number(s) {
			if _, known := passive.GradeOf(n.MPN); !known {
				t.Errorf("%s is of no known series", n.MPN)
			}
		}
	}
}
