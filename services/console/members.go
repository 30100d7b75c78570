package console

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"
)

// Members carries out what members of accounts ask for in the portal.
type Members struct {
	events aggregate.Core
	docs   projection.Store
	trail  *Trail
	now    func() time.Time
}

// NewMembers makes it. The projection only says where an address may be a member.
func NewMembers(events aggregate.Core, docs projection.Store, now func() time.Time) *Members {
	return &Members{events, docs, NewTrail(events, now), now}
}

// Handlers are the commands of members.
func (m *Members) Handlers() flow.Handlers {
	return flow.Handlers{
		accounts.SendSignInCode:  m.sendSignInCode,
		accounts.ChangeOwnKey:    m.changeKey,
		accounts.SetOwnDetails:   m.setDetails,
		accounts.CreateOwnKey:    m.createKey,
		accounts.RevokeOwnKey:    m.revokeKey,
		accounts.NoteEndpointAct: m.noteEndpointAct,
		accounts.AddMember:       m.add,
		accounts.SetRole:         m.setRole,
		accounts.RemoveMember:    m.remove,
		accounts.EndMember:       m.end,
	}
}

// maxMemberships bounds in how many accounts an address is looked for.
const maxMemberships = 50

// sendSignInCode sends the e-mail with a code where the address is a member's. Delivered again,
// it sends the same e-mail, which goes out once.
func (m *Members) sendSignInCode(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.SendSignInCodeData](c)
	if err != nil {
		return err
	}
	docs, _, err := m.docs.List(ctx, accounts.MembershipDocumentKind, accounts.MembershipKey, contract.PersonRef(data.Email), projection.Page{Limit: maxMemberships})
	if err != nil {
		return fmt.Errorf("accounts of an address: %w", err)
	}
	for _, doc := range docs {
		var known accounts.Membership
		if err := json.Unmarshal(doc.Body, &known); err != nil {
			return fmt.Errorf("accounts of an address: %w", err)
		}
		now, err := aggregate.At[accounts.Account](m.events, contract.AccountAggregate, known.Account).Load(ctx)
		if err != nil {
			return err
		}
		if _, ok := now.State.Member(known.Member); !ok {
			continue
		}
		email, err := c.Follow(emails.Send, data.Code, m.now(), emails.SendData{
			Kind: emails.SignInCode, About: known.Account, Item: data.Code, ID: contract.DeriveID("email", string(emails.SignInCode), data.Code),
		})
		if err != nil {
			return err
		}
		return m.events.Send(ctx, email) // of several accounts one letter is enough: the code opens all
	}
	return nil
}
