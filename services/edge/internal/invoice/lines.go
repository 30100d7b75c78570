package invoice

import (
	"time"

	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/money"
)

// lines are those of the order, with what one board costs where the invoice counts them.
func (d drawing) lines() {
	o, p := d.order, d.words
	if len(d.Quantities) == len(o.Lines) && len(o.Lines) > 0 {
		head := ""
		if d.OnceApart {
			head = p.Text("Description")
		}
		d.RowOfMany(head, p.Text("Quantity"), p.Text("Each, without tax"), p.Text("Amount"), true)
		for n, l := range o.Lines {
			d.RowOfMany(d.translate(l.Label), d.quantity(d.Quantities[n]), d.unitPrice(l.Cents, d.Quantities[n]), d.Amount(l.Cents, o.Currency), false)
		}
	} else {
		for _, l := range o.Lines {
			d.Row(d.translate(l.Label), d.Amount(l.Cents, o.Currency), false)
		}
	}
	d.Row(p.Text("Total"), d.Amount(o.TotalCents, o.Currency), true)
	d.taxes(o.TotalCents, 1)
}

func (d drawing) quantity(n int) string {
	if n == 0 {
		return ""
	}
	return d.words.Number(float64(n))
}

// unitPrice is what one of a line costs. Of a cent that does not divide it shows four digits
// after the point, six of less than a dollar; the line's own amount is what holds.
func (d drawing) unitPrice(cents int64, n int) string {
	if n == 0 {
		return ""
	}
	parts, digits := int64(1), 2
	for most := maxDigits(cents, n); digits < most && cents*parts%int64(n) != 0; digits++ {
		parts *= 10
	}
	return d.words.Money(money.Divide(cents*parts, int64(n)), digits, d.order.Currency)
}

func maxDigits(cents int64, n int) int {
	if cents >= 100*int64(n) || -cents >= 100*int64(n) {
		return 4
	}
	return 6
}

// refund is what went back, with the sign -1, or what did not in the end.
func (d drawing) refund(label string, sign int64) {
	d.Row(label, d.Amount(sign*d.Cents, d.order.Currency), false)
	d.Row(d.words.Text("Total"), d.Amount(sign*d.Cents, d.order.Currency), true)
	d.taxes(d.Cents, sign)
}

// taxes tell of an amount what of it is tax, as the document records it; of one that was
// issued before they did, the order's tax in proportion.
func (d drawing) taxes(cents, sign int64) {
	tax, o, p := int64(0), d.order, d.words
	switch t := o.Sold.Reply.TaxCents; {
	case d.Tax != nil:
		tax = d.Tax.Cents
	case t != nil && o.TotalCents > 0:
		tax = money.Divide(*t*cents, o.TotalCents)
	}
	d.Row(p.Text("Net"), d.Amount(sign*(cents-tax), o.Currency), false)
	d.Row(p.Text("Tax in the total"), d.Amount(sign*tax, o.Currency), false)
	if d.Tax != nil && d.Tax.National != nil {
		n := d.Tax.National
		d.Row(p.Text("VAT in %[1]s, at %[2]s (European Central Bank, %[3]s)", n.Rate.Currency, d.rate(n.Rate), d.day(n.Rate.Date)), d.Amount(sign*n.Hundredths, n.Rate.Currency), false)
	}
	if c := d.Charged; c != nil {
		d.Row(d.chargeLabel(), p.Money(sign*c.Minor, c.Digits, c.Currency), true)
	}
	d.Gap(5)
}

func (d drawing) chargeLabel() string {
	switch d.Kind {
	case invoices.CreditNote:
		return d.words.Text("Returned to the card")
	case invoices.Reversal:
		return d.words.Text("Not returned to the card")
	}
	return d.words.Text("Charged to the card")
}

// rate states a reference rate as the European Central Bank does, by way of the euro, with
// all its digits.
func (d drawing) rate(r prices.Rate) string {
	text := "1 EUR = " + r.USDPerEUR + " USD = " + r.PerEUR + " " + r.Currency
	switch {
	case r.PerUSD != "":
		text = "1 USD = " + r.PerUSD + " " + r.Currency
	case r.Currency == "EUR":
		text = "1 EUR = " + r.USDPerEUR + " USD"
	}
	return d.words.Decimal(text)
}

func (d drawing) day(date string) string {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return d.words.Day(at)
}
