package order_test

import (
	"testing"

	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/services/payment/internal/order"

	"github.com/google/go-cmp/cmp"
)

func invoiceOrder(refunds ...orders.Refund) orders.Order {
	return orders.Order{
		ID: "ord_1", Status: orders.Placed, TotalCents: 5000, Currency: "USD", Payment: checkouts.Payment{Cents: 5000, Currency: "usd"},
		Lines: []prices.Line{{Label: "Boards", Cents: 5000}}, Refunds: refunds,
	}
}

func TestUnwritten(t *testing.T) {
	t.Parallel()
	invoice := order.Document{Name: "ord_1", Kind: invoices.OrderInvoice, Cents: 5000}
	note := order.Document{Name: "ord_1/a", Kind: invoices.CreditNote, Refund: "a", Cents: 500}
	otherwise, withdrawn, placing, fresh := invoiceOrder(), invoiceOrder(), invoiceOrder(), invoiceOrder()
	placing.Status, fresh.Status = orders.Placing, orders.Paid
	otherwise.Payment.Cents, withdrawn.Lines = 4999, nil
	invoiced, _ := order.AddDocument(invoiceOrder(refund("a", 500, orders.RefundDone)), invoice, 7, []string{"We"}, now)
	whole, _ := order.AddDocument(invoiced, note, 8, []string{"We"}, now)
	failed := whole
	failed.Refunds = []orders.Refund{refund("a", 500, orders.RefundFailed)}
	reversal := order.Document{Name: "ord_1/a/reversal", Kind: invoices.Reversal, Refund: "a", Cents: 500}
	reversed, _ := order.AddDocument(failed, reversal, 9, []string{"We"}, now)
	for name, tt := range map[string]struct {
		o    orders.Order
		want []order.Document
	}{
		"failed after its note":    {failed, []order.Document{reversal}},
		"failed and reversed":      {reversed, nil},
		"failed before its note":   {invoiceOrder(refund("a", 500, orders.RefundFailed)), []order.Document{invoice}},
		"placed":                   {invoiceOrder(), []order.Document{invoice}},
		"given back":               {invoiceOrder(refund("a", 500, orders.RefundDone)), []order.Document{invoice, note}},
		"on its way back":          {invoiceOrder(refund("a", 500, orders.RefundPending)), []order.Document{invoice}},
		"invoiced":                 {invoiced, []order.Document{note}},
		"all written":              {whole, nil},
		"charged otherwise":        {otherwise, nil},
		"on its way there":         {placing, nil},
		"not placed yet":           {fresh, nil},
		"of a design that is gone": {withdrawn, nil},
	} {
		if diff := cmp.Diff(tt.want, order.Unwritten(tt.o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if again, changed := order.AddDocument(whole, note, 9, nil, now); changed || len(again.Invoices) != 2 || again.Invoices[1].Number != 8 {
		t.Errorf("written twice: %+v, want two, the second number 8", again.Invoices)
	}
}

// TestInvoicesRecordWhatTheySay: the card, what the price did not hold, and the language,
// English of an order without one.
func TestInvoicesRecordWhatTheySay(t *testing.T) {
	t.Parallel()
	o := invoiceOrder()
	o.Payment.Card = &customers.CardRef{Brand: "visa", Last4: "4242"}
	o.Sold.Reply.NotIncluded = []string{"Shipping to you"}
	english, _ := order.AddDocument(o, order.Unwritten(o)[0], 7, []string{"We"}, now)
	o.Language = "ja"
	o, _ = order.AddDocument(o, order.Unwritten(o)[0], 7, []string{"We"}, now)
	if got := english.Invoices[0].Language + " " + o.Invoices[0].Language; got != "en ja" {
		t.Errorf("invoices in %q, want en ja", got)
	}
	if i := o.Invoices[0]; i.Card != "Visa ending in 4242" || len(i.Without) != 1 {
		t.Errorf("invoice %+v, want it paid by Visa ending in 4242, without one thing", i)
	}
	if i := o.Redact(now).Invoices[0]; i.Card != "" || i.Without != nil || o.Invoices[0].Card == "" {
		t.Errorf("after erasure %+v, want no card and no gaps; the order before it %+v, want its card kept", i, o.Invoices[0])
	}
}

// TestNumbersHaveNoGaps: whatever order steps come in, and however often.
func TestNumbersHaveNoGaps(t *testing.T) {
	t.Parallel()
	var b invoices.Book
	take := func(document string, written bool, want int64) {
		t.Helper()
		next, n, _ := order.Number(b, document, written)
		if b = next; n != want {
			t.Errorf("%s has number %d, want %d", document, n, want)
		}
	}
	take("a", false, 1)
	take("a", false, 1) // it came again before the order held it
	take("b", false, 2)
	take("a", true, 1) // the order holds it, the book was not told yet
	b, _ = order.File(b, "a")
	take("a", true, 0) // a late repetition takes none
	take("c", false, 3)
	if _, changed := order.File(b, "a"); changed || b.Last != 3 || len(b.Given) != 2 {
		t.Errorf("book %+v, want 3 as the last, 2 given, unchanged", b)
	}
}
