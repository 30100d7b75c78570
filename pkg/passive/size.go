package passive

import (
	"regexp"
	"strings"
)

// sizePower is what a thick film resistor of a chip size is rated for, in
// milliwatts: YAGEO's RC_L and Vishay's D/CRCW e3 (resistors.go has the data sheets). 1/16 W
// is written as 62 and as 63 mW; these meet both.
var sizePower = map[string]int64{
	"0201": 50, "0402": 63, "0603": 100, "0805": 125, "1206": 250, "1210": 500, "2010": 750, "2512": 1000,
}

// sizeVoltage is the working voltage of thick film resistors of a chip size, in
// millivolts, by the makers' data sheets; where one series has another, its reader says so.
var sizeVoltage = map[string]int64{
	"0201": 25_000, "0402": 50_000, "0603": 75_000, "0805": 150_000, "1206": 200_000, "1210": 200_000, "2010": 200_000, "2512": 200_000,
}

// thickTempco is the temperature coefficient of thick film resistors of ordinary series
// in ppm/°C; 0 for values at which series differ: up to 10 Ω and above 10 MΩ, at which
// most promise 200 to 400 ppm/°C only.
func thickTempco(size string, micro int64) int64 {
	switch {
	case micro <= 10*ohms || micro > 10_000_000*ohms:
		return 0
	case size == "0201" || size == "01005":
		return 200
	}
	return 100
}

// metricSizes are imperial chip sizes by their metric names.
var metricSizes = map[string]string{
	"0402": "01005", "0603": "0201", "1005": "0402", "1608": "0603", "2012": "0805", "2013": "0805", "2125": "0805", "3216": "1206", "3225": "1210",
	"4516": "1806", "4520": "1808", "4532": "1812", "5025": "2010", "5750": "2220", "6332": "2512", "6432": "2512",
}

var imperialSizes = func() map[string]bool {
	m := map[string]bool{}
	for _, imperial := range metricSizes {
		m[imperial] = true
	}
	return m
}()

var (
	// R_0603_1608Metric, and RESC1608X55N as IPC-7351 names land patterns.
	bothSizes  = regexp.MustCompile(`(?:^|[^0-9])(01005|[0-9]{4})_[0-9]{4,5}Metric`)
	ipcPattern = regexp.MustCompile(`(?i)(?:RES|CAP|IND|FER|BEAD)[A-Z]{0,3}([0-9]{4})X[0-9]`)
	metricWord = regexp.MustCompile(`(?i)(?:^|[^0-9])([0-9]{4})[ _-]?(?:metric|\(?m\)?(?:[^a-z]|$))`)
	sizeDigits = regexp.MustCompile(`(?:^|[^0-9.])(01005|0201|0402|0603|0805|1206|1210|1806|1808|1812|2010|2220|2512)(?:[^0-9.]|$)`)
	// What a spreadsheet leaves of 0402 when it takes it for a number.
	lostZero = regexp.MustCompile(`^(201|402|603|805)$`)
	// Land patterns that hold something else than one chip.
	noChip = regexp.MustCompile(`(?i)array|axial|radial|DIN[0-9]|melf|disc|rect|^CP_|tantal|elec|trimm|potent|sot|soic|qfn|crystal|network|_4x|x4`)
)

// Size reads the imperial chip size out of the name of a footprint or package;
// "" where it names none.
func Size(footprint string) string {
	f := strings.TrimSpace(footprint)
	if _, name, ok := strings.Cut(f, ":"); ok {
		f = name
	}
	if noChip.MatchString(f) {
		return ""
	}
	if m := bothSizes.FindStringSubmatch(f); m != nil && imperialSizes[m[1]] {
		return m[1]
	}
	if m := ipcPattern.FindStringSubmatch(f); m != nil {
		return metricSizes[m[1]]
	}
	if m := lostZero.FindString(f); m != "" {
		return "0" + m
	}
	return sizeIn(f)
}

// sizeIn finds a chip size in running text; an imperial one is believed before
// a metric one.
func sizeIn(text string) string {
	if m := sizeDigits.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	if m := metricWord.FindStringSubmatch(text); m != nil {
		return metricSizes[m[1]]
	}
	return ""
}
