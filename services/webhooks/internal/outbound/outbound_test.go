package outbound

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func certPool(s *httptest.Server) *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	return &tls.Config{RootCAs: pool}
}

// TestNothingInsideIsReached: whatever stands for this machine, or another one inside, is refused where the
// connection is made, and nothing is sent.
func TestNothingInsideIsReached(t *testing.T) {
	t.Parallel()
	reached := false
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c := New(false, certPool(s))
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.8.9.1", "10.0.0.1", "169.254.169.254", "[fd00:ec2::254]", "[64:ff9b::7f00:1]"} {
		r := c.Post(t.Context(), "https://"+host+":"+port+"/", http.Header{}, []byte("{}"))
		if r.Status != 0 || !strings.Contains(r.Problem, "not of the public internet") {
			t.Errorf("POST to %s: %+v, want it refused", host, r)
		}
	}
	if reached {
		t.Error("the receiver inside was reached")
	}
	if r := New(true, certPool(s)).Post(t.Context(), s.URL, http.Header{}, []byte("{}")); !r.IsDelivered() || !reached {
		t.Errorf("with loopback: %+v, want it delivered", r)
	}
}

// TestReplies: what a receiver does, and what its owner is told of it.
func TestReplies(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	t.Cleanup(other.Close)
	mux, left := http.NewServeMux(), make(chan struct{})
	answer := func(path string, status int, header map[string]string, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			for k, v := range header {
				w.Header().Set(k, v)
			}
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		})
	}
	answer("/ok", 202, nil, "fine")
	answer("/busy", 503, map[string]string{"Retry-After": "120"}, "later")
	answer("/moved", 302, map[string]string{"Location": other.URL}, "")
	answer("/large", 200, nil, strings.Repeat("x", 1<<20))
	answer("/bytes", 200, nil, "a\xffb")
	answer("/headers", 200, map[string]string{"X-Large": strings.Repeat("x", 64<<10)}, "")
	mux.HandleFunc("/cut", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/switch", func(w http.ResponseWriter, _ *http.Request) {
		conn, out, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = out.WriteString("HTTP/1.1 101 Switching Protocols\r\nUpgrade: forever\r\nConnection: Upgrade\r\n\r\n")
		_ = out.Flush()
		_, _ = conn.Read(make([]byte, 1)) // until the sender leaves
		close(left)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	closed := httptest.NewServer(nil)
	closed.Close()
	plain := strings.Replace(s.URL, "http:", "https:", 1)
	c := New(true, nil)
	for _, tt := range []struct {
		url       string
		status    int
		body      string
		problem   string
		after     time.Duration
		delivered bool
	}{
		{s.URL + "/ok", 202, "fine", "", 0, true},
		{s.URL + "/busy", 503, "later", "", 2 * time.Minute, false},
		{s.URL + "/moved", 302, "", "", 0, false},
		{s.URL + "/large", 200, strings.Repeat("x", 4096), "", 0, true},
		{s.URL + "/bytes", 200, "a\uFFFDb", "", 0, true},
		{s.URL + "/headers", 0, "", "no valid reply", 0, false},
		{s.URL + "/cut", 0, "", "closed the connection", 0, false},
		{s.URL + "/switch", 101, "", "another protocol", 0, false},
		{closed.URL, 0, "", "refused", 0, false},
		{plain, 0, "", "TLS", 0, false},
		{"https://nowhere.invalid/", 0, "", "not found", 0, false},
	} {
		r := c.Post(t.Context(), tt.url, http.Header{}, []byte("{}"))
		if r.Status != tt.status || r.Body != tt.body || r.RetryAfter != tt.after || r.IsDelivered() != tt.delivered || !strings.Contains(r.Problem, tt.problem) || (tt.problem == "") != (r.Problem == "") {
			t.Errorf("POST to %s: status %d, %d bytes, retry after %s, %q; want %d, %d bytes, %s, %q", tt.url, r.Status, len(r.Body), r.RetryAfter, r.Problem, tt.status, len(tt.body), tt.after, tt.problem)
		}
	}
	<-left // no connection stays open after it
}

// TestCertificatesAreChecked: one that nobody vouches for is refused, as is a protocol that is too old.
func TestCertificatesAreChecked(t *testing.T) {
	t.Parallel()
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(s.Close)
	if r := New(true, nil).Post(t.Context(), s.URL, http.Header{}, nil); !strings.Contains(r.Problem, "certificate was not accepted") {
		t.Errorf("with a certificate of its own: %+v, want it refused", r)
	}
	old := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	old.TLS = &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	old.StartTLS()
	t.Cleanup(old.Close)
	if r := New(true, certPool(old)).Post(t.Context(), old.URL, http.Header{}, nil); r.Status != 0 {
		t.Errorf("by TLS 1.1: %+v, want it refused", r)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	soon := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	for text, want := range map[string]time.Duration{"": 0, "30": 30 * time.Second, "-5": 0, "soon": 0, "99999999999": 0, soon: time.Hour, "Mon, 02 Jan 2006 15:04:05 GMT": 0} {
		if got := retryAfter(http.Header{"Retry-After": {text}}); got < want-5*time.Second || got > want {
			t.Errorf("retryAfter(%q) = %s, want %s", text, got, want)
		}
	}
}
