package notify

import (
	"context"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/webhooks"
	"boardorder/services/notify/internal/email"
)

// endpointEnvelope writes to an account that nothing is sent to an endpoint of its any more. One that
// was enabled meanwhile needs no letter.
func (s *Service) endpointEnvelope(ctx context.Context, data emails.SendData) (envelope, error) {
	e, err := state[webhooks.Endpoint](ctx, s, contract.WebhookEndpointAggregate, data.About)
	if err != nil {
		return envelope{}, err
	}
	if e.Status != webhooks.Disabled || e.Disabled == nil {
		return envelope{}, errNotDue
	}
	owner, err := state[accounts.Account](ctx, s, contract.AccountAggregate, contract.AccountOf(e.Account))
	if err != nil {
		return envelope{}, err
	}
	l, err := s.emails.EndpointDisabled(email.EndpointDisabled{
		Name: owner.Name, Endpoint: e.ID, URL: e.URL, Gone: e.Disabled.Reason == webhooks.Gone, Stopped: e.Disabled.Reason == webhooks.Stopped, Since: e.Disabled.FailingSince, At: e.Disabled.At, Reference: s.cfg.PublicURL + "/docs",
	})
	return envelope{l, owner.Email, owner.Name, e.Account}, err
}
