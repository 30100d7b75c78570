package format

import "boardorder/pkg/contract/orders"

// Refund says how far a refund is: no more than the card processor has said.
func Refund(status orders.RefundStatus) string {
	switch status {
	case orders.RefundBegun:
		return "not yet taken by the card processor"
	case orders.RefundPending:
		return "with the card processor, not confirmed yet"
	case orders.RefundDone:
		return "confirmed by the card processor"
	case orders.RefundFailed:
		return "failed: the customer has not got it"
	}
	return Words(status)
}
