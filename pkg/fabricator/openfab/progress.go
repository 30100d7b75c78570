package openfab

import (
	"cmp"
	"context"
	"slices"
	"time"

	"boardorder/pkg/fabricator"
)

// FindOrder looks an order up by our reference. fabricator.NotFound means that
// the fabricator answered and has none; only then may a create be sent again.
func (c *Client) FindOrder(ctx context.Context, reference string) (fabricator.Placed, error) {
	d, err := c.detail(ctx, reference)
	if err != nil {
		return fabricator.Placed{}, err
	}
	return d.placement(reference, c.cfg.Currency), nil
}

// Progress tells how an order comes along. The steps of its production need
// p.OrderID; without it the status stands alone.
func (c *Client) Progress(ctx context.Context, p fabricator.Placed) (fabricator.Progress, error) {
	d, err := c.detail(ctx, p.Reference)
	if err != nil {
		return fabricator.Progress{}, err
	}
	out := fabricator.Progress{Status: d.status, Why: d.item.Cancel, Order: d.placement(p.Reference, c.cfg.Currency)}
	out.Order.OrderID = cmp.Or(out.Order.OrderID, p.OrderID)
	if d.status == fabricator.Shipped {
		out.Tracking = d.tracking()
	}
	if out.Order.OrderID != "" && (d.status == fabricator.InProgress || d.status == fabricator.Shipped) {
		if out.Steps, err = c.steps(ctx, out.Order.OrderID); err != nil {
			return fabricator.Progress{}, err
		}
	}
	return out, nil
}

// A detail is what the fabricator holds under one reference.
type detail struct {
	reply  orderReply
	item   pcbItem
	status fabricator.Status
	live   int // orders that are not cancelled
}

var statuses = []fabricator.Status{
	fabricator.Cancelled, fabricator.InReview, fabricator.NeedsReply, fabricator.Confirmed, fabricator.InProgress, fabricator.Shipped,
}

// detail reads the order; of several under one reference, the first that is not
// cancelled.
func (c *Client) detail(ctx context.Context, reference string) (detail, error) {
	var d detail
	if !referenceForm.MatchString(reference) {
		return d, &fabricator.Error{Kind: fabricator.Internal, Message: "no reference to ask for"}
	}
	if err := c.post(ctx, "pcb/order/detail", map[string]string{"batchNum": reference}, &d.reply); err != nil {
		return d, err
	}
	found := false
	for _, it := range d.reply.Items {
		if it.Board == nil || it.OrderType != boardOnly {
			continue
		}
		if it.Board.Status == nil || *it.Board.Status < 0 || *it.Board.Status >= len(statuses) {
			return d, &fabricator.Error{Kind: fabricator.Unavailable, Message: "it reports a status that is not documented"}
		}
		st := statuses[*it.Board.Status]
		if st != fabricator.Cancelled {
			d.live++
		}
		if !found || (d.status == fabricator.Cancelled && st != fabricator.Cancelled) {
			found, d.item, d.status = true, *it.Board, st
		}
	}
	if !found {
		return d, &fabricator.Error{Kind: fabricator.NotFound, Message: "it holds no order " + reference}
	}
	return d, nil
}

func (d detail) placement(reference, currency string) fabricator.Placed {
	return fabricator.Placed{
		Reference: reference, OrderID: d.item.OrderID, OrderNumber: d.item.ProduceCode,
		Cents: max(0, cents(d.reply.Total.Decimal)), Currency: currency, Orders: d.live, At: parseTime(d.item.OrderDate),
	}
}

func (d detail) tracking() *fabricator.Tracking {
	number := cmp.Or(d.item.ExpressNo, d.reply.ExpressNo)
	if number == "" {
		return nil
	}
	carrier := fabricator.CarrierOf(cmp.Or(d.item.Freight, d.reply.Freight, d.reply.Shipping))
	return &fabricator.Tracking{Carrier: carrier, Number: number, URL: fabricator.TrackingPage(carrier, number)}
}

func (c *Client) steps(ctx context.Context, orderID string) ([]fabricator.Step, error) {
	var ws []wipStep
	if err := c.post(ctx, "pcb/wip/get", map[string]string{"orderUUID": orderID}, &ws); err != nil {
		return nil, err
	}
	var out []fabricator.Step
	for _, w := range ws {
		if at := parseTime(w.Begin); w.Name != "" && !at.IsZero() {
			out = append(out, fabricator.Step{Name: w.Name, At: at})
		}
	}
	slices.SortStableFunc(out, func(a, b fabricator.Step) int { return a.At.Compare(b.At) })
	return out, nil
}

// parseTime reads the API's two forms of time; the one without a zone is the
// fabricator's own, eight hours ahead. Zero when it is neither.
func parseTime(s string) time.Time {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.UTC()
	}
	t, err := time.ParseInLocation(time.DateTime, s, time.FixedZone("", 8*60*60))
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
