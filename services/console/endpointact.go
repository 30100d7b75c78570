package console

import (
	"context"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/webhooks"
	"boardorder/pkg/flow"
)

// endpointActs is what the trail calls the commands of members about webhook endpoints.
var endpointActs = map[string]string{
	webhooks.Create.Verb: "made a webhook endpoint", webhooks.Change.Verb: "changed a webhook endpoint", webhooks.Delete.Verb: "deleted a webhook endpoint",
	webhooks.Rotate.Verb: "rotated a webhook endpoint's secret", webhooks.Test.Verb: "had a test event sent", webhooks.Resend.Verb: "had events sent again",
}

// noteEndpointAct records what a member asks the webhooks service for, of whose outcome the
// endpoint's own history tells.
func (m *Members) noteEndpointAct(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[accounts.NoteEndpointActData](c)
	if err != nil {
		return err
	}
	act, known := endpointActs[data.Verb]
	if !known {
		return flow.Permanent(fmt.Errorf("members ask for no %s", data.Verb))
	}
	now, err := aggregate.At[accounts.Account](m.events, contract.AccountAggregate, data.Account).Load(ctx)
	if err != nil {
		return err
	}
	member, known := now.State.Member(data.Member)
	if !known || !member.Role.May(accounts.ManageWebhooks) {
		return flow.Permanent(fmt.Errorf("account %s has no such member, or not with this right", data.Account))
	}
	return m.trail.record(ctx, c.ID, audits.Record{
		Action: act, Kind: "webhook endpoint", ID: data.Endpoint, Operator: memberName(member), Account: data.Account, From: data.From, Outcome: "asked",
	})
}
