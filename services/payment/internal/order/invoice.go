package order

import (
	"maps"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/language"
)

// A Document is one that an order calls for.
type Document struct {
	Name   string // for ever, of this order
	Kind   invoices.Kind
	Refund string // credit note, reversal: the refund's id
	Cents  int64
}

// Unwritten are the documents that an order calls for and has not, in the order in
// which they are numbered: the invoice of what was charged, then a credit note for
// each refund that was given, and a reversal of it where the refund failed after all. What was charged otherwise than agreed is for people.
// Nothing is written into an order that is on its way to the fabricator: whoever
// places it goes by what it was.
func Unwritten(o orders.Order) []Document {
	if o.Status == orders.Paid || o.Status == orders.Placing || len(o.Lines) == 0 || o.Payment.Cents != o.TotalCents || !strings.EqualFold(o.Payment.Currency, o.Currency) {
		return nil
	}
	var out []Document
	if find(o, invoices.OrderInvoice, "") == nil {
		out = append(out, newDocument(o, invoices.OrderInvoice, "", o.TotalCents))
	}
	for _, r := range o.Refunds {
		note := find(o, invoices.CreditNote, r.ID)
		switch {
		case r.Status == orders.RefundDone && note == nil:
			out = append(out, newDocument(o, invoices.CreditNote, r.ID, r.Cents))
		case r.Status == orders.RefundFailed && note != nil && find(o, invoices.Reversal, r.ID) == nil:
			out = append(out, newDocument(o, invoices.Reversal, r.ID, note.Cents))
		}
	}
	return out
}

// Due are the documents that are to be written: those that were given a number before their
// refund failed, since no number is left out, and those that the order calls for.
func Due(o orders.Order, b invoices.Book) []Document {
	var out []Document
	for _, r := range o.Refunds {
		d := newDocument(o, invoices.CreditNote, r.ID, r.Cents)
		if _, numbered := b.Given[d.Name]; numbered && hasFailed(o, d) {
			out = append(out, d)
		}
	}
	return append(out, Unwritten(o)...)
}

// hasFailed reports whether a document is a credit note that the order does not hold, of a
// refund that failed.
func hasFailed(o orders.Order, d Document) bool {
	return d.Kind == invoices.CreditNote && find(o, d.Kind, d.Refund) == nil &&
		slices.ContainsFunc(o.Refunds, func(r orders.Refund) bool { return r.ID == d.Refund && r.Status == orders.RefundFailed })
}

func find(o orders.Order, kind invoices.Kind, refund string) *invoices.Invoice {
	for n := range o.Invoices {
		if i := &o.Invoices[n]; i.Kind == kind && i.Refund == refund {
			return i
		}
	}
	return nil
}

func newDocument(o orders.Order, kind invoices.Kind, refund string, cents int64) Document {
	return Document{Name: documentName(o.ID, kind, refund), Kind: kind, Refund: refund, Cents: cents}
}

func documentName(order string, kind invoices.Kind, refund string) string {
	switch kind {
	case invoices.CreditNote:
		return order + "/" + refund
	case invoices.Reversal:
		return order + "/" + refund + "/" + string(kind)
	}
	return order
}

// DocumentNames names the documents that an order holds.
func DocumentNames(o orders.Order) []string {
	var names []string
	for _, i := range o.Invoices {
		names = append(names, documentName(o.ID, i.Kind, i.Refund))
	}
	return names
}

// Number gives a document its number in the book: the one that it was given
// before, or the next one. written says that its order holds it already; then it
// gets none.
func Number(b invoices.Book, document string, written bool) (next invoices.Book, number int64, changed bool) {
	if n, given := b.Given[document]; given {
		return b, n, false
	}
	if written {
		return b, 0, false
	}
	next = invoices.Book{Last: b.Last + 1, Given: maps.Clone(b.Given)}
	if next.Given == nil {
		next.Given = map[string]int64{}
	}
	next.Given[document] = next.Last
	return next, next.Last, true
}

// File is the book once a document's order holds it.
func File(b invoices.Book, document string) (next invoices.Book, changed bool) {
	if _, given := b.Given[document]; !given {
		return b, false
	}
	next = invoices.Book{Last: b.Last, Given: maps.Clone(b.Given)}
	delete(next.Given, document)
	return next, true
}

// AddDocument is the order with a document; unchanged if it holds it already. A credit note
// that has its number is written though its refund failed since: its reversal follows.
func AddDocument(o orders.Order, d Document, number int64, seller []string, now time.Time) (next orders.Order, changed bool) {
	if !slices.Contains(Unwritten(o), d) && !hasFailed(o, d) {
		return o, false
	}
	if d.Kind == invoices.Reversal {
		return reverse(o, d, number, seller, now), true
	}
	o.Invoices = append(slices.Clone(o.Invoices), invoices.Invoice{
		Number: number, Test: contract.IsTest(o.Account), Kind: d.Kind, Refund: d.Refund, Cents: d.Cents, Seller: seller, IssuedAt: now.UTC(),
		Card: o.Payment.CardWords(), Without: o.Sold.Reply.NotIncluded, Tax: taxOf(o, d), Quantities: quantities(o), OnceApart: true, Charged: amountOf(o, d), Rate: o.Payment.Charged,
		Language: language.Find(o.Language).Code,
	})
	return o, true
}

// reverse is the order with the reversal of a credit note, which says of money, rates and
// language what that says.
func reverse(o orders.Order, d Document, number int64, seller []string, now time.Time) orders.Order {
	reversal := *find(o, invoices.CreditNote, d.Refund)
	reversal.Number, reversal.Kind, reversal.Seller, reversal.IssuedAt = number, d.Kind, seller, now.UTC()
	o.Invoices = append(slices.Clone(o.Invoices), reversal)
	return o
}
