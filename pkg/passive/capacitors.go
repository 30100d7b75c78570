package passive

import "regexp"

var capacitorTolerance = newCode(map[string]int64{"F": 10_000, "G": 20_000, "J": 50_000, "K": 100_000, "M": 200_000})

// eiaVoltage is the voltage code of Murata and TDK, in millivolts.
var eiaVoltage = map[string]int64{
	"0G": 4_000, "0J": 6_300, "1A": 10_000, "1C": 16_000, "1E": 25_000, "YA": 35_000, "1V": 35_000, "1H": 50_000, "1N": 75_000, "2A": 100_000,
	"2D": 200_000, "2E": 250_000, "2W": 450_000, "2H": 500_000, "2J": 630_000, "3A": 1_000_000,
}

// capacitor builds what reading a number found out.
func capacitor(size, dielectric, value, tolerance string, millivolts int64) (Spec, bool) {
	v, ok := readThreeDigit(value)
	s := Spec{Kind: Capacitor, Value: v, Size: size, Dielectric: dielectric, Voltage: millivolts}
	if s.Tolerance, ok = capacitorPPM(tolerance, v, ok); !ok {
		return Spec{}, false
	}
	return s, imperialSizes[size] && dielectric != "" && millivolts > 0
}

// capacitorPPM reads the tolerance code, of which some are in picofarads.
func capacitorPPM(code string, femto int64, ok bool) (int64, bool) {
	if ppm := capacitorTolerance.of[code]; ppm > 0 {
		return ppm, ok
	}
	absolute := map[string]int64{"A": 50, "B": 100, "C": 250, "D": 500}[code] // femtofarads
	if code == "Z" {
		return 800_000, ok
	}
	if absolute == 0 || femto == 0 {
		return 0, false
	}
	return absolute * 1_000_000 / femto, ok
}

// fits reports whether a series is made with that value in that size: no series
// packs more than about these into a chip. It keeps invented numbers away.
func fits(s Spec) bool {
	most, ok := map[string]int64{
		"0201": 2_200 * nano, "0402": 22_000 * nano, "0603": 47_000 * nano, "0805": 47_000 * nano, "1206": 100_000 * nano, "1210": 100_000 * nano,
	}[s.Size]
	if !ok || s.Value > most {
		return false
	}
	switch s.Dielectric {
	case "C0G":
		return s.Value <= most/400
	case "X7R":
		return s.Value <= most/10 && s.Value >= 100_000
	}
	return s.Value >= nano*10
}

// Samsung: CL10B104KB8NNNC. Thickness and finish follow from size and value; the
// usual ones are tabulated.

var (
	samsung           = regexp.MustCompile(`^CL(03|05|10|21|31|32)([CABXY])([0-9R]{3})([BCDFGJKMZ])([RQPOALBC])([0-9A-Z])[A-Z]{3}[A-Z0-9]$`)
	samsungSize       = newCode(map[string]string{"03": "0201", "05": "0402", "10": "0603", "21": "0805", "31": "1206", "32": "1210"})
	samsungDielectric = newCode(map[string]string{"C": "C0G", "A": "X5R", "B": "X7R", "X": "X6S", "Y": "X7S"})
	samsungVoltage    = newCode(map[string]int64{"R": 4_000, "Q": 6_300, "P": 10_000, "O": 16_000, "A": 25_000, "L": 35_000, "B": 50_000, "C": 100_000})
	samsungThickness  = map[string]string{"0201": "3", "0402": "5", "0603": "8", "0805": "C", "1206": "H", "1210": "J"}
)

func samsungNumber(s Spec) string {
	value, tolerance := threeDigit(s.Value), capacitorTolerance.from[s.Tolerance]
	size, ok := samsungSize.from[s.Size]
	dielectric, known := samsungDielectric.from[s.Dielectric]
	volts, sold := samsungVoltage.from[s.Voltage]
	if value == "" || !ok || !known || !sold || tolerance == "" || !fits(s) {
		return ""
	}
	thick := samsungThickness[s.Size]
	if s.Size == "0805" && s.Value >= 4700*nano {
		thick = "Q"
	}
	return "CL" + size + dielectric + value + tolerance + volts + thick + "NNNC"
}

func readSamsung(mpn string) (Spec, bool) {
	m := samsung.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	return capacitor(samsungSize.of[m[1]], samsungDielectric.of[m[2]], m[3], m[4], samsungVoltage.of[m[5]])
}

// YAGEO CC: CC0603KRX7R9BB104; NP0 ends in BN.

var (
	yageoCC      = regexp.MustCompile(`^(?:CC|AC)([0-9]{4})([BCDFGJKMZ])([RKPCF])(X7R|X5R|NPO|Y5V|X6S)([4-9A0DY])B[BN]([0-9R]{3})$`)
	yageoVoltage = newCode(map[string]int64{"4": 4_000, "5": 6_300, "6": 10_000, "7": 16_000, "8": 25_000, "A": 35_000, "9": 50_000, "0": 100_000})
)

func yageoCapacitor(s Spec) string {
	value, tolerance := threeDigit(s.Value), capacitorTolerance.from[s.Tolerance]
	volts, ok := yageoVoltage.from[s.Voltage]
	process, name := "BB", s.Dielectric
	if s.Dielectric == "C0G" {
		process, name = "BN", "NPO"
	}
	if value == "" || tolerance == "" || !ok || !fits(s) || name != "NPO" && name != "X7R" && name != "X5R" {
		return ""
	}
	tape := "R"
	if s.Value >= 2200*nano && s.Size != "0402" && s.Size != "0603" {
		tape = "K"
	}
	return "CC" + s.Size + tolerance + tape + name + volts + process + value
}

func readYageoCapacitor(mpn string) (Spec, bool) {
	m := yageoCC.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	return capacitor(m[1], plainDielectric(m[4]), m[6], m[2], yageoVoltage.of[m[5]])
}

// KEMET: C0603C104K5RACTU.

var (
	kemet           = regexp.MustCompile(`^C([0-9]{4})C([0-9]{2}[0-9R])([BCDFGJKMZ])([0-9])([RPGVU])AC(?:TU|7800|AUTO|7867|7411)?$`)
	kemetVoltage    = newCode(map[string]int64{"7": 4_000, "9": 6_300, "8": 10_000, "4": 16_000, "3": 25_000, "6": 35_000, "5": 50_000, "1": 100_000, "2": 200_000})
	kemetDielectric = newCode(map[string]string{"R": "X7R", "P": "X5R", "G": "C0G", "V": "Y5V", "U": "Z5U"})
)

func kemetNumber(s Spec) string {
	value, tolerance := threeDigit(s.Value), capacitorTolerance.from[s.Tolerance]
	volts, ok := kemetVoltage.from[s.Voltage]
	dielectric, known := kemetDielectric.from[s.Dielectric]
	if value == "" || s.Value < 10_000 || tolerance == "" || !ok || !known || !fits(s) || s.Size == "0201" {
		return ""
	}
	return "C" + s.Size + "C" + value + tolerance + volts + dielectric + "ACTU"
}

func readKemet(mpn string) (Spec, bool) {
	m := kemet.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	return capacitor(m[1], kemetDielectric.of[m[5]], m[2], m[3], kemetVoltage.of[m[4]])
}

// KYOCERA AVX: 0603YC104KAT2A.

var (
	avx           = regexp.MustCompile(`^([0-9]{4})([4-9ZY351])([ACDG])([0-9]{2}[0-9])([BCDFGJKMZ])AT[0-9][A-Z]$`)
	avxVoltage    = newCode(map[string]int64{"4": 4_000, "6": 6_300, "Z": 10_000, "Y": 16_000, "3": 25_000, "5": 50_000, "1": 100_000})
	avxDielectric = newCode(map[string]string{"A": "C0G", "C": "X7R", "D": "X5R", "G": "Y5V"})
)

func avxNumber(s Spec) string {
	value, tolerance := threeDigit(s.Value), capacitorTolerance.from[s.Tolerance]
	volts, ok := avxVoltage.from[s.Voltage]
	dielectric, known := avxDielectric.from[s.Dielectric]
	if value == "" || s.Value < 10_000 || tolerance == "" || !ok || !known || !fits(s) {
		return ""
	}
	return s.Size + volts + dielectric + value + tolerance + "AT2A"
}

func readAVX(mpn string) (Spec, bool) {
	m := avx.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	return capacitor(m[1], avxDielectric.of[m[3]], m[4], m[5], avxVoltage.of[m[2]])
}

// Murata GRM: GRM155R71C104KA88D. The characters after the tolerance follow from
// no rule, so such numbers are read and never written.

var (
	murata           = regexp.MustCompile(`^G(?:RM|CM|CJ)(02|03|15|18|21|31|32)[0-9A-Z]([0-9A-Z]{2})([0-9Y][A-Z])([0-9R]{3})([BCDFGJKMZ])[A-Z0-9]{2,4}[DLJKBC]?$`)
	murataSize       = map[string]string{"02": "01005", "03": "0201", "15": "0402", "18": "0603", "21": "0805", "31": "1206", "32": "1210"}
	murataDielectric = map[string]string{"R7": "X7R", "R6": "X5R", "5C": "C0G", "C8": "X6S", "C7": "X7S", "D7": "X7T", "L8": "X8L", "F5": "Y5V"}
)

func readMurata(mpn string) (Spec, bool) {
	m := murata.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	return capacitor(murataSize[m[1]], murataDielectric[m[2]], m[4], m[5], eiaVoltage[m[3]])
}

// TDK C: C1608X7R1H104K080AA, sizes in metric.

var tdk = regexp.MustCompile(`^C([0-9]{4})(X7R|X5R|C0G|X7S|X6S|X7T|X8R|Y5V|CH)([0-9][A-Z])([0-9R]{3})([BCDFGJKMZ])[0-9A-Z]{3,5}$`)

func readTDK(mpn string) (Spec, bool) {
	m := tdk.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	return capacitor(metricSizes[m[1]], plainDielectric(m[2]), m[4], m[5], eiaVoltage[m[3]])
}
