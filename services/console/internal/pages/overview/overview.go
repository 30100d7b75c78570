package overview

import (
	"context"
	"strconv"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/formal"
	"boardorder/services/console/internal/pages/streams"
	"boardorder/services/console/internal/states"
)

type overviewView struct {
	page.Frame
	Reviews, Approvals, Formal, Held, Dead, Waiting string // how many
	Asking                                          []*orders.Order
	Streams                                         []bus.StreamState
	Lag                                             []streams.Lag
	Trouble                                         string
}

// Show shows what waits for people, and whether the machine keeps up.
func (s *Section) Show(c *page.Call) error {
	ctx := c.R.Context()
	v := overviewView{Frame: c.Frame("overview", "Overview")}
	v.Refresh = 10
	for _, n := range []struct {
		out    *string
		of     contract.Aggregate
		status string
	}{
		{&v.Reviews, contract.QuoteAggregate, string(quotes.SourcingRequested)},
		{&v.Held, contract.OrderAggregate, string(orders.Held)},
	} {
		found, err := states.Count(ctx, s.Docs, n.of, "status", n.status)
		if err != nil {
			return err
		}
		*n.out = formatCount(found)
	}
	waiting, err := s.openCases(c)
	if err != nil {
		return err
	}
	formal, err := formal.CountWaiting(c, s.Docs)
	if err != nil {
		return err
	}
	v.Approvals, v.Formal = formatCount(waiting), formatCount(formal)
	requests, err := s.approvalRequests(ctx)
	if err != nil {
		return err
	}
	v.Asking = requests
	states, err := s.Bus.States(ctx)
	if err != nil { // the rest of the page is worth having
		v.Dead, v.Waiting, v.Trouble = "?", "?", "The broker does not answer now."
		return c.Show(templates, "overview", v)
	}
	v.Streams, v.Lag = states, streams.Lags(states)
	v.Dead, v.Waiting = deadAndWaiting(states)
	return c.Show(templates, "overview", v)
}

// openCases counts the cases that wait for a second operator.
func (s *Section) openCases(c *page.Call) (n int, err error) {
	found, _, err := states.List[cases.Case](c.R.Context(), s.Docs, contract.CaseAggregate, "waiting", cases.Waits, projection.Page{Limit: states.MaxCount})
	for _, one := range found {
		if !c.Hides(one.Labels()) {
			n++
		}
	}
	return n, err
}

// approvalRequests lists the orders under way about which the fabricator wants to know something.
func (s *Section) approvalRequests(ctx context.Context) ([]*orders.Order, error) {
	var requests []*orders.Order
	for _, status := range []orders.Status{orders.Placed, orders.InProduction} {
		orders, _, err := states.List[orders.Order](ctx, s.Docs, contract.OrderAggregate, "status", string(status), projection.Page{Limit: 200})
		if err != nil {
			return nil, err
		}
		for _, o := range orders {
			if o.Waiting != "" {
				requests = append(requests, o)
			}
		}
	}
	return requests, nil
}

func formatCount(n int) string {
	if n >= states.MaxCount {
		return strconv.Itoa(states.MaxCount) + "+"
	}
	return strconv.Itoa(n)
}

func deadAndWaiting(states []bus.StreamState) (dead, waiting string) {
	dead, n := "0", 0
	for _, s := range states {
		if s.Stream == contract.DeadLetterStream {
			dead = strconv.FormatUint(s.Messages, 10)
		}
		if s.Stream != contract.CommandStream && s.Stream != contract.RequestStream {
			continue
		}
		for _, c := range s.Consumers {
			n += int(c.Pending) + c.AckPending
		}
	}
	return dead, strconv.Itoa(n)
}
