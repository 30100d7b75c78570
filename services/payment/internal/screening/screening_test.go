package screening_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"boardorder/services/payment/internal/screening"
)

var ada = screening.Request{Reference: "ord_1", Name: "Ada Lovelace", Email: "ada@example.com", AddressLines: []string{"1 Main St"}}

func client(t *testing.T, url string) *screening.Client {
	t.Helper()
	c, err := screening.New(screening.Config{URL: url, Token: "tok", Timeout: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]screening.Result{
		`{"hit": true, "reference": "case-1"}`:            {Hit: true, Reference: "case-1"},
		` {"reference":"2026:a.b_c","hit":false} ` + "\n": {Reference: "2026:a.b_c"},
		``:                                     {},
		`null`:                                 {},
		`{}`:                                   {},
		`true`:                                 {},
		`{"hit": false}`:                       {},
		`{"reference": "case-1"}`:              {},
		`{"hit": null, "reference": "case-1"}`: {},
		`{"hit": "false", "reference": "case-1"}`:                           {},
		`{"hit": 0, "reference": "case-1"}`:                                 {},
		`{"hit": false, "reference": 7}`:                                    {},
		`{"hit": false, "reference": "Ada Lovelace"}`:                       {},
		`{"hit": false, "reference": "` + strings.Repeat("a", 101) + `"}`:   {},
		`{"hit": false, "reference": "case-1", "error": "no lists"}`:        {},
		`{"hit": false, "reference": "case-1"} {"hit": true}`:               {},
		`{"hit": false, "reference": "case-1"}` + strings.Repeat(" ", 5000): {},
		`<html>Ada Lovelace</html>`:                                         {},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }))
		got, err := client(t, s.URL).Screen(t.Context(), ada)
		s.Close()
		if got != want || (err == nil) != (want.Reference != "") {
			t.Errorf("answer %.60q: %+v, %v; want %+v", body, got, err, want)
		}
		namesNobody(t, err)
	}
}

func namesNobody(t *testing.T, err error) {
	t.Helper()
	for _, word := range []string{"Ada", "Lovelace", "example.com", "Main", "tok", "secret"} {
		if err != nil && strings.Contains(err.Error(), word) {
			t.Errorf("the error says %v", err)
		}
	}
}

// TestOtherStatuses: only 200 is an answer, and nobody is followed elsewhere.
func TestOtherStatuses(t *testing.T) {
	t.Parallel()
	var followed bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { followed = true }))
	defer elsewhere.Close()
	for _, status := range []int{201, 204, 301, 302, 307, 308, 400, 401, 404, 429, 500, 503} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", elsewhere.URL)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{"hit": false, "reference": "case-1"}`))
		}))
		got, err := client(t, s.URL).Screen(t.Context(), ada)
		s.Close()
		if err == nil || got != (screening.Result{}) || followed {
			t.Errorf("answered with %d: %+v, %v, followed: %t; want no result, an error, false", status, got, err, followed)
		}
		namesNobody(t, err)
	}
}

// TestNoAnswer: what breaks on the way is an error in words of ours.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	raw := func(answer string) func(net.Conn) {
		return func(c net.Conn) { _, _ = c.Write([]byte(answer)) }
	}
	for name, serve := range map[string]func(net.Conn){
		"closed":   func(net.Conn) {},
		"no HTTP":  raw("Ada Lovelace, 1 Main St\r\n\r\n"),
		"torn":     raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"hit\""),
		"header":   raw("HTTP/1.1 200 OK\r\nAda Lovelace\r\n\r\n"),
		"big head": raw("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("a", 1<<20) + "\r\n\r\n"),
		"too slow": func(c net.Conn) { _, _ = c.Write([]byte("HTTP/1.1 200 OK\r\n\r\n{")); _, _ = c.Read(make([]byte, 1)) },
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = c.Read(make([]byte, 4096))
				serve(c)
				c.Close()
			}
		}()
		got, err := client(t, "http://"+l.Addr().String()+"/?key=secret").Screen(t.Context(), ada)
		l.Close()
		if err == nil || got != (screening.Result{}) {
			t.Errorf("%s: %+v, %v; want an error and no result", name, got, err)
		}
		namesNobody(t, err)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for url, good := range map[string]bool{
		"https://screening.example/v1": true, "http://127.0.0.1:8080/": true, "http://localhost:1/x": true, "http://[::1]:8080": true,
		"http://screening.example": false, "http://10.0.0.1": false, "ftp://127.0.0.1": false, "screening.example": false, "https://": false,
		"https://user:secret@screening.example": false, "http://localhost.example": false, "://": false, "https://secret\x7f": false,
	} {
		_, err := screening.New(screening.Config{URL: url})
		if (err == nil) != good {
			t.Errorf("address %q: %v, want it taken: %v", url, err, good)
		}
		namesNobody(t, err)
	}
}
