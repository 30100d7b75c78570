package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/services/console/internal/plain"
)

// moves is where an operator can send an order. The payment service has the
// last word; this is what is worth offering.
func moves(o contract.Order) []contract.OrderStatus {
	const (
		held, paid, placed    = contract.OrderStatusHeld, contract.OrderStatusPaid, contract.OrderStatusPlaced
		inProduction, shipped = contract.OrderStatusInProduction, contract.OrderStatusShipped
	)
	switch o.Status {
	case held:
		if o.Terms == nil || o.ByHand { // there is nothing to ask the fabricator for
			return []contract.OrderStatus{placed, inProduction, shipped}
		}
		return []contract.OrderStatus{paid, placed, inProduction, shipped}
	case paid:
		return []contract.OrderStatus{held, placed, inProduction, shipped}
	case placed:
		return []contract.OrderStatus{held, inProduction, shipped}
	case inProduction:
		return []contract.OrderStatus{held, shipped}
	case shipped:
		return []contract.OrderStatus{shipped}
	}
	return nil // being placed: its outcome is not known
}

// moveForm is the operator's word on an order, as it was filled in.
type moveForm struct {
	Request                            string
	Status, Note, Carrier, Number, URL field
}

func readMoveForm(r *http.Request) moveForm {
	get := func(name string, most int) field { return field{Value: plain.Line(r.PostFormValue(name), most)} }
	return moveForm{
		Request: r.PostFormValue("request"), Status: get("status", 40), Note: get("note", 500),
		Carrier: get("carrier", 60), Number: get("number", 80), URL: get("url", 500),
	}
}

// parse reads the form for an order that can go to one of the statuses.
func (f *moveForm) parse(allowed []contract.OrderStatus) (contract.ReportOrderData, bool) {
	ok := true
	bad := func(at *field, why string) { at.Problem, ok = why, false }
	data := contract.ReportOrderData{Status: contract.OrderStatus(f.Status.Value), Note: f.Note.Value}
	if !slices.Contains(allowed, data.Status) {
		bad(&f.Status, "Choose what becomes of the order.")
	}
	if data.Status == contract.OrderStatusHeld && data.Note == "" {
		bad(&f.Note, "Say why the order is held.")
	}
	if data.Status != contract.OrderStatusShipped {
		return data, ok
	}
	if f.Carrier.Value == "" {
		bad(&f.Carrier, "Say who carries it.")
	}
	if f.Number.Value == "" {
		bad(&f.Number, "Say how the parcel is found.")
	}
	if u, err := url.Parse(f.URL.Value); f.URL.Value != "" && (err != nil || u.Host == "" || !strings.HasPrefix(f.URL.Value, "https://")) {
		bad(&f.URL, "An address that begins with https://.")
	}
	data.Tracking = &contract.Tracking{Carrier: f.Carrier.Value, Number: f.Number.Value, URL: f.URL.Value}
	return data, ok
}

// Explain says what a move does.
func (orderView) Explain(to contract.OrderStatus) string {
	return map[contract.OrderStatus]string{
		contract.OrderStatusHeld:         "Hold it: nothing happens until someone looks",
		contract.OrderStatusPaid:         "Place it again with the fabricator",
		contract.OrderStatusPlaced:       "It was placed with the fabricator by hand",
		contract.OrderStatusInProduction: "It is being built",
		contract.OrderStatusShipped:      "It is on its way to the customer",
	}[to]
}
