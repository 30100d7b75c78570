package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract/partchecks"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/maker"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
)

// A RiskKind is what may go wrong with a part.
type RiskKind string

// The kinds of risks.
const (
	OneSource        RiskKind = "one_source"          // of several suppliers that were asked one alone sells enough of it
	NotForNewDesigns RiskKind = "not_for_new_designs" // its maker advises against it
	EndOfLife        RiskKind = "end_of_life"         // its maker ends it, or has ended it
	LongLead         RiskKind = "lead_time"           // the factory takes longer than a build
	LowStock         RiskKind = "low_stock"           // the build takes a third of what there is, or more
)

// A Risk is why a part may be hard to buy once this build is ordered, or for the next.
type Risk struct {
	Kind   RiskKind  `json:"kind"`
	Source string    `json:"source"` // whose word it is: "fab", a distributor's public name, "aggregator"
	Says   string    `json:"says"`
	At     time.Time `json:"at"` // when it was said
}

const (
	// buildDays is what boards and their assembly take, as a rule: what comes later holds
	// the order up.
	buildDays = 28
)

// Risks are those of the part that is bought for a line, or that the line names where
// nothing is. They hold what suppliers said, and judge nothing that they did not.
func Risks(l Line, f Facts, p Part) []Risk {
	offers := p.offersOf(f)
	if len(offers) == 0 || p.Aside {
		return nil
	}
	risks := lifecycleRisks(offers)
	// Why it cannot be bought is said already, and a part that is told by its specification
	// alone has many makers.
	if p.Bought == 0 || l.ID.Certainty == identity.Passive {
		return risks
	}
	for _, find := range []func(Line, Facts, []part.Offer) *Risk{leadRisk, stockRisk, sourceRisk} {
		if r := find(l, f, offers); r != nil {
			risks = append(risks, *r)
		}
	}
	return risks
}

// offersOf are the offers of the part itself, in whatever packaging.
func (p *Part) offersOf(f Facts) []part.Offer {
	bought := p.Choice.Offer
	if p.Bought == 0 {
		return f.Offers
	}
	offers := slices.DeleteFunc(slices.Clone(f.Offers), func(o part.Offer) bool {
		return !mpn.Same(o.MPN, bought.MPN) || !maker.Same(o.Manufacturer, bought.Manufacturer)
	})
	if len(offers) == 0 { // it takes the place of the part that suppliers were asked about
		offers = []part.Offer{bought}
	}
	return offers
}

// endings are the lifecycles that are a risk, the gravest first.
var endings = []struct {
	lifecycle part.Lifecycle
	kind      RiskKind
	says      string
}{
	{part.Obsolete, EndOfLife, "no longer made"},
	{part.EOL, EndOfLife, "at the end of its life"},
	{part.LastTimeBuy, EndOfLife, "the last orders are being taken"},
	{part.NRND, NotForNewDesigns, "not recommended for new designs"},
}

// lifecycleRisks is the gravest that a supplier states: one may have heard of it before
// another.
func lifecycleRisks(offers []part.Offer) []Risk {
	for _, e := range endings {
		if i := slices.IndexFunc(offers, func(o part.Offer) bool { return o.Lifecycle == e.lifecycle }); i >= 0 {
			return []Risk{riskOf(e.kind, offers[i], e.says)}
		}
	}
	return nil
}

func riskOf(kind RiskKind, o part.Offer, says string) Risk { return Risk{kind, o.Source, says, o.At} }

// leadRisk is that more of the part comes late, by whoever has it soonest.
func leadRisk(_ Line, _ Facts, offers []part.Offer) *Risk {
	offers = slices.DeleteFunc(slices.Clone(offers), func(o part.Offer) bool { return o.LeadDays < 0 })
	if len(offers) == 0 {
		return nil
	}
	soonest := slices.MinFunc(offers, func(a, b part.Offer) int { return cmp.Compare(a.LeadDays, b.LeadDays) })
	if soonest.LeadDays <= buildDays {
		return nil
	}
	r := riskOf(LongLead, soonest, fmt.Sprintf("the factory takes %d days to deliver more", soonest.LeadDays))
	return &r
}

// stockRisk is that others may buy what this build needs before it is ordered.
func stockRisk(l Line, _ Facts, offers []part.Offer) *Risk {
	s := supplyOf(l, offers)
	if s.Stock >= partchecks.Enough*s.Needed {
		return nil
	}
	r := Risk{LowStock, s.Source, fmt.Sprintf("%d in stock at all who were asked, and this build takes %d", s.Stock, s.Needed), s.At}
	return &r
}

// A Supply is how much there is of a part at all who were asked, and how much a build takes.
type Supply struct {
	Stock, Needed int64
	Source        string // the one with the most
	At            time.Time
}

// SupplyOf is that of the part that is bought for a line, or that the line names where nothing
// is; nil where nobody sells it.
func SupplyOf(l Line, f Facts, p Part) *Supply {
	offers := p.offersOf(f)
	if len(offers) == 0 || p.Aside {
		return nil
	}
	s := supplyOf(l, offers)
	return &s
}

func supplyOf(l Line, offers []part.Offer) Supply {
	stocks := largestStocks(offers)
	s := Supply{Needed: l.Whole(), Source: stocks[0].Source, At: stocks[0].At}
	for _, o := range stocks {
		s.Stock += o.Stock
	}
	return s
}

// sourceRisk is that nobody else could deliver; who was not asked may sell it, too.
func sourceRisk(l Line, f Facts, offers []part.Offer) *Risk {
	if len(f.Searched) < 2 || len(f.Pending)+len(f.Failed) > 0 {
		return nil
	}
	able := slices.DeleteFunc(largestStocks(offers), func(o part.Offer) bool { return o.Stock < l.Whole() || len(o.Breaks) == 0 })
	if len(able) != 1 {
		return nil
	}
	r := riskOf(OneSource, able[0], fmt.Sprintf("nobody else of %s sells enough of it for this build", words(f.Searched, "and")))
	return &r
}

// largestStocks is of each supplier the offer with the most in stock: packagings are
// often cut from the same reels. The one with the most of all is first.
func largestStocks(offers []part.Offer) []part.Offer {
	var out []part.Offer
	for _, o := range offers {
		i := slices.IndexFunc(out, func(x part.Offer) bool { return strings.EqualFold(x.Supplier, o.Supplier) })
		switch {
		case i < 0:
			out = append(out, o)
		case o.Stock > out[i].Stock:
			out[i] = o
		}
	}
	slices.SortStableFunc(out, func(a, b part.Offer) int { return cmp.Compare(b.Stock, a.Stock) })
	return out
}
