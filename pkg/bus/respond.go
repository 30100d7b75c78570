package bus

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// What a process answers to a delivery.
var (
	ackDone = []byte("+ACK")
	ackTerm = []byte("+TERM")
)

// nakAfter asks for another delivery. The delay makes the broker write it down:
// without one a restart, or another leader, would forget it and wait for a
// heartbeat.
func nakAfter(d time.Duration) []byte {
	return fmt.Appendf(nil, `-NAK {"delay": %d}`, max(d, time.Millisecond).Nanoseconds())
}

// respond sends an answer, as soon as there is a connection. One that is lost with
// its connection costs a delivery that finds the work done.
func (b *Bus) respond(msg *nats.Msg, answer []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), respondTimeout)
	defer cancel()
	for ctx.Err() == nil && b.nc.Publish(msg.Reply, answer) != nil && !b.nc.IsClosed() {
		if b.link.awaitConnection(ctx); b.nc.IsReconnecting() {
			pause(ctx, maxAgree)
		}
	}
}

// insist sends an answer until the consumer has confirmed it: a command that is to
// run again waits otherwise for as long as one whose process died.
func (b *Bus) insist(msg *nats.Msg, answer []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), respondTimeout)
	defer cancel()
	for ctx.Err() == nil && !b.nc.IsClosed() {
		limited, cancel := context.WithTimeout(ctx, insistTimeout)
		_, err := ask(limited, b.link, func(ctx context.Context) (*nats.Msg, error) { return b.nc.RequestWithContext(ctx, msg.Reply, answer) })
		cancel()
		if err == nil {
			return
		}
		pause(ctx, maxAgree)
	}
}

const (
	// respondTimeout is when the broker gives a command to another process anyway.
	respondTimeout = DefaultAckWait
	// insistTimeout is how long a consumer may take to confirm.
	insistTimeout = time.Second
)

// handBack lets another process have a message at once.
func (b *Bus) handBack(msg *nats.Msg) { b.respond(msg, nakAfter(0)) }
