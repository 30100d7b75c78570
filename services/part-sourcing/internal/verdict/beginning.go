package verdict

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/maker"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
)

// maxNamed is how many of the parts that a number may be of are named.
const maxNamed = 6

// completions are the offers of parts whose numbers begin with that of a line, each part once.
func completions(number string, offers []part.Offer) (out []part.Offer) {
	for _, o := range offers {
		if completes(o.MPN, number) && !slices.ContainsFunc(out, func(p part.Offer) bool { return mpn.Same(p.MPN, o.MPN) }) {
			out = append(out, o)
		}
	}
	return out
}

// AskWhich asks which part a line means whose number is the beginning of several that differ in more
// than their packing; "" where one is meant, or none is known.
func AskWhich(l Line, f Facts, offers []part.Offer) string {
	all := completions(partNumberOf(l, f), fillPackages(offers))
	if l.model(f).known || agree(partNumberOf(l, f), all) {
		return ""
	}
	var names []string
	for _, o := range all[:min(len(all), maxNamed)] {
		name := plain(o.MPN, "one by another number")
		if o.Package != "" {
			name += " (" + plain(o.Package, "in another package") + ")"
		}
		names = append(names, name)
	}
	return "the list has the beginning of a number only, and the parts whose numbers begin so are not one and the same: " + strings.Join(names, ", ") + "; write the whole number of the one that is meant"
}

// Ask adds a question to what is said of a part.
func (p *Part) Ask(question string) { p.say(question) }

// agree reports whether parts whose numbers begin with another are one, as far as is known: of one
// maker, in one package, with equal data, and with numbers that go on alike but for the packing.
func agree(number string, all []part.Offer) bool {
	for i := range all {
		a, b := &all[0], &all[i]
		x, known := guaranteeOf(*a)
		y, reported := guaranteeOf(*b)
		if !maker.Same(a.Manufacturer, b.Manufacturer) || ending(number, a.MPN) != ending(number, b.MPN) || casecode.Differ(caseOf(*a), caseOf(*b)) || known && reported && x != y {
			return false
		}
	}
	return true
}

// packingLetters are what numbers end with that say how a part is packed, where a letter that names
// its package stands before.
var packingLetters = []string{"RG4", "R2G", "G4", "R2", "RG", "R", "T"}

// ending is what a number has behind the beginning that another one is, without its packing.
func ending(beginning, number string) string {
	rest, ok := strings.CutPrefix(mpn.Family(number), mpn.Key(beginning))
	if !ok {
		return ""
	}
	for _, p := range packingLetters {
		whole := strings.TrimSuffix(mpn.Key(beginning)+rest, p)
		if cut, found := strings.CutSuffix(rest, p); found && whole[len(whole)-1] > '9' {
			return cut
		}
	}
	return rest
}

// completion words that a part is the one whose number a list has without its packing; "" where
// more is missing, so that only data sheets tell.
func completion(number string, o part.Offer, all []part.Offer) string {
	if len(all) == 0 || !completes(o.MPN, number) || ending(number, o.MPN) != "" || !caseOf(o).IsTold() {
		return ""
	}
	return fmt.Sprintf("the list's number without its packing: what begins so (%d) is of one maker and in one package", len(all))
}
