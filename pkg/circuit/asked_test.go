package circuit_test

import (
	"net/http"
	"testing"
	"time"

	"boardorder/pkg/circuit"
)

func TestAsked(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"120": 2 * time.Minute, " 7 ": 7 * time.Second, "0": 0, "999999": time.Hour, "99999999999999999999": 0, "-5": 0, "": 0, "soon": 0,
		"Sun, 01 Mar 2026 12:10:00 GMT": 10 * time.Minute, "Sunday, 01-Mar-26 12:10:00 GMT": 10 * time.Minute, "Sun Mar  1 12:10:00 2026": 10 * time.Minute,
		"Sun, 01 Mar 2026 11:00:00 GMT": 0, "Tue, 03 Mar 2026 12:00:00 GMT": time.Hour,
	} {
		if got := circuit.RetryAfter(http.Header{"Retry-After": {header}}, now, time.Hour); got != want {
			t.Errorf("RetryAfter(%q) = %s, want %s", header, got, want)
		}
	}
}
