package bus

import (
	"context"
	"errors"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go/jetstream"
)

var _ aggregate.Core = (*Bus)(nil)

// Last implements aggregate.Log. The stream's leader answers, so it sees every
// append that was acknowledged before; streams do not allow direct gets, which
// any follower would answer with what it has by then.
//
// A leader that was cut off may answer for some seconds more with what it knew.
// Nothing final follows from that: a commit, an acknowledgement and a dead letter
// all need the majority.
func (b *Bus) Last(ctx context.Context, a contract.Aggregate, id string) (contract.Event, error) {
	if !contract.ValidToken(id) {
		return contract.Event{}, fmt.Errorf("aggregate id %q is no subject token", id)
	}
	msg, err := b.lastOn(ctx, contract.EventStream(a), id, contract.EventSubject(a, id))
	if errors.Is(err, aggregate.ErrNone) {
		return contract.Event{}, err
	}
	if err != nil {
		return contract.Event{}, fmt.Errorf("read last event of %s %s: %w", a, id, err)
	}
	e, err := decodeEvent(msg.Subject, msg.Header, msg.Data, msg.Sequence)
	e.StoredAt = msg.Time
	return e, err
}

// lastOn gives the last message on a subject of a stream, or aggregate.ErrNone.
// id decides the partition.
func (b *Bus) lastOn(ctx context.Context, stream, id, subject string) (*jetstream.RawStreamMsg, error) {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	s, _, err := b.layout.holding(stream, id)
	if err != nil {
		return nil, err
	}
	msg, err := s.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, aggregate.ErrNone
	}
	return msg, err
}
