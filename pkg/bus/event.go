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
	"go.uber.org/zap"
)

// Follow hands the events of one aggregate, all or those of some names, oldest
// first and in batches, to do until ctx ends; a batch whose do fails comes
// again. Replicas with the same durable name share the work, so an order across
// batches is not promised.
func (b *Bus) Follow(ctx context.Context, durable string, a contract.Aggregate, do func(context.Context, []contract.Event) error, names ...contract.EventName) error {
	var filters []string
	for _, name := range names {
		filters = append(filters, contract.NamedFilter(a, name))
	}
	cons, err := b.consumer(ctx, contract.EventStream(a), jetstream.ConsumerConfig{
		Durable: durable, FilterSubjects: filters, AckPolicy: jetstream.AckExplicitPolicy, AckWait: b.cfg.AckWait,
		MaxDeliver: -1, MaxAckPending: 4 * batchMost, DeliverPolicy: jetstream.DeliverAllPolicy,
	})
	if ctx.Err() != nil {
		return nil // told to stop before it had begun
	}
	if err != nil {
		return fmt.Errorf("follow %s as %s: %w", a, durable, err)
	}
	inbox := make(chan jetstream.Msg, batchMost)
	consuming, err := cons.Consume(func(m jetstream.Msg) {
		select {
		case inbox <- m:
		case <-ctx.Done():
		}
	}, jetstream.PullMaxMessages(2*batchMost), jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) {
		b.log.Debug("follow", zap.String("durable", durable), zap.Error(err))
	}))
	if err != nil {
		return fmt.Errorf("follow %s as %s: %w", a, durable, err)
	}
	defer consuming.Stop()
	for {
		batch := nextBatch(ctx, inbox)
		if batch == nil {
			return nil
		}
		b.deliver(context.WithoutCancel(ctx), durable, batch, do)
	}
}

// batchMost bounds how many events are handed over at once.
const batchMost = 256

// nextBatch waits for one message and takes what else is there.
func nextBatch(ctx context.Context, inbox <-chan jetstream.Msg) []jetstream.Msg {
	var batch []jetstream.Msg
	select {
	case <-ctx.Done():
		return nil
	case m := <-inbox:
		batch = append(batch, m)
	}
	for len(batch) < batchMost {
		select {
		case m := <-inbox:
			batch = append(batch, m)
		default:
			return batch
		}
	}
	return batch
}

func (b *Bus) deliver(ctx context.Context, durable string, batch []jetstream.Msg, do func(context.Context, []contract.Event) error) {
	ctx, cancel := context.WithTimeout(ctx, b.cfg.AckWait)
	defer cancel()
	events := make([]contract.Event, 0, len(batch))
	for _, m := range batch {
		e, err := eventOf(m)
		if err != nil { // not one of ours: nobody will ever read it
			b.log.Error("event cannot be read", zap.String("subject", m.Subject()), zap.Error(err))
			continue
		}
		events = append(events, e)
	}
	start := b.now()
	err := do(ctx, events)
	b.metrics.followed(durable, len(batch), b.now().Sub(start), err)
	for _, m := range batch {
		if err == nil {
			_ = m.Ack()
		} else {
			_ = m.NakWithDelay(time.Second)
		}
	}
	if err != nil {
		b.log.Warn("events will be delivered again", zap.String("durable", durable), zap.Int("events", len(batch)), zap.Error(err))
	}
}

func eventOf(m jetstream.Msg) (contract.Event, error) {
	meta, err := m.Metadata()
	if err != nil {
		return contract.Event{}, err
	}
	return decodeEvent(m.Subject(), nats.Header(m.Headers()), m.Data(), meta.Sequence.Stream)
}

// Replayed gives every event of an aggregate's stream, oldest first, up to the
// last one stored when it was called: what a rebuild reads.
func (b *Bus) Replayed(ctx context.Context, a contract.Aggregate, do func([]contract.Event) error) error {
	s, err := b.js.Stream(ctx, contract.EventStream(a))
	if err != nil {
		return fmt.Errorf("replay %s: %w", a, err)
	}
	last := s.CachedInfo().State.LastSeq
	if last == 0 || s.CachedInfo().State.Msgs == 0 {
		return nil
	}
	cons, err := b.js.OrderedConsumer(ctx, contract.EventStream(a), jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy})
	if err != nil {
		return fmt.Errorf("replay %s: %w", a, err)
	}
	msgs, err := cons.Messages(jetstream.PullMaxMessages(1000))
	if err != nil {
		return fmt.Errorf("replay %s: %w", a, err)
	}
	defer msgs.Stop()
	var batch []contract.Event
	for {
		m, err := msgs.Next(jetstream.NextContext(ctx))
		if err != nil {
			return fmt.Errorf("replay %s: %w", a, err)
		}
		e, err := eventOf(m)
		if err != nil {
			return fmt.Errorf("replay %s: %w", a, err)
		}
		batch = append(batch, e)
		if done := e.Seq >= last; done || len(batch) == batchMost {
			if err := do(batch); err != nil || done {
				return err
			}
			batch = batch[:0]
		}
	}
}

// Recent gives up to limit messages of a stream that match the subject filter,
// from sequence from on (0 = the newest limit ones): what the console shows.
func (b *Bus) Recent(ctx context.Context, stream, filter string, from uint64, limit int) ([]Stored, error) {
	var out []Stored
	err := b.scan(ctx, stream, filter, from, limit, func(m *jetstream.RawStreamMsg) {
		out = append(out, Stored{Seq: m.Sequence, Subject: m.Subject, At: m.Time, Header: m.Header, Data: m.Data})
	})
	return out, err
}

// Stored is one message as it lies in a stream.
type Stored struct {
	Seq     uint64
	Subject string
	At      time.Time
	Header  map[string][]string
	Data    []byte
}

// scan reads single messages by sequence, skipping those that were removed.
func (b *Bus) scan(ctx context.Context, stream, filter string, from uint64, limit int, do func(*jetstream.RawStreamMsg)) error {
	s, err := b.js.Stream(ctx, stream)
	if err != nil {
		return fmt.Errorf("stream %s: %w", stream, err)
	}
	state := s.CachedInfo().State
	if state.Msgs == 0 {
		return nil
	}
	if from == 0 && state.LastSeq >= uint64(limit) {
		from = state.LastSeq - uint64(limit) + 1
	}
	for seq := max(from, state.FirstSeq); limit > 0; limit-- {
		m, err := s.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(filter))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("stream %s at %s: %w", stream, strconv.FormatUint(seq, 10), err)
		}
		do(m)
		seq = m.Sequence + 1
	}
	return nil
}
