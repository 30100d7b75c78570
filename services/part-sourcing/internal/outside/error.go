// Package outside is how part sourcing talks to suppliers: with timeouts, within
// quotas, through a circuit breaker, and without writing secrets anywhere. What
// the answers mean is each supplier's package's to say.
package outside

import (
	"errors"
	"fmt"
	"time"
)

// A Kind says what to do about a supplier's failure.
type Kind string

// The kinds of failure.
const (
	// Unavailable: no trustworthy answer just now; others may have one.
	Unavailable Kind = "unavailable"
	// OverQuota: our calls are used up, or the supplier says so. Nothing was sent,
	// or nothing was answered; see RetryAfter.
	OverQuota Kind = "over_quota"
	// Refused: the supplier does not take our credentials. An operator must look.
	Refused Kind = "refused"
	// InvalidAnswer: the answer cannot be true or is of another form.
	InvalidAnswer Kind = "invalid_answer"
)

// An Error is a supplier's failure. Its text holds no secret and is for operators.
type Error struct {
	Source     string
	Kind       Kind
	Message    string
	RetryAfter time.Duration // with OverQuota and Unavailable, where it is known
	Err        error
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s: %s", e.Source, e.Kind, e.Message)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of err, and Unavailable for an error of no kind.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Unavailable
}

// RetryAfter is how long to leave a supplier alone after err; 0 unknown.
func RetryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.RetryAfter
	}
	return 0
}
