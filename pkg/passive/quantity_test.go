package passive

import "testing"

// TestValueOf: a word is the value of a part where its unit is the part's and its prefix one that
// such parts have. Resistances are in micro-ohms, capacitances in femtofarads, inductances in
// picohenries.
func TestValueOf(t *testing.T) {
	t.Parallel()
	const none = -1
	for _, tt := range []struct {
		kind Kind
		word string
		want int64
	}{
		{Resistor, "10", 10_000_000}, {Resistor, "4.7", 4_700_000}, {Resistor, "4,7", 4_700_000}, {Resistor, "4k7", 4_700_000_000}, {Resistor, "4.7k", 4_700_000_000}, {Resistor, "4K7", 4_700_000_000},
		{Resistor, "0R22", 220_000}, {Resistor, "R22", 220_000}, {Resistor, "4E7", 4_700_000}, {Resistor, "10E", 10_000_000}, {Resistor, "10R", 10_000_000}, {Resistor, "49r9", 49_900_000},
		{Resistor, "1M", 1_000_000_000_000}, {Resistor, "1Meg", 1_000_000_000_000}, {Resistor, "1MΩ", 1_000_000_000_000}, {Resistor, "22M", 22_000_000_000_000}, {Resistor, "1G", 1_000_000_000_000_000},
		{Resistor, "5mΩ", 5_000}, {Resistor, "5mohm", 5_000}, {Resistor, "0", 0}, {Resistor, "0R", 0}, {Resistor, ".5R", 500_000}, {Resistor, "120ohms", 120_000_000},
		{Resistor, "10m", none}, {Resistor, "10u", none}, {Resistor, "10uΩ", none}, {Resistor, "100nF", none}, {Resistor, "10uH", none},
		{Resistor, "2E2", none}, {Resistor, "1e3", none}, {Resistor, "3E9", 3_900_000}, {Resistor, "1E0", 1_000_000},
		{Resistor, "1,000", none}, {Resistor, "1.000k", none}, {Resistor, "0.100", 100_000}, {Resistor, "10k5k", none}, {Resistor, "-10", none}, {Resistor, "", none}, {Resistor, "k", none}, {Resistor, "10kg", none},
		{Resistor, "0.0000001", none}, {Resistor, "0.000001", 1}, {Resistor, "999999999G", none}, {Resistor, "1234567890", none},
		{Capacitor, "100n", 100_000_000}, {Capacitor, "100nF", 100_000_000}, {Capacitor, "0.1uF", 100_000_000}, {Capacitor, "0,1µF", 100_000_000}, {Capacitor, "0.1μF", 100_000_000}, {Capacitor, "u1", 100_000_000},
		{Capacitor, "4u7", 4_700_000_000}, {Capacitor, "4n7F", 4_700_000}, {Capacitor, "30pf", 30_000}, {Capacitor, "0.5pF", 500}, {Capacitor, "1mF", 1_000_000_000_000}, {Capacitor, "1F", 1_000_000_000_000_000},
		{Capacitor, "100N", 100_000_000}, {Capacitor, "0.1U", 100_000_000}, {Capacitor, "100P", 100_000}, {Capacitor, "100", none}, {Capacitor, "1M", none}, {Capacitor, "1k", none}, {Capacitor, "100R", none}, {Capacitor, "10uH", none}, {Capacitor, "1,000pF", none},
		{Capacitor, "0.0001pF", none}, {Capacitor, "0.001pF", 1},
		{Inductor, "4.7uH", 4_700_000}, {Inductor, "4u7", 4_700_000}, {Inductor, "10nH", 10_000}, {Inductor, "1mH", 1_000_000_000}, {Inductor, "1H", 1_000_000_000_000}, {Inductor, "10", none}, {Inductor, "10uF", none}, {Inductor, "0.5pH", none},
		{Ferrite, "600R", 600_000_000}, {Ferrite, "120ohm", 120_000_000}, {Ferrite, "1k", 1_000_000_000}, {Ferrite, "600", 600_000_000}, {Ferrite, "10uH", none},
	} {
		got, ok := valueOf(tt.word, tt.kind)
		if !ok {
			got = none
		}
		if got != tt.want {
			t.Errorf("%q of a %s is %d, want %d", tt.word, tt.kind, got, tt.want)
		}
	}
}

// TestRatings: what a text says besides the value, in the many ways of writing it; of two that
// contradict each other the first counts, and the second stays among what was not understood.
func TestRatings(t *testing.T) {
	t.Parallel()
	const tenPico, hundredNano = 10_000, 100_000_000
	for _, tt := range []struct {
		rule, text string
		before     Spec
		want       Spec
	}{
		{"percent", "5%", Spec{Kind: Resistor}, Spec{Kind: Resistor, Tolerance: 50_000}},
		{"with a sign", "±0,5 %", Spec{Kind: Resistor}, Spec{Kind: Resistor, Tolerance: 5_000}},
		{"with two signs", "+/-1%", Spec{Kind: Resistor}, Spec{Kind: Resistor, Tolerance: 10_000}},
		{"of full width", "1％", Spec{Kind: Resistor}, Spec{Kind: Resistor, Tolerance: 10_000}},
		{"a hundredth", "0.01%", Spec{Kind: Resistor}, Spec{Kind: Resistor, Tolerance: 100}},
		{"the first of two", "1% 5%", Spec{Kind: Resistor}, Spec{Kind: Resistor, Tolerance: 10_000}},
		{"what was said before", "5%", Spec{Kind: Resistor, Tolerance: 10_000}, Spec{Kind: Resistor, Tolerance: 10_000}},
		{"a capacitor's in picofarads", "±0.25pF", Spec{Kind: Capacitor, Value: tenPico}, Spec{Kind: Capacitor, Value: tenPico, Tolerance: 25_000}},
		{"a resistor has none such", "±0.25pF", Spec{Kind: Resistor, Value: tenPico}, Spec{Kind: Resistor, Value: tenPico}},
		{"a fraction of a watt", "1/10W", Spec{Kind: Resistor}, Spec{Kind: Resistor, Power: 100}},
		{"a sixteenth is what makers call 63 mW", "1/16W", Spec{Kind: Resistor}, Spec{Kind: Resistor, Power: 63}},
		{"and so is 62.5 mW", "62.5mW", Spec{Kind: Resistor}, Spec{Kind: Resistor, Power: 63}},
		{"milliwatts", "250 mW", Spec{Kind: Resistor}, Spec{Kind: Resistor, Power: 250}},
		{"watts", "0,25W", Spec{Kind: Resistor}, Spec{Kind: Resistor, Power: 250}},
		{"watts in words", "2 Watts", Spec{Kind: Resistor}, Spec{Kind: Resistor, Power: 2000}},
		{"a capacitor has no power", "1/10W", Spec{Kind: Capacitor}, Spec{Kind: Capacitor}},
		{"volts", "16V", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Voltage: 16_000}},
		{"volts apart", "16 V", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Voltage: 16_000}},
		{"the letter for the point", "6V3", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Voltage: 6_300}},
		{"a point", "6.3VDC", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Voltage: 6_300}},
		{"kilovolts", "2kV", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Voltage: 2_000_000}},
		{"a dielectric", "X7R", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Dielectric: "X7R"}},
		{"another name of one", "NP0", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Dielectric: "C0G"}},
		{"misspelt", "COG", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Dielectric: "C0G"}},
		{"either of two is the lesser", "X7R/X5R", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Dielectric: "X5R"}},
		{"a drift is no tolerance", "X5R 15% 10%", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Dielectric: "X5R", Tolerance: 100_000}},
		{"a temperature", "125°C", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Hottest: 125}},
		{"between two", "-55°C ~ +155°C", Spec{Kind: Resistor}, Spec{Kind: Resistor, Coldest: -55, Hottest: 155}},
		{"between two in words", "-40 to 85 °C", Spec{Kind: Resistor}, Spec{Kind: Resistor, Coldest: -40, Hottest: 85}},
		{"a coefficient", "±100ppm/°C", Spec{Kind: Resistor}, Spec{Kind: Resistor, Tempco: 100}},
		{"a height", "T=0.55mm", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Height: 550}},
		{"a height behind", "0.8mm height", Spec{Kind: Capacitor}, Spec{Kind: Capacitor, Height: 800}},
		{"amperes of a coil", "1.3A", Spec{Kind: Inductor}, Spec{Kind: Inductor, Current: 1_300}},
		{"milliamperes", "500 mA", Spec{Kind: Ferrite}, Spec{Kind: Ferrite, Current: 500}},
		{"a resistor's amperes are not asked for", "1.3A", Spec{Kind: Resistor}, Spec{Kind: Resistor}},
		{"qualities", "thin film", Spec{Kind: Resistor}, Spec{Kind: Resistor, Qualities: ThinFilm}},
		{"a size", "0402", Spec{Kind: Resistor}, Spec{Kind: Resistor, Size: "0402"}},
		{"nothing", "", Spec{Kind: Capacitor, Value: hundredNano}, Spec{Kind: Capacitor, Value: hundredNano}},
	} {
		got := tt.before
		if rest := got.ratings(tt.text); got != tt.want {
			t.Errorf("%s: %q makes %+v of %+v and leaves %q, want %+v", tt.rule, tt.text, got, tt.before, rest, tt.want)
		}
	}
}

// TestCompareEachProperty: each property of a replacement is worse where it is less than the named part's,
// or not known; of what is not stated nothing is asked, but for a ceramic capacitor's height.
func TestCompareEachProperty(t *testing.T) {
	t.Parallel()
	resistor := Spec{Kind: Resistor, Value: 10_000_000_000, Size: "0603", Tolerance: 10_000, Power: 100, Voltage: 75_000, Tempco: 100}
	capacitor := Spec{Kind: Capacitor, Value: 100_000_000, Size: "0402", Tolerance: 100_000, Voltage: 16_000, Dielectric: "X7R", Height: 550}
	coil := Spec{Kind: Inductor, Value: 4_700_000, Size: "0805", Current: 500}
	for _, tt := range []struct {
		rule   string
		named  Spec
		change func(*Spec)
		worse  string // properties
	}{
		{"the same resistor", resistor, func(*Spec) {}, ""},
		{"another value", resistor, func(s *Spec) { s.Value++ }, "value"},
		{"another kind", resistor, func(s *Spec) { s.Kind = Ferrite }, "value"},
		{"another size", resistor, func(s *Spec) { s.Size = "0402" }, "size"},
		{"of no known size", resistor, func(s *Spec) { s.Size = "" }, "size"},
		{"closer", resistor, func(s *Spec) { s.Tolerance = 1_000 }, ""},
		{"wider", resistor, func(s *Spec) { s.Tolerance = 10_001 }, "tolerance"},
		{"of no known tolerance", resistor, func(s *Spec) { s.Tolerance = 0 }, "tolerance"},
		{"of more power", resistor, func(s *Spec) { s.Power = 125 }, ""},
		{"of less power and voltage", resistor, func(s *Spec) { s.Power, s.Voltage = 99, 74_999 }, "voltage power"},
		{"steadier", resistor, func(s *Spec) { s.Tempco = 50 }, ""},
		{"less steady", resistor, func(s *Spec) { s.Tempco = 101 }, "temperature_coefficient"},
		{"of a film that is not known, where none is asked for", resistor, func(s *Spec) { s.Qualities = ThickFilm }, ""},
		{"a bridge has no tolerance", Spec{Kind: Resistor, Tolerance: 50_000}, func(s *Spec) { s.Tolerance = 0 }, ""},
		{"the same capacitor", capacitor, func(*Spec) {}, ""},
		{"of a steadier dielectric", capacitor, func(s *Spec) { s.Dielectric = "C0G" }, ""},
		{"of one that strays, and works less hot", capacitor, func(s *Spec) { s.Dielectric = "X5R" }, "dielectric temperature"},
		{"lower", capacitor, func(s *Spec) { s.Height = 500 }, ""},
		{"higher", capacitor, func(s *Spec) { s.Height = 551 }, "height"},
		{"of no known height", capacitor, func(s *Spec) { s.Height = 0 }, "height"},
		{"a coil of less current", coil, func(s *Spec) { s.Current = 499 }, "current"},
		{"a coil of more", coil, func(s *Spec) { s.Current = 501 }, ""},
	} {
		replacement := tt.named
		tt.change(&replacement)
		list, worse := Compare(tt.named, replacement), ""
		for _, c := range list {
			if c.Worse {
				worse += " " + c.Property
			}
		}
		if worse != "" {
			worse = worse[1:]
		}
		if worse != tt.worse || HasWorse(list) != (tt.worse != "") {
			t.Errorf("%s: %s in place of %s is worse in %q, want %q", tt.rule, replacement, tt.named, worse, tt.worse)
		}
	}
	flat := capacitor
	flat.Height = 0
	if !HasWorse(Compare(flat, capacitor)) {
		t.Errorf("nobody knows how high %s may be, and %s takes its place; want that the height is not known", flat, capacitor)
	}
}

// TestTexts: values and ratings are written with the prefix that leaves a whole part, and without
// needless zeros.
func TestTexts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		spec Spec
		want string
	}{
		{Spec{Kind: Resistor}, "0 Ω"}, {Spec{Kind: Resistor, Value: 1}, "1 µΩ"}, {Spec{Kind: Resistor, Value: 5_000}, "5 mΩ"}, {Spec{Kind: Resistor, Value: 999_999}, "999.999 mΩ"}, {Spec{Kind: Resistor, Value: 1_000_000}, "1 Ω"},
		{Spec{Kind: Resistor, Value: 4_700_000_000}, "4.7 kΩ"}, {Spec{Kind: Resistor, Value: 1_000_000_000_000}, "1 MΩ"}, {Spec{Kind: Ferrite, Value: 600_000_000}, "600 Ω"},
		{Spec{Kind: Capacitor, Value: 500}, "500 fF"}, {Spec{Kind: Capacitor, Value: 1_500}, "1.5 pF"}, {Spec{Kind: Capacitor, Value: 100_000_000}, "100 nF"}, {Spec{Kind: Capacitor, Value: 4_700_000_000}, "4.7 µF"}, {Spec{Kind: Capacitor, Value: 1_000_000_000_000_000}, "1 F"},
		{Spec{Kind: Inductor, Value: 4_700_000}, "4.7 µH"}, {Spec{Kind: Inductor, Value: 1_000_000_000_000}, "1 H"}, {Spec{Value: 7}, "7"},
	} {
		if got := tt.spec.ValueText(); got != tt.want {
			t.Errorf("%d of a %q is written %q, want %q", tt.spec.Value, tt.spec.Kind, got, tt.want)
		}
	}
	full := Spec{Kind: Capacitor, Value: 100_000_000, Size: "0402", Tolerance: 100_000, Voltage: 6_300, Dielectric: "X7R", Coldest: -55, Hottest: 125}
	if got, want := full.String(), "100 nF 10 % 6.3 V -55 to 125 °C X7R 0402"; got != want {
		t.Errorf("%+v is written %q, want %q", full, got, want)
	}
}

// TestLadder: for a capacitor of any voltage there are numbers of each usual one from what such a
// capacitor has at least, the highest first and two of each at most.
func TestLadder(t *testing.T) {
	t.Parallel()
	want := Spec{Kind: Capacitor, Value: 100_000_000, Size: "0402"}
	least, _ := want.Assume()
	last, n := int64(1<<62), map[int64]int{}
	for _, p := range Ladder(want) {
		n[p.Spec.Voltage]++
		if p.Spec.Voltage > last || p.Spec.Voltage < least.Voltage || p.Spec.Value != want.Value || p.Spec.Size != want.Size || n[p.Spec.Voltage] > perRung {
			t.Errorf("for %s there is %s of %s, number %d of its voltage, after %d mV; want falling voltages of %d mV at least, two of each", want, p.MPN, p.Spec, n[p.Spec.Voltage], last, least.Voltage)
		}
		last = p.Spec.Voltage
	}
	if len(n) < 3 {
		t.Errorf("for %s there are numbers of the voltages %v, want of three at least", want, n)
	}
}

// TestCodes: a code of a maker's stands for one figure and each figure for one code, so that the
// number that is written for a part is always the same.
func TestCodes(t *testing.T) {
	t.Parallel()
	for name, n := range map[string][2]int{
		"resistors' tolerances": {len(resistorTolerance.of), len(resistorTolerance.from)}, "capacitors' tolerances": {len(capacitorTolerance.of), len(capacitorTolerance.from)},
		"Samsung's sizes": {len(samsungSize.of), len(samsungSize.from)}, "Samsung's dielectrics": {len(samsungDielectric.of), len(samsungDielectric.from)}, "Samsung's voltages": {len(samsungVoltage.of), len(samsungVoltage.from)},
		"Yageo's voltages": {len(yageoVoltage.of), len(yageoVoltage.from)}, "Panasonic's sizes": {len(panasonicSize.of), len(panasonicSize.from)},
	} {
		if n[0] != n[1] {
			t.Errorf("%s: %d codes of %d figures, want as many", name, n[0], n[1])
		}
	}
}

// TestDigits: values in the codes of numbers: two digits and an exponent in picofarads, three and
// an exponent in ohms, or a letter for the point.
func TestDigits(t *testing.T) {
	t.Parallel()
	for femto, want := range map[int64]string{500: "0R5", 1_500: "1R5", 10_000: "100", 47_000: "470", 100_000_000: "104", 4_700_000_000: "475", 22_000_000_000: "226", 101_000: "", 12_300_000: ""} {
		got := threeDigit(femto)
		if got != want {
			t.Errorf("%d fF is written %q, want %q", femto, got, want)
		}
		if back, ok := readThreeDigit(want); want != "" && (back != femto || !ok) {
			t.Errorf("%q is read as %d fF, %t; want %d", want, back, ok, femto)
		}
	}
	for _, none := range []string{"", "10", "1040", "1X4", "004", "R", "A04"} {
		if v, ok := readThreeDigit(none); ok {
			t.Errorf("%q is read as %d fF, want none", none, v)
		}
	}
	for micro, want := range map[int64]string{0: "0000", 4_700_000_000: "4701", 10_000_000_000: "1002", 100_000_000: "1000", 49_900_000: "499J", 1_000_000_000_000: "1004", 1_230_000: "123K", 12_345_000_000: ""} {
		got := fourDigit(micro, "JK")
		if got != want {
			t.Errorf("%d micro-ohms are written %q, want %q", micro, got, want)
		}
		if back, ok := readFourDigit(got+"0000"[len(got):], "JK"); want != "" && (back != micro || !ok) {
			t.Errorf("%q is read as %d micro-ohms, %t; want %d", want, back, ok, micro)
		}
	}
	for micro, want := range map[int64]string{0: "0R", 220_000: "", 1_000_000: "1R", 4_700_000: "4R7", 49_900_000: "49R9", 4_700_000_000: "4K7", 10_000_000_000: "10K", 1_000_000_000_000: "1M", 1_234_000_000: ""} {
		got := letterValue(micro)
		if got != want {
			t.Errorf("%d micro-ohms are written %q, want %q", micro, got, want)
		}
		if back, ok := readLetterValue(want); want != "" && (back != micro || !ok) {
			t.Errorf("%q is read as %d micro-ohms, %t; want %d", want, back, ok, micro)
		}
	}
}
