package quotes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/money"
)

// KnownPrice is what the service knows of the price of a quote that the team makes,
// at the time when the customer asked for it.
type KnownPrice struct {
	Country    string              `json:"country"` // that it is delivered to, ISO 3166-1 alpha-2
	Lines      []prices.PricedLine `json:"lines"`
	BuildDays  int                 `json:"build_days"`            // working days, assembly included
	TransitMin int                 `json:"transit_min,omitempty"` // working days
	TransitMax int                 `json:"transit_max,omitempty"`
	Landed     bool                `json:"landed"`          // shipping, duty and tax are known
	Basis      map[string]string   `json:"basis,omitempty"` // of duty and tax
	At         time.Time           `json:"at"`
}

// CentsOf is what is known of one part of the price, in cents.
func (k *KnownPrice) CentsOf(part prices.Part) int64 {
	if k == nil {
		return 0
	}
	return centsFor(k.Lines, part)
}

func centsFor(lines []prices.PricedLine, part prices.Part) int64 {
	sum := int64(0)
	for _, l := range lines {
		if l.For == part {
			sum += l.Cents
		}
	}
	return sum
}

// PartDecision is what becomes of a line of an assembly that suppliers had no price
// for: found at a price, sent by the customer, or left off.
type PartDecision struct {
	Reference string `json:"reference"`      // as the line of the reply's parts has it
	Fitting   string `json:"fitting"`        // fitted, left_off, customer_supplied
	Cents     int64  `json:"cents"`          // fitted: for the whole build
	From      string `json:"from,omitempty"` // fitted: who sells it
}

// PriceReviewData is the team's price for a reviewed quote. The lines, what the
// decisions cost and the tax add up to the total.
type PriceReviewData struct {
	Quote     string              `json:"quote"` // ref
	Operator  string              `json:"operator"`
	Version   int                 `json:"version,omitempty"` // of the quote that the operator saw; 0 = whatever it is
	Lines     []prices.PricedLine `json:"lines"`
	TaxCents  int64               `json:"tax_cents"`
	LeftOut   []prices.LeftOut    `json:"left_out,omitempty"`
	Below     bool                `json:"below,omitempty"` // less than is known is meant
	Parts     []PartDecision      `json:"parts,omitempty"`
	BuildDays int                 `json:"build_days"` // working days
	// Transit is how long the parcel takes, in working days.
	TransitMin int    `json:"transit_min,omitempty"`
	TransitMax int    `json:"transit_max,omitempty"`
	ValidDays  int    `json:"valid_days,omitempty"` // how long it can be paid, 1 to MaxValidDays; 0 = ReviewTTL
	Note       string `json:"note,omitempty"`
}

// ExplainChange tells an operator who saw an earlier version of a quote what has happened.
func (q Quote) ExplainChange() string {
	if q.Reply.TotalCents == nil {
		return "This quote has changed since you opened it. Look at it before you set a price."
	}
	return cmp.Or(q.PricedBy, "Somebody") + " has set a price since you opened this: " + money.Dollars(*q.Reply.TotalCents) + ". Look at it before you set another; the customer is told of each."
}

// Cents is what a price asks for one part.
func (d PriceReviewData) Cents(part prices.Part) int64 {
	sum := centsFor(d.Lines, part)
	switch part {
	case prices.Tax:
		sum += d.TaxCents
	case prices.Components:
		sum += d.CostOfParts()
	}
	return sum
}

// CostOfParts is what the parts cost that the team found.
func (d PriceReviewData) CostOfParts() int64 {
	sum := int64(0)
	for _, p := range d.Parts {
		if p.Fitting == assemblies.Fitted {
			sum += p.Cents
		}
	}
	return sum
}

// CustomerLines are the lines of the price as the customer reads them.
func (d PriceReviewData) CustomerLines() []prices.Line {
	var lines []prices.Line
	add := func(l prices.Line, kind prices.Part) {
		l.Kind, l.Basis, l.Source = kind, "the price that our team made", "our team"
		lines = append(lines, l)
	}
	for _, l := range d.Lines {
		add(l.Line, l.For)
	}
	if found := d.CostOfParts(); found > 0 {
		add(prices.Line{Label: "Parts found by our team", Cents: found}, prices.Components)
	}
	if d.TaxCents > 0 {
		add(prices.Line{Label: "Tax", Cents: d.TaxCents}, prices.Tax)
	}
	return lines
}

// leavesOut tells whether the customer is told that a part is not in the price.
func (d PriceReviewData) leavesOut(part prices.Part) bool {
	return slices.ContainsFunc(d.LeftOut, func(l prices.LeftOut) bool { return l.Part == part && strings.TrimSpace(l.Words) != "" })
}

// Fields of a team's price that are refused, and why. Names of parts and references
// follow after a dot.
const (
	PriceLacks     = "left_out."
	PriceBelow     = "below."
	PriceUndecided = "parts."
)

// Lacking says why a price of the team's cannot be sold: parts of the whole order
// that nobody said to leave out, or that are in the price and said to be left out,
// less than is known, components that nobody decided about, and when it is there.
func (q Quote) Lacking(d PriceReviewData) []contract.FieldProblem {
	out := d.contradictions()
	lacks := func(field, format string, args ...any) {
		out = append(out, contract.FieldProblem{Field: field, Problem: "missing", Message: fmt.Sprintf(format, args...)})
	}
	for _, part := range q.partsToPrice(d) {
		requested, known := d.Cents(part), q.Known.CentsOf(part)
		free := part == prices.Tax && q.Known != nil && q.Known.Landed && known == 0
		switch {
		case d.leavesOut(part):
		case requested <= 0 && !free:
			lacks(PriceLacks+string(part), "There is nothing for %s. Fill it in, or say that it is left out.", part.Words())
		case requested < known && !d.Below:
			lacks(PriceBelow+string(part), "For %s at least %s is known, and %s is asked.", part.Words(), money.Dollars(known), money.Dollars(requested))
		case q.isOutdated(part, d) && !d.Below:
			lacks(PriceBelow+string(part), "For %s %s was worked out on goods of %s, which are %s now: work it out anew.", part.Words(), money.Dollars(known), money.Dollars(goodsOf(q.Known.CentsOf)), money.Dollars(goodsOf(d.Cents)))
		}
	}
	for _, p := range q.PartsToDecide() {
		if i := slices.IndexFunc(d.Parts, func(one PartDecision) bool { return one.Reference == p.Reference }); i < 0 || !d.Parts[i].isDecided() {
			lacks(PriceUndecided+p.Reference, "%s has no price: say what becomes of it.", p.Reference)
		}
	}
	if d.BuildDays <= 0 {
		lacks("build_days", "Say how long it takes to build.")
	}
	if !d.leavesOut(prices.Shipping) && (d.TransitMax <= 0 || d.TransitMin > d.TransitMax) {
		lacks("transit", "Say how long the parcel takes, such as 3 to 5.")
	}
	return out
}

// isOutdated reports whether duty or tax is no more than was worked out on goods that cost a
// tenth less, or less still.
func (q Quote) isOutdated(part prices.Part, d PriceReviewData) bool {
	known := q.Known.CentsOf(part)
	return (part == prices.Duty || part == prices.Tax) && known > 0 && d.Cents(part) <= known && goodsOf(d.Cents)*10 > goodsOf(q.Known.CentsOf)*11
}

// goodsOf is what is asked for what customs see.
func goodsOf(cents func(prices.Part) int64) int64 {
	return cents(prices.Boards) + cents(prices.Assembly) + cents(prices.Components)
}

// contradictions are parts that a line asks something for, and that the customer is
// told are not in the price.
func (d PriceReviewData) contradictions() []contract.FieldProblem {
	var out []contract.FieldProblem
	for _, part := range prices.ListParts() {
		line := slices.ContainsFunc(d.Lines, func(l prices.PricedLine) bool { return l.For == part })
		if d.leavesOut(part) && (line || d.Cents(part) != 0) {
			out = append(out, contract.FieldProblem{Field: PriceLacks + string(part), Problem: "contradicts", Message: fmt.Sprintf(
				"The price holds %s for %s, which is said to be left out. Take out the line or the tick.", money.Dollars(d.Cents(part)), part.Words())})
		}
	}
	return out
}

// Holds tells whether a price holds a part of it wherever it is due, so that it can be
// said. Of a team's price the part has an amount, or is known to cost nothing.
func (q Quote) Holds(part prices.Part) bool {
	if q.Team == nil {
		return q.Mode == ModeInstant
	}
	d := q.Team.Price
	return !d.leavesOut(part) && (d.Cents(part) > 0 || q.Known != nil && q.Known.Landed && q.Known.CentsOf(part) == 0)
}

// partsToPrice are the parts that a price of the quote must hold.
func (q Quote) partsToPrice(d PriceReviewData) []prices.Part {
	parts := []prices.Part{prices.Boards, prices.Shipping, prices.Tax}
	if q.Request.Assembly {
		parts = append(parts, prices.Assembly)
	}
	if q.Known.CentsOf(prices.Duty) > 0 {
		parts = append(parts, prices.Duty)
	}
	if q.Assembly != nil && q.Assembly.PartCents > 0 || q.Request.Assembly && q.Assembly == nil || d.CostOfParts() > 0 {
		parts = append(parts, prices.Components)
	}
	return parts
}

func (p PartDecision) isDecided() bool {
	switch p.Fitting {
	case assemblies.LeftOff, assemblies.CustomerSupplied:
		return p.Cents == 0
	case assemblies.Fitted:
		return p.Cents > 0
	}
	return false
}

// TeamPrice is the last price of the team's.
type TeamPrice struct {
	Price    PriceReviewData   `json:"price"`
	Unpriced []assemblies.Part `json:"unpriced,omitempty"` // what it decides about, as it was before
}

// PartsToDecide are the lines of an assembly that a price of the team's must decide about.
func (q Quote) PartsToDecide() []assemblies.Part {
	if q.Team != nil {
		return q.Team.Unpriced
	}
	var out []assemblies.Part
	for _, p := range q.Reply.Parts {
		if p.Fitting == assemblies.Fitted && p.PickedBy == "" && (p.Bought == 0 || p.Misfit) {
			out = append(out, p)
		}
	}
	return out
}
