package pricing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/dated"
	"boardorder/pkg/destination"
	"boardorder/pkg/flow"
	"boardorder/services/pricing/internal/offer"

	"golang.org/x/sync/errgroup"
)

const (
	// tableParallel is how many prices of one table are asked for at once.
	tableParallel = 10
	// tableTTL is how long a table holds at most; a price in it may end before.
	tableTTL = 10 * time.Minute
)

// priceTable prices a board in several quantities, for several places and in every build. Each
// quantity and place is a quote that is not kept, so a quote of a cell costs the same.
func (s *Service) priceTable(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[pricetables.PriceData](c)
	if err != nil {
		return err
	}
	if data.Table != c.Request {
		return flow.Permanent(fmt.Errorf("%s names table %q and request %q", c.Name, data.Table, c.Request))
	}
	places, err := s.tablePlaces(data.Destinations)
	if err != nil {
		return err
	}
	u, files, err := s.readUpload(ctx, c, data.Upload, data.Request, describePrices(data))
	if err != nil {
		return err
	}
	data.Request.Quantity = data.Quantities[0]
	word := quotes.TestScenarioOf(c.Account, data.Request)
	if word == quotes.TestSlow {
		err = s.slow(ctx, c, data.Request)
	} else {
		err = answerScenario(word, data.Request)
	}
	if err != nil {
		return err
	}
	var priced []tableQuote
	err = s.reportProgress(ctx, c, stageTable(data), func() (err error) {
		priced, err = s.quoteTable(ctx, c, data, u, files)
		return err
	})
	if err != nil {
		return err
	}
	t, err := s.tableOf(c, data, places, priced)
	if err != nil {
		return err
	}
	t.Upload, t.Digest = u.Ref, u.Digest
	return aggregate.At[pricetables.PriceTable](s.events, contract.PriceTableAggregate, data.Table).Create(ctx, c, s.now(),
		aggregate.Change[pricetables.PriceTable]{Event: pricetables.EventPriced, State: t})
}

// stageTable is the stage of a table whose prices the fabricator has not given yet.
func stageTable(d pricetables.PriceData) stage {
	return stage{"price", describePrices(d) + " The design files are read and checked. The fabricator is being asked for the prices."}
}

func describePrices(d pricetables.PriceData) string {
	if len(d.Quantities) == 1 {
		return "The price of one quantity was asked for."
	}
	return fmt.Sprintf("Prices of %d quantities were asked for.", len(d.Quantities))
}

// tablePlaces are the places of a table's destinations. All that is wrong with them is
// refused at once.
func (s *Service) tablePlaces(to []shipments.ShipTo) ([]destination.Place, error) {
	if len(to) == 0 {
		place, problems := s.tables.Places.Resolve(nil, s.cfg.DefaultCountry)
		if len(problems) > 0 {
			return nil, contract.RefuseFields(problems)
		}
		return []destination.Place{place}, nil
	}
	places := make([]destination.Place, len(to))
	var all []contract.FieldProblem
	for i := range to {
		place, problems := s.tables.Places.Resolve(&to[i], s.cfg.DefaultCountry)
		for _, p := range problems {
			p.Field = "ship_to." + strconv.Itoa(i) + strings.TrimPrefix(p.Field, "ship_to")
			all = append(all, p)
		}
		places[i] = place
	}
	if len(all) > 0 {
		return nil, contract.RefuseFields(all)
	}
	return places, nil
}

// A tableQuote is what one quantity costs at one place: a quote, or why there is none.
type tableQuote struct {
	quote   *quotes.Quote
	refusal *contract.Refusal
	asked   round // in which each build's fabricator is chosen as the quote's was
}

// quoteTable prices every quantity for every place, by place and then quantity. What is refused
// for all of them alike refuses the table. Parts of all quantities are looked up at once.
func (s *Service) quoteTable(ctx context.Context, c contract.Command, d pricetables.PriceData, u uploads.Brief, files boards.ReadFiles) ([]tableQuote, error) {
	rule, err := s.ruleOf(ctx, c.Account)
	if err != nil {
		return nil, err
	}
	out := make([]tableQuote, d.Quotes())
	errs := make([]error, len(out))
	var group errgroup.Group
	group.SetLimit(tableParallel)
	for i := range out {
		group.Go(func() error {
			r := d.Request
			r.Quantity = d.Quantities[i%len(d.Quantities)]
			if at := i / len(d.Quantities); at < len(d.Destinations) {
				r.ShipTo = &d.Destinations[at]
			}
			q := &quotes.Quote{Account: c.Account, RequestID: c.Request, Upload: u.Ref, Digest: u.Digest, Request: r, Version: 1, CreatedAt: s.now()}
			in := inquiry{command: c, upload: u, rule: rule, data: quotes.PriceData{Upload: d.Upload, Request: r, Unknown: d.Unknown}}
			err := s.offer(ctx, q, files, &in)
			out[i].asked = in.round
			if out[i].refusal = contract.RefusalIn(err); out[i].refusal == nil {
				out[i].quote, errs[i] = q, err
			}
			return nil
		})
	}
	_ = group.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return nil, errs[i]
	}
	if !slices.ContainsFunc(out, func(p tableQuote) bool { return p.refusal == nil }) {
		return nil, out[0].refusal
	}
	return out, nil
}

// endOfPrices is until when prices of now hold at most: with the next day others of the tables
// of duty, taxes and shipping may apply.
func endOfPrices(now time.Time) time.Time {
	tomorrow := now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	if end := now.Add(tableTTL); end.Before(tomorrow) {
		return end
	}
	return tomorrow
}

// tableOf lays priced quotes out as a table.
func (s *Service) tableOf(c contract.Command, d pricetables.PriceData, places []destination.Place, priced []tableQuote) (pricetables.PriceTable, error) {
	now := s.now().UTC().Truncate(time.Millisecond)
	t := pricetables.PriceTable{ID: d.Table, Account: c.Account, CreatedAt: now, ExpiresAt: endOfPrices(now)}
	t.Reply = pricetables.Reply{
		OK: true, PriceTableID: d.Table, Assembled: d.Request.Assembly, Currency: "USD", Quantities: d.Quantities, AsOf: now,
		Next: "Send the body of this request to POST /v1/quotes with the properties of a cell's quote_request in place of quantities and ship_to, and the cell becomes a quote with the same total.",
	}
	describeTable(&t.Reply, priced)
	for i, p := range priced {
		at := i / len(d.Quantities)
		cells, until, err := s.tableCells(p, places[at], at, d.Quantities[i%len(d.Quantities)], t.Reply.Notes)
		if err != nil {
			return t, err
		}
		if p.refusal != nil && p.refusal.Code == contract.PriceUnavailable { // whoever asks again gets what is missing
			until = now.Add(partTTL)
		}
		if !until.IsZero() && until.Before(t.ExpiresAt) {
			t.ExpiresAt = until.UTC().Truncate(time.Millisecond)
		}
		t.Reply.Cells = append(t.Reply.Cells, cells...)
	}
	for i, place := range places {
		to := pricetables.Destination{Country: place.Country, State: place.Region, PostalCode: place.PostalCode, Assumed: place.Assumed}
		j := slices.IndexFunc(t.Reply.Cells, func(c pricetables.Cell) bool { return c.Destination == i && c.InYourCurrency != nil })
		if j >= 0 {
			in := t.Reply.Cells[j].InYourCurrency
			to.Rate = &pricetables.Rate{From: "USD", To: in.Currency, Value: in.Rate, Date: in.RateDate, Source: in.Source}
		}
		t.Reply.Destinations = append(t.Reply.Destinations, to)
	}
	t.Reply.Breaks, t.Reply.ExpiresAt = pricetables.FindBreaks(t.Reply.Cells), t.ExpiresAt
	return t, nil
}

// describeTable takes from the quotes of a table what they share: the board, and notes.
func describeTable(r *pricetables.Reply, priced []tableQuote) {
	for _, p := range priced {
		switch {
		case p.quote == nil:
		case r.BoardDetails == nil:
			of := p.quote.Reply
			r.Board, r.BoardDetails, r.BoardDetailsFrom, r.Notes = of.Board, of.BoardDetails, of.BoardDetailsFrom, slices.Clone(of.Notes)
		default:
			r.Notes = slices.DeleteFunc(r.Notes, func(note string) bool { return !slices.Contains(p.quote.Reply.Notes, note) })
		}
	}
	if r.Notes == nil {
		r.Notes = []string{}
	}
}

// tableCells are the cells of one quantity and place, the slowest build first, and until when
// the fabricator's price holds. shared are notes that stand with the table.
func (s *Service) tableCells(p tableQuote, place destination.Place, at, quantity int, shared []string) ([]pricetables.Cell, time.Time, error) {
	empty := pricetables.Cell{Quantity: quantity, Destination: at, Status: pricetables.Unavailable, Standard: true}
	if p.refusal != nil {
		empty.Why = p.refusal.Message
		for _, f := range p.refusal.Fields {
			empty.Why += " " + f.Message
		}
		return []pricetables.Cell{empty}, time.Time{}, nil
	}
	own := slices.DeleteFunc(slices.Clone(p.quote.Reply.Notes), func(note string) bool { return slices.Contains(shared, note) })
	request := &pricetables.QuoteRequest{Quantity: quantity, ShipTo: p.quote.Request.ShipTo}
	if p.quote.Mode == quotes.ModeReview {
		empty.Status, empty.Why, empty.Notes, empty.QuoteRequest = pricetables.Review, strings.Join(p.quote.Reply.CustomQuoteReasons, " "), own, request
		return []pricetables.Cell{empty}, time.Time{}, nil
	}
	standard := s.choose(p.asked, wish{Choice: offer.Choice{Place: place}})
	if standard.index < 0 {
		return nil, time.Time{}, fmt.Errorf("price %d boards: %w", quantity, errors.Join(standard.errs...))
	}
	made := []choiceMade{standard}
	for _, hours := range p.asked.hours() {
		if m := s.choose(p.asked, wish{Choice: offer.Choice{Place: place, BuildHours: hours}}); m.index >= 0 && hours != standard.offers[standard.index].Choice.BuildHours {
			made = append(made, m)
		}
	}
	var cells []pricetables.Cell
	for i, m := range made {
		cell := cellOf(m.offers[m.index], s.now())
		cell.Destination, cell.Fabricator, cell.Standard, cell.Notes = at, p.asked.answers[m.index].fab.Name, i == 0, own
		cell.QuoteRequest = &pricetables.QuoteRequest{Quantity: quantity, ShipTo: request.ShipTo}
		if !cell.Standard {
			cell.QuoteRequest.BuildTimeHours = cell.BuildTimeHours
		}
		cells = append(cells, cell)
	}
	return cells, p.asked.validUntil(), nil
}

// cellOf is an offer as a cell shows it, paid on a day.
func cellOf(o offer.Offer, paid time.Time) pricetables.Cell {
	var r quotes.Reply
	o.Fill(&r)
	lines := slices.Clone(r.Lines)
	for i := range lines { // which a quote tells, once
		lines[i].Basis, lines[i].Source = "", ""
	}
	made, from, to := o.Days()
	day := func(n int) string { return string(dated.DayOf(dated.AddWorkingDays(paid, n))) }
	hours := o.Choice.BuildHours
	c := pricetables.Cell{
		Quantity: r.Quantity, Status: pricetables.Priced, BuildTimeHours: &hours, Build: *r.LeadTime, Total: r.Total, TotalCents: r.TotalCents,
		PerBoard: r.PerBoard, PerBoardCents: r.PerBoardCents, TaxCents: r.TaxCents, Lines: lines, InYourCurrency: r.InYourCurrency, Delivery: *r.Delivery,
		ProductionDays: made, ReadyOn: day(made), ArrivesFrom: day(from), ArrivesTo: day(to),
	}
	for _, w := range r.ShippingOptions {
		if w.Chosen {
			c.Shipping = w.Name()
		}
	}
	return c
}
