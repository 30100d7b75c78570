package web

import (
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
)

type orderRow struct {
	*orders.Order
	Name     string
	Customer string
	Project  string
}

type ordersView struct {
	page
	side
	Rows     []orderRow
	Status   string
	Statuses []orders.Status
	Next     string
}

var orderStatuses = []orders.Status{
	orders.Held, orders.Paid, orders.Placing, orders.Placed,
	orders.InProduction, orders.Shipped, orders.Cancelled,
}

// orders lists orders, newest first.
func (s *Server) orders(c *call) error {
	ask := c.r.URL.Query()
	v := ordersView{page: c.page("orders", "Orders"), side: sideOf(c.r), Status: ask.Get("status"), Statuses: orderStatuses}
	found, next, err := listOf(c.r.Context(), s.Docs, contract.OrderAggregate, v.side, v.Status,
		projection.Page{Limit: perPage, Cursor: ask.Get("cursor")}, func(o *orders.Order) string { return o.Account })
	if err != nil {
		return err
	}
	for _, o := range found {
		v.Rows = append(v.Rows, orderRow{o, c.accountName(o.Account), c.customer(o.ShipTo), project(o.Sold)})
	}
	v.Next = next
	return c.show("orders", v)
}

type orderView struct {
	page
	*orders.Order
	design
	work
	Name     string
	Timeline []span
	Choices  []choice
	Customer string
	Moves    []orders.Status // where an operator can send it
	Form     moveForm
	Refund   moneyForm
	Cancel   moneyForm
	Wrong    string
}

func (s *Server) orderView(c *call) (orderView, error) {
	ctx, ref := c.r.Context(), c.r.PathValue("ref")
	o, err := get[orders.Order](ctx, s.Docs, contract.OrderAggregate, ref)
	if err != nil {
		return orderView{}, err
	}
	if o == nil {
		return orderView{}, missing("order")
	}
	v := orderView{page: c.page("orders", "Order "+o.Ref), Order: o, Name: c.accountName(o.Account), Moves: moves(*o),
		Choices: choicesOf(o.Sold.Asked), Customer: c.customer(o.ShipTo)}
	if v.design, err = s.readDesign(ctx, o.Digest, o.Sold.Board); err != nil {
		return v, err
	}
	v.Refund.Amount.Value = decimal(centsLeft(*o))
	if v.work, err = c.work(ref); err != nil {
		return v, err
	}
	v.Timeline, err = s.timeline(ctx, ref, o.Request)
	return v, err
}

// order shows one order whole.
func (s *Server) order(c *call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	return c.show("order", v)
}

// reportOrder says how an order stands.
func (s *Server) reportOrder(c *call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	v.Form = readMoveForm(c.r)
	data, ok := v.Form.parse(v.Moves)
	if !ok {
		return c.render(http.StatusUnprocessableEntity, "order", v)
	}
	data.Quote, data.Operator = v.Quote, c.session.Operator.Name
	r := audits.Record{Action: "reported on an order", Kind: "order", ID: v.Quote, Before: standingOf(v.Status, v.Tracking, ""), After: standingOf(data.Status, data.Tracking, data.Note)}
	err = c.command(r, orders.ReportStatus, v.Form.Request, v.Account, data)
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Wrong = refusal.Message
		return c.render(http.StatusUnprocessableEntity, "order", v)
	}
	return c.finish(err, "/orders/"+v.Quote, "reported")
}

// orderPackage gives what the order is built from.
func (s *Server) orderPackage(c *call) error {
	o, err := get[orders.Order](c.r.Context(), s.Docs, contract.OrderAggregate, c.r.PathValue("ref"))
	if err != nil {
		return err
	}
	if o == nil {
		return missing("order")
	}
	return c.sendOrderPackage(*o)
}

// standingOf is what the trail says of where an order stands.
func standingOf(status orders.Status, t *shipments.Tracking, note string) map[string]string {
	after := map[string]string{"status": string(status)}
	if t != nil {
		after["carrier"], after["tracking"] = t.Carrier, t.Number
	}
	if note != "" {
		after["note"] = audits.DigestText(note)
	}
	return after
}
