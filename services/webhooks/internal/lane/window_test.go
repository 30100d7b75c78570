package lane

import (
	"fmt"
	"testing"
	"time"

	"boardorder/pkg/contract/webhooks"
)

var begin = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

// look takes in events of objects, one after another.
func look(w *Window, objects ...string) {
	for _, o := range objects {
		w.Look(o, w.Seq+1, begin, true)
	}
}

func start(t *testing.T, w *Window, now time.Time) webhooks.Lane {
	t.Helper()
	l, ok := w.Start(now)
	if !ok {
		t.Fatalf("nothing is due at %s of %+v", now, w.Lanes)
	}
	return l
}

// TestOneOfAnObjectAtATime: what follows of an object waits, that of others does not.
func TestOneOfAnObjectAtATime(t *testing.T) {
	t.Parallel()
	w := Open(webhooks.Progress{})
	look(w, "a", "b", "a", "a")
	if a, b := start(t, w, begin), start(t, w, begin); a.Key != "a" || a.Seq != 1 || b.Key != "b" || b.Seq != 2 {
		t.Errorf("started %+v and %+v, want the first of a and of b", a, b)
	}
	if l, ok := w.Start(begin); ok {
		t.Errorf("started %+v, want nothing of a while its first is under way", l)
	}
	w.Succeed(begin)
	w.Pass("a", 3)
	w.Pass("b", 0)
	if l := start(t, w, begin); l.Key != "a" || l.Seq != 3 {
		t.Errorf("started %+v, want the second of a", l)
	}
	w.Pass("a", 9) // it was not looked at yet
	if len(w.Lanes) != 0 || w.Flying() != 0 {
		t.Errorf("lanes %+v, %d under way; want none", w.Lanes, w.Flying())
	}
}

// TestRetriesAreNotStarved: what is due after a failure goes before events that have just come,
// which may come without end.
func TestRetriesAreNotStarved(t *testing.T) {
	t.Parallel()
	w := Open(webhooks.Progress{})
	look(w, "a")
	w.Fail(start(t, w, begin).Key, begin, Failure{})
	look(w, "b")
	if l := start(t, w, begin.Add(time.Second)); l.Key != "b" {
		t.Errorf("started %+v, want b: a is not due yet", l)
	}
	w.Fail("b", begin.Add(time.Second), Failure{})
	look(w, "c", "d")
	due := begin.Add(time.Minute)
	for _, want := range []string{"a", "b", "c", "d"} {
		if l := start(t, w, due); l.Key != want {
			t.Errorf("started %+v, want %s", l, want)
		}
	}
}

// TestSchedule: an event is attempted ten times over three days, by the specification's delays.
func TestSchedule(t *testing.T) {
	t.Parallel()
	w := Open(webhooks.Progress{})
	look(w, "a")
	now, attempts := begin, 0
	for {
		start(t, w, now)
		attempts++
		if w.Fail("a", now, Failure{}) {
			break
		}
		due := w.DueTime()
		wait, want := due.Sub(now), delays[min(attempts, len(delays))-1]
		if float64(wait) < 0.89*float64(want) || float64(wait) > 1.11*float64(want) {
			t.Errorf("after %d attempts it waits %s, want %s, a tenth more or less", attempts, wait, want)
		}
		if _, ok := w.Start(due.Add(-time.Millisecond)); ok {
			t.Errorf("attempt %d began before it was due", attempts+1)
		}
		now = due
	}
	if age := now.Sub(begin); attempts < 10 || attempts > 11 || age < Persistence || age > 101*time.Hour {
		t.Errorf("given up after %d attempts and %s, want ten or eleven and more than %s", attempts, age, Persistence)
	}
}

// TestARecoveredReceiverGetsAllAtOnce: after several failures in a row the first success has whatever waits
// be due; after a single one it does not.
func TestARecoveredReceiverGetsAllAtOnce(t *testing.T) {
	t.Parallel()
	for failures, want := range map[int]bool{1: false, 2: false, 3: true, 5: true} {
		w := Open(webhooks.Progress{})
		for i := range failures {
			look(w, fmt.Sprint("o", i))
			l := start(t, w, begin)
			w.Fail(l.Key, begin, Failure{})
		}
		look(w, "good")
		l := start(t, w, begin)
		w.Succeed(begin)
		w.Pass(l.Key, 0)
		if _, ok := w.Start(begin); ok != want || w.FailingSince != nil || w.Failures != 0 {
			t.Errorf("after %d failures and a success the rest is due: %t, want %t", failures, ok, want)
		}
	}
}

// TestReceiversAskForTime: Retry-After is heeded, a receiver that is overloaded is left alone, and neither for
// longer than is bearable.
func TestReceiversAskForTime(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		f                     Failure
		lane, all             time.Duration // at the least
		laneAtMost, allAtMost time.Duration
	}{
		"nothing":                 {Failure{}, 4 * time.Second, 0, 6 * time.Second, 0},
		"a minute":                {Failure{RetryAfter: time.Minute}, time.Minute, time.Minute, time.Minute, time.Minute},
		"overloaded":              {Failure{Throttle: true}, 4 * time.Second, 5 * time.Second, 6 * time.Second, 5 * time.Second},
		"overloaded, for an hour": {Failure{RetryAfter: time.Hour, Throttle: true}, time.Hour, quietest, time.Hour, quietest},
		"a year":                  {Failure{RetryAfter: 365 * 24 * time.Hour}, maxRetryAfter, quietest, maxRetryAfter, quietest},
	} {
		w := Open(webhooks.Progress{})
		look(w, "a", "b")
		start(t, w, begin)
		w.Fail("a", begin, tt.f)
		if got := w.AttemptAt("a").Sub(begin); got < tt.lane || got > tt.laneAtMost {
			t.Errorf("%s: the event waits %s, want %s to %s", name, got, tt.lane, tt.laneAtMost)
		}
		_, ok := w.Start(begin.Add(tt.all - time.Millisecond))
		if tt.all > 0 && ok {
			t.Errorf("%s: another event was sent before %s", name, tt.all)
		}
		if !ok {
			start(t, w, begin.Add(tt.allAtMost))
		}
	}
}

// TestWindowIsBounded: with so many objects that wait nothing more is looked at; more of the same objects take
// no room.
func TestWindowIsBounded(t *testing.T) {
	t.Parallel()
	w := Open(webhooks.Progress{})
	for i := range webhooks.Window {
		if !w.HasRoom() {
			t.Fatalf("no room for object %d", i)
		}
		look(w, fmt.Sprint("o", i), fmt.Sprint("o", i))
	}
	if w.HasRoom() || len(w.Lanes) != webhooks.Window {
		t.Errorf("%d lanes, room for more: %t; want %d and none", len(w.Lanes), w.HasRoom(), webhooks.Window)
	}
}

// TestGoingBack: what lies after the place is looked at anew, what lies before and an event that is sent again
// stay; going forward is nothing.
func TestGoingBack(t *testing.T) {
	t.Parallel()
	w := Open(webhooks.Progress{})
	look(w, "a", "b", "c")
	w.Repeat("x", 77)
	w.Repeat("x", 77)
	w.Rewind(9)
	if w.Seq != 3 || len(w.Lanes) != 4 {
		t.Errorf("after going forward: at %d with %+v, want it unchanged", w.Seq, w.Lanes)
	}
	w.Rewind(1)
	if w.Seq != 1 || len(w.Lanes) != 2 || w.Lanes[0].Key != "a" || w.Lanes[1].Object != "x" {
		t.Errorf("after going back to 1: at %d with %+v, want a, and x again", w.Seq, w.Lanes)
	}
}
