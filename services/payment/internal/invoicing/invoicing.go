// Package invoicing numbers and writes the documents that orders call for.
package invoicing

import (
	"context"
	"slices"
	"strconv"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/destination"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/saga"
)

// Invoices writes the documents of orders.
type Invoices struct {
	*saga.Env
	Places *destination.Book
	Seller string // name, address, tax numbers, one after another with | between
}

type bookNow = aggregate.Snapshot[invoices.Book]

// book is the one that a command's documents are numbered in.
func (s *Invoices) book(c contract.Command) aggregate.Ref[invoices.Book] {
	return aggregate.At[invoices.Book](s.Events, contract.InvoiceBookAggregate, invoices.BookOf(c.Account))
}

// Send has the documents written that an order calls for and has not.
func (s *Invoices) Send(ctx context.Context, c contract.Command, o orders.Order) error {
	due := order.Unwritten(o)
	if len(due) == 0 {
		return nil
	}
	write, err := c.Follow(invoices.Issue, due[0].Name, s.Now(), orders.Data{Quote: o.Quote})
	if err != nil {
		return err
	}
	write.ID = contract.DeriveID(o.ID, invoices.Issue.String(), due[len(due)-1].Name, strconv.Itoa(len(o.Invoices))) // the same whatever led to it
	return s.Events.Send(ctx, write)
}

// Issue numbers the documents that an order calls for. A number is given
// in the book first, stays with its document until the order holds it, and only
// then leaves the book: so none is given twice and none is lost, wherever it ends.
func (s *Invoices) Issue(ctx context.Context, c contract.Command) error {
	_, o, err := s.LoadOrder(ctx, c)
	if err != nil {
		return err
	}
	c.Account = o.State.Account
	book, err := s.book(c).Load(ctx)
	if err != nil {
		return err
	}
	for _, d := range order.Due(o.State, book.State) {
		number, err := s.number(ctx, c, o.State.Quote, d)
		if err != nil {
			return err
		}
		if number > 0 {
			if err := s.write(ctx, c, o.State.Quote, d, number); err != nil {
				return err
			}
		}
	}
	if err := s.fileWritten(ctx, c, o.State.Quote); err != nil {
		return err
	}
	if o, err = s.Order(o.State.Quote).Load(ctx); err != nil {
		return err
	}
	return s.Send(ctx, c, o.State) // what came to be due meanwhile
}

// fileWritten takes out of the book what the order holds, also what a process that
// died left there.
func (s *Invoices) fileWritten(ctx context.Context, c contract.Command, quote string) error {
	o, err := s.Order(quote).Load(ctx)
	if err != nil {
		return err
	}
	book, err := s.book(c).Load(ctx)
	if err != nil {
		return err
	}
	for _, name := range order.DocumentNames(o.State) {
		if _, given := book.State.Given[name]; given {
			if err := s.file(ctx, c, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// number gives a document its number. Whether the order holds it already is looked
// up after the book was read, which is what the commit is guarded by: the book lets
// go of a document only once its order holds it.
func (s *Invoices) number(ctx context.Context, c contract.Command, quote string, d order.Document) (number int64, err error) {
	_, err = s.book(c).Step(ctx, c, "number:"+d.Name, s.Now(),
		func(now bookNow) (*aggregate.Change[invoices.Book], error) {
			o, err := s.Order(quote).Load(ctx)
			if err != nil {
				return nil, err
			}
			var next invoices.Book
			var changed bool
			next, number, changed = order.Number(now.State, d.Name, !slices.Contains(order.Unwritten(o.State), d))
			if !changed {
				return nil, nil
			}
			return &aggregate.Change[invoices.Book]{Event: invoices.EventNumbered, State: next}, nil
		})
	if err != nil || number > 0 {
		return number, err
	}
	// This command's own step was taken before: the book still knows the number.
	b, err := s.book(c).Load(ctx)
	return b.State.Given[d.Name], err
}

func (s *Invoices) write(ctx context.Context, c contract.Command, quote string, d order.Document, number int64) error {
	_, err := s.Order(quote).Step(ctx, c, "invoice:"+d.Name, s.Now(), func(now saga.OrderSnapshot) (*saga.OrderChange, error) {
		if now.State.TaxRate == nil { // one that was made before orders had it
			now.State.TaxRate = order.TaxRate(s.Places, now.State, prices.Rates{})
		}
		next, changed := order.AddDocument(now.State, d, number, invoices.Seller(s.Seller), s.Now())
		if !changed {
			return nil, nil
		}
		return &saga.OrderChange{Event: orders.EventInvoiced, State: next}, nil
	})
	return err
}

func (s *Invoices) file(ctx context.Context, c contract.Command, document string) error {
	_, err := s.book(c).Step(ctx, c, "file:"+document, s.Now(),
		func(now bookNow) (*aggregate.Change[invoices.Book], error) {
			next, changed := order.File(now.State, document)
			if !changed {
				return nil, nil
			}
			return &aggregate.Change[invoices.Book]{Event: invoices.EventFiled, State: next}, nil
		})
	return err
}
