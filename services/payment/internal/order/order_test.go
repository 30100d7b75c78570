package order_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/fabricator"
	"boardorder/services/payment/internal/order"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func newCheckout() checkouts.Checkout {
	return checkouts.Checkout{
		Quote: "ref", Attempt: 1, TotalCents: 5500, Currency: "USD", Terms: &quotes.Terms{Fabricator: "far_east", Spec: json.RawMessage(`{"layers":2}`), Shipping: "dhl", Cents: 4000, Currency: "USD"},
		BuildHours: 48, Language: "ja", ShipTo: shipments.ShipTo{Name: "Ada", Country: "US", City: "X"},
		Payment: &checkouts.Payment{Intent: "pi_1", Cents: 5500, Currency: "USD", At: now},
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*checkouts.Checkout)
		want   contract.EventName
	}{
		"as agreed":     {func(*checkouts.Checkout) {}, orders.EventPaid},
		"too little":    {func(c *checkouts.Checkout) { c.Payment.Cents-- }, orders.EventHeld},
		"too much":      {func(c *checkouts.Checkout) { c.Payment.Cents++ }, orders.EventHeld},
		"other money":   {func(c *checkouts.Checkout) { c.Payment.Currency = "EUR" }, orders.EventHeld},
		"given back":    {func(c *checkouts.Checkout) { c.Payment.Returned = 1 }, orders.EventHeld},
		"unknown quote": {func(c *checkouts.Checkout) { c.Attempt = 0 }, orders.EventHeld},
	} {
		c := newCheckout()
		tt.change(&c)
		o, got := order.New(c)
		if got != tt.want || (got == orders.EventHeld) != (o.Held != "") || o.Language != "ja" {
			t.Errorf("New(%s) = %s, held %q, in %s; want %s in Japanese", name, got, o.Held, o.Language, tt.want)
		}
	}
	for name, tt := range map[string]struct {
		change func(*checkouts.Checkout)
		want   string
	}{
		"whoever it was sold for":    {func(*checkouts.Checkout) {}, "far_east"},
		"left open by a team":        {func(c *checkouts.Checkout) { c.Terms = nil }, ""},
		"a test key's":               {func(c *checkouts.Checkout) { c.Account = "acc_1~test" }, fabricator.Test},
		"a test key's, and a team's": {func(c *checkouts.Checkout) { c.Account, c.Terms = "acc_1~test", nil }, fabricator.Test},
	} {
		c := newCheckout()
		tt.change(&c)
		if o, _ := order.New(c); o.Fabricator.Name != tt.want {
			t.Errorf("New(%s) is built by %q, want %q", name, o.Fabricator.Name, tt.want)
		}
	}
	a, _ := order.New(newCheckout())
	b, _ := order.New(newCheckout())
	if a.ID != b.ID || !strings.HasPrefix(a.ID, "ord_") || !regexp.MustCompile(`^BO-[2-9A-HJKMNP-Z]{8}$`).MatchString(a.Ref) {
		t.Errorf("order %s and %s, %s; want the same id, of ord_, and a reference such as BO-23456789", a.ID, b.ID, a.Ref)
	}
	if order.Ref("ref") == order.Ref("another") {
		t.Errorf("two orders are named %s", order.Ref("ref"))
	}
}

// orderAt is an order that has come as far.
func orderAt(status orders.Status, attempt int) orders.Order {
	o, _ := order.New(newCheckout())
	o.Status, o.Fabricator.Attempt = status, attempt
	if attempt > 0 {
		requestedAt := now
		o.Fabricator.Reference, o.Fabricator.AskedAt = o.ID, &requestedAt
	}
	return o
}

func TestNext(t *testing.T) {
	t.Parallel()
	byHand := orderAt(orders.Paid, 0)
	byHand.Terms = nil
	for name, tt := range map[string]struct {
		order orders.Order
		want  order.Step
	}{
		"paid":             {orderAt(orders.Paid, 0), order.Place},
		"team's price":     {byHand, order.ByHand},
		"placing":          {orderAt(orders.Placing, 1), order.LookUp},
		"released by team": {orderAt(orders.Paid, 1), order.LookUp},
		"placed":           {orderAt(orders.Placed, 1), order.FollowUp},
		"in production":    {orderAt(orders.InProduction, 1), order.FollowUp},
		"held":             {orderAt(orders.Held, 1), order.Nothing},
		"shipped":          {orderAt(orders.Shipped, 1), order.Nothing},
	} {
		if got := order.ChooseStep(tt.order); got != tt.want {
			t.Errorf("ChooseStep(%s) = %d, want %d", name, got, tt.want)
		}
	}
}

func TestPlacing(t *testing.T) {
	t.Parallel()
	o := order.Placing(orderAt(orders.Paid, 0), now)
	if o.Status != orders.Placing || o.Fabricator.Reference != o.ID || o.Fabricator.Attempt != 1 || o.Fabricator.Name != "far_east" || !o.Fabricator.AskedAt.Equal(now) {
		t.Errorf("placing = %s, %+v; want %s, attempt 1 of %s at far_east, asked at %s", o.Status, o.Fabricator, orders.Placing, o.ID, now)
	}
	r, err := order.Request(o, "key")
	if err != nil || r.Reference != o.ID || r.Spec.Layers != 2 || r.Spec.FileKey != "key" || r.Spec.BuildHours != 48 || r.Spec.To.City != "X" ||
		r.AgreedCents != 4000 || r.Shipping != "dhl" || r.ShipTo.Name != "Ada" {
		t.Errorf("request = %+v, %v", r, err)
	}
	o.Terms.Spec = json.RawMessage(`7`)
	if _, err := order.Request(o, "key"); err == nil {
		t.Error("a request of nothing")
	}
}

func TestFound(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status orders.Status
		orders int
		want   contract.EventName
		used   bool
	}{
		"it is there":              {orders.Placing, 1, orders.EventPlaced, false},
		"it is there twice":        {orders.Placing, 2, orders.EventHeld, false},
		"it was cancelled":         {orders.Placing, 0, orders.EventHeld, false},
		"cancelled, then released": {orders.Paid, 0, "", true},
		"there, then released":     {orders.Paid, 1, orders.EventPlaced, false},
	} {
		o := orderAt(tt.status, 1)
		next, event, used := order.Reconcile(o, fabricator.Placed{Reference: o.ID, Orders: tt.orders, OrderID: "x"}, now)
		if event != tt.want || used != tt.used {
			t.Errorf("Reconcile(%s) = %s, %t; want %s, %t", name, event, used, tt.want, tt.used)
		}
		if used && order.Reference(next) == order.Reference(o) {
			t.Errorf("Reconcile(%s): the reference %s is used again", name, order.Reference(next))
		}
	}
}

func TestAdvance(t *testing.T) {
	t.Parallel()
	parcel := &fabricator.Tracking{Carrier: "DHL", Number: "1"}
	drilled := []fabricator.Step{{Name: "Drilling\u202e", At: now}}
	one := fabricator.Placed{Orders: 1}
	for name, tt := range map[string]struct {
		from orders.Status
		says fabricator.Progress
		want contract.EventName
		to   orders.Status
	}{
		"nothing new":     {orders.Placed, fabricator.Progress{Status: fabricator.InReview, Order: one}, "", orders.Placed},
		"its number":      {orders.Placed, fabricator.Progress{Status: fabricator.Confirmed, Order: fabricator.Placed{Orders: 1, OrderNumber: "Y1"}}, orders.EventProgressed, orders.Placed},
		"a question":      {orders.Placed, fabricator.Progress{Status: fabricator.NeedsReply, Order: one}, orders.EventProgressed, orders.Placed},
		"production":      {orders.Placed, fabricator.Progress{Status: fabricator.InProgress, Steps: drilled, Order: one}, orders.EventInProduction, orders.InProduction},
		"a step":          {orders.InProduction, fabricator.Progress{Status: fabricator.InProgress, Steps: drilled, Order: one}, orders.EventProgressed, orders.InProduction},
		"shipped":         {orders.Placed, fabricator.Progress{Status: fabricator.Shipped, Tracking: parcel, Order: one}, orders.EventShipped, orders.Shipped},
		"no number yet":   {orders.InProduction, fabricator.Progress{Status: fabricator.Shipped, Order: one}, orders.EventProgressed, orders.InProduction},
		"back to review":  {orders.InProduction, fabricator.Progress{Status: fabricator.InReview, Order: one}, "", orders.InProduction},
		"cancelled":       {orders.InProduction, fabricator.Progress{Status: fabricator.Cancelled, Why: "no"}, orders.EventHeld, orders.Held},
		"two of them":     {orders.Placed, fabricator.Progress{Status: fabricator.InReview, Order: fabricator.Placed{Orders: 2}}, orders.EventHeld, orders.Held},
		"held, cancelled": {orders.Held, fabricator.Progress{Status: fabricator.Cancelled}, "", orders.Held},
		"shipped before":  {orders.Shipped, fabricator.Progress{Status: fabricator.InProgress, Order: one}, "", orders.Shipped},
	} {
		o, event := order.Advance(orderAt(tt.from, 1), tt.says, now)
		if event != tt.want || o.Status != tt.to {
			t.Errorf("Advance(%s) = %s, %q; want %s, %q", name, o.Status, event, tt.to, tt.want)
		}
		for _, s := range o.Steps {
			if strings.ContainsRune(s.Name, '\u202e') {
				t.Errorf("Advance(%s): step %q holds a control of direction", name, s.Name)
			}
		}
	}
}

// TestParcelWithoutNumber: its number is waited for, but not for ever.
func TestParcelWithoutNumber(t *testing.T) {
	t.Parallel()
	says := fabricator.Progress{Status: fabricator.Shipped, Order: fabricator.Placed{Orders: 1}}
	o, _ := order.Advance(orderAt(orders.InProduction, 1), says, now)
	if next, event := order.Advance(o, says, now.Add(time.Hour)); event != "" || next.Status != orders.InProduction {
		t.Errorf("after an hour: %s, %q; want %s, nothing", next.Status, event, orders.InProduction)
	}
	if next, event := order.Advance(o, says, now.Add(25*time.Hour)); event != orders.EventShipped || next.Tracking != nil {
		t.Errorf("after a day: %s, %q, parcel %+v; want %q, no parcel", next.Status, event, next.Tracking, orders.EventShipped)
	}
	says.Tracking = &fabricator.Tracking{Number: "1"}
	if next, event := order.Advance(o, says, now.Add(time.Hour)); event != orders.EventShipped || next.Tracking.Number != "1" {
		t.Errorf("with a number: %s, %q, parcel %+v; want %q, number 1", next.Status, event, next.Tracking, orders.EventShipped)
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	type st = orders.Status
	const (
		paidNow, placing, placed, held, making, gone = orders.Paid, orders.Placing, orders.Placed,
			orders.Held, orders.InProduction, orders.Shipped
	)
	parcel := &shipments.Tracking{Number: "2"}
	for _, tt := range []struct {
		from, to st
		tracking *shipments.Tracking
		want     contract.EventName // empty: refused
	}{
		{held, paidNow, nil, orders.EventPaid}, {held, placed, nil, orders.EventPlaced}, {held, gone, parcel, orders.EventShipped},
		{held, held, nil, ""}, {paidNow, held, nil, orders.EventHeld}, {placing, held, nil, ""}, {placing, placed, nil, ""},
		{placed, held, nil, orders.EventHeld}, {placed, making, nil, orders.EventInProduction}, {making, placed, nil, ""},
		{making, gone, nil, orders.EventShipped}, {gone, gone, parcel, orders.EventShipped}, {gone, gone, nil, ""}, {gone, held, nil, ""},
		{placed, paidNow, nil, ""}, {placed, "nonsense", nil, ""}, {paidNow, gone, parcel, orders.EventShipped},
	} {
		o, event, err := order.Report(orderAt(tt.from, 1), orders.ReportStatusData{Operator: "grace", Status: tt.to, Tracking: tt.tracking, Note: "n\no"}, now)
		if event != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("Report(%s, %s) = %q, %v; want %q", tt.from, tt.to, event, err, tt.want)
			continue
		}
		if err == nil && (o.Status != tt.to || o.Report.Operator != "grace" || o.Report.Note != "n o") {
			t.Errorf("Report(%s, %s) = %s, %+v, want it, by grace: n o", tt.from, tt.to, o.Status, o.Report)
		}
		if tt.tracking != nil && o.Tracking != tt.tracking {
			t.Errorf("Report(%s, %s): tracking %+v, want %+v", tt.from, tt.to, o.Tracking, tt.tracking)
		}
	}
}

func TestWhy(t *testing.T) {
	t.Parallel()
	for kind, held := range map[fabricator.Kind]bool{
		fabricator.Refused: true, fabricator.Review: true, fabricator.Files: true, fabricator.Shipment: true, fabricator.PriceMoved: true,
		fabricator.Unavailable: false, fabricator.Unknown: false, fabricator.Internal: false,
	} {
		if got := order.HoldReason(&fabricator.Error{Kind: kind, Message: strings.Repeat("é\n", 400)}); (got != "") != held || strings.Contains(got, "\n") || len(got) > 400 {
			t.Errorf("HoldReason(%s) = %q, want a reason: %t, on one line, of 400 bytes at most", kind, got, held)
		}
	}
	if got := order.HoldReason(errors.New("other")); got != "" {
		t.Errorf("HoldReason(other) = %q, want nothing", got)
	}
}

// The fabricator's engineers read the customer's own words, and what the customer
// has seen of the findings, within what the fabricator takes.
func TestRequestCarriesRemarks(t *testing.T) {
	t.Parallel()
	notes := "mind\nthe gap " + strings.Repeat("x", 20)
	for name, tt := range map[string]struct {
		change func(*checkouts.Checkout)
		want   string
	}{
		"nothing": {func(*checkouts.Checkout) {}, ""},
		"notes":   {func(c *checkouts.Checkout) { c.Sold.Request.SpecialNotes = &notes }, "Customer's notes: mind the gap xxx"},
		"findings": {func(c *checkouts.Checkout) {
			c.Acknowledged = &quotes.Acknowledgement{Findings: []contract.Finding{{Check: "drill_missing"}, {Check: "ring"}, {Check: "ring"}}}
		}, "has seen these findings and wants the board built as designed: drill_missing, ring"},
		"parts in place of others": {func(c *checkouts.Checkout) {
			c.Acknowledged = &quotes.Acknowledgement{Findings: []contract.Finding{{Check: quotes.CheckSubstitution}}}
		}, ""},
	} {
		c := newCheckout()
		tt.change(&c)
		o, _ := order.New(c)
		r, err := order.Request(o, "key")
		if err != nil || !strings.Contains(r.Remark, tt.want) || tt.want == "" && r.Remark != "" {
			t.Errorf("%s: remark %q, %v", name, r.Remark, err)
		}
	}
	c := newCheckout()
	long := strings.Repeat("ü", 2000)
	c.Sold.Request.SpecialNotes = &long
	o, _ := order.New(c)
	const limit = 450
	if r, _ := order.Request(o, "key"); len([]rune(r.Remark)) > limit {
		t.Errorf("a remark of %d characters, want %d at most", len([]rune(r.Remark)), limit)
	}
}
