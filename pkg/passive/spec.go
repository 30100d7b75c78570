// Package passive reads what people write about resistors, capacitors,
// inductors and ferrite beads, and knows how manufacturers number theirs:
// "4k7 1% 0603" and RC0603FR-074K7L are the same specification. It knows no
// supplier and no price.
package passive

import (
	"strconv"
	"strings"
)

// A Kind is a kind of passive part.
type Kind string

// The kinds of passive parts that a specification can name.
const (
	Resistor  Kind = "resistor"
	Capacitor Kind = "capacitor"
	Inductor  Kind = "inductor"
	Ferrite   Kind = "ferrite"
)

// A Spec is what makes two passive parts interchangeable. Zero means unstated.
type Spec struct {
	Kind       Kind   `json:"kind"`
	Value      int64  `json:"value"`                // micro-ohms (a ferrite's at 100 MHz), femtofarads or picohenries; 0 only for a jumper
	Size       string `json:"size,omitempty"`       // imperial chip size: "0603"
	Tolerance  int64  `json:"tolerance,omitempty"`  // parts per million
	Voltage    int64  `json:"voltage,omitempty"`    // millivolts
	Power      int64  `json:"power,omitempty"`      // milliwatts
	Current    int64  `json:"current,omitempty"`    // milliamperes
	Dielectric string `json:"dielectric,omitempty"` // EIA code: "X7R", "C0G"
	Hottest    int64  `json:"hottest,omitempty"`    // °C that the part works at, at most
	Coldest    int64  `json:"coldest,omitempty"`    // °C, at least
	Tempco     int64  `json:"tempco,omitempty"`     // of a resistor: ppm/°C, at most
	Height     int64  `json:"height,omitempty"`     // micrometres above the board, nominally

	Qualities Qualities `json:"qualities,omitempty"`
}

// Jumper reports whether the part is a resistor of no resistance.
func (s Spec) Jumper() bool { return s.Kind == Resistor && s.Value == 0 }

// Meets reports whether a part of specification s may be fitted where want is
// asked for: the same kind, value and size, and nothing that want states is
// worse. What s does not state counts as not met.
func (s Spec) Meets(want Spec) bool {
	if s.Kind != want.Kind || s.Value != want.Value || want.Size != "" && s.Size != want.Size {
		return false
	}
	if want.Tolerance > 0 && !want.Jumper() && (s.Tolerance == 0 || s.Tolerance > want.Tolerance) {
		return false
	}
	if s.Voltage < want.Voltage || s.Power < want.Power || s.Current < want.Current {
		return false
	}
	if want.Hottest > 0 && s.heat() < want.Hottest || want.Coldest < 0 && s.cold() > want.Coldest {
		return false
	}
	if want.Height > 0 && (s.Height == 0 || s.Height > want.Height) || want.Tempco > 0 && (s.Tempco == 0 || s.Tempco > want.Tempco) {
		return false
	}
	if !s.Qualities.Contain(want.Qualities) {
		return false
	}
	return want.Dielectric == "" || steadier(s.Dielectric, want.Dielectric)
}

// Assume fills what s leaves unstated with what an ordinary part of that value
// and size has, so that the part chosen is never worse than anybody expects. It
// returns the words for what was assumed, such as "1 %" and "X7R".
func (s Spec) Assume() (Spec, []string) {
	before := s
	switch s.Kind {
	case Resistor:
		setIfZero(&s.Tolerance, 10_000)
		setIfZero(&s.Power, sizePower[s.Size])
	case Capacitor:
		s.assumeCapacitor()
	}
	return s, s.wordsBeyond(before)
}

const nano, micro = 1_000_000, 1_000_000_000 // femtofarads

func (s *Spec) assumeCapacitor() {
	small := s.Value <= nano
	if s.Dielectric == "" {
		s.Dielectric = "X5R"
		if small {
			s.Dielectric = "C0G"
		} else if s.Value < micro {
			s.Dielectric = "X7R"
		}
	}
	switch {
	case small:
		setIfZero(&s.Tolerance, 50_000)
		setIfZero(&s.Voltage, 50_000)
	case s.Value < 10*micro:
		setIfZero(&s.Tolerance, 100_000)
		setIfZero(&s.Voltage, 10_000)
	default:
		setIfZero(&s.Tolerance, 200_000)
		setIfZero(&s.Voltage, 6_300)
	}
}

// UsualVoltage reports whether capacitors of a value are all made for the same
// voltage, more than boards have: those of a nanofarad and less for 50 V.
func UsualVoltage(femto int64) bool { return femto <= nano }

func setIfZero(v *int64, usual int64) {
	if *v == 0 {
		*v = usual
	}
}

// wordsBeyond words what s states and before does not.
func (s Spec) wordsBeyond(before Spec) []string {
	var words []string
	if s.Tolerance != before.Tolerance && !s.Jumper() {
		words = append(words, toleranceText(s.Tolerance))
	}
	if s.Voltage != before.Voltage {
		words = append(words, "at least "+s.VoltageText())
	}
	if s.Power != before.Power {
		words = append(words, "at least "+powerText(s.Power))
	}
	if s.Dielectric != before.Dielectric {
		words = append(words, s.Dielectric+" or better")
	}
	return words
}

// String writes the specification as a person would: "100 nF 10 % 16 V X7R 0402".
func (s Spec) String() string {
	words := []string{s.ValueText()}
	if s.Tolerance > 0 && !s.Jumper() {
		words = append(words, toleranceText(s.Tolerance))
	}
	if s.Voltage > 0 {
		words = append(words, s.VoltageText())
	}
	if s.Power > 0 {
		words = append(words, powerText(s.Power))
	}
	if s.Current > 0 {
		words = append(words, formatScaled(s.Current, 1000, "A"))
	}
	if s.Tempco > 0 {
		words = append(words, tempcoText(s.Tempco))
	}
	if s.Hottest > 0 && s.Kind == Capacitor || s.Coldest < 0 && s.Kind == Capacitor {
		words = append(words, s.temperatures())
	}
	for _, w := range []string{s.Dielectric, s.Size} {
		if w != "" {
			words = append(words, w)
		}
	}
	text := strings.Join(words, " ")
	if s.Qualities != 0 {
		text += ", " + s.Qualities.String()
	}
	return text
}

// VoltageText writes the voltage with its unit: "6.3 V".
func (s Spec) VoltageText() string { return formatScaled(s.Voltage, 1000, "V") }

// ValueText writes the value with its unit: "4.7 kΩ", "100 nF", "2.2 µH".
func (s Spec) ValueText() string {
	switch s.Kind {
	case Resistor, Ferrite:
		return formatPrefixed(s.Value, "Ω", []string{"µ", "m", "", "k", "M", "G"})
	case Capacitor:
		return formatPrefixed(s.Value, "F", []string{"f", "p", "n", "µ", "m", ""})
	case Inductor:
		return formatPrefixed(s.Value, "H", []string{"p", "n", "µ", "m", ""})
	}
	return strconv.FormatInt(s.Value, 10)
}

// formatPrefixed writes v of the smallest prefix with the largest that leaves a whole
// part.
func formatPrefixed(v int64, unit string, prefixes []string) string {
	if v == 0 {
		return "0 " + unit
	}
	i, scale := 0, int64(1)
	for i+1 < len(prefixes) && v >= scale*1000 {
		i++
		scale *= 1000
	}
	return formatScaled(v, scale, prefixes[i]+unit)
}

// formatScaled writes v/scale without needless zeros.
func formatScaled(v, scale int64, unit string) string {
	text := strconv.FormatInt(v/scale, 10)
	if rest := v % scale; rest > 0 {
		digits := strconv.FormatInt(scale+rest, 10)[1:]
		text += "." + strings.TrimRight(digits, "0")
	}
	return text + " " + unit
}

func tempcoText(ppm int64) string { return strconv.FormatInt(ppm, 10) + " ppm/°C" }

func heightText(micrometres int64) string { return formatScaled(micrometres, 1000, "mm") }

func powerText(milliwatts int64) string { return strconv.FormatInt(milliwatts, 10) + " mW" }

// temperatures is between which temperatures the part works, as far as it is known.
func (s Spec) temperatures() string {
	cold, hot := strconv.FormatInt(s.cold(), 10), strconv.FormatInt(s.heat(), 10)
	switch {
	case s.cold() != 0 && s.heat() != 0:
		return cold + " to " + hot + " °C"
	case s.heat() != 0:
		return "up to " + hot + " °C"
	case s.cold() != 0:
		return "from " + cold + " °C"
	}
	return Unknown
}

func toleranceText(ppm int64) string { return formatScaled(ppm, 10_000, "%") }
