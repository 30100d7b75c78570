package customer

import (
	"time"

	"boardorder/pkg/contract/orders"
)

// Refund is money that goes back of an order's payment, as replies show it.
type Refund struct {
	Cents  int64     `json:"cents"`
	Status string    `json:"status"` // on_its_way, done
	At     time.Time `json:"at"`
	Why    string    `json:"why,omitempty"`
}

// Refunds are those of an order that have not failed, oldest first.
func Refunds(o orders.Order) []Refund {
	var out []Refund
	for _, r := range o.Refunds {
		if r.Status == orders.RefundFailed {
			continue
		}
		status := "on_its_way"
		if r.Status == orders.RefundDone {
			status = "done"
		}
		out = append(out, Refund{Cents: r.Cents, Status: status, At: r.At.UTC().Truncate(time.Millisecond), Why: r.Why})
	}
	return out
}

// SumRefunds is how much of an order's payment went back or is on its way, in cents.
func SumRefunds(o orders.Order) int64 {
	sum := int64(0)
	for _, r := range Refunds(o) {
		sum += r.Cents
	}
	return sum
}
