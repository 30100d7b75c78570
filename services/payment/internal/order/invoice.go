package order

import (
	"maps"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
)

// A Document is one that an order calls for.
type Document struct {
	Name   string // for ever, of this order
	Kind   invoices.Kind
	Refund string // credit note: the refund's id
	Cents  int64
}

// Unwritten are the documents that an order calls for and has not, in the order in
// which they are numbered: the invoice of what was charged, then a credit note for
// each refund that was given. What was charged otherwise than agreed is for people.
// Nothing is written into an order that is on its way to the fabricator: whoever
// places it goes by what it was.
func Unwritten(o orders.Order) []Document {
	if o.Status == orders.Paid || o.Status == orders.Placing || len(o.Lines) == 0 || o.Payment.Cents != o.TotalCents || !strings.EqualFold(o.Payment.Currency, o.Currency) {
		return nil
	}
	var out []Document
	has := func(kind invoices.Kind, refund string) bool {
		return slices.ContainsFunc(o.Invoices, func(i invoices.Invoice) bool { return i.Kind == kind && i.Refund == refund })
	}
	if !has(invoices.OrderInvoice, "") {
		out = append(out, Document{Name: o.ID, Kind: invoices.OrderInvoice, Cents: o.TotalCents})
	}
	for _, r := range o.Refunds {
		if r.Status == orders.RefundDone && !has(invoices.CreditNote, r.ID) {
			out = append(out, Document{Name: o.ID + "/" + r.ID, Kind: invoices.CreditNote, Refund: r.ID, Cents: r.Cents})
		}
	}
	return out
}

// DocumentNames names the documents that an order holds.
func DocumentNames(o orders.Order) []string {
	var names []string
	for _, i := range o.Invoices {
		if i.Kind == invoices.CreditNote {
			names = append(names, o.ID+"/"+i.Refund)
		} else {
			names = append(names, o.ID)
		}
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

// AddDocument is the order with a document; unchanged if it holds it already.
func AddDocument(o orders.Order, d Document, number int64, seller []string, now time.Time) (next orders.Order, changed bool) {
	if !slices.Contains(Unwritten(o), d) {
		return o, false
	}
	o.Invoices = append(slices.Clone(o.Invoices), invoices.Invoice{
		Number: number, Test: contract.IsTest(o.Account), Kind: d.Kind, Refund: d.Refund, Cents: d.Cents, Seller: seller, IssuedAt: now.UTC(),
		Card: o.Payment.CardWords(), Without: o.Sold.Reply.NotIncluded,
	})
	return o, true
}
