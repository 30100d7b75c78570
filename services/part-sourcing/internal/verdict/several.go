package verdict

import (
	"regexp"
	"slices"
	"strings"

	"boardorder/services/part-sourcing/internal/cost"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/refdes"
)

// leading is the number that is meant before the others of a cell that names several: the
// one that a code on the line is of, else the first. "" where the cell names one.
func (l *Line) leading(f Facts) string {
	if len(l.ID.Numbers) == 0 {
		return ""
	}
	for _, c := range f.Codes {
		for _, o := range c.Offers {
			if i := slices.IndexFunc(l.ID.Numbers, func(n string) bool { return sameNumber(n, o.MPN) }); i >= 0 {
				return l.ID.Numbers[i]
			}
		}
	}
	return l.ID.Numbers[0]
}

// isSecond reports whether an offer is of another of the parts that one cell names than the
// one that is meant before the others.
func (l *Line) isSecond(o part.Offer, f Facts) bool {
	first := l.leading(f)
	return first != "" && !sameNumber(first, o.MPN) && slices.ContainsFunc(l.ID.Numbers, func(n string) bool { return sameNumber(n, o.MPN) })
}

// chooseNamed is [Line.chooseOffer] of the numbers of a cell in their order: the next one
// only where those before it cannot be bought.
func (l *Line) chooseNamed(offers []part.Offer, f Facts) (cost.Choice, bool) {
	if len(l.ID.Numbers) == 0 {
		return l.chooseOffer(offers)
	}
	first := slices.DeleteFunc(slices.Clone(offers), func(o part.Offer) bool { return l.isSecond(o, f) })
	if c, ok := l.chooseOffer(first); ok {
		return c, true
	}
	for _, n := range l.ID.Numbers {
		same := slices.DeleteFunc(slices.Clone(offers), func(o part.Offer) bool { return !sameNumber(n, o.MPN) })
		if c, ok := l.chooseOffer(same); ok {
			return c, true
		}
	}
	return cost.Choice{}, false
}

// flagAlternate says which of several parts that the list names was taken, and flags one
// that differs from the first in what is known, or that nobody knows to be as good.
func (p *Part) flagAlternate(l Line, f Facts, o part.Offer, second bool) {
	first := plain(l.leading(f), "the first")
	switch {
	case second:
		_, good := l.model(f).compare(o)
		p.say("the list names several parts in one place: " + first + " cannot be bought for it, and " + plain(o.MPN, "another") + " was taken")
		p.flag(!good, "which of them is meant?")
	case len(l.ID.Numbers) > 0:
		p.say("the list names several parts in one place, and " + plain(o.MPN, "the first") + " was taken")
		p.flag(l.ID.Certainty == identity.Guessed, "which of them is meant?")
	case l.isAlternate(o):
		p.flag(l.differsFromFirst(o, f), "the part that the list allows in place of "+plain(primaryNumber(l), "the first")+" is not of its value")
	}
}

// differsFromFirst reports whether another part that the list allows is surely of another
// value than the first, or a regulator of another voltage.
func (l *Line) differsFromFirst(o part.Offer, f Facts) bool {
	if s, reported := guaranteeOf(o); reported {
		if m := l.model(f); m.reported {
			return s.Kind != m.spec.Kind || s.Value != m.spec.Value
		}
	}
	family, volts := outputVoltage(primaryNumber(*l))
	other, otherVolts := outputVoltage(o.MPN)
	return volts != "" && otherVolts != "" && family == other && volts != otherVolts
}

var (
	// voltageSuffix is how numbers of regulators end in their voltage: AMS1117-3.3.
	voltageSuffix = regexp.MustCompile(`^([A-Z]+[0-9]+[A-Z0-9]*)-([0-9]{1,2}\.[0-9]{1,2})(?:[^0-9.].*)?$`)
	// voltageWord is a voltage among words: 5V, 3.3 V, 3V3; or the end of a number.
	voltageWord = regexp.MustCompile(`(?i)(?:^|[^A-Z0-9.,])(?:([0-9]{1,2}(?:[.,][0-9]{1,2})?)\s?V|([0-9]{1,2})V([0-9]{1,2}))(?:[^A-Z0-9]|$)`)
)

// outputVoltage parts a regulator's number into family and voltage; volts is "" where it
// tells none.
func outputVoltage(number string) (family, volts string) {
	m := voltageSuffix.FindStringSubmatch(strings.ToUpper(strings.TrimSpace(number)))
	if m == nil {
		return "", ""
	}
	return m[1], trimVolts(m[2])
}

// trimVolts writes a voltage in one way: "5.0" and "5,0" as "5".
func trimVolts(v string) string {
	v = strings.ReplaceAll(v, ",", ".")
	if strings.Contains(v, ".") {
		v = strings.TrimRight(strings.TrimRight(v, "0"), ".")
	}
	return v
}

// voltagesIn are the voltages that words name, and those at the ends of numbers.
func voltagesIn(text string) (out []string) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" /,;|()", r) }) {
		if _, v := outputVoltage(w); v != "" {
			out = append(out, v)
		}
	}
	if len(out) > 0 {
		return out
	}
	for {
		m := voltageWord.FindStringSubmatch(text)
		if m == nil {
			return out
		}
		if m[1] != "" {
			out = append(out, trimVolts(m[1]))
		} else {
			out = append(out, trimVolts(m[2]+"."+m[3]))
		}
		_, text, _ = strings.Cut(text, m[0]) // what ends one may begin the next
	}
}

// regulators are letters of designators of places for regulators.
var regulators = map[string]bool{"U": true, "IC": true, "VR": true, "REG": true}

// isAt reports whether a line's first place is called by one of some letters of designators.
func (l Line) isAt(letters map[string]bool) bool {
	return len(l.Refs) > 0 && letters[strings.ToUpper(refdes.Letters(l.Refs[0]))]
}

// holdVoltage flags a regulator whose number tells another voltage than the list says.
func (p *Part) holdVoltage(l Line, o part.Offer) {
	_, volts := outputVoltage(o.MPN)
	stated := voltagesIn(l.Stated)
	if volts == "" || len(stated) == 0 || l.ID.Certainty != identity.Exact || !l.isAt(regulators) {
		return
	}
	p.flag(!slices.Contains(stated, volts), "the part is of "+volts+" V by its number, the list says "+stated[0]+" V")
}
