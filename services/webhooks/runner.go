package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract/feed"
	contractwebhooks "boardorder/pkg/contract/webhooks"
	"boardorder/services/webhooks/internal/lane"
	"boardorder/services/webhooks/internal/outbound"

	"go.uber.org/zap"
	"golang.org/x/time/rate"
)

const (
	// writeAfter is how long what was delivered may be known to this process alone: if it dies, that
	// much is sent again.
	writeAfter = time.Second
	// lookAfter is how often is looked for what no call came of.
	lookAfter = 30 * time.Second
	// atOnce is how many events are looked at before what came of others is.
	atOnce = 64
)

// A runner delivers to one endpoint.
type runner struct {
	*sender
	id       string
	endpoint endpoint
	version  uint64
	client   *outbound.Client
	rate     *rate.Limiter
	window   *lane.Window
	rev      uint64 // of the progress that is written down
	dirty    bool
	deleted  bool
	written  time.Time
	failing  bool      // it is counted among those that fail
	gaveUp   string    // id of the command by which it was given up last
	caughtUp bool      // there was nothing more at the last look
	skip     time.Time // events that were stored up to then were delivered before the stream was made anew

	number uint64 // of the attempt that was written down last
	logs   sync.WaitGroup

	news, changed chan struct{}
	results       chan result
}

func newRunner(s *sender, id string) *runner {
	return &runner{sender: s, id: id, news: make(chan struct{}, 1), changed: make(chan struct{}, 1), results: make(chan result)}
}

// run delivers until ctx ends, or the endpoint does.
func (r *runner) run(ctx context.Context) {
	for wait := time.Second; ctx.Err() == nil; wait = min(2*wait, lookAfter) {
		err := r.deliver(ctx)
		if errors.Is(err, errEnded) || ctx.Err() != nil {
			return
		}
		r.log.Warn("deliveries to a webhook endpoint wait", zap.String("endpoint", r.id), zap.Error(err))
		if !pause(ctx, wait) {
			return
		}
	}
}

// deliver is run until the first error of the event system.
func (r *runner) deliver(ctx context.Context) error {
	if err := r.open(ctx); err != nil {
		return err
	}
	if err := r.load(ctx); err != nil {
		return err
	}
	defer r.sender.follow(r.endpoint.Account, r)()
	defer r.countFailing(false)
	err := r.loop(ctx)
	finish, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second) // longer than a request
	defer cancel()
	for r.window.Flying() > 0 { // each ends by itself
		if failed := r.settle(finish, <-r.results); err == nil {
			err = failed
		}
	}
	r.client.Close()
	r.logs.Wait()
	if failed := r.write(finish); err == nil {
		err = failed
	}
	return err
}

func (r *runner) loop(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := r.sendAgain(ctx); err != nil {
			return err
		}
		if err := r.look(ctx); err != nil {
			return err
		}
		r.countFailing(r.endpoint.IsActive() && r.window.FailingSince != nil)
		wait := r.startDue(ctx)
		if r.dirty && r.now().Sub(r.written) >= writeAfter {
			if err := r.write(ctx); err != nil {
				return err
			}
		}
		if r.dirty {
			wait = min(wait, writeAfter)
		}
		if r.endpoint.IsActive() && !r.caughtUp && r.hasRoom() {
			wait = 0
		}
		if err := r.await(ctx, wait); err != nil {
			return err
		}
	}
	return nil
}

// countFailing counts the endpoint among those that fail, or not any more.
func (r *runner) countFailing(failing bool) {
	switch {
	case failing && !r.failing:
		r.measures.failing.Inc()
	case !failing && r.failing:
		r.measures.failing.Dec()
	}
	r.failing = failing
}

// await waits for whatever comes first.
func (r *runner) await(ctx context.Context, most time.Duration) error {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case res := <-r.results:
		return r.settle(ctx, res)
	case <-r.news:
		r.caughtUp = false
	case <-r.changed:
		return r.load(ctx)
	case <-timer.C:
		if most == lookAfter { // what calls were lost of
			r.sender.feed.Hint(r.endpoint.Account)
			r.caughtUp = false
			return r.load(ctx)
		}
	case <-ctx.Done():
	}
	return nil
}

// load reads the endpoint as it was committed.
func (r *runner) load(ctx context.Context) error {
	now, err := r.refTo(r.id).Load(ctx)
	if err != nil {
		return err
	}
	switch {
	case !now.Exists():
		return errEnded // its creation is under way, or was refused
	case now.State.Status == contractwebhooks.Deleted:
		if err := r.progress.Delete(ctx, r.id); err != nil {
			return err
		}
		r.deleted = true
		return errEnded
	case now.Version <= r.version:
		return nil
	}
	if r.client == nil || now.State.URL != r.endpoint.URL {
		if r.client != nil {
			r.client.Close()
		}
		r.client = outbound.New(r.cfg.AllowLoopback, nil)
	}
	if r.rate == nil || now.State.RatePerSecond != r.endpoint.RatePerSecond {
		r.rate = rate.NewLimiter(rate.Limit(now.State.RatePerSecond), max(now.State.RatePerSecond/10, 1))
	}
	if r.version > 0 && now.State.EnabledAt.After(r.endpoint.EnabledAt) { // its account expects it to work again
		r.window.Revive()
	}
	r.endpoint, r.version = now.State, now.Version
	return nil
}

// open reads how far the endpoint was delivered to.
func (r *runner) open(ctx context.Context) error {
	value, rev, err := r.progress.Get(ctx, r.id)
	if errors.Is(err, bus.ErrNoKey) {
		r.deleted = true
		return errEnded
	}
	if err != nil {
		return err
	}
	r.dirty = false
	var p contractwebhooks.Progress
	if err := json.Unmarshal(value, &p); err != nil {
		return fmt.Errorf("decode progress: %w", err)
	}
	state, err := r.events.FeedState(ctx)
	if err != nil {
		return err
	}
	if made := state.Made.Unix(); p.Made != made { // it was restored: positions say nothing any more, times do
		r.skip = p.At
		if len(p.Lanes) > 0 {
			r.skip = p.At.Add(-lane.Persistence)
		}
		p.Made, p.Seq, p.Lanes, r.dirty = made, max(state.First, 1)-1, nil, true
	}
	last, err := r.source.Deliveries(ctx, r.id, 0, 1)
	if err != nil {
		return err
	}
	if len(last) > 0 {
		r.number = max(r.number, last[0].Number)
	}
	r.window, r.rev, r.written, r.caughtUp = lane.Open(p), rev, r.now(), false
	return nil
}

// write writes the progress down. Where another has written, the endpoint is that one's.
func (r *runner) write(ctx context.Context) error {
	if !r.dirty || r.deleted {
		return nil
	}
	value, err := json.Marshal(r.window.Progress)
	if err != nil {
		return err
	}
	rev, err := r.progress.Update(ctx, r.id, value, r.rev)
	if errors.Is(err, bus.ErrWrongRevision) {
		r.dirty = false
		return errEnded
	}
	if err != nil {
		return fmt.Errorf("write progress: %w", err)
	}
	r.rev, r.dirty, r.written = rev, false, r.now()
	return nil
}

// maxFlying is how many events of the endpoint are attempted at once: one while it fails.
func (r *runner) maxFlying() int {
	if r.window.Failures > 0 {
		return 1
	}
	return 4 + r.endpoint.RatePerSecond/16
}

// hasRoom reports whether more events are looked at: while all goes well a few ahead of those under
// way, and as many as may wait while the endpoint fails.
func (r *runner) hasRoom() bool {
	return r.window.HasRoom() && (r.window.Failures > 0 || len(r.window.Lanes) < 4*r.maxFlying())
}

// look takes in what came since the last look, as far as there is room.
func (r *runner) look(ctx context.Context) error {
	if !r.endpoint.IsActive() || r.isHeld() {
		return nil
	}
	for range atOnce {
		if r.caughtUp || !r.hasRoom() {
			return nil
		}
		e, err := r.sender.feed.ReadAfter(ctx, r.endpoint.Account, r.window.Seq)
		if errors.Is(err, aggregate.ErrNone) {
			r.caughtUp = true
			return nil
		}
		if err != nil {
			return err
		}
		r.window.Look(e.Key, e.Seq, e.Stored, r.wants(e))
		r.dirty = true
	}
	return nil
}

func (r *runner) wants(e feed.Entry) bool { return e.Stored.After(r.skip) && e.IsFor(r.endpoint) }

// startDue attempts what is due, and gives how long there is nothing else to do.
func (r *runner) startDue(ctx context.Context) time.Duration {
	for r.endpoint.IsActive() && !r.isHeld() && r.window.Flying() < r.maxFlying() {
		now := r.now()
		due := r.window.DueTime()
		if due.IsZero() {
			return lookAfter
		}
		if wait := due.Sub(now); wait > 0 {
			return min(wait, lookAfter)
		}
		turn := r.rate.ReserveN(now, 1)
		if wait := turn.DelayFrom(now); wait > 0 {
			turn.CancelAt(now)
			return min(wait, lookAfter)
		}
		pooled := r.window.Flying() > 0
		if pooled && !r.takePlace() {
			turn.CancelAt(now)
			return lookAfter // until one of its own has ended
		}
		l, ok := r.window.Start(now)
		if !ok {
			if pooled {
				<-r.pool
			}
			return lookAfter
		}
		go r.attempt(context.WithoutCancel(ctx), r.endpoint, r.client, l, pooled)
	}
	return lookAfter
}

func (r *runner) takePlace() bool {
	select {
	case r.pool <- struct{}{}:
		return true
	default:
		return false
	}
}
