// Package verdict says of each line whether its parts can be bought for a build:
// from which supplier, for how much, and why not otherwise. It asks nobody; what
// suppliers said is given to it.
package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/money"
	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/cost"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/maker"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
)

// A Verdict is how a line stands.
type Verdict string

// The verdicts.
const (
	OK       Verdict = "ok"       // in stock and priced
	Check    Verdict = "check"    // the package or the identity needs a look
	Problem  Verdict = "problem"  // cannot be bought for this quantity
	Checking Verdict = "checking" // still being looked up
)

// A Line is what is asked about.
type Line struct {
	Refs         []string
	Name         string // the part in the customer's words
	Manufacturer string // as the line states it
	Footprint    string
	Pads         int // of the footprint, by number; 0 unknown
	PerBoard     int64
	Need         int64 // pieces to buy for the build, those that are lost in feeding included
	Pool         int64 // with other lines of the same part: what all of them need, bought at once; else 0
	Before       int64 // of Pool, what lines above need
	ID           identity.Identity
	Value        passive.Spec // what the line's own words specify, where they do
	HasValue     bool
}

// Facts are what suppliers said of a line.
type Facts struct {
	Offers  []part.Offer // of any of the line's queries, in the order of preference
	Similar []part.Similar
	// Searched are the sources that answered, Pending those that have not yet, and
	// Failed those that could not be asked.
	Searched []string
	Pending  []string
	Failed   map[string]outside.Kind
}

// A Part is the answer to a line.
type Part struct {
	Reference string   `json:"reference"`
	Part      string   `json:"part"`
	PerBoard  int64    `json:"quantity_per_board"`
	Verdict   Verdict  `json:"verdict"`
	Source    string   `json:"source,omitempty"`
	MPN       string   `json:"mpn,omitempty"`
	Maker     string   `json:"manufacturer,omitempty"`
	FabCode   string   `json:"fab_code,omitempty"`
	Library   string   `json:"fab_library,omitempty"`
	Supplier  string   `json:"supplier,omitempty"`
	SKU       string   `json:"sku,omitempty"`
	CostCents int64    `json:"cost_cents"` // for the whole build
	CostUSD   string   `json:"cost_usd,omitempty"`
	Bought    int64    `json:"bought,omitempty"`
	Stock     *int64   `json:"stock,omitempty"`
	LeadDays  *int     `json:"lead_time_days,omitempty"`
	Lifecycle string   `json:"lifecycle,omitempty"`
	Datasheet string   `json:"datasheet,omitempty"` // address, where a supplier states it
	Why       string   `json:"why,omitempty"`
	Searched  []string `json:"searched,omitempty"`
	Similar   *Similar `json:"similar_part,omitempty"`

	Choice cost.Choice `json:"-"` // with OK and Check: the purchase, and the offers that were rejected
	Joints int         `json:"-"` // of one piece, where the supplier tells; 0 unknown
	Misfit bool        `json:"-"` // the package is surely not the footprint's
}

// A Similar is another part that is in stock. It is offered, and never fitted
// without the customer's word.
type Similar struct {
	MPN          string `json:"mpn"`
	Manufacturer string `json:"manufacturer,omitempty"`
	Source       string `json:"source"`
	Supplier     string `json:"supplier"`
	SKU          string `json:"sku"`
	Stock        int64  `json:"stock"`
	CostCents    int64  `json:"cost_cents"`
	Why          string `json:"why"`

	choice cost.Choice
}

// Of judges a line.
func Of(l Line, f Facts) Part {
	p := Part{Reference: strings.Join(l.Refs, ","), Part: l.Name, PerBoard: l.PerBoard, Verdict: Problem, Searched: f.Searched}
	if l.ID.Certainty == identity.None {
		p.Why = unidentified(l.ID)
		if l.ID.Why == identity.WhyDisputed {
			p.Verdict = Check
		}
		return p
	}
	offers, another := fitting(l, f.Offers)
	choice, ok := cost.Best(offers, l.Whole())
	if !ok && len(another) > 0 {
		choice, ok = cost.Best(another, l.Whole())
		p.flag(ok, "the number is the same, the manufacturer is another one")
	}
	p.describe(offers)
	switch {
	case ok:
		p.buy(l, choice)
		p.examine(l, choice.Offer)
	case len(f.Pending) > 0:
		p.Verdict = Checking
	default:
		p.unavailable(offers, f, l.Whole())
	}
	return p
}

// unidentified words why a line means no part.
func unidentified(id identity.Identity) string {
	switch id.Why {
	case identity.WhyNoSize:
		return "it names a value without a size: " + id.Spec.ValueText()
	case identity.WhyNoSeries:
		return "no usual series has it: " + id.Spec.String()
	case identity.WhyDisputed:
		return "lines of the list name different parts for it, and only one can be fitted"
	case identity.WhyNotPlain:
		return "its value alone does not tell the part: a part number is needed"
	}
	return "it names no exact part: a part number is needed"
}

// fitting parts offers into those of the line's manufacturer and others, and for
// passives leaves out what does not meet the specification.
func fitting(l Line, offers []part.Offer) (fit, another []part.Offer) {
	for _, o := range offers {
		if l.ID.Certainty == identity.Passive {
			if n, ok := passive.Read(o.MPN); !ok || !n.Spec.Meets(l.ID.Spec) {
				continue
			}
		}
		if l.ID.Certainty != identity.Passive && !maker.Same(l.makerOf(o.MPN), o.Manufacturer) {
			another = append(another, o)
		} else {
			fit = append(fit, o)
		}
	}
	return fit, another
}

// makerOf is the manufacturer that the line asks for at a number: each part that it
// allows has its own.
func (l *Line) makerOf(number string) string {
	for _, q := range l.ID.Queries {
		if q.Scheme == part.MPN && mpn.Same(q.Number, number) {
			return q.Manufacturer
		}
	}
	return l.Manufacturer
}

// describe states what is known of the part whether or not it can be bought.
func (p *Part) describe(offers []part.Offer) {
	stock, lead := int64(0), -1
	for _, o := range offers {
		stock = max(stock, o.Stock)
		if o.LeadDays >= 0 && (lead < 0 || o.LeadDays < lead) {
			lead = o.LeadDays
		}
		if p.Lifecycle == "" && o.Lifecycle != part.Unstated {
			p.Lifecycle = string(o.Lifecycle)
		}
		p.Datasheet = cmp.Or(p.Datasheet, o.Datasheet)
	}
	if len(offers) > 0 {
		p.Stock = &stock
	}
	if lead >= 0 {
		p.LeadDays = &lead
	}
}

// buy takes a choice for all lines of the part, and of it the line's share.
func (p *Part) buy(l Line, c cost.Choice) {
	o := c.Offer
	if p.Verdict == Problem {
		p.Verdict = OK
	}
	p.Choice, p.Source, p.Supplier, p.SKU, p.MPN, p.Maker = c, o.Source, o.Supplier, o.SKU, o.MPN, o.Manufacturer
	p.CostCents, p.Bought, p.Joints, p.Library = l.share(c.Cents), l.share(c.Quantity), o.Joints, o.Library
	p.CostUSD = fmt.Sprintf("%d.%02d", p.CostCents/100, p.CostCents%100)
	if o.Library != "" {
		p.FabCode = o.SKU
	}
	if o.Lifecycle != part.Unstated {
		p.Lifecycle = string(o.Lifecycle)
	}
	p.Datasheet = cmp.Or(o.Datasheet, p.Datasheet)
	stock := o.Stock
	p.Stock = &stock
	p.say(saving(l, c))
}

// saving words why more is bought than is needed, where that is not because it
// has to.
func saving(l Line, c cost.Choice) string {
	switch {
	case c.Spare <= 0 || c.Quantity <= max(c.Offer.Minimum, c.Offer.Multiple):
		return ""
	case l.Pool > l.Need:
		return fmt.Sprintf("%d are bought for all lines of the part, since that costs less or comes in that number", c.Quantity)
	}
	return fmt.Sprintf("%d are bought, since that costs less or comes in that number", c.Quantity)
}

func (p *Part) say(why string) {
	switch {
	case why == "":
	case p.Why == "":
		p.Why = why
	default:
		p.Why += "; " + why
	}
}

// flag makes the line one to look at.
func (p *Part) flag(so bool, why string) {
	if so {
		p.Verdict = Check
		p.say(why)
	}
}

// examine holds the chosen part against the line's own words.
func (p *Part) examine(l Line, o part.Offer) {
	p.flag(l.ID.Certainty == identity.Guessed, "the value was taken for a part number")
	if l.ID.Certainty == identity.Passive {
		p.say("any part of this specification: " + l.ID.Spec.String())
		if len(l.ID.Assumed) > 0 {
			p.say("assumed: " + strings.Join(l.ID.Assumed, ", "))
		}
	}
	p.flag(otherPart(l, o), "the code of the supplier is that of another part than the list names: "+o.MPN)
	n, known := passive.Read(o.MPN)
	if known && l.HasValue && l.ID.Certainty == identity.Exact {
		p.flag(n.Spec.Kind != l.Value.Kind || n.Spec.Value != l.Value.Value, "the part is "+n.Spec.ValueText()+", the list says "+l.Value.ValueText())
	}
	name := o.Package
	if known {
		name = n.Spec.Size
	}
	p.flagPads(l.Pads, casecode.Parse(o.Package))
	another := casecode.Differ(casecode.Parse(l.Footprint), casecode.Parse(name))
	p.flag(another, "the part comes in another package than the footprint is for")
	p.Misfit = p.Misfit || another
	if life := o.Lifecycle; life.Ending() || life == part.NRND {
		p.say(map[part.Lifecycle]string{
			part.NRND: "not recommended for new designs", part.LastTimeBuy: "the last orders are being taken", part.EOL: "at the end of its life", part.Obsolete: "no longer made",
		}[life])
	}
}

// flagPads compares pads with pins. An exposed pad and tabs are counted by some
// and not by others, so two too many are no difference; too few always are.
func (p *Part) flagPads(pads int, c casecode.Case) {
	if pads > 0 && c.Pins > 0 && (pads < c.Pins || pads > c.Pins+2) {
		p.Misfit = true
		p.flag(true, fmt.Sprintf("the footprint has %d pads, the part %d pins", pads, c.Pins))
	}
}

// otherPart reports whether a line that names a part by number was answered, by a
// supplier's code, with another one.
func otherPart(l Line, o part.Offer) bool {
	named := false
	for _, q := range l.ID.Queries {
		if q.Scheme == part.MPN {
			if mpn.Family(q.Number) == mpn.Family(o.MPN) {
				return false
			}
			named = true
		}
	}
	return named && l.ID.Certainty == identity.Exact
}

// unavailable words why nothing can be bought.
func (p *Part) unavailable(offers []part.Offer, f Facts, need int64) {
	most := int64(0)
	for _, o := range offers {
		most = max(most, o.Stock)
	}
	failed := names(f.Failed)
	switch {
	case len(offers) == 0 && len(failed) > 0:
		p.Verdict = Check
		p.say("not found at " + list(f.Searched) + "; " + list(failed) + " could not be asked just now")
	case len(offers) == 0:
		p.say("not found at " + list(f.Searched))
	case !slices.ContainsFunc(offers, func(o part.Offer) bool { return len(o.Breaks) > 0 }):
		p.say("known at " + list(f.Searched) + ", but without a price")
	case most == 0:
		p.say("out of stock at " + list(f.Searched))
	default:
		p.say(fmt.Sprintf("%d are needed; no single supplier that was searched sells so many, at most %d are in stock", need, most))
	}
	if len(offers) > 0 && len(failed) > 0 {
		p.say(list(failed) + " could not be asked just now")
	}
}

func names(failed map[string]outside.Kind) []string {
	var out []string
	for n := range failed {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

func list(names []string) string {
	if len(names) == 0 {
		return "any supplier"
	}
	return strings.Join(names, ", ")
}

// Candidates are the parts that may stand in for one that cannot be bought: for
// passives others of the specification, for others what suppliers name and those
// that differ in packing only.
func Candidates(l Line, f Facts) []part.Query {
	var out []part.Query
	add := func(number, manufacturer string) {
		q := part.Query{Scheme: part.MPN, Number: number, Manufacturer: manufacturer}
		same := func(o part.Query) bool { return o.Key() == q.Key() }
		if mpn.Key(number) != "" && len(out) < 6 && !slices.ContainsFunc(out, same) && !slices.ContainsFunc(l.ID.Queries, same) {
			out = append(out, q)
		}
	}
	if l.ID.HasSpec && l.ID.Certainty == identity.Exact {
		for _, n := range passive.Number(l.ID.Spec) {
			add(n.MPN, n.Manufacturer)
		}
	}
	for _, s := range f.Similar {
		add(s.MPN, s.Manufacturer)
	}
	return out
}

// Replacement finds the candidate that is in stock and costs least; nil for none. For a
// passive part only one that meets the specification will do.
func Replacement(l Line, offers []part.Offer) *Similar {
	fit := slices.DeleteFunc(slices.Clone(offers), func(o part.Offer) bool {
		n, known := passive.Read(o.MPN)
		return l.ID.HasSpec && (!known || !n.Spec.Meets(l.ID.Spec)) || o.Lifecycle == part.Obsolete
	})
	c, ok := cost.Best(fit, l.Whole())
	if !ok {
		return nil
	}
	o := c.Offer
	return &Similar{o.MPN, o.Manufacturer, o.Source, o.Supplier, o.SKU, o.Stock, l.share(c.Cents), relation(l), c}
}

func relation(l Line) string {
	if l.ID.HasSpec {
		return "the same specification from another series: " + l.ID.Spec.String()
	}
	return "named by a supplier in its place: compare the data sheets"
}

// Replaced is a passive part that cannot be bought, with another of exactly its
// specification in its place; ok is false for every other part: those are swapped
// at the customer's word only.
func Replaced(l Line, p Part) (replaced Part, ok bool) {
	if p.Bought > 0 || p.Verdict == Checking || p.Similar == nil || !l.ID.HasSpec || l.ID.Certainty != identity.Exact {
		return p, false
	}
	original := p.Part
	p.Verdict, p.Why, p.Misfit, p.Stock, p.LeadDays, p.Lifecycle, p.Datasheet = Problem, "", false, nil, nil, "", ""
	p.buy(l, p.Similar.choice)
	p.examine(Line{Footprint: l.Footprint, Pads: l.Pads, ID: identity.Identity{Certainty: identity.Passive, Spec: l.ID.Spec, HasSpec: true}}, p.Choice.Offer)
	p.say("in place of " + original + ", which cannot be bought")
	p.Similar = nil
	return p, true
}

// A Summary totals a report.
type Summary struct {
	Lines         map[Verdict]int `json:"lines"`
	PartsCents    int64           `json:"parts_cents"` // of the lines that can be bought
	PerBoardCents int64           `json:"per_board_cents"`
	Complete      bool            `json:"complete"` // every line can be bought
}

// Sum totals parts for a build.
func Sum(parts []Part, boards int64) Summary {
	s := Summary{Lines: map[Verdict]int{}, Complete: true}
	for i := range parts {
		s.Lines[parts[i].Verdict]++
		s.PartsCents += parts[i].CostCents
		s.Complete = s.Complete && parts[i].Bought > 0
	}
	s.PerBoardCents = money.Divide(s.PartsCents, max(boards, 1))
	return s
}
