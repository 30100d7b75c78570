package verdict

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/cost"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
)

// MaxAlternatives is how many parts are offered for a line.
const MaxAlternatives = 5

// maxCompared bounds how many parts are compared for a line, whatever suppliers answer.
const maxCompared = 100

// How an alternative's property stands against that of the part on the list.
const (
	Same    = "same"
	Better  = "better"
	Worse   = "worse"
	Unknown = "unknown"
)

// A Reason is one property of an alternative held against that of the part on the list.
type Reason struct {
	Property string // of [passive.Comparison], package, named_by, stock, price, lifecycle
	Is       string
	Named    string
	Offered  string
}

// An Alternative is another part that can be bought for the build. It is offered and never taken
// without the customer's word.
type Alternative struct {
	Similar
	Lifecycle string
	Datasheet string
	LeadDays  int // −1 unknown
	Score     int // 0 to 100, see [Alternatives]
	NoWorse   bool
	Reasons   []Reason

	ranked rank
}

// A rank is how much is known of an alternative, the better the higher.
type rank int

const (
	someWorse   rank = iota // in what a part from another series may differ in
	someUnknown             // nothing is known to be worse
	noneWorse               // everything that decides is known, and is no worse
)

// Alternatives are the parts among offers that may take the place of a line's, the best first, at
// most [MaxAlternatives]. Of a passive part none is among them that is known to be worse, or not known to
// be as good, in value, size, tolerance, voltage, dielectric, power or current.
//
// A score is 70 to 100 where all that decides is known and no worse, 30 to 59 where nothing is
// known to be worse and something is not known, and 0 to 25 where something is worse. Within these stock,
// price and lifecycle count 10 points each; each property that is not known takes 2, each that is worse 5.
func Alternatives(l Line, f Facts, p Part, offers []part.Offer) []Alternative {
	if p.Aside || p.Contradicts || AskWhich(l, f, offers) != "" {
		return nil
	}
	offers = slices.DeleteFunc(slices.Clone(fillPackages(offers)), func(o part.Offer) bool { return o.Lifecycle == part.Obsolete || l.isNamed(f, p, o) })
	m, at := l.model(f), l.place(f)
	offers, _ = at.admit(offers)
	var out []Alternative
	for _, same := range groupByPart(offers) {
		c, ok := cost.Choose(same, l.Whole())
		if !ok {
			continue
		}
		a, ok := alternative(l, f, m, c)
		if !ok {
			continue
		}
		a.comparePackage(at)
		a.compareSupply(l, p, c)
		out = append(out, a)
	}
	scoreAll(l, out)
	slices.SortStableFunc(out, func(a, b Alternative) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.choice.Cents, b.choice.Cents), strings.Compare(a.MPN, b.MPN))
	})
	return out[:min(len(out), MaxAlternatives)]
}

// IsRisky reports whether a part that can be bought is one to look for others for: it ends, or
// little is left. That one supplier alone has it, or the factory takes long, is no reason to ask more of them.
func IsRisky(risks []Risk) bool {
	return slices.ContainsFunc(risks, func(r Risk) bool { return r.Kind == EndOfLife || r.Kind == NotForNewDesigns || r.Kind == LowStock })
}

// isNamed reports whether an offer is of the part itself: the one that the line names, or that is
// bought for it.
func (l *Line) isNamed(f Facts, p Part, o part.Offer) bool {
	same := func(number string) bool { return number != "" && mpn.Same(number, o.MPN) }
	return mpn.Key(o.MPN) == "" || same(partNumberOf(*l, f)) || same(p.MPN) ||
		slices.ContainsFunc(l.ID.Queries, func(q part.Query) bool { return q.Scheme == part.MPN && same(q.Number) })
}

// groupByPart are offers by what they are of, in their order.
func groupByPart(offers []part.Offer) (groups [][]part.Offer) {
	at := map[string]int{}
	for _, o := range offers {
		key := mpn.Key(o.MPN)
		i, known := at[key]
		switch {
		case known:
			groups[i] = append(groups[i], o)
		case len(groups) < maxCompared:
			at[key], groups = len(groups), append(groups, []part.Offer{o})
		}
	}
	return groups
}

// alternative holds the part of a purchase against the one that the line names; ok is false where
// it may not take its place.
func alternative(l Line, f Facts, m model, c cost.Choice) (a Alternative, ok bool) {
	o := c.Offer
	a = Alternative{Similar: *similar(l, c, ""), Lifecycle: string(o.Lifecycle), Datasheet: o.Datasheet, LeadDays: o.LeadDays, ranked: someUnknown}
	offered, reported := guaranteeOf(o)
	words := l.words()
	if words.Kind == "" {
		words = l.wordsOfKind(offered.Kind)
	}
	switch {
	case m.known:
		if !reported || !offered.Meets(commonSpec(m.spec)) {
			return a, false
		}
		list, noless := m.compare(o)
		a.Compared = list
		a.reason(list)
		for _, why := range m.objections {
			a.Reasons = append(a.Reasons, Reason{Property: "part", Is: Unknown, Named: why, Offered: o.MPN})
		}
		if a.ranked = someUnknown; noless {
			a.ranked = noneWorse
		}
	case m.reported, words.Kind != "":
		known := words
		if m.reported {
			known = m.spec
		}
		full, assumed := known.Assume()
		if !reported || !offered.Meets(commonSpec(full)) {
			return a, false
		}
		a.Compared = passive.Compare(known, offered)
		a.reason(a.Compared)
		for _, word := range assumed {
			a.Reasons = append(a.Reasons, Reason{Property: "assumed", Is: Unknown, Named: word, Offered: offered.String()})
		}
		if len(assumed) == 0 {
			a.Reasons = append(a.Reasons, Reason{Property: "part", Is: Unknown, Named: passive.Unknown, Offered: offered.String()})
		}
	default:
		a.Reasons = append(a.Reasons, Reason{Property: "named_by", Is: Unknown, Named: partNumberOf(l, f), Offered: relation(f, o.MPN)})
	}
	return a, true
}

// reason takes comparisons over.
func (a *Alternative) reason(list []passive.Comparison) {
	for _, c := range list {
		r := Reason{Property: c.Property, Is: Better, Named: c.Named, Offered: c.Replacement}
		switch {
		case c.Worse && (c.Named == passive.Unknown || c.Replacement == passive.Unknown):
			r.Is = Unknown
		case c.Worse:
			r.Is = Worse
		case c.Named == c.Replacement:
			r.Is = Same
		}
		a.Reasons = append(a.Reasons, r)
	}
}

// comparePackage says whether the part surely lies on the pads of the line's.
func (a *Alternative) comparePackage(at place) {
	o := a.choice.Offer
	r := Reason{Property: "package", Is: Same, Named: cmp.Or(caseWords(at.footprint), caseWords(at.part), passive.Unknown), Offered: cmp.Or(o.Package, caseWords(caseOf(o)), passive.Unknown)}
	if !at.takes(caseOf(o)) {
		r.Is, a.ranked = Unknown, min(a.ranked, someUnknown)
	}
	a.Reasons = append(a.Reasons, r)
}

// caseWords names a case; "" for one that is not told.
func caseWords(c casecode.Case) string { return cmp.Or(c.Size, c.Family) }

// lifecycles by how long the part will be made, the longest first.
var lifecycles = []part.Lifecycle{part.Active, part.Unstated, part.NRND, part.LastTimeBuy, part.EOL, part.Obsolete}

// compareSupply says how the part can be bought against the line's.
func (a *Alternative) compareSupply(l Line, p Part, c cost.Choice) {
	stock := Reason{Property: "stock", Is: Better, Named: "0", Offered: strconv.FormatInt(c.Offer.Stock, 10)}
	if p.Stock != nil {
		stock.Named, stock.Is = strconv.FormatInt(*p.Stock, 10), order(c.Offer.Stock, *p.Stock)
	}
	price := Reason{Property: "price", Is: Unknown, Named: passive.Unknown, Offered: a.CostUSD}
	if p.Bought > 0 {
		price.Named, price.Is = p.CostUSD, order(p.CostCents, l.share(c.Cents))
	}
	named := part.Lifecycle(cmp.Or(p.Lifecycle, string(part.Unstated)))
	life := Reason{Property: "lifecycle", Named: string(named), Offered: string(c.Offer.Lifecycle), Is: order(int64(slices.Index(lifecycles, named)), int64(slices.Index(lifecycles, c.Offer.Lifecycle)))}
	if c.Offer.Lifecycle == part.Unstated {
		life.Is = Unknown
	}
	a.Reasons = append(a.Reasons, stock, price, life)
}

// order says how an amount stands of which more is better.
func order(offered, named int64) string {
	switch cmp.Compare(offered, named) {
	case 1:
		return Better
	case -1:
		return Worse
	}
	return Same
}

// scoreAll gives alternatives of a line their scores.
func scoreAll(l Line, list []Alternative) {
	cheapest := int64(0)
	for i := range list {
		if cents := list[i].choice.Cents; i == 0 || cents < cheapest {
			cheapest = cents
		}
	}
	for i := range list {
		a := &list[i]
		unknown, worse := 0, 0
		for _, r := range a.Reasons {
			switch {
			case r.Property == "stock" || r.Property == "price" || r.Property == "lifecycle":
			case r.Is == Unknown:
				unknown++
			case r.Is == Worse:
				worse++
			}
		}
		if worse > 0 {
			a.ranked = someWorse
		}
		points := a.supplyPoints(l, cheapest)
		switch a.ranked {
		case noneWorse:
			a.NoWorse, a.Score = true, 70+points
		case someUnknown:
			a.Score = max(30, 29+points-2*(max(unknown, 1)-1))
		default:
			a.Score = max(0, min(25, points-5*(worse-1)-2*unknown))
		}
	}
}

// supplyPoints are 0 to 30: stock, price and lifecycle.
func (a *Alternative) supplyPoints(l Line, cheapest int64) int {
	points := 5
	if a.choice.Offer.Stock >= partchecks.Enough*l.Whole() {
		points = 10
	}
	if a.choice.Cents <= cheapest {
		points += 10
	} else {
		points += int(10 * cheapest / a.choice.Cents)
	}
	return points + map[part.Lifecycle]int{part.Active: 10, part.Unstated: 5, part.NRND: 2}[a.choice.Offer.Lifecycle]
}
