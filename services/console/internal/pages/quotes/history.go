package quotes

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console/internal/design"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/letters"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/timeline"
)

type historyView struct {
	page.Frame
	*quotes.Quote
	design.Design
	DerivedStatus quotes.Status
	Order         *orders.Order
	Steps         []timeline.Span
	Took          time.Duration // from the first event to the last
}

// History tells the whole history of a quote on one page: its files, what was read of
// them, the price, the payment, the order, and the team's work on it, with the
// times between.
func (s *Section) History(c *page.Call) error {
	ref := c.R.PathValue("ref")
	q, paying, order, err := Read(c.R.Context(), s.Docs, ref)
	if err != nil {
		return err
	}
	v := historyView{Frame: c.Frame("quotes", "History of quote "+format.ID(ref)), Quote: q, Order: order, DerivedStatus: orders.StatusOf(*q, paying, order, s.Now())}
	if v.Design, err = design.Read(c.R.Context(), s.Docs, q.Digest, q.Board); err != nil {
		return err
	}
	var all []timeline.Moment
	for _, x := range []struct {
		of contract.Aggregate
		id string
	}{
		{contract.UploadAggregate, q.Upload}, {contract.BoardAggregate, q.Digest}, {contract.QuoteRequestAggregate, q.RequestID},
		{contract.OperationAggregate, q.RequestID}, {contract.QuoteAggregate, ref}, {contract.CheckoutAggregate, ref},
		{contract.OrderAggregate, ref}, {contract.CaseAggregate, ref},
	} {
		if !contract.ValidToken(x.id) {
			continue
		}
		events, err := s.Bus.History(c.R.Context(), x.of, x.id, 0, timeline.MaxHistory)
		if err != nil {
			return err
		}
		for _, e := range events {
			all = append(all, timeline.NewMoment(c, e))
		}
	}
	sent, err := letters.Read(c.R.Context(), s.Letters, CustomerName(c, Recipient(*q)), ref)
	if err != nil {
		return err
	}
	all = timeline.WithLetters(all, sent)
	slices.SortStableFunc(all, func(a, b timeline.Moment) int { return a.At.Compare(b.At) })
	timeline.Tell(all, order)
	v.Steps = timeline.Fold(all)
	if n := len(v.Steps); n > 0 {
		v.Took = v.Steps[n-1].Until.Sub(v.Steps[0].At)
	}
	return c.Show(templates, "history", v)
}
