package bus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Find implements aggregate.History. It reads the headers of a whole stream.
func (b *Bus) Find(ctx context.Context, a contract.Aggregate, is func(contract.Event) bool) ([]string, error) {
	ids := map[string]bool{}
	for part, s := range b.layout.partsOf(contract.EventStream(a)) {
		err := b.readStored(ctx, s, true, func(m jetstream.Msg, _ uint64) error {
			if h, err := headline(m, part); err == nil && is(h.Event) { // what is no event of ours holds no data of ours
				ids[h.AggregateID] = true
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("find %s: %w", a, err)
		}
	}
	return slices.Sorted(maps.Keys(ids)), nil
}

// maxHistory is more events than any stream keeps of one aggregate.
const maxHistory = 1000

// RequestsOf implements aggregate.History.
func (b *Bus) RequestsOf(ctx context.Context, a contract.Aggregate, id string) ([]string, error) {
	events, err := b.History(ctx, a, id, 0, maxHistory)
	if err != nil {
		return nil, err
	}
	var requests []string
	for _, e := range events {
		if e.Operation != "" && !slices.Contains(requests, e.Operation) {
			requests = append(requests, e.Operation)
		}
	}
	return requests, nil
}

// PurgeHistory implements aggregate.History. The broker overwrites each event
// on its disk, which a purge of the subject would not. The stream's leader says
// what there is: a replica that is behind would leave something over.
func (b *Bus) PurgeHistory(ctx context.Context, a contract.Aggregate, id string) error {
	last, err := b.Last(ctx, a, id)
	if errors.Is(err, aggregate.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	s, _, err := b.layout.holding(contract.EventStream(a), id)
	if err != nil {
		return err
	}
	for more := true; more && err == nil; {
		more, err = b.overwriteOldest(ctx, s, contract.EventSubject(a, id), last.Seq)
	}
	return err
}

// overwriteOldest overwrites the oldest message of a subject that lies before a
// sequence, and reports whether there was one.
func (b *Bus) overwriteOldest(ctx context.Context, s jetstream.Stream, subject string, before uint64) (bool, error) {
	oldest, err := b.messageAt(ctx, s, 1, jetstream.WithGetMsgSubject(subject))
	if errors.Is(err, jetstream.ErrMsgNotFound) || err == nil && oldest.Sequence >= before {
		return false, nil
	}
	if err == nil {
		err = b.overwrite(ctx, s, oldest.Sequence)
	}
	if err != nil {
		return false, fmt.Errorf("overwrite the oldest message of %s: %w", subject, err)
	}
	return true, nil
}

// overwrite overwrites a message. One that is not there any more it takes for done: it
// aged out, or another delivery was faster, for which brokers have several answers.
func (b *Bus) overwrite(ctx context.Context, s jetstream.Stream, seq uint64) error {
	_, err := lookFor(ctx, b.link, func(ctx context.Context) (struct{}, error) { return struct{}{}, s.SecureDeleteMsg(ctx, seq) })
	if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		if _, gone := b.messageAt(ctx, s, seq); errors.Is(gone, jetstream.ErrMsgNotFound) {
			return nil
		}
	}
	return err
}

// makeRoom overwrites one event of an aggregate, before its last: the oldest on which
// no follower acts, else the oldest. A follower may be away for longer than a client
// needs to repeat a request that changes nothing as often as its events are kept.
func (b *Bus) makeRoom(ctx context.Context, s jetstream.Stream, subject string, last uint64) error {
	var least uint64
	for from := uint64(1); ; {
		m, err := b.messageAt(ctx, s, from, jetstream.WithGetMsgSubject(subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) || err == nil && m.Sequence >= last {
			break
		}
		if err != nil {
			return fmt.Errorf("find an event of %s to be overwritten: %w", subject, err)
		}
		if least == 0 {
			least = m.Sequence
		}
		if e, err := decodeEvent(m.Subject, m.Header, nil, m.Sequence); err != nil || !registry.CallsForSomething(e.Aggregate, e.Name) {
			least = m.Sequence
			break
		}
		from = m.Sequence + 1
	}
	if least == 0 {
		return nil // another was faster
	}
	if err := b.overwrite(ctx, s, least); err != nil {
		return fmt.Errorf("overwrite an event of %s: %w", subject, err)
	}
	return nil
}

// DropLabelled implements aggregate.History. It reads the headers of both streams.
func (b *Bus) DropLabelled(ctx context.Context, labels contract.Labels) (map[string]int, error) {
	dropped := map[string]int{}
	for _, stream := range []string{contract.RequestStream, contract.DeadLetterStream} {
		for _, s := range b.layout.partsOf(stream) {
			err := b.readStored(ctx, s, true, func(m jetstream.Msg, seq uint64) error {
				if !contract.ParseLabels(get(nats.Header(m.Headers()), hLabels)).HasAny(labels) {
					return nil
				}
				dropped[stream]++
				return b.overwrite(ctx, s, seq)
			})
			if err != nil {
				return dropped, fmt.Errorf("drop messages of %s: %w", stream, err)
			}
		}
	}
	return dropped, nil
}
