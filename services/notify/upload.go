package notify

import (
	"context"
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/letters"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/notify/internal/letter"
)

// uploadPage writes to whose files were declared ITAR-controlled and not deleted by
// that. Who declared is not said.
func (s *Service) uploadPage(ctx context.Context, data letters.SendData) (page, error) {
	u, err := state[uploads.Upload](ctx, s, contract.UploadAggregate, data.About)
	if err != nil {
		return page{}, err
	}
	if !slices.Contains(u.DeclaredBy, data.Item) {
		return page{}, errNotDue
	}
	owner, err := state[accounts.Account](ctx, s, contract.AccountAggregate, contract.AccountOf(u.Account))
	if err != nil {
		return page{}, err
	}
	names := make([]string, len(u.Received))
	for i, f := range u.Received {
		names[i] = f.Name
	}
	l, err := s.letters.WriteDeclared(letter.Declared{Name: owner.Name, Sent: u.CreatedAt, Files: names, Own: data.Item == u.Account})
	return page{l, owner.Email, owner.Name, u.Account}, err
}
