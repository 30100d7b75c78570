package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/attribute"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

const (
	// maxBatch bounds how many events are handed over at once.
	maxBatch = 256
	// gatherTime is how long more events are waited for where nobody waits for them:
	// what is done with many at once costs less than one by one.
	gatherTime = 20 * time.Millisecond
	// deliverTimeout is for taking in one batch: longer than a database needs to
	// elect another primary.
	deliverTimeout = 30 * time.Second
)

// Follow hands the events of one aggregate, oldest first and in batches, to do
// until ctx ends; a batch whose do fails comes again. consumer is one that the
// contract declares. Replicas share the work, so an order across batches is not
// promised. An event that cannot be read is set aside among the dead letters.
func (b *Bus) Follow(ctx context.Context, consumer string, a contract.Aggregate, do func(context.Context, []contract.Event) error) error {
	return b.FollowAgain(ctx, consumer, a, func(ctx context.Context, events []contract.Event) ([]time.Duration, error) {
		return nil, do(ctx, events)
	})
}

// FollowAgain is Follow where do says of each event after how long it shall come again: 0, and
// no answer at all, is never. Those that wait count among the messages that the consumer may
// have without an acknowledgement; once as many wait, later events come only as they end.
func (b *Bus) FollowAgain(ctx context.Context, consumer string, a contract.Aggregate, do func(context.Context, []contract.Event) ([]time.Duration, error)) error {
	group, ctx := errgroup.WithContext(ctx)
	var gather time.Duration
	if contract.IsAnnounced(a) { // who waits is told already
		gather = gatherTime
	}
	for _, s := range b.layout.partsOf(contract.EventStream(a)) {
		group.Go(func() error {
			return b.keepOpen(ctx, s, consumer, func(cons jetstream.Consumer) error { return b.batches(ctx, cons, gather, do) })
		})
	}
	return group.Wait()
}

func (b *Bus) batches(ctx context.Context, cons jetstream.Consumer, gather time.Duration, do func(context.Context, []contract.Event) ([]time.Duration, error)) error {
	p, err := openPuller(b.nc, b.link, cons)
	if err != nil {
		return err
	}
	defer p.close(b.handBack)
	for {
		p.request(maxBatch)
		batch, err := p.batch(ctx, gather)
		if len(batch) > 0 { // also at the end: nobody else gets these before their time is over
			b.deliver(context.WithoutCancel(ctx), cons, batch, do)
		}
		if err != nil || ctx.Err() != nil {
			return err
		}
	}
}

// batch waits for one message and takes what else is there, or comes within
// gather. It is empty when what came was none, and when ctx ends.
func (p *puller) batch(ctx context.Context, gather time.Duration) (batch []*nats.Msg, err error) {
	first, err := p.awaitMessage(ctx, nil)
	if first == nil || err != nil {
		return nil, err
	}
	batch = append(batch, first)
	var over <-chan time.Time // while it is nil, what is not here yet is not waited for
	if gather > 0 {
		timer := time.NewTimer(gather)
		defer timer.Stop()
		over = timer.C
	}
	for len(batch) < maxBatch {
		m := p.poll(ctx, over)
		if m == nil {
			return batch, nil
		}
		ok, err := p.accountFor(m)
		if err != nil {
			return batch, err
		}
		if ok {
			batch = append(batch, m)
		}
	}
	return batch, nil
}

// poll gives what is here, or comes before over; else nil.
func (p *puller) poll(ctx context.Context, over <-chan time.Time) *nats.Msg {
	select {
	case m := <-p.messages:
		return m
	default:
	}
	if over == nil {
		return nil
	}
	select {
	case m := <-p.messages:
		return m
	case <-over:
	case <-ctx.Done():
	}
	return nil
}

func (b *Bus) deliver(ctx context.Context, cons jetstream.Consumer, batch []*nats.Msg, do func(context.Context, []contract.Event) ([]time.Duration, error)) {
	consumer := cons.CachedInfo().Name
	ctx, cancel := context.WithTimeout(ctx, deliverTimeout)
	defer cancel()
	rest := keepAlive(cons.CachedInfo().Config.AckWait/heartbeats, batch...)
	defer rest()
	events, read := make([]contract.Event, 0, len(batch)), make([]*nats.Msg, 0, len(batch))
	for _, m := range batch {
		e, err := eventIn(m)
		if err != nil {
			b.setAside(ctx, consumer, m, err)
			continue
		}
		events, read = append(events, e), append(read, m)
	}
	if len(events) == 0 {
		return
	}
	start := b.now()
	again, err := do(ctx, events)
	end := b.now()
	b.metrics.noteFollow(consumer, len(events), end.Sub(start), err)
	for i, m := range read { // each in its own trace
		ctx := senderContext(ctx, m)
		recordQueue(ctx, consumer, m, start)
		trace.Record(ctx, consumer+" "+events[i].Type(), start, end, err, attribute.Int("batch", len(events)))
	}
	rest()
	for i, m := range read {
		switch {
		case err != nil:
			b.respond(m, nakAfter(time.Second))
		case i < len(again) && again[i] > 0:
			b.respond(m, nakAfter(again[i]))
		default:
			b.respond(m, ackDone)
		}
	}
	if err != nil {
		b.log.Warn("events will be delivered again", zap.String("consumer", consumer), zap.Int("events", len(events)), zap.Error(err))
	}
}

// setAside keeps what is no event of ours, or one that nobody can read, where
// people look, so that it does not stop those that come after it.
func (b *Bus) setAside(ctx context.Context, consumer string, m *nats.Msg, why error) {
	b.metrics.setAside.WithLabelValues(consumer).Inc()
	b.deadLetter(ctx, m, contract.CommandName{Service: consumer, Verb: "event"}, why, flow.Attempts{})
}

// DeadLetterEvent records an event that a consumer read but cannot use.
func (b *Bus) DeadLetterEvent(ctx context.Context, consumer string, e contract.Event, why error) error {
	b.metrics.setAside.WithLabelValues(consumer).Inc()
	h := b.eventMsg(ctx, e, 0).Header
	delete(h, hExpected)
	return b.publishDead(ctx, contract.CommandName{Service: consumer, Verb: "event"}, e.Subject(), h, e.Data, why, flow.Attempts{})
}

func eventIn(m *nats.Msg) (contract.Event, error) {
	meta, err := m.Metadata()
	if err != nil {
		return contract.Event{}, err
	}
	e, err := decodeEvent(m.Subject, m.Header, m.Data, meta.Sequence.Stream)
	e.StoredAt = meta.Timestamp
	return e, err
}

func eventOf(m jetstream.Msg) (contract.Event, error) {
	meta, err := m.Metadata()
	if err != nil {
		return contract.Event{}, err
	}
	e, err := decodeEvent(m.Subject(), nats.Header(m.Headers()), m.Data(), meta.Sequence.Stream)
	e.StoredAt = meta.Timestamp
	return e, err
}

// ReplayEvents gives every event of an aggregate's stream, oldest first in each of
// its parts, up to the last one stored when it was called: what a rebuild reads.
// Parts are read at the same time. What cannot be read is counted and left out.
func (b *Bus) ReplayEvents(ctx context.Context, a contract.Aggregate, do func([]contract.Event) error) (unread int, err error) {
	group, ctx := errgroup.WithContext(ctx)
	parts := b.layout.partsOf(contract.EventStream(a))
	counts := make([]int, len(parts))
	for i, s := range parts {
		group.Go(func() (err error) {
			counts[i], err = b.replayPart(ctx, s, do)
			return err
		})
	}
	err = group.Wait()
	for _, n := range counts {
		unread += n
	}
	return unread, err
}

func (b *Bus) replayPart(ctx context.Context, s jetstream.Stream, do func([]contract.Event) error) (unread int, err error) {
	var batch []contract.Event
	flush := func() error {
		err := do(batch)
		batch = batch[:0]
		return err
	}
	err = b.readStored(ctx, s, false, func(m jetstream.Msg, seq uint64) error {
		e, err := eventOf(m)
		if err != nil {
			unread++
			b.log.Error("event cannot be read", zap.String("subject", m.Subject()), zap.Uint64("seq", seq), zap.Error(err))
			return nil
		}
		if batch = append(batch, e); len(batch) < maxBatch {
			return nil
		}
		return flush()
	})
	if err == nil && len(batch) > 0 {
		err = flush()
	}
	return unread, err
}

// readStored reads every message of a stream, oldest first, up to the last one
// stored when it was called.
func (b *Bus) readStored(ctx context.Context, s jetstream.Stream, headersOnly bool, do func(m jetstream.Msg, seq uint64) error) error {
	info, err := b.infoOf(ctx, s)
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	name, last := info.Config.Name, info.State.LastSeq
	if info.State.Msgs == 0 {
		return nil
	}
	cons, err := lookFor(ctx, b.link, func(ctx context.Context) (jetstream.Consumer, error) {
		return b.js.OrderedConsumer(ctx, name, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy, HeadersOnly: headersOnly})
	})
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	msgs, err := cons.Messages(jetstream.PullMaxMessages(1000))
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	defer msgs.Stop()
	for seq := uint64(0); seq < last; {
		m, err := msgs.Next(jetstream.NextContext(ctx))
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		meta, err := m.Metadata()
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if err := do(m, meta.Sequence.Stream); err != nil {
			return err
		}
		seq = meta.Sequence.Stream
		if meta.NumPending == 0 {
			seq = last // the last ones were removed meanwhile
		}
	}
	return nil
}

// scan reads single messages of every part of a stream by sequence, skipping
// those that were removed.
func (b *Bus) scan(ctx context.Context, stream, filter string, from uint64, limit int, do func(*jetstream.RawStreamMsg)) error {
	for _, s := range b.layout.partsOf(stream) {
		if err := b.scanPart(ctx, s, filter, from, limit, do); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bus) scanPart(ctx context.Context, s jetstream.Stream, filter string, from uint64, limit int, do func(*jetstream.RawStreamMsg)) error {
	info, err := b.infoOf(ctx, s)
	if err != nil {
		return fmt.Errorf("stream %s: %w", s.CachedInfo().Config.Name, err)
	}
	state := info.State
	if state.Msgs == 0 {
		return nil
	}
	if from == 0 && state.LastSeq >= uint64(limit) {
		from = state.LastSeq - uint64(limit) + 1
	}
	for seq := max(from, state.FirstSeq); limit > 0; limit-- {
		m, err := b.messageAt(ctx, s, seq, jetstream.WithGetMsgSubject(filter))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("stream %s at %s: %w", info.Config.Name, strconv.FormatUint(seq, 10), err)
		}
		do(m)
		seq = m.Sequence + 1
	}
	return nil
}
