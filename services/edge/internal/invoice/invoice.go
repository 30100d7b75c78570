// Package invoice draws invoices and credit notes as PDF. What a document says is
// recorded in its order; drawn again it is the same, byte for byte.
package invoice

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/address"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/document"
	"boardorder/pkg/money"
)

// PDF draws a document of an order.
func PDF(o orders.Order, i invoices.Invoice) ([]byte, error) {
	s := document.Open(document.Title{Kind: title(i), Name: i.Name(), Order: o.Ref, At: i.IssuedAt})
	if i.Test {
		s.Mark("TEST – no invoice: nobody paid or owes anything, and nothing is made")
	}
	s.Parties(buyer(o), i.Seller)
	s.Heading(title(i)+" "+i.Name(), facts(o, i))
	if i.Kind == invoices.CreditNote {
		credit(s, o, i)
	} else {
		lines(s, o)
	}
	s.Notes(notes(o, i)...)
	pdf, err := s.Bytes()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", i.Name(), err)
	}
	return pdf, nil
}

func title(i invoices.Invoice) string {
	if i.Kind == invoices.CreditNote {
		return "Credit note"
	}
	return "Invoice"
}

func buyer(o orders.Order) []string {
	buyer := address.Lines(o.ShipTo)
	if o.ShipTo.TaxID != "" {
		buyer = append(buyer, "Tax number: "+o.ShipTo.TaxID)
	}
	return buyer
}

func facts(o orders.Order, i invoices.Invoice) [][2]string {
	const day = "2 January 2006"
	paid := "by card"
	if i.Card != "" {
		paid = "with " + i.Card
	}
	facts := [][2]string{
		{"Date", i.IssuedAt.UTC().Format(day)}, {"Order", o.Ref}, {"Paid", o.PaidAt.UTC().Format(day) + ", " + paid},
		{"Delivered", fmt.Sprintf("%d × %s", o.Quantity, o.Board)},
	}
	if first := slices.IndexFunc(o.Invoices, func(x invoices.Invoice) bool { return x.Kind == invoices.OrderInvoice }); i.Kind == invoices.CreditNote && first >= 0 {
		facts = append(facts, [2]string{"For invoice", o.Invoices[first].Name() + " of " + o.Invoices[first].IssuedAt.UTC().Format(day)})
	}
	return facts
}

func lines(s document.Sheet, o orders.Order) {
	for _, l := range o.Lines {
		s.Row(l.Label, money.Amount(l.Cents, o.Currency), false)
	}
	s.Row("Total", money.Amount(o.TotalCents, o.Currency), true)
	taxes(s, o, o.TotalCents)
}

func credit(s document.Sheet, o orders.Order, i invoices.Invoice) {
	s.Row("Refunded", money.Amount(-i.Cents, o.Currency), false)
	s.Row("Total", money.Amount(-i.Cents, o.Currency), true)
	taxes(s, o, -i.Cents)
}

// taxes tell of an amount what of it is tax: the order's tax in proportion.
func taxes(s document.Sheet, o orders.Order, cents int64) {
	tax := int64(0)
	if t := o.Sold.Reply.TaxCents; t != nil && o.TotalCents > 0 {
		tax = money.Divide(*t*cents, o.TotalCents)
	}
	s.Row("Net", money.Amount(cents-tax, o.Currency), false)
	s.Row("Tax in the total", money.Amount(tax, o.Currency), false)
	s.Gap(5)
}

// notes say on which ground tax and duty were charged, and where the goods went.
func notes(o orders.Order, i invoices.Invoice) []string {
	var notes []string
	for key, words := range o.Sold.Reply.PriceBasis {
		if strings.HasPrefix(key, "tax.") || strings.HasPrefix(key, "duty.") {
			notes = append(notes, words)
		}
	}
	slices.Sort(notes)
	if hs := o.Sold.Reply.HSCode; hs != "" {
		notes = append(notes, "Customs code: "+hs+".")
	}
	if len(i.Without) > 0 {
		notes = append(notes, "Not in the price: "+strings.Join(i.Without, "; ")+".")
	}
	if i.Kind == invoices.OrderInvoice {
		notes = append(notes, "Paid in full. Nothing is owed.")
	}
	return notes
}
