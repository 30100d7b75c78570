// Package simbus is an event system in memory for seeded simulations. It has
// every fault that a broker and a process can have: commands are delivered
// twice, late and out of order, and to two replicas at once; handlers are
// interleaved between any two effects; acknowledgements get lost, a process
// stands still for minutes, and it dies between any two effects. Attempts are
// counted as package flow says. The same seed gives the same run.
package simbus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/flow"
)

// Faults are the chances, in percent, of what goes wrong at each step.
type Faults struct {
	Crash     int // before or after an effect: the process dies, its commands come again
	LostReply int // of a publish that was stored: the caller sees an error
	LostAck   int // of a command that was carried out: it comes again
	Twice     int // a command is delivered a second time although it was acknowledged
	Refused   int // a publish or load fails and nothing happened
	Switch    int // another handler goes on between two effects
	Stall     int // of these switches: for minutes, so that the command comes again meanwhile
	Delay     time.Duration
}

// Usual is a rough day.
func Usual() Faults {
	return Faults{Crash: 2, LostReply: 4, LostAck: 5, Twice: 5, Refused: 4, Switch: 30, Stall: 3, Delay: 90 * time.Second}
}

// Sim is one simulated event system. It is used by one goroutine; its handlers
// are coroutines of that one.
type Sim struct {
	rand     *rand.Rand
	faults   Faults
	replicas []*replica
	risky    map[contract.CommandName]bool
	ends     flow.Handlers // of commands that become dead letters
	policy   flow.Policy

	now        time.Time
	seq        map[contract.Aggregate]uint64
	events     map[contract.Aggregate][]contract.Event
	purged     []contract.Event
	last       map[string]int // subject → index in events
	queue      queue
	order      uint64
	timers     map[string]uint64 // subject → the item that counts
	sent       map[string]time.Time
	attempts   map[string]flow.Attempts
	runs       int             // of risky commands
	duplicates map[string]bool // aggregate, key and id
	// DuplicatesAreNew says that aggregates of before are not entered under what their
	// files hold.
	DuplicatesAreNew bool
	// Allow says whether a service may publish to a subject, as the users of the broker
	// have it; nil: everything. What a service tried all the same lies in Violations.
	Allow      func(service, subject string) bool
	Violations map[string]bool // "<service>: <subject>"
	allowed    map[string]bool // likewise, as Allow said
	current    *task           // whose handler goes on; nil: nobody's
	public     []feed.Entry
	// Follow gives the command as which an event that is stored is handed to who follows
	// it; nil: nobody does. It comes late, twice and in another order, as commands do.
	Follow  func(contract.Event) (c contract.Command, ok bool)
	firsts  map[contract.CommandName]contract.Command
	Dead    []Dead
	calm    bool
	crashes int
}

// Dead is a dead letter and why.
type Dead struct {
	Command contract.Command
	Err     error
}

var _ aggregate.Core = (*Sim)(nil)

// New makes a simulation that starts at a time of its own, with one replica.
func New(seed uint64, f Faults, handlers ...flow.Handlers) *Sim {
	s := &Sim{
		rand: rand.New(rand.NewPCG(seed, seed^0x9e3779b97f4a7c15)), faults: f, policy: flow.DefaultPolicy(),
		risky: map[contract.CommandName]bool{}, ends: flow.Handlers{}, now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC),
		seq: map[contract.Aggregate]uint64{}, events: map[contract.Aggregate][]contract.Event{},
		last: map[string]int{}, timers: map[string]uint64{}, sent: map[string]time.Time{}, attempts: map[string]flow.Attempts{}, duplicates: map[string]bool{},
		firsts: map[contract.CommandName]contract.Command{}, Violations: map[string]bool{}, allowed: map[string]bool{},
	}
	s.AddReplica()
	s.Handle(handlers...)
	return s
}

// Now is the simulated clock.
func (s *Sim) Now() time.Time { return s.now }

// Rand is the simulation's own source, for its outside systems.
func (s *Sim) Rand() *rand.Rand { return s.rand }

// Calm ends all faults: what comes now must bring everything to its end.
// Handlers are interleaved all the same.
func (s *Sim) Calm() { s.calm = true }

// IsCalm reports whether all faults have ended.
func (s *Sim) IsCalm() bool { return s.calm }

// Crashes is how often a process died.
func (s *Sim) Crashes() int { return s.crashes }

// Chance is true in percent of a hundred cases, never once it is calm.
func (s *Sim) Chance(percent int) bool { return !s.calm && s.rand.IntN(100) < percent }

// fault is Chance of something going wrong in the current run. A command that
// is one failure short of a dead letter is spared: what chance alone does to it
// shows nothing about the code.
func (s *Sim) fault(percent int) bool {
	return s.Chance(percent) && (s.current == nil || !s.isSpared(s.current.command.ID))
}

// mayCrash ends the process of the current run, unless one of its runs is spared.
func (s *Sim) mayCrash(at string) {
	if !s.Chance(s.faults.Crash) {
		return
	}
	if s.current != nil && slices.ContainsFunc(s.current.replica.tasks, func(t *task) bool { return s.isSpared(t.command.ID) }) {
		return
	}
	panic(flow.Crash{At: at})
}

func (s *Sim) isSpared(command string) bool {
	a := s.attempts[command]
	return a.Failed >= s.policy.Failures-2 || len(a.Unfinished) >= s.policy.Unfinished-1
}

// errBroker is what a lost reply and a refused call look like.
var errBroker = errors.New("simulated: no answer from the broker")

// Effect stands round every effect on the world outside the process: it may die
// before, die after, fail, lose the answer, or come after another handler's. It
// does not happen past the end of ctx by the simulated clock. Outside systems of
// a simulation use it too.
func (s *Sim) Effect(ctx context.Context, name string, do func() error) error {
	end := s.deadline(ctx)
	s.pause()
	s.mayCrash("before " + name)
	if s.now.After(end) {
		return context.DeadlineExceeded
	}
	if s.fault(s.faults.Refused) {
		return errBroker
	}
	err := do()
	s.pause()
	s.mayCrash("after " + name)
	if err == nil && (s.fault(s.faults.LostReply) || s.now.After(end)) {
		return errBroker
	}
	return err
}

// anyID stands for the id in a subject: no permission depends on it.
const anyID = "any"

// permit refuses what the service whose handler goes on may not publish.
func (s *Sim) permit(subject string) error {
	if s.Allow == nil || s.current == nil {
		return nil
	}
	key := s.current.command.Name.Service + ": " + subject
	may, known := s.allowed[key]
	if !known {
		may = s.Allow(s.current.command.Name.Service, subject)
		s.allowed[key] = may
	}
	if !may {
		s.Violations[key] = true
		return fmt.Errorf("simulated: permissions violation: %s", key)
	}
	return nil
}

// deadline is when ctx ends by the simulated clock, which stands still while a
// handler computes: at the latest when the limit of the run is reached.
func (s *Sim) deadline(ctx context.Context) time.Time {
	end := s.now.Add(24 * time.Hour)
	if s.current != nil {
		end = s.current.began.Add(runLimit)
	}
	if d, ok := ctx.Deadline(); ok {
		if at := s.now.Add(time.Until(d).Round(time.Second)); at.Before(end) {
			end = at
		}
	}
	return end
}

// Last implements aggregate.Log.
func (s *Sim) Last(_ context.Context, a contract.Aggregate, id string) (contract.Event, error) {
	if err := s.permit("$JS.API.STREAM.MSG.GET." + contract.EventStream(a)); err != nil {
		return contract.Event{}, err
	}
	s.pause()
	if s.fault(s.faults.Refused) {
		return contract.Event{}, errBroker
	}
	e, ok := s.LatestEvent(a, id)
	if !ok {
		return contract.Event{}, aggregate.ErrNone
	}
	return e, nil
}

// LatestEvent gives the last event of an aggregate to who watches the simulation:
// no fault hides it.
func (s *Sim) LatestEvent(a contract.Aggregate, id string) (contract.Event, bool) {
	i, ok := s.last[contract.EventSubject(a, id)]
	if !ok {
		return contract.Event{}, false
	}
	return s.events[a][i], true
}

// Append implements aggregate.Log. A lost reply is settled as the real bus does.
func (s *Sim) Append(ctx context.Context, e contract.Event, after uint64) (uint64, error) {
	if err := s.permit(contract.EventSubject(e.Aggregate, anyID)); err != nil {
		return 0, err
	}
	var stored uint64
	err := s.Effect(ctx, "append "+e.Type(), func() error {
		last, ok := s.LatestEvent(e.Aggregate, e.AggregateID)
		if ok && last.ID == e.ID && bytes.Equal(last.Data, e.Data) {
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
	if s.Follow != nil {
		if c, ok := s.Follow(e); ok {
			s.enqueue(c, s.delay())
		}
	}
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

// RequestsOf implements aggregate.History.
func (s *Sim) RequestsOf(_ context.Context, a contract.Aggregate, id string) (requests []string, err error) {
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
func (s *Sim) PurgeHistory(ctx context.Context, a contract.Aggregate, id string) error {
	return s.Effect(ctx, "purge "+string(a), func() error {
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

// DropLabelled implements aggregate.History. A simulation keeps no requests.
func (s *Sim) DropLabelled(ctx context.Context, labels contract.Labels) (map[string]int, error) {
	dropped := map[string]int{}
	err := s.Effect(ctx, "drop", func() error {
		s.Dead = slices.DeleteFunc(s.Dead, func(d Dead) bool {
			labelled := registry.LabelsOf(d.Command).HasAny(labels)
			if labelled {
				dropped[contract.DeadLetterStream]++
			}
			return labelled
		})
		return nil
	})
	return dropped, err
}

// NoteDuplicate implements aggregate.DuplicateIndex.
func (s *Sim) NoteDuplicate(ctx context.Context, a contract.Aggregate, key, id string) error {
	return s.Effect(ctx, "note "+string(a), func() error { s.duplicates[duplicateKey(a, key, id)] = true; return nil })
}

// Duplicates implements aggregate.DuplicateIndex.
func (s *Sim) Duplicates(_ context.Context, a contract.Aggregate, keys ...string) (ids []string, whole bool, err error) {
	s.pause()
	if s.fault(s.faults.Refused) {
		return nil, false, errBroker
	}
	for _, key := range keys {
		for entry := range s.duplicates {
			if id, ok := strings.CutPrefix(entry, duplicateKey(a, key, "")); ok {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), !s.DuplicatesAreNew, nil
}

// ForgetDuplicate implements aggregate.DuplicateIndex.
func (s *Sim) ForgetDuplicate(ctx context.Context, a contract.Aggregate, key, id string) error {
	return s.Effect(ctx, "forget "+string(a), func() error { delete(s.duplicates, duplicateKey(a, key, id)); return nil })
}

func duplicateKey(a contract.Aggregate, key, id string) string {
	return string(a) + "." + key + "." + id
}

// Send implements aggregate.Sender. Like the real one it usually swallows a
// repeat of the same id.
func (s *Sim) Send(ctx context.Context, c contract.Command) error {
	if err := s.permit(contract.CommandSubject(c.Name, anyID)); err != nil {
		return err
	}
	return s.Effect(ctx, "send "+c.Name.String(), func() error {
		if at, ok := s.sent[c.ID]; ok && s.now.Sub(at) < dedupe && !s.Chance(30) {
			return nil
		}
		s.sent[c.ID] = s.now
		s.enqueue(c, s.delay())
		return nil
	})
}

// dedupe is how long the broker knows the id of a message.
const dedupe = 10 * time.Minute

// Schedule implements aggregate.Timers: the last one set counts.
func (s *Sim) Schedule(ctx context.Context, t contract.Timer) error {
	if err := s.permit(contract.TimerSubject(t.Aggregate, anyID, t.What)); err != nil {
		return err
	}
	if err := registry.CheckTimer(t.Aggregate, t.Command.Name); err != nil {
		return err
	}
	return s.Effect(ctx, "schedule "+t.What, func() error {
		subject := contract.TimerSubject(t.Aggregate, t.AggregateID, t.What)
		d := s.enqueue(t.Command, max(t.Due.Sub(s.now), 0))
		d.timer = subject
		s.timers[subject] = d.order
		return nil
	})
}

func (s *Sim) delay() time.Duration { return time.Millisecond + s.delayUpTo(s.faults.Delay) }

// delayUpTo is a random time, none once it is calm.
func (s *Sim) delayUpTo(most time.Duration) time.Duration {
	if s.calm || most <= 0 {
		return 0
	}
	return time.Duration(s.rand.Int64N(int64(most)))
}

// Commands gives the first command of each name that was sent.
func (s *Sim) Commands() map[contract.CommandName]contract.Command { return s.firsts }

// Events gives an aggregate's events in the order in which they were stored.
func (s *Sim) Events(a contract.Aggregate) []contract.Event { return s.events[a] }

// Purges gives the events that were removed from histories.
func (s *Sim) Purges() []contract.Event { return s.purged }

// States gives the last state of every aggregate of a kind, by id. One that was only
// ever asked for in vain has none.
func States[S any](s *Sim, a contract.Aggregate) (map[string]S, error) {
	out := map[string]S{}
	for i, e := range s.events[a] {
		if s.last[contract.EventSubject(a, e.AggregateID)] != i {
			continue
		}
		var body contract.Body[*S]
		if err := json.Unmarshal(e.Data, &body); err != nil {
			return nil, fmt.Errorf("decode %s %s: %w", a, e.AggregateID, err)
		}
		if body.State != nil {
			out[e.AggregateID] = *body.State
		}
	}
	return out, nil
}

// Advance moves the clock on, as time does when nothing happens.
func (s *Sim) Advance(d time.Duration) { s.now = s.now.Add(d) }

// Outcome gives how a request ended, as the projection would show it; ok is
// false while it has no outcome.
func (s *Sim) Outcome(request string) (op contract.Operation, ok bool) {
	for _, a := range contract.Aggregates() {
		for _, e := range s.events[a] {
			if e.Operation == request {
				op, ok, _ = contract.OutcomeOf(e)
				return op, ok
			}
		}
	}
	return op, false
}
