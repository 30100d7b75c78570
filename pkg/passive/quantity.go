package passive

import (
	"math/bits"
	"regexp"
	"strconv"
	"strings"
)

// A unit is what a number counts.
type unit byte

const (
	noUnit unit = iota
	ohm
	farad
	henry
)

// A quantity is a number with its metric prefix as written, before it is known
// what it counts.
type quantity struct {
	digits string // without a point
	places int    // digits after the point
	power  int    // of ten, from the prefix
	unit   unit
	prefix bool // a prefix or unit was written
}

var (
	plainQuantity = regexp.MustCompile(`^([0-9]{1,9})(?:[.,]([0-9]{1,6}))?(f|p|n|u|µ|μ|m|k|K|M|[Mm]eg|MEG|G|P|N|U)?(ohms?|Ohms?|OHMS?|Ω|Ω|[Rr]|E|[Ff]|[Ff]arads?|[Hh])?$`)
	letterForPart = regexp.MustCompile(`^([0-9]{0,6})(p|n|u|µ|μ|m|k|K|M|G|P|N|U|R|r|E)([0-9]{1,4})(ohms?|Ohms?|OHMS?|Ω|Ω|[Ff]|[Hh])?$`)
)

var powers = map[string]int{"f": -15, "p": -12, "P": -12, "n": -9, "N": -9, "u": -6, "U": -6, "µ": -6, "μ": -6, "m": -3, "": 0, "k": 3, "K": 3, "M": 6, "Meg": 6, "meg": 6, "MEG": 6, "G": 9}

func unitOf(text string) unit {
	switch strings.ToLower(text) {
	case "":
		return noUnit
	case "f", "farad", "farads":
		return farad
	case "h":
		return henry
	}
	return ohm
}

// parseQuantity reads 4.7k, 4k7, 100nF, 0R22, R22, 10uH, 120ohm.
func parseQuantity(word string) (quantity, bool) {
	if strings.HasPrefix(word, ".") { // .1uF
		word = "0" + word
	}
	if scientific(word) {
		return quantity{}, false
	}
	if m := letterForPart.FindStringSubmatch(word); m != nil {
		q := quantity{digits: m[1] + m[3], places: len(m[3]), unit: unitOf(m[4]), prefix: true}
		if letter := m[2]; letter == "R" || letter == "r" || letter == "E" {
			q.unit = ohm
		} else {
			q.power = powers[letter]
		}
		return q, true
	}
	m := plainQuantity.FindStringSubmatch(word)
	if m == nil {
		return quantity{}, false
	}
	return quantity{
		digits: m[1] + m[2], places: len(m[2]), power: powers[m[3]], unit: unitOf(m[4]), prefix: m[3] != "" || m[4] != "",
	}, true
}

// maxOhms is the largest resistance of ordinary chips.
const maxOhms = 22_000_000

// scientific reports whether a word may be a number in the notation of calculators as well
// as one with E for its point: 2E2 is 200, or 2.2; 4E7 is 4.7 alone.
func scientific(word string) bool {
	digits, power, ok := strings.Cut(strings.ToUpper(word), "E")
	n, err := strconv.ParseUint(digits, 10, 32)
	e, bad := strconv.ParseUint(power, 10, 8)
	if !ok || err != nil || bad != nil || e == 0 || e > 9 {
		return false
	}
	for range e {
		n *= 10
	}
	return n <= maxOhms
}

// convert gives the quantity as a whole number of 10^smallest; false where it is none
// or out of range.
func (q quantity) convert(smallest int) (int64, bool) {
	v, err := strconv.ParseUint(q.digits, 10, 62)
	if err != nil {
		return 0, false
	}
	shift := q.power - q.places - smallest
	for ; shift < 0; shift++ {
		if v%10 != 0 {
			return 0, false
		}
		v /= 10
	}
	for ; shift > 0 && v > 0; shift-- {
		hi, lo := bits.Mul64(v, 10)
		if hi > 0 || lo > 1<<62 {
			return 0, false
		}
		v = lo
	}
	return int64(v), true
}

// smallest are the powers of ten that values are counted in.
var smallest = map[Kind]int{Resistor: -6, Ferrite: -6, Capacitor: -15, Inductor: -12}

var kindUnit = map[Kind]unit{Resistor: ohm, Ferrite: ohm, Capacitor: farad, Inductor: henry}

// thousands is a number whose sign may part the thousands or begin three decimals, which
// no value of a series has.
var thousands = regexp.MustCompile(`^[1-9][0-9]{0,2}[.,][0-9]{3}(?:[^0-9]|$)`)

// valueOf reads a word as the value of a part of that kind. Capital M is mega
// for ohms only: nobody sells farads by the million.
func valueOf(word string, k Kind) (int64, bool) {
	q, ok := parseQuantity(word)
	if !ok || thousands.MatchString(word) || q.unit != noUnit && q.unit != kindUnit[k] {
		return 0, false
	}
	if k == Capacitor || k == Inductor {
		if !q.prefix || q.power > 0 || q.power == 0 && q.unit == noUnit {
			return 0, false
		}
	} else if q.power < -3 || q.power < 0 && q.unit == noUnit {
		return 0, false
	}
	return q.convert(smallest[k])
}
