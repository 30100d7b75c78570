package notify

import (
	"context"
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/notify/internal/email"
)

// uploadEnvelope writes to whose files were declared ITAR-controlled and not deleted by
// that. Who declared is not said.
func (s *Service) uploadEnvelope(ctx context.Context, data emails.SendData) (envelope, error) {
	u, err := state[uploads.Upload](ctx, s, contract.UploadAggregate, data.About)
	if err != nil {
		return envelope{}, err
	}
	if !slices.Contains(u.DeclaredBy, data.Item) {
		return envelope{}, errNotDue
	}
	owner, err := state[accounts.Account](ctx, s, contract.AccountAggregate, contract.AccountOf(u.Account))
	if err != nil {
		return envelope{}, err
	}
	names := make([]string, len(u.Received))
	for i, f := range u.Received {
		names[i] = f.Name
	}
	l, err := s.emails.WriteDeclared(email.Declared{Name: owner.Name, Sent: u.CreatedAt, Files: names, Own: data.Item == u.Account})
	return envelope{l, owner.Email, owner.Name, u.Account}, err
}
