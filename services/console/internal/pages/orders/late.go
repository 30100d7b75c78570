package orders

import (
	"time"

	"boardorder/pkg/contract/orders"
	"boardorder/services/console/internal/format"
)

// lateView is an order that is paid and waits for its fabricator.
type lateView struct {
	*orders.Postponement
	Age  string
	Soon string // when the next try is
}

// newLateView is nil where an order waits for nobody.
func newLateView(o orders.Order, now time.Time) *lateView {
	p := o.Postponed
	if p == nil || o.Status != orders.Paid && o.Status != orders.Placing {
		return nil
	}
	v := &lateView{Postponement: p, Age: format.Wait(now, p.Since), Soon: "at " + format.Time(p.Next) + " UTC"}
	if !now.Before(p.Next) { // once waits are long, not every try is written down
		v.Soon = "within " + format.Duration(time.Duration(p.EveryS)*time.Second)
	}
	return v
}
