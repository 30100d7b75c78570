package simbus

import (
	"container/heap"
	"context"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

// A delivery is one message that holds a command. It is delivered again until
// it is acknowledged.
type delivery struct {
	command contract.Command
	number  int // 1 for the first
}

// Run delivers until nothing is left or until the simulated clock has reached
// end. It gives the number of deliveries.
func (s *Sim) Run(end time.Time) int {
	n := 0
	for s.queue.Len() > 0 && !s.queue[0].at.After(end) {
		i := heap.Pop(&s.queue).(*item)
		if i.at.After(s.now) {
			s.now = i.at
		}
		switch {
		case i.task != nil:
			s.goOn(i.task)
		case i.timer != "" && s.timers[i.timer] != i.order: // set anew since
		default:
			n++
			s.deliver(i.delivery)
		}
	}
	return n
}

// deliver gives a command to a replica that does not hold it already.
func (s *Sim) deliver(d delivery) {
	for _, i := range s.rand.Perm(len(s.replicas)) {
		r := s.replicas[i]
		if r.holds(d.command.ID) {
			continue
		}
		h, ok := r.handlers[d.command.Name]
		if !ok {
			s.Dead = append(s.Dead, Dead{d.command, fmt.Errorf("no handler for %s", d.command.Name)})
			return
		}
		s.begin(d, r, h)
		return
	}
	s.push(&item{at: s.now.Add(ackWait), delivery: d})
}

func (r *replica) holds(command string) bool {
	for _, t := range r.tasks {
		if t.command.ID == command {
			return true
		}
	}
	return false
}

// attempt is one run, counted as the real bus does.
func (s *Sim) attempt(h flow.Handler, d delivery) flow.Verdict {
	id := d.command.ID
	risky := s.risky[d.command.Name] || d.number >= flow.Suspicious
	run := ""
	if risky {
		s.runs++
		run = strconv.Itoa(s.runs)
		begun, err := s.policy.Begin(s.attempts[id], run)
		if err != nil {
			return s.giveUp(d.command, flow.Verdict{Kind: flow.DeadLetter, Err: err})
		}
		s.attempts[id] = begun
	}
	v := flow.Run(context.Background(), s, h, d.command, s.Now)
	s.attempts[id], v = s.policy.End(s.attempts[id], run, v)
	if v.Kind == flow.DeadLetter {
		return s.giveUp(d.command, v)
	}
	return v
}

func (s *Sim) giveUp(c contract.Command, v flow.Verdict) flow.Verdict {
	if err := flow.GiveUp(context.Background(), s, s.ends, c, s.Now); err != nil {
		return flow.Verdict{Kind: flow.Retry, Err: err}
	}
	return v
}

// settle does with a delivery what its verdict says.
func (s *Sim) settle(t *task) {
	switch v := t.verdict; {
	case v.Kind == flow.Retry:
		s.redeliver(t.delivery, s.policy.Backoff(max(s.attempts[t.command.ID].Failed, 1)))
	case v.Kind == flow.Wait && v.Until.ID != "" && s.Chance(50): // the process holds it, and what it waits for has changed
		s.push(&item{at: s.now.Add(s.delayUpTo(v.After)), delivery: t.delivery})
	case v.Kind == flow.Wait:
		s.push(&item{at: s.now.Add(v.After), delivery: t.delivery})
	case v.Kind == flow.DeadLetter:
		s.Dead = append(s.Dead, Dead{t.command, v.Err})
	case s.Chance(s.faults.LostAck):
		s.redeliver(t.delivery, ackWait)
	case s.Chance(s.faults.Twice):
		s.enqueue(t.command, s.delay())
	}
}

func (s *Sim) redeliver(d delivery, after time.Duration) {
	d.number++
	s.push(&item{at: s.now.Add(after), delivery: d})
}

// enqueue adds a message.
func (s *Sim) enqueue(c contract.Command, after time.Duration) *item {
	if _, ok := s.firsts[c.Name]; !ok {
		s.firsts[c.Name] = c
	}
	i := &item{at: s.now.Add(after), delivery: delivery{c, 1}}
	s.push(i)
	return i
}

func (s *Sim) push(i *item) {
	s.order++
	i.order = s.order
	heap.Push(&s.queue, i)
}

// An item is what happens at a time: a delivery, or a task that goes on.
type item struct {
	at    time.Time
	order uint64
	delivery
	task  *task
	timer string // of a delivery: the subject of its schedule
}

// A queue is a heap by time, then by order of arrival.
type queue []*item

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if !q[i].at.Equal(q[j].at) {
		return q[i].at.Before(q[j].at)
	}
	return q[i].order < q[j].order
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*item)) }
func (q *queue) Pop() any {
	old := *q
	i := old[len(old)-1]
	*q = old[:len(old)-1]
	return i
}
