package bus

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

const (
	hReason     = "dead-reason"
	hFailed     = "dead-failed"
	hUnfinished = "dead-unfinished"
	hOrigin     = "dead-origin"
	hDeadAt     = "dead-at"
)

// deadLetter copies a message to the dead letters first and ends it second: a
// crash between the two leaves a duplicate, not a loss.
func (b *Bus) deadLetter(ctx context.Context, msg *nats.Msg, name contract.CommandName, why error, a flow.Attempts) {
	h := nats.Header{}
	for k, v := range msg.Header {
		// The broker's own, such as those of a schedule that fired, it would take for
		// orders, and refuse.
		if !strings.HasPrefix(strings.ToLower(k), "nats-") {
			h[k] = v
		}
	}
	if err := b.publishDead(ctx, name, msg.Subject, h, msg.Data, why, a); err != nil {
		b.log.Warn("a dead letter was not stored", zap.Error(err), trace.ID(ctx))
		b.respond(msg, nakAfter(5*time.Second))
		return
	}
	b.respond(msg, ackTerm)
}

func (b *Bus) publishDead(ctx context.Context, name contract.CommandName, origin string, h nats.Header, data []byte, why error, a flow.Attempts) error {
	set(h, hReason, headerText(why.Error()))
	set(h, hFailed, strconv.Itoa(a.Failed))
	set(h, hUnfinished, strconv.Itoa(len(a.Unfinished)))
	set(h, hOrigin, origin)
	set(h, hDeadAt, b.now().UTC().Format(timeFormat))
	subject := contract.DeadSubject(name.Service, name.Verb)
	s, _, err := b.layout.holding(contract.DeadLetterStream, subject)
	if err != nil {
		return err
	}
	if _, err := b.publish(context.WithoutCancel(ctx), s, &nats.Msg{Subject: subject, Header: h, Data: data}); err != nil {
		return err
	}
	b.metrics.dead.WithLabelValues(name.String()).Inc()
	return nil
}

// headerText makes a text fit for a header.
func headerText(s string) string {
	out := []rune(s)
	for i, r := range out {
		if r < ' ' {
			out[i] = ' '
		}
	}
	if len(out) > 2000 {
		out = out[:2000]
	}
	return string(out)
}

// A DeadLetter is a command that could not be handled, or an event that could
// not be read.
type DeadLetter struct {
	Seq        uint64
	Subject    string // dead.<service>.<verb>
	Origin     string // where it came from
	Reason     string // why it was not tried again
	Failed     int    // attempts that failed
	Unfinished int    // attempts of whose end nothing is known
	At         time.Time
	Command    contract.Command // as far as it could be decoded
	Labels     contract.Labels  // of the command, or of the event that could not be read
	Data       []byte
}

// DeadLetters gives up to limit dead letters from sequence from on, oldest first.
func (b *Bus) DeadLetters(ctx context.Context, from uint64, limit int) ([]DeadLetter, error) {
	var out []DeadLetter
	err := b.scan(ctx, contract.DeadLetterStream, "dead.>", from, limit, func(m *jetstream.RawStreamMsg) {
		out = append(out, decodeDead(m))
	})
	return out, err
}

func decodeDead(m *jetstream.RawStreamMsg) DeadLetter {
	c, _ := decodeCommand(m.Header, m.Data) // an undecodable one is shown as it is
	at, _ := time.Parse(timeFormat, get(m.Header, hDeadAt))
	failed, _ := strconv.Atoi(get(m.Header, hFailed))
	unfinished, _ := strconv.Atoi(get(m.Header, hUnfinished))
	return DeadLetter{
		Seq: m.Sequence, Subject: m.Subject, Origin: get(m.Header, hOrigin), Reason: get(m.Header, hReason),
		Failed: failed, Unfinished: unfinished, At: at, Command: c, Labels: contract.ParseLabels(get(m.Header, hLabels)), Data: m.Data,
	}
}

// Replay sends a dead letter's command again, then removes the letter. The
// request that it answers had its outcome, so nobody waits for another.
func (b *Bus) Replay(ctx context.Context, seq uint64) error {
	s, err := b.deadLetters()
	if err != nil {
		return err
	}
	m, err := b.messageAt(ctx, s, seq)
	if err != nil {
		return fmt.Errorf("dead letter %d: %w", seq, err)
	}
	c, err := decodeCommand(m.Header, m.Data)
	if err != nil {
		return fmt.Errorf("dead letter %d: %w", seq, err)
	}
	if named := contract.DeadSubject(c.Name.Service, c.Name.Verb); m.Subject != named {
		// Of what was refused for what it carries, or was never a service's own.
		return fmt.Errorf("dead letter %d: %s holds the command %s: it can only be discarded", seq, m.Subject, c.Name)
	}
	c.Cause, c.ID, c.Replay = c.ID, ReplayID(c.ID, seq), true
	if err := b.Send(ctx, c); err != nil {
		return err
	}
	return b.Discard(ctx, seq)
}

// ReplayID is the id of the command that a dead letter is sent again as.
func ReplayID(command string, seq uint64) string {
	return contract.DeriveID(command, "replay", strconv.FormatUint(seq, 10))
}

func (b *Bus) deadLetters() (jetstream.Stream, error) {
	s, _, err := b.layout.holding(contract.DeadLetterStream, "")
	return s, err
}

// Discard removes a dead letter for good: the broker overwrites it on its disk.
func (b *Bus) Discard(ctx context.Context, seq uint64) error {
	s, err := b.deadLetters()
	if err != nil {
		return err
	}
	if err := b.overwrite(ctx, s, seq); err != nil {
		return fmt.Errorf("dead letter %d: %w", seq, err)
	}
	return nil
}
