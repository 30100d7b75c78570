package passive_test

import (
	"strings"
	"testing"

	"boardorder/pkg/passive"
)

// TestReadNumbers reads numbers as they stand on real bills of materials, beside
// what those say about them.
func TestReadNumbers(t *testing.T) {
	t.Parallel()
	for mpn, want := range map[string]string{
		"RC0402FR-07100RL":     "YAGEO: 100 Ω 1 % 50 V 63 mW 100 ppm/°C 0402, thick film",
		"RC0402FR-0710RL":      "YAGEO: 10 Ω 1 % 50 V 63 mW 0402, thick film",
		"0402WGF100JTCE":       "UNI-ROYAL: 10 Ω 1 % 50 V 63 mW 0402, thick film",
		"ERJ-2RKF10R0X":        "Panasonic: 10 Ω 1 % 50 V 100 mW 100 ppm/°C 0402, automotive (AEC-Q200), thick film",
		"RC0402FR-0710KL":      "YAGEO: 10 kΩ 1 % 50 V 63 mW 100 ppm/°C 0402, thick film",
		"RC0201JR-070RL":       "YAGEO: 0 Ω 25 V 50 mW 0201, thick film",
		"RC0603FR-074K7L":      "YAGEO: 4.7 kΩ 1 % 75 V 100 mW 100 ppm/°C 0603, thick film",
		"RC0603FR-7W10KL":      "YAGEO: 10 kΩ 1 % 75 V 200 mW 100 ppm/°C 0603, thick film",
		"RC2512FK-3W10RL":      "YAGEO: 10 Ω 1 % 200 V 2000 mW 2512, thick film",
		"RC2010FK-7W10KL":      "YAGEO: 10 kΩ 1 % 200 V 100 ppm/°C 2010, thick film", // its power is not known
		"RC0603FR-0710RL":      "YAGEO: 10 Ω 1 % 75 V 100 mW 0603, thick film",
		"0603WAF1002T5E":       "UNI-ROYAL: 10 kΩ 1 % 75 V 100 mW 100 ppm/°C 0603, thick film",
		"0402WGF499JTCE":       "UNI-ROYAL: 49.9 Ω 1 % 50 V 63 mW 100 ppm/°C 0402, thick film",
		"0805W8F470KT5E":       "UNI-ROYAL: 4.7 Ω 1 % 150 V 125 mW 0805, thick film",
		"ERJ-3EKF4701V":        "Panasonic: 4.7 kΩ 1 % 75 V 100 mW 100 ppm/°C 0603, automotive (AEC-Q200), thick film",
		"ERJ-2RKF49R9X":        "Panasonic: 49.9 Ω 1 % 50 V 100 mW 100 ppm/°C 0402, automotive (AEC-Q200), thick film",
		"CRCW060310K0FKEA":     "Vishay Dale: 10 kΩ 1 % 75 V 100 mW 100 ppm/°C 0603, automotive (AEC-Q200), thick film",
		"CRCW04020000Z0ED":     "Vishay Dale: 0 Ω 50 V 63 mW 0402, automotive (AEC-Q200), thick film",
		"CC0402KRX7R7BB104":    "YAGEO: 100 nF 10 % 16 V X7R 0402",
		"CC0402JRNPO9BN180":    "YAGEO: 18 pF 5 % 50 V C0G 0402",
		"CC0402KRX5R6BB105":    "YAGEO: 1 µF 10 % 10 V X5R 0402",
		"CC0402BRNPO9BN1R0":    "YAGEO: 1 pF 10 % 50 V C0G 0402",
		"CL05B104KO5NNNC":      "Samsung Electro-Mechanics: 100 nF 10 % 16 V X7R 0402",
		"CL21A106KAYNNNE":      "Samsung Electro-Mechanics: 10 µF 10 % 25 V X5R 0805",
		"CL05B471KB5NNNC":      "Samsung Electro-Mechanics: 470 pF 10 % 50 V X7R 0402",
		"C0402C104K4RACTU":     "KEMET: 100 nF 10 % 16 V X7R 0402",
		"C1206C102K2GACTU":     "KEMET: 1 nF 10 % 200 V C0G 1206",
		"08055C104KAT2A":       "KYOCERA AVX: 100 nF 10 % 50 V X7R 0805",
		"GRM155R71C104KA88D":   "Murata Electronics: 100 nF 10 % 16 V X7R 0402",
		"GRM155R71E472KA01D":   "Murata Electronics: 4.7 nF 10 % 25 V X7R 0402",
		"GRM0335C1E330JA01D":   "Murata Electronics: 33 pF 5 % 25 V C0G 0201",
		"GRM21BR61A226ME51L":   "Murata Electronics: 22 µF 20 % 10 V X5R 0805",
		"GRM155R6YA105KE11D":   "Murata Electronics: 1 µF 10 % 35 V X5R 0402",
		"C2012X5R1C475K125AC":  "TDK: 4.7 µF 10 % 16 V X5R 0805",
		"C1005X7R1C104K050BC":  "TDK: 100 nF 10 % 16 V X7R 0402",
		"CL21A106MQQNNNC":      "Samsung Electro-Mechanics: 10 µF 20 % 6.3 V X5R 0805",
		"CL31B104KDFNNNE":      "Samsung Electro-Mechanics: 100 nF 10 % 200 V X7R 1206",
		"CL43B105KEJNNNE":      "Samsung Electro-Mechanics: 1 µF 10 % 250 V X7R 1812",
		"CL10F104ZB8NNNC":      "Samsung Electro-Mechanics: 100 nF 80 % 50 V Y5V 0603",
		"CC0805MKX5R5BB226":    "YAGEO: 22 µF 20 % 6.3 V X5R 0805",
		"CC1206KKX7RABB104":    "YAGEO: 100 nF 10 % 200 V X7R 1206", // A was 35 V
		"CC0805KKX5RGBB475":    "YAGEO: 4.7 µF 10 % 35 V X5R 0805",
		"CC1206KKX7RZBB103":    "YAGEO: 10 nF 10 % 630 V X7R 1206",
		"C1210C104KBRACTU":     "KEMET: 100 nF 10 % 630 V X7R 1210",
		"C0805C105K3NACTU":     "KEMET: 1 µF 10 % 25 V X8L 0805",
		"0805DC475KAT2A":       "KYOCERA AVX: 4.7 µF 10 % 35 V X7R 0805",
		"12062C104KAT2A":       "KYOCERA AVX: 100 nF 10 % 200 V X7R 1206",
		"GRT188C81E475KE13D":   "Murata Electronics: 4.7 µF 10 % 25 V X6S 0603, automotive (AEC-Q200)",
		"GCM188R71H104KA57D":   "Murata Electronics: 100 nF 10 % 50 V X7R 0603, automotive (AEC-Q200)",
		"CGA3E2X7R1H104K080AA": "TDK: 100 nF 10 % 50 V X7R 0603, automotive (AEC-Q200)",
		"EMK107B7105KA-T":      "Taiyo Yuden: 1 µF 10 % 16 V X7R 0603",
		"TMK212BJ475KG-T":      "Taiyo Yuden: 4.7 µF 10 % 25 V X5R 0805",
		"0603B104K500NT":       "FH: 100 nF 10 % 50 V X7R 0603",
		"0402X105K6R3NT":       "FH: 1 µF 10 % 6.3 V X5R 0402",
		"0805B104K101CT":       "Walsin: 100 nF 10 % 100 V X7R 0805",
		"0402N180J500CT":       "Walsin: 18 pF 5 % 50 V C0G 0402",
		"CL10B104KX8NNNC":      "", "CC0603KRX7RHBB104": "", // voltages that are in no table
		"W25Q128JVSIQ": "", "": "", "0603": "", "GRM": "", "C25804": "", "RC0402FR-07XL": "",
	} {
		n, ok := passive.Read(mpn)
		got := ""
		if ok {
			got = n.Manufacturer + ": " + n.Spec.String()
		}
		if got != want {
			t.Errorf("Read(%s) = %q, want %q", mpn, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line passive.Line
		want string
	}{
		{passive.Line{Ref: "R1", Value: "4k7", Footprint: "0603"}, "0603WAF4701T5E RC0603FR-074K7L ERJ-3EKF4701V CRCW06034K70FKEA"},
		{passive.Line{Ref: "R1", Value: "0R", Footprint: "0402"}, "0402WGF0000TCE RC0402JR-070RL CRCW04020000Z0ED"},
		{passive.Line{Ref: "R1", Value: "4R7", Footprint: "0805"}, "0805W8F470KT5E RC0805FR-074R7L CRCW08054R70FKEA"},
		{passive.Line{Ref: "C1", Value: "100n 16V X7R", Footprint: "0402"}, "CL05B104KO5NNNC CC0402KRX7R7BB104 C0402C104K4RACTU 0402YC104KAT2A CL05B104KA5NNNC CC0402KRX7R8BB104 C0402C104K3RACTU 04023C104KAT2A"},
		{passive.Line{Ref: "C1", Value: "18p", Footprint: "0402"}, "CL05C180JB5NNNC CC0402JRNPO9BN180 C0402C180J5GACTU 04025A180JAT2A CL05C180JC5NNNC CC0402JRNPO0BN180 C0402C180J1GACTU 04021A180JAT2A"},
		{passive.Line{Ref: "C1", Value: "100u", Footprint: "0402"}, ""},
		{passive.Line{Ref: "R1", Value: "4k7"}, ""},
		{passive.Line{Ref: "L1", Value: "4.7uH", Footprint: "0805"}, ""},
	} {
		s, _ := passive.Parse(tt.line)
		var got []string
		for _, n := range passive.Number(s) {
			got = append(got, n.MPN)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%+v: %q, want %q", tt.line, got, tt.want)
		}
	}
}

// TestNumberOfANamedPart: what may take a part's place is looked for by all that its
// number tells, also where the size alone decides it.
func TestNumberOfANamedPart(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{
		"0603WAF1002T5E":     "0603WAF1002T5E RC0603FR-0710KL ERJ-3EKF1002V CRCW060310K0FKEA",
		"0805W8F1000T5E":     "0805W8F1000T5E RC0805FR-07100RL ERJ-6ENF1000V CRCW0805100RFKEA", // 150 V
		"1206W4F1002T5E":     "1206W4F1002T5E RC1206FR-0710KL ERJ-8ENF1002V CRCW120610K0FKEA",  // 200 V
		"CL21A226MAYNNNE":    "CL21A226MAQNNNC CL21A226MLQNNNC",
		"GRM155R71H104KE14D": "CL05B104KB5NNNC CC0402KRX7R9BB104 C0402C104K5RACTU 04025C104KAT2A CL05B104KC5NNNC CC0402KRX7R0BB104 C0402C104K1RACTU 04021C104KAT2A",
	} {
		named, _ := passive.Read(number)
		var got []string
		for _, n := range passive.Number(named.Spec) {
			got = append(got, n.MPN)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", number, got, want)
		}
	}
}

// TestNumberIsReadBack: every number that is written means what it was written
// for.
func TestNumberIsReadBack(t *testing.T) {
	t.Parallel()
	made := 0
	check := func(want passive.Spec) {
		for _, n := range passive.Number(want) {
			made++
			full, _ := want.Assume()
			got, ok := passive.Read(n.MPN)
			if !ok || got.Manufacturer != n.Manufacturer || got.Spec != n.Spec || !got.Spec.Meets(full) {
				t.Errorf("%v gave %s, which reads %+v, %v; want %s, %v", full, n.MPN, got, ok, n.Manufacturer, n.Spec)
			}
		}
	}
	for _, size := range []string{"0201", "0402", "0603", "0805", "1206", "1210", "2010", "2512"} {
		for _, e := range []int64{100, 110, 220, 332, 470, 499, 820} {
			for scale := int64(10_000); scale < 1e12; scale *= 10 {
				check(passive.Spec{Kind: passive.Resistor, Value: e * scale, Size: size})
			}
			for scale := int64(10); scale < 1e9; scale *= 10 {
				check(passive.Spec{Kind: passive.Capacitor, Value: e * scale, Size: size})
			}
		}
	}
	if made < 1000 {
		t.Errorf("%d numbers, want 1000 at least", made)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"RC0603FR-074K7L", "CL10B104KB8NNNC", "GRM155R71C104KA88D", "0603YC104KAT2A", "ERJ-3EKFRRRRV"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, mpn string) {
		if n, ok := passive.Read(mpn); ok && (n.Spec.Value < 0 || n.Spec.Size == "" || n.Manufacturer == "") {
			t.Errorf("Read(%q) = %+v, want a value, a size and a manufacturer", mpn, n)
		}
	})
}
