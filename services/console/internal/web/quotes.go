package web

import (
	"context"
	"maps"
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
)

// standing is where a quote stands for its customer: it follows from checkout,
// order and clock.
func (s *Server) standing(ctx context.Context, q *quotes.Quote) (quotes.Status, error) {
	paying, err := get[checkouts.Checkout](ctx, s.Docs, contract.CheckoutAggregate, q.Ref)
	if err != nil {
		return "", err
	}
	order, err := get[orders.Order](ctx, s.Docs, contract.OrderAggregate, q.Ref)
	return orders.StandingOf(*q, paying, order, s.Now()), err
}

type quoteView struct {
	page
	*quotes.Quote
	design
	work
	Standing quotes.Status
	Name     string
	Order    *orders.Order
	Paying   *checkouts.Checkout
	Timeline []span
	Choices  []choice
	Customer string
}

// design is what was read from a set of files.
type design struct {
	Read  *boards.ReadFiles
	Drawn *boards.Board
	Facts []fact
}

type fact struct {
	Name string
	boards.Fact
}

func (s *Server) readDesign(ctx context.Context, digest, board string) (design, error) {
	read, err := get[boards.ReadFiles](ctx, s.Docs, contract.BoardAggregate, digest)
	if err != nil || read == nil || len(read.Boards) == 0 {
		return design{Read: read}, err
	}
	i := max(0, slices.IndexFunc(read.Boards, func(b boards.Board) bool { return b.Name == board }))
	d := design{Read: read, Drawn: &read.Boards[i]}
	for _, name := range slices.Sorted(maps.Keys(d.Drawn.Facts)) {
		d.Facts = append(d.Facts, fact{name, d.Drawn.Facts[name]})
	}
	return d, nil
}

// readQuote finds a quote, as it was sold once it was, with its checkout and order.
func (s *Server) readQuote(ctx context.Context, ref string) (q *quotes.Quote, paying *checkouts.Checkout, order *orders.Order, err error) {
	if q, err = get[quotes.Quote](ctx, s.Docs, contract.QuoteAggregate, ref); err != nil {
		return nil, nil, nil, err
	}
	if paying, err = get[checkouts.Checkout](ctx, s.Docs, contract.CheckoutAggregate, ref); err != nil {
		return nil, nil, nil, err
	}
	if order, err = get[orders.Order](ctx, s.Docs, contract.OrderAggregate, ref); err != nil {
		return nil, nil, nil, err
	}
	if q = orders.QuoteAsSold(q, paying, order); q == nil {
		err = missing("quote")
	}
	return q, paying, order, err
}

// quote shows one quote whole.
func (s *Server) quote(c *call) error {
	ctx, ref := c.r.Context(), c.r.PathValue("ref")
	q, paying, order, err := s.readQuote(ctx, ref)
	if err != nil {
		return err
	}
	v := quoteView{page: c.page("quotes", "Quote "+id(ref)), Quote: q, Paying: paying, Order: order, Name: c.accountName(q.Account)}
	v.Standing, v.Choices, v.Customer = orders.StandingOf(*q, v.Paying, v.Order, s.Now()), choicesOf(q.Asked), c.customer(recipient(*q))
	if v.design, err = s.readDesign(ctx, q.Digest, q.Board); err != nil {
		return err
	}
	if v.work, err = c.work(ref); err != nil {
		return err
	}
	if v.Timeline, err = s.timeline(ctx, ref, q.Request); err != nil {
		return err
	}
	return c.show("quote", v)
}

// picture shows one side of a quote's board.
func (s *Server) picture(c *call) error {
	_, d, err := s.quoteDesign(c.r.Context(), c.r.PathValue("ref"))
	if err != nil {
		return err
	}
	return c.side(d)
}

// side sends the picture of the side that the address names.
func (c *call) side(d design) error {
	key := ""
	if d.Drawn != nil {
		key = map[string]string{"top": d.Drawn.Top, "bottom": d.Drawn.Bottom}[c.r.PathValue("side")]
	}
	if key == "" {
		return missing("picture")
	}
	c.w.Header().Set("Content-Type", "image/png")
	c.w.Header().Set("Cache-Control", "private, max-age=300")
	return c.send(key, "picture")
}

// quotePackage gives the files that were priced.
func (s *Server) quotePackage(c *call) error {
	q, d, err := s.quoteDesign(c.r.Context(), c.r.PathValue("ref"))
	if err != nil {
		return err
	}
	key := ""
	if d.Read != nil {
		key = d.Read.Package
	}
	return c.sendPackage(key, q.Digest, "quote-"+q.Ref[:min(10, len(q.Ref))]+".zip")
}
