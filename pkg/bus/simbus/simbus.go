// Package simbus is an event system in memory for seeded simulations. It has
// every fault that a broker and a process can have: commands are delivered
// twice, late and out of order, acknowledgements get lost, and the process dies
// between any two effects. The same seed gives the same run.
package simbus

import (
	"container/heap"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

// Faults are the chances, in percent, of what goes wrong at each step.
type Faults struct {
	Crash     int // before or after an effect: the process dies, the command comes again
	LostReply int // of a publish that was stored: the caller sees an error
	LostAck   int // of a command that was carried out: it comes again
	Twice     int // a command is delivered a second time although it was acknowledged
	Refused   int // a publish or load fails and nothing happened
	Delay     time.Duration
}

// Usual is a rough day.
func Usual() Faults {
	return Faults{Crash: 4, LostReply: 4, LostAck: 5, Twice: 5, Refused: 4, Delay: 90 * time.Second}
}

// Sim is one simulated event system. It is used by one goroutine.
type Sim struct {
	rand     *rand.Rand
	faults   Faults
	handlers flow.Handlers
	policy   flow.Policy

	now      time.Time
	seq      map[contract.Aggregate]uint64
	events   map[contract.Aggregate][]contract.Event
	purged   []contract.Event
	last     map[string]int // filter → index in events
	queue    deliveries
	order    uint64
	timers   map[string]uint64 // subject → the delivery that counts
	sent     map[string]bool
	attempts map[string]flow.Attempts
	Dead     []Dead
	calm     bool
	crashes  int
}

// Dead is a buried command and why.
type Dead struct {
	Command contract.Command
	Err     error
}

var _ aggregate.Core = (*Sim)(nil)

// New makes a simulation that starts at a time of its own.
func New(seed uint64, f Faults, handlers ...flow.Handlers) *Sim {
	s := &Sim{
		rand: rand.New(rand.NewPCG(seed, seed^0x9e3779b97f4a7c15)), faults: f, handlers: flow.Handlers{},
		policy: flow.Policy{Failures: 200, Unfinished: 200, First: 250 * time.Millisecond, Most: time.Minute},
		now:    time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC),
		seq:    map[contract.Aggregate]uint64{}, events: map[contract.Aggregate][]contract.Event{},
		last: map[string]int{}, timers: map[string]uint64{}, sent: map[string]bool{}, attempts: map[string]flow.Attempts{},
	}
	s.Handle(handlers...)
	return s
}

// Handle adds the handlers of a service, which may have been made over s itself.
func (s *Sim) Handle(handlers ...flow.Handlers) {
	for _, h := range handlers {
		maps.Copy(s.handlers, h)
	}
}

// Now is the simulated clock.
func (s *Sim) Now() time.Time { return s.now }

// Rand is the simulation's own source, for its outside systems.
func (s *Sim) Rand() *rand.Rand { return s.rand }

// Calm ends all faults: what comes now must bring everything to its end.
func (s *Sim) Calm() { s.calm = true }

// Crashes tells how often the process died.
func (s *Sim) Crashes() int { return s.crashes }

// Chance is true in percent of a hundred cases, never once it is calm.
func (s *Sim) Chance(percent int) bool { return !s.calm && s.rand.IntN(100) < percent }

// errBroker is what a lost reply and a refused call look like.
var errBroker = errors.New("simulated: no answer from the broker")

// Effect stands round every effect on the world outside the process: it may die
// before, die after, fail, or lose the answer. Outside systems of a simulation
// use it too.
func (s *Sim) Effect(name string, do func() error) error {
	if s.Chance(s.faults.Crash) {
		panic(flow.Crash{At: "before " + name})
	}
	if s.Chance(s.faults.Refused) {
		return errBroker
	}
	err := do()
	if s.Chance(s.faults.Crash) {
		panic(flow.Crash{At: "after " + name})
	}
	if err == nil && s.Chance(s.faults.LostReply) {
		return errBroker
	}
	return err
}

// Last implements aggregate.Log.
func (s *Sim) Last(_ context.Context, a contract.Aggregate, id string) (contract.Event, error) {
	if s.Chance(s.faults.Refused) {
		return contract.Event{}, errBroker
	}
	i, ok := s.last[contract.EventSubject(a, id)]
	if !ok {
		return contract.Event{}, aggregate.ErrNone
	}
	return s.events[a][i], nil
}

// Append implements aggregate.Log. A lost reply is settled as the real bus does.
func (s *Sim) Append(_ context.Context, e contract.Event, after uint64) (uint64, error) {
	var stored uint64
	err := s.Effect("append "+e.Type(), func() error {
		i, ok := s.last[contract.EventSubject(e.Aggregate, e.AggregateID)]
		var last contract.Event
		if ok {
			last = s.events[e.Aggregate][i]
		}
		if ok && last.ID == e.ID {
			stored = last.Seq
			return nil
		}
		if last.Seq != after {
			return aggregate.ErrConflict
		}
		stored = s.store(e)
		return nil
	})
	if errors.Is(err, errBroker) && stored != 0 {
		return stored, nil
	}
	return stored, err
}

func (s *Sim) store(e contract.Event) uint64 {
	s.seq[e.Aggregate]++
	e.StoredAt = s.now
	e.Seq = s.seq[e.Aggregate]
	e.Data = slices.Clone(e.Data)
	s.events[e.Aggregate] = append(s.events[e.Aggregate], e)
	s.last[contract.EventSubject(e.Aggregate, e.AggregateID)] = len(s.events[e.Aggregate]) - 1
	return e.Seq
}

// Find implements aggregate.History.
func (s *Sim) Find(_ context.Context, a contract.Aggregate, is func(contract.Event) bool) ([]string, error) {
	if s.Chance(s.faults.Refused) {
		return nil, errBroker
	}
	ids := map[string]bool{}
	for _, e := range s.events[a] {
		if is(e) {
			ids[e.AggregateID] = true
		}
	}
	return slices.Sorted(maps.Keys(ids)), nil
}

// Completed implements aggregate.History.
func (s *Sim) Completed(_ context.Context, a contract.Aggregate, id string) (requests []string, err error) {
	if s.Chance(s.faults.Refused) {
		return nil, errBroker
	}
	for _, e := range s.events[a] {
		if e.AggregateID == id && e.Operation != "" {
			requests = append(requests, e.Operation)
		}
	}
	return requests, nil
}

// PurgeHistory implements aggregate.History.
func (s *Sim) PurgeHistory(_ context.Context, a contract.Aggregate, id string) error {
	return s.Effect("purge "+string(a), func() error {
		last := s.last[contract.EventSubject(a, id)]
		var kept []contract.Event
		for i, e := range s.events[a] {
			if e.AggregateID == id && i != last {
				s.purged = append(s.purged, e)
				continue
			}
			s.last[contract.EventSubject(a, e.AggregateID)] = len(kept)
			kept = append(kept, e)
		}
		s.events[a] = kept
		return nil
	})
}

// DropMarked implements aggregate.History. A simulation keeps no requests.
func (s *Sim) DropMarked(_ context.Context, marks contract.Marks) (map[string]int, error) {
	dropped := map[string]int{}
	err := s.Effect("drop", func() error {
		s.Dead = slices.DeleteFunc(s.Dead, func(d Dead) bool {
			marked := contract.MarksOf(d.Command).Any(marks)
			if marked {
				dropped[contract.DeadLetterStream]++
			}
			return marked
		})
		return nil
	})
	return dropped, err
}

// Send implements aggregate.Sender. Like the real one it usually swallows a
// repeat of the same id.
func (s *Sim) Send(_ context.Context, c contract.Command) error {
	return s.Effect("send "+c.Name.String(), func() error {
		if s.sent[c.ID] && !s.Chance(30) {
			return nil
		}
		s.sent[c.ID] = true
		s.enqueue(c, s.delay())
		return nil
	})
}

// Schedule implements aggregate.Timers: the last one set counts.
func (s *Sim) Schedule(_ context.Context, t contract.Timer) error {
	return s.Effect("schedule "+t.What, func() error {
		subject := contract.TimerSubject(t.Aggregate, t.AggregateID, t.What)
		d := s.enqueue(t.Command, max(t.Due.Sub(s.now), 0))
		d.timer = subject
		s.timers[subject] = d.order
		return nil
	})
}

func (s *Sim) delay() time.Duration {
	if s.calm || s.faults.Delay == 0 {
		return time.Millisecond
	}
	return time.Duration(s.rand.Int64N(int64(s.faults.Delay)))
}

// Run delivers until nothing is left or until the simulated clock has reached
// end. It gives the number of deliveries.
func (s *Sim) Run(end time.Time) int {
	n := 0
	for s.queue.Len() > 0 && !s.queue[0].at.After(end) {
		d := heap.Pop(&s.queue).(*delivery)
		if d.at.After(s.now) {
			s.now = d.at
		}
		if d.timer != "" && s.timers[d.timer] != d.order {
			continue // set anew since
		}
		n++
		s.deliver(d)
	}
	return n
}

func (s *Sim) deliver(d *delivery) {
	h, ok := s.handlers[d.command.Name]
	if !ok {
		s.Dead = append(s.Dead, Dead{d.command, fmt.Errorf("no handler for %s", d.command.Name)})
		return
	}
	v, died := s.run(h, d)
	switch {
	case died:
		s.crashes++
		s.again(d, 30*time.Second) // after the time that the broker waits for a sign of life
	case v.Kind == flow.Retry:
		s.again(d, v.After)
	case v.Kind == flow.Wait:
		s.again(d, v.After)
	case v.Kind == flow.DeadLetter:
		s.Dead = append(s.Dead, Dead{d.command, v.Err})
	case s.Chance(s.faults.LostAck):
		s.again(d, 30*time.Second)
	case s.Chance(s.faults.Twice):
		s.enqueue(d.command, s.delay())
	}
}

func (s *Sim) run(h flow.Handler, d *delivery) (v flow.Verdict, died bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(flow.Crash); !ok {
				panic(r)
			}
			died = true
		}
	}()
	a := s.attempts[d.command.ID]
	a, v = s.policy.End(a, false, flow.Run(context.Background(), s, h, d.command, s.Now))
	if v.Kind == flow.DeadLetter {
		if err := flow.GiveUp(context.Background(), s, d.command, s.Now); err != nil {
			v.Kind, v.After = flow.Retry, 5*time.Second
		}
	}
	s.attempts[d.command.ID] = a
	return v, false
}

func (s *Sim) again(d *delivery, after time.Duration) { s.enqueue(d.command, after) }

func (s *Sim) enqueue(c contract.Command, after time.Duration) *delivery {
	s.order++
	d := &delivery{command: c, at: s.now.Add(after), order: s.order}
	heap.Push(&s.queue, d)
	return d
}

// Events gives an aggregate's events in the order in which they were stored.
func (s *Sim) Events(a contract.Aggregate) []contract.Event { return s.events[a] }

// Purged gives the events that were removed from histories.
func (s *Sim) Purged() []contract.Event { return s.purged }

// States gives the last state of every aggregate of a kind, by id.
func States[S any](s *Sim, a contract.Aggregate) (map[string]S, error) {
	out := map[string]S{}
	for i, e := range s.events[a] {
		if s.last[contract.EventSubject(a, e.AggregateID)] != i {
			continue
		}
		var body contract.Body[S]
		if err := json.Unmarshal(e.Data, &body); err != nil {
			return nil, fmt.Errorf("decode %s %s: %w", a, e.AggregateID, err)
		}
		out[e.AggregateID] = body.State
	}
	return out, nil
}

type delivery struct {
	command contract.Command
	at      time.Time
	order   uint64
	timer   string
}

// deliveries is a heap by time, then by order of arrival.
type deliveries []*delivery

func (q deliveries) Len() int { return len(q) }
func (q deliveries) Less(i, j int) bool {
	if !q[i].at.Equal(q[j].at) {
		return q[i].at.Before(q[j].at)
	}
	return q[i].order < q[j].order
}
func (q deliveries) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *deliveries) Push(x any)   { *q = append(*q, x.(*delivery)) }
func (q *deliveries) Pop() any {
	old := *q
	d := old[len(old)-1]
	*q = old[:len(old)-1]
	return d
}

// Advance moves the clock on, as time does when nothing happens.
func (s *Sim) Advance(d time.Duration) { s.now = s.now.Add(d) }

// Outcome gives how a request ended, as the projection would show it; ok is
// false while it has no outcome.
func (s *Sim) Outcome(request string) (op contract.Operation, ok bool) {
	for _, events := range s.events {
		for _, e := range events {
			if e.Operation == request {
				op, ok, _ = contract.OutcomeOf(e)
				return op, ok
			}
		}
	}
	return op, false
}
