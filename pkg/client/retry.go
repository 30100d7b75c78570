package client

import (
	"math/rand/v2"
	"net/http"
	"time"
)

const (
	firstDelay        = 500 * time.Millisecond
	longestDelay      = 8 * time.Second
	longestRetryAfter = time.Minute // longer waits are the caller's to decide about
)

// retryDelay is how long to wait before a call is sent again whose try of that number
// failed, and whether it is sent again at all. What may have been carried out is only
// sent again where that changes nothing.
func retryDelay(method string, keyed bool, attempt, retries int, e *Error) (time.Duration, bool) {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete:
	default:
		if !keyed {
			return 0, false
		}
	}
	if attempt > retries || !e.passes() || e.RetryAfter > longestRetryAfter {
		return 0, false
	}
	if e.RetryAfter > 0 {
		return e.RetryAfter + rand.N(e.RetryAfter/4), true
	}
	return backoff(attempt), true
}

// backoff is twice as long after each try, half of it by chance.
func backoff(attempt int) time.Duration {
	d := min(firstDelay<<min(attempt-1, 10), longestDelay)
	return d/2 + rand.N(d/2)
}
