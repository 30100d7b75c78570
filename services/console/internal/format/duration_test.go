package format

import (
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-1: "0 s", 15 * time.Millisecond: "15 ms", 1500 * time.Millisecond: "1.5 s", 90 * time.Second: "1 min 30 s", 26 * time.Hour: "1 d 2 h", 61 * time.Minute: "1 h 1 min",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%v) = %q, want %q", d, got, want)
		}
	}
}
