// Package lane decides what of an endpoint's events is delivered next: at most one of an object at
// a time, in order, and of as many objects as the window holds. It does nothing else, so it can be
// tried out without a broker or a receiver.
package lane

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/contract/webhooks"
)

// A Window is an endpoint's progress while it is delivered to.
type Window struct {
	webhooks.Progress
	flying map[string]bool // keys of the lanes that are being attempted
}

// Open makes a window of what was written down.
func Open(p webhooks.Progress) *Window { return &Window{Progress: p, flying: map[string]bool{}} }

// HasRoom reports whether another event may be looked at.
func (w *Window) HasRoom() bool { return len(w.Lanes) < webhooks.Window }

// Look takes in the next event of the feed. One of an object that has a lane already waits behind
// it without taking room.
func (w *Window) Look(key string, seq uint64, stored time.Time, wanted bool) {
	w.Seq, w.At = seq, stored
	if wanted && w.find(key) < 0 {
		w.Lanes = append(w.Lanes, webhooks.Lane{Key: key, Seq: seq})
	}
}

func (w *Window) find(key string) int {
	return slices.IndexFunc(w.Lanes, func(l webhooks.Lane) bool { return l.Key == key })
}

// Repeat takes in an event that is sent again, beside what its object waits for.
func (w *Window) Repeat(object string, seq uint64) {
	key := fmt.Sprint("again-", seq)
	if w.find(key) < 0 {
		w.Lanes = append(w.Lanes, webhooks.Lane{Key: key, Object: object, Seq: seq})
	}
}

// Rewind goes back in the feed, so that all that follows is sent again. Nothing is under way.
func (w *Window) Rewind(seq uint64) {
	if seq >= w.Seq {
		return
	}
	w.Seq = seq
	w.Lanes = slices.DeleteFunc(w.Lanes, func(l webhooks.Lane) bool { return l.Object == "" && l.Seq > seq })
}

// Revive has whatever waits be attempted at once.
func (w *Window) Revive() {
	for i := range w.Lanes {
		w.Lanes[i].Next = time.Time{}
	}
	w.QuietUntil = time.Time{}
}

// Flying is how many attempts are under way.
func (w *Window) Flying() int { return len(w.flying) }

// Start gives the lane to attempt now and counts it as under way; ok is false where none is due.
// Attempts that were put off until now go first, the longest due before others: while a receiver
// fails one is made at a time, and new events come without end.
func (w *Window) Start(now time.Time) (l webhooks.Lane, ok bool) {
	if now.Before(w.QuietUntil) {
		return l, false
	}
	best := -1
	for i, l := range w.Lanes {
		if w.flying[l.Key] || now.Before(l.Next) {
			continue
		}
		if best < 0 || isBefore(l, w.Lanes[best]) {
			best = i
		}
	}
	if best < 0 {
		return l, false
	}
	w.flying[w.Lanes[best].Key] = true
	return w.Lanes[best], true
}

func isBefore(a, b webhooks.Lane) bool {
	if a.Next.IsZero() != b.Next.IsZero() {
		return b.Next.IsZero()
	}
	return cmp.Or(a.Next.Compare(b.Next), cmp.Compare(a.Seq, b.Seq)) < 0
}

// DueTime is when the next lane that is not under way is due; zero where there is none.
func (w *Window) DueTime() (at time.Time) {
	for _, l := range w.Lanes {
		if !w.flying[l.Key] && (at.IsZero() || l.Next.Before(at)) {
			at = l.Next
			if at.IsZero() {
				at = w.At
			}
		}
	}
	if !at.IsZero() && at.Before(w.QuietUntil) {
		return w.QuietUntil
	}
	return at
}

// Pass goes on with an object after its event was delivered, given up or not wanted any more: with
// the next of its events that is wanted, at seq, where that was looked at already; 0 says that there
// is none.
func (w *Window) Pass(key string, seq uint64) {
	delete(w.flying, key)
	i := w.find(key)
	switch {
	case i < 0:
	case seq == 0 || seq > w.Seq:
		w.Lanes = slices.Delete(w.Lanes, i, i+1)
	default:
		w.Lanes[i] = webhooks.Lane{Key: key, Seq: seq}
	}
}

// revival is how many failures in a row say that the receiver as a whole was away.
const revival = 3

// Succeed notes that an attempt succeeded. A receiver that was away gets everything else at once.
func (w *Window) Succeed(now time.Time) {
	if w.Failures >= revival {
		w.Revive()
	}
	w.FailingSince, w.Failures, w.SucceededAt, w.QuietUntil = nil, 0, &now, time.Time{}
}

// A Failure is how an attempt failed.
type Failure struct {
	RetryAfter time.Duration // that the receiver asked for; 0: nothing
	Throttle   bool          // it is overloaded: all its events wait
}

// Fail notes that the attempt of an object's event failed. It reports whether the event is given up;
// then the object goes on with Pass.
func (w *Window) Fail(key string, now time.Time, f Failure) (exhausted bool) {
	delete(w.flying, key)
	if w.Failures++; w.FailingSince == nil {
		w.FailingSince = &now
	}
	after := min(f.RetryAfter, maxRetryAfter)
	if f.Throttle || after > 0 {
		w.QuietUntil = now.Add(min(max(after, time.Duration(w.Failures)*5*time.Second), quietest))
	}
	i := w.find(key)
	if i < 0 {
		return false
	}
	l := &w.Lanes[i]
	if l.Attempts++; l.First.IsZero() {
		l.First = now
	}
	l.Next = now.Add(max(delayAfter(l.Attempts), after))
	return isExhausted(l.Attempts, now.Sub(l.First))
}

// AttemptAt is when the next attempt of a lane is due; zero where it has none.
func (w *Window) AttemptAt(key string) (at time.Time) {
	if i := w.find(key); i >= 0 {
		at = w.Lanes[i].Next
	}
	return at
}

// Postpone gives an attempt back that came to nothing without the receiver's doing.
func (w *Window) Postpone(key string, until time.Time) {
	delete(w.flying, key)
	if i := w.find(key); i >= 0 {
		w.Lanes[i].Next = until
	}
}
