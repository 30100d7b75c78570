package client

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Class is what kind of failure an Error is. errors.Is(err, client.NotFound) asks for one.
type Class string

// The classes of failures.
const (
	Authentication Class = "authentication" // no usable key
	Permission     Class = "permission"     // the key or the link does not allow it
	NotFound       Class = "not_found"
	Gone           Class = "gone"           // expired or deleted
	CursorExpired  Class = "cursor_expired" // events after the cursor are kept no more: go on from OldestCursor
	Conflict       Class = "conflict"
	Invalid        Class = "invalid"       // the request was refused; Fields say what of it
	NeedsAnswers   Class = "needs_answers" // something is open: see Reply.Questions, Reply.Parts, Reply.OffBoardParts
	Design         Class = "design"        // the files have a fault that stops a quote: see Reply.Findings
	Payment        Class = "payment"       // nothing was charged
	RateLimited    Class = "rate_limited"
	Server         Class = "server"      // a fault of the service
	Unavailable    Class = "unavailable" // not now
	Protocol       Class = "protocol"    // the reply is none of this service
	Connection     Class = "connection"  // no reply
)

func (c Class) Error() string { return string(c) }

// An Error is why a call failed.
type Error struct {
	Class      Class
	Code       ErrorCode // of the closed list; empty where none came
	Message    string    // a sentence for people, in which texts of others may stand
	Fields     []FieldProblem
	RetryAfter time.Duration // when trying again makes sense; below zero: not said
	Status     int           // of HTTP; 0 without a reply
	RequestID  string        // to tell when asking for help
	Reply      *ErrorReply   // all that was answered; nil where that was none of this service's errors
	cause      error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(cmp.Or(e.Message, string(e.Class)))
	if e.Code != "" {
		fmt.Fprintf(&b, " (%s)", e.Code)
	}
	if e.cause != nil {
		fmt.Fprintf(&b, ": %v", e.cause)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, " [%s]", e.RequestID)
	}
	return b.String()
}

// Is reports whether e is of a Class.
func (e *Error) Is(target error) bool { return target == error(e.Class) }

// Unwrap is what ended the connection, where that was it.
func (e *Error) Unwrap() error { return e.cause }

// OldestCursor is where the events begin that are still kept, of a CursorExpired.
func (e *Error) OldestCursor() string {
	if e.Reply == nil {
		return ""
	}
	return e.Reply.OldestCursor
}

func newConnectionError(cause error) *Error {
	return &Error{Class: Connection, Message: "no reply came", RetryAfter: -1, cause: cause}
}

// newError is what a reply says that is no success.
func newError(status int, header http.Header, body []byte) *Error {
	e := &Error{Status: status, RequestID: header.Get("Request-Id"), RetryAfter: -1}
	if s := seconds(header.Get("Retry-After")); s >= 0 {
		e.RetryAfter = time.Duration(s) * time.Second
	}
	var refusal ErrorReply
	var failure ValidationFailure
	json.Unmarshal(body, &refusal) //nolint:errcheck // what can be read of it is
	switch {
	case refusal.Error != "":
		e.Code, e.Message, e.Fields, e.Reply = refusal.Error, refusal.Message, refusal.Fields, &refusal
		if refusal.RetryAfterS > 0 && e.RetryAfter < 0 {
			e.RetryAfter = time.Duration(refusal.RetryAfterS) * time.Second
		}
	case json.Unmarshal(body, &failure) == nil && len(failure.Detail) > 0:
		e.Code, e.Message = ErrorCodeInvalidRequest, failure.Detail[0].Msg
		if n := len(failure.Detail) - 1; n > 0 {
			e.Message += fmt.Sprintf(" (and %d more)", n)
		}
		for _, d := range failure.Detail {
			e.Fields = append(e.Fields, FieldProblem{Field: fieldPath(d.Loc), Problem: FieldProblemProblem(d.Type), Message: d.Msg})
		}
	default:
		e.Message = "HTTP " + strconv.Itoa(status)
	}
	e.Class = classOf(status, e.Code)
	return e
}

// fieldPath is where something stands, without the part of the request.
func fieldPath(loc []any) string {
	if len(loc) > 0 && slices.Contains([]any{"body", "query", "header", "path"}, loc[0]) {
		loc = loc[1:]
	}
	parts := make([]string, len(loc))
	for i, part := range loc {
		parts[i] = fmt.Sprint(part)
	}
	return strings.Join(parts, ".")
}

func classOf(status int, code ErrorCode) Class {
	switch code {
	case ErrorCodeNeedsDetails, ErrorCodeNeedsPartNumbers, ErrorCodeOffBoardParts:
		return NeedsAnswers
	case ErrorCodeDesignFiles:
		return Design
	case ErrorCodeCursorExpired:
		return CursorExpired
	}
	switch status {
	case http.StatusUnauthorized:
		return Authentication
	case http.StatusForbidden:
		return Permission
	case http.StatusNotFound:
		return NotFound
	case http.StatusGone:
		return Gone
	case http.StatusConflict:
		return Conflict
	case http.StatusPaymentRequired:
		return Payment
	case http.StatusTooManyRequests:
		return RateLimited
	case http.StatusInternalServerError:
		return Server
	}
	switch {
	case status >= 500:
		return Unavailable
	case status >= 400:
		return Invalid
	}
	return Protocol
}

// passes reports whether the same call may well succeed later.
func (e *Error) passes() bool {
	if e.Code == ErrorCodePaymentUnknown || e.Code == ErrorCodeCodeLocked {
		return false // people decide
	}
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	case http.StatusConflict:
		return e.Code == ErrorCodeIdempotencyKeyInUse
	}
	return errors.Is(e, Connection)
}
