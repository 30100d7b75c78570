package strict_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/door/strict"
)

// serveGuarded answers with what came of each request.
func serveGuarded(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{MaxHeaderBytes: 8 << 10, ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %d %v", r.Method, r.URL, len(body), err)
	})}
	go func() { _ = srv.Serve(strict.Guard{Listener: ln, MaxHead: 16 << 10}) }()
	t.Cleanup(func() { _ = srv.Close() })
	return ln.Addr().String()
}

// TestGuard: net/http answers what is meant in one way, message by message, however it
// comes; what can be understood in two ways is refused in its turn, and is the end.
func TestGuard(t *testing.T) {
	t.Parallel()
	const get = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
	addr := serveGuarded(t)
	for name, tt := range map[string]struct {
		sent string
		want []string // statuses, and what follows from the last
		ends bool
	}{
		"two requests":      {get + get, []string{"200 GET /a 0 <nil>", "200 GET /a 0 <nil>"}, false},
		"a body":            {"POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde" + get, []string{"200 POST /b 5 <nil>", "200 GET /a 0 <nil>"}, false},
		"chunks":            {"POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n" + get, []string{"200 POST /b 5 <nil>", "200 GET /a 0 <nil>"}, false},
		"a head of 6 KiB":   {"GET /a HTTP/1.1\r\nHost: x\r\nX-A: " + strings.Repeat("a", 6<<10) + "\r\n\r\n", []string{"200 GET /a 0 <nil>"}, false},
		"a head of 20 KiB":  {"GET /a HTTP/1.1\r\nHost: x\r\nX-A: " + strings.Repeat("a", 20<<10) + "\r\n\r\n", []string{"431 "}, true},
		"length and chunks": {"POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get, []string{"400 "}, true},
		"after a request":   {get + "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + get, []string{"200 GET /a 0 <nil>", "400 "}, true},
		"after a body": {"POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nabPOST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
			[]string{"200 POST /b 2 <nil>", "400 "}, true},
		"two lengths":       {"POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nabcd", []string{"400 "}, true},
		"a lone LF":         {"GET /a HTTP/1.1\nHost: x\r\n\r\n", []string{"400 "}, true},
		"a chunk of no end": {"POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3 \r\nabc\r\n0\r\n\r\n", []string{"200 POST /b 0 unexpected EOF"}, true},
	} {
		for _, step := range []int{1 << 20, 1} {
			t.Run(fmt.Sprint(name, " by ", step), func(t *testing.T) {
				t.Parallel()
				if step == 1 && len(tt.sent) > 2000 {
					t.Skip("long heads need not come byte by byte")
				}
				c, err := net.Dial("tcp", addr)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				_ = c.SetDeadline(time.Now().Add(20 * time.Second))
				go func() {
					for i := 0; i < len(tt.sent); i += step {
						if _, err := io.WriteString(c, tt.sent[i:min(i+step, len(tt.sent))]); err != nil {
							return // it was refused before all was sent
						}
					}
				}()
				in := bufio.NewReader(c)
				for i, want := range tt.want {
					r, err := http.ReadResponse(in, nil)
					if err != nil {
						t.Fatalf("answer %d: %v", i, err)
					}
					body, _ := io.ReadAll(r.Body)
					if got := fmt.Sprintf("%d %s", r.StatusCode, body); !strings.HasPrefix(got, want) {
						t.Errorf("answer %d = %s, want %s", i, got, want)
					}
				}
				if !tt.ends {
					return
				}
				if rest, err := io.ReadAll(in); err == nil && len(rest) > 0 {
					t.Errorf("after the last answer: %q, want nothing", rest)
				} else if err != nil && strings.Contains(err.Error(), "timeout") {
					t.Error("the connection stays open")
				}
			})
		}
	}
}
