package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/flow"
	"boardorder/services/notify/internal/email"
)

// signInEnvelope writes the e-mail with a code for the portal, in the language of the page on
// which it was asked for. One that was used or is too old goes to nobody, nor does one whose
// member was removed since.
func (s *Service) signInEnvelope(ctx context.Context, data emails.SendData) (envelope, error) {
	value, _, err := s.codes.Get(ctx, data.Item)
	if errors.Is(err, bus.ErrNoKey) {
		return envelope{}, errNotDue
	}
	var c accounts.SignInCode
	if err == nil {
		err = json.Unmarshal(value, &c)
	}
	if err != nil {
		return envelope{}, fmt.Errorf("sign-in code: %w", err)
	}
	account, err := state[accounts.Account](ctx, s, contract.AccountAggregate, data.About)
	if err != nil {
		return envelope{}, err
	}
	m, known := account.Member(accounts.MemberID(account.ID, c.Email))
	if !known || !c.IsLive(s.now()) {
		return envelope{}, errNotDue
	}
	code, ok := s.secrets.CodeOf(c.Hash, data.Item, c.Nonce)
	if !ok {
		return envelope{}, flow.Permanent(fmt.Errorf("sign-in code %s: its master key is gone", data.Item))
	}
	l, err := s.emails.Translate(c.Language).SignInCode(email.SignInCode{Account: account.Name, Code: code, Minutes: int(accounts.SignInCodeTTL.Minutes())})
	return envelope{l, m.Email, "", ""}, err
}

// memberEnvelope writes to a new member how to sign in, in English, as accounts are written to.
func (s *Service) memberEnvelope(ctx context.Context, data emails.SendData) (envelope, error) {
	account, err := state[accounts.Account](ctx, s, contract.AccountAggregate, data.About)
	if err != nil {
		return envelope{}, err
	}
	m, known := account.Member(data.Item)
	if !known {
		return envelope{}, errNotDue
	}
	l, err := s.emails.MemberAdded(email.MemberAdded{Account: account.Name, By: m.AddedBy, Role: string(m.Role), URL: s.cfg.PublicURL + "/portal"})
	return envelope{l, m.Email, "", ""}, err
}
