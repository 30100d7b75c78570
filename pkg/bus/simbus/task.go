package simbus

import (
	"iter"
	"maps"
	"slices"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

// A replica is one process of every service.
type replica struct {
	handlers flow.Handlers
	tasks    []*task // in the order in which they began
}

// AddReplica adds a process of every service. Its handlers share nothing with
// those of another but the event system.
func (s *Sim) AddReplica(handlers ...flow.Handlers) {
	s.replicas = append(s.replicas, &replica{handlers: flow.Handlers{}})
	s.handle(s.replicas[len(s.replicas)-1], handlers)
}

// Handle adds the handlers of a service, which may have been made over s itself,
// to the first replica.
func (s *Sim) Handle(handlers ...flow.Handlers) { s.handle(s.replicas[0], handlers) }

func (*Sim) handle(r *replica, handlers []flow.Handlers) {
	for _, h := range handlers {
		maps.Copy(r.handlers, h)
	}
}

// Risky names commands of which each run is written down before it begins.
func (s *Sim) Risky(names ...contract.CommandName) {
	for _, n := range names {
		s.risky[n] = true
	}
}

// GiveUp adds the handlers that end what commands began that become dead letters.
func (s *Sim) GiveUp(handlers flow.Handlers) { maps.Copy(s.ends, handlers) }

const (
	ackWait  = bus.DefaultAckWait // the broker waits so long for a heartbeat
	runLimit = 5 * time.Minute    // for one run of a handler
	// maxStall is the longest that a process stands still: two of them fit into
	// one run.
	maxStall = 2 * time.Minute
)

// A task is one run of a handler. It is a coroutine, which gives way at effects.
type task struct {
	delivery
	replica *replica
	began   time.Time
	resume  func() (pause time.Duration, paused bool)
	kill    func()
	giveWay func(time.Duration) bool
	killed  bool
	verdict flow.Verdict
	died    bool
}

// begin runs the handler of a delivery until it gives way or ends.
func (s *Sim) begin(d delivery, r *replica, h flow.Handler) {
	t := &task{delivery: d, replica: r, began: s.now}
	t.resume, t.kill = iter.Pull(func(yield func(time.Duration) bool) {
		t.giveWay = yield
		t.run(func() { t.verdict = s.attempt(h, d) })
	})
	r.tasks = append(r.tasks, t)
	s.goOn(t)
}

// run notes whether the process died in f.
func (t *task) run(f func()) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case flow.Crash:
			t.died = true
		default:
			panic(v)
		}
	}()
	f()
}

func (s *Sim) goOn(t *task) {
	if t.killed {
		return
	}
	s.current = t
	pause, paused := t.resume()
	s.current = nil
	if paused {
		s.push(&item{at: s.now.Add(pause), task: t})
		return
	}
	if t.died {
		s.crash(t.replica)
		return
	}
	s.removeTask(t)
	s.settle(t)
}

// pause lets other handlers go on, at times for so long that the broker gives
// the command to another replica.
func (s *Sim) pause() {
	t := s.current
	if t == nil {
		return
	}
	if !t.killed && s.rand.IntN(100) < s.faults.Switch {
		d := s.delayUpTo(2 * time.Second)
		if s.fault(s.faults.Stall) {
			d = ackWait + s.delayUpTo(maxStall-ackWait)
			s.redeliver(t.delivery, ackWait)
		}
		t.killed = !t.giveWay(d)
	}
	if t.killed {
		panic(flow.Crash{At: "while another handler went on"})
	}
}

// crash ends all that runs in a process. The broker gives it to another.
func (s *Sim) crash(r *replica) {
	s.crashes++
	for _, t := range r.tasks {
		s.current = t
		t.killed = true
		t.kill()
		s.current = nil
		s.removeTask(t)
		s.redeliver(t.delivery, ackWait)
	}
}

// removeTask takes a task from its replica.
func (s *Sim) removeTask(t *task) {
	t.replica.tasks = slices.DeleteFunc(slices.Clone(t.replica.tasks), func(other *task) bool { return other == t })
}
