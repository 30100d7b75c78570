package checkout

import "boardorder/pkg/contract"

// RefuseUnavailable refuses a payment while the processor cannot be reached.
func RefuseUnavailable(message string) *contract.Refusal {
	r := contract.Refuse(contract.PaymentUnavailable, "%s", message)
	r.RetryAfterS = 30
	return r
}
