package web_test

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/door"
	"boardorder/pkg/door/doortest"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

var flood = flag.Int("flood", 1_200, "connections that TestFlood makes from one network, and from a thousand")

// perPlace is the memory that SECURITY.md states for a place at the door.
const perPlace = 32 << 10

// TestFlood: whoever holds connections without a key keeps nobody else out, and
// costs the memory that is stated for a place. It runs alone, for the sake of
// that count.
func TestFlood(t *testing.T) {
	waiting, release := make(chan struct{}), make(chan struct{})
	here := func(c *web.Call) error { return c.Bytes(http.StatusOK, "text/plain", []byte("here")) }
	long := make([]byte, 4<<20)
	url, _ := serveBefore(t, func(c *web.Call) error {
		if c.Route.Access != web.ByKey {
			return nil
		}
		if c.Header("X-API-Key") != "good" {
			return problem.New(contract.Unauthorized, "No.")
		}
		c.Keep()
		return nil
	},
		web.Route{Method: "GET", Path: "/v1/here", Access: web.Public, Handle: here},
		web.Route{Method: "GET", Path: "/long", Access: web.Public, Handle: func(c *web.Call) error { return c.Bytes(http.StatusOK, "text/plain", long) }},
		web.Route{Method: "POST", Path: "/form", Access: web.Public, Handle: func(c *web.Call) error {
			_, err := io.Copy(io.Discard, c.Body())
			return err
		}},
		web.Route{Method: "POST", Path: "/v1/orders", Handle: func(c *web.Call) error {
			if n, err := io.Copy(io.Discard, c.Body()); err != nil || n != 100_000 {
				return fmt.Errorf("body of %d bytes: %w", n, err)
			}
			return here(c)
		}},
		web.Route{Method: "GET", Path: "/v1/wait", Handle: func(c *web.Call) error {
			close(waiting)
			<-release
			return here(c)
		}},
	)
	patient := make(chan error, 1)
	waiter := doortest.Client(t, 9, 1)
	waiter.Timeout = 0 // as long as the flood takes
	answers := func(text string) bool { return text == "here" }
	go func() { patient <- doortest.Ask(t, waiter, "GET", url+"/v1/wait", "", answers) }()
	<-waiting
	for name, networks := range map[string]int{"one network": 1, "a thousand": 1_000} {
		t.Run(name, func(t *testing.T) {
			before := memory()
			doortest.Flood{Addr: strings.TrimPrefix(url, "http://"), Connections: *flood, Networks: networks, Answers: answers}.Run(t)
			t.Logf("%d KiB a connection", (memory()-before)>>10 / *flood)
			if used, most := memory()-before, *flood*perPlace; used > most {
				t.Errorf("%d connections cost %d bytes, want %d at most", *flood, used, most)
			}
		})
	}
	close(release)
	if err := <-patient; err != nil {
		t.Errorf("who waited for a reply all the time: %v", err)
	}
}

// memory is what the process has in use; clients of this test are a small part of it.
func memory() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapInuse + m.StackInuse)
}

// TestMemoryAtTheDoorIsStated: SECURITY.md names what all places cost.
func TestMemoryAtTheDoorIsStated(t *testing.T) {
	t.Parallel()
	if got, want := door.Usual.All*perPlace>>20, 375; got != want {
		t.Errorf("all places cost %d MiB, SECURITY.md says %d", got, want)
	}
}
