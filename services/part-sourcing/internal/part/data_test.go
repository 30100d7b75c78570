package part_test

import (
	"strings"
	"testing"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/part"
)

// TestData: parameters in the words of each supplier give one specification, and
// those of other parts none.
func TestData(t *testing.T) {
	t.Parallel()
	capacitor := passive.Spec{Kind: passive.Capacitor, Value: 100_000_000, Size: "0603", Tolerance: 100_000, Voltage: 50_000, Dielectric: "X7R"}
	warm := capacitor
	warm.Hottest, warm.Height = 125, 900
	for name, tt := range map[string]struct {
		pack       string
		parameters map[string]string
		want       passive.Spec
	}{
		"a distributor's": {"0603 (1608 Metric)", map[string]string{
			"Capacitance": "0.1 µF", "Tolerance": "±10%", "Voltage - Rated": "50V", "Temperature Coefficient": "X7R", "Operating Temperature": "-55°C ~ 125°C",
			"Thickness (Max)": `0.035" (0.90mm)`, "Ratings": "-",
		}, warm},
		"the library's":       {"0603", map[string]string{"Capacitance": "100nF", "Voltage Rated": "50V", "Tolerance": "±10%", "Temperature Coefficient": "X7R"}, capacitor},
		"a search engine's":   {"0603", map[string]string{"capacitance": "100 nF", "voltagerating_dc": "50 V", "tolerance": "10 %", "dielectric": "X7R"}, capacitor},
		"a resistor":          {"0402 (1005 Metric)", map[string]string{"Resistance": "10 kOhms", "Tolerance": "±1%", "Power (Watts)": "0.063W, 1/16W", "Temperature Coefficient": "±100ppm/°C"}, passive.Spec{Kind: passive.Resistor, Value: 10_000_000_000, Size: "0402", Tolerance: 10_000, Power: 63, Tempco: 100}},
		"a bead":              {"0603", map[string]string{"Impedance @ Frequency": "600 Ohms @ 100 MHz"}, passive.Spec{Kind: passive.Ferrite, Value: 600_000_000, Size: "0603"}},
		"C0G under two names": {"0402", map[string]string{"Capacitance": "22 pF", "Temperature Coefficient": "C0G, NP0"}, passive.Spec{Kind: passive.Capacitor, Value: 22_000, Size: "0402", Dielectric: "C0G"}},
		"a dash":              {"0402", map[string]string{"Capacitance": "-"}, passive.Spec{}},
		"no number":           {"0402", map[string]string{"Capacitance": "several"}, passive.Spec{}},
		"an amplifier":        {"SOIC-8", map[string]string{"Number of Circuits": "2", "Voltage - Supply": "3V ~ 32V"}, passive.Spec{}},
		"nothing":             {"", nil, passive.Spec{}},
	} {
		if got := part.Data(tt.pack, tt.parameters); got != tt.want {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://maker.example/a.pdf": "https://maker.example/a.pdf", "//maker.example/a.pdf": "https://maker.example/a.pdf", " http://maker.example/b ": "http://maker.example/b",
		"": "", "-": "", "n/a": "", "javascript:alert(1)": "", "/a.pdf": "", "https://": "", "https://a.example/" + strings.Repeat("x", 2000): "",
	} {
		if got := part.Address(text); got != want {
			t.Errorf("Address(%q) = %q, want %q", text, got, want)
		}
	}
}
