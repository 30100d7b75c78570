package outside_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"boardorder/services/part-sourcing/internal/outside"
)

// TestRetryAfter: a supplier is left alone as long as it says, in either of the
// forms of the header.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	for name, c := range map[string]struct {
		header string
		want   time.Duration
	}{
		"seconds": {"120", 2 * time.Minute}, "a date": {in(time.Hour), time.Hour}, "days": {in(72 * time.Hour), 24 * time.Hour}, "many seconds": {"999999", 24 * time.Hour},
		"a date gone by": {in(-time.Hour), time.Minute}, "nothing": {"", time.Minute}, "something else": {"soon", time.Minute}, "below zero": {"-5", time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", c.header)
				w.WriteHeader(http.StatusTooManyRequests)
			}))
			defer s.Close()
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, err = outside.New(outside.Config{Source: "supplier"}).Do(t.Context(), req, nil)
			const late = time.Minute / 2 // a date is of whole seconds, and the machine may be busy
			if wait := outside.RetryAfter(err); outside.KindOf(err) != outside.OverQuota || wait > c.want || wait < c.want-late {
				t.Errorf("%v: left alone for %s, want %s", err, wait, c.want)
			}
		})
	}
}
