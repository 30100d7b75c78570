package contract

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A CommandName says which service shall do what.
type CommandName struct{ Service, Verb string }

func (n CommandName) String() string { return n.Service + "." + n.Verb }

// A Command asks a service to do something. It may be delivered more than once.
type Command struct {
	ID          string // unique and stable: a repeated publish of the same command carries the same id
	Name        CommandName
	Request     string // the request whose outcome a client waits for; empty for commands between services
	Account     string // on whose behalf; empty for the system's own
	Cause       string // id of the event or command that led to it
	Correlation string // id of the first command of the chain
	At          time.Time
	Deadline    time.Time // when nobody waits any more; zero = never
	Replay      bool      // sent again by an operator: Request had its outcome, and gets no other
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

// NewRootCommand builds a command that begins a chain of its own: it answers no request.
// Whoever sends it twice with one id sends one command.
func NewRootCommand(name CommandName, id, account string, at time.Time, data any) (Command, error) {
	c, err := NewCommand(name, "", account, at, data)
	c.ID, c.Correlation = id, id
	return c, err
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

// Completes is the request that the command's outcome is for; empty if nobody waits.
func (c Command) Completes() string {
	if c.Replay {
		return ""
	}
	return c.Request
}

// An EventName says what happened: past tense, part of the contract, never renamed.
type EventName string

// RequestRefused is the event of any aggregate that a request about it was
// refused: the state stays as it was.
const RequestRefused EventName = "request_refused"

// RequestCompleted is the event of any aggregate that a request about it ended
// without changing it.
const RequestCompleted EventName = "request_completed"

// Erased is the event of any aggregate of which personal data, or all that tells
// of a design, was removed. Without a state it is as if it had never been.
const Erased EventName = "erased"

// An Event is what happened to one aggregate, with the whole state after it.
type Event struct {
	ID          string
	Aggregate   Aggregate
	AggregateID string
	Name        EventName
	Format      int       // version of the state's format, as the writer knew it
	Version     uint64    // of the aggregate: 1 for its first event, then one more each
	Seq         uint64    // position in its stream; 0 until stored. It never leaves the event system
	StoredAt    time.Time // by the broker's clock; zero until read back
	Operation   string    // the request that this event completes, if any
	Account     string
	Labels      Labels // whose data the body holds
	Cause       string
	Correlation string
	At          time.Time
	Data        json.RawMessage // a Body
}

// Type is the CloudEvents type: <aggregate>.<event>.v<format>.
func (e Event) Type() string {
	return string(e.Aggregate) + "." + string(e.Name) + ".v" + strconv.Itoa(max(e.Format, 1))
}

// ParseType splits an event's type into its name and its format.
func ParseType(t string) (name EventName, format int, ok bool) {
	parts := strings.Split(t, ".")
	if len(parts) != 3 || len(parts[2]) < 2 || parts[2][0] != 'v' {
		return "", 0, false
	}
	format, err := strconv.Atoi(parts[2][1:])
	return EventName(parts[1]), format, err == nil && format > 0
}

// Subject is where the event is stored.
func (e Event) Subject() string { return EventSubject(e.Aggregate, e.AggregateID) }

// Body is what an event's Data holds.
type Body[S any] struct {
	State S `json:"state"`
	// Applied are the ids of the last commands that were carried out on the
	// aggregate, newest last: how a redelivered command finds that it was done.
	Applied []string `json:"applied,omitempty"`
	// Refused are those of Applied that were refused.
	Refused []string `json:"refused,omitempty"`
	// Refusal is the outcome of the request that this event completes, if it is "no".
	Refusal *Refusal `json:"refusal,omitempty"`
	// Erased are requests whose outcomes went with the events before.
	Erased []string `json:"erased,omitempty"`
}

// RequestsErasedBy gives the requests whose outcomes go with an erasure.
func RequestsErasedBy(e Event) ([]string, error) {
	if e.Name != Erased {
		return nil, nil
	}
	var body struct {
		Erased []string `json:"erased"`
	}
	if err := json.Unmarshal(e.Data, &body); err != nil {
		return nil, fmt.Errorf("decode erasure of %s %s: %w", e.Aggregate, e.AggregateID, err)
	}
	return body.Erased, nil
}

// PersonRef names a customer by e-mail address without telling it.
func PersonRef(email string) string {
	if email == "" {
		return ""
	}
	return DeriveID("person", strings.ToLower(strings.TrimSpace(email)))
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
