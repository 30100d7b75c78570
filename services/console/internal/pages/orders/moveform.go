package orders

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/console/internal/page"
)

// moves is where an operator can send an order. The payment service has the
// last word; this is what is worth offering.
func moves(o orders.Order) []orders.Status {
	const (
		held, paid, placed    = orders.Held, orders.Paid, orders.Placed
		inProduction, shipped = orders.InProduction, orders.Shipped
	)
	switch o.Status {
	case held:
		if o.Terms == nil || o.ByHand { // there is nothing to ask the fabricator for
			return []orders.Status{placed, inProduction, shipped}
		}
		return []orders.Status{paid, placed, inProduction, shipped}
	case paid:
		return []orders.Status{held, placed, inProduction, shipped}
	case placed:
		return []orders.Status{held, inProduction, shipped}
	case inProduction:
		return []orders.Status{held, shipped}
	case shipped:
		return []orders.Status{shipped}
	}
	return nil // being placed: its outcome is not known
}

// moveForm is the operator's word on an order, as it was filled in.
type moveForm struct {
	Request                            string
	Status, Note, Carrier, Number, URL page.Field
}

func readMoveForm(r *http.Request) moveForm {
	get := func(name string, most int) page.Field {
		return page.Field{Value: untrusted.Line(r.PostFormValue(name), most)}
	}
	return moveForm{
		Request: r.PostFormValue("request"), Status: get("status", 40), Note: get("note", 500),
		Carrier: get("carrier", 60), Number: get("number", 80), URL: get("url", 500),
	}
}

// parse reads the form for an order that can go to one of the statuses.
func (f *moveForm) parse(allowed []orders.Status) (orders.ReportStatusData, bool) {
	ok := true
	bad := func(at *page.Field, why string) { at.Problem, ok = why, false }
	data := orders.ReportStatusData{Status: orders.Status(f.Status.Value), Note: f.Note.Value}
	if !slices.Contains(allowed, data.Status) {
		bad(&f.Status, "Choose the new status of the order.")
	}
	if data.Status == orders.Held && data.Note == "" {
		bad(&f.Note, "Enter why the order is held.")
	}
	if data.Status != orders.Shipped {
		return data, ok
	}
	if f.Carrier.Value == "" {
		bad(&f.Carrier, "Enter the carrier.")
	}
	if f.Number.Value == "" {
		bad(&f.Number, "Enter how the parcel can be tracked.")
	}
	if u, err := url.Parse(f.URL.Value); f.URL.Value != "" && (err != nil || u.Host == "" || !strings.HasPrefix(f.URL.Value, "https://")) {
		bad(&f.URL, "An address that begins with https://.")
	}
	data.Tracking = &shipments.Tracking{Carrier: f.Carrier.Value, Number: f.Number.Value, URL: f.URL.Value}
	return data, ok
}

// Explain says what a move does.
func (orderView) Explain(to orders.Status) string {
	return map[orders.Status]string{
		orders.Held:         "Hold it: nothing happens until someone looks",
		orders.Paid:         "Place it again with the fabricator",
		orders.Placed:       "It was placed with the fabricator by hand",
		orders.InProduction: "It is being built",
		orders.Shipped:      "It is on its way to the customer",
	}[to]
}
