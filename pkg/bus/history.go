package bus

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// A Headline is a stored event less its body.
type Headline struct {
	contract.Event          // Data is nil
	Position       Position // where it lies
	Size           int      // of the body, in bytes
}

// A Position is where a message lies: in which part of its stream, and at what
// sequence. In text it is <sequence>, or <part>.<sequence> beyond the first part.
type Position struct {
	Part int
	Seq  uint64
}

func (p Position) String() string {
	if p.Part == 0 {
		return strconv.FormatUint(p.Seq, 10)
	}
	return fmt.Sprintf("%d.%d", p.Part, p.Seq)
}

// ParsePosition reads what String wrote.
func ParsePosition(s string) (p Position, err error) {
	if part, rest, ok := strings.Cut(s, "."); ok {
		if p.Part, err = strconv.Atoi(part); err != nil || p.Part <= 0 {
			return p, fmt.Errorf("position %q", s)
		}
		s = rest
	}
	p.Seq, err = strconv.ParseUint(s, 10, 64)
	return p, err
}

// historyTimeout bounds how long the server is asked for stored events.
const historyTimeout = 3 * time.Second

// Latest gives the newest limit events of an aggregate's stream, oldest first:
// of each part those before the position given, or all.
func (b *Bus) Latest(ctx context.Context, a contract.Aggregate, before []Position, limit int) ([]Headline, error) {
	var all []Headline
	for part, s := range b.layout.partsOf(contract.EventStream(a)) {
		end := uint64(math.MaxUint64)
		for _, p := range before {
			if p.Part == part {
				end = p.Seq
			}
		}
		found, err := b.latest(ctx, s, part, end, limit)
		if err != nil {
			return nil, fmt.Errorf("latest of %s: %w", a, err)
		}
		all = append(all, found...)
	}
	slices.SortStableFunc(all, func(a, b Headline) int { return a.StoredAt.Compare(b.StoredAt) })
	return all[max(len(all)-limit, 0):], nil
}

func (b *Bus) latest(ctx context.Context, s jetstream.Stream, part int, end uint64, limit int) ([]Headline, error) {
	info, err := b.infoOf(ctx, s)
	if err != nil {
		return nil, err
	}
	end = min(end, info.State.LastSeq+1)
	if info.State.Msgs == 0 || end <= info.State.FirstSeq {
		return nil, nil
	}
	from := info.State.FirstSeq
	if end-from > uint64(limit) {
		from = end - uint64(limit)
	}
	return b.headlines(ctx, s, part, "evt.>", from, end, int(end-from))
}

// PositionsAt gives, for each part of an aggregate's stream, the position before
// which everything was stored earlier than a time.
func (b *Bus) PositionsAt(ctx context.Context, a contract.Aggregate, at time.Time) ([]Position, error) {
	var all []Position
	for part, s := range b.layout.partsOf(contract.EventStream(a)) {
		seq, err := b.sequenceSince(ctx, s, at)
		if err != nil {
			return nil, fmt.Errorf("%s at %v: %w", a, at, err)
		}
		all = append(all, Position{part, seq})
	}
	return all, nil
}

// sequenceSince is the sequence of the first message that was not stored before a
// time, or the one that the next message will have.
func (b *Bus) sequenceSince(ctx context.Context, s jetstream.Stream, at time.Time) (uint64, error) {
	cons, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartTimePolicy, OptStartTime: &at, AckPolicy: jetstream.AckNonePolicy, HeadersOnly: true,
		InactiveThreshold: time.Minute, MemoryStorage: true, Replicas: 1,
	})
	if err != nil {
		return 0, err
	}
	defer func() { _ = s.DeleteConsumer(context.WithoutCancel(ctx), cons.CachedInfo().Name) }()
	if cons.CachedInfo().NumPending == 0 {
		info, err := b.infoOf(ctx, s)
		if err != nil {
			return 0, err
		}
		return info.State.LastSeq + 1, nil
	}
	m, err := cons.Next(jetstream.FetchMaxWait(historyTimeout))
	if err != nil {
		return 0, err
	}
	meta, err := m.Metadata()
	if err != nil {
		return 0, err
	}
	return meta.Sequence.Stream, nil
}

// History gives up to limit events of one aggregate that were stored after
// sequence after, oldest first.
func (b *Bus) History(ctx context.Context, a contract.Aggregate, id string, after uint64, limit int) ([]Headline, error) {
	if !contract.ValidToken(id) {
		return nil, fmt.Errorf("aggregate id %q is no subject token", id)
	}
	s, part, err := b.layout.holding(contract.EventStream(a), id)
	if err != nil {
		return nil, fmt.Errorf("history of %s %s: %w", a, id, err)
	}
	return b.headlines(ctx, s, part, contract.EventSubject(a, id), after+1, 0, limit)
}

// headlines reads up to limit events from sequence from on and, if end is not
// 0, before end.
func (b *Bus) headlines(ctx context.Context, s jetstream.Stream, part int, filter string, from, end uint64, limit int) ([]Headline, error) {
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
		h, err := headline(m, part)
		if err == nil && (end == 0 || h.Seq < end) { // what is no event of ours is left out
			out = append(out, h)
		}
	}
	if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return out, ctx.Err()
}

func headline(m jetstream.Msg, part int) (Headline, error) {
	e, err := eventOf(m)
	e.Data = nil
	size, _ := strconv.Atoi(nats.Header(m.Headers()).Get("Nats-Msg-Size")) // the server's own
	return Headline{e, Position{part, e.Seq}, size}, err
}

// Watch calls do with every event of an aggregate that is stored from now on,
// in order in each part of its stream, until ctx ends. do must not block for
// long and is called by one goroutine a part.
func (b *Bus) Watch(ctx context.Context, a contract.Aggregate, do func(Headline)) error {
	group, ctx := errgroup.WithContext(ctx)
	for part, s := range b.layout.partsOf(contract.EventStream(a)) {
		group.Go(func() error { return b.watch(ctx, s, part, do) })
	}
	return group.Wait()
}

func (b *Bus) watch(ctx context.Context, s jetstream.Stream, part int, do func(Headline)) error {
	name := s.CachedInfo().Config.Name
	cons, err := lookFor(ctx, b.link, func(ctx context.Context) (jetstream.Consumer, error) {
		return b.js.OrderedConsumer(ctx, name, jetstream.OrderedConsumerConfig{
			DeliverPolicy: jetstream.DeliverNewPolicy, HeadersOnly: true, InactiveThreshold: time.Minute,
		})
	})
	if err != nil {
		return fmt.Errorf("watch %s: %w", name, err)
	}
	watching, err := cons.Consume(func(m jetstream.Msg) {
		if h, err := headline(m, part); err == nil {
			do(h)
		}
	})
	if err != nil {
		return fmt.Errorf("watch %s: %w", name, err)
	}
	<-ctx.Done()
	watching.Stop()
	return nil
}

// ErrNoEvent says that no event is stored at a sequence.
var ErrNoEvent = errors.New("no such event")

// EventAt gives the event at a position of an aggregate's stream, or ErrNoEvent.
func (b *Bus) EventAt(ctx context.Context, a contract.Aggregate, at Position) (contract.Event, error) {
	parts := b.layout.partsOf(contract.EventStream(a))
	if at.Part < 0 || at.Part >= len(parts) {
		return contract.Event{}, ErrNoEvent
	}
	m, err := b.messageAt(ctx, parts[at.Part], at.Seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return contract.Event{}, ErrNoEvent
	}
	if err != nil {
		return contract.Event{}, fmt.Errorf("event %s of %s: %w", at, a, err)
	}
	e, err := decodeEvent(m.Subject, m.Header, m.Data, m.Sequence)
	e.StoredAt = m.Time
	return e, err
}
