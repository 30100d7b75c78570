// Package verdict says of each line whether its parts can be bought for a build:
// from which supplier, for how much, and why not otherwise. It asks nobody; what
// suppliers said is given to it.
package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/money"
	"boardorder/pkg/passive"
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
	Checking Verdict = "checking" // still being looked up, or a supplier could not be reached
)

// A Line is what is asked about.
type Line struct {
	Refs         []string
	Name         string // the part in the customer's words
	Stated       string // its value, as the list has it
	Manufacturer string // as the line states it
	Footprint    string
	Pads         int      // of the footprint, by number; 0 unknown
	Lands        geom.Box // of the middles of its pads; empty where they are not known
	Places       []Place  // what lies round the places of its parts, where no pads are known to be theirs
	PerBoard     int64
	Need         int64 // pieces to buy for the build, those that are lost in feeding included
	Pool         int64 // with other lines of the same part: what all of them need, bought at once; else 0
	Before       int64 // of Pool, what lines above need
	ID           identity.Identity
	Value        passive.Spec // what the line's own words specify, where they do
	HasValue     bool
	Unread       passive.Unread // what of its words was not understood
	Special      string         // the word that says that a value alone does not tell the part
	Kind         passive.Kind   // for which its place is, where that is told
	Substituted  bool           // the customer approved another part than the list has
	Doubts       []string       // what of the list itself needs a look, in words
	Aside        string         // why nothing is bought for it: its parts are looked at only; "" for one that is bought
	LeftOff      bool           // with Aside: nobody fits it
	ByValue      bool           // nobody has the line's codes, and its value was taken for the number
}

// Facts are what suppliers said of a line.
type Facts struct {
	Offers  []part.Offer // of any of the line's queries, in the order of preference
	Codes   []Code       // suppliers' own codes that were looked up
	Similar []part.Similar
	// Uncompared says that a code of the line is still to be looked up.
	Uncompared bool
	// Searched are the sources that answered, Pending those that have not yet, and
	// Failed those that could not be asked.
	Searched []string
	Pending  []string
	Failed   map[string]outside.Kind
	// Unasked are codes whose supplier could not be asked.
	Unasked map[string]outside.Kind
}

// A Part is the answer to a line.
type Part struct {
	Reference    string        `json:"reference"`
	Part         string        `json:"part"`
	PerBoard     int64         `json:"quantity_per_board"`
	Verdict      Verdict       `json:"verdict"`
	Source       string        `json:"source,omitempty"`
	MPN          string        `json:"mpn,omitempty"`
	Maker        string        `json:"manufacturer,omitempty"` // of MPN; where nothing is bought, as the line states it
	FabCode      string        `json:"fab_code,omitempty"`
	Library      string        `json:"fab_library,omitempty"`
	Supplier     string        `json:"supplier,omitempty"`
	SKU          string        `json:"sku,omitempty"`
	CostCents    int64         `json:"cost_cents"` // for the whole build
	CostUSD      string        `json:"cost_usd,omitempty"`
	Bought       int64         `json:"bought,omitempty"`
	Stock        *int64        `json:"stock,omitempty"`
	LeadDays     *int          `json:"lead_time_days,omitempty"`
	Lifecycle    string        `json:"lifecycle,omitempty"`
	Datasheet    string        `json:"datasheet,omitempty"` // address, where a supplier states it
	Why          string        `json:"why,omitempty"`
	Searched     []string      `json:"searched,omitempty"`
	Risks        []Risk        `json:"risks,omitempty"` // of [Risks]
	Supply       *Supply       `json:"-"`               // of [SupplyOf]
	Alternatives []Alternative `json:"-"`               // of [Alternatives]
	Similar      *Similar      `json:"similar_part,omitempty"`

	// Replaces is the part that the list names, where another is bought that is at
	// least as good in everything that Compared has.
	Replaces string               `json:"replaces,omitempty"`
	Compared []passive.Comparison `json:"compared,omitempty"`

	Choice      cost.Choice `json:"-"`                  // with OK and Check: the purchase, and the offers that were rejected
	Joints      int         `json:"-"`                  // of one piece, where the supplier tells; 0 unknown
	Misfit      bool        `json:"-"`                  // the package is surely not the footprint's
	Aside       bool        `json:"-"`                  // nothing is bought for it
	LeftOff     bool        `json:"left_off,omitempty"` // nothing is bought or fitted for it
	Contradicts bool        `json:"-"`                  // the list names two parts
	Provisional bool        `json:"-"`                  // bought where the cell names several and another of them, were it found, is better
	Sold        bool        `json:"-"`                  // somebody sells it; with Checking a code is still to be looked up
	Unreached   []string    `json:"-"`                  // with Checking: the sources that could not be reached, where all others have answered
}

// Judge judges a line.
func Judge(l Line, f Facts) Part {
	p := Part{Reference: strings.Join(l.Refs, ","), Part: l.Name, PerBoard: l.PerBoard, Verdict: Problem, Maker: l.Manufacturer, Searched: f.Searched}
	if l.Aside != "" {
		p.look(l, f)
		return p
	}
	if l.ID.Certainty == identity.None {
		p.Why = identityProblem(l.ID)
		if l.ID.Why == identity.WhyDisputed {
			p.Verdict = Check
		}
		return p
	}
	if why := contradiction(l, f); why != "" {
		p.Contradicts = true
		p.say(why)
		return p
	}
	f.Offers = fillPackages(f.Offers)
	offers, another := fitting(l, f)
	at := l.place(f)
	offers, elsewhere := l.splitByCase(offers, at)
	choice, ok := l.chooseNamed(at.choices(offers), f)
	misplaced := false
	if !ok {
		choice, ok = l.chooseNamed(offers, f)
		misplaced = ok
	}
	if !ok && len(another) > 0 {
		choice, ok = l.chooseOffer(another)
		p.flag(ok, "the number is the same, the manufacturer is another one")
	}
	p.describe(offers)
	second := ok && l.isSecond(choice.Offer, f)
	provisional := second || misplaced && len(l.ID.Numbers) > 0
	switch {
	case ok && f.Uncompared:
		p.Verdict, p.Sold = Checking, true
	case provisional && len(f.Pending) > 0:
		p.Verdict = Checking
	case ok:
		p.buy(l, choice)
		p.examine(l, choice.Offer)
		p.flag(l.isAlternate(choice.Offer) && !at.takes(caseOf(choice.Offer)), "it is another part that the list allows; "+at.doubt(choice.Offer))
		p.explain(l, f, choice.Offer)
		p.Provisional = provisional
		p.flagAlternate(l, f, choice.Offer, second)
	case len(f.Pending) > 0:
		p.Verdict = Checking
	default:
		p.unavailable(offers, f, l.Whole())
		if l.ID.Certainty == identity.Exact {
			p.say(strings.Join(l.model(f).objections, "; "))
		}
		if c, sold := l.chooseOffer(elsewhere); sold {
			p.say("another part that the list allows, " + plain(c.Offer.MPN, "by its number") + ", is sold, but in another package")
		}
	}
	return p
}

// identityProblem words why a line means no part.
func identityProblem(id identity.Identity) string {
	switch id.Why {
	case identity.WhyNoSize:
		return "it names a value without a size: " + id.Spec.ValueText()
	case identity.WhyNoSeries:
		return "no usual series has it: " + id.Spec.String()
	case identity.WhySeveral:
		return "it names several values, and only one can be fitted: which of them is meant?"
	case identity.WhyDisputed:
		return "lines of the list name different parts for it, and only one can be fitted: send a list that has each designator once, and where it is of several boards the list of this board alone"
	case identity.WhyNotPlain:
		return "its value alone does not tell the part: a part number is needed"
	}
	return "it names no exact part: a part number is needed"
}

// fitting parts offers into those of the line's manufacturer and others, and for
// passives leaves out what does not meet the specification. A part that a code is of
// and the list does not name may be any manufacturer's.
func fitting(l Line, f Facts) (fit, another []part.Offer) {
	for _, o := range f.Offers {
		if l.ID.Certainty == identity.Passive {
			if n, ok := passive.Read(o.MPN); !ok || !n.Spec.Meets(l.ID.Spec) {
				continue
			}
		}
		coded := primaryNumber(l) != "" && !agreesWhole(l, o) && !completes(o.MPN, primaryNumber(l))
		if l.ID.Certainty != identity.Passive && !coded && !maker.Same(l.makerOf(o.MPN), o.Manufacturer) {
			another = append(another, o)
		} else {
			fit = append(fit, o)
		}
	}
	return fit, another
}

// chooseOffer is the cheapest way to buy; where the list leaves a capacitor's voltage open,
// the highest that costs hardly more, which is half a cent a board, and of that the cheapest.
func (l *Line) chooseOffer(offers []part.Offer) (cost.Choice, bool) {
	c, ok := cost.Choose(offers, l.Whole())
	if !ok || !l.ID.OpenVoltage {
		return c, ok
	}
	most := c.Cents + c.Offer.Handling + l.Whole()/max(2*l.PerBoard, 1)
	for i := range offers {
		o, sold := cost.Choose(offers[i:i+1], l.Whole())
		total, before := o.Cents+o.Offer.Handling, c.Cents+c.Offer.Handling
		if sold && total <= most && (volts(o.Offer) > volts(c.Offer) || volts(o.Offer) == volts(c.Offer) && total < before) {
			c.Purchase, c.Spare = o.Purchase, o.Spare
		}
	}
	return c, true
}

func volts(o part.Offer) int64 {
	s, _ := guaranteeOf(o)
	return s.Voltage
}

// look examines a part that is not bought here, as far as anybody knows it.
func (p *Part) look(l Line, f Facts) {
	p.Verdict, p.Aside, p.LeftOff = OK, true, l.LeftOff
	p.say(l.Aside)
	for _, o := range f.Offers {
		if o.Package != "" && p.Choice.Offer.MPN == "" {
			p.Choice.Offer = o
			p.fits(l, o)
		}
	}
}

// explain says by which of the line's names the part was found.
func (p *Part) explain(l Line, f Facts, o part.Offer) {
	p.replaces(l, o, f)
	p.flagCompletion(l, o)
	p.flag(l.ByValue, "nobody has the code that the list gives, and the value was taken for a part number")
	for _, c := range f.Codes {
		switch {
		case len(c.Offers) == 0 && l.ByValue:
		case len(c.Offers) == 0:
			p.say("nobody has the code " + plain(c.Query.Number, "that the list gives") + "; the part was found by its number")
		case o.Source != c.Offers[0].Source && !slices.ContainsFunc(c.Offers, func(x part.Offer) bool { return x.SKU == o.SKU }) && c.Query.Scheme == part.FabCode:
			p.say(plain(c.Query.Number, "the code") + " is out of stock or too scarce at " + c.Offers[0].Source + "; the same part is bought elsewhere")
		}
	}
	for _, code := range names(f.Unasked) {
		p.flag(true, "the code "+plain(code, "on the list")+" could not be compared just now")
	}
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
	p.CostUSD = dollars(l, c)
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

// dollars is the line's share of the cost; of what is less than half a cent as much as it
// takes to be something.
func dollars(l Line, c cost.Choice) string {
	cents := l.share(c.Cents)
	if cents > 0 || c.Unit == 0 {
		return fmt.Sprintf("%d.%02d", cents/100, cents%100)
	}
	return (c.Unit * part.Price(max(l.share(c.Quantity), 1))).String()
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
		if l.ID.OpenVoltage {
			p.flag(true, "the list states no voltage: "+voltageText(o)+" was taken, the highest that costs about the same")
		}
		p.flag(len(l.ID.Unread) > 0, unreadText(l.ID.Unread))
	}
	for _, doubt := range l.Doubts {
		p.flag(true, doubt)
	}
	p.hold(l, o)
	p.holdVoltage(l, o)
	p.holdNamed(l, o)
	p.fits(l, o)
	if lifecycle := o.Lifecycle; lifecycle.Ending() || lifecycle == part.NRND {
		p.say(map[part.Lifecycle]string{
			part.NRND: "not recommended for new designs", part.LastTimeBuy: "the last orders are being taken", part.EOL: "at the end of its life", part.Obsolete: "no longer made",
		}[lifecycle])
	}
}

// voltageText is what the part of an offer is rated for.
func voltageText(o part.Offer) string {
	return passive.Spec{Kind: passive.Capacitor, Voltage: volts(o)}.VoltageText()
}

// unavailable words why nothing can be bought.
func (p *Part) unavailable(offers []part.Offer, f Facts, need int64) {
	most := int64(0)
	for _, o := range offers {
		most = max(most, o.Stock)
	}
	failed := names(f.Failed)
	if len(failed) > 0 {
		p.Verdict, p.Unreached = Checking, failed
		p.say(words(failed, "and") + " could not be reached just now, so it is not known yet whether the part can be bought: ask again in a few minutes")
	}
	switch {
	case len(offers) == 0 && len(f.Searched) == 0 && len(failed) > 0:
	case len(offers) == 0:
		p.say("not found at " + words(f.Searched, "or"))
	case !slices.ContainsFunc(offers, func(o part.Offer) bool { return len(o.Breaks) > 0 }):
		p.say("known at " + words(f.Searched, "and") + ", but without a price")
	case most == 0:
		p.say("out of stock at " + words(f.Searched, "and"))
	default:
		p.say(fmt.Sprintf("%d are needed; no single supplier that was searched sells so many, at most %d are in stock", need, most))
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

// words lists sources as people call them.
func words(sources []string, last string) string {
	var called []string
	for _, s := range sources {
		called = append(called, part.SourceWords(s))
	}
	switch n := len(called); n {
	case 0:
		return "any supplier"
	case 1:
		return called[0]
	default:
		return strings.Join(called[:n-1], ", ") + " " + last + " " + called[n-1]
	}
}

// A Summary totals a report.
type Summary struct {
	Lines         map[Verdict]int `json:"lines"`
	AtRisk        int             `json:"at_risk"`     // lines with a risk
	PartsCents    int64           `json:"parts_cents"` // of the lines that can be bought
	PerBoardCents int64           `json:"per_board_cents"`
	Complete      bool            `json:"complete"` // every line can be bought
}

// Sum totals parts for a build.
func Sum(parts []Part, boards int64) Summary {
	s := Summary{Lines: map[Verdict]int{}, Complete: true}
	for i := range parts {
		s.Lines[parts[i].Verdict]++
		s.AtRisk += min(len(parts[i].Risks), 1)
		s.PartsCents += parts[i].CostCents
		s.Complete = s.Complete && (parts[i].Bought > 0 || parts[i].Aside)
	}
	s.PerBoardCents = money.Divide(s.PartsCents, max(boards, 1))
	return s
}
