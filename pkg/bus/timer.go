package bus

import (
	"context"
	"fmt"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/flow"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

const (
	hDue       = "ce-due"
	hScheduler = "Nats-Scheduler" // set by the broker: the subject of the schedule
)

// dueRetention is how long a fired timer stays in the stream if nobody takes it.
const dueRetention = "720h"

// Schedule implements aggregate.Timers by a server-side schedule.
func (b *Bus) Schedule(ctx context.Context, t contract.Timer) error {
	if err := registry.CheckTimer(t.Aggregate, t.Command.Name); err != nil {
		return flow.Permanent(err)
	}
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	subject := contract.TimerSubject(t.Aggregate, t.AggregateID, t.What)
	msg := b.commandMsg(ctx, subject, t.Command)
	set(msg.Header, hDue, t.Due.UTC().Format(timeFormat))
	set(msg.Header, jetstream.ScheduleHeader, "@at "+t.Due.UTC().Format(time.RFC3339))
	set(msg.Header, jetstream.ScheduleTargetHeader, contract.DueSubject(t.Aggregate, t.AggregateID, t.What))
	set(msg.Header, jetstream.ScheduleTTLHeader, dueRetention)
	s, _, err := b.layout.holding(contract.TimerStream, t.AggregateID)
	if err != nil {
		return err
	}
	if _, err := b.publish(ctx, s, msg); err != nil {
		return fmt.Errorf("schedule %s of %s %s: %w", t.What, t.Aggregate, t.AggregateID, err)
	}
	return nil
}

// timerSlots is how many due timers a process handles at once.
const timerSlots = 4

// RunTimers turns what fell due into commands, until ctx ends. Replicas share
// the work.
func (b *Bus) RunTimers(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, s := range b.layout.partsOf(contract.TimerStream) {
		slots := newSlots(timerSlots)
		group.Go(func() error {
			return b.consume(ctx, s, contract.TimerConsumer, slots, func(msg *nats.Msg, _ time.Duration) { b.fire(ctx, msg) })
		})
	}
	return group.Wait()
}

// fire sends the command of one due timer. Schedules fire up to a second early,
// so it waits for the rest by asking for another delivery: once, and by the
// broker's clock, since that of this process may be wrong by hours.
func (b *Bus) fire(ctx context.Context, msg *nats.Msg) {
	c, err := decodeCommand(msg.Header, msg.Data)
	if err != nil {
		b.deadLetter(ctx, msg, contract.CommandName{Service: "timer", Verb: "undecodable"}, err, flow.Attempts{})
		return
	}
	if err := checkDue(msg, c.Name); err != nil {
		b.log.Error("a timer that nobody may set fell due", zap.String("subject", msg.Subject), zap.String("command", c.Name.String()), zap.Error(err))
		b.deadLetter(ctx, msg, contract.CommandName{Service: "timer", Verb: "forged"}, err, flow.Attempts{})
		return
	}
	if early := early(msg); early > 0 {
		b.insist(msg, nakAfter(early+time.Millisecond))
		return
	}
	if err := b.Send(senderContext(context.WithoutCancel(ctx), msg), c); err != nil {
		b.insist(msg, nakAfter(time.Second))
		return
	}
	b.respond(msg, ackDone)
}

// checkDue refuses a command that timers of the due message's aggregate do not
// carry, and a message that the schedule of another aggregate was aimed to put here:
// the broker lets a schedule name any subject of its stream.
func checkDue(msg *nats.Msg, name contract.CommandName) error {
	aggregate, schedule, ok := contract.ParseDueSubject(msg.Subject)
	if !ok {
		return fmt.Errorf("%s is no subject of a timer", msg.Subject)
	}
	if by := get(msg.Header, hScheduler); by != schedule {
		return fmt.Errorf("the timer was set as %q, not as %s", by, schedule)
	}
	return registry.CheckTimer(aggregate, name)
}

// early is how long before its time a due message was stored, on its first
// delivery; otherwise 0.
func early(msg *nats.Msg) time.Duration {
	due, err := time.Parse(timeFormat, get(msg.Header, hDue))
	if err != nil {
		return 0
	}
	meta, err := msg.Metadata()
	if err != nil || meta.NumDelivered > 1 {
		return 0
	}
	return due.Sub(meta.Timestamp)
}
