package limit

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// slices is into how many parts a window is cut: tokens come back a slice at a
// time, so at most a sixtieth of the window late.
const slices = 60

// A taken is how many tokens were taken in one slice of time.
type taken struct {
	slice int64 // its number since 1970
	n     int
	last  time.Duration // into the slice, until which they were spent
}

// A window is what was taken of a policy lately, oldest first. Tokens of a slice
// come back when the window has passed since the last of them was spent, so no
// window of time, wherever it begins, holds more than the quota.
type window []taken

// slice is the slice of time that a moment lies in.
func (p Policy) slice(at time.Time) int64 { return at.UnixNano() / int64(p.sliceTime()) }

func (p Policy) sliceTime() time.Duration { return max(p.Window/slices, 1) }

// sliceOffset is how far into its slice a moment is.
func (p Policy) sliceOffset(at time.Time) time.Duration {
	return time.Duration(at.UnixNano() % int64(p.sliceTime()))
}

// returnTime is when what was taken in a slice comes back.
func (p Policy) returnTime(t taken) time.Time {
	return time.Unix(0, t.slice*int64(p.sliceTime())).Add(t.last + p.Window)
}

// prune drops what has come back.
func (w window) prune(p Policy, now time.Time) window {
	for len(w) > 0 && !p.returnTime(w[0]).After(now) {
		w = w[1:]
	}
	return w
}

func (w window) sum() (n int) {
	for _, t := range w {
		n += t.n
	}
	return n
}

// plus is w with more tokens taken; fewer, for a negative number of them.
func (w window) plus(more taken) window {
	out := make(window, 0, len(w)+1)
	for i, t := range w {
		if t.slice > more.slice {
			return append(out.add(more), w[i:]...)
		}
		if t.slice == more.slice {
			more.n += t.n
			more.last = max(more.last, t.last)
			continue
		}
		out = append(out, t)
	}
	return out.add(more)
}

// merge is w with what another window holds besides.
func (w window) merge(more window) window {
	for _, t := range more {
		w = w.plus(t)
	}
	return w
}

func (w window) add(t taken) window {
	if t.n <= 0 {
		return w
	}
	return append(w, t)
}

// freeTokens is how many tokens are free.
func (w window) freeTokens(p Policy) int { return max(p.Quota-w.sum(), 0) }

// wait is how long until n tokens are free.
func (w window) wait(p Policy, now time.Time, n int) time.Duration {
	over := w.sum() + n - p.Quota
	for _, t := range w {
		if over <= 0 {
			break
		}
		if over -= t.n; over <= 0 {
			return max(p.returnTime(t).Sub(now), 0)
		}
	}
	if over > 0 {
		return p.Window // more than there ever are
	}
	return 0
}

// reset is how long until the whole quota is free.
func (w window) reset(p Policy, now time.Time) time.Duration {
	if len(w) == 0 {
		return 0
	}
	return max(p.returnTime(w[len(w)-1]).Sub(now), 0)
}

// text is a window as it is kept: the first slice, then for each how many slices
// it is later than the one before, how many tokens, and the last of them.
func (w window) text() []byte {
	var out []byte
	var before int64
	for _, t := range w {
		out = strconv.AppendInt(out, t.slice-before, 10)
		out = append(out, ':')
		out = strconv.AppendInt(out, int64(t.n), 10)
		out = append(out, ':')
		out = strconv.AppendInt(out, int64(t.last), 10)
		out = append(out, ' ')
		before = t.slice
	}
	return out
}

func readWindow(text []byte) (window, error) {
	var w window
	var slice int64
	for part := range strings.FieldsSeq(string(text)) {
		var numbers [3]int64
		for i, digits := range strings.SplitN(part, ":", len(numbers)) {
			n, err := strconv.ParseInt(digits, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("what was taken: %w", err)
			}
			numbers[i] = n
		}
		slice += numbers[0]
		w = append(w, taken{slice, int(numbers[1]), time.Duration(numbers[2])})
	}
	return w, nil
}
