package stripe

import (
	"context"
	"strings"

	"boardorder/pkg/card"

	stripe "github.com/stripe/stripe-go/v85"
)

// ForgetCustomer implements card.Processor.
func (p *Processor) ForgetCustomer(ctx context.Context, id string) error {
	const doing = "forget customer"
	if !strings.HasPrefix(id, "cus_") {
		return badRequest(doing, "not a customer's id")
	}
	_, err := call(ctx, p, doing, writes, func(ctx context.Context) (bool, error) {
		got, err := p.client.V1Customers.Delete(ctx, id, &stripe.CustomerDeleteParams{})
		if err != nil {
			return false, err
		}
		if got.ID != id || !got.Deleted {
			return false, implausible("the customer was not deleted")
		}
		return true, nil
	})
	if card.IsCode(err, card.CodeNotFound) {
		return nil
	}
	return err
}
