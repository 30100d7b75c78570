package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A puller takes messages from a durable consumer. It lasts as long as the
// connection, through reconnects and elections: what the broker sends for a
// request of before a reconnect arrives at the same inbox and is handled like any
// other. Each piece is here because nats.go's own (jetstream v1.55) lacks it:
//
//   - request asks for as many messages as there are free slots, and no more.
//     Messages and Consume keep a number that is set once on their way, also while
//     all slots are taken: those lie in a buffer without a heartbeat, until the
//     broker gives them to another process and they run twice. With one message on
//     its way there is none in the buffer, but each costs a round trip.
//   - a request ends by itself after pullExpires, with an answer. Fetch asks for an
//     exact number too, but at a shutdown its context takes the inbox away from
//     under what another node has sent already, and a new inbox for each request
//     has to be made known in the whole cluster.
//   - close lets requests end before it takes the inbox away, for the same reason.
//     Drain of Messages takes it away first.
type puller struct {
	nc          *nats.Conn
	link        *link
	subject     string // of requests
	sub         *nats.Subscription
	messages    chan *nats.Msg
	status      chan nats.Status
	pending     int         // asked for and not here yet
	due         *time.Timer // when the last request has ended, or another may be made
	paused      bool        // no request before then
	requestedAt time.Time   // when what nobody has answered was asked for first; zero: all is answered
}

const (
	// pullExpires is how long the broker keeps a request. It bounds what a shutdown
	// and the leaving of a node wait, and is less than a node that ends leaves its
	// connections (lame_duck_grace_period, 10 s).
	pullExpires = 4 * time.Second
	// pullLate is how much later the answer to a request that ended may come.
	pullLate = 500 * time.Millisecond
	// pullPause is between requests that nobody answers.
	pullPause = 250 * time.Millisecond
	// unavailableDelay is how long a consumer may be without a leader: an election takes
	// up to 9 s.
	unavailableDelay = 10 * time.Second
	// maxPull bounds what is asked for at once.
	maxPull = 1024
)

// Statuses of the broker's answers to a request that are no messages.
const (
	statusNotFound    = "404"
	statusTimeout     = "408"
	statusConflict    = "409"
	statusNoResponder = "503"
)

func openPuller(nc *nats.Conn, l *link, cons jetstream.Consumer) (*puller, error) {
	info := cons.CachedInfo()
	p := &puller{
		nc: nc, link: l, subject: "$JS.API.CONSUMER.MSG.NEXT." + info.Stream + "." + info.Name,
		messages: make(chan *nats.Msg, 2*maxPull), due: time.NewTimer(time.Hour),
		status: nc.StatusChanged(nats.CONNECTED, nats.CLOSED),
	}
	var err error
	if p.sub, err = nc.ChanSubscribe(nc.NewInbox(), p.messages); err != nil {
		return nil, fmt.Errorf("pull: %w", err)
	}
	return p, nil
}

// request asks for as many messages as want says there are slots for, less those
// on their way: once many of those have come, not for each that came.
func (p *puller) request(want int) {
	want = min(want, maxPull)
	n := want - p.pending
	if n <= 0 || p.pending > want/2 || p.paused {
		return
	}
	expires := pullExpires
	if at := p.link.leaving.Load(); at != nil {
		expires = time.Until(*at)
	}
	if expires < time.Millisecond {
		p.pause(pullLate) // another node is about to be connected to
		return
	}
	body := fmt.Appendf(nil, `{"batch":%d,"expires":%d}`, n, expires.Nanoseconds())
	if err := p.nc.PublishRequest(p.subject, p.sub.Subject, body); err != nil {
		p.pause(pullPause) // there is no connection
		return
	}
	p.pending += n
	if p.requestedAt.IsZero() {
		p.requestedAt = time.Now()
	}
	p.due.Reset(expires + pullLate)
}

func (p *puller) pause(d time.Duration) {
	p.paused = true
	p.due.Reset(d)
}

var (
	errDeleted = errors.New("pull: the consumer was deleted")
	errSilence = errors.New("pull: the consumer does not answer")
)

// accountFor accounts for what came. It reports whether it is a message of the
// consumer; an error says that the consumer has to be opened anew.
func (p *puller) accountFor(m *nats.Msg) (ok bool, err error) {
	status := m.Header.Get("Status")
	if status == "" {
		p.pending, p.requestedAt = max(p.pending-1, 0), time.Time{}
		return true, nil
	}
	switch status {
	case statusNoResponder: // an election
		p.pending = 0
		p.pause(pullPause)
		return false, nil
	case statusConflict:
		if m.Header.Get("Description") == "Consumer Deleted" {
			p.pending = 0
			return false, errDeleted
		}
		p.pause(pullPause) // another leader, or the node ends
	case statusTimeout, statusNotFound:
	default:
		return false, fmt.Errorf("pull: %s %s", status, m.Header.Get("Description"))
	}
	p.requestedAt = time.Time{}
	if left, err := strconv.Atoi(m.Header.Get("Nats-Pending-Messages")); err == nil {
		p.pending = max(p.pending-left, 0)
	} else {
		p.pending = 0
	}
	return false, nil
}

// overdue is called when due fires: what was asked for did not come, or the pause
// is over. An error says that the consumer has to be opened anew.
func (p *puller) overdue() error {
	p.pending, p.paused = 0, false
	p.due.Reset(time.Hour)
	if !p.requestedAt.IsZero() && time.Since(p.requestedAt) > unavailableDelay {
		return errSilence
	}
	return nil
}

// noteStatus is called with each status of the connection: after a reconnect what was
// asked for may be gone with the node that was lost. If it is not, more comes than
// there are slots for, and is given back.
func (p *puller) noteStatus(s nats.Status) error {
	if s == nats.CLOSED {
		return nats.ErrConnectionClosed
	}
	p.pending, p.paused, p.requestedAt = 0, false, time.Time{}
	return nil
}

// close gives back what came and was not begun, so that another replica has it at
// once. In a cluster it waits for requests to end; a single node has sent all that
// it will when it answers a flush.
func (p *puller) close(giveBack func(*nats.Msg)) {
	defer p.nc.RemoveStatusListener(p.status)
	if p.nc.ConnectedClusterName() != "" {
		p.await(giveBack)
	}
	_ = p.sub.Drain()
	_ = p.nc.FlushTimeout(2 * time.Second)
	for {
		select {
		case m := <-p.messages:
			if m != nil && m.Header.Get("Status") == "" {
				giveBack(m)
			}
		default:
			return
		}
	}
}

// await takes what was asked for, until nothing is left of it or its time is over.
func (p *puller) await(giveBack func(*nats.Msg)) {
	for p.pending > 0 {
		select {
		case m := <-p.messages:
			if m == nil {
				return
			}
			if ok, err := p.accountFor(m); ok {
				giveBack(m)
			} else if err != nil {
				return
			}
		case s := <-p.status:
			if p.noteStatus(s) != nil {
				return
			}
		case <-p.due.C:
			return
		}
	}
}

// awaitMessage waits for what happens: a message, or nil for anything else. An error says
// that the consumer has to be opened anew.
func (p *puller) awaitMessage(ctx context.Context, freed <-chan struct{}) (*nats.Msg, error) {
	select {
	case <-ctx.Done():
	case <-freed:
	case s := <-p.status:
		return nil, p.noteStatus(s)
	case <-p.due.C:
		return nil, p.overdue()
	case m := <-p.messages:
		if m == nil {
			return nil, nats.ErrConnectionClosed
		}
		if ok, err := p.accountFor(m); !ok {
			return nil, err
		}
		return m, nil
	}
	return nil, nil
}
