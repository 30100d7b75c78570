package sourcing

import (
	"cmp"
	"slices"

	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/verdict"
)

// compares reports whether a line gives a distributor's code beside another name: it
// is looked up even where the other name is enough to buy the part, since it may be
// of another one.
func compares(id identity.Identity) bool {
	return len(id.Queries) > 1 && slices.ContainsFunc(id.Queries, func(q part.Query) bool { return q.Scheme.IsDistributor() })
}

// isCompared reports whether everybody who knows a line's codes was asked by the end of
// a round; those who do not answer keep it open.
func (c *check) isCompared(i, round int) bool {
	if round == 0 {
		return false
	}
	for _, name := range c.sourcer.Rounds[round] {
		if slices.Contains(c.facts[i].Pending, name) {
			return false
		}
	}
	return true
}

// learn gives the numbers that the answers to a round taught: those of the parts that
// codes are of, and where nobody has the codes the one that the value may be. They
// are the lines' own from then on. nil where there are none.
func (c *check) learn(round int) (learnt [][]part.Query) {
	for i := range c.lines {
		l := &c.lines[i]
		if l.ID.Certainty != identity.Exact || c.parts[i].Contradicts {
			continue
		}
		more := queriesFromCodes(c.facts[i].Codes, l.Manufacturer)
		if l.ID.Value != "" && !l.ByValue && c.dead(i, round) {
			more = []part.Query{{Scheme: part.MPN, Number: l.ID.Value, Manufacturer: l.Manufacturer}}
			l.ByValue = true
		}
		for _, q := range more {
			if slices.ContainsFunc(l.ID.Queries, func(o part.Query) bool { return o.Scheme == part.MPN }) {
				break // the list names the part
			}
			l.ID.Queries = append(slices.Clone(l.ID.Queries), q)
			if learnt == nil {
				learnt = make([][]part.Query, len(c.lines))
			}
			learnt[i] = append(learnt[i], q)
		}
		if learnt != nil && c.parts[i].Bought > 0 {
			learnt[i] = nil // nothing more is asked
		}
	}
	return learnt
}

// queriesFromCodes is the number of the part that codes are of, by the manufacturer that the line
// states, if it does.
func queriesFromCodes(codes []verdict.Code, manufacturer string) []part.Query {
	for _, c := range codes {
		for _, o := range c.Offers {
			if o.MPN != "" {
				return []part.Query{{Scheme: part.MPN, Number: o.MPN, Manufacturer: cmp.Or(manufacturer, o.Manufacturer)}}
			}
		}
	}
	return nil
}

// dead reports whether a line has codes and all that know them were asked, and none
// has one.
func (c *check) dead(i, round int) bool {
	f := &c.facts[i]
	if len(f.Offers) > 0 || len(f.Pending) > 0 || len(f.Unasked) > 0 {
		return false
	}
	for _, q := range c.lines[i].ID.Queries {
		if q.Scheme == part.MPN || q.Scheme.IsDistributor() && round == 0 {
			return false
		}
	}
	return true
}
