package verdict

import (
	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
)

// sources are what is said of the passive part of an offer: by its number, by the
// supplier's parameters, and by its description.
func sources(o part.Offer) []passive.Spec {
	var out []passive.Spec
	if n, ok := passive.Read(o.MPN); ok {
		out = append(out, n.Spec)
	}
	if o.Data.Kind != "" {
		out = append(out, o.Data)
	}
	if s, ok := passive.Parse(passive.Line{Value: o.Description, Footprint: o.Package}); ok {
		out = append(out, s)
	}
	return out
}

// joined is what several sources say of one part; ok is false where there are none,
// or where they mean different parts.
func joined(list []passive.Spec, join func(a, b passive.Spec) passive.Spec) (s passive.Spec, ok bool) {
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

// guaranteed is what the part of an offer is good for, at the least that is said.
func guaranteed(o part.Offer) (passive.Spec, bool) {
	return joined(sources(o), passive.Spec.Weaker)
}

// named is what is known of the passive part that a line names by number: from the
// number, or from suppliers that have the part, in stock or not. What the line's
// text says of it is no knowledge.
func named(l Line, f Facts) (passive.Spec, bool) {
	if l.ID.Certainty != identity.Exact {
		return passive.Spec{}, false
	}
	var list []passive.Spec
	if l.ID.HasSpec {
		list = append(list, l.ID.Spec)
	}
	first := firstNumber(l)
	for _, o := range f.Offers {
		if first == "" || mpn.Same(o.MPN, first) {
			list = append(list, sources(o)...)
		}
	}
	s, ok := joined(list, passive.Spec.Stricter)
	return s, ok && s.Known()
}

// firstNumber is the manufacturer's number that a line names before others.
func firstNumber(l Line) string {
	for _, q := range l.ID.Queries {
		if q.Scheme == part.MPN {
			return q.Number
		}
	}
	return ""
}

// namedNumber is the manufacturer's number of the part that a line names: its own, or
// that of the part that its code is of.
func namedNumber(l Line, f Facts) string {
	if first := firstNumber(l); first != "" || len(f.Offers) == 0 {
		return first
	}
	return f.Offers[0].MPN
}
