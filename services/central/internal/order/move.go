package order

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
)

// events of moves.
var events = map[contract.CentralStatus]contract.EventName{
	contract.CentralStatusInReview: contract.CentralInReview, contract.CentralStatusCancelled: contract.CentralCancelled,
	contract.CentralStatusInProduction: contract.CentralInProduction, contract.CentralStatusShipped: contract.CentralShipped,
	contract.CentralStatusDelivered: contract.CentralDelivered,
}

// Move carries out an operator's word.
func Move(o contract.CentralOrder, data contract.MoveCentralData, at time.Time) (contract.CentralOrder, contract.EventName, error) {
	if r := refuseMove(o, data); r != nil {
		return o, "", r
	}
	event := contract.CentralUpdated
	if data.Status != "" && data.Status != o.Status {
		event = events[data.Status]
		o.Status = data.Status
	}
	switch event {
	case contract.CentralInReview: // what was offered is offered no more
		o.Quote = nil
	case contract.CentralShipped:
		o.Dates.Shipped = &at
	case contract.CentralDelivered:
		o.Dates.Delivered = &at
	}
	if data.EstimatedShip != "" {
		o.Dates.EstimatedShip = data.EstimatedShip
	}
	if data.Tracking != nil {
		o.Tracking = data.Tracking
	}
	return recordMoment(o, contract.CentralMoment{What: event, At: at, By: data.Operator, Note: data.Note}), event, nil
}

func refuseMove(o contract.CentralOrder, data contract.MoveCentralData) *contract.Refusal {
	ended := o.Status == contract.CentralStatusCancelled
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
	case data.Status == contract.CentralStatusShipped && data.Tracking == nil && o.Tracking == nil:
		return contract.Refuse(contract.InvalidRequest, "Say how the parcel can be followed.")
	}
	if _, err := time.Parse(time.DateOnly, data.EstimatedShip); data.EstimatedShip != "" && err != nil {
		return contract.Refuse(contract.InvalidRequest, "A date is written as 2006-01-02.")
	}
	return nil
}

// Review records what the team found. A submitted order is in review by that.
func Review(o contract.CentralOrder, data contract.ReviewCentralData, at time.Time) (contract.CentralOrder, contract.EventName, error) {
	switch {
	case data.Operator == "":
		return o, "", contract.Refuse(contract.InvalidRequest, "A review names the operator who made it.")
	case len(data.Findings) > contract.MaxCentralFindings:
		return o, "", contract.Refuse(contract.InvalidRequest, "A review has at most %d findings.", contract.MaxCentralFindings)
	case o.Status == contract.CentralStatusCancelled:
		return o, "", contract.Refuse(contract.Conflict, "This order is cancelled.")
	}
	for _, f := range data.Findings {
		if !slices.Contains([]string{"must_fix", "warning", "note"}, f.Level) || f.What == "" {
			return o, "", contract.Refuse(contract.InvalidRequest, "A finding has a level and says what.")
		}
	}
	if o.Status == contract.CentralStatusSubmitted {
		o.Status = contract.CentralStatusInReview
	}
	findings := slices.Clone(data.Findings)
	if findings == nil {
		findings = []contract.CentralFinding{}
	}
	slices.SortStableFunc(findings, func(a, b contract.CentralFinding) int { return severity(b) - severity(a) })
	o.Review = &contract.CentralReview{Operator: data.Operator, Findings: findings, Note: data.Note, At: at}
	return recordMoment(o, contract.CentralMoment{What: contract.CentralReviewed, At: at, By: data.Operator}), contract.CentralReviewed, nil
}

func severity(f contract.CentralFinding) int {
	return map[string]int{"must_fix": 2, "warning": 1}[f.Level]
}
