package passive

import (
	"regexp"
	"strings"
)

var (
	percent   = regexp.MustCompile(`(?:±|\+ ?/ ?- ?)?([0-9]{1,2}(?:[.,][0-9]{1,2})?) ?[%％]`)
	absolute  = regexp.MustCompile(`(?:±|\+ ?/? ?-) ?([0-9]{1,2}(?:[.,][0-9]{1,3})?) ?[pP](?:[fF]|\b)`)
	volts     = regexp.MustCompile(`^(?:([0-9]{1,4}(?:[.,][0-9]{1,2})?)([kK]?)[vV](?:DC|dc|Dc)?|([0-9]{1,2}[vV][0-9]))$`)
	watts     = regexp.MustCompile(`(?i)(?:^|[^0-9])(?:1/([0-9]{1,2}) ?W|([0-9]{1,4}(?:[.,][0-9]{1,3})?) ?(m?)W)(?:att)?s?(?:[^a-zA-Z]|$)`)
	amperes   = regexp.MustCompile(`(?:^|[^0-9.,A-Za-z])([0-9]{1,4}(?:[.,][0-9]{1,3})?) ?([mM]?)A(?:[^a-zA-Z0-9]|$)`)
	dielWords = regexp.MustCompile(`(?i)(?:^|[^A-Z0-9]|\b[0-9]{4})(X[5678][RSTL]|Z5U|Y5V|C0G|COG|NP0|NPO|CH)(?:[^A-Z0-9]|$)`)
	tempco    = regexp.MustCompile(`(?i)(?:\bT\.?C\.?R?\.? ?[:=]? ?)?(?:±|\+ ?/ ?- ?)?\b([0-9]{1,4}) ?ppm(?: ?(?:/|per) ?(?:°|º)? ?[CK]\b| ?/ ?℃)?`)
	between   = regexp.MustCompile(`(?i)(^|[^0-9.,A-Z])([+−–-]? ?[0-9]{1,3}) ?[°º˚]?(?:C|℃)? ?(?:\.{2,3}|…|~|/|\bto\b|\bbis\b|至|–|-) ?(\+? ?[0-9]{2,3}) ?(?:[°º˚]? ?C\b|℃)`)
	upTo      = regexp.MustCompile(`(?i)(?:^|[^0-9.,A-Z/-])\+?([0-9]{2,3}) ?(?:[°º˚] ?C\b|℃|deg ?C\b)|(?:^|[^0-9.,A-Z/-])\+?((?:8|10|12|15|17)[05]) ?C\b`)
	tight     = regexp.MustCompile(`([^0-9\s]),([0-9])`) // a comma that is no decimal one
	tall      = regexp.MustCompile(`(?i)\b(?:h|t|height|thickness|thick|höhe|dicke)(?:max)? ?[.:=≤<]* ?([0-9](?:[.,][0-9]{1,3})?) ?mm\b|\b([0-9](?:[.,][0-9]{1,3})?) ?mm ?(?:h|t|high|height|thick|thickness|max\.? height)\b`)
)

// ratings adds what text says besides the value, where nothing was said before. rest is
// the text without what was understood: what says the same again is, and what says
// something else is not.
func (s *Spec) ratings(text string) (rest string) {
	rest = tight.ReplaceAllString(text, "$1, $2")
	if s.Kind == Capacitor {
		rest = lesserDielectric(rest)
		rest = removeDrift(rest)
	}
	number := func(of *int64, v int64) bool {
		setIfZero(of, v)
		return *of == v
	}
	if s.Kind == Capacitor {
		rest = removeMatches(rest, absolute, func(m []string) bool {
			return s.Value > 0 && number(&s.Tolerance, milli(m[1])*1_000_000/s.Value)
		})
	}
	rest = removeMatches(rest, percent, func(m []string) bool { return number(&s.Tolerance, milli(m[1])*10) })
	rest = removeMatches(rest, between, func(m []string) bool {
		cold, hot := degrees(m[2]), degrees(m[3])
		return cold <= 0 && hot > 0 && number(&s.Coldest, cold) && number(&s.Hottest, hot)
	})
	rest = removeMatches(rest, upTo, func(m []string) bool { return number(&s.Hottest, degrees(m[1]+m[2])) })
	rest = removeMatches(rest, tall, func(m []string) bool { return number(&s.Height, milli(m[1]+m[2])) })
	for _, q := range qualityNames {
		rest = removeMatches(rest, q.words, func([]string) bool {
			s.Qualities |= q.is
			return true
		})
	}
	switch s.Kind {
	case Resistor:
		rest = removeMatches(rest, watts, func(m []string) bool { return number(&s.Power, power(m[1], m[2], m[3] != "")) })
		rest = removeMatches(rest, tempco, func(m []string) bool { return number(&s.Tempco, milli(m[1])/1000) })
	case Capacitor:
		rest = removeMatches(rest, dielWords, func(m []string) bool {
			if s.Dielectric == "" {
				s.Dielectric = plainDielectric(m[1])
			}
			return s.Dielectric == plainDielectric(m[1])
		})
		rest = removeMatches(rest, tempco, func(m []string) bool { return s.Dielectric == "C0G" && m[1] == "30" })
	default:
		rest = removeMatches(rest, amperes, func(m []string) bool {
			v := milli(m[1])
			if m[2] != "" {
				v /= 1000
			}
			return number(&s.Current, v)
		})
	}
	if s.Kind == Capacitor || s.Kind == Resistor {
		setIfZero(&s.Voltage, findVoltage(words(rest)))
	}
	if s.Size == "" && !noChip.MatchString(text) {
		s.Size = sizeIn(text)
	}
	return rest
}

// eitherDielectric is where a line allows two: "X7R or X5R", "X5R/X7R".
var eitherDielectric = regexp.MustCompile(`(?i)\b(X[5678][RSTL]|Z5U|Y5V|C0G|COG|NP0|NPO)\s*(?:/|\||\b(?:or|oder|ou|eller|of)\b|或)\s*(X[5678][RSTL]|Z5U|Y5V|C0G|COG|NP0|NPO)\b`)

// lesserDielectric writes one dielectric where a line allows two of which one is at least
// as good as the other in every respect: the lesser, which any allowed part meets. Of two
// that cannot be compared both stay, so that one of them is said not to be understood.
func lesserDielectric(text string) string {
	for range strings.Count(text, "/") + 8 {
		at := eitherDielectric.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		a, b := plainDielectric(text[at[2]:at[3]]), plainDielectric(text[at[4]:at[5]])
		switch {
		case steadier(a, b):
			text = text[:at[0]] + b + text[at[1]:]
		case steadier(b, a):
			text = text[:at[0]] + a + text[at[1]:]
		default:
			return text
		}
	}
	return text
}

// removeDrift takes out of text how far a dielectric strays with temperature, which
// some libraries write as a percentage beside the tolerance: "X5R, 15%, 20%".
func removeDrift(text string) string {
	m := dielWords.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	const least = 150 // tenths of a percent: a smaller change may be a tolerance
	c, known := climates[plainDielectric(m[1])]
	if !known || c.change < least || c.change%10 != 0 {
		return text
	}
	return removeMatches(text, percent, func(m []string) bool { return milli(m[1]) == c.change*100 })
}

// removeMatches takes out of text what a pattern finds and read understands.
func removeMatches(text string, pattern *regexp.Regexp, read func(m []string) bool) string {
	var out strings.Builder
	for {
		at := pattern.FindStringSubmatchIndex(text)
		if at == nil || at[1] == at[0] {
			return out.String() + text
		}
		m := make([]string, len(at)/2)
		for i := range m {
			if at[2*i] >= 0 {
				m[i] = text[at[2*i]:at[2*i+1]]
			}
		}
		out.WriteString(text[:at[0]])
		text = " " + text[at[1]:]
		if !read(m) {
			out.WriteString(m[0])
		}
	}
}

// removeError takes out the tolerance of a capacitor in picofarads, which is no value.
func removeError(text string) string { return absolute.ReplaceAllString(text, " ") }

// degrees reads a temperature in whole degrees.
func degrees(text string) int64 {
	number, negative := strings.TrimLeft(text, "+-−– "), strings.ContainsAny(text, "-−–")
	v := milli(number) / 1000
	if negative {
		return -v
	}
	return v
}

// findVoltage gives the first word of words that is one: 16V, 6V3, 2kV.
func findVoltage(words []string) int64 {
	for _, w := range words {
		if v, ok := voltage(w); ok {
			return v
		}
	}
	return 0
}

func voltage(word string) (millivolts int64, ok bool) {
	m := volts.FindStringSubmatch(word)
	switch {
	case m == nil:
		return 0, false
	case m[3] != "":
		return milli(strings.NewReplacer("V", ".", "v", ".").Replace(m[3])), true
	case m[2] != "":
		return 1000 * milli(m[1]), true
	}
	return milli(m[1]), true
}
