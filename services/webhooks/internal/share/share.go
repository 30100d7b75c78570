// Package share has replicas share endpoints: each is in one of sixteen shards, and each shard is
// held by one replica at a time. Whoever holds one says so again and again; of whom nothing was
// heard for a while, another takes over. Clocks of different machines are not compared: a replica
// counts by its own how long a value stayed as it was.
package share

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"

	"go.uber.org/zap"
)

// Shards is how many parts the endpoints are in.
const Shards = contract.Partitions

// Timing of the holds. A replica that could not say for Yield that it holds a shard has let go of
// it before another takes it, at Takeover.
type Timing struct {
	Beat, Yield, Takeover time.Duration
}

// UsualTiming has another replica take over ten seconds after one died.
func UsualTiming() Timing {
	return Timing{Beat: 2 * time.Second, Yield: 6 * time.Second, Takeover: 10 * time.Second}
}

// Bucket is where replicas meet: a [bus.Bucket].
type Bucket interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error)
	Create(ctx context.Context, key string, value []byte) (rev uint64, err error)
	Update(ctx context.Context, key string, value []byte, rev uint64) (uint64, error)
	Put(ctx context.Context, key string, value []byte) error
	Delete(ctx context.Context, key string) error
	Keys(ctx context.Context) ([]string, error)
}

// A Share is one replica's part.
type Share struct {
	Bucket Bucket
	ID     string // of the replica
	Timing Timing
	Log    *zap.Logger
	// Take begins with a shard, and Leave ends with it: nothing of it is under way any more once the
	// channel is closed. Neither waits.
	Take  func(shard int)
	Leave func(shard int) <-chan struct{}

	beats  int
	sights map[string]sight
	held   map[int]hold
	ending bool
}

// sight is how a value was seen first.
type sight struct {
	rev uint64
	at  time.Time
}

type hold struct {
	rev   uint64
	at    time.Time       // when it was last said
	ended <-chan struct{} // not nil: it is given up, once this is closed
}

// holding is the value of a shard: who holds it; empty: nobody.
type holding struct {
	Holder string `json:"holder"`
	Beat   int    `json:"beat"`
}

const (
	memberPrefix = "member."
	shardPrefix  = "shard."
)

// drainTime is longer than anything of a shard is under way.
const drainTime = 20 * time.Second

// Run takes part until ctx ends, then lets go of everything, once nothing of it is under way.
func (s *Share) Run(ctx context.Context) {
	s.sights, s.held = map[string]sight{}, map[int]hold{}
	tick := time.NewTicker(s.Timing.Beat)
	defer tick.Stop()
	for ctx.Err() == nil {
		s.round(ctx)
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
	s.ending = true
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	soon := time.NewTicker(s.Timing.Beat / 20)
	defer soon.Stop()
	for s.round(ctx); len(s.held) > 0 && ctx.Err() == nil; s.round(ctx) {
		<-soon.C
	}
	_ = s.Bucket.Delete(ctx, memberPrefix+s.ID) // others notice by themselves
}

func (s *Share) round(ctx context.Context) {
	if err := s.beat(ctx); err != nil && ctx.Err() == nil {
		s.Log.Warn("cannot agree with other replicas on who sends", zap.Error(err))
	}
	s.yield()
}

// beat says that the replica is there, and takes, keeps and gives up shards.
func (s *Share) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.Timing.Yield)
	defer cancel()
	s.beats++
	value, err := json.Marshal(s.beats)
	if err != nil {
		return err
	}
	if err := s.Bucket.Put(ctx, memberPrefix+s.ID, value); err != nil {
		return err
	}
	members, err := s.members(ctx)
	if err != nil {
		return err
	}
	for shard := range Shards {
		if err := s.settle(ctx, shard, members); err != nil {
			return fmt.Errorf("shard %d: %w", shard, err)
		}
	}
	return nil
}

// members are the replicas that were heard of lately.
func (s *Share) members(ctx context.Context) ([]string, error) {
	keys, err := s.Bucket.Keys(ctx)
	if err != nil {
		return nil, err
	}
	members := []string{s.ID}
	for _, key := range keys {
		id, isMember := strings.CutPrefix(key, memberPrefix)
		if !isMember || id == s.ID {
			continue
		}
		_, rev, err := s.Bucket.Get(ctx, key)
		if errors.Is(err, bus.ErrNoKey) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !s.isStill(key, rev) {
			members = append(members, id)
		}
	}
	return members, nil
}

// isStill reports whether a value has been as it is for so long that who wrote it is gone.
func (s *Share) isStill(key string, rev uint64) bool {
	seen, known := s.sights[key]
	if !known || seen.rev != rev {
		s.sights[key] = sight{rev, time.Now()}
		return false
	}
	return time.Since(seen.at) >= s.Timing.Takeover
}

// settle does what is to be done about one shard.
func (s *Share) settle(ctx context.Context, shard int, members []string) error {
	key := fmt.Sprint(shardPrefix, shard)
	mine := !s.ending && choose(shard, members) == s.ID
	if h, held := s.held[shard]; held {
		if !mine && h.ended == nil {
			h.ended = s.Leave(shard)
		}
		return s.say(ctx, shard, key, h)
	}
	value, rev, err := s.Bucket.Get(ctx, key)
	var now holding
	switch {
	case errors.Is(err, bus.ErrNoKey):
		rev = 0
	case err != nil:
		return err
	default:
		if err := json.Unmarshal(value, &now); err != nil {
			return fmt.Errorf("decode: %w", err)
		}
	}
	free := now.Holder == "" || s.isStill(key, rev)
	if !mine || !free {
		return nil
	}
	rev, err = s.write(ctx, key, rev, holding{s.ID, s.beats})
	if errors.Is(err, bus.ErrWrongRevision) {
		return nil // another was first
	}
	if err != nil {
		return err
	}
	s.held[shard] = hold{rev: rev, at: time.Now()}
	s.Take(shard)
	return nil
}

// say writes that the shard is held on, or that it is not any more. Where another has written, it
// is not.
func (s *Share) say(ctx context.Context, shard int, key string, h hold) error {
	value, over := holding{s.ID, s.beats}, isClosed(h.ended)
	if over {
		value.Holder = ""
	}
	rev, err := s.write(ctx, key, h.rev, value)
	switch {
	case errors.Is(err, bus.ErrWrongRevision):
		s.drop(shard, h)
		return nil
	case err != nil:
		return err
	case over:
		delete(s.held, shard)
	default:
		s.held[shard] = hold{rev, time.Now(), h.ended}
	}
	return nil
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c: // nil never is
		return true
	default:
		return false
	}
}

func (s *Share) drop(shard int, h hold) {
	delete(s.held, shard)
	if h.ended == nil {
		s.Leave(shard)
	}
}

// yield lets go of what it could not say for a while that it holds.
func (s *Share) yield() {
	for shard, h := range s.held {
		if time.Since(h.at) >= s.Timing.Yield {
			s.Log.Warn("a part of the endpoints is left to another replica", zap.Int("shard", shard))
			s.drop(shard, h)
		}
	}
}

func (s *Share) write(ctx context.Context, key string, rev uint64, value holding) (uint64, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return 0, err
	}
	if rev == 0 {
		return s.Bucket.Create(ctx, key, text)
	}
	return s.Bucket.Update(ctx, key, text, rev)
}

// choose gives the member that shall have a shard: the same for whoever asks with the same members,
// and few shards move when one comes or goes.
func choose(shard int, members []string) (best string) {
	var most uint64
	for _, m := range members {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d/%s/%d", shard, m, shard)
		// FNV alone is too even over short texts that differ in a digit.
		if n := mix(h.Sum64()); best == "" || n > most || n == most && m < best {
			best, most = m, n
		}
	}
	return best
}

// mix is the finalizer of MurmurHash3.
func mix(n uint64) uint64 {
	n = (n ^ n>>33) * 0xff51afd7ed558ccd
	n = (n ^ n>>33) * 0xc4ceb9fe1a85ec53
	return n ^ n>>33
}
