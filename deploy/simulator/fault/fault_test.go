package fault_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"boardorder/deploy/simulator/fault"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fault  fault.Fault
		worked bool
		status int // 0: no answer
		body   string
	}{
		{fault.Fault{Kind: fault.Drop}, false, 0, ""},
		{fault.Fault{Kind: fault.LoseReply}, true, 0, ""},
		{fault.Fault{Kind: fault.ErrorBefore}, false, 503, ""},
		{fault.Fault{Kind: fault.ErrorAfter, Status: 502}, true, 502, ""},
		{fault.Fault{Kind: fault.Garbage}, true, 200, "<html><body>It works!</body></html>"},
		{fault.Fault{Kind: fault.Delay, DelayMS: 1}, true, 201, "done"},
		{fault.Fault{Kind: fault.DelayAfter, DelayMS: 1}, true, 201, "done"},
		{fault.Fault{Kind: fault.Drop, Match: "GET /"}, true, 201, "done"},
		{fault.Fault{Kind: fault.Drop, Match: "POST /other"}, true, 201, "done"},
		{fault.Fault{Kind: fault.Drop, Match: "* /wo"}, false, 0, ""},
	} {
		var r fault.Registry
		if err := r.Add(tt.fault); err != nil {
			t.Fatal(err)
		}
		worked := false
		srv := httptest.NewServer(r.Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			worked = true
			w.WriteHeader(http.StatusCreated)
			io.WriteString(w, "done")
		})))
		res, err := http.Post(srv.URL+"/work", "text/plain", nil)
		status, body := 0, ""
		if err == nil {
			b, _ := io.ReadAll(res.Body)
			res.Body.Close()
			status, body = res.StatusCode, string(b)
		}
		srv.Close()
		if worked != tt.worked || status != tt.status || tt.body != "" && body != tt.body {
			t.Errorf("%+v: worked %t, status %d, body %q; want %t, %d, %q", tt.fault, worked, status, body, tt.worked, tt.status, tt.body)
		}
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	var r fault.Registry
	if err := r.Add(fault.Fault{Kind: "own", Times: 2}, fault.Fault{Kind: "always", Times: -1}); err != nil {
		t.Fatal(err)
	}
	for n, want := range []bool{true, true, false} {
		if got := r.Take("X /", "own"); got != want {
			t.Errorf("call %d: %t, want %t", n, got, want)
		}
	}
	for range 5 {
		if !r.Take("", "always") {
			t.Error("a fault without end ended")
		}
	}
	r.Clear()
	if r.Take("", "always") || len(r.Waiting()) != 0 {
		t.Error("cleared faults still happen")
	}
	for _, bad := range []fault.Fault{{}, {Kind: "x", Status: 200}, {Kind: "x", DelayMS: -1}} {
		if r.Add(bad) == nil {
			t.Errorf("%+v was taken, want it refused", bad)
		}
	}
}

func TestHeaderAsks(t *testing.T) {
	t.Parallel()
	var r fault.Registry
	h := r.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	req := httptest.NewRequest("GET", "/", nil)
	req.Header.Set(fault.Header, "error_before:429")
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	if rec.Code != 429 {
		t.Errorf("status %d, want 429", rec.Code)
	}
}
