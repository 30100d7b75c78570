package verdict

import (
	"slices"
	"strings"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/maker"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
)

// A place is which case goes to where a line's part goes.
type place struct {
	footprint casecode.Case // that the line names
	part      casecode.Case // in which the named part comes
}

// place is told by the line's footprint and by the part that it names, as the number or
// suppliers tell.
func (l *Line) place(f Facts) place {
	p := place{footprint: l.landCase()}
	if len(l.ID.Numbers) > 0 && p.footprint.IsTold() {
		return p // which of the numbers is meant it tells better than their order
	}
	number := partNumberOf(*l, f)
	if n, known := passive.Read(number); known {
		p.part = casecode.Parse(n.Spec.Size)
	}
	for _, o := range f.Offers {
		if c := caseOf(o); !p.part.IsTold() && c.IsTold() && (number == "" || mpn.Family(number) == mpn.Family(o.MPN)) {
			p.part = c
		}
	}
	return p
}

// caseOf is the case in which the part of an offer comes.
func caseOf(o part.Offer) casecode.Case {
	if n, known := passive.Read(o.MPN); known && n.Spec.Size != "" {
		return casecode.Parse(n.Spec.Size)
	}
	return casecode.Parse(o.Package)
}

// fillPackages are offers with the package that other suppliers say of the same part, where
// one says none.
func fillPackages(offers []part.Offer) []part.Offer {
	silent := func(o part.Offer) bool { return o.Package == "" }
	if !slices.ContainsFunc(offers, silent) {
		return offers
	}
	out := slices.Clone(offers)
	for i := range out {
		k := slices.IndexFunc(offers, func(o part.Offer) bool {
			return !silent(o) && silent(out[i]) && mpn.Same(o.MPN, out[i].MPN) && maker.Same(o.Manufacturer, out[i].Manufacturer)
		})
		if k >= 0 {
			out[i].Package = offers[k].Package
		}
	}
	return out
}

// admit leaves out offers in another case; same are those of the rest that are surely in
// the one that the place is for.
func (p place) admit(offers []part.Offer) (may, same []part.Offer) {
	may = p.choices(offers)
	same = slices.DeleteFunc(slices.Clone(may), func(o part.Offer) bool { return !p.takes(caseOf(o)) })
	return may, same
}

// takes reports whether a case is surely the place's.
func (p place) takes(c casecode.Case) bool {
	return casecode.Same(p.footprint, c) || casecode.Same(p.part, c)
}

// differs reports whether a case is surely not the place's.
func (p place) differs(c casecode.Case) bool {
	return casecode.Differ(p.footprint, c) || casecode.Differ(p.part, c)
}

// doubt words why an offer may not fit the place.
func (p place) doubt(o part.Offer) string {
	if !caseOf(o).IsTold() {
		return "its package is not known, so it may not fit the footprint: compare the data sheets"
	}
	return "the package that the place is for is not known, so it may not fit: compare the data sheets"
}

// choices are those of offers that may lie at the place; of several that a line allows one
// in another case is taken only where it is the one that the line names.
func (p place) choices(offers []part.Offer) []part.Offer {
	return slices.DeleteFunc(slices.Clone(offers), func(o part.Offer) bool { return p.differs(caseOf(o)) })
}

// splitByCase parts offers from other parts that the list allows in another case, which
// are elsewhere.
func (l *Line) splitByCase(offers []part.Offer, at place) (named, elsewhere []part.Offer) {
	for _, o := range offers {
		if l.isAlternate(o) && at.differs(caseOf(o)) {
			elsewhere = append(elsewhere, o)
		} else {
			named = append(named, o)
		}
	}
	return named, elsewhere
}

// isAlternate reports whether an offer is of another part that the list allows beside the one
// that it names before others.
func (l *Line) isAlternate(o part.Offer) bool {
	first := primaryNumber(*l)
	if l.ID.Certainty == identity.Passive || first == "" || sameNumber(first, o.MPN) {
		return false
	}
	return slices.ContainsFunc(l.ID.Queries, func(q part.Query) bool { return q.Scheme == part.MPN && sameNumber(q.Number, o.MPN) })
}

// sameNumber compares numbers without their packing and without zeros before them, which
// Molex prints or not.
func sameNumber(a, b string) bool {
	return strings.TrimLeft(mpn.Family(a), "0") == strings.TrimLeft(mpn.Family(b), "0")
}
