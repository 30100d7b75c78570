package passive

import (
	"regexp"
	"strconv"
	"strings"
)

// A Line is what a bill of materials says about a part.
type Line struct {
	Ref         string // one designator, or its letters
	Value       string
	Footprint   string
	Description string
}

// Parse reads the specification of a passive part; false where the line names
// none: another kind of part, or no value.
func Parse(l Line) (Spec, bool) {
	l = Line{clip(l.Ref), clip(l.Value), clip(l.Footprint), clip(l.Description)}
	k, sure := kindOf(l)
	if k == "" || notPlain.MatchString(l.Value) || notPlain.MatchString(l.Footprint) || notPlain.MatchString(l.Description) {
		return Spec{}, false
	}
	s := Spec{Kind: k, Size: Size(l.Footprint)}
	s.ratings(l.Value)
	value, ok := findValue(words(l.Value), k)
	if !ok && sure {
		value, ok = findValue(words(l.Description), k)
	}
	if !ok {
		return Spec{}, false
	}
	s.Value = value
	s.ratings(l.Description)
	return s, true
}

// clip bounds what is looked at: nobody describes a resistor in more.
func clip(text string) string { return text[:min(len(text), 500)] }

// notPlain marks parts that are not told by a value alone.
var notPlain = regexp.MustCompile(`(?i)electrolyt|\btant|tantal|polymer|potentiometer|trimmer|\bvar(iable|istor)|thermistor|\bntc\b|\bptc\b|fuse|network|array|supercap|shunt|common[ -]?mode|crystal|rnet|polari[sz]ed|safety|film cap`)

var kindWords = []struct {
	kind Kind
	word *regexp.Regexp
}{
	{Ferrite, regexp.MustCompile(`(?i)ferrite|\bbead\b|^FB[0-9?]*$`)},
	{Resistor, regexp.MustCompile(`(?i)\bres(istor)?s?\b|\bR_[0-9]{4}|^RES[CM_]|widerstand|résistance|resistencia|电阻|抵抗`)},
	{Capacitor, regexp.MustCompile(`(?i)\bcap(acitor)?s?\b|\bC_[0-9]{4}|^CAP[C_0-9]|\bmlcc\b|kondensator|condensateur|condensador|电容|コンデンサ`)},
	{Inductor, regexp.MustCompile(`(?i)\bind(uctor)?s?\b|\bL_[0-9]{4}|^IND[C_]|spule|inducteur|bobina|电感|インダクタ`)},
}

var refKinds = map[string]Kind{"R": Resistor, "RR": Resistor, "C": Capacitor, "RC": "", "L": Inductor, "FB": Ferrite, "FER": Ferrite, "BEAD": Ferrite}

// kindOf tells the kind of part from its designator and, where that says
// nothing, from its footprint and description. A ferrite has an inductor's
// designator at times.
func kindOf(l Line) (k Kind, sure bool) {
	letters := strings.ToUpper(strings.TrimRight(strings.TrimSpace(l.Ref), "0123456789_?"))
	k = refKinds[letters]
	for _, text := range []string{l.Footprint, l.Description, l.Value} {
		for _, w := range kindWords {
			if w.word.MatchString(afterColon(text)) && (k == "" || w.kind == Ferrite && k == Inductor) {
				return w.kind, true
			}
		}
	}
	if k == "" && letters == "" {
		return kindByUnit(l.Value), false
	}
	return k, k != ""
}

// kindByUnit tells the kind of part from the unit of a value: farads, henries and
// ohms, of which a lone k or R stands for the last. M alone may be the hertz of a
// crystal, and nF is no ohm.
func kindByUnit(value string) Kind {
	for _, w := range words(value) {
		q, ok := parseQuantity(w)
		switch {
		case !ok || imperialSizes[w]:
		case q.unit == farad && q.power < 0:
			return Capacitor
		case q.unit == henry && q.power < 0:
			return Inductor
		case q.unit == ohm || q.unit == noUnit && q.power == powers["k"]:
			return Resistor
		}
	}
	return ""
}

func afterColon(text string) string {
	if _, name, ok := strings.Cut(text, ":"); ok && !strings.Contains(name, " ") {
		return name
	}
	return text
}

var (
	looseUnit = regexp.MustCompile(`(?i)([0-9]) +((?:[pnuµμmk]?)(?:F|H|ohms?|Ω|Ω|V|W|A))\b`)
	looseKilo = regexp.MustCompile(`([0-9]) +([kKM](?:[Oo]hms?|OHMS?|Ω|Ω)?)(?:\s|,|$)`)
)

// words splits text into what may be values and ratings.
func words(text string) []string {
	text = looseUnit.ReplaceAllString(text, "$1$2")
	text = looseKilo.ReplaceAllString(text, "$1$2 ")
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\r_;()[]|@=<>±~\u00a0", r) }) {
		out = append(out, splitCommas(w)...)
	}
	return out
}

// splitCommas splits at commas and slashes that are no part of a number: "4,7k"
// stays, "100nF,16V" and "16V/X7R" do not.
func splitCommas(w string) []string {
	var out []string
	start := 0
	for i := range len(w) {
		comma := w[i] == ',' && !(i > 0 && i+1 < len(w) && digit(w[i-1]) && digit(w[i+1]) && !digitsBefore(w[start:i], 4))
		slash := w[i] == '/' && !(i > 0 && i+1 < len(w) && digit(w[i-1]) && digit(w[i+1]))
		if comma || slash {
			out = append(out, w[start:i])
			start = i + 1
		}
	}
	return append(out, w[start:])
}

// digitsBefore reports whether text is at least n digits and nothing else: a
// size, not a value.
func digitsBefore(text string, n int) bool {
	if len(text) < n {
		return false
	}
	for i := range len(text) {
		if !digit(text[i]) {
			return false
		}
	}
	return true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// findValue takes the first word that is a value; one with a unit or prefix wins
// over a bare number, which counts for resistors only and where it comes first.
func findValue(ws []string, k Kind) (int64, bool) {
	for _, w := range ws {
		if q, ok := parseQuantity(w); ok && q.prefix {
			if v, ok := valueOf(w, k); ok && (v > 0 || k == Resistor) {
				return v, true
			}
		}
	}
	if k == Resistor && len(ws) > 0 && !imperialSizes[ws[0]] {
		return valueOf(ws[0], k)
	}
	return 0, false
}

var (
	percent   = regexp.MustCompile(`([0-9]{1,2}(?:[.,][0-9]{1,2})?) ?%`)
	volts     = regexp.MustCompile(`^(?:([0-9]{1,4}(?:[.,][0-9]{1,2})?)([kK]?)[vV](?:DC|dc)?|([0-9]{1,2}[vV][0-9]))$`)
	watts     = regexp.MustCompile(`(?i)(?:^|[^0-9])(?:1/([0-9]{1,2}) ?W|([0-9]{1,4}(?:[.,][0-9]{1,3})?) ?(m?)W)(?:[^a-zA-Z]|$)`)
	amperes   = regexp.MustCompile(`(?:^|[^0-9.,A-Za-z])([0-9]{1,4}(?:[.,][0-9]{1,3})?) ?(m?)A(?:[^a-zA-Z0-9]|$)`)
	dielWords = regexp.MustCompile(`(?i)(?:^|[^A-Z0-9])(X[5678][RSTL]|Z5U|Y5V|C0G|COG|NP0|NPO|CH)(?:[^A-Z0-9]|$)`)
)

// ratings adds what text says besides the value, where nothing was said before.
func (s *Spec) ratings(text string) {
	if m := percent.FindStringSubmatch(text); m != nil {
		setIfZero(&s.Tolerance, milli(m[1])*10)
	}
	if s.Kind == Capacitor {
		setIfZero(&s.Voltage, findVoltage(words(text)))
	}
	if m := watts.FindStringSubmatch(text); m != nil && s.Kind == Resistor {
		setIfZero(&s.Power, power(m[1], m[2], m[3] != ""))
	}
	if m := amperes.FindStringSubmatch(text); m != nil && (s.Kind == Inductor || s.Kind == Ferrite) {
		v := milli(m[1])
		if m[2] != "" {
			v /= 1000
		}
		setIfZero(&s.Current, v)
	}
	if m := dielWords.FindStringSubmatch(text); m != nil && s.Kind == Capacitor && s.Dielectric == "" {
		s.Dielectric = plainDielectric(m[1])
	}
	if s.Size == "" && !noChip.MatchString(text) {
		s.Size = sizeIn(text)
	}
}

func plainDielectric(word string) string {
	switch w := strings.ToUpper(word); w {
	case "COG", "NP0", "NPO", "CH":
		return "C0G"
	default:
		return w
	}
}

// milli gives thousandths of a decimal number.
func milli(text string) int64 {
	whole, part, _ := strings.Cut(strings.Replace(text, ",", ".", 1), ".")
	n, _ := strconv.ParseInt(whole+(part + "000")[:3], 10, 64)
	return n
}

// findVoltage gives the first word of words that is one: 16V, 6V3, 2kV.
func findVoltage(words []string) int64 {
	for _, w := range words {
		m := volts.FindStringSubmatch(w)
		switch {
		case m == nil:
		case m[3] != "":
			return milli(strings.NewReplacer("V", ".", "v", ".").Replace(m[3]))
		case m[2] != "":
			return 1000 * milli(m[1])
		default:
			return milli(m[1])
		}
	}
	return 0
}

// power gives milliwatts, of a fraction rounded down.
func power(fraction, number string, isMilli bool) int64 {
	if fraction != "" {
		n, _ := strconv.ParseInt(fraction, 10, 64)
		return 1000 / max(n, 1)
	}
	v := milli(number)
	if isMilli {
		v /= 1000
	}
	return v
}
