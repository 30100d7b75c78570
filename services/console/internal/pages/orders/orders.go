package orders

import (
	"context"
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	casescontract "boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/choices"
	"boardorder/services/console/internal/design"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/letters"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/quotes"
	"boardorder/services/console/internal/states"
	"boardorder/services/console/internal/timeline"
)

type orderRow struct {
	*orders.Order
	Name       string
	Customer   string
	CustomerID string // of the customer's page; "" where there is none
	Project    string
	Late       *lateView // it waits for its fabricator
}

func (s *Section) newRow(c *page.Call, o *orders.Order) orderRow {
	return orderRow{
		Order: o, Name: c.AccountName(o.Account), Customer: quotes.CustomerName(c, o.ShipTo), CustomerID: customers.Ref(o.Account, o.ShipTo.Email),
		Project: quotes.Project(o.Sold), Late: newLateView(*o, s.Now()),
	}
}

type ordersView struct {
	page.Frame
	selection
	Rows       []orderRow
	Statuses   []orders.Status
	Currencies []string
	Next       string
	Stake      *stake // of the orders that are held, where those are listed
	Select     bool   // held orders can be chosen, to decide on several at once
}

var orderStatuses = []orders.Status{
	orders.Held, orders.Paid, orders.Placing, orders.Placed,
	orders.InProduction, orders.Shipped, orders.Cancelled,
}

// List lists orders, newest first.
func (s *Section) List(c *page.Call) error {
	v := ordersView{Frame: c.Frame("orders", "Orders"), Statuses: orderStatuses, Currencies: prices.Chargeable()}
	var err error
	if v.selection, err = readSelection(c); err != nil {
		return err
	}
	found, next, err := s.read(c.R.Context(), v.selection, states.PerPage, c.R.URL.Query().Get("cursor"))
	if err != nil {
		return err
	}
	for _, o := range found {
		v.Rows = append(v.Rows, s.newRow(c, o))
	}
	v.Next, v.Select = next, v.Status == string(orders.Held) && len(v.Rows) > 0 && c.Can(operator.MoveOrders)
	if v.Status == string(orders.Held) {
		if v.Stake, err = s.readStake(c.R.Context(), v.selection); err != nil {
			return err
		}
	}
	return c.Show(templates, "orders", v)
}

// A stake is what customers have paid for orders that stand still.
type stake struct {
	Orders int
	Cents  map[string]int64 // by currency: what was paid and has not gone back
	More   bool             // there are more than were added up
}

func (s *Section) readStake(ctx context.Context, f selection) (*stake, error) {
	found, next, err := s.read(ctx, f, states.MaxCount, "")
	if err != nil {
		return nil, err
	}
	all := &stake{Orders: len(found), Cents: map[string]int64{}, More: next != ""}
	for _, o := range found {
		all.Cents[o.Currency] += o.RefundableCents()
	}
	return all, nil
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

	CustomerID    string // of the customer's page; "" where there is none
	CustomerNotes []casescontract.Note
	Declines      []checkouts.Decline // before it was paid
	Disputed      *disputeView
	Late          *lateView       // it waits for its fabricator
	Moves         []orders.Status // where an operator can send it
	Form          moveForm
	Refund        moneyForm
	Cancel        moneyForm
	Wrong         string // about a report
	Refused       string // about the payment
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
	v.Disputed, v.Late = newDisputeView(*o, s.Now()), newLateView(*o, s.Now())
	if v.CustomerID, v.CustomerNotes, err = s.readCustomer(ctx, *o); err != nil {
		return v, err
	}
	if paying, err := states.Get[checkouts.Checkout](ctx, s.Docs, contract.CheckoutAggregate, ref); err != nil {
		return v, err
	} else if paying != nil {
		v.Declines = paying.Declines
	}
	v.Refund.Amount.Value = format.Decimal(o.RefundableCents())
	if v.Work, err = cases.Load(c.R.Context(), s.Docs, ref); err != nil {
		return v, err
	}
	sent, err := letters.Read(ctx, s.Letters, v.Customer, ref)
	if err != nil {
		return v, err
	}
	v.Timeline, err = timeline.Read(ctx, s.Bus, ref, o.Request, o, sent)
	return v, err
}

// readCustomer gives the customer's page and what operators noted about the customer.
func (s *Section) readCustomer(ctx context.Context, o orders.Order) (id string, notes []casescontract.Note, err error) {
	id = customers.Ref(o.Account, o.ShipTo.Email)
	one, err := states.Get[customers.Customer](ctx, s.Docs, contract.CustomerAggregate, id)
	if err != nil || one == nil {
		return "", nil, err
	}
	work, err := cases.Load(ctx, s.Docs, id)
	return id, work.TeamNotes(), err
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
	err = sendReport(c, *v.Order, data, v.Form.Request)
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Wrong = refusal.Message
		return c.Render(http.StatusUnprocessableEntity, templates, "order", v)
	}
	return c.Finish(err, "/orders/"+v.Quote, "reported")
}

// sendReport says how an order stands.
func sendReport(c *page.Call, o orders.Order, data orders.ReportStatusData, request string) error {
	r := audits.Record{Action: "reported on an order", Kind: "order", ID: o.Quote, Before: describeStatus(o.Status, o.Tracking, ""), After: describeStatus(data.Status, data.Tracking, data.Note)}
	return c.Command(r, orders.ReportStatus, request, o.Account, data)
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
