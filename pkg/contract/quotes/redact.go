package quotes

import (
	"time"

	"boardorder/pkg/contract/shipments"
)

// Redact is the quote without what names or tells of its customer. It cannot
// be paid any more; amounts, taxes and the board stay.
func (q Quote) Redact(at time.Time) Quote {
	if q.Request.ShipTo != nil {
		to := q.Request.ShipTo.Redact()
		q.Request.ShipTo = &to
	}
	q.Request.SpecialNotes, q.Request.ProjectName, q.Request.BoardContext = nil, nil, nil
	if q.Delivery != nil {
		q.Delivery = &shipments.Delivery{ShipTo: q.Delivery.ShipTo.Redact(), ShippingID: q.Delivery.ShippingID, BuildHours: q.Delivery.BuildHours}
	}
	if n := len(q.Reply.Notes); q.TeamNote != "" && n > 0 {
		q.Reply.Notes = q.Reply.Notes[:n-1]
	}
	// Terms and pricing name the town that was priced for.
	q.TeamNote, q.Team, q.Terms, q.Pricing, q.Estimate = "", nil, nil, nil, nil
	q.Review = q.Review.dropWords()
	q.redactApprovals()
	if q.ExpiresAt.After(at) {
		q.ExpiresAt = at
	}
	return q
}
