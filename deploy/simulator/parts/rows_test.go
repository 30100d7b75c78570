package parts

import "testing"

// TestRowsAgreeWithNumbers: what a row says of a part is held against what its number
// says, where that can be read.
func TestRowsAgreeWithNumbers(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]bool{
		"YAGEO | Resistors | RC0402FR-0710KL 0402 2 0.003":                           true,
		"YAGEO | Resistors | RC0402FR-0710KL 0603 2 0.003":                           false,
		"YAGEO | Capacitors | CC0402KRX7R7BB104 0402 2 0.01 {100nF 16V X7R}":         true,
		"YAGEO | Capacitors | CC0402KRX7R7BB104 0402 2 0.01 {100nF}":                 true,
		"YAGEO | Capacitors | CC0402KRX7R7BB104 0402 2 0.01 {100nF 25V X7R}":         false,
		"YAGEO | Capacitors | CC0402KRX7R7BB104 0402 2 0.01 {220nF 16V X7R}":         false,
		"YAGEO | Capacitors | CC0402KRX7R7BB104 0402 2 0.01 {100nF 16V X5R}":         false,
		"Nobody | Resistors | NO-SERIES-1 0603 2 0.003 {10kΩ 1%}":                    true,
		"Texas Instruments | Integrated Circuits | LM358DR SOIC-8 8 0.14 @C7950":     true,
		"YAGEO | Resistors | RC0402FR-0710KL 0402 2 0.003; RC0603FR-0710KL 0402 2 0": false,
	} {
		if _, err := readFacts(row); (err == nil) != want {
			t.Errorf("%s: %v", row, err)
		}
	}
}
