package verdict

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/maker"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
)

// maxUnread is how many words a sentence names.
const maxUnread = 4

var plainWord = regexp.MustCompile(`^[\pL\pN][\pL\pN.,%+/°µΩ-]{0,23}$`)

// unreadText names words that were not understood; those that are no plain words are
// counted only. More than two are one text, so that nothing is spelled word by word.
func unreadText(words []string) string {
	var plain, out []string
	for _, w := range words {
		if plainWord.MatchString(w) && len(plain) < maxUnread {
			plain = append(plain, w)
		}
	}
	if len(plain) > 2 {
		out = append(out, strconv.Quote(strings.Join(plain, " ")))
	} else {
		for _, w := range plain {
			out = append(out, strconv.Quote(w))
		}
	}
	if more := len(words) - len(plain); more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return "words on the list that were not understood, and that the part may not meet: " + strings.Join(out, ", ")
}

// differences are what the line's own words state of its part and the part is not, or is
// not known to be, in words. A size that the footprint tells is held against the package.
func (l *Line) differences(s passive.Spec) []string {
	if !l.HasValue {
		return nil
	}
	if s.Kind != l.Value.Kind || s.Value != l.Value.Value {
		return []string{"the part is " + s.ValueText() + ", the list says " + l.Value.ValueText()}
	}
	var out []string
	for _, c := range passive.Lacking(s, l.Value) {
		switch {
		case c.Property == "size" && passive.Size(l.Footprint) != "":
		case c.Replacement == passive.Unknown:
			out = append(out, "the list says "+c.Named+", and whether the part is that is not known")
		default:
			out = append(out, "the part is "+c.Replacement+", the list says "+c.Named)
		}
	}
	return out
}

// hold flags what the line's own words say of its part and the part is not.
func (p *Part) hold(l Line, o part.Offer) {
	if !l.HasValue && l.Special == "" && !l.Substituted {
		return // it says nothing
	}
	s, known := guaranteeOf(o)
	p.substitute(l, s, known)
	if l.ID.Certainty != identity.Exact || !known {
		return
	}
	for _, d := range l.differences(s) {
		p.flag(true, d)
	}
	p.flag(len(l.Unread.Value) > 0 && (s.Kind == passive.Resistor || s.Kind == passive.Capacitor), unreadText(l.Unread.Value))
	p.flag(l.Special != "", specialText(l.Special))
}

func specialText(word string) string {
	if !plainWord.MatchString(word) {
		return "the list asks for another kind of part than its number names"
	}
	return "the list says " + strconv.Quote(word) + ", which the part is not known to be"
}

// substitute flags an approved replacement of another kind than its place is for.
// Resistors of no resistance bridge places of every kind.
func (p *Part) substitute(l Line, s passive.Spec, known bool) {
	if !l.Substituted || s.Jumper() && known {
		return
	}
	coil := func(k passive.Kind) bool { return k == passive.Inductor || k == passive.Ferrite }
	switch {
	case known && l.Kind == "" && len(l.Refs) > 0:
		p.flag(true, "the replacement is a "+string(s.Kind)+" of "+s.ValueText()+", and its place is for another kind of part")
	case known:
		p.flag(l.Kind != "" && s.Kind != l.Kind && !(coil(s.Kind) && coil(l.Kind)), "the replacement is a "+string(s.Kind)+" of "+s.ValueText()+", and its place is for another kind of part: "+string(l.Kind))
	default:
		p.flag(l.Kind == passive.Resistor || l.Kind == passive.Capacitor, "its place is for a "+string(l.Kind)+", and nothing that is known of the replacement says that it is one")
	}
}

// object finds what puts the part that a line names in doubt.
func (m model) object(f Facts) []string {
	l, out := m.line, []string(nil)
	if m.reported {
		out = l.differences(m.spec)
		if casecode.Differ(casecode.Parse(l.Footprint), casecode.Parse(m.spec.Size)) {
			out = append(out, "the part that the list names comes in another package than the footprint is for")
		}
	}
	chip := m.spec.Kind == passive.Resistor || m.spec.Kind == passive.Capacitor
	if words := slices.Concat(l.Unread.Value, l.Unread.Description); len(words) > 0 && chip {
		out = append(out, unreadText(words))
	}
	if l.Special != "" && m.reported {
		out = append(out, specialText(l.Special))
	}
	if l.hasOtherMaker(f) {
		out = append(out, "the list names another manufacturer than the part has")
	}
	return append(out, l.Doubts...)
}

// hasOtherMaker reports whether suppliers have the part that a line names from other
// manufacturers only than the line states.
func (l *Line) hasOtherMaker(f Facts) bool {
	first, others := primaryNumber(*l), 0
	for _, o := range f.Offers {
		switch {
		case first != "" && !mpn.Same(o.MPN, first):
		case maker.Same(l.Manufacturer, o.Manufacturer):
			return false
		default:
			others++
		}
	}
	return l.Manufacturer != "" && others > 0
}
