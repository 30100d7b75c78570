package web

import (
	"context"
	"fmt"
	"slices"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/services/console/internal/operator"
)

// moment is one event as a line of a timeline.
type moment struct {
	bus.Headline
	Name string // of the account
	Open bool   // the operator may see its body
}

func (c *call) moment(h bus.Headline) moment {
	return moment{h, c.accountName(h.Account), c.can(operator.SeeBodies)}
}

// maxHistory bounds how many events of one aggregate are shown.
const maxHistory = 500

// timeline is all that happened to a quote, its payment and its order, oldest
// first; they share the quote's ref.
func (s *Server) timeline(ctx context.Context, ref, request string) ([]span, error) {
	var all []moment
	for _, x := range []struct {
		of contract.Aggregate
		id string
	}{
		{contract.QuoteRequestAggregate, request}, {contract.QuoteAggregate, ref}, {contract.CheckoutAggregate, ref}, {contract.OrderAggregate, ref},
	} {
		if !contract.ValidToken(x.id) {
			continue
		}
		events, err := s.Bus.History(ctx, x.of, x.id, 0, maxHistory)
		if err != nil {
			return nil, fmt.Errorf("timeline: %w", err)
		}
		for _, e := range events {
			all = append(all, moment{Headline: e})
		}
	}
	slices.SortStableFunc(all, func(a, b moment) int { return a.At.Compare(b.At) })
	return fold(all), nil
}
