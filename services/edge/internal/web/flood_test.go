package web_test

import (
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/door"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

var flood = flag.Int("flood", 1_200, "connections that TestFlood makes from one network, and from a thousand")

// perPlace is the memory that SECURITY.md states for a place at the door.
const perPlace = 32 << 10

// holders are what strangers send to hold places, the first of them nothing.
var holders = []string{
	"",
	"POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("y", 4_000),
	"POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-API-Key: bad\r\nContent-Length: 40000000\r\n\r\n",
	"POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-API-Key: bad\r\nContent-Length: 60000\r\n\r\nabc",
	"POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-API-Key: bad\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
	"POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\na=",
	"GET /v1/here HTTP/1.1\r\nHost: x\r\n\r\n",
}

// unread asks for a long reply, of which nothing is read. The system keeps much
// of it, so few do that.
const unread = "GET /long HTTP/1.1\r\nHost: x\r\n\r\n"

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
	addr := strings.TrimPrefix(url, "http://")
	patient := make(chan error, 1)
	go func() { patient <- ask(t, client(t, 9, 1), "GET", url+"/v1/wait", "") }()
	<-waiting
	for name, networks := range map[string]int{"one network": 1, "a thousand": 1_000} {
		t.Run(name, func(t *testing.T) {
			before := memory()
			near, far := client(t, 0, 0), client(t, 9, 2)
			for i := range *flood {
				sent := holders[i%len(holders)]
				if i%100 == 99 {
					sent = unread
				}
				hold(t, addr, i%networks, sent)
				if i%50 != 0 {
					continue
				}
				for who, c := range map[string]*http.Client{"who is of the first network": near, "who is of none of them": far, "who comes anew": client(t, 9, 3)} {
					if err := ask(t, c, "GET", url+"/v1/here", ""); err != nil {
						t.Fatalf("after %d connections of %d: %s: %v", i+1, *flood, who, err)
					}
				}
				if err := ask(t, far, "POST", url+"/v1/orders", strings.Repeat("x", 100_000)); err != nil {
					t.Fatalf("after %d connections of %d: an order: %v", i+1, *flood, err)
				}
			}
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

// source is an address of this machine: networks differ in the middle of it.
func source(network, host int) *net.TCPAddr {
	return &net.TCPAddr{IP: net.IPv4(127, byte(10+network/250), byte(network%250), byte(1+host))}
}

// hold makes a connection that sends no more than what it is given.
func hold(t *testing.T, addr string, network int, sent string) {
	t.Helper()
	conn, err := (&net.Dialer{LocalAddr: source(network, 0), Timeout: time.Minute}).Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_, _ = io.WriteString(conn, sent) // that it was closed meanwhile is as good
}

// client comes from an address of its own and keeps its connections.
func client(t *testing.T, network, host int) *http.Client {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: source(network, host), Timeout: time.Minute}
	transport := &http.Transport{DialContext: dialer.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

func ask(t *testing.T, c *http.Client, method, url, body string) error {
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("X-API-Key", "good")
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if got, err := io.ReadAll(resp.Body); err != nil || string(got) != "here" {
		return fmt.Errorf("%s %.100q, %w", resp.Status, got, err)
	}
	return nil
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
