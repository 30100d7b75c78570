package contract

import (
	"fmt"
	"strings"
)

// An Aggregate names one kind of thing whose life is recorded in a stream of
// its own. It is a subject token: lower case, words joined by hyphens.
type Aggregate string

// The aggregates. Each has the stream EVENTS_<NAME>.
const (
	AccountAggregate      Aggregate = "account"
	BoardAggregate        Aggregate = "board" // by content digest
	CheckoutAggregate     Aggregate = "checkout"
	DesignCheckAggregate  Aggregate = "design-check" // by CheckID
	OperationAggregate    Aggregate = "operation"    // by request id: outcomes that changed no other aggregate
	OrderAggregate        Aggregate = "order"
	QuoteAggregate        Aggregate = "quote"
	QuoteRequestAggregate Aggregate = "quote-request"
	UploadAggregate       Aggregate = "upload"
)

// Aggregates lists them all, in alphabetical order.
func Aggregates() []Aggregate {
	return []Aggregate{
		AccountAggregate, BoardAggregate, CheckoutAggregate, DesignCheckAggregate, OperationAggregate,
		OrderAggregate, QuoteAggregate, QuoteRequestAggregate, UploadAggregate,
	}
}

// ValidToken tells whether s can stand in a subject as one token: 1 to 80 of
// [A-Za-z0-9_-].
func ValidToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return s != "" && len(s) <= 80
}

// EventSubject is where an event of an aggregate is stored:
// evt.<aggregate>.<id>.<event>.
func EventSubject(a Aggregate, id, event string) string {
	return aggregatePrefix(a, id) + event
}

// EventFilter covers all events of one aggregate. It is both what loading
// reads the last of and what a commit is guarded by, and it is built here only:
// a guard that does not cover the published subject would not be refused.
func EventFilter(a Aggregate, id string) string { return aggregatePrefix(a, id) + "*" }

// NamedFilter covers the events of one name of all aggregates of a kind.
func NamedFilter(a Aggregate, name EventName) string { return EventSubject(a, "*", string(name)) }

func aggregatePrefix(a Aggregate, id string) string {
	return fmt.Sprintf("evt.%s.%s.", a, id)
}

// CommandSubject is where a command waits for its service: cmd.<service>.<verb>.
func CommandSubject(service, verb string) string { return "cmd." + service + "." + verb }

// RequestSubject is where a command waits that holds a key:
// cmd.<service>.<verb>.<key>. It stays there, so that the same wish is known.
func RequestSubject(n CommandName, key string) string { return n.Subject() + "." + key }

// DeadSubject is where a command ends that could not be handled.
func DeadSubject(service, verb string) string { return "dead." + service + "." + verb }

// WakeSubject tells that the projection now holds a newer state. Not stored.
func WakeSubject(a Aggregate, id string) string { return fmt.Sprintf("wake.%s.%s", a, id) }

// ParseWake splits a wake subject; ok is false for any other subject.
func ParseWake(subject string) (a Aggregate, id string, ok bool) {
	parts := strings.Split(subject, ".")
	if len(parts) != 3 || parts[0] != "wake" {
		return "", "", false
	}
	return Aggregate(parts[1]), parts[2], true
}

// TimerSubject is where a schedule is kept; one live schedule a subject.
func TimerSubject(a Aggregate, id, what string) string {
	return fmt.Sprintf("timer.%s.%s.%s", a, id, what)
}

// DueSubject is where the schedule's message appears when it falls due, in the
// same stream.
func DueSubject(a Aggregate, id, what string) string { return TimerSubject(a, id, what) + ".due" }
