package verdict

import (
	"cmp"
	"slices"
	"strings"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/cost"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
)

// A Similar is another part that is in stock. It is offered, and fitted without the
// customer's word only where all of the named part is known and nothing is worse.
type Similar struct {
	MPN          string               `json:"mpn"`
	Manufacturer string               `json:"manufacturer,omitempty"`
	Source       string               `json:"source"`
	Supplier     string               `json:"supplier"`
	SKU          string               `json:"sku"`
	Stock        int64                `json:"stock"`
	CostUSD      string               `json:"cost_usd"`
	Why          string               `json:"why"`
	Compared     []passive.Comparison `json:"compared,omitempty"`

	choice cost.Choice
	noless bool // nothing that is known of the named part is worse
}

// maxCandidates bounds the numbers that are asked for in place of one.
const maxCandidates = 8

// Candidates are the parts that may stand in for one that cannot be bought: for
// passives others of the specification, for others what suppliers name and those
// whose numbers are nearly the same.
func Candidates(l Line, f Facts) []part.Query {
	var out []part.Query
	add := func(number, manufacturer string) {
		q := part.Query{Scheme: part.MPN, Number: number, Manufacturer: manufacturer}
		same := func(o part.Query) bool { return o.Key() == q.Key() }
		if mpn.Key(number) != "" && len(out) < maxCandidates && !slices.ContainsFunc(out, same) && !slices.ContainsFunc(l.ID.Queries, same) {
			out = append(out, q)
		}
	}
	if l.ID.Certainty == identity.Exact {
		for _, n := range equivalents(l, f) {
			add(n.MPN, n.Manufacturer)
		}
	}
	number := partNumberOf(l, f)
	whole := func(s part.Similar) int {
		if strings.HasPrefix(mpn.Key(s.MPN), mpn.Key(number)) {
			return 0 // it has all of the number, and tells the package as the number does
		}
		return 1
	}
	for _, s := range slices.SortedStableFunc(slices.Values(f.Similar), func(a, b part.Similar) int { return whole(a) - whole(b) }) {
		add(s.MPN, s.Manufacturer)
	}
	return out
}

// equivalents are numbers of the specification of the part that a line names, or
// where that is not known of the one that its words give.
func equivalents(l Line, f Facts) []passive.Numbered {
	if s, ok := fullData(l, f); ok {
		return passive.Number(commonSpec(s))
	}
	switch s := l.words(); {
	case s.Size == "":
		return nil
	case s.Kind == passive.Capacitor && s.Voltage == 0:
		return passive.Ladder(s)
	default:
		return passive.Number(s)
	}
}

// words is the specification that the line's own words give; zero where they give none.
func (l *Line) words() passive.Spec {
	switch {
	case l.HasValue:
		return l.Value
	case l.ID.HasSpec:
		return l.ID.Spec
	}
	return passive.Spec{}
}

// references are designators that say what kind a part is.
var references = map[passive.Kind]string{passive.Resistor: "R1", passive.Capacitor: "C1", passive.Inductor: "L1", passive.Ferrite: "FB1"}

// wordsOfKind are the words of a line as though its designator named a kind of part: 25 V are meant
// to be held, whatever the list calls the capacitor.
func (l *Line) wordsOfKind(kind passive.Kind) passive.Spec {
	ref := references[kind]
	if ref == "" {
		return passive.Spec{}
	}
	words, _ := passive.Parse(passive.Line{Ref: ref, Value: l.Name, Footprint: l.Footprint})
	return words
}

// Replacement finds the candidate to offer in a part's place, in stock and for the
// least: one that is no worse in anything, else one of the specification that is
// known, else what suppliers name. One in another case is never offered; one of which
// nobody knows the case is where there is no other, and is said to be so. nil for none.
func Replacement(l Line, f Facts, offers []part.Offer) *Similar {
	offers = slices.DeleteFunc(slices.Clone(fillPackages(offers)), func(o part.Offer) bool { return o.Lifecycle == part.Obsolete })
	m, place := l.model(f), l.place(f)
	if AskWhich(l, f, offers) != "" {
		return nil
	}
	offers, same := place.admit(offers)
	if s := replacement(l, f, m, same); s != nil {
		return s
	}
	s := replacement(l, f, m, offers)
	if s != nil {
		s.noless = false
		s.Why += "; " + place.doubt(s.choice.Offer)
	}
	return s
}

// replacement is [Replacement] of offers in cases that may lie at the place.
func replacement(l Line, f Facts, m model, offers []part.Offer) *Similar {
	if !m.known {
		return unknown(l, f, offers)
	}
	noless := slices.DeleteFunc(slices.Clone(offers), func(o part.Offer) bool {
		_, ok := m.compare(o)
		return !ok
	})
	if c, ok := cost.Choose(noless, l.Whole()); ok {
		s := similar(l, c, "no worse than the named part in anything that was compared: "+m.spec.String())
		s.Compared, s.noless = m.compare(c.Offer)
		return s
	}
	near := commonSpec(m.spec)
	offers = slices.DeleteFunc(offers, func(o part.Offer) bool {
		s, ok := guaranteeOf(o)
		return !ok || !s.Meets(near)
	})
	c, ok := cost.Choose(offers, l.Whole())
	if !ok {
		return nil
	}
	s := similar(l, c, "the same specification from another series; what it may be worse in is marked: compare the data sheets")
	s.Compared, _ = m.compare(c.Offer)
	return s
}

// commonSpec is of a specification what a part from another series has, too. What numbers
// seldom tell, and what makes a series, is compared.
func commonSpec(s passive.Spec) passive.Spec {
	s.Height, s.Hottest, s.Coldest, s.Tempco, s.Qualities = 0, 0, 0, 0, 0
	return s
}

// unknown offers what stands in for a part of which nothing is known but the line's
// words and what suppliers name.
func unknown(l Line, f Facts, offers []part.Offer) *Similar {
	words := l.words()
	if l.ID.Certainty != identity.Exact || words.Kind == "" {
		offers = slices.DeleteFunc(offers, func(o part.Offer) bool {
			s, reported := guaranteeOf(o)
			stated := words
			if stated.Kind == "" {
				stated = l.wordsOfKind(s.Kind)
			}
			full, _ := stated.Assume()
			return reported && full.Kind != "" && !s.Meets(commonSpec(full))
		})
		if c, ok := cost.Choose(offers, l.Whole()); ok {
			number := partNumberOf(l, f)
			return similar(l, c, cmp.Or(completion(number, c.Offer, completions(number, offers)), relation(f, c.Offer.MPN)))
		}
		return nil
	}
	open := l
	full, _ := words.Assume()
	open.ID.OpenVoltage = words.Kind == passive.Capacitor && words.Voltage == 0
	fit := slices.DeleteFunc(offers, func(o part.Offer) bool {
		s, ok := guaranteeOf(o)
		return !ok || !s.Meets(full)
	})
	c, ok := open.chooseOffer(fit)
	if !ok {
		return nil
	}
	s, _ := guaranteeOf(c.Offer)
	return similar(l, c, "of the value and size that the list states, and itself "+s.String()+"; nothing is known of the named part: compare the data sheets")
}

func similar(l Line, c cost.Choice, why string) *Similar {
	o := c.Offer
	return &Similar{MPN: o.MPN, Manufacturer: o.Manufacturer, Source: o.Source, Supplier: o.Supplier, SKU: o.SKU, Stock: o.Stock, CostUSD: dollars(l, c), Why: why, choice: c}
}

// relation says why a part that suppliers name is offered.
func relation(f Facts, number string) string {
	for _, s := range f.Similar {
		if mpn.Same(s.MPN, number) && s.Relation == part.Near {
			return "its number is nearly the one on the list: compare the data sheets"
		}
	}
	return "named by a supplier in its place: compare the data sheets"
}

// Replace is a passive part that cannot be bought, with another in its place that is
// no worse in anything; ok is false for every other part: those are swapped at the
// customer's word only.
func Replace(l Line, p Part) (replaced Part, ok bool) {
	known := p.Verdict == Problem || len(p.Unreached) > 0 && p.Stock != nil // by those who could be asked
	if p.Bought > 0 || !known || p.Contradicts || p.Aside || p.Similar == nil || !p.Similar.noless {
		return p, false
	}
	original, by := p.Part, p.Similar
	p.Verdict, p.Why, p.Misfit, p.Stock, p.LeadDays, p.Lifecycle, p.Datasheet, p.Unreached = Problem, "", false, nil, nil, "", "", nil
	p.buy(l, by.choice)
	s, _ := guaranteeOf(by.choice.Offer)
	p.examine(Line{Footprint: l.Footprint, Pads: l.Pads, Lands: l.Lands, ID: identity.Identity{Certainty: identity.Exact}}, by.choice.Offer)
	p.say("in place of " + plain(original, "the named part") + ", which cannot be bought: " + s.String())
	p.Replaces, p.Compared, p.Similar = original, by.Compared, nil
	return p, true
}
