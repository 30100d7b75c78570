package card

import (
	"errors"
	"fmt"
)

// A Kind says what an error means for the money.
type Kind string

// The kinds of error.
const (
	// Refused: the processor understood and said no, or the request cannot be
	// made. Nothing was done; the same request will be refused again.
	Refused Kind = "refused"
	// Unavailable: the processor was not reached or did not take the call.
	// Nothing was done; try again later.
	Unavailable Kind = "unavailable"
	// Unknown: the call may have been carried out. Nothing may be repeated
	// with another key before the processor has been asked.
	Unknown Kind = "unknown"
)

// Codes that are ours; every other code is the processor's own.
const (
	CodeBadRequest  = "bad_request"        // this request cannot be made at all
	CodeNotFound    = "resource_missing"   // the processor knows no such thing
	CodeKeyReused   = "idempotency_error"  // the key was used for another request
	CodeBadKey      = "api_key_invalid"    // our own key is not accepted
	CodeImplausible = "implausible_answer" // an answer that cannot be true
	CodeTimeout     = "timeout"            // no answer in time
	CodeBusy        = "busy"               // too many calls, or too many failures lately
	CodeConnection  = "connection"         // no connection, or it was lost
	CodeServerError = "processor_error"    // the processor failed
)

// An Error is a call to the processor that brought no result.
type Error struct {
	Kind    Kind
	Code    string
	Doing   string // what was tried, in words
	Message string // for our logs: the processor's words, never shown to customers
	Err     error
}

// Error implements error.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s: card processor: %s (%s)", e.Doing, e.Kind, e.Code)
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Unwrap returns what lies beneath.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of err; an error that is none of ours is Unknown,
// because then nothing is certain. Nil has no kind.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Unknown
}

// IsCode says whether err is an *Error with this code.
func IsCode(err error, code string) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}
