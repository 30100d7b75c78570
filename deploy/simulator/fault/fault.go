// Package fault makes the stand-ins misbehave on purpose, so that whoever
// talks to them can be tested against lost replies, delays and broken answers.
package fault

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// The kinds of fault that any HTTP call can have. A stand-in may know more
// kinds of its own and ask for them with Take.
const (
	LoseReply   = "lose_reply"   // the work is done, then the connection is cut
	Drop        = "drop"         // the connection is cut before any work
	ErrorBefore = "error_before" // Status (503) without any work
	ErrorAfter  = "error_after"  // the work is done, then Status (500) is answered
	Delay       = "delay"        // DelayMS pass before the work
	DelayAfter  = "delay_after"  // the work is done, then DelayMS pass before the answer
	Garbage     = "garbage"      // the work is done, then 200 with a body that is no answer
)

// Header asks for one fault in one request: its value is a kind, with a number
// after a colon for the status or the milliseconds (delay:500).
const Header = "Simulator-Fault"

// A Fault is one kind of misbehaviour that waits for a call to happen to.
type Fault struct {
	Match   string `json:"match"`              // "POST /v1/refunds": method and path prefix; "" or "* /" is every call
	Kind    string `json:"kind"`               // one of the constants, or a stand-in's own
	Status  int    `json:"status,omitempty"`   // of error_before and error_after
	DelayMS int    `json:"delay_ms,omitempty"` // of delay and delay_after
	Times   int    `json:"times,omitempty"`    // how often; 0 is once, -1 until cleared
}

// A Registry holds the faults that are still to happen. The zero value holds
// none. It forgets them when the process ends.
type Registry struct {
	mu     sync.Mutex
	faults []Fault
}

// Add queues faults; of several that match a call the oldest happens.
func (r *Registry) Add(faults ...Fault) error {
	for _, f := range faults {
		if f.Kind == "" {
			return errors.New("a fault needs a kind")
		}
		if f.DelayMS < 0 || f.DelayMS > 600_000 {
			return fmt.Errorf("delay_ms is %d, want 0 to 600000", f.DelayMS)
		}
		if f.Status != 0 && (f.Status < 400 || f.Status > 599) {
			return fmt.Errorf("status is %d, want 400 to 599", f.Status)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults = append(r.faults, faults...)
	return nil
}

// Clear forgets every fault.
func (r *Registry) Clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults = nil
}

// Waiting returns the faults that are still to happen.
func (r *Registry) Waiting() []Fault {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.faults)
}

// Take uses up one fault of the kind that matches the call and reports whether
// there was one.
func (r *Registry) Take(call, kind string) bool {
	_, ok := r.take(call, func(k string) bool { return k == kind })
	return ok
}

func (r *Registry) take(call string, wanted func(kind string) bool) (Fault, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, f := range r.faults {
		if !wanted(f.Kind) || !matches(f.Match, call) {
			continue
		}
		switch {
		case f.Times < 0:
		case f.Times <= 1:
			r.faults = slices.Delete(r.faults, i, i+1)
		default:
			r.faults[i].Times--
		}
		return f, true
	}
	return Fault{}, false
}

// matches compares "METHOD /path" with a pattern of a method and a path prefix.
func matches(pattern, call string) bool {
	if pattern == "" {
		return true
	}
	method, path, _ := strings.Cut(pattern, " ")
	callMethod, callPath, _ := strings.Cut(call, " ")
	return (method == "*" || method == callMethod) && strings.HasPrefix(callPath, path)
}

func appliesToHTTP(kind string) bool {
	switch kind {
	case LoseReply, Drop, ErrorBefore, ErrorAfter, Delay, DelayAfter, Garbage:
		return true
	default:
		return false
	}
}

// Wrap lets the registry's faults, and those that a request's header asks for,
// happen to the calls that next answers.
func (r *Registry) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		f, ok := parseFault(req.Header.Get(Header))
		if !ok {
			f, ok = r.take(req.Method+" "+req.URL.Path, appliesToHTTP)
		}
		if !ok {
			next.ServeHTTP(w, req)
			return
		}
		f.serve(w, req, next)
	})
}

func parseFault(header string) (Fault, bool) {
	kind, number, _ := strings.Cut(header, ":")
	n := 0
	if _, err := fmt.Sscanf(number, "%d", &n); err != nil {
		n = 0
	}
	return Fault{Kind: kind, Status: n, DelayMS: n}, appliesToHTTP(kind)
}

func (f Fault) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	switch f.Kind {
	case Drop:
		panic(http.ErrAbortHandler)
	case ErrorBefore:
		f.fail(w, http.StatusServiceUnavailable)
		return
	case Delay:
		f.wait(r)
		next.ServeHTTP(w, r)
		return
	}
	rec := &recorder{header: http.Header{}, status: http.StatusOK}
	next.ServeHTTP(rec, r)
	switch f.Kind {
	case LoseReply:
		panic(http.ErrAbortHandler)
	case ErrorAfter:
		f.fail(w, http.StatusInternalServerError)
	case Garbage:
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html><body>It works!</body></html>")
	case DelayAfter:
		f.wait(r)
		rec.replay(w)
	}
}

func (f Fault) fail(w http.ResponseWriter, usual int) {
	status := f.Status
	if status < 400 || status > 599 {
		status = usual
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprint(w, `{"error":{"type":"api_error","message":"an error that was asked for"}}`)
}

// wait lets the time pass, or less when the caller disconnects.
func (f Fault) wait(r *http.Request) {
	t := time.NewTimer(time.Duration(f.DelayMS) * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.Context().Done():
	}
}

// recorder keeps an answer back.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

func (r *recorder) replay(w http.ResponseWriter) {
	for name, values := range r.header {
		w.Header()[name] = values
	}
	w.WriteHeader(r.status)
	w.Write(r.body.Bytes())
}
