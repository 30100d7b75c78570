package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var _ aggregate.Core = (*Bus)(nil)

// publishTimeout bounds one publish or load whose caller set no deadline.
const publishTimeout = 5 * time.Second

// Last implements aggregate.Log by one direct get.
func (b *Bus) Last(ctx context.Context, a contract.Aggregate, id string) (contract.Event, error) {
	if !contract.ValidToken(id) {
		return contract.Event{}, fmt.Errorf("aggregate id %q is no subject token", id)
	}
	msg, seq, err := b.lastOn(ctx, contract.EventStream(a), contract.EventFilter(a, id))
	if errors.Is(err, aggregate.ErrNone) {
		return contract.Event{}, err
	}
	if err != nil {
		return contract.Event{}, fmt.Errorf("read last event of %s %s: %w", a, id, err)
	}
	return decodeEvent(msg.Header.Get("Nats-Subject"), msg.Header, msg.Data, seq)
}

// lastOn gives the last message of a stream that matches the filter, or
// aggregate.ErrNone.
func (b *Bus) lastOn(ctx context.Context, stream, filter string) (*nats.Msg, uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	ask := fmt.Appendf(nil, `{"last_by_subj":%q}`, filter)
	msg, err := b.nc.RequestWithContext(ctx, "$JS.API.DIRECT.GET."+stream, ask)
	if err != nil {
		return nil, 0, err
	}
	switch status := msg.Header.Get("Status"); status {
	case "":
	case "404":
		return nil, 0, aggregate.ErrNone
	default:
		return nil, 0, fmt.Errorf("%s %s", status, msg.Header.Get("Description"))
	}
	seq, err := strconv.ParseUint(msg.Header.Get("Nats-Sequence"), 10, 64)
	return msg, seq, err
}

// Append implements aggregate.Log: the publish is the commit. If the answer is
// a conflict or is lost, the last event tells: one replica and three answer a
// repeated guarded publish differently.
func (b *Bus) Append(ctx context.Context, e contract.Event, after uint64) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	start := b.now()
	ack, err := b.js.PublishMsg(ctx, b.eventMsg(ctx, e, after))
	b.metrics.published(e.Type(), b.now().Sub(start), err)
	if err == nil {
		return ack.Sequence, nil
	}
	return b.settle(context.WithoutCancel(ctx), e, err)
}

func (b *Bus) settle(ctx context.Context, e contract.Event, publishErr error) (uint64, error) {
	last, err := b.Last(ctx, e.Aggregate, e.AggregateID)
	switch {
	case err == nil && last.ID == e.ID:
		return last.Seq, nil
	case isConflict(publishErr):
		return 0, aggregate.ErrConflict
	case err != nil && !errors.Is(err, aggregate.ErrNone):
		return 0, fmt.Errorf("publish: %w; then %w", publishErr, err)
	default:
		return 0, fmt.Errorf("publish: %w", publishErr)
	}
}

// Both codes mean "wrong last sequence"; which one depends on the replicas.
func isConflict(err error) bool {
	api, ok := errors.AsType[*jetstream.APIError](err)
	return ok && (api.ErrorCode == 10071 || api.ErrorCode == 10164)
}

// Send implements aggregate.Sender.
func (b *Bus) Send(ctx context.Context, c contract.Command) error {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	msg := b.commandMsg(ctx, c.Name.Subject(), c)
	set(msg.Header, nats.MsgIdHdr, c.ID)
	start := b.now()
	_, err := b.js.PublishMsg(ctx, msg)
	b.metrics.published("command."+c.Name.String(), b.now().Sub(start), err)
	if err != nil {
		return fmt.Errorf("send %s: %w", c.Name, err)
	}
	return nil
}
