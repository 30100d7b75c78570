package bus

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/flow"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// beats is how many signs of life a handler gives within the time that the
// server waits for one.
const beats = 3

// Work says how a service takes its commands.
type Work struct {
	Service  string // consumes cmd.<service>.*
	Claims   bool   // and cmd.<service>.*.*, commands that hold a key
	Handlers flow.Handlers
	Parallel int           // commands in hand at once, in this process
	Limit    time.Duration // for one run of a handler; 0 = 5 minutes
	Policy   flow.Policy   // zero: flow.DefaultPolicy
}

// Serve handles a service's commands until ctx ends, then finishes those in
// hand. Replicas share the work.
func (b *Bus) Serve(ctx context.Context, w Work) error {
	if w.Policy.Attempts == 0 {
		w.Policy = flow.DefaultPolicy()
	}
	if w.Limit == 0 {
		w.Limit = 5 * time.Minute
	}
	slots := make(chan struct{}, max(w.Parallel, 1))
	group, ctx := errgroup.WithContext(ctx)
	take := func(stream, filter string) {
		group.Go(func() error { return b.take(ctx, w, stream, filter, slots) })
	}
	take(contract.CommandStream, "cmd."+w.Service+".*")
	if w.Claims {
		take(contract.RequestStream, "cmd."+w.Service+".*.*")
	}
	return group.Wait()
}

func (b *Bus) take(ctx context.Context, w Work, stream, filter string, slots chan struct{}) error {
	cons, err := b.consumer(ctx, stream, jetstream.ConsumerConfig{
		Durable: w.Service + "-v1", FilterSubject: filter,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: b.cfg.AckWait, MaxDeliver: -1, MaxAckPending: 10000,
	})
	if ctx.Err() != nil {
		return nil // told to stop before it had begun
	}
	if err != nil {
		return fmt.Errorf("consumer of %s: %w", w.Service, err)
	}
	return b.each(ctx, cons, slots, func(msg jetstream.Msg) { b.handle(ctx, w, msg) })
}

// each hands messages to goroutines, of which each takes a slot, until ctx ends,
// then waits for those in hand. The prefetch is twice the slots: more would be
// delivered again before its turn.
func (b *Bus) each(ctx context.Context, cons jetstream.Consumer, slots chan struct{}, do func(jetstream.Msg)) error {
	msgs, err := cons.Messages(jetstream.PullMaxMessages(2 * cap(slots)))
	if err != nil {
		return fmt.Errorf("consume: %w", err)
	}
	stop := context.AfterFunc(ctx, msgs.Stop)
	defer stop()
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		msg, err := msgs.Next()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			if errors.Is(err, jetstream.ErrMsgIteratorClosed) {
				return fmt.Errorf("consume: %w", err)
			}
			b.log.Debug("consume", zap.Error(err))
			pause(ctx, 100*time.Millisecond)
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			do(msg)
		})
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// handle runs one delivery. Shutdown ends the fetching, not a handler that has
// begun, so its context does not end with the service's.
func (b *Bus) handle(ctx context.Context, w Work, msg jetstream.Msg) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.Limit)
	defer cancel()
	attempt := 1
	if meta, err := msg.Metadata(); err == nil {
		attempt = int(meta.NumDelivered)
	}
	c, err := decodeCommand(nats.Header(msg.Headers()), msg.Data())
	if err != nil {
		b.bury(ctx, msg, contract.CommandName{Service: w.Service, Verb: "undecodable"}, err, attempt)
		return
	}
	attempt -= b.waits.of(c.ID)
	h, ok := w.Handlers[c.Name]
	if !ok {
		h = func(context.Context, contract.Command) error {
			return flow.Permanent(fmt.Errorf("no handler for %s", c.Name))
		}
	}
	ctx = traces.Extract(ctx, carrier(msg.Headers()))
	ctx, span := otel.Tracer("bus").Start(ctx, c.Name.String(), trace.WithSpanKind(trace.SpanKindConsumer))
	defer span.End()
	stopBeats := keepAlive(msg, b.cfg.AckWait/beats)
	start := b.now()
	v := w.Policy.Run(ctx, b, h, c, attempt, b.now)
	stopBeats()
	b.waits.count(c.ID, v)
	b.metrics.handled(c.Name.String(), v.Kind.String(), b.now().Sub(start))
	b.logVerdict(c, v, attempt, b.now().Sub(start))
	b.resolve(ctx, msg, c.Name, v, attempt)
}

func (b *Bus) resolve(ctx context.Context, msg jetstream.Msg, name contract.CommandName, v flow.Verdict, attempt int) {
	switch v.Kind {
	case flow.Done:
		_ = msg.Ack() // a lost ack is a redelivery, which finds the work done
	case flow.Retry:
		_ = msg.NakWithDelay(v.After)
	case flow.DeadLetter:
		b.bury(ctx, msg, name, v.Err, attempt)
	}
}

// waits counts, for the commands that are being delivered again, how many
// deliveries were waiting and no failure. Another replica's are not known here,
// so a command may be buried earlier than its policy says, never run for ever.
type waits struct {
	mu sync.Mutex
	n  map[string]int
}

func (w *waits) of(id string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n[id]
}

func (w *waits) count(id string, v flow.Verdict) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case v.Waits:
		if w.n == nil {
			w.n = map[string]int{}
		}
		w.n[id]++
	case v.Kind != flow.Retry:
		delete(w.n, id)
	}
}

// keepAlive gives signs of life until it is stopped. Most handlers end before
// the first, so it costs no more than a timer.
func keepAlive(msg jetstream.Msg, every time.Duration) (stop func()) {
	var mu sync.Mutex
	var beat *time.Timer
	done := false
	mu.Lock()
	defer mu.Unlock()
	beat = time.AfterFunc(every, func() {
		mu.Lock()
		defer mu.Unlock()
		if !done { // an acknowledged message needs none
			_ = msg.InProgress()
			beat.Reset(every)
		}
	})
	return func() {
		beat.Stop()
		mu.Lock()
		defer mu.Unlock()
		done = true
	}
}

func (b *Bus) logVerdict(c contract.Command, v flow.Verdict, attempt int, took time.Duration) {
	if v.Kind == flow.Done && v.Refused == "" && !b.log.Core().Enabled(zap.DebugLevel) {
		return // nearly all
	}
	fields := []zap.Field{
		zap.Stringer("command", c.Name), zap.String("id", c.ID), zap.String("request", c.Request),
		zap.String("account", c.Account), zap.String("cause", c.Cause), zap.Int("attempt", attempt),
		zap.Duration("took", took), zap.Stringer("verdict", v.Kind),
	}
	if v.Refused != "" {
		fields = append(fields, zap.String("refused", string(v.Refused)))
	}
	switch {
	case v.Kind == flow.DeadLetter:
		b.log.Error("command buried", append(fields, zap.Error(v.Err))...)
	case v.Kind == flow.Retry && attempt&(attempt-1) == 0: // 1, 2, 4, 8, …
		b.log.Warn("command will be tried again", append(fields, zap.Error(v.Err))...)
	case v.Refused != "" && c.Request == "": // nobody waits to hear it
		b.log.Warn("command refused", fields...)
	case v.Kind == flow.Done:
		b.log.Debug("command done", fields...)
	}
	if p, ok := errors.AsType[*flow.PanicError](v.Err); ok {
		b.log.Error("handler panicked", zap.String("id", c.ID), zap.ByteString("stack", p.Stack))
	}
}
