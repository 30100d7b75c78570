package part

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/passive"
)

// measures are what makes a passive part of each kind, by the names that suppliers
// give them, and the designator that such a part has.
var measures = []struct {
	ref   string
	names []string
}{
	{"C1", []string{"capacitance"}},
	{"R1", []string{"resistance", "resistanceohms"}},
	{"FB1", []string{"impedancefrequency", "impedance100mhz", "impedance"}},
	{"L1", []string{"inductance"}},
}

// ratings are the names of what else a specification states.
var ratings = []string{"tolerance", "voltagerated", "voltagerating", "voltageratingdc", "ratedvoltage", "temperaturecoefficient", "dielectric", "dielectricmaterial",
	"power", "powerwatts", "powerrating"}

var (
	hottest = []string{"operatingtemperature", "operatingtemperaturerange", "maxoperatingtemperature"}
	height  = []string{"thicknessmax", "heightseatedmax", "thickness", "height"}
)

// Data reads what a supplier's parameters say of a passive part in a package; zero
// for any other part. Names differ in case and punctuation between suppliers, and
// values are written in many ways: "0.1 µF", "100nF", "C0G, NP0", "-55°C ~ 125°C".
func Data(pack string, parameters map[string]string) passive.Spec {
	byName := map[string]string{}
	for name, value := range parameters {
		byName[letters(name)] = value
	}
	first := func(names []string) string {
		for _, n := range names {
			if v := strings.TrimSpace(byName[n]); v != "" && v != "-" {
				return v
			}
		}
		return ""
	}
	for _, m := range measures {
		value := first(m.names)
		if value == "" {
			continue
		}
		var words []string
		for _, n := range ratings {
			words = append(words, first([]string{n}))
		}
		spec, ok := passive.Parse(passive.Line{Ref: m.ref, Value: plainUnit(value), Footprint: pack, Description: strings.Join(words, " ")})
		if !ok {
			return passive.Spec{}
		}
		spec.Hottest, spec.Height = highest(first(hottest)), micrometres(first(height))
		return spec
	}
	return passive.Spec{}
}

// letters leaves letters and digits of a parameter's name.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, name)
}

// plainUnit writes a value as one word: "10 kOhms" as "10k", "0.1 µF" as "0.1µF",
// and of "600 Ohms @ 100 MHz" the first part.
func plainUnit(value string) string {
	value, _, _ = strings.Cut(value, "@")
	value = strings.NewReplacer("Ohms", "Ω", "Ohm", "Ω", "ohms", "Ω", "ohm", "Ω").Replace(value)
	return strings.ReplaceAll(strings.TrimSpace(value), " ", "")
}

var degrees = regexp.MustCompile(`[+-]?[0-9]{1,3}(?: ?°? ?C|℃|\b)`)

// highest gives the highest of the temperatures of a range in °C; 0 for none.
func highest(text string) int64 {
	var out []int64
	for _, m := range degrees.FindAllString(text, -1) {
		n, err := strconv.ParseInt(strings.TrimRight(m, " °C℃"), 10, 64)
		if err == nil && n <= 500 {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return 0
	}
	return max(slices.Max(out), 0)
}

var millimetres = regexp.MustCompile(`([0-9]+(?:\.[0-9]+)?) ?mm`)

// micrometres reads "0.90mm" and `0.035" (0.90mm)`; 0 for no millimetres.
func micrometres(text string) int64 {
	m := millimetres.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	f, err := strconv.ParseFloat(m[1], 64)
	if err != nil || f > 1000 {
		return 0
	}
	return int64(f*1000 + 0.5)
}

// Address gives the address of a data sheet as a browser takes it, "" for text that
// is none: some suppliers leave the scheme out, and some write a placeholder.
func Address(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "//") {
		text = "https:" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || len(text) > maxAddress {
		return ""
	}
	return u.String()
}

// maxAddress is how long the address of a data sheet is, at most.
const maxAddress = 2000
