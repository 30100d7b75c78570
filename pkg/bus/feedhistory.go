package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/contract/feed"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// feedWindow is how much of the stream of public events is looked at first for the last ones
// of an owner, and by how much more each time that has too few.
const (
	feedWindow = 2048
	feedWider  = 8
)

// PublicBefore gives the last limit public events of an owner, or of those of its objects that
// are named, that lie before a sequence (0 = the end), oldest first.
func (b *Bus) PublicBefore(ctx context.Context, owner string, keys []string, before uint64, limit int) (out []feed.Entry, err error) {
	s, _, err := b.layout.holding(feed.Stream, "")
	if err != nil {
		return nil, err
	}
	info, err := b.infoOf(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", feed.Stream, err)
	}
	first, end := max(info.State.FirstSeq, 1), info.State.LastSeq+1 // of an empty stream nothing
	if before > 0 {
		end = min(end, before)
	}
	if len(keys) == 0 {
		keys = []string{"*"}
	}
	var filters []string
	for _, key := range keys {
		filters = append(filters, feed.SubjectOf(owner, key))
	}
	for width := uint64(feedWindow); len(out) < limit && end > first; width *= feedWider {
		from := max(first, end-min(width, end-1))
		older, err := b.publicBetween(ctx, s, filters, from, end)
		if err != nil {
			return nil, fmt.Errorf("read public events of %s: %w", owner, err)
		}
		out, end = append(older, out...), from
	}
	return out[max(len(out)-limit, 0):], nil
}

// publicBetween reads what lies from one sequence on and before another, oldest first.
func (b *Bus) publicBetween(ctx context.Context, s jetstream.Stream, filters []string, from, end uint64) (out []feed.Entry, err error) {
	cons, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{
		FilterSubjects: filters, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: max(from, 1),
		AckPolicy: jetstream.AckNonePolicy, InactiveThreshold: time.Minute, MemoryStorage: true, Replicas: 1,
	})
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.DeleteConsumer(context.WithoutCancel(ctx), cons.CachedInfo().Name) }()
	for left := cons.CachedInfo().NumPending; left > 0; {
		batch, err := cons.Fetch(int(min(left, maxBatch)), jetstream.FetchMaxWait(historyTimeout))
		if err != nil {
			return nil, err
		}
		left = 0
		for m := range batch.Messages() {
			e, err := publicIn(m)
			if err != nil {
				return nil, err
			}
			if e.Seq >= end {
				return out, nil
			}
			meta, err := m.Metadata()
			if err != nil {
				return nil, err
			}
			out, left = append(out, e), meta.NumPending
		}
		if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) {
			return nil, err
		}
	}
	return slices.Clip(out), ctx.Err()
}

func publicIn(m jetstream.Msg) (feed.Entry, error) {
	meta, err := m.Metadata()
	if err != nil {
		return feed.Entry{}, err
	}
	return decodePublic(&jetstream.RawStreamMsg{Subject: m.Subject(), Header: m.Headers(), Data: m.Data(), Sequence: meta.Sequence.Stream, Time: meta.Timestamp})
}
