package local

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func edge(t *testing.T, name string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %s %s", name, r.Method, r.Host, r.Header.Get("X-Forwarded-For"), body)
	}))
	t.Cleanup(s.Close)
	return s
}

func openTest(t *testing.T, edges ...string) *door {
	t.Helper()
	var behind []*backend
	for _, e := range edges {
		behind = append(behind, &backend{addr: e})
	}
	d, err := openDoor("127.0.0.1:0", behind)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.close)
	return d
}

func (d *door) post(t *testing.T) (int, string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post("http://"+d.addr()+"/v1/quotes", "text/plain", strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// deadAddress is one at which nothing listens.
func deadAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestDoorLeadsToALivingEdge(t *testing.T) {
	t.Parallel()
	dead := deadAddress(t)
	living := edge(t, "one")
	d := openTest(t, dead, living.Listener.Addr().String())
	for range 4 {
		status, body := d.post(t)
		if want := "one POST " + d.addr() + " 127.0.0.1 hello"; status != http.StatusOK || body != want {
			t.Errorf("%d %q, want %q", status, body, want)
		}
	}
}

func TestDoorHandsOutConnectionsInTurn(t *testing.T) {
	t.Parallel()
	a, b := edge(t, "a"), edge(t, "b")
	d := openTest(t, a.Listener.Addr().String(), b.Listener.Addr().String())
	seen := map[string]bool{}
	for range 2 {
		conn, err := d.dial(t.Context(), "tcp", "edge:80")
		if err != nil {
			t.Fatal(err)
		}
		seen[conn.RemoteAddr().String()] = true
		conn.Close()
	}
	if len(seen) != 2 {
		t.Errorf("two connections led to %v, want 2 addresses", seen)
	}
}

func TestDoorPassesOverAnEdgeThatIsNotReady(t *testing.T) {
	t.Parallel()
	var unready atomic.Bool
	probe := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if unready.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(probe.Close)
	a, b := edge(t, "a"), edge(t, "b")
	watched := &backend{addr: a.Listener.Addr().String(), probe: probe.URL}
	d, err := openDoor("127.0.0.1:0", []*backend{watched, {addr: b.Listener.Addr().String()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.close)
	for _, want := range []bool{true, false} {
		unready.Store(want)
		for end := time.Now().Add(20 * time.Second); watched.unavailable.Load() != want; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the door did not notice that ready is %v", !want)
			}
		}
		seen := map[string]bool{}
		for range 4 {
			_, body := d.post(t)
			seen[body[:1]] = true
		}
		if seen["a"] == want || !seen["b"] {
			t.Errorf("unready %v: requests went to %v", want, seen)
		}
	}
}

// An edge that is withdrawn gets nothing new, though it answers and the other may not.
func TestDoorSendsNothingToAWithdrawnEdge(t *testing.T) {
	t.Parallel()
	a, b := edge(t, "a"), edge(t, "b")
	d := openTest(t, a.Listener.Addr().String(), b.Listener.Addr().String())
	d.edges[1].unavailable.Store(true)
	for _, withdrawn := range []bool{true, false} {
		d.edges[0].withdrawn.Store(withdrawn)
		want := "a"
		if withdrawn {
			want = "b"
		}
		for range 4 {
			if status, body := d.post(t); status != http.StatusOK || body[:1] != want {
				t.Errorf("withdrawn %v: %d %q, want an answer of %s", withdrawn, status, body, want)
			}
		}
	}
	d.edges[0].withdrawn.Store(true)
	d.edges[1].withdrawn.Store(true)
	if status, body := d.post(t); status != http.StatusBadGateway {
		t.Errorf("both withdrawn: %d %q, want %d", status, body, http.StatusBadGateway)
	}
}

// An edge that becomes ready, or is so no more, while a request looks for one is found all
// the same.
func TestDoorFindsAnEdgeThatBecomesReady(t *testing.T) {
	t.Parallel()
	dead := deadAddress(t)
	living := edge(t, "living")
	d := openTest(t, dead, living.Listener.Addr().String())
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for unavailable := true; !isClosed(stop); unavailable = !unavailable {
			d.edges[1].unavailable.Store(unavailable)
		}
	}()
	defer func() { close(stop); <-stopped }()
	for i := range 1000 {
		conn, err := d.dial(t.Context(), "tcp", "edge:80")
		if err != nil {
			t.Fatalf("dial %d: %v, want a connection", i+1, err)
		}
		conn.Close()
	}
}

func TestDoorAnswersForEdgesThatAreAway(t *testing.T) {
	t.Parallel()
	s := edge(t, "one")
	d := openTest(t, s.Listener.Addr().String())
	s.Close()
	if status, body := d.post(t); status != http.StatusBadGateway || !strings.Contains(body, `"error":"service_unavailable"`) {
		t.Errorf("after the service has gone: %d %s, want %d and service_unavailable", status, body, http.StatusBadGateway)
	}
}
