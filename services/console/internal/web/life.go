package web

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
)

type lifeView struct {
	page
	*quotes.Quote
	Standing quotes.Status
	Order    *orders.Order
	Steps    []span
	Took     time.Duration // from the first event to the last
}

// life tells the whole life of a quote on one page: its files, what was read of
// them, the price, the payment, the order, and the team's work on it, with the
// times between.
func (s *Server) life(c *call) error {
	ref := c.r.PathValue("ref")
	q, paying, order, err := s.readQuote(c.r.Context(), ref)
	if err != nil {
		return err
	}
	v := lifeView{page: c.page("quotes", "The life of quote "+id(ref)), Quote: q, Order: order, Standing: orders.StandingOf(*q, paying, order, s.Now())}
	var all []moment
	for _, x := range []struct {
		of contract.Aggregate
		id string
	}{
		{contract.UploadAggregate, q.Upload}, {contract.BoardAggregate, q.Digest}, {contract.QuoteRequestAggregate, q.Request},
		{contract.OperationAggregate, q.Request}, {contract.QuoteAggregate, ref}, {contract.CheckoutAggregate, ref},
		{contract.OrderAggregate, ref}, {contract.CaseAggregate, ref},
	} {
		if !contract.ValidToken(x.id) {
			continue
		}
		events, err := s.Bus.History(c.r.Context(), x.of, x.id, 0, maxHistory)
		if err != nil {
			return err
		}
		for _, e := range events {
			all = append(all, c.moment(e))
		}
	}
	slices.SortStableFunc(all, func(a, b moment) int { return a.At.Compare(b.At) })
	v.Steps = fold(all)
	if n := len(v.Steps); n > 0 {
		v.Took = v.Steps[n-1].Until.Sub(v.Steps[0].At)
	}
	return c.show("life", v)
}
