package fabricator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"go.uber.org/zap"
)

// A call is one request to the API, signature checked.
type call struct {
	name string // "POST /fab/…" as faults match it
	body []byte
}

func (c *call) decode(v any) error {
	if err := json.Unmarshal(c.body, v); err != nil {
		return refuse(2000)
	}
	return nil
}

const maxBody = 1 << 20

// api answers one JSON endpoint.
func (s *Server) api(f func(*call) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, "too long", http.StatusRequestEntityTooLarge)
			return
		}
		if err := s.authorise(r, body); err != nil {
			writeUnauthorized(w, err)
			return
		}
		c := &call{name: callName(r), body: body}
		if s.sabotage(w, c) {
			return
		}
		data, err := f(c)
		reply(w, err, data)
		if err != nil && !errors.As(err, new(refusal)) {
			s.log.Error("call failed", zap.String("call", c.name), zap.Error(err))
		}
	}
}

// sabotage lets the faults happen that need nothing done.
func (s *Server) sabotage(w http.ResponseWriter, c *call) bool {
	switch {
	case s.take(c, FaultServer):
		reply(w, refuse(1003), nil)
	case s.take(c, FaultBusy):
		reply(w, refuse(1002), nil)
	case s.take(c, FaultTorn):
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"code":200,"message":null,"data":{"orderTotal`)
	case s.take(c, FaultHuge):
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"code":200,"data":{"x":"`)
		blank := strings.Repeat("x", 1<<16)
		for range 256 { // 16 MB
			if _, err := io.WriteString(w, blank); err != nil {
				break
			}
		}
		fmt.Fprint(w, `"}}`)
	default:
		return false
	}
	return true
}

// callName is what faults are matched with: the path as it was asked for, mount
// point included.
func callName(r *http.Request) string {
	path, _, _ := strings.Cut(r.RequestURI, "?")
	return r.Method + " " + path
}

// take uses up a fault of this kind.
func (s *Server) take(c *call, kind string) bool { return s.cfg.Faults.Take(c.name, kind) }

// A refusal is a business error: a code in an answer of status 200.
type refusal int

func (r refusal) Error() string {
	if m, ok := messages[int(r)]; ok {
		return m
	}
	return fmt.Sprintf("error %d", int(r))
}

func refuse(code int) error { return refusal(code) }

// messages are in the words of this stand-in; the codes are the real ones.
var messages = map[int]string{
	1002: "too many requests", 1003: "server error", 1004: "no such path",
	2000: "a parameter is missing", 2001: "the file cannot be read", 2002: "the file is too large", 2005: "no such batch",
	2100: "wrong layer count", 2103: "wrong quantity", 2104: "wrong thickness", 2105: "wrong mask colour", 2106: "wrong surface finish",
	2107: "wrong copper weight", 2116: "the board is too large", 2301: "no such way of shipping to this country", 2302: "too heavy for this way of shipping",
	2400: "Brazil needs a tax number", 2501: "no audit yet", 2602: "wrong build time", 2704: "no such value of a service", 2705: "no such service",
}

func reply(w http.ResponseWriter, err error, data any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("J-Trace-ID", newID("trace"))
	out := map[string]any{"code": 200, "message": nil, "data": data}
	if r, ok := errors.AsType[refusal](err); ok {
		out = map[string]any{"code": int(r), "message": r.Error(), "data": nil}
	} else if err != nil {
		out = map[string]any{"code": 1003, "message": "server error", "data": nil}
	}
	json.NewEncoder(w).Encode(out)
}

func writeUnauthorized(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusUnauthorized)
	json.NewEncoder(w).Encode(map[string]any{"code": 401, "message": err.Error()})
}
