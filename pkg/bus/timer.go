package bus

import (
	"context"
	"fmt"
	"time"

	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const hDue = "ce-due"

// dueKept is how long a fired timer stays in the stream if nobody takes it.
const dueKept = "720h"

// Schedule implements aggregate.Timers by a server-side schedule.
func (b *Bus) Schedule(ctx context.Context, t contract.Timer) error {
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	subject := contract.TimerSubject(t.Aggregate, t.AggregateID, t.What)
	msg := b.commandMsg(ctx, subject, t.Command)
	set(msg.Header, hDue, t.Due.UTC().Format(timeFormat))
	set(msg.Header, jetstream.ScheduleHeader, "@at "+t.Due.UTC().Format(time.RFC3339))
	set(msg.Header, jetstream.ScheduleTargetHeader, contract.DueSubject(t.Aggregate, t.AggregateID, t.What))
	set(msg.Header, jetstream.ScheduleTTLHeader, dueKept)
	if _, err := b.js.PublishMsg(ctx, msg); err != nil {
		return fmt.Errorf("schedule %s of %s %s: %w", t.What, t.Aggregate, t.AggregateID, err)
	}
	return nil
}

// RunTimers turns what fell due into commands, until ctx ends. Replicas share
// the work.
func (b *Bus) RunTimers(ctx context.Context) error {
	cons, err := b.consumer(ctx, contract.TimerStream, jetstream.ConsumerConfig{
		Durable: "timers-v1", FilterSubject: "timer.*.*.*.due",
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: b.cfg.AckWait, MaxDeliver: -1,
	})
	if ctx.Err() != nil {
		return nil // told to stop before it had begun
	}
	if err != nil {
		return fmt.Errorf("timers: %w", err)
	}
	return b.each(ctx, cons, make(chan struct{}, 4), func(msg jetstream.Msg) { b.fire(ctx, msg) })
}

// fire sends the command of one due timer. Schedules fire up to a second early,
// so it waits for the rest by asking for another delivery.
func (b *Bus) fire(ctx context.Context, msg jetstream.Msg) {
	c, err := decodeCommand(nats.Header(msg.Headers()), msg.Data())
	if err != nil {
		b.bury(ctx, msg, contract.CommandName{Service: "timer", Verb: "undecodable"}, err, 1)
		return
	}
	due, err := time.Parse(timeFormat, get(nats.Header(msg.Headers()), hDue))
	if early := due.Sub(b.now()); err == nil && early > 0 {
		_ = msg.NakWithDelay(early + time.Millisecond)
		return
	}
	if err := b.Send(ctx, c); err != nil {
		_ = msg.NakWithDelay(time.Second)
		return
	}
	_ = msg.Ack()
}
