package openfab

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"boardorder/pkg/fabricator"
)

// The fabricator is left alone as long as it says, in either of the forms of
// Retry-After, and never for longer than it may ask for.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		status int
		header string
		want   time.Duration
	}{
		"seconds":          {http.StatusTooManyRequests, "90", 90 * time.Second},
		"a date":           {http.StatusTooManyRequests, "Sun, 01 Mar 2026 12:03:00 GMT", 3 * time.Minute},
		"a date when away": {http.StatusServiceUnavailable, "Sun, 01 Mar 2026 12:03:00 GMT", 3 * time.Minute},
		"a date gone by":   {http.StatusServiceUnavailable, "Sun, 01 Mar 2026 11:03:00 GMT", 0},
		"tomorrow":         {http.StatusTooManyRequests, "Mon, 02 Mar 2026 12:00:00 GMT", longestWait},
		"nothing":          {http.StatusTooManyRequests, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", tt.header)
				w.WriteHeader(tt.status)
			}))
			defer s.Close()
			c, err := New(Config{URL: s.URL, AppID: "a", AccessKey: "b", SecretKey: "c", Now: func() time.Time { return now }})
			if err != nil {
				t.Fatal(err)
			}
			err = c.post(t.Context(), "x", struct{}{}, nil)
			failed, ok := errors.AsType[*fabricator.Error](err)
			if !ok || failed.Kind != fabricator.Unavailable || failed.RetryAfter != tt.want {
				t.Errorf("%+v, want to wait %s", err, tt.want)
			}
		})
	}
}
