package part

import (
	"testing"

	"boardorder/pkg/passive"
)

// TestValidBreaks: a list of prices is believed whole or not at all; that more pieces cost more
// each happens.
func TestValidBreaks(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		list []Break
		ok   bool
	}{
		"one":                         {[]Break{{1, 10}}, true},
		"falling":                     {[]Break{{1, 10}, {10, 9}, {100, 8}}, true},
		"rising":                      {[]Break{{1, 10}, {10, 11}}, true},
		"the dearest that is":         {[]Break{{1, MaxPrice}}, true},
		"dearer":                      {[]Break{{1, MaxPrice + 1}}, false},
		"for nothing":                 {[]Break{{1, 10}, {10, 0}}, false},
		"for less":                    {[]Break{{1, -1}}, false},
		"from no piece":               {[]Break{{0, 10}}, false},
		"twice the same quantity":     {[]Break{{1, 10}, {1, 9}}, false},
		"quantities that do not rise": {[]Break{{10, 10}, {1, 9}}, false},
	} {
		if got := ValidBreaks(tt.list); (got != nil) != tt.ok || tt.ok && len(got) != len(tt.list) {
			t.Errorf("%s: of %v %v is believed, want all %t", rule, tt.list, got, tt.ok)
		}
	}
}

// TestSchemes: whose numbers are a distributor's own, and which queries ask the same.
func TestSchemes(t *testing.T) {
	t.Parallel()
	for scheme, want := range map[Scheme]bool{MPN: false, FabCode: false, DigiKey: true, Mouser: true, "distributor_c": true} {
		if got := scheme.IsDistributor(); got != want {
			t.Errorf("numbers of %q are a distributor's %t, want %t", scheme, got, want)
		}
	}
	for _, tt := range []struct {
		a, b Query
		same bool
	}{
		{Query{Scheme: MPN, Number: "LM358-DR"}, Query{Scheme: MPN, Number: "lm358 dr", Manufacturer: "TI"}, true},
		{Query{Scheme: MPN, Number: "C25804"}, Query{Scheme: FabCode, Number: "C25804"}, false},
		{Query{Scheme: MPN, Number: "LM358DR"}, Query{Scheme: MPN, Number: "LM358DT"}, false},
	} {
		if got := tt.a.Key() == tt.b.Key(); got != tt.same {
			t.Errorf("%+v and %+v ask the same %t, want %t", tt.a, tt.b, got, tt.same)
		}
	}
	for lifecycle, want := range map[Lifecycle]bool{Active: false, NRND: false, LastTimeBuy: true, EOL: true, Obsolete: true, Unstated: false, "": false} {
		if got := lifecycle.Ending(); got != want {
			t.Errorf("a part that is %q is ending %t, want %t", lifecycle, got, want)
		}
	}
}

// TestSpecs: what is said of a part by its number, by the supplier's data and by its description,
// in that order; what says nothing is left out.
func TestSpecs(t *testing.T) {
	t.Parallel()
	data := passive.Spec{Kind: passive.Resistor, Value: 10_000_000_000, Size: "0603"}
	for rule, tt := range map[string]struct {
		offer Offer
		want  int
	}{
		"nothing":        {Offer{MPN: "LM358DR", Description: "dual operational amplifier"}, 0},
		"a number":       {Offer{MPN: "RC0603FR-0710KL"}, 1},
		"data":           {Offer{MPN: "X", Data: data}, 1},
		"a description":  {Offer{MPN: "X", Description: "RES 10k 1% 0603"}, 1},
		"all of them":    {Offer{MPN: "RC0603FR-0710KL", Data: data, Description: "RES 10k 1% 0603"}, 3},
		"a package only": {Offer{MPN: "X", Package: "0603"}, 0},
	} {
		for range 2 { // read, and kept
			if got := tt.offer.Specs(); len(got) != tt.want {
				t.Errorf("%s: %+v says %+v, want %d specifications", rule, tt.offer, got, tt.want)
			}
		}
	}
}

// TestParameters: temperatures and heights in suppliers' words.
func TestParameters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"-55°C ~ 125°C": 125, "-40 to 85 C": 85, "125℃": 125, "-55°C": 0, "": 0, "-": 0, "999 C": 0, "up to +105°C": 105} {
		if got := highest(text); got != want {
			t.Errorf("the highest of %q is %d °C, want %d", text, got, want)
		}
	}
	for text, want := range map[string]int64{"0.90mm": 900, `0.035" (0.90mm)`: 900, "1 mm": 1000, "0.5555mm": 556, `0.035"`: 0, "": 0, "5000mm": 0} {
		if got := micrometres(text); got != want {
			t.Errorf("%q is %d µm, want %d", text, got, want)
		}
	}
	for text, want := range map[string]string{"10 kOhms": "10kΩ", "0.1 µF": "0.1µF", "600 Ohms @ 100 MHz": "600Ω", "4.7 ohm": "4.7Ω", "": ""} {
		if got := plainUnit(text); got != want {
			t.Errorf("plainUnit(%q) = %q, want %q", text, got, want)
		}
	}
}
