package order

import (
	"cmp"
	"slices"
	"strings"

	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/destination"
	"boardorder/pkg/money"
)

// TaxRate is by what VAT of an order is stated in the currency of the country of the
// EU that it goes to: the last rate that was published, or that of the quote where none
// is known; nil of any other sale.
func TaxRate(book *destination.Book, o orders.Order, published prices.Rates) *prices.Rate {
	if book == nil {
		return nil
	}
	place, problems := book.Resolve(&o.ShipTo, "")
	if len(problems) > 0 {
		return nil
	}
	country, known := book.Country(place.Country)
	if !known || country.Union != "EU" {
		return nil
	}
	quoted := prices.RateOfQuote(o.Sold.Reply.InYourCurrency)
	if quoted != nil && quoted.Currency != country.Currency {
		quoted = nil
	}
	return cmp.Or(published.RateOf(country.Currency), quoted)
}

// taxOf is the tax of a document: all of it on the invoice; on a credit note, as much
// as brings what was given back so far, and did not fail, to its share.
func taxOf(o orders.Order, d Document) *invoices.Tax {
	if o.Sold.Reply.TaxCents == nil {
		return nil
	}
	whole := invoices.Tax{Cents: *o.Sold.Reply.TaxCents}
	if o.TaxRate != nil && whole.Cents > 0 {
		whole.National = &invoices.InCurrency{Hundredths: o.TaxRate.Hundredths(whole.Cents), Rate: *o.TaxRate}
	}
	if d.Kind == invoices.OrderInvoice {
		return &whole
	}
	if first := slices.IndexFunc(o.Invoices, func(i invoices.Invoice) bool { return i.Kind == invoices.OrderInvoice }); first >= 0 {
		if whole.National = nil; o.Invoices[first].Tax != nil { // none of an invoice that was issued before they had it
			whole = *o.Invoices[first].Tax
		}
	}
	before, tax, national := sumCredited(o, whole)
	part := func(of, credited int64) int64 { return money.Divide(of*(before+d.Cents), o.TotalCents) - credited }
	given := &invoices.Tax{Cents: part(whole.Cents, tax)}
	if n := whole.National; n != nil {
		given.National = &invoices.InCurrency{Hundredths: part(n.Hundredths, national), Rate: n.Rate}
	}
	return given
}

// sumCredited is what an order's credit notes, less their reversals, come to: with what of it
// they say is tax, and that in the country's currency. Of a note that says nothing of tax it
// is the share of the whole.
func sumCredited(o orders.Order, whole invoices.Tax) (cents, tax, national int64) {
	for _, i := range o.Invoices {
		sign := map[invoices.Kind]int64{invoices.CreditNote: 1, invoices.Reversal: -1}[i.Kind]
		said := invoices.Tax{Cents: money.Divide(whole.Cents*i.Cents, o.TotalCents)}
		if i.Tax != nil {
			said = *i.Tax
		}
		cents, tax = cents+sign*i.Cents, tax+sign*said.Cents
		if said.National != nil {
			national += sign * said.National.Hundredths
		} else if whole.National != nil {
			national += sign * money.Divide(whole.National.Hundredths*i.Cents, o.TotalCents)
		}
	}
	return cents, tax, national
}

// quantities are how many each line of an order is for: what pays for each board, for all of
// them; what is charged once, one; shipping, duty and taxes are not counted. nil where that is
// not known.
func quantities(o orders.Order) []int {
	counts := make([]int, len(o.Lines))
	if o.Sold.Mode == quotes.ModeInstant {
		goods := slices.IndexFunc(o.Lines, func(l prices.Line) bool { return strings.HasPrefix(l.Label, prices.ShippingLine) })
		for n := range max(goods, 0) {
			counts[n] = 1
			if l := o.Lines[n]; l.IsForEach() {
				counts[n] = o.Quantity
				if a := o.Sold.Assembly; a != nil && a.Boards > 0 && l.Label != prices.BoardsLabel {
					counts[n] = a.Boards
				}
			}
		}
		return counts
	}
	team := o.Sold.Team
	if team == nil || len(team.Price.Lines) > len(o.Lines) {
		return nil
	}
	for n, l := range team.Price.Lines {
		switch {
		case l.IsForEach():
			counts[n] = o.Quantity
		case l.For == prices.Boards || l.For == prices.Assembly || l.For == prices.Components:
			counts[n] = 1
		}
	}
	return counts
}
