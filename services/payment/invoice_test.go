package payment_test

import (
	"slices"
	"testing"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
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
