package bus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// publishTimeout bounds one publish or load.
const publishTimeout = 5 * time.Second

// publishers groups what is published at the same moment into atomic batches,
// stream by stream: the broker syncs once for all of a batch. A message keeps its
// guard; if one guard fails the whole batch is refused, and each of its messages
// is published by itself.
type publishers struct {
	mu       sync.Mutex
	byStream map[string]*publisher
}

type publisher struct {
	js   jetstream.JetStream
	nc   *nats.Conn
	link *link

	mu      sync.Mutex
	waiting []*post
	flights int
}

// A post is one message on its way. It is sent only while its caller waits for it.
type post struct {
	ctx  context.Context
	msg  *nats.Msg
	done chan struct{}
	seq  uint64
	err  error
}

const (
	minBatch      = 24      // fewer that wait go one by one: a batch costs more than they save
	maxSingles    = 8       // publishes under way at once to one stream, while no batch waits
	maxBatches    = 4       // likewise while one does: more would make them smaller
	batchMessages = 256     // the broker takes up to 1000
	maxBatchBytes = 4 << 20 // of one batch
	batchHeaders  = 256     // room in bytes for what a message of a batch gets besides
)

// publish stores a message in a stream of the contract and gives its sequence.
func (b *Bus) publish(ctx context.Context, s jetstream.Stream, msg *nats.Msg) (uint64, error) {
	if most := int(b.nc.MaxPayload()); most > 0 && msg.Size()+batchHeaders > most {
		return 0, fmt.Errorf("%d bytes: %w, which is %d bytes", msg.Size(), aggregate.ErrTooLarge, most)
	}
	p := b.publishers.publisherOf(s.CachedInfo().Config.Name, b)
	item := &post{ctx: ctx, msg: msg, done: make(chan struct{})}
	if p.enqueue(item) {
		p.flush()
	}
	select {
	case <-item.done:
		return item.seq, item.err
	case <-ctx.Done():
		return 0, fmt.Errorf("publish: %w", ctx.Err())
	}
}

func (p *publishers) publisherOf(stream string, b *Bus) *publisher {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byStream == nil {
		p.byStream = map[string]*publisher{}
	}
	if p.byStream[stream] == nil {
		p.byStream[stream] = &publisher{js: b.js, nc: b.nc, link: b.link}
	}
	return p.byStream[stream]
}

// enqueue reports whether the caller shall flush, rather than those who do.
func (p *publisher) enqueue(item *post) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = append(p.waiting, item)
	if p.flights >= p.limit() {
		return false
	}
	p.flights++
	return true
}

// limit is how many publishes and batches may be under way at once.
func (p *publisher) limit() int {
	if len(p.waiting) < minBatch {
		return maxSingles
	}
	return maxBatches
}

// flush publishes what waits. What comes meanwhile is left to a goroutine, so
// that the caller is not kept for others.
func (p *publisher) flush() {
	ctx, cancel := context.WithTimeout(context.Background(), publishTimeout)
	defer cancel()
	p.link.awaitConnection(ctx)
	if batch := p.take(); len(batch) > 0 {
		p.publish(batch)
	}
	p.mu.Lock()
	more := len(p.waiting) > 0 && p.flights <= p.limit()
	if !more {
		p.flights--
	}
	p.mu.Unlock()
	if more {
		go p.flush()
	}
}

// take gives the next batch, without what nobody waits for any more: after an
// outage that would be most. It holds no subject twice: the second of two guarded
// messages must see the sequence of the first.
func (p *publisher) take() []*post {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = slices.DeleteFunc(p.waiting, func(item *post) bool { return item.ctx.Err() != nil })
	if n := len(p.waiting); n > 0 && n < minBatch {
		one := p.waiting[:1:1]
		p.waiting = p.waiting[1:]
		return one
	}
	subjects, size, n := map[string]bool{}, 0, 0
	for _, item := range p.waiting {
		size += item.msg.Size()
		if n == batchMessages || n > 0 && (size > maxBatchBytes || subjects[item.msg.Subject]) {
			break
		}
		subjects[item.msg.Subject] = true
		n++
	}
	batch := p.waiting[:n:n]
	p.waiting = p.waiting[n:]
	return batch
}

func (p *publisher) publish(batch []*post) {
	if len(batch) == 1 {
		p.publishOne(batch[0])
		return
	}
	last, err := p.publishBatch(batch)
	if _, refused := errors.AsType[*jetstream.APIError](err); refused {
		var each sync.WaitGroup
		for _, item := range batch {
			each.Go(func() { p.publishOne(item) })
		}
		each.Wait()
		return
	}
	for i, item := range batch {
		item.seq, item.err = last-uint64(len(batch)-1-i), err
		close(item.done)
	}
}

func (p *publisher) publishOne(item *post) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(item.ctx), publishTimeout)
	defer cancel()
	ack, err := ask(ctx, p.link, func(ctx context.Context) (*jetstream.PubAck, error) {
		if item.ctx.Err() != nil { // there was no connection until now
			return nil, item.ctx.Err()
		}
		return p.js.PublishMsg(ctx, item.msg, jetstream.WithRetryAttempts(0))
	})
	if err == nil {
		item.seq = ack.Sequence
	}
	item.err = err
	close(item.done)
}

// publishBatch gives the sequence of the last message. The others lie right
// before it.
func (p *publisher) publishBatch(batch []*post) (last uint64, err error) {
	id := nuid.Next()
	for i, item := range batch {
		item.msg.Header[hBatch] = []string{id}
		item.msg.Header[hBatchSequence] = []string{strconv.Itoa(i + 1)}
	}
	final := batch[len(batch)-1].msg
	final.Header[hBatchCommit] = []string{"1"}
	defer func() {
		for _, item := range batch {
			delete(item.msg.Header, hBatch)
			delete(item.msg.Header, hBatchSequence)
		}
		delete(final.Header, hBatchCommit)
	}()
	ctx, cancel := context.WithTimeout(context.Background(), publishTimeout)
	defer cancel()
	reply, err := ask(ctx, p.link, func(ctx context.Context) (*nats.Msg, error) {
		for _, item := range batch[:len(batch)-1] {
			if err := p.nc.PublishMsg(item.msg); err != nil {
				return nil, err
			}
		}
		return p.nc.RequestMsgWithContext(ctx, final)
	})
	if err != nil {
		return 0, err
	}
	var ack struct {
		Error *jetstream.APIError `json:"error"`
		Seq   uint64              `json:"seq"`
		Count int                 `json:"count"`
	}
	if err := json.Unmarshal(reply.Data, &ack); err != nil {
		return 0, fmt.Errorf("acknowledgement of a batch: %w", err)
	}
	if ack.Error != nil {
		return 0, ack.Error
	}
	if ack.Count != len(batch) {
		return 0, fmt.Errorf("acknowledgement of a batch of %d messages counts %d", len(batch), ack.Count)
	}
	return ack.Seq, nil
}

// Append implements aggregate.Log: the publish is the commit. If the answer is
// a conflict or is lost, the last event says whether it was stored: one replica
// and three answer a repeated guarded publish differently.
func (b *Bus) Append(ctx context.Context, e contract.Event, after uint64) (seq uint64, err error) {
	ctx, end := trace.Start(ctx, "append "+e.Type())
	defer func() { end(err) }()
	defer markUnavailable(ctx, &err)
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	s, _, err := b.layout.holding(contract.EventStream(e.Aggregate), e.AggregateID)
	if err != nil {
		return 0, err
	}
	start := b.now()
	msg := b.eventMsg(ctx, e, after)
	seq, err = b.publishGuarded(ctx, s, msg, after)
	for isFull(err) && ctx.Err() == nil { // the broker would make room too, but only mark what it drops as gone
		if err = b.makeRoom(ctx, s, msg.Subject, after); err == nil {
			seq, err = b.publishGuarded(ctx, s, msg, after)
		}
	}
	b.metrics.notePublish(string(e.Aggregate)+"."+string(e.Name), b.now().Sub(start), err)
	if err != nil && !errors.Is(err, aggregate.ErrTooLarge) {
		seq, err = b.settle(context.WithoutCancel(ctx), e, err)
	}
	if err == nil {
		e.Seq = seq
		b.announce(e)
	}
	return seq, err
}

func (b *Bus) settle(ctx context.Context, e contract.Event, publishErr error) (uint64, error) {
	last, err := b.Last(ctx, e.Aggregate, e.AggregateID)
	switch {
	case err == nil && last.ID == e.ID && bytes.Equal(last.Data, e.Data):
		return last.Seq, nil
	case err == nil && last.ID == e.ID: // another delivery of the same command decided otherwise
		return 0, aggregate.ErrConflict
	case isConflict(publishErr):
		return 0, aggregate.ErrConflict
	case err != nil && !errors.Is(err, aggregate.ErrNone):
		return 0, fmt.Errorf("publish: %w; then %w", publishErr, err)
	default:
		return 0, fmt.Errorf("publish: %w", publishErr)
	}
}

// markUnavailable adds flow.ErrUnavailable to an error by which the broker gave no answer, or had
// no room. That the caller's own time is over says nothing about the broker.
func markUnavailable(ctx context.Context, err *error) {
	if *err == nil || ctx.Err() != nil || errors.Is(*err, flow.ErrUnavailable) {
		return
	}
	api, ok := errors.AsType[*jetstream.APIError](*err)
	silent := func(of error) bool { return errors.Is(*err, of) }
	if ok && api.Code == http.StatusServiceUnavailable || !ok && slices.ContainsFunc([]error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrNoStreamResponse, jetstream.ErrNoStreamResponse,
		nats.ErrDisconnected, nats.ErrReconnectBufExceeded, errBroken, errUnanswered,
	}, silent) {
		*err = fmt.Errorf("%w: %w", flow.ErrUnavailable, *err)
	}
}

// Codes of the broker's refusals.
const (
	codeWrongLast     = 10071 // another message is the subject's last
	codeWrongLastSoon = 10164 // or is about to be: replicas are agreeing on it
	codeIDInProcess   = 10158 // replicas are agreeing on a message of this id
	codeUnavailable   = 10008 // the stream has no leader
	codeNotLeader     = 10009 // or not this one any more
	codeNotStored     = 10077 // for a limit, among others
)

// isFull reports whether a subject has as many messages as its stream keeps.
func isFull(err error) bool {
	api, ok := errors.AsType[*jetstream.APIError](err)
	return ok && api.ErrorCode == codeNotStored && strings.Contains(api.Description, "messages per subject")
}

func isCode(err error, codes ...jetstream.ErrorCode) bool {
	api, ok := errors.AsType[*jetstream.APIError](err)
	return ok && slices.Contains(codes, api.ErrorCode)
}

func isConflict(err error) bool { return isCode(err, codeWrongLast, codeWrongLastSoon) }

// publishGuarded publishes a message whose guard is the sequence after. Replicas
// refuse it also while they agree on another message of its subject, which may
// yet come to nothing: then it is published again until one of the two is there.
// So it is when there was no answer and no message has come since, and as long as
// nobody leads the stream.
func (b *Bus) publishGuarded(ctx context.Context, s jetstream.Stream, msg *nats.Msg, after uint64) (uint64, error) {
	return b.publishUntil(ctx, s, msg, func(err error) bool {
		if isLeaderless(err) {
			return false
		}
		if !isCode(err, codeWrongLastSoon) && !isUnanswered(err) {
			return true
		}
		last, err := look(ctx, b.link, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
			return s.GetLastMsgForSubject(ctx, msg.Subject)
		})
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return after != 0
		}
		return err != nil || last.Sequence != after
	})
}

// Pauses while replicas agree on something: a moment on a good day, seconds when
// a leader is elected.
const (
	agreeFirst = 2 * time.Millisecond
	maxAgree   = 100 * time.Millisecond
)

// publishUntil publishes a message until it is stored, or final says that its
// error is one, or ctx ends.
func (b *Bus) publishUntil(ctx context.Context, s jetstream.Stream, msg *nats.Msg, final func(error) bool) (uint64, error) {
	return writeUntilAgreed(ctx, func() (uint64, error) { return b.publish(ctx, s, msg) }, final)
}

// writeUntilAgreed writes until that is done, or final says that its error is one, or
// ctx ends.
func writeUntilAgreed(ctx context.Context, write func() (uint64, error), final func(error) bool) (uint64, error) {
	for wait := agreeFirst; ; wait = min(2*wait, maxAgree) {
		seq, err := write()
		if err == nil || final(err) {
			return seq, err
		}
		if pause(ctx, wait/2+rand.N(wait/2)); ctx.Err() != nil {
			return 0, err
		}
	}
}

// Send implements aggregate.Sender.
func (b *Bus) Send(ctx context.Context, c contract.Command) (err error) {
	ctx, end := trace.Start(ctx, "send "+c.Name.String())
	defer func() { end(err) }()
	defer markUnavailable(ctx, &err)
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	s, _, err := b.layout.holding(contract.CommandStream, c.ID)
	if err != nil {
		return err
	}
	msg := b.commandMsg(ctx, contract.CommandSubject(c.Name, c.ID), c)
	set(msg.Header, nats.MsgIdHdr, c.ID)
	start := b.now()
	_, err = b.publishUntil(ctx, s, msg, func(err error) bool { return !isCode(err, codeIDInProcess) && !isUnanswered(err) && !isLeaderless(err) })
	b.metrics.notePublish("command."+c.Name.String(), b.now().Sub(start), err)
	if err != nil {
		return fmt.Errorf("send %s: %w", c.Name, err)
	}
	return nil
}
