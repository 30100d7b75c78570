package provider

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"
)

// A State is how a provider does.
type State string

// The states, the gravest first.
const (
	Away    State = "away"       // it failed again and again, and nothing succeeded since
	UsedUp  State = "quota used" // it allows no more calls for a while
	Slow    State = "slow"
	Works   State = "works"
	Unasked State = "not called" // nobody has called it yet
)

// A Health is how a provider does, as all processes together see it.
type Health struct {
	Kind        Kind
	Name        string
	State       State
	Since       time.Time // of the state; zero where it is not known
	LastSuccess time.Time
	Calls       int // of the window
	Failures    int
	P95         time.Duration // 95 of 100 calls of the window took no longer
	Processes   int           // that report of it
	AwayFor     int           // of them, how many cannot reach it
}

// ErrorRate is the share of calls that failed.
func (h Health) ErrorRate() string {
	if h.Calls == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(h.Failures)/float64(h.Calls))
}

// What makes a provider slow: 95 of 100 calls of the last minutes took longer than this.
const (
	slowAfter = 5 * time.Second
	slowIn    = 10 // minutes
	slowCalls = 5  // at least; one slow call is none
)

// fresh is how old the report of a process is at most that still runs.
const fresh = 2*repeatEvery + time.Minute

// Merge adds the reports of processes up, the providers that do worst first.
func Merge(now time.Time, reports []Report) (out []Health) {
	type key struct {
		kind Kind
		name string
	}
	grouped := map[key][]Report{}
	for _, r := range reports {
		grouped[key{r.Kind, r.Name}] = append(grouped[key{r.Kind, r.Name}], r)
	}
	for k, seen := range grouped {
		h := Health{Kind: k.kind, Name: k.name}
		h.count(now, seen)
		h.judge(now, seen)
		out = append(out, h)
	}
	order := []State{Away, UsedUp, Slow, Works, Unasked}
	slices.SortFunc(out, func(a, b Health) int {
		return cmp.Or(slices.Index(order, a.State)-slices.Index(order, b.State), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// count adds up the calls of the window.
func (h *Health) count(now time.Time, seen []Report) {
	times := map[int]int{}
	for _, r := range seen {
		if now.Sub(r.At) <= fresh {
			h.Processes++
		}
		if r.LastSuccess.After(h.LastSuccess) {
			h.LastSuccess = r.LastSuccess
		}
		h.Failures += addMinutes(times, r.Minutes, minuteOf(now.Add(-Window)))
	}
	h.Calls, h.P95 = percentile(times)
}

// judge says how the provider does, and since when.
func (h *Health) judge(now time.Time, seen []Report) {
	began, recovered := time.Time{}, time.Time{}
	away, usedUp := time.Time{}, time.Time{}
	for _, r := range seen {
		began, recovered = earliest(began, r.FirstCall), latest(recovered, r.Recovered)
		runs := now.Sub(r.At) <= fresh
		if !r.AwaySince.IsZero() && (runs || r.AwaySince.After(h.LastSuccess)) {
			away = earliest(away, r.AwaySince)
			if runs {
				h.AwayFor++
			}
		}
		if r.UsedUpUntil.After(now) {
			usedUp = earliest(usedUp, r.UsedUpSince)
		}
	}
	slow := slowSince(now, seen)
	switch {
	case !away.IsZero():
		h.State, h.Since = Away, away
	case !usedUp.IsZero():
		h.State, h.Since = UsedUp, usedUp
	case began.IsZero():
		h.State = Unasked
	case !slow.IsZero():
		h.State, h.Since = Slow, slow
	default:
		h.State, h.Since = Works, latest(began, recovered)
	}
}

// slowSince is since when calls take too long; zero if they do not.
func slowSince(now time.Time, seen []Report) time.Time {
	last, since := minuteOf(now), int64(0)
	times := map[int]int{}
	for _, r := range seen {
		addMinutes(times, r.Minutes, last-slowIn)
	}
	if n, p95 := percentile(times); n < slowCalls || p95 <= slowAfter {
		return time.Time{}
	}
	for at := last; at > last-int64(Window/time.Minute); at-- {
		of := map[int]int{}
		for _, r := range seen {
			if i := slices.IndexFunc(r.Minutes, func(m Minute) bool { return m.At == at }); i >= 0 {
				addMinutes(of, r.Minutes[i:i+1], at-1)
			}
		}
		n, p95 := percentile(of)
		if n > 0 && p95 <= slowAfter && at <= last-slowIn {
			break
		}
		if n > 0 && p95 > slowAfter {
			since = at
		}
	}
	return time.Unix(since*60, 0).UTC()
}

// addMinutes adds the times of the minutes after one, and says how many calls failed.
func addMinutes(times map[int]int, minutes []Minute, after int64) (failures int) {
	for _, m := range minutes {
		if m.At <= after {
			continue
		}
		failures += m.Failures
		for took, n := range m.Times {
			times[took] += n
		}
	}
	return failures
}

// percentile is how many times there are, and what 95 of 100 do not exceed.
func percentile(times map[int]int) (n int, p95 time.Duration) {
	for _, count := range times {
		n += count
	}
	passed := 0
	for _, took := range slices.Sorted(maps.Keys(times)) {
		if passed += times[took]; 100*passed >= 95*n {
			return n, stepEnd(took)
		}
	}
	return n, 0
}

func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
