package lane

import (
	"math/rand/v2"
	"time"
)

// delays are those of the specification's schedule: after the first attempt that failed, the
// second, and so on. All of it takes 75.6 hours.
var delays = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

const (
	// Persistence is for how long an event is attempted at the least before it is given up.
	Persistence = 72 * time.Hour
	// maxRetryAfter bounds what a receiver may ask for.
	maxRetryAfter = 24 * time.Hour
	// quietest is how long a receiver that is overloaded is left alone with all its events.
	quietest = 5 * time.Minute
)

// delayAfter is how long after so many attempts failed the next is due, some more or less, so that
// what failed together does not come together again.
func delayAfter(attempts int) time.Duration {
	d := delays[min(attempts, len(delays))-1]
	return d + time.Duration((rand.Float64()-0.5)*0.2*float64(d))
}

// isExhausted reports whether an event is given up after so many attempts, the first of which
// failed so long ago.
func isExhausted(attempts int, age time.Duration) bool {
	return attempts > len(delays) && age >= Persistence
}
