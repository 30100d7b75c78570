package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// A link is the present connection to a node of the broker. nats.go keeps the
// connection up, but leaves two things to its user: a request whose connection
// broke waits for its answer until its time is over, and a node that says it will
// go is left only when it goes.
type link struct {
	mu      sync.Mutex
	broken  context.Context // done while there is no connection
	breaks  context.CancelCauseFunc
	restore chan struct{} // closed while there is one

	leaving atomic.Pointer[time.Time] // when this node is left; nil: it is not
}

func newLink() *link {
	l := &link{}
	l.noteRestore()
	return l
}

// errBroken says that the connection broke before an answer came: what was asked
// for may have been done.
var errBroken = errors.New("the connection to the broker broke")

func (l *link) noteRestore() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil && l.broken.Err() == nil {
		return
	}
	l.broken, l.breaks = context.WithCancelCause(context.Background())
	if l.restore == nil {
		l.restore = make(chan struct{})
	}
	close(l.restore)
}

func (l *link) noteLoss() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken.Err() == nil {
		l.breaks(errBroken)
		l.restore = make(chan struct{})
	}
}

// awaitConnection waits until there is a connection, or ctx ends.
func (l *link) awaitConnection(ctx context.Context) {
	l.mu.Lock()
	restore := l.restore
	l.mu.Unlock()
	select {
	case <-restore:
	case <-ctx.Done():
	}
}

// connectionContext gives a context that ends with the present connection too; its cause is
// errBroken then.
func (l *link) connectionContext(ctx context.Context) (context.Context, context.CancelFunc) {
	l.mu.Lock()
	broken := l.broken
	l.mu.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	unhook := context.AfterFunc(broken, func() { cancel(errBroken) })
	return ctx, func() { unhook(); cancel(nil) }
}

// errUnanswered says that no answer came for long enough to ask again: what was asked
// for may have been done. A request is lost without a word together with the node that
// leads, and until the others notice that.
var errUnanswered = errors.New("the broker did not answer")

// How long an answer may take until it is asked again: for what changes nothing, and
// for a write. Both take milliseconds.
const (
	maxLook  = time.Second
	maxWrite = 2 * time.Second
)

// ask waits for a connection and makes a request on it that writes. An error by which
// the connection broke is errBroken, one by which no answer came errUnanswered.
func ask[T any](ctx context.Context, l *link, request func(context.Context) (T, error)) (T, error) {
	return askWithin(ctx, l, maxWrite, request)
}

func askWithin[T any](ctx context.Context, l *link, most time.Duration, request func(context.Context) (T, error)) (T, error) {
	l.awaitConnection(ctx)
	on, cancel := l.connectionContext(ctx)
	defer cancel()
	on, end := context.WithTimeoutCause(on, most, errUnanswered)
	defer end()
	answer, err := request(on)
	switch {
	case err == nil || ctx.Err() != nil:
	case context.Cause(on) == errBroken || isUnsent(err):
		return answer, fmt.Errorf("%w: %w", errBroken, err)
	case context.Cause(on) == errUnanswered && errors.Is(err, context.DeadlineExceeded):
		return answer, fmt.Errorf("%w: %w", errUnanswered, err)
	}
	return answer, err
}

// isUnanswered reports whether it is not known whether what was asked for was done.
func isUnanswered(err error) bool { return errors.Is(err, errBroken) || errors.Is(err, errUnanswered) }

// isUnsent reports whether there was no connection to send something on. nats.go says
// so before it calls the handlers that the link goes by.
func isUnsent(err error) bool {
	return slices.ContainsFunc([]error{nats.ErrConnectionClosed, nats.ErrReconnectBufExceeded, nats.ErrDisconnected}, func(of error) bool { return errors.Is(err, of) })
}

// isLeaderless reports whether nobody leads what was asked, as during an election or
// while a node that is going to end hands its part over: nothing was done.
func isLeaderless(err error) bool {
	return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrNoStreamResponse) || isCode(err, codeUnavailable, codeNotLeader)
}

// look asks again while there is no answer or nobody leads, until ctx ends: for what
// changes nothing.
func look[T any](ctx context.Context, l *link, request func(context.Context) (T, error)) (T, error) {
	for {
		answer, err := askWithin(ctx, l, maxLook, request)
		if !isUnanswered(err) && !isLeaderless(err) || ctx.Err() != nil {
			return answer, err
		}
		if pause(ctx, maxAgree); ctx.Err() != nil {
			return answer, err // it says more than that the time is over
		}
	}
}

// lookFor is look with a time of its own: what runs for minutes must not wait so long
// for an answer that a node took with it. Whether the broker is away is said as
// flow.ErrUnavailable.
func lookFor[T any](ctx context.Context, l *link, request func(context.Context) (T, error)) (answer T, err error) {
	defer markUnavailable(ctx, &err)
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	return look(ctx, l, request)
}

// openStream finds a stream of the broker's.
func (b *Bus) openStream(ctx context.Context, name string) (jetstream.Stream, error) {
	return lookFor(ctx, b.link, func(ctx context.Context) (jetstream.Stream, error) { return b.js.Stream(ctx, name) })
}

// infoOf says how a stream stands.
func (b *Bus) infoOf(ctx context.Context, s jetstream.Stream, opts ...jetstream.StreamInfoOpt) (*jetstream.StreamInfo, error) {
	return lookFor(ctx, b.link, func(ctx context.Context) (*jetstream.StreamInfo, error) { return s.Info(ctx, opts...) })
}

// messageAt gives the message at a sequence of a stream, or by an option the next one.
func (b *Bus) messageAt(ctx context.Context, s jetstream.Stream, seq uint64, opts ...jetstream.GetMsgOpt) (*jetstream.RawStreamMsg, error) {
	return lookFor(ctx, b.link, func(ctx context.Context) (*jetstream.RawStreamMsg, error) { return s.GetMsg(ctx, seq, opts...) })
}

// leave goes to another node once this one has said that it will end. Messages
// travel from the node that leads a consumer to the one that a process is
// connected to: what is under way when the connection ends is lost for the time
// after which the broker gives up on a process. So what is asked for from now on
// ends at one moment, and then the connection does. A broker of one node is not
// left: there is no other.
func (b *Bus) leave(nc *nats.Conn) {
	if len(nc.Servers()) < 2 {
		return
	}
	at := time.Now().Add(pullExpires)
	if !b.link.leaving.CompareAndSwap(nil, &at) {
		return
	}
	defer b.link.leaving.Store(nil)
	b.log.Info("this node of the broker is going to end; leaving it", zap.String("node", nc.ConnectedServerName()))
	node := nc.ConnectedServerId()
	time.Sleep(pullExpires + pullLate)
	if nc.ConnectedServerId() == node {
		_ = nc.FlushTimeout(pullLate) // it has read what was sent to it
		_ = nc.ForceReconnect()       // an error says that it was closed
	}
}
