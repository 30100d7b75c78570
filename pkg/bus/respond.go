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

// respond sends an answer to a delivery. In a cluster it insists, without making its
// caller wait: an answer that comes while its consumer gets another leader is lost
// without a word, and the delivery comes again once the broker gives up on this process.
// A broker of one node loses an answer only with its connection.
func (b *Bus) respond(msg *nats.Msg, answer []byte) {
	if b.clustered {
		b.responses.Go(func() { b.insist(msg, answer) })
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), respondTimeout)
	defer cancel()
	for ctx.Err() == nil && b.nc.Publish(msg.Reply, answer) != nil && !b.nc.IsClosed() {
		if b.link.awaitConnection(ctx); b.nc.IsReconnecting() {
			pause(ctx, maxAgree)
		}
	}
}

// insist sends an answer until the consumer has confirmed it: where that fails, the
// delivery waits for as long as one whose process died.
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
