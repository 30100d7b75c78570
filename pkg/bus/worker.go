package bus

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
	"boardorder/pkg/trace"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/attribute"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Work says how a service takes its commands.
type Work struct {
	Service  string // consumes cmd.<service>.>
	Claims   bool   // and req.<service>.>, commands that hold a key
	Handlers flow.Handlers
	GiveUp   flow.Handlers // end what commands began that become dead letters
	// Risky commands may kill the process: that an attempt begins is written down
	// before each run.
	Risky    []contract.CommandName
	Parallel int           // commands run at once, in this process, of each of the two kinds
	Limit    time.Duration // for one run of a handler; 0 = 5 minutes
	Stop     time.Duration // for what runs when the process is asked to stop; 0 = 15 s. Risky commands have 2 s at most
	Policy   flow.Policy   // zero: flow.DefaultPolicy
}

// Serve handles a service's commands until ctx ends, then finishes those that
// end soon and gives back the others. Replicas share the work.
func (b *Bus) Serve(ctx context.Context, w Work) error {
	if w.Policy.Failures == 0 {
		w.Policy = flow.DefaultPolicy()
	}
	if w.Limit == 0 {
		w.Limit = 5 * time.Minute
	}
	if w.Stop == 0 {
		w.Stop = stopTimeout
	}
	streams := []string{contract.CommandStream}
	if w.Claims {
		streams = append(streams, contract.RequestStream)
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, declared := range streams {
		parts := b.layout.partsOf(declared)
		for _, s := range parts {
			// Each kind has slots of its own, so that neither takes all.
			slots := newSlots((w.Parallel + len(parts) - 1) / len(parts))
			group.Go(func() error {
				return b.consume(ctx, s, w.Service, slots, func(msg *nats.Msg, ackWait time.Duration) {
					b.handle(ctx, w, slots, msg, ackWait)
				})
			})
		}
	}
	return group.Wait()
}

// stopTimeout is how long what runs may go on when the process is asked to
// stop. Risky work is a worker's, which takes seconds to minutes and is begun
// anew elsewhere: waiting for it would only delay it.
const (
	stopTimeout      = 15 * time.Second
	riskyStopTimeout = 2 * time.Second
)

// maxMissing is how long a consumer may be missing until the process ends, so
// that whoever started it notices.
const maxMissing = 30 * time.Second

// slots bound how many commands run at once.
type slots struct {
	taken chan struct{}
	freed chan struct{} // holds one signal
}

func newSlots(n int) *slots {
	return &slots{make(chan struct{}, max(n, 1)), make(chan struct{}, 1)}
}

func (s *slots) free() int { return cap(s.taken) - len(s.taken) }

// acquire waits a moment: the slot that a command was asked for may have gone to
// one that waited.
func (s *slots) acquire() bool {
	select {
	case s.taken <- struct{}{}:
		return true
	case <-time.After(slotTimeout):
		return false
	}
}

// slotTimeout is how long a command that was fetched waits for a slot. Then
// another replica may have one.
const slotTimeout = time.Second

func (s *slots) release() {
	<-s.taken
	select {
	case s.freed <- struct{}{}:
	default:
	}
}

// consume takes messages from a durable consumer, each only once there is a
// slot for it, and hands them to do, with the time after which the broker wants
// a heartbeat; until ctx ends and all are done. A consumer that was deleted is
// opened again; one that stays missing is an error.
func (b *Bus) consume(ctx context.Context, s jetstream.Stream, name string, slots *slots, do func(*nats.Msg, time.Duration)) error {
	var running sync.WaitGroup // beyond a consumer that has to be opened again
	defer running.Wait()
	return b.keepOpen(ctx, s, name, func(cons jetstream.Consumer) error {
		return b.pullMessages(ctx, cons, slots, &running, do)
	})
}

// keepOpen runs use over a consumer, and again after it failed. What it does is
// shown by Ready and the metric consumer_running.
func (b *Bus) keepOpen(ctx context.Context, s jetstream.Stream, name string, use func(jetstream.Consumer) error) error {
	stream := s.CachedInfo().Config.Name
	full := name + " of " + stream
	defer b.health.remove(full)
	running := b.metrics.running.WithLabelValues(stream, name)
	defer running.Set(0)
	down := outage{log: b.log.With(zap.String("stream", stream), zap.String("consumer", name)), now: time.Now}
	var since time.Time // it has been missing
	for ctx.Err() == nil {
		cons, err := openConsumer(ctx, s, name)
		if err == nil {
			since = time.Time{}
			b.health.set(full, nil)
			running.Set(1)
			steady := time.AfterFunc(steadyAfter, down.noteRecovery)
			err = use(cons)
			steady.Stop()
		}
		if ctx.Err() != nil {
			return nil
		}
		running.Set(0)
		b.health.set(full, err)
		next := down.noteFailure(err)
		if !errors.Is(err, ErrTopology) {
			since = time.Time{}
		} else if since.IsZero() {
			since = time.Now()
		} else if time.Since(since) > maxMissing {
			return err
		}
		pause(ctx, next)
	}
	return nil
}

// pullMessages runs until ctx ends, which is no error, or the consumer fails.
func (b *Bus) pullMessages(ctx context.Context, cons jetstream.Consumer, slots *slots, running *sync.WaitGroup, do func(*nats.Msg, time.Duration)) error {
	p, err := openPuller(b.nc, b.link, cons)
	if err != nil {
		return err
	}
	defer p.close(b.handBack)
	ackWait := cons.CachedInfo().Config.AckWait
	for ctx.Err() == nil {
		p.request(slots.free())
		m, err := p.awaitMessage(ctx, slots.freed)
		if err != nil {
			return err
		}
		if m != nil {
			running.Go(func() { b.begin(m, ackWait, slots, do) })
		}
	}
	return nil
}

// begin runs a message in a slot, or gives it back if there is none after all.
func (b *Bus) begin(m *nats.Msg, ackWait time.Duration, slots *slots, do func(*nats.Msg, time.Duration)) {
	if !slots.acquire() {
		b.handBack(m)
		return
	}
	defer slots.release()
	do(m, ackWait)
}

// A delivery is one command that this process holds: it runs, or waits to run
// again.
type delivery struct {
	bus     *Bus
	work    Work
	msg     *nats.Msg
	slots   *slots
	command contract.Command
	handler flow.Handler
	risky   bool
	rest    func() // ends the heartbeats
}

// maxHold bounds how many commands a process holds that wait. Others wait at
// the broker, which does not wake them early.
const maxHold = 4000

var held atomic.Int64

// handle carries out one delivery. Shutdown ends the fetching, not a handler
// that has begun.
func (b *Bus) handle(ctx context.Context, w Work, slots *slots, msg *nats.Msg, ackWait time.Duration) {
	c, err := decodeCommand(msg.Header, msg.Data)
	if err != nil {
		b.deadLetter(ctx, msg, contract.CommandName{Service: w.Service, Verb: "undecodable"}, err, flow.Attempts{})
		return
	}
	d := &delivery{bus: b, work: w, msg: msg, slots: slots, command: c, rest: keepAlive(ackWait/heartbeats, msg)}
	defer d.rest()
	if !d.prepare() {
		return
	}
	defer b.hand.drop(d)
	recordQueue(senderContext(ctx, msg), w.Service, msg, b.now())
	for d.run(ctx) {
	}
}

// redeliver asks for another delivery after a time. No heartbeat may follow: it would
// count from then.
func (d *delivery) redeliver(after time.Duration) {
	d.rest()
	d.bus.insist(d.msg, nakAfter(after))
}

// unknownFor is how long a command that no handler is known for is left to
// replicas of another version.
const unknownFor = time.Hour

// prepare finds the handler. During a rollout a replica may get a command that
// only others know.
func (d *delivery) prepare() (ok bool) {
	var number uint64
	if meta, err := d.msg.Metadata(); err == nil {
		number = meta.NumDelivered
	}
	d.risky = number >= flow.Suspicious || slices.Contains(d.work.Risky, d.command.Name)
	d.bus.hand.take(d, number)
	if d.handler, ok = d.work.Handlers[d.command.Name]; ok {
		return true
	}
	if d.bus.now().Sub(d.command.At) < unknownFor {
		d.bus.hand.drop(d)
		// By chance: in step with the requests of the others it would come back here each time.
		d.redeliver(time.Second + rand.N(2*time.Second))
		return false
	}
	d.handler = func(context.Context, contract.Command) error {
		return flow.Permanent(fmt.Errorf("no handler for %s", d.command.Name))
	}
	return true
}

// run makes one attempt and settles what becomes of the delivery. It reports
// whether there shall be another one now.
func (d *delivery) run(ctx context.Context) (again bool) {
	limited, cancel := d.runContext(ctx)
	defer cancel()
	limited = senderContext(limited, d.msg)
	limited, end := trace.Handle(limited, d.command.Name.String(), attribute.String("command", d.command.ID))
	b, start := d.bus, d.bus.now()
	var failure error
	defer func() { end(failure) }()
	b.hand.running(d)
	attempts, run, err := d.begin(limited)
	if dead, ok := errors.AsType[*exhausted](err); ok {
		d.giveUp(limited, dead.why, attempts)
		return false
	}
	if err != nil {
		b.log.Warn("attempts cannot be counted", zap.String("id", d.command.ID), zap.Error(err), trace.ID(limited))
		d.redeliver(time.Second)
		go d.endLater(ctx, run, flow.Verdict{Kind: flow.Interrupted})
		return false
	}
	v := flow.Run(limited, b, d.handler, d.command, b.now)
	settling, cancel := context.WithTimeout(context.WithoutCancel(limited), settleTimeout)
	defer cancel()
	attempts, v, err = d.end(settling, attempts, run, v)
	if v.Kind == flow.Retry || v.Kind == flow.DeadLetter {
		failure = v.Err
	}
	if err != nil {
		go d.endLater(ctx, run, v)
	}
	b.metrics.noteHandle(d.command.Name.String(), v.Kind.String(), b.now().Sub(start))
	b.logVerdict(limited, d.command, v, attempts, b.now().Sub(start))
	switch v.Kind {
	case flow.Done:
		b.metrics.noteOutcome(d.command, b.now())
		b.respond(d.msg, ackDone)
	case flow.Retry:
		d.redeliver(v.After)
	case flow.Wait:
		return d.wait(ctx, v)
	case flow.Interrupted:
		d.redeliver(0)
	case flow.DeadLetter:
		d.giveUp(settling, v.Err, attempts)
	}
	return false
}

// settleTimeout is for writing down what became of a run.
const settleTimeout = 10 * time.Second

// runContext is the context of one run: it ends after the limit, and some time
// after ctx does, with the cause flow.ErrStopping.
func (d *delivery) runContext(ctx context.Context) (context.Context, context.CancelFunc) {
	grace := d.work.Stop
	if slices.Contains(d.work.Risky, d.command.Name) {
		grace = min(grace, riskyStopTimeout)
	}
	stopping, interrupt := context.WithCancelCause(context.WithoutCancel(ctx))
	limited, cancel := context.WithTimeout(stopping, d.work.Limit)
	unhook := context.AfterFunc(ctx, func() {
		pause(limited, grace)
		interrupt(flow.ErrStopping)
	})
	return limited, func() {
		unhook()
		cancel()
		interrupt(nil)
	}
}

// giveUp answers who waits first, then keeps the command for people.
func (d *delivery) giveUp(ctx context.Context, why error, attempts flow.Attempts) {
	if err := flow.GiveUp(ctx, d.bus, d.work.GiveUp, d.command, d.bus.now); err != nil {
		d.bus.log.Warn("giving a command up failed", zap.String("id", d.command.ID), zap.Error(err), trace.ID(ctx))
		d.redeliver(5 * time.Second)
		return
	}
	d.bus.deadLetter(ctx, d.msg, d.command.Name, why, attempts)
}

// wait holds a command without a slot until its time has come. It gives the
// command back to the broker when the process is asked to stop.
func (d *delivery) wait(ctx context.Context, v flow.Verdict) (again bool) {
	if held.Add(1) > maxHold {
		held.Add(-1)
		d.redeliver(v.After)
		return false
	}
	defer held.Add(-1)
	early, what := make(chan struct{}, 1), ""
	if v.Until.ID != "" {
		what = string(v.Until.Of) + "/" + v.Until.ID
		stop, err := d.bus.WatchChange(v.Until.Of, v.Until.ID, func(*contract.Event) {
			select {
			case early <- struct{}{}:
			default:
			}
		})
		if err == nil { // without it the time decides
			defer stop()
		}
	}
	d.bus.hand.waiting(d, what, v.After)
	start := d.bus.now()
	defer func() {
		trace.Record(senderContext(ctx, d.msg), "wait", start, d.bus.now(), nil, attribute.String("for", what))
	}()
	d.slots.release()
	timer := time.NewTimer(v.After)
	defer timer.Stop()
	again = true
	select {
	case <-timer.C:
	case <-early:
	case <-ctx.Done():
		again = false
		d.redeliver(0)
	}
	d.slots.taken <- struct{}{} // at a shutdown all come free
	return again
}

// heartbeats is how many a handler gives within the time that the broker waits
// for one.
const heartbeats = 3

// keepAlive gives heartbeats for messages until it is stopped. Most handlers end
// before the first, so it costs no more than a timer.
func keepAlive(every time.Duration, msgs ...*nats.Msg) (stop func()) {
	var mu sync.Mutex
	var beat *time.Timer
	done := false
	mu.Lock()
	defer mu.Unlock()
	beat = time.AfterFunc(every, func() {
		mu.Lock()
		defer mu.Unlock()
		if done { // an acknowledged message needs none
			return
		}
		for _, m := range msgs {
			_ = m.InProgress() // the next one makes up for one that is lost
		}
		beat.Reset(every)
	})
	return func() {
		beat.Stop()
		mu.Lock()
		defer mu.Unlock()
		done = true
	}
}

func (b *Bus) logVerdict(ctx context.Context, c contract.Command, v flow.Verdict, a flow.Attempts, took time.Duration) {
	if v.Kind == flow.Done && v.Refused == "" && !b.log.Core().Enabled(zap.DebugLevel) {
		return // nearly all
	}
	fields := []zap.Field{
		zap.Stringer("command", c.Name), zap.String("id", c.ID), zap.String("request", c.Request),
		zap.String("account", c.Account), zap.String("cause", c.Cause), zap.Int("failed", a.Failed),
		zap.Duration("took", took), zap.Stringer("verdict", v.Kind), trace.ID(ctx),
	}
	if v.Refused != "" {
		fields = append(fields, zap.String("refused", string(v.Refused)))
	}
	switch {
	case v.Kind == flow.DeadLetter:
		b.log.Error("command became a dead letter", append(fields, zap.Error(v.Err))...)
	case v.Kind == flow.Retry && isPower(a.Failed+a.Unavailable):
		b.log.Warn("command will be tried again", append(fields, zap.Error(v.Err))...)
	case v.Refused != "" && c.Request == "": // nobody waits for it
		b.log.Warn("command refused", fields...)
	default:
		b.log.Debug("command handled", append(fields, zap.Error(v.Err))...)
	}
	if p, ok := errors.AsType[*flow.PanicError](v.Err); ok {
		b.log.Error("handler panicked", zap.String("id", c.ID), zap.ByteString("stack", p.Stack), trace.ID(ctx))
	}
}

// isPower reports whether n is 1, 2, 4, 8, …
func isPower(n int) bool { return n&(n-1) == 0 }
