package contract

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"
)

// A CommandName says which service shall do what.
type CommandName struct{ Service, Verb string }

// Subject is where commands of this name are published.
func (n CommandName) Subject() string { return CommandSubject(n.Service, n.Verb) }

func (n CommandName) String() string { return n.Service + "." + n.Verb }

// A Command is a wish. It may be delivered more than once.
type Command struct {
	ID          string // unique and stable: a repeated publish of the same wish carries the same id
	Name        CommandName
	Request     string // the request whose outcome a client waits for; empty for commands between services
	Account     string // on whose behalf; empty for the system's own
	Cause       string // id of the event or command that led to it
	Correlation string // id of the first command of the chain
	At          time.Time
	Deadline    time.Time // when nobody waits any more; zero = never
	Data        json.RawMessage
}

// NewCommand builds a command on behalf of a client's request.
func NewCommand(name CommandName, request, account string, at time.Time, data any) (Command, error) {
	body, err := json.Marshal(data)
	if err != nil {
		return Command{}, fmt.Errorf("encode %s: %w", name, err)
	}
	return Command{ID: request, Name: name, Request: request, Account: account, Correlation: request, At: at, Data: body}, nil
}

// Follow builds the command that follows from c. Its id is derived, so a
// handler that runs twice sends the same command twice. It answers no request.
func (c Command) Follow(name CommandName, key string, at time.Time, data any) (Command, error) {
	body, err := json.Marshal(data)
	if err != nil {
		return Command{}, fmt.Errorf("encode %s: %w", name, err)
	}
	return Command{
		ID: DeriveID(c.ID, name.String(), key), Name: name, Account: c.Account,
		Cause: c.ID, Correlation: c.Correlation, At: at, Data: body,
	}, nil
}

// An EventName is the last token of an event's subject: past tense, part of
// the contract, never renamed.
type EventName string

// An Event is what happened to one aggregate, with the whole state after it.
type Event struct {
	ID          string
	Aggregate   Aggregate
	AggregateID string
	Name        EventName
	Seq         uint64 // position in the aggregate's stream; 0 until stored
	Operation   string // the request that this event completes, if any
	Account     string
	Cause       string
	Correlation string
	At          time.Time
	Data        json.RawMessage // {"state": …, "applied": […]}
}

// Type is the CloudEvents type: <aggregate>.<event>.v1.
func (e Event) Type() string { return string(e.Aggregate) + "." + string(e.Name) + ".v1" }

// Subject is where the event is stored.
func (e Event) Subject() string { return EventSubject(e.Aggregate, e.AggregateID, string(e.Name)) }

// Body is what an event's Data holds.
type Body[S any] struct {
	State S `json:"state"`
	// Applied are the ids of the last commands that changed the aggregate, newest
	// last: how a redelivered command finds that it was done.
	Applied []string `json:"applied,omitempty"`
}

// A Timer is a command to be sent later, one for each aggregate and purpose.
type Timer struct {
	Aggregate   Aggregate
	AggregateID string
	What        string
	Due         time.Time
	Command     Command
}

// DeriveID makes an id of the same parts twice the same: 26 characters of
// lower-case base32.
func DeriveID(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return base32Lower(h.Sum(nil)[:16])
}
