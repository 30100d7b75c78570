package verdict

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
)

// semiconductors are letters of designators of places for them, whose values are written as
// part numbers.
var semiconductors = map[string]bool{"U": true, "IC": true, "VR": true, "REG": true, "Q": true, "T": true, "TR": true, "D": true, "LED": true, "ZD": true, "TVS": true}

// quantityWord is a number with a unit, as in 500mA, or with one as its point, as in 3V3.
var quantityWord = regexp.MustCompile(`(?i)^[0-9]+(?:\.[0-9]+)?[a-zµΩ%]+$|^[0-9]+[VRKM][0-9]+$`)

// minCore is how many digits in a row tell parts of one kind apart by themselves: the 358 of LM358.
const minCore = 3

// valueNumbers are the words of a value that look like numbers of parts.
func valueNumbers(value string) []string {
	words := strings.FieldsFunc(value, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("_/,;|()[]", r) })
	return slices.DeleteFunc(words, func(w string) bool {
		return !mpn.Looks(w) || quantityWord.MatchString(w) || casecode.Parse(w).Family != "" || passive.Size(w) != ""
	})
}

// tellsOf reports whether a number that people write for a part may mean that of an offer:
// its digits are in it, or it is from its first digit on, since letters before them are the
// maker's.
func tellsOf(written, number string) bool {
	whole, in := mpn.Key(written), mpn.Key(number)
	if strings.Contains(in, whole) || strings.Contains(whole, in) {
		return true
	}
	core := ""
	for run := range strings.FieldsFuncSeq(written, func(r rune) bool { return !unicode.IsDigit(r) }) {
		if len(run) > len(core) {
			core = run
		}
	}
	if len(core) >= minCore {
		return strings.Contains(in, core)
	}
	tail := whole[max(strings.IndexFunc(whole, unicode.IsDigit), 0):]
	return len(tail) > minCore && strings.Contains(in, tail)
}

// holdNamed flags a part that a code is of, where the line has no other number and its value
// is that of another part, or its place is for no such part.
func (p *Part) holdNamed(l Line, o part.Offer) {
	if l.ID.Certainty != identity.Exact || l.Substituted || l.ByValue || primaryNumber(l) != "" || !l.isAt(semiconductors) {
		return
	}
	if s, known := guaranteeOf(o); known && !s.Jumper() && (s.Kind == passive.Resistor || s.Kind == passive.Capacitor) {
		p.flag(true, "the code is of a "+string(s.Kind)+" of "+s.ValueText()+", and its place is for another kind of part")
		return
	}
	words := valueNumbers(l.Stated)
	if len(words) == 0 || o.MPN == "" || slices.ContainsFunc(words, func(w string) bool { return tellsOf(w, o.MPN) }) {
		return
	}
	p.flag(true, fmt.Sprintf("the list says %s, and the code is that of %s", plain(words[0], "another part in its value"), o.MPN))
}
