// Package invoice draws invoices, credit notes and their reversals as PDF. What a document says is
// recorded in its order; drawn again it is the same, byte for byte.
package invoice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/address"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/document"
	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
)

// A drawing is a document while it is drawn, in the language that it records.
type drawing struct {
	document.Sheet
	words *language.Printer
	order orders.Order
	invoices.Invoice
}

// PDF draws a document of an order.
func PDF(o orders.Order, i invoices.Invoice) ([]byte, error) {
	p := language.Find(i.Language)
	kind := p.Text("Invoice")
	switch i.Kind {
	case invoices.CreditNote:
		kind = p.Text("Credit note")
	case invoices.Reversal:
		kind = p.Text("Credit note reversal")
	}
	d := drawing{document.Open(document.Title{Kind: kind, Name: i.Name(), Order: o.Ref, At: i.IssuedAt, Language: i.Language}), p, o, i}
	switch {
	case i.Test:
		d.Mark(p.Text("TEST – no invoice: nobody paid or owes anything, and nothing is made"))
	case i.HasSampleSeller():
		d.Mark(p.Text("SAMPLE – no invoice: it does not say who sells"))
	}
	d.Parties(d.buyer(), i.Seller)
	d.Heading(kind+" "+i.Name(), d.facts())
	switch i.Kind {
	case invoices.CreditNote:
		d.refund(p.Text("Refunded amount"), -1)
	case invoices.Reversal:
		d.refund(p.Text("Refund that did not arrive"), 1)
	default:
		d.lines()
	}
	d.Notes(d.notes()...)
	pdf, err := d.Bytes()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", i.Name(), err)
	}
	return pdf, nil
}

func (d drawing) buyer() []string {
	buyer := address.Lines(d.order.ShipTo, d.words.Country)
	if id := d.order.ShipTo.TaxID; id != "" {
		buyer = append(buyer, d.words.Text("Tax number: %s", id))
	}
	return buyer
}

func (d drawing) facts() [][2]string {
	p, o := d.words, d.order
	paid := p.Text("%s, by card", p.Day(o.PaidAt.UTC()))
	if d.Card != "" {
		paid = p.Text("%s, with %s", p.Day(o.PaidAt.UTC()), d.translate(d.Card))
	}
	facts := [][2]string{
		{p.Text("Date"), p.Day(d.IssuedAt.UTC())}, {p.Text("Order"), o.Ref}, {p.Text("Paid on"), paid},
		{p.Text("Delivered goods"), strconv.Itoa(o.Quantity) + " × " + d.translate(o.Board)},
	}
	if d.OnceApart {
		facts[len(facts)-1][1] = p.Text("%[1]d × %[2]s", o.Quantity, d.translate(o.Board))
	}
	if d.Kind == invoices.OrderInvoice {
		return facts
	}
	for _, i := range o.Invoices {
		said := p.Text("%s of %s", i.Name(), p.Day(i.IssuedAt.UTC()))
		switch {
		case i.Kind == invoices.OrderInvoice:
			facts = append(facts, [2]string{p.Text("For invoice"), said})
		case i.Kind == invoices.CreditNote && d.Kind == invoices.Reversal && i.Refund == d.Refund:
			facts = append(facts, [2]string{p.Text("Reverses credit note"), said})
		}
	}
	return facts
}

// translate is what the order holds in English, in the words of the document.
func (d drawing) translate(text string) string { return phrase.Translate(d.words, text) }

// notes say on which ground tax and duty were charged, and where the goods went.
func (d drawing) notes() []string {
	var notes []string
	for key, basis := range d.order.Sold.Reply.PriceBasis {
		if strings.HasPrefix(key, "tax.") || strings.HasPrefix(key, "duty.") {
			notes = append(notes, basis)
		}
	}
	slices.Sort(notes)
	for n := range notes {
		notes[n] = d.translate(notes[n])
	}
	if hs := d.order.Sold.Reply.HSCode; hs != "" {
		notes = append(notes, d.words.Text("Customs code: %s.", hs))
	}
	if len(d.Without) > 0 {
		notes = append(notes, d.words.Text("Not in the price: %s.", d.translate(strings.Join(d.Without, "; "))))
	}
	if r := d.Rate; r != nil {
		key := language.Key("The card was charged at 1 USD = %[1]s %[2]s: the European Central Bank’s rate of %[3]s, %[4]s, and %[5]s.")
		if d.Kind != invoices.OrderInvoice {
			key = language.Key("Returned to the card at 1 USD = %[1]s %[2]s, as it was charged: the European Central Bank’s rate of %[3]s, %[4]s, and %[5]s.")
		}
		notes = append(notes, d.words.Text(key, d.words.Decimal(r.Rate), r.Currency, d.day(r.Date), d.words.Decimal(r.Bank), d.words.Decimal(r.Percent)+" %"))
	}
	switch d.Kind {
	case invoices.CreditNote:
		return notes
	case invoices.Reversal:
		return append(notes, d.words.Text("The bank sent this refund back, so the credit note does not hold any more. When the refund is sent again, a new credit note follows."))
	}
	if !d.OnceApart && slices.ContainsFunc(d.Quantities, func(n int) bool { return n > 1 }) {
		notes = append(notes, d.words.Text("What is charged once, such as for preparing the production, is divided among the boards in the price of each."))
	}
	return append(notes, d.words.Text("Paid in full. Nothing is owed."))
}
