package outbound

import (
	"net/http"
	"strconv"
	"time"
)

// retryAfter reads the header of that name: seconds, or a date. What cannot be read is 0.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(time.Until(at), 0)
}
