package verdict

import (
	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
)

// joinSpecs is what several sources say of one part; ok is false where there are none,
// or where they mean different parts.
func joinSpecs(list []passive.Spec, join func(a, b passive.Spec) passive.Spec) (s passive.Spec, ok bool) {
	for i, t := range list {
		switch {
		case i == 0:
			s = t
		case s.Kind != t.Kind || s.Value != t.Value:
			return passive.Spec{}, false
		default:
			s = join(s, t)
		}
	}
	return s, len(list) > 0
}

// guaranteeOf is what the part of an offer is good for, at the least that is said.
func guaranteeOf(o part.Offer) (passive.Spec, bool) {
	return joinSpecs(o.Specs(), passive.Spec.Weaker)
}

// fullData is what is known of the passive part that a line names by number: from the
// number, or from suppliers that have the part, in stock or not. What the line's
// text says of it is no knowledge.
func fullData(l Line, f Facts) (passive.Spec, bool) {
	s, ok := nameData(l, f)
	return s, ok && s.IsKnown()
}

// nameData is what is known of it, all or not.
func nameData(l Line, f Facts) (passive.Spec, bool) {
	if l.ID.Certainty != identity.Exact {
		return passive.Spec{}, false
	}
	var list []passive.Spec
	if l.ID.HasSpec {
		list = append(list, l.ID.Spec)
	}
	first := primaryNumber(l)
	for _, o := range f.Offers {
		if first == "" || mpn.Same(o.MPN, first) {
			list = append(list, o.Specs()...)
		}
	}
	return joinSpecs(list, passive.Spec.Stricter)
}

// primaryNumber is the manufacturer's number that a line names before others.
func primaryNumber(l Line) string {
	if len(l.ID.Numbers) > 0 {
		return l.ID.Numbers[0]
	}
	for _, q := range l.ID.Queries {
		if q.Scheme == part.MPN {
			return q.Number
		}
	}
	return ""
}

// partNumberOf is the manufacturer's number of the part that a line names: its own, or
// that of the part that its code is of.
func partNumberOf(l Line, f Facts) string {
	if first := primaryNumber(l); first != "" || len(f.Offers) == 0 {
		return first
	}
	return f.Offers[0].MPN
}

// A model is the passive part that a line names, which others are held against.
type model struct {
	line       *Line
	spec       passive.Spec
	number     string
	reported   bool     // something of it is known
	known      bool     // all of it
	objections []string // why the part is in doubt, in words: no other is taken in its place before somebody was asked
}

func (l *Line) model(f Facts) model {
	m := model{line: l, number: partNumberOf(*l, f)}
	m.spec, m.reported = nameData(*l, f)
	m.known = m.reported && m.spec.IsKnown()
	m.objections = m.object(f)
	return m
}

// compare holds the part of an offer against the named one; ok is false where it is worse
// in any respect or not all is known, and where the named part is in doubt.
func (m model) compare(o part.Offer) (list []passive.Comparison, ok bool) {
	if !m.known {
		return nil, false
	}
	offered, reported := guaranteeOf(o)
	if !reported {
		return nil, false
	}
	list = append(passive.Compare(m.spec, offered), passive.CompareGrades(m.number, o.MPN))
	return list, len(m.objections) == 0 && !passive.HasWorse(list) && len(m.line.differences(offered)) == 0
}
