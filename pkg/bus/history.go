package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Headline is a stored event less its body.
type Headline struct {
	contract.Event     // Data is nil
	Size           int // of the body, in bytes
}

// historyTimeout bounds how long the server is asked for stored events.
const historyTimeout = 3 * time.Second

// Latest gives the newest limit events of an aggregate's stream that were
// stored before sequence before (0 = all of them), oldest first.
func (b *Bus) Latest(ctx context.Context, a contract.Aggregate, before uint64, limit int) ([]Headline, error) {
	s, err := b.js.Stream(ctx, contract.EventStream(a))
	if err != nil {
		return nil, fmt.Errorf("latest of %s: %w", a, err)
	}
	state := s.CachedInfo().State
	end := state.LastSeq + 1 // nothing from here on
	if before > 0 {
		end = min(end, before)
	}
	if state.Msgs == 0 || end <= state.FirstSeq {
		return nil, nil
	}
	from := state.FirstSeq
	if end-from > uint64(limit) {
		from = end - uint64(limit)
	}
	return b.headlines(ctx, s, "evt."+string(a)+".>", from, end, int(end-from))
}

// History gives up to limit events of one aggregate that were stored after
// sequence after, oldest first.
func (b *Bus) History(ctx context.Context, a contract.Aggregate, id string, after uint64, limit int) ([]Headline, error) {
	if !contract.ValidToken(id) {
		return nil, fmt.Errorf("aggregate id %q is no subject token", id)
	}
	s, err := b.js.Stream(ctx, contract.EventStream(a))
	if err != nil {
		return nil, fmt.Errorf("history of %s %s: %w", a, id, err)
	}
	return b.headlines(ctx, s, contract.EventFilter(a, id), after+1, 0, limit)
}

// headlines reads up to limit events from sequence from on and, if end is not
// 0, before end.
func (b *Bus) headlines(ctx context.Context, s jetstream.Stream, filter string, from, end uint64, limit int) ([]Headline, error) {
	name := s.CachedInfo().Config.Name
	cons, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{
		FilterSubject: filter, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: max(from, 1),
		AckPolicy: jetstream.AckNonePolicy, HeadersOnly: true, InactiveThreshold: time.Minute, MemoryStorage: true, Replicas: 1,
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	defer func() { _ = s.DeleteConsumer(context.WithoutCancel(ctx), cons.CachedInfo().Name) }()
	limit = int(min(uint64(limit), cons.CachedInfo().NumPending))
	if limit == 0 {
		return nil, nil
	}
	batch, err := cons.Fetch(limit, jetstream.FetchMaxWait(historyTimeout))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var out []Headline
	for m := range batch.Messages() {
		h, err := headline(m)
		if err == nil && (end == 0 || h.Seq < end) { // what is no event of ours is left out
			out = append(out, h)
		}
	}
	if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return out, ctx.Err()
}

func headline(m jetstream.Msg) (Headline, error) {
	e, err := eventOf(m)
	e.Data = nil
	size, _ := strconv.Atoi(nats.Header(m.Headers()).Get("Nats-Msg-Size")) // the server's own
	return Headline{e, size}, err
}

// Watch calls do with every event of an aggregate that is stored from now on,
// in order, until ctx ends. do must not block for long.
func (b *Bus) Watch(ctx context.Context, a contract.Aggregate, do func(Headline)) error {
	cons, err := b.js.OrderedConsumer(ctx, contract.EventStream(a), jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverNewPolicy, HeadersOnly: true, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return fmt.Errorf("watch %s: %w", a, err)
	}
	watching, err := cons.Consume(func(m jetstream.Msg) {
		if h, err := headline(m); err == nil {
			do(h)
		}
	})
	if err != nil {
		return fmt.Errorf("watch %s: %w", a, err)
	}
	<-ctx.Done()
	watching.Stop()
	return nil
}

// ErrNoEvent says that no event is stored at a sequence.
var ErrNoEvent = errors.New("no such event")

// Event gives the event at a sequence of an aggregate's stream, or ErrNoEvent.
func (b *Bus) Event(ctx context.Context, a contract.Aggregate, seq uint64) (contract.Event, error) {
	s, err := b.js.Stream(ctx, contract.EventStream(a))
	if err != nil {
		return contract.Event{}, fmt.Errorf("event %d of %s: %w", seq, a, err)
	}
	m, err := s.GetMsg(ctx, seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return contract.Event{}, ErrNoEvent
	}
	if err != nil {
		return contract.Event{}, fmt.Errorf("event %d of %s: %w", seq, a, err)
	}
	return decodeEvent(m.Subject, m.Header, m.Data, m.Sequence)
}
