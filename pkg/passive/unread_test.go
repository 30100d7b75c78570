package passive_test

import (
	"strings"
	"testing"

	"boardorder/pkg/passive"
)

// TestWords: what a line says is understood, or named.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line  passive.Line
		value string // words that were not understood
		text  string // the same of the description
	}{
		{passive.Line{Ref: "R1", Value: "4k7 1% 1/10W 0603 thick film ±100ppm/°C", Footprint: "R_0603_1608Metric"}, "", ""},
		{passive.Line{Ref: "R1", Value: "4K7_1%_0402", Footprint: "RESC1005X40X25LL05T05"}, "", ""},
		{passive.Line{Ref: "C1", Value: "100nF/50V/X7R/10%", Footprint: "C_0402_1005Metric", Description: "CAP CER 0.1UF 50V X7R 0402 (1005 Metric)"}, "", ""},
		{passive.Line{Ref: "C1", Value: "100n", Footprint: "0402", Description: "Unpolarized capacitor, small symbol"}, "", ""},
		{passive.Line{Ref: "R1", Value: "10k", Footprint: "0402", Description: "62.5mW Thick Film Resistors 50V ±1% ±100ppm/℃ -55℃~+155℃ 10kΩ 0402 Chip Resistor - Surface Mount ROHS"}, "", ""},
		{passive.Line{Ref: "R1", Value: "10k", Footprint: "0402", Description: "SMD-Widerstand, Dickschicht, 1 %"}, "", ""},
		{passive.Line{Ref: "C1", Value: "10uF 25V", Footprint: "0805", Description: "CAP, CER, X5R, 10UF, 10%, 25V, 0805, 0.85MM T"}, "", ""},
		{passive.Line{Ref: "C1", Value: "10pF ±0.25pF C0G/NP0 0±30ppm/°C", Footprint: "0402"}, "0", ""},
		{passive.Line{Ref: "FB1", Value: "600R@100MHz 500mA", Footprint: "0603"}, "", ""},
		{passive.Line{Ref: "C1", Value: "27pF 50V", Footprint: "0402", Description: "CAP-27pF-50V 0402NP0"}, "", ""},
		{passive.Line{Ref: "C1", Value: "27pF X7R", Footprint: "0402", Description: "CAP-27pF 0402NP0"}, "", "0402NP0"},
		{passive.Line{Ref: "C1", Value: "27pF 50V", Footprint: "0402", Description: "CAP-22pF-50V"}, "", "22pF"},
		{passive.Line{Ref: "R1", Value: "10k-1%-1/16W", Footprint: "0402", Description: "RES 10k-1%-0402, Tape and Reel"}, "", ""},
		{passive.Line{Ref: "C1", Value: "100nF", Footprint: "0402", Description: "SMD CAP Ceramic 100nF-50V-10%-X7R;0402 TR"}, "", ""},
		{passive.Line{Ref: "C1", Value: "100nF 50V", Footprint: "0402", Description: "CAP, CERM, 100nF-16V-10%, embossed T/R"}, "", "16V"},
		{passive.Line{Ref: "C1", Value: "1.5pF", Footprint: "0402", Description: "Cap Ceramic 1.5pF, +-0.25pF, 50V, C0G, 0402, -55 to +125°C, cut tape"}, "", ""},
		{passive.Line{Ref: "C1", Value: "100nF", Footprint: "0402", Description: "CAP 100nF at 100 MHz"}, "", "at 100MHz"},
		{passive.Line{Ref: "FB1", Value: "", Footprint: "0402", Description: "Ferrite Bead,120ohm@100 MHz,+/-25%,1300mA, power line"}, "", ""},
		{passive.Line{Ref: "FB1", Value: "120R", Footprint: "0402", Description: "Ferrite Bead,0.09ohm,1300MA"}, "", "0.09ohm"},
		{passive.Line{Ref: "C1", Value: ".1uF 16V", Footprint: "0402", Description: "CAP .1uF"}, "", ""},
		{passive.Line{Ref: "C1", Value: ".1uF 1uF", Footprint: "0402"}, "1uF", ""},
		{passive.Line{Ref: "R1", Value: "0R", Footprint: "0805", Description: "Jumper, 0 Ohm"}, "", ""},
		{passive.Line{Ref: "R1", Value: "10k", Footprint: "0805", Description: "Jumper, moisture resistant"}, "", "Jumper moisture resistant"},
		{passive.Line{Ref: "R1", Value: "10k frobnicated", Footprint: "0402"}, "frobnicated", ""},
		{passive.Line{Ref: "R1", Value: "10k 4k7", Footprint: "0402"}, "4k7", ""},
		{passive.Line{Ref: "R1", Value: "10k 1% 5%", Footprint: "0402"}, "5%", ""},
		{passive.Line{Ref: "C1", Value: "100nF 16V 50V", Footprint: "0402"}, "50V", ""},
		{passive.Line{Ref: "C1", Value: "100nF 16V X7R X8R", Footprint: "0402"}, "X8R", ""},
		{passive.Line{Ref: "C1", Value: "100nF 16V X7R or X5R", Footprint: "0402"}, "", ""},
		{passive.Line{Ref: "C1", Value: "100nF 16V X5R or X6S", Footprint: "0402"}, "X6S", ""}, // neither is better in all
		{passive.Line{Ref: "R1", Value: "10k", Footprint: "1206", Description: "Resistor SMD 1206, hand soldering"}, "", ""},
		{passive.Line{Ref: "C1", Value: "47uF", Footprint: "0603", Description: "CAP CER 47uF X5R 15% 20% 6.3V"}, "", ""},
		{passive.Line{Ref: "C1", Value: "100nF 16V 0603", Footprint: "0402"}, "0603", ""},
		{passive.Line{Ref: "R1", Value: "0R 3A", Footprint: "0603"}, "3A", ""},
		{passive.Line{Ref: "R1", Value: "10k", Footprint: "0402", Description: "audio grade, non-magnetic"}, "", "audio grade non-magnetic"},
		{passive.Line{Ref: "C1", Value: "100nF 16V", Footprint: "0402", Description: "PME only"}, "", "PME only"},
	} {
		_, unread, ok := passive.Words(tt.line)
		if value, text := strings.Join(unread.Value, " "), strings.Join(unread.Description, " "); !ok || value != tt.value || text != tt.text {
			t.Errorf("%+v: not understood %q and %q, want %q and %q (read: %t)", tt.line, value, text, tt.value, tt.text, ok)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("10k thin film ±25ppm/°C -55..155C", "H=1.25mm ±0.5pF 1/16W")
	f.Add("100nF 5% 5% 5%", "±±%% 0x0")
	f.Fuzz(func(t *testing.T, value, description string) {
		for _, ref := range []string{"R1", "C1", "FB1"} {
			s, unread, ok := passive.Words(passive.Line{Ref: ref, Value: value, Footprint: "0603", Description: description})
			if !ok && len(unread.Value)+len(unread.Description) > 0 || ok && (s.Tempco < 0 || s.Height < 0 || s.Coldest > 0 || s.Hottest < 0 || s.Tolerance < 0) {
				t.Errorf("Words(%s, %q, %q) = %+v, unread %+v, %v; want nothing below 0, and nothing unread of what is no part", ref, value, description, s, unread, ok)
			}
		}
	})
}
