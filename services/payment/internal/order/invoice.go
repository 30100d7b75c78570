package order

import (
	"maps"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
)

// A Document is one that an order calls for.
type Document struct {
	Name   string // for ever, of this order
	Kind   contract.InvoiceKind
	Refund string // credit note: the refund's id
	Cents  int64
}

// Unwritten are the documents that an order calls for and has not, in the order in
// which they are numbered: the invoice of what was charged, then a credit note for
// each refund that was given. What was charged otherwise than agreed is for people.
// Nothing is written into an order that is on its way to the fabricator: whoever
// places it goes by what it was.
func Unwritten(o contract.Order) []Document {
	if o.Status == contract.OrderStatusPaid || o.Status == contract.OrderStatusPlacing || len(o.Lines) == 0 || o.Payment.Cents != o.TotalCents || !strings.EqualFold(o.Payment.Currency, o.Currency) {
		return nil
	}
	var out []Document
	has := func(kind contract.InvoiceKind, refund string) bool {
		return slices.ContainsFunc(o.Invoices, func(i contract.Invoice) bool { return i.Kind == kind && i.Refund == refund })
	}
	if !has(contract.InvoiceOfOrder, "") {
		out = append(out, Document{Name: o.ID, Kind: contract.InvoiceOfOrder, Cents: o.TotalCents})
	}
	for _, r := range o.Refunds {
		if r.Status == contract.RefundDone && !has(contract.CreditNote, r.ID) {
			out = append(out, Document{Name: o.ID + "/" + r.ID, Kind: contract.CreditNote, Refund: r.ID, Cents: r.Cents})
		}
	}
	return out
}

// DocumentNames names the documents that an order holds.
func DocumentNames(o contract.Order) []string {
	var names []string
	for _, i := range o.Invoices {
		if i.Kind == contract.CreditNote {
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
func Number(b contract.InvoiceBook, document string, written bool) (next contract.InvoiceBook, number int64, changed bool) {
	if n, given := b.Given[document]; given {
		return b, n, false
	}
	if written {
		return b, 0, false
	}
	next = contract.InvoiceBook{Last: b.Last + 1, Given: maps.Clone(b.Given)}
	if next.Given == nil {
		next.Given = map[string]int64{}
	}
	next.Given[document] = next.Last
	return next, next.Last, true
}

// File is the book once a document's order holds it.
func File(b contract.InvoiceBook, document string) (next contract.InvoiceBook, changed bool) {
	if _, given := b.Given[document]; !given {
		return b, false
	}
	next = contract.InvoiceBook{Last: b.Last, Given: maps.Clone(b.Given)}
	delete(next.Given, document)
	return next, true
}

// AddDocument is the order with a document; unchanged if it holds it already.
func AddDocument(o contract.Order, d Document, number int64, seller []string, now time.Time) (next contract.Order, changed bool) {
	if !slices.Contains(Unwritten(o), d) {
		return o, false
	}
	o.Invoices = append(slices.Clone(o.Invoices), contract.Invoice{
		Number: number, Test: contract.IsTest(o.Account), Kind: d.Kind, Refund: d.Refund, Cents: d.Cents, Seller: seller, IssuedAt: now.UTC(),
		Card: o.Payment.CardWords(), Without: o.Sold.Reply.NotIncluded,
	})
	return o, true
}
