package order

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
)

// RecordScreening is the order once its recipient was looked for on sanctions lists.
func RecordScreening(o orders.Order, hit bool, reference string, at time.Time) orders.Order {
	o.Screened = &orders.Screening{At: at.UTC(), Reference: reference, Hit: hit}
	return o
}

// asking is how long a recipient is asked about in vain before people look.
const asking = 5 * time.Minute

// RecordNoAnswer is the order after a question without an answer: one that is asked
// about again, at first, and the team's when that goes on for too long.
func RecordNoAnswer(o orders.Order, now time.Time) orders.Order {
	now = now.UTC()
	switch {
	case o.Screened == nil:
		o.Screened = &orders.Screening{At: now, Waiting: true}
	case now.Sub(o.Screened.At) >= asking:
		o.Screened = &orders.Screening{At: now, Failed: true}
	}
	return o
}

// NeedsScreening tells whether an order's recipient is to be asked about.
func NeedsScreening(o orders.Order) bool {
	return !contract.IsTest(o.Account) && (o.Screened == nil || o.Screened.Waiting)
}

// ScreeningReason says why an order stands still for what screening gave; empty where
// it goes on. What an operator said of the order before it was screened, such as
// for another reason that it was held for, releases nothing.
func ScreeningReason(o orders.Order) string {
	sc := o.Screened
	switch {
	case sc == nil, !sc.Hit && !sc.Failed, o.Report != nil && o.Report.At.After(sc.At):
		return ""
	case sc.Failed:
		return "could not be screened: whether the recipient is on a sanctions list is to be looked at before it goes on"
	}
	return "the recipient may be on a sanctions list, screening " + sc.Reference + ": to be looked at before it goes on"
}
