package passive

import "regexp"

// What the characters of numbers mean is taken from the makers' catalogues, in
// their chapters on part numbering: Samsung Electro-Mechanics "MLCC", YAGEO
// "Surface-mount ceramic multilayer capacitors", KEMET "Ceramic chip capacitors",
// KYOCERA AVX "Multi-layer ceramic capacitors", Murata "GRM series", TDK "C series",
// Taiyo Yuden "Multilayer ceramic capacitors", Fenghua and Walsin "MLCC general
// purpose". A character that is in no table makes a number one that is not known.

var capacitorTolerance = newCode(map[string]int64{"F": 10_000, "G": 20_000, "J": 50_000, "K": 100_000, "M": 200_000})

// eiaVoltage is the voltage code of Murata and TDK, in millivolts.
var eiaVoltage = map[string]int64{
	"0E": 2_500, "0G": 4_000, "0J": 6_300, "1A": 10_000, "1C": 16_000, "1E": 25_000, "YA": 35_000, "1V": 35_000, "1H": 50_000, "1N": 75_000, "2A": 100_000,
	"2D": 200_000, "2E": 250_000, "2V": 350_000, "2W": 450_000, "2H": 500_000, "2J": 630_000, "3A": 1_000_000, "3D": 2_000_000, "3F": 3_150_000,
}

// capacitor builds what reading a number found out.
func capacitor(size, dielectric, value, tolerance string, millivolts int64) (Spec, bool) {
	v, ok := readThreeDigit(value)
	s := Spec{Kind: Capacitor, Value: v, Size: size, Dielectric: dielectric, Voltage: millivolts, Height: usualHeight[size]}
	if s.Tolerance, ok = capacitorPPM(tolerance, v, ok); !ok {
		return Spec{}, false
	}
	return s, imperialSizes[size] && dielectric != "" && millivolts > 0
}

// usualHeight is that of chips up to 0603 in micrometres: those of a size are as
// high as they are wide, where the number does not say that they are flatter.
// Larger ones come in many heights.
var usualHeight = map[string]int64{"01005": 200, "0201": 300, "0402": 500, "0603": 800}

// high gives a specification the height that its number tells, where it does.
func high(micrometres int64, s Spec, ok bool) (Spec, bool) {
	if micrometres > 0 {
		s.Height = micrometres
	}
	return s, ok
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
	samsung           = regexp.MustCompile(`^CL(02|03|05|10|21|31|32|42|43|55)([CABXYZF])([0-9R]{3})([BCDFGJKMZ])([SRQPOALBCDEGHI])([0-9A-Z])[A-Z0-9]{3}[A-Z0-9#]$`)
	samsungSize       = newCode(map[string]string{"02": "01005", "03": "0201", "05": "0402", "10": "0603", "21": "0805", "31": "1206", "32": "1210", "42": "1808", "43": "1812", "55": "2220"})
	samsungDielectric = newCode(map[string]string{"C": "C0G", "A": "X5R", "B": "X7R", "X": "X6S", "Y": "X7S", "Z": "X7T", "F": "Y5V"})
	samsungVoltage    = newCode(map[string]int64{
		"S": 2_500, "R": 4_000, "Q": 6_300, "P": 10_000, "O": 16_000, "A": 25_000, "L": 35_000, "B": 50_000, "C": 100_000, "D": 200_000, "E": 250_000, "G": 500_000,
		"H": 630_000, "I": 1_000_000,
	})
	samsungHeight = map[string]int64{
		"2": 200, "3": 300, "5": 500, "A": 650, "8": 800, "C": 850, "D": 1_000, "F": 1_250, "Q": 1_250, "Y": 1_250, "H": 1_600, "I": 2_000, "J": 2_500, "L": 3_200,
	}
	samsungThickness = map[string]string{"0201": "3", "0402": "5", "0603": "8", "0805": "C", "1206": "H", "1210": "J"}
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
	s, ok := capacitor(samsungSize.of[m[1]], samsungDielectric.of[m[2]], m[3], m[4], samsungVoltage.of[m[5]])
	return high(samsungHeight[m[6]], s, ok)
}

// YAGEO CC: CC0603KRX7R9BB104; NP0 ends in BN.

var (
	yageoCC      = regexp.MustCompile(`^(?:CC|AC)([0-9]{4})([BCDFGJKMZ])([RKPCF])(X7R|X5R|NPO|Y5V|X6S|X7S)([4-90GAYBZC])B[BN]([0-9R]{3})$`)
	yageoVoltage = newCode(map[string]int64{"4": 4_000, "5": 6_300, "6": 10_000, "7": 16_000, "8": 25_000, "G": 35_000, "9": 50_000, "0": 100_000, "A": 200_000, "Y": 250_000, "B": 500_000, "Z": 630_000, "C": 1_000_000})
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
	kemet           = regexp.MustCompile(`^C([0-9]{4})C([0-9]{2}[0-9R])([BCDFGJKMZ])([0-9ABCD])([RPGVUNH])AC(?:TU|7800|AUTO|7867|7411)?$`)
	kemetVoltage    = newCode(map[string]int64{"7": 4_000, "9": 6_300, "8": 10_000, "4": 16_000, "3": 25_000, "6": 35_000, "5": 50_000, "1": 100_000, "2": 200_000, "A": 250_000, "C": 500_000, "B": 630_000, "D": 1_000_000})
	kemetDielectric = newCode(map[string]string{"R": "X7R", "P": "X5R", "G": "C0G", "V": "Y5V", "U": "Z5U", "N": "X8L", "H": "X8R"})
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
	avx           = regexp.MustCompile(`^([0-9]{4})([46ZY3D512V7])([ACDFGWZ])([0-9]{2}[0-9])([BCDFGJKMZ])AT[0-9][A-Z]$`)
	avxVoltage    = newCode(map[string]int64{"4": 4_000, "6": 6_300, "Z": 10_000, "Y": 16_000, "3": 25_000, "D": 35_000, "5": 50_000, "1": 100_000, "2": 200_000, "V": 250_000, "7": 500_000})
	avxDielectric = newCode(map[string]string{"A": "C0G", "C": "X7R", "D": "X5R", "F": "X8R", "G": "Y5V", "W": "X6S", "Z": "X7S"})
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
	murata           = regexp.MustCompile(`^G(?:RM|CM|CJ|RT|RJ|CG|JM)(02|03|15|18|21|31|32|43|55)([0-9A-Z])([0-9A-Z]{2})([0-9Y][A-Z])([0-9R]{3})([BCDFGJKMZ])[A-Z0-9]{2,4}[DLJKBC]?$`)
	murataSize       = map[string]string{"02": "01005", "03": "0201", "15": "0402", "18": "0603", "21": "0805", "31": "1206", "32": "1210", "43": "1812", "55": "2220"}
	murataDielectric = map[string]string{"R7": "X7R", "R6": "X5R", "5C": "C0G", "C8": "X6S", "C7": "X7S", "D7": "X7T", "L8": "X8L", "R9": "X8R", "F5": "Y5V"}
	murataHeight     = map[string]int64{
		"2": 200, "3": 300, "5": 500, "6": 600, "7": 700, "8": 800, "9": 850, "A": 1_000, "M": 1_150, "B": 1_250, "N": 1_350, "C": 1_600, "R": 1_800, "D": 2_000, "E": 2_500,
	}
)

func readMurata(mpn string) (Spec, bool) {
	m := murata.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	s, ok := capacitor(murataSize[m[1]], murataDielectric[m[3]], m[5], m[6], eiaVoltage[m[4]])
	return high(murataHeight[m[2]], s, ok)
}

// TDK C: C1608X7R1H104K080AA, sizes in metric, the height in hundredths of a
// millimetre. CGA is the automotive series, with sizes of its own.

var (
	tdk        = regexp.MustCompile(`^C([0-9]{4})(X7R|X5R|C0G|X7S|X6S|X7T|X8R|Y5V|CH)([0-9][A-Z])([0-9R]{3})([BCDFGJKMZ])(?:([0-9]{3})[0-9A-Z]{2}|[0-9A-Z]{3,5})$`)
	tdkCGA     = regexp.MustCompile(`^CGA([2-69])([A-Z])[0-9](X7R|X5R|C0G|X7S|X7T|X8R)([0-9][A-Z])([0-9R]{3})([BCDFGJKMZ])(?:([0-9]{3})[0-9A-Z]{2}|[0-9A-Z]{3,5})$`)
	tdkCGASize = map[string]string{"2": "0402", "3": "0603", "4": "0805", "5": "1206", "6": "1210", "9": "2220"}
)

func readTDK(mpn string) (Spec, bool) {
	if m := tdkCGA.FindStringSubmatch(mpn); m != nil {
		s, ok := capacitor(tdkCGASize[m[1]], m[3], m[5], m[6], eiaVoltage[m[4]])
		return high(milli(m[7])/100, s, ok)
	}
	m := tdk.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	s, ok := capacitor(metricSizes[m[1]], plainDielectric(m[2]), m[4], m[5], eiaVoltage[m[3]])
	return high(milli(m[6])/100, s, ok)
}

// Taiyo Yuden: EMK107B7104KA-T: voltage, series, metric size, dielectric, value,
// tolerance, height.

var (
	taiyo           = regexp.MustCompile(`^([PAJLEGTUHQS])[MWVR]K(063|105|107|212|316|325)(BJ|B7|C6|C7|CG|F)([0-9R]{3})([BCDFGJKMZ])([PTKVABCDFGLMHN])(?:[HD]?[A-Z]?)?-(?:T|F|TF|FR|TR)?$`)
	taiyoVoltage    = map[string]int64{"P": 2_500, "A": 4_000, "J": 6_300, "L": 10_000, "E": 16_000, "T": 25_000, "G": 35_000, "U": 50_000, "H": 100_000, "Q": 250_000, "S": 630_000}
	taiyoSize       = map[string]string{"063": "0201", "105": "0402", "107": "0603", "212": "0805", "316": "1206", "325": "1210"}
	taiyoDielectric = map[string]string{"BJ": "X5R", "B7": "X7R", "C6": "X6S", "C7": "X7S", "CG": "C0G", "F": "Y5V"}
	taiyoHeight     = map[string]int64{"P": 300, "T": 300, "K": 450, "V": 500, "B": 600, "A": 800, "D": 850, "F": 1_150, "G": 1_250, "L": 1_600, "N": 1_900, "M": 2_500}
)

func readTaiyo(mpn string) (Spec, bool) {
	m := taiyo.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	s, ok := capacitor(taiyoSize[m[2]], taiyoDielectric[m[3]], m[4], m[5], taiyoVoltage[m[1]])
	return high(taiyoHeight[m[6]], s, ok)
}

// Fenghua and Walsin: 0603B104K500NT, 0603B104K500CT: the voltage is two digits and
// an exponent, 6R3 or 4R0.

var (
	fenghua           = regexp.MustCompile(`^([0-9]{4})(CG|B|X|F)([0-9R]{3})([BCDFGJKMZ])([0-9R]{3})NT$`)
	walsin            = regexp.MustCompile(`^([0-9]{4})(N|B|X|S|F)([0-9R]{3})([BCDFGJKMZ])([0-9R]{3})CT[A-Z]?$`)
	fenghuaDielectric = map[string]string{"CG": "C0G", "N": "C0G", "B": "X7R", "X": "X5R", "S": "X6S", "F": "Y5V"}
)

func readFenghua(mpn string) (Spec, bool) { return readDigits(fenghua.FindStringSubmatch(mpn)) }

func readWalsin(mpn string) (Spec, bool) { return readDigits(walsin.FindStringSubmatch(mpn)) }

func readDigits(m []string) (Spec, bool) {
	if m == nil {
		return Spec{}, false
	}
	volts, ok := readThreeDigit(m[5]) // in thousandths, as picofarads are
	if !ok {
		return Spec{}, false
	}
	return capacitor(m[1], fenghuaDielectric[m[2]], m[3], m[4], volts)
}
