package document

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/language"
	"boardorder/pkg/money"
	"boardorder/pkg/phrase"
)

// ErrNoQuote says that there is nothing to draw.
var ErrNoQuote = errors.New("the order has no quote")

// FormalQuote draws the current quote of a formal order, with all options; of an
// accepted one it says which. [ErrNoQuote] where there is none.
func FormalQuote(o formal.Order) ([]byte, error) {
	q := o.Quote
	if q == nil {
		return nil, ErrNoQuote
	}
	p := language.Find(o.Language)
	s := Open(Title{Kind: p.Text("Quote"), Name: q.Number, Order: o.Ref, At: q.IssuedAt, Language: o.Language})
	if contract.IsTest(o.Account) {
		s.Mark(p.Text("TEST – no quote: nothing of it can be ordered"))
	}
	var buyer []string
	if o.Email != "" {
		buyer = append(buyer, p.Text("For %s", o.Email))
	}
	if o.CustomerPO != "" {
		buyer = append(buyer, p.Text("Your order number: %s", o.CustomerPO))
	}
	s.Parties(buyer, q.Seller)
	s.Heading(p.Text("Quote %s", q.Number), quoteFacts(p, o, *q))
	if q.Note != "" {
		s.Prose(q.Note)
		s.Gap(5)
	}
	for n, option := range q.Options {
		s.option(o, option, n+1)
	}
	s.Notes(quoteNotes(p, o, *q)...)
	return s.Bytes()
}

func quoteFacts(p *language.Printer, o formal.Order, q formal.Quote) [][2]string {
	facts := [][2]string{
		{p.Text("Issued"), p.Moment(q.IssuedAt)}, {p.Text("Valid until"), p.Moment(q.ValidUntil)},
		{p.Text("Order"), o.Ref}, {p.Text("Name of the order"), o.Name}, {p.Text("Boards"), strconv.Itoa(o.Qty)}, {p.Text("Services"), services(p, o.Services)},
	}
	if o.BoardLayers != nil {
		facts = append(facts, [2]string{p.Text("Layers"), strconv.Itoa(*o.BoardLayers)})
	}
	if o.BoardOrigin != "" {
		facts = append(facts, [2]string{p.Text("Made in"), strings.ToUpper(o.BoardOrigin)})
	}
	if o.TargetDate != "" {
		facts = append(facts, [2]string{p.Text("Wanted by"), phrase.Translate(p, o.TargetDate)})
	}
	return facts
}

func services(p *language.Printer, s formal.Services) string {
	text := ""
	for _, one := range []struct {
		on   bool
		name string
	}{{s.Fabrication, p.Text("fabrication")}, {s.PartProcurement, p.Text("part procurement")}, {s.Assembly, p.Text("assembly")}} {
		switch {
		case one.on && text == "":
			text = one.name
		case one.on:
			text = p.Text("%s, %s", text, one.name)
		}
	}
	return text
}

// option draws one option with its lines. Of its length the beginning decides on
// which page it stands.
func (s Sheet) option(o formal.Order, option formal.Option, n int) {
	p := s.words
	title := p.Text("Option %[1]s: %[2]s", strconv.Itoa(n), option.Fabricator)
	if a := o.Accepted; a != nil && a.OptionID == option.ID {
		title += p.Text(" (accepted %s)", p.Day(a.AcceptedAt.UTC()))
	}
	s.Section(title, float64(30+6*min(len(option.Lines), 10)))
	if option.Description != "" {
		s.Prose(option.Description)
	}
	s.Prose(p.Text("Lead time: %d days from acceptance to shipping. Option number %s.", option.LeadTimeDays, option.ID))
	s.Gap(1)
	for _, l := range option.Lines {
		s.Row(phrase.Translate(p, l.Label), s.Amount(l.Cents, option.Currency), false)
	}
	s.Row(p.Text("Total"), s.Amount(option.TotalCents, option.Currency), true)
	if o.Qty > 1 {
		s.Row(p.Text("That is for each board about"), s.Amount(money.Divide(option.TotalCents, int64(o.Qty)), option.Currency), false)
	}
	s.Gap(6)
}

func quoteNotes(p *language.Printer, o formal.Order, q formal.Quote) []string {
	until := p.Moment(q.ValidUntil)
	if o.Language == "" { // from before there were languages
		until = q.ValidUntil.UTC().Format(time.RFC1123)
	}
	notes := []string{p.Text("All amounts are in US dollars. One option can be accepted, as a whole, until %s, where the order was placed.", until)}
	if o.ITAR {
		notes = append(notes, p.Text("Export-controlled (ITAR): this document and the boards go to US persons only."))
	}
	return notes
}
