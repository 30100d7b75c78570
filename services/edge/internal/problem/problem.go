// Package problem turns errors into the replies that clients see. It is the
// only place that knows which HTTP status belongs to which error code.
package problem

import (
	"errors"
	"net/http"
	"slices"
	"strconv"

	"boardorder/pkg/contract"
)

// A Problem is an error as the client shall see it: a status, the error reply,
// and headers that go with it.
type Problem struct {
	Status    int
	Refusal   contract.Refusal
	Header    map[string]string
	Detail    []Detail // replaces the body where the interface promises {detail: […]}
	Untrusted []string // names of files that the sentences may hold
	Cause     error    // for the log only; never shown
}

func (p *Problem) Error() string { return p.Refusal.Error() }

func (p *Problem) Unwrap() error { return p.Cause }

// SetHeader sets a header of the reply.
func (p *Problem) SetHeader(name, value string) *Problem {
	if p.Header == nil {
		p.Header = map[string]string{}
	}
	p.Header[name] = value
	return p
}

// Answering gives the problem another status than its code usually has.
func (p *Problem) Answering(status int) *Problem {
	p.Status = status
	return p
}

// New is a problem of a code, with a sentence for people.
func New(code contract.Code, format string, args ...any) *Problem {
	return NewFromRefusal(contract.Refuse(code, format, args...))
}

// NewFromRefusal is the problem that a refusal is to the client.
func NewFromRefusal(r *contract.Refusal) *Problem {
	p := &Problem{Status: Status(r.Code), Refusal: *r}
	p.Refusal.Report = nil // ours alone
	p.Refusal.Findings = slices.Clone(r.Findings)
	for i, f := range p.Refusal.Findings {
		p.Refusal.Findings[i].What = contract.Sentence(f.What)
	}
	if p.Refusal.RetryAfterS == 0 {
		p.Refusal.RetryAfterS = usualRetry(p.Refusal.Code, p.Status)
	}
	return p
}

// Unavailable is a 503 whose cause is only for our logs. A problem is one already.
func Unavailable(cause error) *Problem {
	if p, ok := errors.AsType[*Problem](cause); ok {
		return p
	}
	p := New(contract.Unavailable, "The service cannot do this right now. Nothing was lost; please send the same request again shortly.")
	p.Cause = cause
	return p
}

// Fields is the refusal of one or more fields, all of them at once.
func Fields(fields []contract.FieldProblem) *Problem {
	message := "One field was refused; see fields."
	if n := len(fields); n > 1 {
		message = strconv.Itoa(n) + " fields were refused; see fields."
	}
	p := New(contract.InvalidRequest, "%s", message)
	p.Refusal.Fields = fields
	return p
}

// Find finds the problem in err. An error that is none is ours: the client gets
// a general sentence and the cause stays in the log.
func Find(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	if r := contract.RefusalIn(err); r != nil {
		return NewFromRefusal(r)
	}
	p := New(contract.Internal, "Something went wrong on our side. Please try again; if it stays so, tell us the Request-Id of this reply.")
	p.Cause = err
	return p
}

// Reply is the error reply of the interface.
type Reply struct {
	OK bool `json:"ok"`
	contract.Refusal
}

// Body is what is sent as JSON.
func (p *Problem) Body() any {
	if p.Detail != nil {
		details := slices.Clone(p.Detail)
		for i := range details {
			if details[i].Ctx == nil {
				details[i].Ctx = map[string]any{}
			}
		}
		return map[string]any{"detail": details}
	}
	return Reply{Refusal: p.Refusal}
}

// Headers lists the headers of the reply; Retry-After agrees with the body.
func (p *Problem) Headers() map[string]string {
	out := map[string]string{}
	for k, v := range p.Header {
		out[k] = v
	}
	if s := p.Refusal.RetryAfterS; s > 0 {
		out["Retry-After"] = strconv.Itoa(s)
	}
	if p.Status == http.StatusUnauthorized && out["WWW-Authenticate"] == "" {
		out["WWW-Authenticate"] = `Bearer realm="boardorder"`
	}
	return out
}

// A Detail is one validation failure in the shape that the account and formal
// order endpoints promise.
type Detail struct {
	Loc   []any          `json:"loc"` // begins with body, path, query or header
	Msg   string         `json:"msg"`
	Type  string         `json:"type"`
	Input any            `json:"input"`
	Ctx   map[string]any `json:"ctx"` // bounds and the like; never null
}
