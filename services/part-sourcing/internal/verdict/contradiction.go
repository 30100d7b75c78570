package verdict

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
)

// A Code is a supplier's own code on a line, and what the supplier says it is of.
type Code struct {
	Query  part.Query
	Offers []part.Offer // none: the supplier does not have the code
}

// contradiction words that a code of a supplier is of another part than the line
// names, or than another code is of; "" where none is. A part that is at least as
// good as the named one in every respect is no contradiction.
func contradiction(l Line, f Facts) string {
	for _, c := range f.Codes {
		for _, o := range c.Offers {
			if other := l.rivalPart(c.Query, o, f); other != "" {
				return fmt.Sprintf("the list names two parts: %s, and %s is the code of %s; which of them is meant?", other, plain(c.Query.Number, "the code"), o.MPN)
			}
		}
	}
	return ""
}

// rivalPart is what the line names beside a code, where that is another part than the
// code's; "" else.
func (l *Line) rivalPart(code part.Query, o part.Offer, f Facts) string {
	numbers := l.numbers(code, f)
	if o.MPN == "" || len(numbers) == 0 || agrees(o.MPN, numbers) {
		return ""
	}
	if _, ok := l.model(f).compare(o); ok {
		return ""
	}
	return plain(numbers[0], "one by its number")
}

// numbers are the manufacturers' numbers that a line names; where it has codes only,
// those that the codes before this one are of.
func (l *Line) numbers(code part.Query, f Facts) []string {
	var out []string
	for _, q := range l.ID.Queries {
		if q.Scheme == part.MPN {
			out = append(out, q.Number)
		}
	}
	for _, c := range f.Codes {
		if len(out) > 0 || c.Query == code {
			break
		}
		for _, o := range c.Offers {
			if o.MPN != "" {
				out = append(out, o.MPN)
			}
		}
	}
	return out
}

// shortest is how long a number is at least that a code may complete.
const shortest = 4

// agrees reports whether a code's part is one of those numbers, up to its packing,
// or what a number of the list begins.
func agrees(number string, numbers []string) bool {
	for _, n := range numbers {
		if mpn.Family(n) == mpn.Family(number) || completes(number, n) {
			return true
		}
	}
	return false
}

// completes reports whether a number is a longer one than the list's, which begins it.
func completes(number, listed string) bool {
	k := mpn.Key(listed)
	return len(k) >= shortest && k != mpn.Key(number) && strings.HasPrefix(mpn.Key(number), k)
}

var plainNumber = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._/#+,()-]{0,59}$`)

// plain is a number as the list has it, where that is one; words are foreign.
func plain(number, otherwise string) string {
	if plainNumber.MatchString(number) {
		return number
	}
	return otherwise
}

// flagCompletion flags a part whose number the list has only the beginning of.
func (p *Part) flagCompletion(l Line, o part.Offer) {
	if first := primaryNumber(l); first != "" && completes(o.MPN, first) && !agreesWhole(l, o) {
		p.flag(true, fmt.Sprintf("the list has the beginning of the number only, and the code is that of %s", o.MPN))
	}
}

// agreesWhole reports whether a line names the number of an offer, up to its packing.
func agreesWhole(l Line, o part.Offer) bool {
	for _, q := range l.ID.Queries {
		if q.Scheme == part.MPN && mpn.Family(q.Number) == mpn.Family(o.MPN) {
			return true
		}
	}
	return false
}

// replaces says that a code's part, which is as good, stands for the named one.
func (p *Part) replaces(l Line, o part.Offer, f Facts) {
	first := primaryNumber(l)
	if first == "" || o.MPN == "" || agreesWhole(l, o) || completes(o.MPN, first) {
		return
	}
	if list, ok := l.model(f).compare(o); ok {
		p.Replaces, p.Compared = cmp.Or(l.Name, first), list
		p.say("the code on the list is of " + o.MPN + ", which is no worse than the part that it names in anything that was compared")
	}
}
