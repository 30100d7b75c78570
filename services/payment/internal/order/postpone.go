package order

import (
	"time"

	"boardorder/pkg/contract/orders"
)

// Postpone is the order when its fabricator could not be asked and is asked again after a wait.
// An order may wait for days: it changes while waits grow, and then once an hour.
func Postpone(o orders.Order, why string, wait time.Duration, now time.Time) (next orders.Order, changed bool) {
	p := orders.Postponement{Since: now.UTC(), Next: now.Add(wait).UTC(), EveryS: int(wait.Seconds()), Why: plain(why)}
	if old := o.Postponed; old != nil {
		if old.EveryS == p.EveryS && now.Before(old.Next.Add(time.Hour)) {
			return o, false
		}
		p.Since = old.Since
	}
	o.Postponed = &p
	return o, true
}
