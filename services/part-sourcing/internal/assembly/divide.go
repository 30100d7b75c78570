package assembly

import (
	"fmt"
	"slices"

	"boardorder/services/part-sourcing/internal/bom"
)

// divide splits a line into those of which all designators are treated alike: what
// the customer says about some of a line's designators holds for these only.
func (m *matcher) divide(b bom.Line) []bom.Line {
	groups := map[string][]string{}
	var order []string
	whole := !slices.ContainsFunc(b.Refs, func(ref string) bool { return !m.chosen[ref] })
	for _, ref := range b.Refs {
		k := m.treatment(ref, whole)
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], ref)
	}
	if len(order) < 2 {
		return []bom.Line{b}
	}
	out := make([]bom.Line, len(order))
	for i, k := range order {
		out[i] = b
		out[i].Refs = groups[k]
		if b.Quantity > 0 {
			out[i].Quantity = len(groups[k])
		}
	}
	return out
}

// treatment is equal for designators of a line that are treated alike. Those that
// have no place on the board may be left off by themselves, for the question about
// them names them alone, and so may those that the placements leave off; others stay
// off by whole lines only.
func (m *matcher) treatment(ref string, whole bool) string {
	p, placed := m.places[ref]
	alone := !whole && m.chosen[ref] && (!placed || p.Beside || p.LeftOff)
	if m.chosen[ref] && !whole && !alone {
		m.stays[ref] = true
	}
	return fmt.Sprint(m.supplied[ref], alone, p.LeftOff) + string(m.replaced[ref])
}

// replacements gives the designators that each substitution names, and for each
// designator which substitutions do: equal for those that are treated alike.
func replacements(list []Substitution, written Spelling) (refs [][]string, by map[string][]byte) {
	refs, by = make([][]string, len(list)), map[string][]byte{}
	for i, s := range list {
		refs[i] = written.list(written.read(s.Reference))
		for _, ref := range refs[i] {
			by[ref] = fmt.Append(by[ref], " ", i)
		}
	}
	return refs, by
}
