// Package watched decides what is recorded of a quote's parts once suppliers were asked about
// them again. It asks nobody.
package watched

import (
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
)

// What a price has to have moved by to be told of: the least, and of that a share or an amount.
const (
	leastCents   = 100
	sharePercent = 2
	amountCents  = 5000
)

// A Pricer gives what a quote costs in all with its parts at so many cents.
type Pricer func(partsCents int64) (totalCents int64, err error)

// Next gives what is to be recorded first of a quote since suppliers gave a report on its
// [quotes.Quote.Recheck]; no event where nothing is. It is given the quote again, as recorded,
// until then. price is nil where nobody can tell.
func Next(q quotes.Quote, r partchecks.Report, asked time.Time, price Pricer) (contract.EventName, *quotes.WatchedParts, error) {
	before := standing(q)
	stands, parts := judge(q, r, asked)
	next := quotes.WatchedParts{At: asked, Price: before.Price}
	var news []quotes.LowPart
	for _, l := range before.Low {
		now, known := stands[l.Line]
		switch {
		case !known:
			next.Low = append(next.Low, l)
		case now == nil: // it has recovered
		case now.Short && !l.Short:
			news = append(news, *now)
		default:
			next.Low = append(next.Low, l)
		}
	}
	for line, now := range stands {
		if now != nil && !slices.ContainsFunc(before.Low, func(l quotes.LowPart) bool { return l.Line == line }) {
			news = append(news, *now)
		}
	}
	slices.SortFunc(news, func(a, b quotes.LowPart) int { return a.Line - b.Line })
	if len(news) > 0 {
		told := news[:min(len(news), quotes.MaxTold)]
		for _, l := range before.Low { // those that are told of next time stay as they are
			if slices.ContainsFunc(news[len(told):], func(n quotes.LowPart) bool { return n.Line == l.Line }) {
				next.Low = append(next.Low, l)
			}
		}
		for _, l := range told {
			next.Low, next.Told = append(next.Low, l), append(next.Told, l.Line)
		}
		return quotes.EventStockLow, &next, nil
	}
	moved, err := move(q, before.Price, parts, price)
	if err != nil {
		return "", nil, err
	}
	if moved != nil {
		next.Price = moved
		return quotes.EventPriceMoved, &next, nil
	}
	if len(next.Low) < len(before.Low) {
		return quotes.EventWatched, &next, nil
	}
	return "", nil, nil
}

// standing is what is known of the parts already: at first the risks that the quote was given
// with.
func standing(q quotes.Quote) quotes.WatchedParts {
	if q.Watched != nil {
		return *q.Watched
	}
	var w quotes.WatchedParts
	for _, i := range q.PartsToBuy() {
		p := q.Reply.Parts[i]
		for _, risk := range p.Risks {
			if risk.Kind == "low_stock" {
				w.Low = append(w.Low, lowPart(i, p, partchecks.Found{}, risk.At))
			}
		}
	}
	return w
}

// judge says how each line stands that suppliers have answered about, nil where there is enough,
// and what all parts cost then.
func judge(q quotes.Quote, r partchecks.Report, asked time.Time) (stands map[int]*quotes.LowPart, partsCents int64) {
	stands, partsCents = map[int]*quotes.LowPart{}, q.Assembly.PartCents
	for k, i := range q.PartsToBuy() {
		p := q.Reply.Parts[i]
		if k = answerTo(r, k, p.Reference); k < 0 || r.Parts[k].Verdict == "checking" {
			continue
		}
		now := r.Parts[k]
		gone := now.Bought == 0 || now.Replaces != ""
		if !gone {
			partsCents += now.Cents() - p.CostCents
		}
		scarce := now.Supply == nil || now.Supply.Stock < partchecks.Enough*now.Supply.Needed
		switch {
		case gone && scarce, now.Supply != nil && now.Supply.Stock < now.Supply.Needed:
			l := lowPart(i, p, now, asked)
			l.Short, stands[i+1] = true, &l
		case gone, now.Supply == nil: // for another reason than its stock
		case scarce && !p.Picked: // for a part that is told by its value others stand in
			l := lowPart(i, p, now, asked)
			stands[i+1] = &l
		default:
			stands[i+1] = nil
		}
	}
	return stands, partsCents
}

// answerTo is the index of a report's answer to a line that was asked about in a place; -1 for
// none.
func answerTo(r partchecks.Report, place int, reference string) int {
	if place < len(r.Parts) && r.Parts[place].Reference == reference {
		return place
	}
	return slices.IndexFunc(r.Parts, func(f partchecks.Found) bool { return f.Reference == reference })
}

func lowPart(i int, p assemblies.Part, now partchecks.Found, at time.Time) quotes.LowPart {
	l := quotes.LowPart{Line: i + 1, Reference: cut(p.Reference), MPN: cut(p.MPN), Needed: p.Bought, Source: p.Source, At: at}
	if s := now.Supply; s != nil {
		l.Stock, l.Needed, l.Source, l.At = s.Stock, s.Needed, s.Source, s.At
	}
	return l
}

// maxText bounds what an event repeats of a line, in bytes.
const maxText = 48

func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(text[:maxText], "") + "…"
}

// move is the price that a quote would have, where it has moved from the one that was told.
func move(q quotes.Quote, told *quotes.MovedPrice, partsCents int64, price Pricer) (*quotes.MovedPrice, error) {
	was := q.Assembly.PartCents
	if told != nil {
		was = told.PartsCents
	}
	if price == nil || partsCents == was || partsCents < 0 {
		return nil, nil
	}
	before, err := price(was)
	if err != nil {
		return nil, err
	}
	now, err := price(partsCents)
	if err != nil {
		return nil, err
	}
	by := max(now-before, before-now)
	if by < leastCents || by < amountCents && 100*by < sharePercent*before {
		return nil, nil
	}
	return &quotes.MovedPrice{PartsCents: partsCents, TotalCents: now, WasCents: before}, nil
}
