package main

import (
	"os"
	"testing"
	"time"
)

// TestEvents measures a small system: each event arrives at every stream of its account, and a
// backlog is read to its end.
func TestEvents(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the whole program")
	}
	t.Setenv(asProgram, "1")
	if err := events(t.Context(), os.Args[0], feedLoad{streams: 2 * streamsEach, rate: 50, each: time.Second, backlog: 150, endpoints: 20}); err != nil {
		t.Error(err)
	}
}

// TestNumberOf: an event is known by its request.
func TestNumberOf(t *testing.T) {
	t.Parallel()
	for event, want := range map[string]int{
		`{"data":{"object":"quote","request_id":"req_17","status":"quote_ready"}}`: 17,
		`{"data":{"object":"quote","request_id":"req_0"}}`:                         0,
		`{"data":{"object":"quote","request_id":"req_01M8Q"}}`:                     -1,
		`{"data":{"object":"upload"}}`:                                             -1,
	} {
		if got := numberOf(event); got != want {
			t.Errorf("numberOf(%s) = %d, want %d", event, got, want)
		}
	}
}
