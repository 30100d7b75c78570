package door_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/door"
)

// TestRelayKeepsWholeRequests: with room for one that waits in a network, whoever comes
// after closes whoever waits, and leaves alone who waits for somebody else's reply.
func TestRelayKeepsWholeRequests(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("y", 1<<20)
	for name, tt := range map[string]struct {
		sent string
		at   string // where the request is when the next one comes
		kept bool
	}{
		"without a body":            {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "whole", true},
		"all of a body":             {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", "whole", true},
		"all of a body in chunks":   {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "whole", true},
		"a part of a body":          {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc", "part", false},
		"a part, announced":         {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\nabc", "part", false},
		"a reply that nobody reads": {"GET /long HTTP/1.1\r\nHost: x\r\n\r\n", "replied", false},
		"a reply before the body":   {"POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", "replied", false},
		"a word before the reply":   {"GET /hint HTTP/1.1\r\nHost: x\r\n\r\n", "whole", true},
		"half of a head":            {"GET / HTTP/1.1\r\nHo", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reached, release := make(chan string, 3), make(chan struct{})
			defer close(release)
			addr := serve(t, door.Relay(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/next":
					return
				case "/long":
					reached <- "replied"
					_, _ = io.WriteString(w, long[:1])
				case "/early":
					_ = http.NewResponseController(w).EnableFullDuplex()
					w.WriteHeader(http.StatusForbidden)
					reached <- "replied"
				case "/hint":
					w.WriteHeader(http.StatusEarlyHints)
				}
				buf := make([]byte, 3)
				_, _ = io.ReadFull(r.Body, buf)
				if r.ContentLength > 3 {
					reached <- "part"
				}
				_, _ = io.Copy(io.Discard, r.Body)
				reached <- "whole"
				<-release
			})))
			first := dial(t, addr)
			if _, err := io.WriteString(first, tt.sent); err != nil {
				t.Fatal(err)
			}
			for tt.at != "" && <-reached != tt.at {
			}
			for range 2 { // both wait: one place is free for those that do
				next := dial(t, addr)
				if _, err := io.WriteString(next, "GET /next HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
					t.Fatal(err)
				}
				if _, err := io.ReadFull(next, make([]byte, 12)); err != nil {
					t.Fatalf("who came next: %v", err)
				}
			}
			if got := open(t, first); got != tt.kept {
				t.Errorf("kept = %v, want %v", got, tt.kept)
			}
		})
	}
}

// TestPiecesAreProgress: who sends a body in pieces waits behind who sends it byte by byte.
func TestPiecesAreProgress(t *testing.T) {
	t.Parallel()
	reached := make(chan int)
	addr := serveWithin(t, door.Bounds{All: 9, Network: 2}, door.Relay(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		buf := make([]byte, 1<<20)
		for all := 0; ; {
			n, err := r.Body.Read(buf)
			if all += n; all == 10 || all == 20<<10 {
				reached <- all
			}
			if err != nil {
				return
			}
		}
	})))
	begin := func(sent int) net.Conn {
		c := dial(t, addr)
		fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n%s", strings.Repeat("x", sent))
		return c
	}
	fast := begin(10)
	<-reached
	slow := begin(10)
	<-reached
	if _, err := io.WriteString(fast, strings.Repeat("x", 20<<10-10)); err != nil {
		t.Fatal(err)
	}
	<-reached
	begin(10)
	<-reached
	if !open(t, fast) || open(t, slow) {
		t.Errorf("open: who sends pieces %v, who sends bytes %v; want true, false", open(t, fast), open(t, slow))
	}
}

func serve(t *testing.T, h http.Handler) (addr string) {
	return serveWithin(t, door.Bounds{All: 9, Network: 1}, h)
}

func serveWithin(t *testing.T, b door.Bounds, h http.Handler) (addr string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: h, ConnContext: door.ConnContext, ReadHeaderTimeout: time.Minute}
	go s.Serve(door.Limit(ln, b)) //nolint:errcheck // it ends when it is closed
	t.Cleanup(func() { _ = s.Close() })
	return ln.Addr().String()
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// open reports whether the other end still has the connection: a closed one ends, or
// was reset, before a while has passed.
func open(t *testing.T, c net.Conn) bool {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(300 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	_, err := io.Copy(io.Discard, c)
	timeout, ok := err.(net.Error) //nolint:errorlint // of this very call
	return ok && timeout.Timeout()
}
