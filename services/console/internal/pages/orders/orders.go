package orders

import (
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/choices"
	"boardorder/services/console/internal/design"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/quotes"
	"boardorder/services/console/internal/states"
	"boardorder/services/console/internal/timeline"
)

type orderRow struct {
	*orders.Order
	Name     string
	Customer string
	Project  string
}

type ordersView struct {
	page.Frame
	states.ModeFilter
	Rows     []orderRow
	Status   string
	Statuses []orders.Status
	Next     string
}

var orderStatuses = []orders.Status{
	orders.Held, orders.Paid, orders.Placing, orders.Placed,
	orders.InProduction, orders.Shipped, orders.Cancelled,
}

// List lists orders, newest first.
func (s *Section) List(c *page.Call) error {
	ask := c.R.URL.Query()
	v := ordersView{Frame: c.Frame("orders", "Orders"), ModeFilter: states.ReadMode(c.R), Status: ask.Get("status"), Statuses: orderStatuses}
	found, next, err := states.ListMode(c.R.Context(), s.Docs, contract.OrderAggregate, v.ModeFilter, v.Status,
		projection.Page{Limit: states.PerPage, Cursor: ask.Get("cursor")}, func(o *orders.Order) string { return o.Account })
	if err != nil {
		return err
	}
	for _, o := range found {
		v.Rows = append(v.Rows, orderRow{o, c.AccountName(o.Account), quotes.CustomerName(c, o.ShipTo), quotes.Project(o.Sold)})
	}
	v.Next = next
	return c.Show(templates, "orders", v)
}

type orderView struct {
	page.Frame
	*orders.Order
	design.Design
	cases.Work
	Name     string
	Timeline []timeline.Span
	Choices  []choices.Choice
	Customer string
	Moves    []orders.Status // where an operator can send it
	Form     moveForm
	Refund   moneyForm
	Cancel   moneyForm
	Wrong    string
}

func (s *Section) orderView(c *page.Call) (orderView, error) {
	ctx, ref := c.R.Context(), c.R.PathValue("ref")
	o, err := states.Get[orders.Order](ctx, s.Docs, contract.OrderAggregate, ref)
	if err != nil {
		return orderView{}, err
	}
	if o == nil {
		return orderView{}, page.Missing("order")
	}
	v := orderView{Frame: c.Frame("orders", "Order "+o.Ref), Order: o, Name: c.AccountName(o.Account), Moves: moves(*o),
		Choices: choices.List(o.Sold.Request), Customer: quotes.CustomerName(c, o.ShipTo)}
	if v.Design, err = design.Read(ctx, s.Docs, o.Digest, o.Sold.Board); err != nil {
		return v, err
	}
	v.Refund.Amount.Value = format.Decimal(centsLeft(*o))
	if v.Work, err = cases.Load(c.R.Context(), s.Docs, ref); err != nil {
		return v, err
	}
	v.Timeline, err = timeline.Read(ctx, s.Bus, ref, o.Request)
	return v, err
}

// Show shows one order whole.
func (s *Section) Show(c *page.Call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	return c.Show(templates, "order", v)
}

// Report says how an order stands.
func (s *Section) Report(c *page.Call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	v.Form = readMoveForm(c.R)
	data, ok := v.Form.parse(v.Moves)
	if !ok {
		return c.Render(http.StatusUnprocessableEntity, templates, "order", v)
	}
	data.Quote, data.Operator = v.Quote, c.Session.Operator.Name
	r := audits.Record{Action: "reported on an order", Kind: "order", ID: v.Quote, Before: describeStatus(v.Status, v.Tracking, ""), After: describeStatus(data.Status, data.Tracking, data.Note)}
	err = c.Command(r, orders.ReportStatus, v.Form.Request, v.Account, data)
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Wrong = refusal.Message
		return c.Render(http.StatusUnprocessableEntity, templates, "order", v)
	}
	return c.Finish(err, "/orders/"+v.Quote, "reported")
}

// Package gives what the order is built from.
func (s *Section) Package(c *page.Call) error {
	o, err := states.Get[orders.Order](c.R.Context(), s.Docs, contract.OrderAggregate, c.R.PathValue("ref"))
	if err != nil {
		return err
	}
	if o == nil {
		return page.Missing("order")
	}
	return s.sendPackage(c, *o)
}

// describeStatus is what the trail says of where an order stands.
func describeStatus(status orders.Status, t *shipments.Tracking, note string) map[string]string {
	after := map[string]string{"status": string(status)}
	if t != nil {
		after["carrier"], after["tracking"] = t.Carrier, t.Number
	}
	if note != "" {
		after["note"] = audits.DigestText(note)
	}
	return after
}
