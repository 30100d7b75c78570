package offer

import (
	"time"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/dated"
)

// FindKnown is what is known of a price that people make: the goods, and for a place
// that has a way and rates the way there, duty and tax.
func (t *Tables) FindKnown(b Basis, c Choice, at time.Time) (*quotes.KnownPrice, error) {
	k := &quotes.KnownPrice{Country: c.Place.Country, At: at}
	o, err := t.Price(b, c)
	if err != nil {
		build, noBuild := b.build(c.BuildHours)
		if noBuild != nil {
			return nil, noBuild
		}
		l := t.goodsLines(&b, build)
		k.Lines, k.BuildDays = l.priceLines(), buildDays(Offer{basis: b}.hours(build))
		return k, nil
	}
	l, err := t.land(&o, o.build, o.way)
	if err != nil {
		return nil, err
	}
	k.Lines, k.BuildDays, k.Landed, k.Basis = l.priceLines(), buildDays(o.hours(o.build)), true, o.basisWords()
	k.TransitMin, k.TransitMax = o.way.DaysMin, o.way.DaysMax
	return k, nil
}

// FindKnownAssembly is what is known where the boards have no price: work and parts.
func (t *Tables) FindKnownAssembly(a Assembly, at time.Time) *quotes.KnownPrice {
	b := Basis{Assembly: a, Day: dated.DayOf(at)}
	return &quotes.KnownPrice{Lines: t.goodsLines(&b, Build{}).priceLines(), At: at}
}

func (l landed) priceLines() []prices.PricedLine {
	out := make([]prices.PricedLine, len(l.lines))
	for i, line := range l.lines {
		out[i] = prices.PricedLine{Line: line, For: line.Kind}
	}
	return out
}
