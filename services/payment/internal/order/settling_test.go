package order_test

import (
	"fmt"
	"testing"
	"time"

	"boardorder/services/payment/internal/order"
)

// TestSettling: what is left depends on what this process saw, never on a time
// that another one wrote down.
func TestSettling(t *testing.T) {
	t.Parallel()
	const settle = 2 * time.Minute
	for name, tt := range map[string]struct {
		began time.Duration // this process sent the request itself, so long ago; 0: it did not
		first time.Duration // it asked for the first time so long ago; 0: never
		seen  int           // the attempt that it saw then; 7 is the last one
		want  time.Duration
	}{
		"first sight":                  {0, 0, 0, settle},
		"a minute after first sight":   {0, time.Minute, 7, time.Minute},
		"long after first sight":       {0, time.Hour, 7, 0},
		"another request meanwhile":    {0, time.Hour, 6, settle},
		"our own request":              {90 * time.Second, 0, 7, 30 * time.Second},
		"our own request, long ago":    {time.Hour, 0, 7, 0},
		"our own, and others since":    {time.Hour, 0, 5, settle},
		"the same, looked at a second": {time.Hour, time.Minute, 7, 0},
	} {
		s := order.Settling{Time: settle}
		if tt.began > 0 {
			s.Began("q", tt.seen, now.Add(-tt.began))
		}
		if tt.first > 0 {
			s.TimeLeft("q", tt.seen, now.Add(-tt.first))
		}
		if got := s.TimeLeft("q", 7, now); got != tt.want {
			t.Errorf("%s: %s left, want %s", name, got, tt.want)
		}
		if got := s.TimeLeft("another", 8, now); got != settle {
			t.Errorf("%s: %s left for another order, want %s", name, got, settle)
		}
	}
}

// TestSettlingForgets: orders that other processes settled are not kept for ever.
func TestSettlingForgets(t *testing.T) {
	t.Parallel()
	s := order.Settling{Time: time.Minute}
	for n := range 1000 {
		s.TimeLeft(fmt.Sprint(n), 1, now.Add(time.Duration(n)*time.Minute))
	}
	const limit = 40
	if n := s.Len(); n > limit {
		t.Errorf("%d orders are remembered, want %d at most", n, limit)
	}
}
