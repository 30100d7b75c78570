package passive_test

import (
	"strings"
	"testing"

	"boardorder/pkg/passive"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   passive.Line
		want string // "" for no passive
	}{
		{passive.Line{Ref: "R1", Value: "4k7", Footprint: "Resistor_SMD:R_0603_1608Metric"}, "4.7 kΩ 0603"},
		{passive.Line{Ref: "R1", Value: "4K7_1%_0402", Footprint: "RESC1005X40X25LL05T05"}, "4.7 kΩ 1 % 0402"},
		{passive.Line{Ref: "R1", Value: "10", Footprint: "R0402"}, "10 Ω 0402"},
		{passive.Line{Ref: "R1", Value: "0", Footprint: "0402-RES"}, "0 Ω 0402"},
		{passive.Line{Ref: "R33", Value: "0R", Footprint: "RESC0603X026N", Description: "RES, 0.0 OHM, 0.5A, 1/20W, 0201"}, "0 Ω 50 mW 0201"},
		{passive.Line{Ref: "R3", Value: "0.2R", Footprint: "R_2512_6332Metric_Pad1.40x3.35mm_HandSolder"}, "200 mΩ 2512"},
		{passive.Line{Ref: "R3", Value: "R22", Footprint: "1206"}, "220 mΩ 1206"},
		{passive.Line{Ref: "R3", Value: "49R9", Footprint: "RESC2012X70N", Description: "49r9 res, 0805, 1%, 1/8W"}, "49.9 Ω 1 % 125 mW 0805"},
		{passive.Line{Ref: "R3", Value: "1.00K", Footprint: "R_0805_2012Metric"}, "1 kΩ 0805"},
		{passive.Line{Ref: "R3", Value: "2E2", Footprint: "0603"}, ""},
		{passive.Line{Ref: "R3", Value: "1e3", Footprint: "0603"}, ""},
		{passive.Line{Ref: "R3", Value: "4E7", Footprint: "0603"}, "4.7 Ω 0603"},
		{passive.Line{Ref: "R3", Value: "10E", Footprint: "0603"}, "10 Ω 0603"},
		{passive.Line{Ref: "R3", Value: "100 mR", Footprint: "0603"}, "100 mΩ 0603"},
		{passive.Line{Ref: "R3", Value: "10 R 1%", Footprint: "0603"}, "10 Ω 1 % 0603"},
		{passive.Line{Ref: "C3", Value: ".1uF", Footprint: "0603"}, "100 nF 0603"},
		{passive.Line{Ref: "R3", Value: ".5R", Footprint: "0603"}, "500 mΩ 0603"},
		{passive.Line{Ref: "R3", Value: "1meg", Footprint: "R_0805_2012Metric"}, "1 MΩ 0805"},
		{passive.Line{Ref: "R3", Value: "1mega", Footprint: "R_0805_2012Metric"}, ""},
		{passive.Line{Ref: "C3", Value: "1megF", Footprint: "C_0805_2012Metric"}, ""},
		{passive.Line{Ref: "R3", Value: "4,7кОм 1% 0,1 Вт", Footprint: "0603"}, "4.7 kΩ 1 % 100 mW 0603"},
		{passive.Line{Ref: "C3", Value: "0,1мкФ 16В X7R", Footprint: "0603"}, "100 nF 16 V X7R 0603"},
		{passive.Line{Ref: "C3", Value: "10 пФ 50 В", Footprint: "0402"}, "10 pF 50 V 0402"},
		{passive.Line{Ref: "R3", Value: "10к", Footprint: "0603"}, "10 kΩ 0603"},
		{passive.Line{Ref: "R3", Value: "10кг", Footprint: "0603"}, ""},
		{passive.Line{Ref: "R3", Value: "1M", Footprint: "R_0805_2012Metric"}, "1 MΩ 0805"},
		{passive.Line{Ref: "R3", Value: "2,2k", Footprint: "R0603"}, "2.2 kΩ 0603"},
		{passive.Line{Ref: "R36", Value: "4.7 KOhm", Footprint: "603"}, "4.7 kΩ 0603"},
		{passive.Line{Ref: "R5", Value: "Yageo_RC0402FR-07100RL", Description: "RES SMD 100 OHM 1% 1/16W 0402", Footprint: "RESC1005X040N"}, "100 Ω 1 % 63 mW 0402"},
		{passive.Line{Ref: "C1", Value: "100n", Footprint: "C_0402_1005Metric"}, "100 nF 0402"},
		{passive.Line{Ref: "C1", Value: "0.1uF", Footprint: "C_0201_0603Metric"}, "100 nF 0201"},
		{passive.Line{Ref: "C1", Value: "4u7", Footprint: "Capacitor_SMD:C_0603_1608Metric"}, "4.7 µF 0603"},
		{passive.Line{Ref: "C1", Value: "1u  25V", Footprint: "Capacitor_SMD:C_0603_1608Metric"}, "1 µF 25 V 0603"},
		{passive.Line{Ref: "C1", Value: "100nF,16V", Footprint: "402"}, "100 nF 16 V 0402"},
		{passive.Line{Ref: "C1", Value: "30pf", Footprint: "Library:C_0402_1005Metric"}, "30 pF 0402"},
		{passive.Line{Ref: "C1", Value: "4700pF", Footprint: "C0402"}, "4.7 nF 0402"},
		{passive.Line{Ref: "C1", Value: "CAP0402 (0.1U)"}, "100 nF 0402"},
		{passive.Line{Ref: "C1", Value: "1uF", Description: "1 µF ±10% 25V Ceramic Capacitor X5R 0402 (1005 Metric)"}, "1 µF 10 % 25 V X5R 0402"},
		{passive.Line{Ref: "C12", Value: "x", Description: "CAP, CER, X7R, 0.01UF, 10%, 16V, 0402, 0.55MM T"}, "10 nF 10 % 16 V X7R 0402"},
		{passive.Line{Ref: "C12", Value: "x", Description: "CAP 18pF 5% 50V COG 0402  SMD"}, "18 pF 5 % 50 V C0G 0402"},
		{passive.Line{Ref: "C12", Value: "0.1u", Footprint: "10V / X5R"}, "100 nF"},
		{passive.Line{Ref: "C3", Value: "10u 6V3 X5R", Footprint: "0603"}, "10 µF 6.3 V X5R 0603"},
		{passive.Line{Ref: "C3", Value: "100nF 16V X7R or X5R", Footprint: "0402"}, "100 nF 16 V X5R 0402"},
		{passive.Line{Ref: "C3", Value: "10uF X5R/X7R 25V", Footprint: "0805"}, "10 µF 25 V X5R 0805"},
		{passive.Line{Ref: "C3", Value: "10uF 25V", Description: "X7R oder X5R oder Y5V", Footprint: "0805"}, "10 µF 25 V Y5V 0805"},
		{passive.Line{Ref: "C3", Value: "10pF C0G/NP0", Footprint: "0402"}, "10 pF C0G 0402"},
		{passive.Line{Ref: "C18", Value: "47u", Description: "Chip Multilayer Ceramic Capacitors, 0603, 47uF, X5R, 15%, 20%, 6.3V"}, "47 µF 20 % 6.3 V X5R 0603"},
		{passive.Line{Ref: "C1", Value: "22pF", Description: "Cap Ceramic 22pF 50VDC C0G 5% SMD 0603 Paper T/R"}, "22 pF 5 % 50 V C0G 0603"},
		{passive.Line{Ref: "L1", Value: "4.7uH", Footprint: "L_0805_2012Metric"}, "4.7 µH 0805"},
		{passive.Line{Ref: "FB2", Value: "120ohm", Footprint: "L0402", Description: "SMD Ferrite Bead 120R-1.3A;0402"}, "120 Ω 1.3 A 0402"},
		{passive.Line{Ref: "L2", Value: "600R@100MHz", Footprint: "INDC1608X095N", Description: "FERRITE BEAD, 600 OHM @100MHZ, 25%, 1A"}, "600 Ω 25 % 1 A 0603"},
		{passive.Line{Ref: "C5", Value: "47u", Description: "CAP TANT 47UF 10% 10V 1411", Footprint: "CP_EIA-3528"}, ""},
		{passive.Line{Ref: "C5", Value: "330uF", Description: "Aluminum Electrolytic Capacitors"}, ""},
		{passive.Line{Ref: "U1", Value: "W25Q128JVSIQ", Footprint: "SOIC-8_5.23x5.23mm_P1.27mm"}, ""},
		{passive.Line{Ref: "R9", Value: "DNP", Footprint: "R_0402_1005Metric"}, ""},
		{passive.Line{Ref: "RV1", Value: "10k", Footprint: "Potentiometer_THT"}, ""},
		{passive.Line{Ref: "R8", Value: "10k", Footprint: "R_Axial_DIN0207_L6.3mm"}, "10 kΩ"},
		{passive.Line{}, ""},
		// without a designator the unit tells the kind, and only a unit does
		{passive.Line{Value: "100nF 16V X7R", Footprint: "0402"}, "100 nF 16 V X7R 0402"},
		{passive.Line{Value: "4.7 µF", Footprint: "0603"}, "4.7 µF 0603"},
		{passive.Line{Value: "10k 1%", Footprint: "0402"}, "10 kΩ 1 % 0402"},
		{passive.Line{Value: "10kΩ", Footprint: "0603"}, "10 kΩ 0603"},
		{passive.Line{Value: "1Mohm", Footprint: "0603"}, "1 MΩ 0603"},
		{passive.Line{Value: "4R7", Footprint: "0805"}, "4.7 Ω 0805"},
		{passive.Line{Value: "2.2uH", Footprint: "0805"}, "2.2 µH 0805"},
		{passive.Line{Value: "10nH", Footprint: "0402"}, "10 nH 0402"},
		{passive.Line{Value: "100n", Footprint: "0402"}, ""},
		// of u, n and p alone a voltage or a dielectric beside them tells the kind
		{passive.Line{Value: "4u7 25V", Footprint: "0805"}, "4.7 µF 25 V 0805"},
		{passive.Line{Value: "4.7u X5R", Footprint: "0805"}, "4.7 µF X5R 0805"},
		{passive.Line{Value: "100n/50V", Footprint: "0603"}, "100 nF 50 V 0603"},
		{passive.Line{Value: "10u/25V", Footprint: "0805"}, "10 µF 25 V 0805"},
		{passive.Line{Value: "22p C0G", Footprint: "0402"}, "22 pF C0G 0402"},
		{passive.Line{Value: "4u7 2A", Footprint: "0805"}, ""},
		{passive.Line{Value: "5V 100mA", Footprint: "0805"}, ""},
		{passive.Line{Value: "8M", Footprint: "3225"}, ""},
		{passive.Line{Value: "2N7002", Footprint: "SOT-23"}, ""},
		{passive.Line{Value: "100", Footprint: "0402"}, ""},
		{passive.Line{Ref: "U1", Value: "10k", Footprint: "0402"}, ""},
		{passive.Line{Ref: "RN1", Value: "10k", Footprint: "0402"}, ""},
		// what else is stated
		{passive.Line{Ref: "R1", Value: "10k 0.1% 25ppm thin film 75V", Footprint: "0603"}, "10 kΩ 0.1 % 75 V 25 ppm/°C 0603, thin film"},
		{passive.Line{Ref: "R1", Value: "10k 1/16W", Footprint: "0402", Description: "Thick Film Resistors ±100ppm/℃ -55℃~+155℃ 50V AEC-Q200"}, "10 kΩ 50 V 63 mW 100 ppm/°C 0402, automotive (AEC-Q200), thick film"},
		{passive.Line{Ref: "C1", Value: "10pF ±0.25pF 50V C0G/NP0", Footprint: "0402"}, "10 pF 2.5 % 50 V C0G 0402"},
		{passive.Line{Ref: "C1", Value: "100nF 16V -55..150C", Footprint: "0402"}, "100 nF 16 V -55 to 150 °C 0402"},
		{passive.Line{Ref: "C1", Value: "1nF high-Q RF soft termination", Footprint: "0402"}, "1 nF 0402, soft termination, high Q, for radio frequencies"},
		{passive.Line{Ref: "C1", Value: "0,1µF 25V", Footprint: "0402", Description: "Unpolarized capacitor"}, "100 nF 25 V 0402"},
		// other kinds than those that a value tells
		{passive.Line{Ref: "C1", Value: "100nF X2 275VAC", Footprint: "1206"}, ""},
		{passive.Line{Ref: "C1", Value: "10nF 250V~ Y2", Footprint: "1206"}, ""},
		{passive.Line{Ref: "C1", Value: "100nF MKT 63V", Footprint: "1210"}, ""},
		{passive.Line{Ref: "C1", Value: "100uF Elko 16V", Footprint: "1210"}, ""},
		{passive.Line{Ref: "C1", Value: "10uF 钽 16V", Footprint: "1206"}, ""},
		{passive.Line{Ref: "C1", Value: "1uF film", Footprint: "1206"}, ""},
		{passive.Line{Ref: "R1", Value: "4x10k", Footprint: "0603"}, ""},
		{passive.Line{Ref: "R1", Value: "10k x4", Footprint: "0603"}, ""},
		{passive.Line{Ref: "R1", Value: "10k 8P4R", Footprint: "0603"}, ""},
		{passive.Line{Ref: "R1", Value: "10k pot", Footprint: "0603"}, ""},
		{passive.Line{Ref: "R1", Value: "10k NTC", Footprint: "0603"}, ""},
		{passive.Line{Value: "12MHz 18pF 20ppm", Footprint: "1206"}, ""},
		// four digits may be thousands
		{passive.Line{Ref: "C1", Value: "1,000pF", Footprint: "0402"}, ""},
		{passive.Line{Ref: "R1", Value: "1.000k", Footprint: "0402"}, ""},
		{passive.Line{Ref: "C1", Value: "0.100uF", Footprint: "0402"}, "100 nF 0402"},
	} {
		s, ok := passive.Parse(tt.in)
		got := ""
		if ok {
			got = s.String()
		}
		if got != tt.want {
			t.Errorf("Parse(%+v) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestMeets(t *testing.T) {
	t.Parallel()
	part := passive.Spec{Kind: passive.Capacitor, Value: 100_000_000, Size: "0402", Tolerance: 100_000, Voltage: 16_000, Dielectric: "X7R"}
	for name, tt := range map[string]struct {
		change func(*passive.Spec)
		want   bool
	}{
		"the same":             {func(*passive.Spec) {}, true},
		"less is asked for":    {func(s *passive.Spec) { s.Voltage, s.Dielectric, s.Tolerance = 10_000, "X5R", 200_000 }, true},
		"nothing else stated":  {func(s *passive.Spec) { s.Voltage, s.Dielectric, s.Tolerance, s.Size = 0, "", 0, "" }, true},
		"another value":        {func(s *passive.Spec) { s.Value++ }, false},
		"another size":         {func(s *passive.Spec) { s.Size = "0603" }, false},
		"a higher voltage":     {func(s *passive.Spec) { s.Voltage = 25_000 }, false},
		"a closer tolerance":   {func(s *passive.Spec) { s.Tolerance = 50_000 }, false},
		"a steadier one":       {func(s *passive.Spec) { s.Dielectric = "C0G" }, false},
		"another kind of part": {func(s *passive.Spec) { s.Kind = passive.Resistor }, false},
	} {
		want := part
		tt.change(&want)
		if got := part.Meets(want); got != tt.want {
			t.Errorf("%s: %+v meets %+v: %v, want %v", name, part, want, got, tt.want)
		}
	}
	if (passive.Spec{Kind: passive.Capacitor, Value: 1}).Meets(passive.Spec{Kind: passive.Capacitor, Value: 1, Dielectric: "Y5V"}) {
		t.Error("an unknown dielectric met a known one")
	}
}

// TestCompare: a part takes another's place if it is at least as good in all that
// the other has; what is not known is not.
func TestCompare(t *testing.T) {
	t.Parallel()
	capacitor := passive.Spec{Kind: passive.Capacitor, Value: 10_000_000_000, Size: "0805", Tolerance: 100_000, Voltage: 25_000, Dielectric: "X7R", Height: 1_250}
	resistor := passive.Spec{
		Kind: passive.Resistor, Value: 10_000_000_000, Size: "0402", Tolerance: 10_000, Voltage: 50_000, Power: 63, Hottest: 155, Coldest: -55, Tempco: 100, Qualities: passive.ThickFilm,
	}
	for name, tt := range map[string]struct {
		named  passive.Spec
		change func(*passive.Spec) // of the replacement, which is the named part else
		want   string              // what is worse
	}{
		"the same":               {capacitor, func(*passive.Spec) {}, ""},
		"better in all":          {capacitor, func(s *passive.Spec) { s.Tolerance, s.Voltage, s.Height = 50_000, 50_000, 850 }, ""},
		"another value":          {capacitor, func(s *passive.Spec) { s.Value++ }, "value"},
		"another kind":           {capacitor, func(s *passive.Spec) { s.Kind = passive.Inductor }, "value"},
		"another size":           {capacitor, func(s *passive.Spec) { s.Size = "1206" }, "size"},
		"less voltage":           {capacitor, func(s *passive.Spec) { s.Voltage = 24_999 }, "voltage"},
		"a voltage not known":    {capacitor, func(s *passive.Spec) { s.Voltage = 0 }, "voltage"},
		"a wider tolerance":      {capacitor, func(s *passive.Spec) { s.Tolerance = 100_001 }, "tolerance"},
		"a tolerance not known":  {capacitor, func(s *passive.Spec) { s.Tolerance = 0 }, "tolerance"},
		"X5R for X7R":            {capacitor, func(s *passive.Spec) { s.Dielectric = "X5R" }, "dielectric temperature"},
		"C0G for X7R":            {capacitor, func(s *passive.Spec) { s.Dielectric = "C0G" }, ""},
		"X8R for X7R":            {capacitor, func(s *passive.Spec) { s.Dielectric = "X8R" }, ""},
		"X7S for X7R":            {capacitor, func(s *passive.Spec) { s.Dielectric = "X7S" }, "dielectric"},
		"Y5V for X7R":            {capacitor, func(s *passive.Spec) { s.Dielectric = "Y5V" }, "dielectric temperature"},
		"a dielectric not known": {capacitor, func(s *passive.Spec) { s.Dielectric = "" }, "dielectric temperature"},
		"higher":                 {capacitor, func(s *passive.Spec) { s.Height = 1_251 }, "height"},
		"a height not known":     {capacitor, func(s *passive.Spec) { s.Height = 0 }, "height"},
		"a resistor":             {resistor, func(s *passive.Spec) { s.Power = 100 }, ""},
		"less power":             {resistor, func(s *passive.Spec) { s.Power = 62 }, "power"},
		"less voltage of one":    {resistor, func(s *passive.Spec) { s.Voltage = 25_000 }, "voltage"},
		"more drift":             {resistor, func(s *passive.Spec) { s.Tempco = 200 }, "temperature_coefficient"},
		"a drift not known":      {resistor, func(s *passive.Spec) { s.Tempco = 0 }, "temperature_coefficient"},
		"less drift":             {resistor, func(s *passive.Spec) { s.Tempco = 50 }, ""},
		"less cold":              {resistor, func(s *passive.Spec) { s.Coldest = -40 }, "temperature"},
		"cold that is not known": {resistor, func(s *passive.Spec) { s.Coldest = 0 }, "temperature"},
		"another film":           {resistor, func(s *passive.Spec) { s.Qualities = passive.ThinFilm }, "film"},
		"more than was asked":    {resistor, func(s *passive.Spec) { s.Qualities |= passive.AntiSurge | passive.Automotive }, ""},
		"less heat":              {resistor, func(s *passive.Spec) { s.Hottest = 125 }, "temperature"},
	} {
		s := tt.named
		tt.change(&s)
		var worse []string
		list := passive.Compare(tt.named, s)
		for _, c := range list {
			if c.Worse {
				worse = append(worse, c.Property)
			}
		}
		if got := strings.Join(worse, " "); got != tt.want || passive.HasWorse(list) != (tt.want != "") {
			t.Errorf("%s: worse in %q, want %q: %+v", name, got, tt.want, list)
		}
	}
	unknown := capacitor
	unknown.Height = 0
	if !passive.HasWorse(passive.Compare(unknown, capacitor)) {
		t.Error("a capacitor of unknown height is replaced")
	}
}

func TestAssume(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line     passive.Line
		want     string
		messages []string
	}{
		{passive.Line{Ref: "R1", Value: "4k7", Footprint: "0603"}, "4.7 kΩ 1 % 100 mW 0603", []string{"1 %", "at least 100 mW"}},
		{passive.Line{Ref: "R1", Value: "4k7 5%", Footprint: "0603"}, "4.7 kΩ 5 % 100 mW 0603", []string{"at least 100 mW"}},
		{passive.Line{Ref: "C1", Value: "18p", Footprint: "0402"}, "18 pF 5 % 50 V C0G 0402", []string{"5 %", "at least 50 V", "C0G or better"}},
		{passive.Line{Ref: "C1", Value: "100n 16V", Footprint: "0402"}, "100 nF 10 % 16 V X7R 0402", []string{"10 %", "X7R or better"}},
		{passive.Line{Ref: "C1", Value: "22u", Footprint: "0805"}, "22 µF 20 % 6.3 V X5R 0805", []string{"20 %", "at least 6.3 V", "X5R or better"}},
	} {
		s, _ := passive.Parse(tt.line)
		got, messages := s.Assume()
		if got.String() != tt.want || cmp.Diff(tt.messages, messages) != "" {
			t.Errorf("%+v: %q, assumed %q; want %q, %q", tt.line, got, messages, tt.want, tt.messages)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("R1", "4k7 1%", "R_0603_1608Metric", "")
	f.Add("C1", "1 µF ±10% 25V", "RESC1005X40", "X5R 0402 (1005 Metric)")
	f.Add("L1", "999999999G999", "0", "1/0W 99999.999 %")
	f.Fuzz(func(t *testing.T, ref, value, footprint, description string) {
		s, ok := passive.Parse(passive.Line{Ref: ref, Value: value, Footprint: footprint, Description: description})
		if !ok {
			return
		}
		if s.Value < 0 || s.Tolerance < 0 || s.Voltage < 0 || s.Power < 0 || s.Current < 0 || s.Kind == "" {
			t.Errorf("Parse(%q, %q, %q, %q) = %+v, want a kind and nothing below 0", ref, value, footprint, description, s)
		}
		if full, _ := s.Assume(); !full.Meets(s) && full.Kind != "" && full.Dielectric != "" {
			t.Errorf("%+v does not meet %+v", full, s)
		}
	})
}

// TestVoltagesHaveADataSheet: of a series whose data sheet is not at hand none is known.
func TestVoltagesHaveADataSheet(t *testing.T) {
	t.Parallel()
	for mpn, want := range map[string]int64{"ERJ-1GNF1002C": 0, "RC0201FR-0710KL": 25_000, "ERJ-2RKF1002X": 50_000, "CRCW251210K0FKEG": 500_000} {
		if n, ok := passive.Read(mpn); !ok || n.Spec.Voltage != want {
			t.Errorf("%s: %d mV, %t, want %d", mpn, n.Spec.Voltage, ok, want)
		}
	}
}
