package web_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// serve starts a server and gives its address.
func serve(t *testing.T, routes ...web.Route) (url string, logs *observer.ObservedLogs) {
	t.Helper()
	return serveBefore(t, nil, routes...)
}

// serveBefore is serve with a look at each call first.
func serveBefore(t *testing.T, before func(*web.Call) error, routes ...web.Route) (url string, logs *observer.ObservedLogs) {
	t.Helper()
	core, logs := observer.New(zap.DebugLevel)
	s, err := web.New(web.Config{Log: zap.New(core, zap.WithClock(stopped{})), Now: time.Now, Metrics: prometheus.NewRegistry(), Secure: true, Before: before}, routes)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, ln, 5*time.Second) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v, want nil once it is stopped", err)
		}
	})
	return "http://" + ln.Addr().String(), logs
}

// stopped is the clock of a log all of whose lines are of one second.
type stopped struct{}

func (stopped) Now() time.Time                         { return time.Unix(1e9, 0) }
func (stopped) NewTicker(d time.Duration) *time.Ticker { return time.NewTicker(d) }

// While something is away the log tells so, and not for each request anew. Failures that
// may each have a cause of their own are all told.
func TestOutagesDoNotFillTheLog(t *testing.T) {
	t.Parallel()
	answers := map[string]error{
		"/v1/away":  problem.Unavailable(errors.New("the event system is not available")),
		"/v1/wrong": errors.New("a bug"),
	}
	var routes []web.Route
	for path, err := range answers {
		routes = append(routes, web.Route{Method: http.MethodGet, Path: path, Access: web.Public, Handle: func(*web.Call) error { return err }})
	}
	url, logs := serve(t, routes...)
	const n = 250
	for range n {
		for path := range answers {
			fetch(t, http.MethodGet, url+path, "")
		}
	}
	reported := map[int64]int{}
	for _, line := range logs.FilterMessage("request failed").All() {
		reported[line.ContextMap()["status"].(int64)]++
	}
	// Ten of a second, and every hundredth of the other 240.
	if reported[http.StatusServiceUnavailable] != 12 || reported[http.StatusInternalServerError] != n {
		t.Errorf("of %d failures each are told, by status: %v; want 12 of 503 and all of 500", n, reported)
	}
}

func fetch(t *testing.T, method, url, body string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(data)
}

func TestPanicIsAnAnswer(t *testing.T) {
	t.Parallel()
	url, logs := serve(t, web.Route{Method: "POST", Path: "/panic/{secret}", Access: web.Public, Handle: func(c *web.Call) error {
		c.Set("ETag", `"x"`)
		panic("the password is hunter2")
	}})
	for range 2 {
		resp, body := fetch(t, "POST", url+"/panic/topsecret", strings.Repeat("x", 100))
		if resp.StatusCode != 500 || !strings.Contains(body, `"error":"internal_error"`) || strings.Contains(body, "hunter2") || resp.Header.Get("Request-Id") == "" {
			t.Errorf("reply %d %v %s, want 500 internal_error with an id, and no secret", resp.StatusCode, resp.Header, body)
		}
	}
	if n := logs.FilterMessage("handler panicked").Len(); n != 2 {
		t.Errorf("%d panics logged, want 2", n)
	}
	for _, e := range logs.All() {
		for _, v := range e.ContextMap() {
			if s, ok := v.(string); ok && strings.Contains(s, "topsecret") {
				t.Errorf("%q holds what stood in the path: %s", e.Message, s)
			}
		}
	}
}

func TestHandlersErrorsAreReplies(t *testing.T) {
	t.Parallel()
	fail := func(err error) func(*web.Call) error { return func(*web.Call) error { return err } }
	url, _ := serve(t,
		web.Route{Method: "GET", Path: "/ours", Access: web.Public, Handle: fail(errors.New("dial tcp: no route"))},
		web.Route{Method: "GET", Path: "/refusal", Access: web.Public, Handle: fail(contract.Refuse(contract.QuoteExpired, "Too late."))},
		web.Route{Method: "GET", Path: "/down", Access: web.Public, Handle: fail(problem.Unavailable(errors.New("no bucket")))},
		web.Route{Method: "GET", Path: "/form", Access: web.Public, Handle: func(c *web.Call) error { return c.HTML(200, "default-src 'none'", []byte("<p>")) }},
	)
	for path, want := range map[string]string{"/ours": "500 internal_error", "/refusal": "410 quote_expired", "/down": "503 service_unavailable"} {
		resp, body := fetch(t, "GET", url+path, "")
		status, code, _ := strings.Cut(want, " ")
		if !strings.HasPrefix(resp.Status, status) || !strings.Contains(body, code) || strings.Contains(body, "dial") || strings.Contains(body, "bucket") {
			t.Errorf("GET %s: %s %s; want %s, and nothing of the cause", path, resp.Status, body, want)
		}
	}
	resp, body := fetch(t, "GET", url+"/form", "")
	if body != "<p>" || resp.Header.Get("Content-Security-Policy") != "default-src 'none'" || resp.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("page: %v %s, want <p>, a policy of 'none', transport security", resp.Header, body)
	}
}

func TestFormIsReadOnceAndBounded(t *testing.T) {
	t.Parallel()
	url, _ := serve(t, web.Route{Method: "POST", Path: "/form", Access: web.Public, Handle: func(c *web.Call) error {
		v, err := c.Form()
		if err != nil {
			return err
		}
		return c.Bytes(200, "text/plain", []byte(v.Get("a")))
	}})
	if resp, body := fetch(t, "POST", url+"/form", "a=1%202&b=3"); body != "1 2" {
		t.Errorf("form: %s %s, want \"1 2\"", resp.Status, body)
	}
	if resp, _ := fetch(t, "POST", url+"/form", "a="+strings.Repeat("x", 65<<10)); resp.StatusCode != 413 {
		t.Errorf("large form: %s, want 413", resp.Status)
	}
	if resp, _ := fetch(t, "POST", url+"/form", "a=%zz"); resp.StatusCode != 400 {
		t.Errorf("broken form: %s, want 400", resp.Status)
	}
}

// A client that sends more than anybody wants still reads why it was refused.
func TestRefusalReachesAClientThatStillSends(t *testing.T) {
	t.Parallel()
	url, _ := serve(t, web.Route{Method: "POST", Path: "/no", Access: web.Public, Handle: func(*web.Call) error {
		return problem.New(contract.BodyTooLarge, "No.")
	}})
	for range 5 {
		if resp, body := fetch(t, "POST", url+"/no", strings.Repeat("x", 8<<20)); resp.StatusCode != 413 || !strings.Contains(body, "body_too_large") {
			t.Errorf("reply %s %s, want 413 body_too_large", resp.Status, body)
		}
	}
}

// A client that never finishes its request does not keep the server from
// stopping.
func TestStopCutsOffWhoeverStalls(t *testing.T) {
	t.Parallel()
	s, err := web.New(web.Config{Log: zap.NewNop(), Now: time.Now}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, ln, 200*time.Millisecond) }()
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "POST /x HTTP/1.1\r\nHost: x\r\nContent-Le"); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-done; err != nil {
		t.Errorf("the server ended with %v, want nil once it is stopped", err)
	}
}

// slowly is a listener of a busy machine: connections are made, and are accepted
// only once it is let on.
type slowly struct {
	*net.TCPListener
	on chan struct{}
}

func (l slowly) Accept() (net.Conn, error) {
	<-l.on
	return l.TCPListener.Accept()
}

// Whoever was connected when the server was told to stop is answered, accepted or not.
func TestStopAnswersWhoeverConnected(t *testing.T) {
	t.Parallel()
	s, err := web.New(web.Config{Log: zap.NewNop(), Now: time.Now}, []web.Route{{Method: http.MethodGet, Path: "/v1/x", Access: web.Public, Handle: func(c *web.Call) error {
		return c.Bytes(http.StatusOK, "text/plain", []byte("here"))
	}}})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	on := make(chan struct{})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, slowly{ln.(*net.TCPListener), on}, 5*time.Second) }()
	var conns []net.Conn
	for range 20 {
		conn, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "GET /v1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	stop()
	close(on)
	for _, conn := range conns {
		reply, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		if reply.StatusCode != http.StatusOK {
			t.Errorf("GET while it stops: %s, want 200", reply.Status)
		}
	}
	if err := <-done; err != nil {
		t.Errorf("the server ended with %v, want nil once it is stopped", err)
	}
	if conn, err := net.Dial("tcp", ln.Addr().String()); err == nil {
		conn.Close()
		t.Error("connected to a server that stopped")
	}
}
