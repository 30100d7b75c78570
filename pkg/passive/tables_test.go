package passive

import "testing"

// TestCapacitorTolerances: the letters of EIA 198 and IEC 60062. Those up to D are picofarads,
// and what they are of the whole follows from the value.
func TestCapacitorTolerances(t *testing.T) {
	t.Parallel()
	const pico = 1_000 // femtofarads
	for _, tt := range []struct {
		code  string
		femto int64
		want  int64 // ppm
		ok    bool
	}{
		{"F", 100 * pico, 10_000, true},
		{"G", 100 * pico, 20_000, true},
		{"J", 100 * pico, 50_000, true},
		{"K", 100 * pico, 100_000, true},
		{"M", 100 * pico, 200_000, true},
		{"Z", 100 * pico, 800_000, true}, // +80 % and -20 %
		{"A", 1 * pico, 50_000, true},    // 0.05 pF
		{"B", 1 * pico, 100_000, true},   // 0.1 pF
		{"C", 1 * pico, 250_000, true},   // 0.25 pF
		{"D", 10 * pico, 50_000, true},   // 0.5 pF
		{"C", 0, 0, false},
		{"Q", 100 * pico, 0, false},
		{"", 100 * pico, 0, false},
	} {
		if got, ok := capacitorPPM(tt.code, tt.femto, true); got != tt.want || ok != tt.ok {
			t.Errorf("capacitorPPM(%q, %d fF) = %d, %t; want %d ppm, %t", tt.code, tt.femto, got, ok, tt.want, tt.ok)
		}
	}
}

// TestSteadier: a dielectric stands for another where it works in as much cold and heat and
// strays no farther, by the three characters of EIA 198.
func TestSteadier(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, a, b string
		want       bool
	}{
		{"itself", "X7R", "X7R", true},
		{"125 °C for 85 °C", "X7R", "X5R", true},
		{"85 °C for 125 °C", "X5R", "X7R", false},
		{"15 % for 22 %", "X7R", "X7S", true},
		{"22 % for 15 %", "X7S", "X7R", false},
		{"more heat but farther", "X6S", "X5R", false},
		{"less heat but nearer", "X5R", "X6S", false},
		{"class 1 for class 2", "C0G", "X7R", true},
		{"class 2 for class 1", "X7R", "C0G", false},
		{"class 1 at 150 °C", "C0G", "X8R", false},
		{"colder", "X5R", "Z5U", true},
		{"an unknown one for itself", "Q9Q", "Q9Q", true},
		{"an unknown one for a known", "Q9Q", "Y5V", false},
		{"a known one for an unknown", "C0G", "Q9Q", false},
	} {
		if got := steadier(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: steadier(%q, %q) = %t, want %t", tt.rule, tt.a, tt.b, got, tt.want)
		}
	}
}
