package fabricator

import (
	"errors"
	"strings"
	"time"
)

// A Kind says what to do about an error.
type Kind string

// The kinds of error. After Place, every kind but Unknown means that nothing
// was ordered.
const (
	// Unavailable: no trustworthy answer just now. Try again later; quote
	// nothing meanwhile.
	Unavailable Kind = "unavailable"
	// Refused: the fabricator does not take these values. Fields names them.
	Refused Kind = "refused"
	// Review: no automatic price for this; people must look. See Reasons.
	Review Kind = "review"
	// Files: the design files cannot be used as they are.
	Files Kind = "files"
	// Shipment: this destination or this way of shipping is not possible.
	Shipment Kind = "shipping"
	// PriceMoved: the price rose beyond what was agreed. A person decides.
	PriceMoved Kind = "price_moved"
	// NotFound: the fabricator knows no order of this reference.
	NotFound Kind = "not_found"
	// Unknown: the request went out and its outcome is not known. Ask
	// FindOrder before anything else; never just send again.
	Unknown Kind = "unknown"
	// Internal: a mistake of this program or its configuration, such as a
	// revoked credential. Treat as Unavailable and tell the operator.
	Internal Kind = "internal"
)

// An Error is a failure that says what to do. Message is safe to show to
// operators, not to customers; Fields and Reasons are safe to show to both.
type Error struct {
	Kind       Kind
	Message    string
	Fields     []Field       // with Refused and Shipment
	Reasons    []string      // with Review
	RetryAfter time.Duration // with Unavailable, when the fabricator said so
	Code       int           // the fabricator's own code, if it gave one
	Trace      string        // what its support asks for
	Err        error
}

// A Field is one value that was refused, by its name in the quote request.
type Field struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("fabricator: ")
	b.WriteString(string(e.Kind))
	for _, f := range e.Fields {
		b.WriteString(": " + f.Field)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	for _, r := range e.Reasons {
		b.WriteString(": " + r)
	}
	if e.Trace != "" {
		b.WriteString(" (trace " + e.Trace + ")")
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of err, and Internal for an error of no kind.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}
