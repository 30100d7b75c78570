package payment_test

import (
	"slices"
	"testing"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
)

// numbers are those of an order's documents.
func numbers(o orders.Order) []int64 {
	var out []int64
	for _, i := range o.Invoices {
		out = append(out, i.Number)
	}
	return out
}

// TestInvoices: each paid order has one, each refund a credit note, in one row of
// numbers, however often anything comes.
func TestInvoices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.payQuote(), w.payQuote()
	if n := numbers(first.order()); n != nil {
		t.Errorf("an order that is not placed has %v, want no number", n)
	}
	w.work()
	for range 3 { // the processor's notices come again
		first.notice("charge.refunded")
		w.deliver(w.command(checkouts.Settle, "", checkouts.SettleData{Quote: second.ref}))
	}
	w.work()
	first.refund(300)
	w.work()
	a, b := first.order(), second.order()
	if got := append(numbers(a), numbers(b)...); !slices.Equal(got, []int64{1, 3, 2}) {
		t.Errorf("numbers %v, want 1, 3, 2", got)
	}
	if note := a.Invoices[1]; note.Kind != invoices.CreditNote || note.Cents != 300 || note.Refund != a.Refunds[0].ID || note.Name() != "INV-000003" || len(note.Seller) == 0 {
		t.Errorf("credit note %+v, want INV-000003, a %s of 300 cents for %s, with its seller", note, invoices.CreditNote, a.Refunds[0].ID)
	}
	book := w.book()
	if book.Last != 3 || len(book.Given) != 0 {
		t.Errorf("book %+v, want 3 as the last, none given", book)
	}
}

func (w *world) book() invoices.Book {
	w.t.Helper()
	b, err := aggregate.At[invoices.Book](w, contract.InvoiceBookAggregate, invoices.BookID).Load(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return b.State
}

// TestCrashWhileInvoicing: dead at each effect; every time the order has one
// invoice, and the next order the next number.
func TestCrashWhileInvoicing(t *testing.T) {
	t.Parallel()
	for fuse := 0; ; fuse++ {
		w := newWorld(t)
		s := w.payQuote()
		w.take(orders.Place)
		i := slices.IndexFunc(w.queue, func(c contract.Command) bool { return c.Name == invoices.Issue })
		if i < 0 {
			t.Fatal("nobody writes the invoice")
		}
		c := w.queue[i]
		w.fuse = fuse
		w.deliver(c)
		died := w.fuse < 0
		w.fuse = -1
		w.deliver(c) // and once more, as another delivery
		w.work()
		other := w.payQuote()
		w.work()
		if a, b := s.order(), other.order(); !slices.Equal(numbers(a), []int64{1}) || !slices.Equal(numbers(b), []int64{2}) || len(w.book().Given) != 0 {
			t.Fatalf("dead at %d: %v and %v, book %+v; want 1 and 2, none given", fuse, numbers(a), numbers(b), w.book())
		}
		if !died {
			if fuse < 3 {
				t.Errorf("%d effects, want 3 at least", fuse)
			}
			return
		}
	}
}

// publish lets the central bank's rates be known to all services.
func (w *world) publish(value string) {
	w.t.Helper()
	if err := w.rates.Put(w.t.Context(), prices.RatesKey, []byte(value)); err != nil {
		w.t.Fatal(err)
	}
}

// germanSale makes a quote one of goods that go to Germany, with VAT.
func germanSale(q *quotes.Quote) {
	tax := int64(199)
	q.Reply.TaxCents = &tax
	q.Reply.InYourCurrency = &prices.CurrencyPrice{Currency: "EUR", Source: "ECB", Rate: "0.86", RateDate: "2026-11-18"}
	q.Delivery.ShipTo.State, q.Delivery.ShipTo.PostalCode, q.Delivery.ShipTo.City, q.Delivery.ShipTo.Country = "", "10115", "Berlin", "DE"
}

// TestInvoicesStateVATByTheRateOfTheirPayment: the one that was published last when it was
// paid, whatever came since and however often; the quote's where none can be read.
func TestInvoicesStateVATByTheRateOfTheirPayment(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		published string // before the payment
		want      invoices.InCurrency
	}{
		"published":      {`{"date":"2026-11-20","per_eur":{"USD":"1.25"}}`, invoices.InCurrency{Hundredths: 159, Rate: prices.Rate{Currency: "EUR", Date: "2026-11-20", PerEUR: "1", USDPerEUR: "1.25"}}}, // 199 / 1.25 = 159.2
		"never":          {"", invoices.InCurrency{Hundredths: 171, Rate: prices.Rate{Currency: "EUR", Date: "2026-11-18", PerUSD: "0.86"}}},                                                               // 199 × 0.86 = 171.14
		"cannot be read": {"{", invoices.InCurrency{Hundredths: 171, Rate: prices.Rate{Currency: "EUR", Date: "2026-11-18", PerUSD: "0.86"}}},
	} {
		w := newWorld(t)
		if tt.published != "" {
			w.publish(tt.published)
		}
		s := w.payQuote(germanSale)
		w.publish(`{"date":"2026-11-23","per_eur":{"USD":"2"}}`)
		s.notice("checkout.session.completed")
		w.work()
		s.refund(300)
		w.work()
		o := s.order()
		if len(o.Invoices) != 2 {
			t.Fatalf("%s: invoices %+v, want an invoice and a credit note", name, o.Invoices)
		}
		for _, i := range o.Invoices {
			if i.Tax == nil || i.Tax.National == nil || i.Tax.National.Rate != tt.want.Rate {
				t.Fatalf("%s: %s with tax %+v, want it by %+v", name, i.Name(), i.Tax, tt.want.Rate)
			}
		}
		if got := *o.Invoices[0].Tax.National; got != tt.want {
			t.Errorf("%s: VAT of the invoice %+v, want %+v", name, got, tt.want)
		}
	}
}

// sumDocuments is what an order's documents say that the customer paid, in dollars, in the
// currency of the card, and of tax.
func sumDocuments(o orders.Order) (cents, minor, tax, national int64) {
	for _, i := range o.Invoices {
		sign := map[invoices.Kind]int64{invoices.OrderInvoice: 1, invoices.CreditNote: -1, invoices.Reversal: 1}[i.Kind]
		cents += sign * i.Cents
		if i.Charged != nil {
			minor += sign * i.Charged.Minor
		}
		if i.Tax != nil {
			tax += sign * i.Tax.Cents
			if i.Tax.National != nil {
				national += sign * i.Tax.National.Hundredths
			}
		}
	}
	return cents, minor, tax, national
}

// TestDocumentsAddUpAfterARefundFailed: the bank sends a refund back, and the credit note of
// it is reversed by a document of its own; once it was sent again, all add up to nothing.
func TestDocumentsAddUpAfterARefundFailed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.payIn("EUR", "0.860437", germanSale)
	whole, charged, tax, national := sumDocuments(s.order())
	if tax == 0 || national == 0 || charged == 0 {
		t.Fatalf("invoice %+v, want tax in dollars and euros and a charge", s.order().Invoices)
	}
	for _, first := range []int64{300, 0} { // a part, then all that is left, which fails too
		if code := s.refund(first); code != "" {
			t.Fatalf("refund of %d: %s, want it granted", first, code)
		}
		w.work()
		s.failRefund(len(s.order().Refunds) - 1)
		for range 3 { // the notice comes again
			s.notice("refund.failed")
			w.work()
		}
		if c, m, x, n := sumDocuments(s.order()); c != whole || m != charged || x != tax || n != national {
			t.Errorf("after a refund of %d failed documents say %d cents, %d charged, tax %d and %d; want %d, %d, %d, %d", first, c, m, x, n, whole, charged, tax, national)
		}
	}
	for _, part := range []int64{333, 0} {
		s.refund(part)
		w.work()
	}
	o := s.order()
	if c, m, x, n := sumDocuments(o); c != 0 || m != 0 || x != 0 || n != 0 {
		t.Errorf("after all went back documents say %d cents, %d charged, tax %d and %d; want nothing: %+v", c, m, x, n, o.Invoices)
	}
	if got := numbers(o); !slices.Equal(got, []int64{1, 2, 3, 4, 5, 6, 7}) || len(w.book().Given) != 0 {
		t.Errorf("numbers %v, book %+v; want 1 to 7, none given", got, w.book())
	}
	note, reversal := o.Invoices[1], o.Invoices[2]
	if note.Refund != reversal.Refund || *reversal.Rate != *note.Rate || reversal.Language != note.Language || reversal.Tax.National.Rate != note.Tax.National.Rate {
		t.Errorf("reversal %+v, want the rates and the language of credit note %+v", reversal, note)
	}
}

// TestCrashWhileReversing: dead at each effect of writing a credit note whose refund fails
// meanwhile, and of its reversal; no number is lost, and both are written or neither.
func TestCrashWhileReversing(t *testing.T) {
	t.Parallel()
	for fuse := 0; ; fuse++ {
		w := newWorld(t)
		s := w.shipOrder()
		s.refund(500)
		i := slices.IndexFunc(w.queue, func(c contract.Command) bool { return c.Name == invoices.Issue })
		if i < 0 {
			t.Fatal("nobody writes the credit note")
		}
		c := w.queue[i]
		w.fuse = fuse
		w.runOnce(w.svc.Handlers()[c.Name], c)
		died := w.fuse < 0
		w.fuse = -1
		s.failRefund(0)
		s.notice("refund.failed")
		w.deliver(c)
		w.work()
		o, other := s.order(), w.payQuote()
		w.work()
		last := int64(len(o.Invoices)) + 1
		if cents, _, _, _ := sumDocuments(o); cents != o.TotalCents || len(w.book().Given) != 0 || !slices.Equal(numbers(other.order()), []int64{last}) {
			t.Fatalf("dead at %d: %+v add up to %d, book %+v, the next order's %v; want %d, none given, %d", fuse, o.Invoices, cents, w.book(), numbers(other.order()), o.TotalCents, last)
		}
		if !died {
			if fuse < 3 {
				t.Errorf("%d effects, want 3 at least", fuse)
			}
			return
		}
	}
}
