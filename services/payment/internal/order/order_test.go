package order_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/fabricator"
	"boardorder/services/payment/internal/order"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func newCheckout() contract.Checkout {
	return contract.Checkout{
		Quote: "ref", Attempt: 1, TotalCents: 5500, Currency: "USD", Terms: &contract.Terms{Spec: json.RawMessage(`{"layers":2}`), Shipping: "dhl", Cents: 4000, Currency: "USD"},
		BuildHours: 48, ShipTo: contract.ShipTo{Name: "Ada", Country: "US", City: "X"},
		Payment: &contract.Payment{Intent: "pi_1", Cents: 5500, Currency: "USD", At: now},
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(*contract.Checkout)
		want   contract.EventName
	}{
		"as agreed":     {func(*contract.Checkout) {}, contract.OrderPaid},
		"too little":    {func(c *contract.Checkout) { c.Payment.Cents-- }, contract.OrderHeld},
		"too much":      {func(c *contract.Checkout) { c.Payment.Cents++ }, contract.OrderHeld},
		"other money":   {func(c *contract.Checkout) { c.Payment.Currency = "EUR" }, contract.OrderHeld},
		"given back":    {func(c *contract.Checkout) { c.Payment.Returned = 1 }, contract.OrderHeld},
		"unknown quote": {func(c *contract.Checkout) { c.Attempt = 0 }, contract.OrderHeld},
	} {
		c := newCheckout()
		tt.change(&c)
		o, got := order.New(c)
		if got != tt.want || (got == contract.OrderHeld) != (o.Held != "") {
			t.Errorf("New(%s) = %s, held %q; want %s", name, got, o.Held, tt.want)
		}
	}
	a, _ := order.New(newCheckout())
	b, _ := order.New(newCheckout())
	if a.ID != b.ID || !strings.HasPrefix(a.ID, "ord_") || !regexp.MustCompile(`^BO-[2-9A-HJKMNP-Z]{8}$`).MatchString(a.Ref) {
		t.Errorf("order %s and %s, %s", a.ID, b.ID, a.Ref)
	}
	if order.Ref("ref") == order.Ref("another") {
		t.Error("two orders of one name")
	}
}

// orderAt is an order that has come as far.
func orderAt(status contract.OrderStatus, attempt int) contract.Order {
	o, _ := order.New(newCheckout())
	o.Status, o.Fabricator.Attempt = status, attempt
	if attempt > 0 {
		asked := now
		o.Fabricator.Reference, o.Fabricator.AskedAt = o.ID, &asked
	}
	return o
}

func TestNext(t *testing.T) {
	t.Parallel()
	byHand := orderAt(contract.OrderStatusPaid, 0)
	byHand.Terms = nil
	for name, tt := range map[string]struct {
		order contract.Order
		want  order.Step
	}{
		"paid":             {orderAt(contract.OrderStatusPaid, 0), order.Place},
		"team's price":     {byHand, order.ByHand},
		"placing":          {orderAt(contract.OrderStatusPlacing, 1), order.LookUp},
		"released by team": {orderAt(contract.OrderStatusPaid, 1), order.LookUp},
		"placed":           {orderAt(contract.OrderStatusPlaced, 1), order.FollowUp},
		"in production":    {orderAt(contract.OrderStatusInProduction, 1), order.FollowUp},
		"held":             {orderAt(contract.OrderStatusHeld, 1), order.Nothing},
		"shipped":          {orderAt(contract.OrderStatusShipped, 1), order.Nothing},
	} {
		if got := order.ChooseStep(tt.order); got != tt.want {
			t.Errorf("ChooseStep(%s) = %d, want %d", name, got, tt.want)
		}
	}
}

func TestPlacing(t *testing.T) {
	t.Parallel()
	o := order.Placing(orderAt(contract.OrderStatusPaid, 0), "openfab", now)
	if o.Status != contract.OrderStatusPlacing || o.Fabricator.Reference != o.ID || o.Fabricator.Attempt != 1 || !o.Fabricator.AskedAt.Equal(now) {
		t.Errorf("placing = %+v", o.Fabricator)
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
		status contract.OrderStatus
		orders int
		want   contract.EventName
		used   bool
	}{
		"it is there":              {contract.OrderStatusPlacing, 1, contract.OrderPlaced, false},
		"it is there twice":        {contract.OrderStatusPlacing, 2, contract.OrderHeld, false},
		"it was cancelled":         {contract.OrderStatusPlacing, 0, contract.OrderHeld, false},
		"cancelled, then released": {contract.OrderStatusPaid, 0, "", true},
		"there, then released":     {contract.OrderStatusPaid, 1, contract.OrderPlaced, false},
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
		from contract.OrderStatus
		says fabricator.Progress
		want contract.EventName
		to   contract.OrderStatus
	}{
		"nothing new":     {contract.OrderStatusPlaced, fabricator.Progress{Status: fabricator.InReview, Order: one}, "", contract.OrderStatusPlaced},
		"its number":      {contract.OrderStatusPlaced, fabricator.Progress{Status: fabricator.Confirmed, Order: fabricator.Placed{Orders: 1, OrderNumber: "Y1"}}, contract.OrderProgressed, contract.OrderStatusPlaced},
		"a question":      {contract.OrderStatusPlaced, fabricator.Progress{Status: fabricator.NeedsReply, Order: one}, contract.OrderProgressed, contract.OrderStatusPlaced},
		"production":      {contract.OrderStatusPlaced, fabricator.Progress{Status: fabricator.InProgress, Steps: drilled, Order: one}, contract.OrderInProduction, contract.OrderStatusInProduction},
		"a step":          {contract.OrderStatusInProduction, fabricator.Progress{Status: fabricator.InProgress, Steps: drilled, Order: one}, contract.OrderProgressed, contract.OrderStatusInProduction},
		"shipped":         {contract.OrderStatusPlaced, fabricator.Progress{Status: fabricator.Shipped, Tracking: parcel, Order: one}, contract.OrderShipped, contract.OrderStatusShipped},
		"no number yet":   {contract.OrderStatusInProduction, fabricator.Progress{Status: fabricator.Shipped, Order: one}, contract.OrderProgressed, contract.OrderStatusInProduction},
		"back to review":  {contract.OrderStatusInProduction, fabricator.Progress{Status: fabricator.InReview, Order: one}, "", contract.OrderStatusInProduction},
		"cancelled":       {contract.OrderStatusInProduction, fabricator.Progress{Status: fabricator.Cancelled, Why: "no"}, contract.OrderHeld, contract.OrderStatusHeld},
		"two of them":     {contract.OrderStatusPlaced, fabricator.Progress{Status: fabricator.InReview, Order: fabricator.Placed{Orders: 2}}, contract.OrderHeld, contract.OrderStatusHeld},
		"held, cancelled": {contract.OrderStatusHeld, fabricator.Progress{Status: fabricator.Cancelled}, "", contract.OrderStatusHeld},
		"shipped before":  {contract.OrderStatusShipped, fabricator.Progress{Status: fabricator.InProgress, Order: one}, "", contract.OrderStatusShipped},
	} {
		o, event := order.Advance(orderAt(tt.from, 1), tt.says, now)
		if event != tt.want || o.Status != tt.to {
			t.Errorf("Advance(%s) = %s, %q; want %s, %q", name, o.Status, event, tt.to, tt.want)
		}
		for _, s := range o.Steps {
			if strings.ContainsRune(s.Name, '\u202e') {
				t.Errorf("Advance(%s): step %q", name, s.Name)
			}
		}
	}
}

// TestParcelWithoutNumber: its number is waited for, but not for ever.
func TestParcelWithoutNumber(t *testing.T) {
	t.Parallel()
	says := fabricator.Progress{Status: fabricator.Shipped, Order: fabricator.Placed{Orders: 1}}
	o, _ := order.Advance(orderAt(contract.OrderStatusInProduction, 1), says, now)
	if next, event := order.Advance(o, says, now.Add(time.Hour)); event != "" || next.Status != contract.OrderStatusInProduction {
		t.Errorf("after an hour: %s, %q", next.Status, event)
	}
	if next, event := order.Advance(o, says, now.Add(25*time.Hour)); event != contract.OrderShipped || next.Tracking != nil {
		t.Errorf("after a day: %s, %q", next.Status, event)
	}
	says.Tracking = &fabricator.Tracking{Number: "1"}
	if next, event := order.Advance(o, says, now.Add(time.Hour)); event != contract.OrderShipped || next.Tracking.Number != "1" {
		t.Errorf("with a number: %s, %q", next.Status, event)
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	type st = contract.OrderStatus
	const (
		paidNow, placing, placed, held, making, gone = contract.OrderStatusPaid, contract.OrderStatusPlacing, contract.OrderStatusPlaced,
			contract.OrderStatusHeld, contract.OrderStatusInProduction, contract.OrderStatusShipped
	)
	parcel := &contract.Tracking{Number: "2"}
	for _, tt := range []struct {
		from, to st
		tracking *contract.Tracking
		want     contract.EventName // empty: refused
	}{
		{held, paidNow, nil, contract.OrderPaid}, {held, placed, nil, contract.OrderPlaced}, {held, gone, parcel, contract.OrderShipped},
		{held, held, nil, ""}, {paidNow, held, nil, contract.OrderHeld}, {placing, held, nil, ""}, {placing, placed, nil, ""},
		{placed, held, nil, contract.OrderHeld}, {placed, making, nil, contract.OrderInProduction}, {making, placed, nil, ""},
		{making, gone, nil, contract.OrderShipped}, {gone, gone, parcel, contract.OrderShipped}, {gone, gone, nil, ""}, {gone, held, nil, ""},
		{placed, paidNow, nil, ""}, {placed, "nonsense", nil, ""}, {paidNow, gone, parcel, contract.OrderShipped},
	} {
		o, event, err := order.Report(orderAt(tt.from, 1), contract.ReportOrderData{Operator: "grace", Status: tt.to, Tracking: tt.tracking, Note: "n\no"}, now)
		if event != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("Report(%s, %s) = %q, %v; want %q", tt.from, tt.to, event, err, tt.want)
			continue
		}
		if err == nil && (o.Status != tt.to || o.Report.Operator != "grace" || o.Report.Note != "n o") {
			t.Errorf("Report(%s, %s) = %s, %+v", tt.from, tt.to, o.Status, o.Report)
		}
		if tt.tracking != nil && o.Tracking != tt.tracking {
			t.Errorf("Report(%s, %s): tracking %+v", tt.from, tt.to, o.Tracking)
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
			t.Errorf("HoldReason(%s) = %q", kind, got)
		}
	}
	if got := order.HoldReason(errors.New("other")); got != "" {
		t.Errorf("HoldReason(other) = %q", got)
	}
}

// The fabricator's engineers read the customer's own words, and what the customer
// has seen of the findings, within what the fabricator takes.
func TestRequestCarriesRemarks(t *testing.T) {
	t.Parallel()
	notes := "mind\nthe gap " + strings.Repeat("x", 20)
	for name, tt := range map[string]struct {
		change func(*contract.Checkout)
		want   string
	}{
		"nothing": {func(*contract.Checkout) {}, ""},
		"notes":   {func(c *contract.Checkout) { c.Sold.Asked.SpecialNotes = &notes }, "Customer's notes: mind the gap xxx"},
		"findings": {func(c *contract.Checkout) {
			c.Acknowledged = &contract.Acknowledgement{Findings: []contract.Finding{{Check: "drill_missing"}, {Check: "ring"}, {Check: "ring"}}}
		}, "has seen these findings and wants the board built as designed: drill_missing, ring"},
		"parts in place of others": {func(c *contract.Checkout) {
			c.Acknowledged = &contract.Acknowledgement{Findings: []contract.Finding{{Check: contract.CheckSubstitution}}}
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
	c.Sold.Asked.SpecialNotes = &long
	o, _ := order.New(c)
	if r, _ := order.Request(o, "key"); len([]rune(r.Remark)) > 450 {
		t.Errorf("a remark of %d characters", len([]rune(r.Remark)))
	}
}
