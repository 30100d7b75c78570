package order

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
)

// events of moves.
var events = map[formal.Status]contract.EventName{
	formal.InReview: formal.EventInReview, formal.Cancelled: formal.EventCancelled,
	formal.InProduction: formal.EventInProduction, formal.Shipped: formal.EventShipped,
	formal.Delivered: formal.EventDelivered,
}

// Move carries out an operator's word.
func Move(o formal.Order, data formal.MoveData, at time.Time) (formal.Order, contract.EventName, error) {
	if r := refuseMove(o, data); r != nil {
		return o, "", r
	}
	event := formal.EventUpdated
	if data.Status != "" && data.Status != o.Status {
		event = events[data.Status]
		o.Status = data.Status
	}
	switch event {
	case formal.EventInReview: // what was offered is offered no more
		o.Quote = nil
	case formal.EventShipped:
		o.Dates.Shipped = &at
	case formal.EventDelivered:
		o.Dates.Delivered = &at
	}
	if data.EstimatedShip != "" {
		o.Dates.EstimatedShip = data.EstimatedShip
	}
	if data.Tracking != nil {
		o.Tracking = data.Tracking
	}
	return recordMoment(o, formal.Moment{What: event, At: at, By: data.Operator, Note: data.Note}), event, nil
}

func refuseMove(o formal.Order, data formal.MoveData) *contract.Refusal {
	ended := o.Status == formal.Cancelled
	switch {
	case data.Operator == "":
		return contract.Refuse(contract.InvalidRequest, "A change names the operator who makes it.")
	case data.From != "" && data.From != o.Status:
		return contract.Refuse(contract.Conflict, "This order was %s when you decided and is %s now. Look at it again.", words(data.From), words(o.Status))
	case data.Status != "" && data.Status != o.Status && !slices.Contains(o.Status.Next(), data.Status):
		return contract.Refuse(contract.Conflict, "An order that is %s cannot become %s.", words(o.Status), words(data.Status))
	case data.Status == "" && data.EstimatedShip == "" && data.Tracking == nil && data.Note == "":
		return contract.Refuse(contract.InvalidRequest, "Nothing was said.")
	case ended:
		return contract.Refuse(contract.Conflict, "This order is cancelled.")
	case data.Tracking != nil && (data.Tracking.Carrier == "" || data.Tracking.Number == ""):
		return contract.Refuse(contract.InvalidRequest, "A parcel has a carrier and a number.")
	case data.Status == formal.Shipped && data.Tracking == nil && o.Tracking == nil:
		return contract.Refuse(contract.InvalidRequest, "Say how the parcel can be followed.")
	}
	if _, err := time.Parse(time.DateOnly, data.EstimatedShip); data.EstimatedShip != "" && err != nil {
		return contract.Refuse(contract.InvalidRequest, "Write a date as 2006-01-02.")
	}
	return nil
}

// Review records what the team found. A submitted order is in review by that.
func Review(o formal.Order, data formal.RecordReviewData, at time.Time) (formal.Order, contract.EventName, error) {
	switch {
	case data.Operator == "":
		return o, "", contract.Refuse(contract.InvalidRequest, "A review names the operator who made it.")
	case len(data.Findings) > formal.MaxFindings:
		return o, "", contract.Refuse(contract.InvalidRequest, "A review has at most %d findings.", formal.MaxFindings)
	case o.Status == formal.Cancelled:
		return o, "", contract.Refuse(contract.Conflict, "This order is cancelled.")
	}
	for _, f := range data.Findings {
		if !slices.Contains([]string{"must_fix", "warning", "note"}, f.Level) || f.What == "" {
			return o, "", contract.Refuse(contract.InvalidRequest, "A finding has a level and says what.")
		}
	}
	if o.Status == formal.Submitted {
		o.Status = formal.InReview
	}
	findings := slices.Clone(data.Findings)
	if findings == nil {
		findings = []formal.Finding{}
	}
	slices.SortStableFunc(findings, func(a, b formal.Finding) int { return severity(b) - severity(a) })
	o.Review = &formal.Review{Operator: data.Operator, Findings: findings, Note: data.Note, At: at}
	return recordMoment(o, formal.Moment{What: formal.EventReviewed, At: at, By: data.Operator}), formal.EventReviewed, nil
}

func severity(f formal.Finding) int {
	return map[string]int{"must_fix": 2, "warning": 1}[f.Level]
}
