package overview

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/figures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/states"

	"github.com/tidwall/gjson"
)

// Bounds of what one look at the day's orders reads.
const (
	salesPage = 100
	salesLook = 10 // pages
	maxDays   = 3  // that are kept
)

// Sales adds up what was paid on a day. What an order was paid with does not change, so
// each is read once; how many there are is counted by an index every time.
type Sales struct {
	mu   sync.Mutex
	days map[string]*daySales
}

type daySales struct {
	seen  map[string]bool
	minor map[string]int64 // by currency, in its minor units
	next  string           // where reading goes on
	ended bool             // the list was read to its end
}

// A Takings is what was paid on a day.
type Takings struct {
	Orders int
	Sums   []Sum // dollars first
	Whole  bool  // all orders are added up; else more are at the next look
}

// A Sum is the money of a day's orders in a currency that cards were charged in, in its minor units.
type Sum struct {
	Currency                  string
	Gross, Refunded, Disputed int64
}

// Words writes an amount of the sum's currency.
func (s Sum) Words(minor int64) string {
	return strings.Replace(prices.NewCharged(s.Currency, minor).Words(), "-", "−", 1)
}

// Net is what neither went back, is going back, nor lies with customers' banks.
func (s Sum) Net() int64 { return s.Gross - s.Refunded - s.Disputed }

// Read adds up live's payments of a day.
func (s *Sales) Read(ctx context.Context, docs projection.Store, day string) (Takings, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := docs.Count(ctx, string(contract.OrderAggregate), figures.DayKey, day)
	if err != nil {
		return Takings{}, fmt.Errorf("count the orders of %s: %w", day, err)
	}
	d := s.days[day]
	if d == nil || len(d.seen) > n { // the projection was made anew
		if s.days == nil || len(s.days) >= maxDays {
			s.days = map[string]*daySales{}
		}
		d = &daySales{seen: map[string]bool{}, minor: map[string]int64{}}
		s.days[day] = d
	}
	for looks := 0; looks < salesLook && len(d.seen) < n; looks++ {
		if err := d.look(ctx, docs, day); err != nil {
			return Takings{}, err
		}
	}
	whole := len(d.seen) >= n
	if whole { // what comes next is the newest
		d.next, d.ended = "", false
	}
	sums, err := subtractReturns(ctx, docs, day, d.minor)
	return Takings{Orders: n, Sums: sums, Whole: whole}, err
}

// subtractReturns gives the sums of a day's orders, from what was paid by currency. What went
// back changes long after the day, so it is read each time: few orders have such.
func subtractReturns(ctx context.Context, docs projection.Store, day string, paid map[string]int64) ([]Sum, error) {
	sums := map[string]*Sum{}
	for currency, minor := range paid {
		sums[currency] = &Sum{Currency: currency, Gross: minor}
	}
	found, _, err := states.List[orders.Order](ctx, docs, contract.OrderAggregate, figures.ReturnedKey, day, projection.Page{Limit: states.MaxCount})
	if err != nil {
		return nil, err
	}
	for _, o := range found {
		sum := sums[cardCurrency(*o)]
		if sum == nil { // paid meanwhile: at the next look
			continue
		}
		for _, r := range o.Refunds {
			switch {
			case r.Status == orders.RefundFailed:
			case r.Charged != nil:
				sum.Refunded += r.Charged.Minor
			default:
				sum.Refunded += r.Cents
			}
		}
		if d := o.Dispute; d != nil && d.Charged != nil && d.Status != orders.DisputeWon {
			sum.Disputed += d.Charged.Minor
		} else {
			sum.Disputed += o.CentsInDispute()
		}
	}
	all := make([]Sum, 0, len(sums))
	for _, sum := range sums {
		all = append(all, *sum)
	}
	slices.SortFunc(all, func(a, b Sum) int {
		return cmp.Or(cmp.Compare(isForeign(a), isForeign(b)), cmp.Compare(a.Currency, b.Currency))
	})
	return all, nil
}

func isForeign(s Sum) int {
	if s.Currency == "USD" {
		return 0
	}
	return 1
}

func cardCurrency(o orders.Order) string {
	if o.Payment.Charged != nil {
		return o.Payment.Charged.Currency
	}
	return strings.ToUpper(o.Payment.Currency)
}

// look reads one page, from where the last one ended, and after the end from the newest on:
// what was stored meanwhile is found in the next round.
func (d *daySales) look(ctx context.Context, docs projection.Store, day string) error {
	if d.ended {
		d.next, d.ended = "", false
	}
	found, next, err := docs.List(ctx, string(contract.OrderAggregate), figures.DayKey, day, projection.Page{Limit: salesPage, Cursor: d.next})
	if err != nil {
		return fmt.Errorf("list the orders of %s: %w", day, err)
	}
	for _, doc := range found {
		if d.seen[doc.ID] {
			continue
		}
		d.seen[doc.ID] = true
		paid := gjson.GetManyBytes(doc.Body, "payment.cents", "payment.currency", "payment.charged.minor", "payment.charged.currency")
		if paid[3].Str != "" {
			paid = paid[2:]
		}
		d.minor[strings.ToUpper(paid[1].Str)] += paid[0].Int()
	}
	d.next, d.ended = next, next == ""
	return nil
}
