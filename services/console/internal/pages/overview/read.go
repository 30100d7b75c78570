package overview

import (
	"context"
	"fmt"
	"time"

	"boardorder/pkg/contract"
	casescontract "boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/figures"
	formalcontract "boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	quotescontract "boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/formal"
	"boardorder/services/console/internal/pages/quotes"
	"boardorder/services/console/internal/states"

	"golang.org/x/sync/errgroup"
)

// readTasks reads all that waits for a person and that the operator may see. Each list is
// of what waits now, found by an index.
func (s *Section) readTasks(c *page.Call, ctx context.Context, now time.Time) ([]task, error) { //nolint:revive // the call comes first
	found := make([][]task, 0, 8)
	group, ctx := errgroup.WithContext(ctx)
	read := func(from func(ctx context.Context) ([]task, error)) {
		i := len(found)
		found = append(found, nil)
		group.Go(func() (err error) { found[i], err = from(ctx); return err })
	}
	read(func(ctx context.Context) ([]task, error) {
		return listTasks(ctx, s.Docs, contract.QuoteAggregate, "status", string(quotescontract.SourcingRequested), func(q *quotescontract.Quote) []task {
			if t, waits := reviewTask(q, now); waits {
				return []task{t}
			}
			return nil
		})
	})
	read(func(ctx context.Context) ([]task, error) {
		return listTasks(ctx, s.Docs, contract.OrderAggregate, "status", string(orders.Held), func(o *orders.Order) []task { return []task{orderTask(o, held)} })
	})
	for attention, why := range attentionKinds {
		read(func(ctx context.Context) ([]task, error) {
			return listTasks(ctx, s.Docs, contract.OrderAggregate, figures.AttentionKey, string(attention), func(o *orders.Order) []task { return []task{orderTask(o, why)} })
		})
	}
	read(func(ctx context.Context) ([]task, error) {
		return listTasks(ctx, s.Docs, contract.CheckoutAggregate, figures.AttentionKey, string(figures.Declined), func(p *checkouts.Checkout) []task { return []task{checkoutTask(p)} })
	})
	read(func(ctx context.Context) ([]task, error) {
		return listTasks(ctx, s.Docs, contract.CaseAggregate, "waiting", casescontract.Waits, func(one *casescontract.Case) []task {
			if c.Hides(one.Labels()) {
				return nil
			}
			return approvalTasks(one)
		})
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var all []task
	for _, some := range found {
		all = append(all, some...)
	}
	waiting, err := formal.Waiting(c, s.Docs)
	for _, o := range waiting {
		all = append(all, formalTask(o))
	}
	return all, err
}

// listTasks makes tasks of all states of a list.
func listTasks[S any](ctx context.Context, docs projection.Store, a contract.Aggregate, key, value string, tasks func(*S) []task) (out []task, err error) {
	found, _, err := states.List[S](ctx, docs, a, key, value, projection.Page{Limit: states.MaxCount})
	for _, one := range found {
		out = append(out, tasks(one)...)
	}
	return out, err
}

// describe adds whose the tasks are and who has them.
func (s *Section) describe(c *page.Call, tasks []task, now time.Time) error {
	group, ctx := errgroup.WithContext(c.R.Context())
	for i := range tasks {
		t := &tasks[i]
		t.Age = format.Wait(now, t.Since)
		switch {
		case t.order != nil:
			t.Customer = quotes.CustomerName(c, t.order.ShipTo)
		case t.quote != nil:
			t.Customer = quotes.CustomerName(c, quotes.Recipient(*t.quote))
		}
		if t.Kind == reviews && t.quote != nil {
			t.About = quotes.Describe(*t.quote)
		}
		if t.formal != "" {
			group.Go(func() error {
				o, err := states.Get[formalcontract.Order](ctx, s.Docs, contract.FormalAggregate, t.formal)
				if o != nil {
					t.Ref = o.Ref
				}
				return err
			})
		}
		if t.Case == "" {
			continue
		}
		group.Go(func() error {
			work, err := cases.Load(ctx, s.Docs, t.Case)
			t.Assignee = work.Assignee()
			return err
		})
	}
	return group.Wait()
}

// readSales reads what was paid today and the day before.
func (s *Section) readSales(ctx context.Context, now time.Time) (today, before Takings, err error) {
	if today, err = s.Sales.Read(ctx, s.Docs, figures.Day(now)); err != nil {
		return today, before, err
	}
	before, err = s.Sales.Read(ctx, s.Docs, figures.Day(now.AddDate(0, 0, -1)))
	return today, before, err
}

// A Conversion is how many quotes were made in some days, and how many of them are paid.
type Conversion struct {
	Quotes, Paid int
	Today        int // quotes of today
}

// Percent is the share that is paid.
func (c Conversion) Percent() string {
	if c.Quotes == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(c.Paid)/float64(c.Quotes))
}

// conversionDays is how many days a conversion is of, today among them.
const conversionDays = 7

// readConversion counts quotes and their orders by an index, day by day.
func (s *Section) readConversion(ctx context.Context, now time.Time) (Conversion, error) {
	var quoted, paid [conversionDays]int
	group, ctx := errgroup.WithContext(ctx)
	for i := range conversionDays {
		day := figures.Day(now.AddDate(0, 0, -i))
		group.Go(func() (err error) {
			quoted[i], err = s.Docs.Count(ctx, string(contract.QuoteAggregate), figures.DayKey, day)
			return err
		})
		group.Go(func() (err error) {
			paid[i], err = s.Docs.Count(ctx, string(contract.OrderAggregate), figures.QuotedKey, day)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return Conversion{}, fmt.Errorf("count quotes and orders: %w", err)
	}
	c := Conversion{Today: quoted[0]}
	for i := range conversionDays {
		c.Quotes, c.Paid = c.Quotes+quoted[i], c.Paid+paid[i]
	}
	return c, nil
}
