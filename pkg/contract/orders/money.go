package orders

import "boardorder/pkg/contract/prices"

// The states of a dispute: [Dispute.Status].
const (
	DisputeOpen = "open" // the bank has not decided; it has taken the money meanwhile
	DisputeWon  = "won"  // the money is ours
	DisputeLost = "lost" // the money went back to the customer
)

// IsDisputed tells whether the customer's bank disputes the payment and has not decided.
func (o Order) IsDisputed() bool { return o.Dispute != nil && o.Dispute.Status == DisputeOpen }

// CentsInDispute is how much of the payment lies with the customer's bank, or went back by it.
func (o Order) CentsInDispute() int64 {
	if o.Dispute == nil || o.Dispute.Status == DisputeWon {
		return 0
	}
	return o.Dispute.Cents
}

// RefundableCents is how much of the payment can still go back: what neither went back, is
// going back, nor lies with the customer's bank.
func (o Order) RefundableCents() int64 {
	left := o.Payment.Cents - o.CentsInDispute()
	for _, r := range o.Refunds {
		if r.Status != RefundFailed {
			left -= r.Cents
		}
	}
	return max(0, left)
}

// RefundableCharge is RefundableCents in the currency that the card was charged in; nil where
// that is the order's own.
func (o Order) RefundableCharge() *prices.Charged {
	if o.Payment.Charged == nil {
		return nil
	}
	left := o.Payment.Charged.Charged
	for _, r := range o.Refunds {
		if r.Status != RefundFailed && r.Charged != nil {
			left.Minor -= r.Charged.Minor
		}
	}
	if d := o.Dispute; d != nil && d.Status != DisputeWon && d.Charged != nil {
		left.Minor -= d.Charged.Minor
	}
	left.Minor = max(0, left.Minor)
	return &left
}

// CardShare is what goes back to the card of a refund of so many cents; nil where the card was
// charged in the order's own currency.
func (o Order) CardShare(cents int64) *prices.Charged {
	left := o.RefundableCharge()
	if left == nil {
		return nil
	}
	share := left.Share(cents, o.RefundableCents())
	return &share
}

// IsGivenAgain tells whether as much as the refund at a place of Refunds, which failed, was given
// back since, or is about to be.
func (o Order) IsGivenAgain(failed int) bool {
	left := o.Refunds[failed].Cents
	for _, r := range o.Refunds[failed+1:] {
		if r.Status != RefundFailed {
			left -= r.Cents
		}
	}
	return left <= 0
}

// RefundsToRepeat are the refunds that failed and were not given again.
func (o Order) RefundsToRepeat() (out []Refund) {
	for i, r := range o.Refunds {
		if r.Status == RefundFailed && !o.IsGivenAgain(i) {
			out = append(out, r)
		}
	}
	return out
}
