package document

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/money"
)

// ErrNoQuote says that there is nothing to draw.
var ErrNoQuote = errors.New("the order has no quote")

// day is how documents write a date.
const day = "2 January 2006"

// FormalQuote draws the current quote of a formal order, with all options; of an
// accepted one it says which. [ErrNoQuote] where there is none.
func FormalQuote(o formal.Order) ([]byte, error) {
	q := o.Quote
	if q == nil {
		return nil, ErrNoQuote
	}
	s := Open(Title{Kind: "Quote", Name: q.Number, Order: o.Ref, At: q.IssuedAt})
	if contract.IsTest(o.Account) {
		s.Mark("TEST – no quote: nothing of it can be ordered")
	}
	var buyer []string
	if o.Email != "" {
		buyer = append(buyer, "For "+o.Email)
	}
	if o.CustomerPO != "" {
		buyer = append(buyer, "Your order number: "+o.CustomerPO)
	}
	s.Parties(buyer, q.Seller)
	s.Heading("Quote "+q.Number, quoteFacts(o, *q))
	if q.Note != "" {
		s.Prose(q.Note)
		s.Gap(5)
	}
	for n, option := range q.Options {
		s.option(o, option, n+1)
	}
	s.Notes(quoteNotes(o, *q)...)
	return s.Bytes()
}

func quoteFacts(o formal.Order, q formal.Quote) [][2]string {
	facts := [][2]string{
		{"Issued", q.IssuedAt.UTC().Format(day + ", 15:04 MST")}, {"Valid until", q.ValidUntil.UTC().Format(day + ", 15:04 MST")},
		{"Order", o.Ref}, {"Name", o.Name}, {"Boards", strconv.Itoa(o.Qty)}, {"Services", services(o.Services)},
	}
	if o.BoardLayers != nil {
		facts = append(facts, [2]string{"Layers", strconv.Itoa(*o.BoardLayers)})
	}
	if o.BoardOrigin != "" {
		facts = append(facts, [2]string{"Made in", strings.ToUpper(o.BoardOrigin)})
	}
	if o.TargetDate != "" {
		facts = append(facts, [2]string{"Wanted by", o.TargetDate})
	}
	return facts
}

func services(s formal.Services) string {
	var out []string
	for _, one := range []struct {
		on   bool
		name string
	}{{s.Fabrication, "fabrication"}, {s.PartProcurement, "part procurement"}, {s.Assembly, "assembly"}} {
		if one.on {
			out = append(out, one.name)
		}
	}
	return strings.Join(out, ", ")
}

// option draws one option with its lines. Of its length the beginning decides on
// which page it stands.
func (s Sheet) option(o formal.Order, option formal.Option, n int) {
	title := fmt.Sprintf("Option %d: %s", n, option.Fabricator)
	if a := o.Accepted; a != nil && a.OptionID == option.ID {
		title += " (accepted " + a.AcceptedAt.UTC().Format(day) + ")"
	}
	s.Section(title, float64(30+6*min(len(option.Lines), 10)))
	if option.Description != "" {
		s.Prose(option.Description)
	}
	s.Prose(fmt.Sprintf("Lead time: %s from acceptance to shipping. Option number %s.", days(option.LeadTimeDays), option.ID))
	s.Gap(1)
	for _, l := range option.Lines {
		s.Row(l.Label, money.Amount(l.Cents, option.Currency), false)
	}
	s.Row("Total", money.Amount(option.TotalCents, option.Currency), true)
	if o.Qty > 1 {
		s.Row("That is for each board about", money.Amount(money.Divide(option.TotalCents, int64(o.Qty)), option.Currency), false)
	}
	s.Gap(6)
}

func days(n int) string {
	if n == 1 {
		return "1 day"
	}
	return strconv.Itoa(n) + " days"
}

func quoteNotes(o formal.Order, q formal.Quote) []string {
	notes := []string{"All amounts are in US dollars. One option can be accepted, as a whole, until " + q.ValidUntil.UTC().Format(time.RFC1123) + ", where the order was placed."}
	if o.ITAR {
		notes = append(notes, "Export-controlled (ITAR): this document and the boards go to US persons only.")
	}
	return notes
}
