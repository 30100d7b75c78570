package passive

import (
	"slices"
	"strconv"
	"strings"
)

// A Numbered is a part number that a manufacturer's rules give to a
// specification.
type Numbered struct {
	MPN          string
	Manufacturer string
	Spec         Spec
}

// A series is a family of parts whose numbers follow one rule.
type series struct {
	manufacturer string
	kind         Kind
	// number writes the part number of s; "" where the series has no such part.
	number func(s Spec) string
	// read is its inverse for numbers of this form.
	read func(mpn string) (Spec, bool)
}

// full reads a number with what its series is made for.
func (r *series) full(mpn string) (Spec, bool) {
	s, ok := r.read(mpn)
	grade, _ := GradeOf(mpn)
	s.Qualities |= grade
	return s, ok
}

// plainMPN writes a number as the readers of series take it.
func plainMPN(mpn string) string { return strings.ToUpper(strings.TrimSpace(mpn)) }

// all series in the order in which they are preferred: what is kept in large
// stocks first.
var all = []series{
	{"UNI-ROYAL", Resistor, royalNumber, readRoyal},
	{"YAGEO", Resistor, yageoResistor, readYageoResistor},
	{"Panasonic", Resistor, panasonicNumber, readPanasonic},
	{"Vishay Dale", Resistor, crcwNumber, readCRCW},
	{"Samsung Electro-Mechanics", Capacitor, samsungNumber, readSamsung},
	{"YAGEO", Capacitor, yageoCapacitor, readYageoCapacitor},
	{"KEMET", Capacitor, kemetNumber, readKemet},
	{"KYOCERA AVX", Capacitor, avxNumber, readAVX},
	{"Murata Electronics", Capacitor, nil, readMurata},
	{"TDK", Capacitor, nil, readTDK},
	{"Taiyo Yuden", Capacitor, nil, readTaiyo},
	{"FH", Capacitor, nil, readFenghua},
	{"Walsin", Capacitor, nil, readWalsin},
}

// perSeries is how many numbers of each series are given: those of the lowest voltage that
// will do, and of the next, since not every value is kept at every voltage.
const perSeries = 2

// Number gives the part numbers that meet want, one or two of each series, in
// order of preference. What want leaves unstated is assumed as in [Spec.Assume].
func Number(want Spec) []Numbered {
	want, _ = want.Assume()
	var out, more []Numbered
	for _, r := range all {
		if r.kind != want.Kind || r.number == nil || want.Size == "" {
			continue
		}
		for i, n := range r.numbers(want) {
			if i == 0 {
				out = append(out, n)
			} else {
				more = append(more, n)
			}
		}
	}
	return append(out, more...)
}

// numbers gives the numbers of a series that meet want, of different voltages.
func (r *series) numbers(want Spec) []Numbered {
	var out []Numbered
	for _, s := range candidates(want) {
		mpn := r.number(s)
		if mpn == "" || slices.ContainsFunc(out, func(n Numbered) bool { return n.Spec.Voltage == s.Voltage || s.Voltage == 0 }) {
			continue
		}
		if full, ok := r.full(mpn); ok && full.Meets(want) {
			if out = append(out, Numbered{mpn, r.manufacturer, full}); len(out) == perSeries {
				break
			}
		}
	}
	return out
}

// rungs are the voltages among which one is chosen where none is asked for.
var rungs = []int64{50_000, 25_000, 16_000, 10_000, 6_300}

// perRung is how many makers' numbers each of them has.
const perRung = 2

// Ladder gives part numbers for a capacitor of any usual voltage, the highest first.
func Ladder(want Spec) []Numbered {
	full, _ := want.Assume()
	var out []Numbered
	for _, v := range rungs {
		if v < full.Voltage {
			break
		}
		want.Voltage = v
		n := 0
		for _, p := range Number(want) {
			if p.Spec.Voltage == v && n < perRung {
				out = append(out, p)
				n++
			}
		}
	}
	return out
}

// Read tells what the part number of a known series means.
func Read(mpn string) (Numbered, bool) {
	mpn = plainMPN(mpn)
	for _, r := range all {
		if s, ok := r.full(mpn); ok {
			return Numbered{mpn, r.manufacturer, s}, true
		}
	}
	return Numbered{}, false
}

var (
	usualTolerances = []int64{10_000, 50_000, 100_000, 200_000}
	usualVoltages   = []int64{6_300, 10_000, 16_000, 25_000, 35_000, 50_000, 100_000}
	usualDielectric = []string{"X5R", "X7R", "C0G"}
)

// candidates lists what manufacturers make that is at least as good as want, the
// plainest first.
func candidates(want Spec) []Spec {
	var out []Spec
	volts := []int64{want.Voltage} // of a resistor the size decides
	if want.Kind == Capacitor {
		volts = valuesFrom(usualVoltages, want.Voltage)
	}
	for _, d := range dielectricsFor(want) {
		for _, v := range volts {
			for _, t := range valuesUpTo(usualTolerances, want.Tolerance) {
				s := want
				s.Dielectric, s.Voltage, s.Tolerance = d, v, t
				out = append(out, s)
			}
		}
	}
	return out
}

func dielectricsFor(want Spec) []string {
	if want.Kind != Capacitor {
		return []string{""}
	}
	return slices.DeleteFunc(slices.Clone(usualDielectric), func(d string) bool { return want.Dielectric != "" && !steadier(d, want.Dielectric) })
}

func valuesFrom(usual []int64, v int64) []int64 {
	if v == 0 {
		return []int64{0}
	}
	return slices.DeleteFunc(slices.Clone(usual), func(u int64) bool { return u < v })
}

// valuesUpTo gives the tolerances that are close enough, the widest first.
func valuesUpTo(usual []int64, v int64) []int64 {
	out := slices.DeleteFunc(slices.Clone(usual), func(u int64) bool { return u > v })
	slices.Reverse(out)
	return out
}

// A code is a two-way table between what is written and what it means.
type code[K, V comparable] struct {
	of   map[K]V
	from map[V]K
}

func newCode[K, V comparable](of map[K]V) code[K, V] {
	c := code[K, V]{of, map[V]K{}}
	for k, v := range of {
		c.from[v] = k
	}
	return c
}

// significant writes a value as so many digits and a power of ten; false where
// it needs more digits.
func significant(v int64, digits int) (text string, power int, ok bool) {
	text = strconv.FormatInt(v, 10)
	for len(text) > digits && strings.HasSuffix(text, "0") {
		text = text[:len(text)-1]
		power++
	}
	for ; len(text) < digits; power-- {
		text += "0"
	}
	return text, power, len(text) == digits
}

// threeDigit writes picofarads as capacitors are coded: 104 is 100 nF, 4R7 or
// 4.7 pF with R as point.
func threeDigit(femto int64) string {
	if femto < 10_000 {
		return formatLettered(femto, 1000, 'R', 3)
	}
	text, power, ok := significant(femto, 2)
	if !ok || power < 3 || power > 12 {
		return ""
	}
	return text + strconv.Itoa(power-3)
}

func readThreeDigit(text string) (int64, bool) {
	if len(text) != 3 {
		return 0, false
	}
	if v, ok := readLettered(text, 'R', 1000); ok {
		return v, true
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return 0, false
	}
	v := int64(n/10) * 1000
	for range n % 10 {
		v *= 10
	}
	return v, n/10 > 0
}

// formatLettered writes v/scale with a letter for the point in exactly width
// characters: 49R9, 4R70. It gives "" where that loses digits.
func formatLettered(v, scale int64, letter byte, width int) string {
	whole := strconv.FormatInt(v/scale, 10)
	fraction := strings.TrimRight(strconv.FormatInt(scale+v%scale, 10)[1:], "0")
	if len(whole)+1+len(fraction) > width {
		return ""
	}
	return whole + string(letter) + fraction + strings.Repeat("0", width-1-len(whole)-len(fraction))
}

func readLettered(text string, letter byte, scale int64) (int64, bool) {
	whole, fraction, ok := strings.Cut(text, string(letter))
	if !ok || whole == "" && fraction == "" {
		return 0, false
	}
	v, err := strconv.ParseUint("0"+whole+fraction, 10, 32)
	if err != nil {
		return 0, false
	}
	n := int64(v) * scale
	for range fraction {
		if n%10 != 0 {
			return 0, false
		}
		n /= 10
	}
	return n, true
}
