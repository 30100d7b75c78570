package quotes_test

import (
	"slices"
	"testing"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
)

func priceLine(part prices.Part, cents int64) prices.PricedLine {
	return prices.PricedLine{Line: prices.Line{Label: string(part), Cents: cents}, For: part}
}

// TestLackingPrice: a price that lacks a part of the order is refused, unless somebody
// says in words that it is left out.
func TestLackingPrice(t *testing.T) {
	t.Parallel()
	whole := func() quotes.PriceReviewData {
		return quotes.PriceReviewData{
			Lines:    []prices.PricedLine{priceLine(prices.Boards, 2000), priceLine(prices.Shipping, 1000), priceLine(prices.Assembly, 3000), priceLine(prices.Components, 4000)},
			TaxCents: 600, BuildDays: 5, TransitMin: 3, TransitMax: 5,
		}
	}
	without := func(part prices.Part) func(*quotes.PriceReviewData) {
		return func(d *quotes.PriceReviewData) {
			d.Lines = slices.DeleteFunc(d.Lines, func(l prices.PricedLine) bool { return l.For == part })
		}
	}
	leave := func(part prices.Part, words string) func(*quotes.PriceReviewData) {
		return func(d *quotes.PriceReviewData) {
			d.LeftOut = append(d.LeftOut, prices.LeftOut{Part: part, Words: words})
		}
	}
	assembled := quotes.Quote{
		Request: quotes.Request{Quantity: 5, Assembly: true}, Assembly: &quotes.QuotedAssembly{Boards: 5, PartCents: 4000},
		Known: &quotes.KnownPrice{Landed: true, Lines: []prices.PricedLine{priceLine(prices.Boards, 2000), priceLine(prices.Shipping, 900), priceLine(prices.Tax, 500)}},
		Reply: quotes.Reply{Parts: []assemblies.Part{
			{Fitting: assemblies.Fitted, Found: partchecks.Found{Reference: "U1", Bought: 5}},
			{Fitting: assemblies.Fitted, Found: partchecks.Found{Reference: "P1,P2"}},
			{Fitting: assemblies.Fitted, PickedBy: "pia", Found: partchecks.Found{Reference: "J1"}},
			{Fitting: assemblies.LeftOff, Found: partchecks.Found{Reference: "R9"}},
		}},
	}
	settled := assembled
	settled.Reply.Parts = assembled.Reply.Parts[:1]
	supplied := settled
	supplied.Assembly = &quotes.QuotedAssembly{Boards: 5}
	bare := quotes.Quote{Request: quotes.Request{Quantity: 5}}
	free := bare
	free.Known = &quotes.KnownPrice{Landed: true}
	decide := func(fitting string, cents int64) func(*quotes.PriceReviewData) {
		return func(d *quotes.PriceReviewData) {
			d.Parts = []quotes.PartDecision{{Reference: "P1,P2", Fitting: fitting, Cents: cents}}
		}
	}
	for name, tt := range map[string]struct {
		quote  quotes.Quote
		change []func(*quotes.PriceReviewData)
		want   []string // fields
	}{
		"whole, of assembled boards":      {settled, nil, nil},
		"without boards":                  {settled, []func(*quotes.PriceReviewData){without(prices.Boards)}, []string{"left_out.boards"}},
		"without assembly":                {settled, []func(*quotes.PriceReviewData){without(prices.Assembly)}, []string{"left_out.assembly"}},
		"without parts":                   {settled, []func(*quotes.PriceReviewData){without(prices.Components)}, []string{"left_out.parts"}},
		"without parts that are all sent": {supplied, []func(*quotes.PriceReviewData){without(prices.Components)}, nil},
		"without shipping":                {settled, []func(*quotes.PriceReviewData){without(prices.Shipping)}, []string{"left_out.shipping"}},
		"shipping left out":               {settled, []func(*quotes.PriceReviewData){without(prices.Shipping), leave(prices.Shipping, "You fetch them.")}, nil},
		"left out without words":          {settled, []func(*quotes.PriceReviewData){without(prices.Shipping), leave(prices.Shipping, " ")}, []string{"left_out.shipping"}},
		"shipping in it, and left out":    {settled, []func(*quotes.PriceReviewData){leave(prices.Shipping, "Shipping to you")}, []string{"left_out.shipping"}},
		"tax in it, and left out":         {settled, []func(*quotes.PriceReviewData){leave(prices.Tax, "Tax")}, []string{"left_out.tax"}},
		"free duty, and left out": {settled, []func(*quotes.PriceReviewData){leave(prices.Duty, "Duty"), func(d *quotes.PriceReviewData) {
			d.Lines = append(d.Lines, priceLine(prices.Duty, 0))
		}}, []string{"left_out.duty"}},
		"duty left out, and no line of it": {settled, []func(*quotes.PriceReviewData){leave(prices.Duty, "Duty")}, nil},
		"parts found, and left out": {assembled, []func(*quotes.PriceReviewData){without(prices.Components), leave(prices.Components, "The parts"), decide(assemblies.Fitted, 100)},
			[]string{"left_out.parts"}},
		"without tax": {settled, []func(*quotes.PriceReviewData){func(d *quotes.PriceReviewData) { d.TaxCents = 0 }}, []string{"left_out.tax"}},
		"tax as a line": {settled, []func(*quotes.PriceReviewData){func(d *quotes.PriceReviewData) {
			d.TaxCents, d.Lines = 0, append(d.Lines, priceLine(prices.Tax, 600))
		}}, nil},
		"tax of cheaper goods":              {settled, []func(*quotes.PriceReviewData){func(d *quotes.PriceReviewData) { d.TaxCents = 500 }}, []string{"below.tax"}},
		"tax of cheaper goods, and meant":   {settled, []func(*quotes.PriceReviewData){func(d *quotes.PriceReviewData) { d.TaxCents, d.Below = 500, true }}, nil},
		"no tax where none is due":          {free, []func(*quotes.PriceReviewData){func(d *quotes.PriceReviewData) { d.TaxCents = 0 }}, nil},
		"no tax where nobody knows":         {bare, []func(*quotes.PriceReviewData){func(d *quotes.PriceReviewData) { d.TaxCents = 0 }}, []string{"left_out.tax"}},
		"bare boards without parts":         {bare, []func(*quotes.PriceReviewData){without(prices.Components), without(prices.Assembly)}, nil},
		"less than is known":                {settled, []func(*quotes.PriceReviewData){func(d *quotes.PriceReviewData) { d.Lines[0].Cents = 1999 }}, []string{"below.boards"}},
		"less than is known, and meant":     {settled, []func(*quotes.PriceReviewData){func(d *quotes.PriceReviewData) { d.Lines[0].Cents, d.Below = 1999, true }}, nil},
		"without a time to build":           {settled, []func(*quotes.PriceReviewData){func(d *quotes.PriceReviewData) { d.BuildDays = 0 }}, []string{"build_days"}},
		"without a time of the parcel":      {settled, []func(*quotes.PriceReviewData){func(d *quotes.PriceReviewData) { d.TransitMax = 0 }}, []string{"transit"}},
		"a parcel that comes before it can": {settled, []func(*quotes.PriceReviewData){func(d *quotes.PriceReviewData) { d.TransitMin = 6 }}, []string{"transit"}},
		"a part nobody decided about":       {assembled, nil, []string{"parts.P1,P2"}},
		"a part left off":                   {assembled, []func(*quotes.PriceReviewData){decide(assemblies.LeftOff, 0)}, nil},
		"a part sent by the customer":       {assembled, []func(*quotes.PriceReviewData){decide(assemblies.CustomerSupplied, 0)}, nil},
		"a part found":                      {assembled, []func(*quotes.PriceReviewData){decide(assemblies.Fitted, 100)}, nil},
		"a part found for nothing":          {assembled, []func(*quotes.PriceReviewData){decide(assemblies.Fitted, 0)}, []string{"parts.P1,P2"}},
		"a part that is left off and costs": {assembled, []func(*quotes.PriceReviewData){decide(assemblies.LeftOff, 100)}, []string{"parts.P1,P2"}},
		"a part with another word":          {assembled, []func(*quotes.PriceReviewData){decide("perhaps", 0)}, []string{"parts.P1,P2"}},
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
	team := func(landed bool, data quotes.PriceReviewData) quotes.Quote {
		q := quotes.Quote{Mode: quotes.ModeReview, Team: &quotes.TeamPrice{Price: data}}
		if landed {
			q.Known = &quotes.KnownPrice{Landed: true, Lines: []prices.PricedLine{priceLine(prices.Duty, 300)}}
		}
		return q
	}
	out := func(parts ...prices.Part) (d quotes.PriceReviewData) {
		for _, part := range parts {
			d.LeftOut = append(d.LeftOut, prices.LeftOut{Part: part, Words: "not in it"})
		}
		return d
	}
	for name, tt := range map[string]struct {
		quote               quotes.Quote
		shipping, duty, tax bool
	}{
		"instant":                         {quotes.Quote{Mode: quotes.ModeInstant}, true, true, true},
		"a review without a price":        {quotes.Quote{Mode: quotes.ModeReview}, false, false, false},
		"all left out":                    {team(true, out(prices.Shipping, prices.Duty, prices.Tax)), false, false, false},
		"no tax is due, by what is known": {team(true, quotes.PriceReviewData{Lines: []prices.PricedLine{priceLine(prices.Shipping, 5), priceLine(prices.Duty, 5)}}), true, true, true},
		"duty is due, and not asked":      {team(true, quotes.PriceReviewData{Lines: []prices.PricedLine{priceLine(prices.Shipping, 5)}, TaxCents: 5}), true, false, true},
		"nobody knows of duty":            {team(false, quotes.PriceReviewData{Lines: []prices.PricedLine{priceLine(prices.Shipping, 5)}, TaxCents: 5}), true, false, true},
	} {
		q := tt.quote
		if got := [3]bool{q.Holds(prices.Shipping), q.Holds(prices.Duty), q.Holds(prices.Tax)}; got != [3]bool{tt.shipping, tt.duty, tt.tax} {
			t.Errorf("%s: shipping, duty, tax in the price: %v, want %v", name, got, [3]bool{tt.shipping, tt.duty, tt.tax})
		}
	}
}
