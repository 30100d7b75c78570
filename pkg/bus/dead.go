package bus

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

const (
	hReason   = "dead-reason"
	hAttempts = "dead-attempts"
	hOrigin   = "dead-origin"
	hBuriedAt = "dead-at"
)

// bury copies a message to the dead letters first and ends it second: a crash
// between the two leaves a duplicate, not a loss.
func (b *Bus) bury(ctx context.Context, msg jetstream.Msg, name contract.CommandName, why error, attempt int) {
	h := nats.Header{}
	for k, v := range msg.Headers() {
		if k != nats.MsgIdHdr {
			h[k] = v
		}
	}
	set(h, hReason, oneLine(why.Error()))
	set(h, hAttempts, strconv.Itoa(attempt))
	set(h, hOrigin, msg.Subject())
	set(h, hBuriedAt, b.now().UTC().Format(timeFormat))
	dead := &nats.Msg{Subject: contract.DeadSubject(name.Service, name.Verb), Header: h, Data: msg.Data()}
	if _, err := b.js.PublishMsg(ctx, dead); err != nil {
		b.log.Warn("bury", zap.Error(err))
		_ = msg.NakWithDelay(5 * time.Second)
		return
	}
	b.metrics.buried.WithLabelValues(name.String()).Inc()
	_ = msg.TermWithReason("buried")
}

// oneLine makes a text fit for a header.
func oneLine(s string) string {
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

// A DeadLetter is a command that could not be handled.
type DeadLetter struct {
	Seq      uint64
	Subject  string // dead.<service>.<verb>
	Origin   string // where it came from
	Reason   string
	Attempts int
	At       time.Time
	Command  contract.Command // as far as it could be decoded
	Data     []byte
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
	at, _ := time.Parse(timeFormat, get(m.Header, hBuriedAt))
	attempts, _ := strconv.Atoi(get(m.Header, hAttempts))
	return DeadLetter{
		Seq: m.Sequence, Subject: m.Subject, Origin: get(m.Header, hOrigin), Reason: get(m.Header, hReason),
		Attempts: attempts, At: at, Command: c, Data: m.Data,
	}
}

// Replay sends a dead letter's command again, as a new wish without a waiting
// client (its request had its outcome), then removes the letter.
func (b *Bus) Replay(ctx context.Context, seq uint64) error {
	s, err := b.js.Stream(ctx, contract.DeadLetterStream)
	if err != nil {
		return fmt.Errorf("dead letters: %w", err)
	}
	m, err := s.GetMsg(ctx, seq)
	if err != nil {
		return fmt.Errorf("dead letter %d: %w", seq, err)
	}
	c, err := decodeCommand(m.Header, m.Data)
	if err != nil {
		return fmt.Errorf("dead letter %d: %w", seq, err)
	}
	c.Cause, c.ID, c.Request = c.ID, contract.DeriveID(c.ID, "replay", strconv.FormatUint(seq, 10)), ""
	if err := b.Send(ctx, c); err != nil {
		return err
	}
	return b.Discard(ctx, seq)
}

// Discard removes a dead letter for good.
func (b *Bus) Discard(ctx context.Context, seq uint64) error {
	s, err := b.js.Stream(ctx, contract.DeadLetterStream)
	if err != nil {
		return fmt.Errorf("dead letters: %w", err)
	}
	if err := s.DeleteMsg(ctx, seq); err != nil {
		return fmt.Errorf("dead letter %d: %w", seq, err)
	}
	return nil
}
