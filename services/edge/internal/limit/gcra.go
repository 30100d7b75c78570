package limit

import "time"

// take is the decision: how many of want tokens can be had at now, given when
// all that was taken before will have flowed back (full), and that moment
// afterwards.
func take(p Policy, full, now time.Time, want int) (got int, after time.Time) {
	if full.Before(now) {
		full = now
	}
	free := int((p.Window - full.Sub(now)) / p.interval())
	got = max(min(want, free), 0)
	return got, full.Add(time.Duration(got) * p.interval())
}

// left is how many tokens are free.
func left(p Policy, full, now time.Time) int {
	if full.Before(now) {
		return p.Quota
	}
	return max(int((p.Window-full.Sub(now))/p.interval()), 0)
}

// wait is how long until one token is free.
func wait(p Policy, full, now time.Time) time.Duration {
	return max(full.Add(p.interval()).Sub(now)-p.Window, 0)
}
