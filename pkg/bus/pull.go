package bus

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A puller takes messages from a durable consumer, exactly as many as are asked
// for: what a client library fetches ahead has nobody who keeps it alive.
type puller struct {
	nc       *nats.Conn
	subject  string // of requests
	sub      *nats.Subscription
	messages chan *nats.Msg
	pending  int // asked for and not here yet
	silence  *time.Timer
	lost     chan nats.Status // the connection; what was asked for is lost with it
}

const (
	pullExpires   = 30 * time.Second
	pullHeartbeat = 2 * time.Second
	// pullSilence is how long the broker may say nothing about what was asked for:
	// a consumer's leader that died takes the request with it.
	pullSilence = 3 * pullHeartbeat
	// pullMost bounds what is asked for at once.
	pullMost = 1024
)

// Statuses of the broker's answers to a request that are no messages.
const (
	statusHeartbeat = "100"
	statusNotFound  = "404"
	statusTimeout   = "408"
	statusConflict  = "409"
)

func openPuller(nc *nats.Conn, cons jetstream.Consumer) (*puller, error) {
	info := cons.CachedInfo()
	p := &puller{
		nc: nc, subject: "$JS.API.CONSUMER.MSG.NEXT." + info.Stream + "." + info.Name,
		messages: make(chan *nats.Msg, 2*pullMost), silence: time.NewTimer(pullSilence),
		lost: nc.StatusChanged(nats.RECONNECTING, nats.CLOSED),
	}
	var err error
	if p.sub, err = nc.ChanSubscribe(nc.NewInbox(), p.messages); err != nil {
		return nil, fmt.Errorf("pull: %w", err)
	}
	return p, nil
}

// request asks for as many messages as want says there are slots for, less those
// on their way: once many of those have come, not for each that came.
func (p *puller) request(want int) error {
	want = min(want, pullMost)
	n := want - p.pending
	if n <= 0 || p.pending > want/2 {
		return nil
	}
	body := fmt.Appendf(nil, `{"batch":%d,"expires":%d,"idle_heartbeat":%d}`, n, pullExpires.Nanoseconds(), pullHeartbeat.Nanoseconds())
	if p.pending == 0 {
		p.silence.Reset(pullSilence)
	}
	p.pending += n
	if err := p.nc.PublishRequest(p.subject, p.sub.Subject, body); err != nil {
		return fmt.Errorf("pull: %w", err)
	}
	return nil
}

// received accounts for what came. It reports whether it is a message of the
// consumer; an error says that the puller has to be opened anew.
func (p *puller) received(m *nats.Msg) (ok bool, err error) {
	p.silence.Reset(pullSilence)
	status := m.Header.Get("Status")
	if status == "" {
		p.pending--
		return true, nil
	}
	switch status {
	case statusHeartbeat:
	case statusTimeout, statusNotFound:
		left, _ := strconv.Atoi(m.Header.Get("Nats-Pending-Messages"))
		p.pending = max(p.pending-left, 0)
	case statusConflict:
		return false, fmt.Errorf("pull: %s", m.Header.Get("Description")) // deleted, or another leader
	default:
		return false, fmt.Errorf("pull: %s %s", status, m.Header.Get("Description"))
	}
	return false, nil
}

var (
	errSilence = errors.New("pull: the broker does not answer")
	errLost    = errors.New("pull: the connection was lost")
)

// silent reports whether the broker's silence means something: not while
// nothing was asked for.
func (p *puller) silent() error {
	p.silence.Reset(pullSilence)
	if p.pending == 0 {
		return nil
	}
	return errSilence
}

// close gives back what came and was not begun, so that another replica has it
// at once.
func (p *puller) close() {
	p.silence.Stop()
	p.nc.RemoveStatusListener(p.lost)
	_ = p.sub.Drain()
	_ = p.nc.FlushTimeout(2 * time.Second) // what the broker sent before is here then
	for {
		select {
		case m := <-p.messages:
			if m != nil && m.Header.Get("Status") == "" {
				handBack(m)
			}
		default:
			return
		}
	}
}
