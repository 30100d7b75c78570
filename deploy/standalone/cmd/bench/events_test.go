package main

import (
	"fmt"
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

// TestPartner: a small burst comes whole to a webhook endpoint.
func TestPartner(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the whole program")
	}
	t.Setenv(asProgram, "1")
	if err := partner(t.Context(), os.Args[0], 60); err != nil {
		t.Error(err)
	}
}

// TestInbox: what is missing, comes twice or out of order is found.
func TestInbox(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		came [][2]int // number of the quote, sequence
		ok   bool
	}{
		{"all in order", [][2]int{{0, 11}, {1, 11}, {0, 21}}, true},
		{"one is missing", [][2]int{{0, 11}, {1, 11}}, false},
		{"one twice", [][2]int{{0, 11}, {1, 11}, {1, 11}, {0, 21}}, false},
		{"one in place of another", [][2]int{{0, 11}, {0, 21}, {0, 31}}, false},
		{"out of order", [][2]int{{1, 11}, {0, 21}, {0, 11}}, false},
	} {
		b := &inbox{last: map[int]uint64{}}
		for _, e := range tt.came {
			if err := b.note(fmt.Appendf(nil, `{"id":"e","sequence":%d,"data":{"object":"quote","request_id":"req_%d"}}`, e[1], e[0]), time.Now()); err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
		if err := b.check(3, 2); (err == nil) != tt.ok {
			t.Errorf("%s, %v: %v, want it taken %t", tt.name, tt.came, err, tt.ok)
		}
	}
	if err := (&inbox{last: map[int]uint64{}}).note([]byte(`{"id":"e","sequence":11}`), time.Now()); err == nil {
		t.Error("an event of another kind is taken, want it refused")
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
