package circuit

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter is how long a company asks by the header Retry-After to be left alone:
// seconds or a date, zero at least and most at most. It is zero where the header
// says nothing of use.
func RetryAfter(h http.Header, now time.Time, most time.Duration) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return 0
	}
	wait := time.Duration(0)
	if s, err := strconv.ParseUint(text, 10, 31); err == nil {
		wait = time.Duration(s) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		wait = at.Sub(now)
	}
	return min(max(wait, 0), most)
}
