package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/trace"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// EventAfter gives the first event of an aggregate that lies after a sequence, or
// aggregate.ErrNone. The stream's leader answers.
func (b *Bus) EventAfter(ctx context.Context, a contract.Aggregate, id string, after uint64) (contract.Event, error) {
	if !contract.ValidToken(id) {
		return contract.Event{}, fmt.Errorf("aggregate id %q is no subject token", id)
	}
	s, _, err := b.layout.holding(contract.EventStream(a), id)
	if err != nil {
		return contract.Event{}, err
	}
	m, err := b.messageAfter(ctx, s, contract.EventSubject(a, id), after)
	if err != nil {
		return contract.Event{}, fmt.Errorf("read event of %s %s after %d: %w", a, id, after, err)
	}
	e, err := decodeEvent(m.Subject, m.Header, m.Data, m.Sequence)
	e.StoredAt = m.Time
	return e, err
}

// messageAfter gives the first message on a subject that lies after a sequence, or
// aggregate.ErrNone.
func (b *Bus) messageAfter(ctx context.Context, s jetstream.Stream, subject string, after uint64) (m *jetstream.RawStreamMsg, err error) {
	defer markUnavailable(ctx, &err)
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	m, err = b.messageAt(ctx, s, after+1, jetstream.WithGetMsgSubject(subject))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, aggregate.ErrNone
	}
	return m, err
}

// LatestPublic gives the last public event of an owner's object, or aggregate.ErrNone. It sees
// each that was acknowledged before.
func (b *Bus) LatestPublic(ctx context.Context, owner, key string) (feed.Entry, error) {
	m, err := b.latestMessage(ctx, feed.Stream, key, feed.SubjectOf(owner, key))
	if errors.Is(err, aggregate.ErrNone) {
		return feed.Entry{}, err
	}
	if err != nil {
		return feed.Entry{}, fmt.Errorf("read last public event of %s: %w", key, err)
	}
	return decodePublic(m)
}

// PublishPublic stores a public event if the last one of its object is at sequence after (0 =
// it has none), and gives its sequence. Otherwise aggregate.ErrConflict. One that is already
// the last, by its id, is stored.
func (b *Bus) PublishPublic(ctx context.Context, e feed.Entry, after uint64) (seq uint64, err error) {
	ctx, end := trace.Start(ctx, "publish "+string(e.Type))
	defer func() { end(err) }()
	defer markUnavailable(ctx, &err)
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	s, _, err := b.layout.holding(feed.Stream, e.Key)
	if err != nil {
		return 0, err
	}
	start := b.now()
	seq, err = b.publishGuarded(ctx, s, b.publicMsg(ctx, e, after), after)
	b.metrics.notePublish("feed."+string(e.Type), b.now().Sub(start), err)
	if err == nil {
		return seq, nil
	}
	last, failed := b.LatestPublic(context.WithoutCancel(ctx), e.Owner, e.Key)
	switch {
	case failed == nil && last.ID == e.ID:
		return last.Seq, nil
	case isConflict(err):
		return 0, aggregate.ErrConflict
	default:
		return 0, fmt.Errorf("publish %s: %w", e.ID, err)
	}
}

// PublicAfter gives the first public event that lies after a sequence, of an owner, or of
// one of its objects unless key is "*"; or aggregate.ErrNone. The stream's leader answers,
// which cannot skip one that it does not have yet.
func (b *Bus) PublicAfter(ctx context.Context, owner, key string, after uint64) (feed.Entry, error) {
	s, _, err := b.layout.holding(feed.Stream, key)
	if err != nil {
		return feed.Entry{}, err
	}
	m, err := b.messageAfter(ctx, s, feed.SubjectOf(owner, key), after)
	if err != nil {
		return feed.Entry{}, fmt.Errorf("read public event after %d: %w", after, err)
	}
	return decodePublic(m)
}

// FeedState is how far the stream of public events goes.
type FeedState struct {
	First uint64    // sequence of the oldest that is kept, or of the next where there is none
	Last  uint64    // of the last that was ever stored
	Made  time.Time // when the stream was made: sequences of another say nothing of this one
}

// FeedState gives the bounds of the stream of public events.
func (b *Bus) FeedState(ctx context.Context) (state FeedState, err error) {
	defer markUnavailable(ctx, &err)
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	s, _, err := b.layout.holding(feed.Stream, "")
	if err != nil {
		return FeedState{}, err
	}
	info, err := b.infoOf(ctx, s)
	if err != nil {
		return FeedState{}, fmt.Errorf("stream %s: %w", feed.Stream, err)
	}
	return FeedState{First: info.State.FirstSeq, Last: info.State.LastSeq, Made: info.Created}, nil
}

// WakeFeed says that an owner has a new public event. It is a hint and may be lost.
func (b *Bus) WakeFeed(owner string) error { return b.Wake(feed.WakeKind, feed.OwnerToken(owner)) }

func (b *Bus) publicMsg(ctx context.Context, e feed.Entry, after uint64) *nats.Msg {
	m := EncodePublic(b.cfg.Name, e)
	msg := &nats.Msg{Subject: m.Subject, Header: m.header(), Data: m.Data}
	set(msg.Header, hExpected, strconv.FormatUint(after, 10))
	trace.Context.Inject(ctx, carrier(msg.Header))
	return msg
}

// EncodePublic is a public event as the named program publishes it.
func EncodePublic(source string, e feed.Entry) Stored {
	data, err := json.Marshal(e)
	if err != nil { // there is nothing in it that has no JSON
		panic(fmt.Sprintf("encode public event %s: %v", e.ID, err))
	}
	h := make(nats.Header, maxHeaders)
	set(h, hSpec, "1.0")
	set(h, hID, e.ID)
	set(h, hType, "feed."+string(e.Type)+".v1")
	set(h, hSource, "/"+source)
	set(h, hSubject, "feed/"+e.Key)
	set(h, hTime, e.Timestamp.UTC().Format(timeFormat))
	set(h, hCause, e.Cause)
	set(h, hAccount, e.Owner)
	set(h, hContentType, "application/json")
	return Stored{feed.SubjectOf(e.Owner, e.Key), flat(h), data}
}

func decodePublic(m *jetstream.RawStreamMsg) (feed.Entry, error) {
	owner, key, ok := feed.ParseSubject(m.Subject)
	if !ok || get(m.Header, hType) == "" {
		return feed.Entry{}, fmt.Errorf("no public event on %q", m.Subject)
	}
	var e feed.Entry
	if err := json.Unmarshal(m.Data, &e); err != nil {
		return feed.Entry{}, fmt.Errorf("public event at %d: %w", m.Sequence, err)
	}
	e.Owner, e.Key, e.Cause, e.Seq, e.Stored = owner, key, get(m.Header, hCause), m.Sequence, m.Time
	return e, nil
}
