package passive

import (
	"regexp"
	"strconv"
	"strings"
)

// The figures are those of the makers' data sheets: YAGEO, "General purpose chip resistors
// RC_L series", V.9 of 6 March 2018 (tolerances, reels, twice the power on 7W and 3W reels,
// temperatures; 0201: "RC0201", 1/20 W, 25 V, 200 ppm/°C); Vishay, "D/CRCW e3", document
// 20035 of 23 April 2021; UNI-ROYAL, "Part number system" of its chip resistors; Panasonic,
// "Thick film chip resistors" and "Precision thick film chip resistors" AOA0000C304 of
// October 2021. What they do not state is 0: not known.

const ohms = 1_000_000 // micro-ohms

var resistorTolerance = newCode(map[string]int64{"F": 10_000, "J": 50_000, "D": 5_000, "B": 1_000, "G": 20_000})

// resistor builds what reading a number found out.
func resistor(size, tolerance string, micro int64, ok bool) (Spec, bool) {
	s := Spec{Kind: Resistor, Value: micro, Size: size, Tolerance: resistorTolerance.of[tolerance], Power: sizePower[size], Voltage: sizeVoltage[size], Hottest: 155, Coldest: -55,
		Tempco: thickTempco(size, micro), Qualities: ThickFilm}
	if size == "0201" || size == "01005" {
		s.Hottest = 125
	}
	return s, ok && s.Tolerance > 0 && imperialSizes[size]
}

// letterValue writes a resistance with R, K or M as point and no needless
// digits: 4K7, 10K, 49R9.
func letterValue(micro int64) string {
	letter, scale := byte('R'), int64(ohms)
	switch {
	case micro >= 1_000_000*ohms:
		letter, scale = 'M', 1_000_000*ohms
	case micro >= 1_000*ohms:
		letter, scale = 'K', 1_000*ohms
	}
	whole, fraction := strconv.FormatInt(micro/scale, 10), strings.TrimRight(strconv.FormatInt(scale+micro%scale, 10)[1:], "0")
	if len(fraction) > 2 || micro > 0 && micro < ohms {
		return ""
	}
	return whole + string(letter) + fraction
}

func readLetterValue(text string) (int64, bool) {
	for letter, scale := range map[byte]int64{'R': ohms, 'K': 1_000 * ohms, 'M': 1_000_000 * ohms} {
		if v, ok := readLettered(text, letter, scale); ok {
			return v, true
		}
	}
	return 0, false
}

// YAGEO RC: RC0603FR-074K7L. Chips of 2010 and 2512 come on embossed tape. A reel that is
// called 7W or 3W holds chips of twice the usual power.

var (
	yageoRC     = regexp.MustCompile(`^(?:RC|AC)([0-9]{4,5})([FJDB])[RK]-(07|13|10|7N|7W|3W)([0-9RKM]+)L$`)
	yageoDouble = map[string]int64{"0402": 125, "0603": 200, "0805": 250, "1206": 500, "2512": 2000} // milliwatts, in the words of the makers 1/8 W to 2 W
)

func yageoResistor(s Spec) string {
	value := letterValue(s.Value)
	tolerance, tape := resistorTolerance.from[s.Tolerance], "R"
	if s.Jumper() {
		tolerance = "J"
	}
	if s.Size == "2010" || s.Size == "2512" {
		tape = "K"
	}
	if value == "" || tolerance != "F" && tolerance != "J" || s.Value > 22_000_000*ohms {
		return ""
	}
	return "RC" + s.Size + tolerance + tape + "-07" + value + "L"
}

func readYageoResistor(mpn string) (Spec, bool) {
	m := yageoRC.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	v, ok := readLetterValue(m[4])
	s, ok := resistor(m[1], m[2], v, ok)
	if strings.HasSuffix(m[3], "W") {
		s.Power = yageoDouble[s.Size] // of other sizes it is not known
	}
	return s, ok
}

// UNI-ROYAL: 0603WAF4701T5E. The value has three digits and an exponent; J and
// K stand for the exponents −1 and −2.

var (
	royal      = regexp.MustCompile(`^([0-9]{4})(W[AGM8420])([FJ])([0-9]{3}[0-9JK])(T5E|TCE|TEE|T4E)$`)
	royalPower = map[string]string{"0201": "WM", "0402": "WG", "0603": "WA", "0805": "W8", "1206": "W4"}
	royalTape  = map[string]string{"0201": "TEE", "0402": "TCE", "0603": "T5E", "0805": "T5E", "1206": "T5E"}
)

func royalNumber(s Spec) string {
	value := fourDigit(s.Value, "JK")
	tolerance := resistorTolerance.from[s.Tolerance]
	if s.Jumper() {
		tolerance = "F"
	}
	if value == "" || royalPower[s.Size] == "" || tolerance != "F" {
		return ""
	}
	return s.Size + royalPower[s.Size] + tolerance + value + royalTape[s.Size]
}

func readRoyal(mpn string) (Spec, bool) {
	m := royal.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	v, ok := readFourDigit(m[4], "JK")
	return resistor(m[1], m[3], v, ok)
}

// fourDigit writes three digits and an exponent, negative ones by letters.
func fourDigit(micro int64, negative string) string {
	if micro == 0 {
		return "0000"
	}
	text, power, ok := significant(micro, 3)
	power -= 6
	switch {
	case !ok || power > 7 || power < -len(negative):
		return ""
	case power < 0:
		return text + string(negative[-power-1])
	}
	return text + strconv.Itoa(power)
}

func readFourDigit(text, negative string) (int64, bool) {
	n, err := strconv.ParseUint(text[:3], 10, 16)
	if err != nil {
		return 0, false
	}
	v := int64(n) * ohms
	if i := strings.IndexByte(negative, text[3]); i >= 0 {
		for range i + 1 {
			v /= 10
		}
		return v, true
	}
	for range text[3] - '0' {
		v *= 10
	}
	return v, true
}

// Panasonic ERJ: ERJ-3EKF4701V. Values below 100 Ω have R as point: 49R9.

var (
	panasonic     = regexp.MustCompile(`^ERJ-?(1GN|2RK|3EK|6EN|8EN|14N|1TN)F([0-9R]{4})([CXVU])$`)
	panasonicSize = newCode(map[string]string{"1GN": "0201", "2RK": "0402", "3EK": "0603", "6EN": "0805", "8EN": "1206", "14N": "1210", "1TN": "2512"})
	panasonicTape = map[string]string{"0201": "C", "0402": "X", "0603": "V", "0805": "V", "1206": "V", "1210": "U", "2512": "U"}
)

func panasonicNumber(s Spec) string {
	size, ok := panasonicSize.from[s.Size]
	if !ok || s.Tolerance != 10_000 || s.Value < 10*ohms || s.Value > 1_000_000*ohms {
		return ""
	}
	value := fourDigit(s.Value, "")
	if s.Value < 100*ohms {
		value = formatLettered(s.Value, ohms, 'R', 4)
	}
	if value == "" {
		return ""
	}
	return "ERJ-" + size + "F" + value + panasonicTape[s.Size]
}

func readPanasonic(mpn string) (Spec, bool) {
	m := panasonic.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	v, ok := readLettered(m[2], 'R', ohms)
	if !ok && !strings.Contains(m[2], "R") {
		v, ok = readFourDigit(m[2], "")
	}
	s, ok := resistor(panasonicSize.of[m[1]], "F", v, ok)
	if v == 10*ohms {
		s.Tempco = thickTempco(s.Size, v+1) // theirs begins at 10 Ω
	}
	switch s.Size {
	case "0402":
		s.Power = 100 // others' of that size 63 mW
	case "0201":
		s.Voltage = 0 // no data sheet of theirs at hand states one, and makers have 15 and 25 V
	}
	return s, ok
}

// Vishay CRCW: CRCW06034K70FKEA.

var (
	crcw     = regexp.MustCompile(`^CRCW([0-9]{4})([0-9RKM]{4})([FJZ])([KNS0])?E[ABDG]$`)
	crcwTape = map[string]string{"0402": "ED", "0603": "EA", "0805": "EA", "1206": "EA", "1210": "EA", "2010": "EF", "2512": "EG"}
)

func crcwNumber(s Spec) string {
	if crcwTape[s.Size] == "" || s.Tolerance != 10_000 && !s.Jumper() {
		return ""
	}
	if s.Jumper() {
		return "CRCW" + s.Size + "0000Z0" + crcwTape[s.Size]
	}
	letter, scale := byte('R'), int64(ohms)
	switch {
	case s.Value >= 1_000_000*ohms:
		letter, scale = 'M', 1_000_000*ohms
	case s.Value >= 1_000*ohms:
		letter, scale = 'K', 1_000*ohms
	}
	value := formatLettered(s.Value, scale, letter, 4)
	if value == "" || s.Value < ohms {
		return ""
	}
	return "CRCW" + s.Size + value + "FK" + crcwTape[s.Size]
}

func readCRCW(mpn string) (Spec, bool) {
	m := crcw.FindStringSubmatch(mpn)
	if m == nil {
		return Spec{}, false
	}
	if m[2] == "0000" {
		return resistor(m[1], "J", 0, true)
	}
	v, ok := readLetterValue(m[2])
	s, ok := resistor(m[1], m[3], v, ok)
	if ppm := map[string]int64{"K": 100, "N": 200, "S": 50}[m[4]]; s.Tempco > 0 && ppm > 0 {
		s.Tempco = ppm
	}
	switch s.Size {
	case "2010":
		s.Voltage = 400_000
	case "2512":
		s.Voltage = 500_000
	}
	return s, ok
}
