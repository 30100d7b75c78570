package share

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"

	"go.uber.org/zap"
)

// TestChoose: all agree, each has a part, and few shards move when a member comes.
func TestChoose(t *testing.T) {
	t.Parallel()
	members := []string{"a", "b", "c"}
	count, moved := map[string]int{}, 0
	for shard := range Shards {
		who := choose(shard, members)
		if again := choose(shard, []string{"c", "a", "b"}); again != who {
			t.Errorf("shard %d: %s, and %s in another order", shard, who, again)
		}
		count[who]++
		if next := choose(shard, append(members, "d")); next != who {
			moved++
			if next != "d" {
				t.Errorf("shard %d went from %s to %s, want it to stay or go to the new member", shard, who, next)
			}
		}
	}
	if len(count) != 3 || moved > Shards/2 {
		t.Errorf("shards of each: %v, %d moved; want three with some, and few moved", count, moved)
	}
}

// ledger knows who has which shard, and fails where two have one.
type ledger struct {
	mu   sync.Mutex
	held map[int]string
	bad  []string
}

func (l *ledger) member(id string) *Share {
	return &Share{
		ID: id, Log: zap.NewNop(), Timing: Timing{20 * time.Millisecond, 2 * time.Second, 3 * time.Second},
		Take: func(shard int) {
			l.mu.Lock()
			defer l.mu.Unlock()
			if other := l.held[shard]; other != "" {
				l.bad = append(l.bad, fmt.Sprintf("%s took shard %d of %s", id, shard, other))
			}
			l.held[shard] = id
		},
		Leave: func(shard int) <-chan struct{} {
			l.mu.Lock()
			defer l.mu.Unlock()
			delete(l.held, shard)
			done := make(chan struct{})
			close(done)
			return done
		},
	}
}

func (l *ledger) count() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := map[string]int{}
	for _, id := range l.held {
		out[id]++
	}
	return out
}

// run has a member take part until stop is called.
func run(b *bus.Bus, t *testing.T, s *Share) (stop func()) {
	t.Helper()
	bucket, err := b.Bucket(t.Context(), contract.WebhookSharesBucket)
	if err != nil {
		t.Fatal(err)
	}
	s.Bucket = bucket
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { s.Run(ctx); close(done) }()
	var once sync.Once
	stop = func() { once.Do(func() { cancel(); <-done }) }
	t.Cleanup(stop)
	return stop
}

// TestShardsGoFromOneToAnother: a member that comes gets its part, one that ends hands its part over, and no
// shard is two members' at any time.
func TestShardsGoFromOneToAnother(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	l := &ledger{held: map[int]string{}}
	stop := run(b, t, l.member("a"))
	bustest.WaitFor(t, "the first to have all", func() bool { return l.count()["a"] == Shards })
	run(b, t, l.member("b"))
	bustest.WaitFor(t, "the second to have its part", func() bool {
		c := l.count()
		return c["a"]+c["b"] == Shards && c["b"] > 0 && c["a"] > 0
	})
	stop()
	bustest.WaitFor(t, "the second to have all", func() bool { return l.count()["b"] == Shards })
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.bad) > 0 {
		t.Errorf("%d times two members had a shard, the first: %s", len(l.bad), l.bad[0])
	}
}

// TestSilentMembersLoseTheirShards: what a member holds of which nothing is heard goes to another.
func TestSilentMembersLoseTheirShards(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	bucket, err := b.Bucket(t.Context(), contract.WebhookSharesBucket)
	if err != nil {
		t.Fatal(err)
	}
	for shard := range Shards { // of a process that was killed
		if err := bucket.Put(t.Context(), fmt.Sprint(shardPrefix, shard), []byte(`{"holder":"dead","beat":7}`)); err != nil {
			t.Fatal(err)
		}
	}
	if err := bucket.Put(t.Context(), memberPrefix+"dead", []byte("7")); err != nil {
		t.Fatal(err)
	}
	l := &ledger{held: map[int]string{}}
	begun := time.Now()
	s := l.member("a")
	run(b, t, s)
	bustest.WaitFor(t, "all shards to be taken over", func() bool { return l.count()["a"] == Shards })
	if took := time.Since(begun); took < s.Timing.Takeover {
		t.Errorf("taken over after %s, want %s at the least", took, s.Timing.Takeover)
	}
}
