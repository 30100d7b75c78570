package web

import (
	"context"
	"strconv"
	"strings"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
)

type overviewView struct {
	page
	Reviews, Approvals, Formal, Held, Dead, Waiting string // how many
	Asking                                          []*orders.Order
	Streams                                         []bus.StreamState
	Lag                                             []lag
	Trouble                                         string
}

// lag is how far one service is behind.
type lag struct {
	Stream string
	bus.ConsumerState
}

// overview shows what waits for people, and whether the machine keeps up.
func (s *Server) overview(c *call) error {
	ctx := c.r.Context()
	v := overviewView{page: c.page("overview", "Overview")}
	v.Refresh = 10
	for _, n := range []struct {
		out    *string
		of     contract.Aggregate
		status string
	}{
		{&v.Reviews, contract.QuoteAggregate, string(quotes.SourcingRequested)},
		{&v.Held, contract.OrderAggregate, string(orders.Held)},
	} {
		found, err := count(ctx, s.Docs, n.of, "status", n.status)
		if err != nil {
			return err
		}
		*n.out = formatCount(found)
	}
	waiting, err := s.openCases(c)
	if err != nil {
		return err
	}
	formal, err := c.waitingFormal()
	if err != nil {
		return err
	}
	v.Approvals, v.Formal = formatCount(waiting), formatCount(formal)
	asking, err := s.asking(ctx)
	if err != nil {
		return err
	}
	v.Asking = asking
	states, err := s.Bus.States(ctx)
	if err != nil { // the rest of the page is worth having
		v.Dead, v.Waiting, v.Trouble = "?", "?", "The broker does not answer now."
		return c.show("overview", v)
	}
	v.Streams, v.Lag = states, lags(states)
	v.Dead, v.Waiting = deadAndWaiting(states)
	return c.show("overview", v)
}

// openCases counts the cases that wait for a second operator.
func (s *Server) openCases(c *call) (n int, err error) {
	found, _, err := list[cases.Case](c.r.Context(), s.Docs, contract.CaseAggregate, "waiting", cases.Waits, projection.Page{Limit: most})
	for _, one := range found {
		if !c.hides(one.Marks()) {
			n++
		}
	}
	return n, err
}

// asking are the orders under way about which the fabricator wants to know something.
func (s *Server) asking(ctx context.Context) ([]*orders.Order, error) {
	var asking []*orders.Order
	for _, status := range []orders.Status{orders.Placed, orders.InProduction} {
		orders, _, err := list[orders.Order](ctx, s.Docs, contract.OrderAggregate, "status", string(status), projection.Page{Limit: 200})
		if err != nil {
			return nil, err
		}
		for _, o := range orders {
			if o.Waiting != "" {
				asking = append(asking, o)
			}
		}
	}
	return asking, nil
}

func formatCount(n int) string {
	if n >= most {
		return strconv.Itoa(most) + "+"
	}
	return strconv.Itoa(n)
}

func lags(states []bus.StreamState) []lag {
	var all []lag
	for _, s := range states {
		for _, c := range s.Consumers {
			all = append(all, lag{s.Name, c})
		}
	}
	return all
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

// Kind is what a stream holds, in words.
func (l lag) Kind() string {
	return words(strings.ToLower(strings.TrimPrefix(l.Stream, "EVENTS_")))
}
