package web

import (
	"strings"

	"boardorder/services/edge/internal/limit"
)

// A Route is one method of one path.
type Route struct {
	Method string
	Path   string // as in the OpenAPI document: /v1/uploads/{upload_id}
	Access Access
	Scope  string        // that the key needs; "" = none in particular
	Limit  *limit.Policy // nil = the usual one for keys, none for the public
	Daily  *limit.Policy // beside Limit, counted by account; nil = none
	// LimitBy names whom Limit counts, in [A-Za-z0-9_-]; nil = the key. Its
	// error ends the request.
	LimitBy func(*Call) (string, error)
	// Refund: a call that is refused takes nothing of Limit and Daily, so many times a day and
	// account; nil = it does.
	Refund *limit.Policy
	Page   bool // for people with a browser, so no part of the API document
	// Carries: its calls are in a protocol of their own and ask for calls of other routes. It is
	// no part of the API document, and takes no place among a caller's requests: those do.
	Carries bool
	// Challenge is what WWW-Authenticate tells who has no usable key; "" = the usual.
	Challenge string
	Detail    bool // answers validation failures as {detail: […]}
	// Declares: a declaration that the design is ITAR-controlled is for Handle to
	// answer, also one beside the body.
	Declares bool
	// About gives the refs of uploads that a call is about without naming them; nil = none.
	About  func(*Call) ([]string, error)
	Handle func(*Call) error
}

// A Group is a set of routes that belong together.
type Group interface{ Routes() []Route }

// Access says who may call a route.
type Access int

// The kinds of access.
const (
	ByKey  Access = iota // an API key
	Public               // anyone, or whoever holds a signed link
)

// fiberPath is the path in the router's notation.
func (r Route) fiberPath() string {
	return strings.NewReplacer("{", ":", "}", "").Replace(r.Path)
}

// Name is what logs and metrics call the route: its template, never its
// parameters, which may be secrets.
func (r *Route) Name() string {
	if r == nil {
		return "none"
	}
	return r.Path
}
