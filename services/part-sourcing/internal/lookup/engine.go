package lookup

import (
	"context"
	"fmt"
	"sync"
	"time"

	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"

	"golang.org/x/sync/errgroup"
)

// An Engine asks sources. It is safe for concurrent use. Close it.
type Engine struct {
	cache  Cache
	claims Claims // nil: of one process
	now    func() time.Time
	askers map[string]*asker // by source
	ctx    context.Context   // ends with Close
	cancel context.CancelFunc
}

// New makes an engine of one process; now is time.Now where it is nil.
func New(cache Cache, now func() time.Time, supplies ...Supply) *Engine {
	return NewShared(cache, nil, now, supplies...)
}

// NewShared is New for one of several replicas, which share the cache and the claims.
func NewShared(cache Cache, claims Claims, now func() time.Time, supplies ...Supply) *Engine {
	if now == nil {
		now = time.Now
	}
	e := &Engine{cache: cache, claims: claims, now: now, askers: map[string]*asker{}}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	for _, s := range supplies {
		setDefault(&s.Parallel, 4)
		setDefault(&s.Timeout, 90*time.Second)
		setDefault(&s.Linger, 5*time.Millisecond)
		e.askers[s.Source.Name()] = &asker{engine: e, supply: s, flights: map[string]*flight{}}
	}
	return e
}

func setDefault[T comparable](v *T, d T) {
	if *v == *new(T) {
		*v = d
	}
}

// Close ends what is under way and waits for it.
func (e *Engine) Close() {
	e.cancel()
	for _, c := range e.askers {
		c.mu.Lock()
		c.closed = true // who came before has begun its call; who comes after is refused
		c.mu.Unlock()
		c.calls.Wait()
	}
}

// Ask asks a source about queries and waits for the answers until ctx ends. What
// is not answered by then is Pending: it goes on, and asking again later gives
// it. A reply comes for each query, in their order.
func (e *Engine) Ask(ctx context.Context, source string, queries []part.Query) []Reply {
	return e.AskBy(ctx, source, queries, Terms{})
}

// AskBy is Ask on terms.
func (e *Engine) AskBy(ctx context.Context, source string, queries []part.Query, terms Terms) []Reply {
	replies := make([]Reply, len(queries))
	for i, q := range queries {
		replies[i] = Reply{Query: q, Source: source, State: NotTaken}
	}
	c, ok := e.askers[source]
	if !ok {
		return replies
	}
	keys := make([]string, 0, len(queries))
	for _, q := range queries {
		if c.supply.Source.Takes(q.Scheme) {
			keys = append(keys, c.key(q))
		}
	}
	cached := e.readCache(ctx, c, keys, terms.Since)
	flights := make([]*flight, len(queries))
	spared := terms.Sparing && c.supply.Spares != nil && len(cached) < len(keys) && !c.supply.Spares(ctx, len(keys)-len(cached))
	for i, q := range queries {
		if !c.supply.Source.Takes(q.Scheme) {
			continue
		}
		if entry, ok := cached[c.key(q)]; ok {
			replies[i].take(entry)
			continue
		}
		if spared {
			replies[i].State, replies[i].Err = Failed, &outside.Error{Source: source, Kind: outside.OverQuota, Message: "what is left of the day's calls is for others"}
			continue
		}
		flights[i] = c.join(q, terms.Since)
	}
	for i, f := range flights {
		if f != nil {
			f.wait(ctx, &replies[i])
		}
	}
	return replies
}

// readCache gives the answers that the cache has, less those from before since.
func (e *Engine) readCache(ctx context.Context, c *asker, keys []string, since time.Time) map[string]Entry {
	if c.supply.Policy == (Policy{}) {
		return nil
	}
	cached, err := e.cache.Get(ctx, keys)
	if err != nil {
		return nil
	}
	for key, entry := range cached {
		if e.now().Sub(entry.At) >= c.ttl(entry.Answer) || entry.At.Before(since) {
			delete(cached, key)
		}
	}
	return cached
}

func (r *Reply) take(e Entry) {
	r.State, r.Answer, r.At = Found, e.Answer, e.At
	if len(e.Answer.Offers) == 0 {
		r.State = Missing
	}
}

// An asker asks one source.
type asker struct {
	engine *Engine
	supply Supply
	calls  sync.WaitGroup

	mu      sync.Mutex
	flights map[string]*flight // under way, and settled a moment ago, by key
	settled []*flight          // those of a moment ago, oldest first
	queue   []*flight
	active  int // calls that run or gather
	closed  bool
	until   time.Time // the source refuses calls until then
	refusal error
}

// A flight is one part that a source is being asked about.
type flight struct {
	query part.Query
	since time.Time // who waits for it takes no answer from before
	done  chan struct{}
	entry Entry
	err   error
	at    time.Time // when it was settled
}

func (c *asker) key(q part.Query) string { return c.supply.Source.Name() + "/" + q.Key() }

func (c *asker) ttl(a part.Answer) time.Duration {
	if len(a.Offers) == 0 {
		return c.supply.Policy.Missing
	}
	return c.supply.Policy.Found
}

func (f *flight) wait(ctx context.Context, r *Reply) {
	select {
	case <-f.done:
	default:
		select {
		case <-f.done:
		case <-ctx.Done():
			r.State = Pending
			return
		}
	}
	if f.err != nil {
		r.State, r.Err = Failed, f.err
		return
	}
	r.take(f.entry)
}

// join gives the flight of a query, new or under way.
func (c *asker) join(q part.Query, since time.Time) *flight {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget()
	key := c.key(q)
	if f, ok := c.flights[key]; ok {
		if since.After(f.since) {
			f.since = since
		}
		return f
	}
	f := &flight{query: q, since: since, done: make(chan struct{})}
	if err := c.refusalReason(); err != nil {
		f.err = err
		close(f.done)
		return f
	}
	c.flights[key] = f
	c.enqueue(f)
	return f
}

// enqueue has flights asked about. The mutex is held.
func (c *asker) enqueue(flights ...*flight) {
	c.queue = append(c.queue, flights...)
	for more := len(flights); more > 0 && c.active < c.supply.Parallel; more-- {
		c.active++
		c.calls.Go(c.run)
	}
}

// grace is how long a settled flight can still be joined: by those who looked into
// the cache before its answer was there, and come here after.
const grace = 5 * time.Second

// forget drops flights whose answers anybody finds in the cache by now.
func (c *asker) forget() {
	now := c.engine.now()
	for len(c.settled) > 0 && now.Sub(c.settled[0].at) > grace {
		f := c.settled[0]
		c.settled = c.settled[1:]
		if key := c.key(f.query); c.flights[key] == f {
			delete(c.flights, key)
		}
	}
}

// refusalReason is why the source is not asked at present.
func (c *asker) refusalReason() error {
	if c.closed {
		return &outside.Error{Source: c.supply.Source.Name(), Kind: outside.Unavailable, Message: "shutting down"}
	}
	if c.engine.now().Before(c.until) {
		return c.refusal
	}
	return nil
}

// run makes calls while there is something to ask.
func (c *asker) run() {
	for {
		batch := c.gather()
		if len(batch) == 0 {
			return
		}
		batch, release := c.claim(batch)
		if len(batch) > 0 {
			c.call(batch)
		}
		release()
	}
}

// gather takes what the next call asks; nothing ends the run. A call that is not
// full waits a moment for more.
func (c *asker) gather() []*flight {
	size := c.supply.Source.Batch()
	c.mu.Lock()
	short := len(c.queue) > 0 && len(c.queue) < size
	c.mu.Unlock()
	if short {
		t := time.NewTimer(c.supply.Linger)
		select {
		case <-t.C:
		case <-c.engine.ctx.Done():
			t.Stop()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	batch := c.dequeue(size)
	if len(batch) == 0 {
		c.active--
	}
	return batch
}

// dequeue takes so many flights at most. The mutex is held.
func (c *asker) dequeue(most int) []*flight {
	n := min(len(c.queue), most)
	batch := c.queue[:n:n]
	c.queue = c.queue[n:]
	return batch
}

// call asks about a batch and settles its flights.
func (c *asker) call(batch []*flight) {
	ctx, cancel := context.WithTimeout(c.engine.ctx, c.supply.Timeout)
	defer cancel()
	c.mu.Lock()
	err := c.refusalReason()
	c.mu.Unlock()
	var answers []part.Answer
	if err == nil {
		queries := make([]part.Query, len(batch))
		for i, f := range batch {
			queries[i] = f.query
		}
		answers, err = c.supply.Source.Lookup(ctx, queries)
		if err == nil && len(answers) != len(batch) {
			err = fmt.Errorf("%s: %d answers to %d queries", c.supply.Source.Name(), len(answers), len(batch))
		}
	}
	at := c.engine.now()
	if err == nil {
		c.keep(batch, answers, at)
	}
	c.settle(batch, answers, at, err)
}

const (
	keepTimeout = 3 * time.Second // for a batch: those who wait are not held up by a cache that is away
	keptAtOnce  = 16
)

// keep puts answers into the cache, before those who wait have them: whoever asks
// next finds either the flight or the entry.
func (c *asker) keep(batch []*flight, answers []part.Answer, at time.Time) {
	ctx, cancel := context.WithTimeout(c.engine.ctx, keepTimeout)
	defer cancel()
	var group errgroup.Group
	group.SetLimit(keptAtOnce)
	for i, f := range batch {
		if ttl := c.ttl(answers[i]); ttl > 0 {
			group.Go(func() error { return c.engine.cache.Put(ctx, c.key(f.query), Entry{answers[i], at}, ttl) })
		}
	}
	_ = group.Wait() // an answer that cannot be kept is asked for again
}

func (c *asker) settle(batch []*flight, answers []part.Answer, at time.Time, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if wait := outside.RetryAfter(err); err != nil && wait > 0 {
		if until := at.Add(wait); until.After(c.until) {
			c.until, c.refusal = until, err
		}
	}
	for i, f := range batch {
		if err != nil {
			f.err = err
			delete(c.flights, c.key(f.query))
			close(f.done)
			continue
		}
		c.answer(f, Entry{answers[i], at})
	}
}

// answer settles a flight. The mutex is held.
func (c *asker) answer(f *flight, e Entry) {
	f.entry, f.at = e, c.engine.now()
	if c.ttl(e.Answer) > grace {
		c.settled = append(c.settled, f)
	} else {
		delete(c.flights, c.key(f.query))
	}
	close(f.done)
}
