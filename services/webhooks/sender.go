package webhooks

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	contractwebhooks "boardorder/pkg/contract/webhooks"
	"boardorder/services/webhooks/internal/feedcache"
	"boardorder/services/webhooks/internal/share"

	"github.com/oklog/ulid/v2"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// rescan is how often endpoints are looked for of which no call came.
const rescan = 30 * time.Second

// A sender delivers to the endpoints of the shards that this replica holds.
type sender struct {
	*Service
	feed     *feedcache.Cache
	source   Log
	keys     keys
	measures measures
	timing   share.Timing
	pool     chan struct{} // connections beside the first of each endpoint
	work     context.Context

	mu     sync.Mutex
	shards map[int]*shard
	owners map[string]map[*runner]bool
}

// shard is one that is held, or whose runners have not ended yet.
type shard struct {
	calls chan string // ids of endpoints that have changed
	stop  context.CancelFunc
	ended chan struct{}
}

func newSender(s *Service, source Log, keys keys, metrics prometheus.Registerer) *sender {
	return &sender{
		Service: s, feed: feedcache.New(source), source: source, keys: keys, measures: newMeasures(metrics), timing: share.UsualTiming(),
		pool: make(chan struct{}, s.cfg.Connections), shards: map[int]*shard{}, owners: map[string]map[*runner]bool{},
	}
}

// run delivers until ctx ends, then waits for what is under way.
func (s *sender) run(ctx context.Context, b *bus.Bus, shares share.Bucket) error {
	s.work = context.WithoutCancel(ctx)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return b.WatchChanges(ctx, feed.WakeKind, s.callOwner) })
	group.Go(func() error { return b.WatchChanges(ctx, contract.WebhookEndpointAggregate, s.callEndpoint) })
	group.Go(func() error {
		part := share.Share{Bucket: shares, ID: ulid.Make().String(), Timing: s.timing, Log: s.log, Take: s.take, Leave: s.leave}
		part.Run(ctx)
		return nil
	})
	return group.Wait()
}

// callOwner makes who delivers an owner's events look for new ones.
func (s *sender) callOwner(token string) {
	owner, ok := feed.OwnerOf(token)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.owners[owner]) == 0 {
		return
	}
	s.feed.Hint(owner)
	for r := range s.owners[owner] {
		poke(r.news)
	}
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it will look anyway
	}
}

// callEndpoint makes an endpoint be read again.
func (s *sender) callEndpoint(id string) {
	s.mu.Lock()
	held := s.shards[contract.PartitionOf(id)]
	s.mu.Unlock()
	if held == nil {
		return
	}
	select {
	case held.calls <- id:
	default: // found by the next look at all
	}
}

// take begins to deliver to a shard's endpoints, once those who did before have ended.
func (s *sender) take(n int) {
	ctx, stop := context.WithCancel(s.work)
	next := &shard{calls: make(chan string, 256), stop: stop, ended: make(chan struct{})}
	s.mu.Lock()
	before := s.shards[n]
	s.shards[n] = next
	s.mu.Unlock()
	go func() {
		defer close(next.ended)
		if before != nil {
			<-before.ended
		}
		s.keep(ctx, n, next)
	}()
}

// leave ends what take began.
func (s *sender) leave(n int) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shards[n].stop()
	return s.shards[n].ended
}

// keep has a runner for each endpoint of a shard until ctx ends, and all of them end.
func (s *sender) keep(ctx context.Context, n int, held *shard) {
	var group sync.WaitGroup
	defer group.Wait()
	running, ended := map[string]*runner{}, make(chan *runner, 16)
	deleted := map[string]bool{} // their keys stay in the bucket's list
	begin := func(id string) {
		if r := running[id]; r != nil {
			poke(r.changed)
			return
		}
		if deleted[id] {
			return
		}
		r := newRunner(s, id)
		running[id] = r
		group.Go(func() {
			r.run(ctx)
			select {
			case ended <- r:
			case <-ctx.Done():
			}
		})
	}
	tick := time.NewTicker(rescan)
	defer tick.Stop()
	for s.scan(ctx, n, begin); ctx.Err() == nil; {
		select {
		case id := <-held.calls:
			begin(id)
		case r := <-ended:
			delete(running, r.id)
			if r.deleted {
				deleted[r.id] = true
			}
		case <-tick.C:
			s.scan(ctx, n, begin)
		case <-ctx.Done():
		}
	}
}

// scan begins with all endpoints of a shard.
func (s *sender) scan(ctx context.Context, n int, begin func(id string)) {
	for wait := time.Second; ; wait = min(2*wait, rescan) {
		ids, err := s.progress.Keys(ctx)
		if err == nil {
			for _, id := range ids {
				if strings.HasPrefix(id, contractwebhooks.Prefix) && contract.PartitionOf(id) == n {
					begin(id)
				}
			}
			return
		}
		if ctx.Err() == nil {
			s.log.Warn("cannot list webhook endpoints", zap.Error(err))
		}
		if !pause(ctx, wait) {
			return
		}
	}
}

// pause reports whether the time passed before ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// follow has a runner be called for its owner's events, until it leaves.
func (s *sender) follow(owner string, r *runner) (leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.owners[owner] == nil {
		s.owners[owner] = map[*runner]bool{}
	}
	s.owners[owner][r] = true
	s.measures.held.Inc()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if delete(s.owners[owner], r); len(s.owners[owner]) == 0 {
			delete(s.owners, owner)
			s.feed.Forget(owner)
		}
		s.measures.held.Dec()
	}
}

// errEnded ends a runner whose endpoint is no more, or is another replica's.
var errEnded = errors.New("the endpoint is not delivered to from here any more")
