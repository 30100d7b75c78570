package contract_test

import (
	"slices"
	"testing"

	"boardorder/pkg/contract"
)

func priceLine(part contract.PricePart, cents int64) contract.PricedLine {
	return contract.PricedLine{Line: contract.Line{Label: string(part), Cents: cents}, For: part}
}

// TestLackingPrice: a price that lacks a part of the order is refused, unless somebody
// says in words that it is left out.
func TestLackingPrice(t *testing.T) {
	t.Parallel()
	whole := func() contract.PriceReviewData {
		return contract.PriceReviewData{
			Lines:    []contract.PricedLine{priceLine(contract.PriceBoards, 2000), priceLine(contract.PriceShipping, 1000), priceLine(contract.PriceAssembly, 3000), priceLine(contract.PriceParts, 4000)},
			TaxCents: 500, BuildDays: 5, TransitMin: 3, TransitMax: 5,
		}
	}
	without := func(part contract.PricePart) func(*contract.PriceReviewData) {
		return func(d *contract.PriceReviewData) {
			d.Lines = slices.DeleteFunc(d.Lines, func(l contract.PricedLine) bool { return l.For == part })
		}
	}
	leave := func(part contract.PricePart, words string) func(*contract.PriceReviewData) {
		return func(d *contract.PriceReviewData) {
			d.LeftOut = append(d.LeftOut, contract.LeftOutOfPrice{Part: part, Words: words})
		}
	}
	assembled := contract.Quote{
		Asked: contract.QuoteRequest{Quantity: 5, Assembly: true}, Assembly: &contract.QuotedAssembly{Boards: 5, PartCents: 4000},
		Known: &contract.KnownPrice{Landed: true, Lines: []contract.PricedLine{priceLine(contract.PriceBoards, 2000), priceLine(contract.PriceShipping, 900), priceLine(contract.PriceTax, 500)}},
		Reply: contract.QuoteReply{Parts: []contract.AssemblyPart{
			{Fitting: contract.Fitted, PartFound: contract.PartFound{Reference: "U1", Bought: 5}},
			{Fitting: contract.Fitted, PartFound: contract.PartFound{Reference: "P1,P2"}},
			{Fitting: contract.Fitted, PickedBy: "pia", PartFound: contract.PartFound{Reference: "J1"}},
			{Fitting: contract.LeftOff, PartFound: contract.PartFound{Reference: "R9"}},
		}},
	}
	settled := assembled
	settled.Reply.Parts = assembled.Reply.Parts[:1]
	supplied := settled
	supplied.Assembly = &contract.QuotedAssembly{Boards: 5}
	bare := contract.Quote{Asked: contract.QuoteRequest{Quantity: 5}}
	free := bare
	free.Known = &contract.KnownPrice{Landed: true}
	decide := func(fitting string, cents int64) func(*contract.PriceReviewData) {
		return func(d *contract.PriceReviewData) {
			d.Parts = []contract.PartDecision{{Reference: "P1,P2", Fitting: fitting, Cents: cents}}
		}
	}
	for name, tt := range map[string]struct {
		quote  contract.Quote
		change []func(*contract.PriceReviewData)
		want   []string // fields
	}{
		"whole, of assembled boards":      {settled, nil, nil},
		"without boards":                  {settled, []func(*contract.PriceReviewData){without(contract.PriceBoards)}, []string{"left_out.boards"}},
		"without assembly":                {settled, []func(*contract.PriceReviewData){without(contract.PriceAssembly)}, []string{"left_out.assembly"}},
		"without parts":                   {settled, []func(*contract.PriceReviewData){without(contract.PriceParts)}, []string{"left_out.parts"}},
		"without parts that are all sent": {supplied, []func(*contract.PriceReviewData){without(contract.PriceParts)}, nil},
		"without shipping":                {settled, []func(*contract.PriceReviewData){without(contract.PriceShipping)}, []string{"left_out.shipping"}},
		"shipping left out":               {settled, []func(*contract.PriceReviewData){without(contract.PriceShipping), leave(contract.PriceShipping, "You fetch them.")}, nil},
		"left out without words":          {settled, []func(*contract.PriceReviewData){without(contract.PriceShipping), leave(contract.PriceShipping, " ")}, []string{"left_out.shipping"}},
		"shipping in it, and left out":    {settled, []func(*contract.PriceReviewData){leave(contract.PriceShipping, "Shipping to you")}, []string{"left_out.shipping"}},
		"tax in it, and left out":         {settled, []func(*contract.PriceReviewData){leave(contract.PriceTax, "Tax")}, []string{"left_out.tax"}},
		"free duty, and left out": {settled, []func(*contract.PriceReviewData){leave(contract.PriceDuty, "Duty"), func(d *contract.PriceReviewData) {
			d.Lines = append(d.Lines, priceLine(contract.PriceDuty, 0))
		}}, []string{"left_out.duty"}},
		"duty left out, and no line of it": {settled, []func(*contract.PriceReviewData){leave(contract.PriceDuty, "Duty")}, nil},
		"parts found, and left out": {assembled, []func(*contract.PriceReviewData){without(contract.PriceParts), leave(contract.PriceParts, "The parts"), decide(contract.Fitted, 100)},
			[]string{"left_out.parts"}},
		"without tax": {settled, []func(*contract.PriceReviewData){func(d *contract.PriceReviewData) { d.TaxCents = 0 }}, []string{"left_out.tax"}},
		"tax as a line": {settled, []func(*contract.PriceReviewData){func(d *contract.PriceReviewData) {
			d.TaxCents, d.Lines = 0, append(d.Lines, priceLine(contract.PriceTax, 500))
		}}, nil},
		"no tax where none is due":          {free, []func(*contract.PriceReviewData){func(d *contract.PriceReviewData) { d.TaxCents = 0 }}, nil},
		"no tax where nobody knows":         {bare, []func(*contract.PriceReviewData){func(d *contract.PriceReviewData) { d.TaxCents = 0 }}, []string{"left_out.tax"}},
		"bare boards without parts":         {bare, []func(*contract.PriceReviewData){without(contract.PriceParts), without(contract.PriceAssembly)}, nil},
		"less than is known":                {settled, []func(*contract.PriceReviewData){func(d *contract.PriceReviewData) { d.Lines[0].Cents = 1999 }}, []string{"below.boards"}},
		"less than is known, and meant":     {settled, []func(*contract.PriceReviewData){func(d *contract.PriceReviewData) { d.Lines[0].Cents, d.Below = 1999, true }}, nil},
		"without a time to build":           {settled, []func(*contract.PriceReviewData){func(d *contract.PriceReviewData) { d.BuildDays = 0 }}, []string{"build_days"}},
		"without a time of the parcel":      {settled, []func(*contract.PriceReviewData){func(d *contract.PriceReviewData) { d.TransitMax = 0 }}, []string{"transit"}},
		"a parcel that comes before it can": {settled, []func(*contract.PriceReviewData){func(d *contract.PriceReviewData) { d.TransitMin = 6 }}, []string{"transit"}},
		"a part nobody decided about":       {assembled, nil, []string{"parts.P1,P2"}},
		"a part left off":                   {assembled, []func(*contract.PriceReviewData){decide(contract.LeftOff, 0)}, nil},
		"a part sent by the customer":       {assembled, []func(*contract.PriceReviewData){decide(contract.CustomerSupplied, 0)}, nil},
		"a part found":                      {assembled, []func(*contract.PriceReviewData){decide(contract.Fitted, 100)}, nil},
		"a part found for nothing":          {assembled, []func(*contract.PriceReviewData){decide(contract.Fitted, 0)}, []string{"parts.P1,P2"}},
		"a part that is left off and costs": {assembled, []func(*contract.PriceReviewData){decide(contract.LeftOff, 100)}, []string{"parts.P1,P2"}},
		"a part with another word":          {assembled, []func(*contract.PriceReviewData){decide("perhaps", 0)}, []string{"parts.P1,P2"}},
	} {
		data := whole()
		for _, change := range tt.change {
			change(&data)
		}
		var got []string
		for _, f := range tt.quote.Lacking(data) {
			got = append(got, f.Field)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestHolds: what may be said to be in a price is what it has an amount for, or what is
// known to cost nothing.
func TestHolds(t *testing.T) {
	t.Parallel()
	team := func(landed bool, data contract.PriceReviewData) contract.Quote {
		q := contract.Quote{Mode: contract.ModeReview, Team: &contract.TeamPrice{Price: data}}
		if landed {
			q.Known = &contract.KnownPrice{Landed: true, Lines: []contract.PricedLine{priceLine(contract.PriceDuty, 300)}}
		}
		return q
	}
	out := func(parts ...contract.PricePart) (d contract.PriceReviewData) {
		for _, part := range parts {
			d.LeftOut = append(d.LeftOut, contract.LeftOutOfPrice{Part: part, Words: "not in it"})
		}
		return d
	}
	for name, tt := range map[string]struct {
		quote               contract.Quote
		shipping, duty, tax bool
	}{
		"instant":                         {contract.Quote{Mode: contract.ModeInstant}, true, true, true},
		"a review without a price":        {contract.Quote{Mode: contract.ModeReview}, false, false, false},
		"all left out":                    {team(true, out(contract.PriceShipping, contract.PriceDuty, contract.PriceTax)), false, false, false},
		"no tax is due, by what is known": {team(true, contract.PriceReviewData{Lines: []contract.PricedLine{priceLine(contract.PriceShipping, 5), priceLine(contract.PriceDuty, 5)}}), true, true, true},
		"duty is due, and not asked":      {team(true, contract.PriceReviewData{Lines: []contract.PricedLine{priceLine(contract.PriceShipping, 5)}, TaxCents: 5}), true, false, true},
		"nobody knows of duty":            {team(false, contract.PriceReviewData{Lines: []contract.PricedLine{priceLine(contract.PriceShipping, 5)}, TaxCents: 5}), true, false, true},
	} {
		q := tt.quote
		if got := [3]bool{q.Holds(contract.PriceShipping), q.Holds(contract.PriceDuty), q.Holds(contract.PriceTax)}; got != [3]bool{tt.shipping, tt.duty, tt.tax} {
			t.Errorf("%s: shipping, duty, tax in the price: %v, want %v", name, got, [3]bool{tt.shipping, tt.duty, tt.tax})
		}
	}
}
