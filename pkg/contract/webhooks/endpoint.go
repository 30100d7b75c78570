package webhooks

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
)

// Commands of the webhooks service.
var (
	Create = contract.CommandName{Service: "webhooks", Verb: "create-endpoint"}
	Change = contract.CommandName{Service: "webhooks", Verb: "change-endpoint"}
	Delete = contract.CommandName{Service: "webhooks", Verb: "delete-endpoint"}
	Rotate = contract.CommandName{Service: "webhooks", Verb: "rotate-secret"}
	Test   = contract.CommandName{Service: "webhooks", Verb: "test-endpoint"}
	Resend = contract.CommandName{Service: "webhooks", Verb: "resend-events"}
	// Disable follows from deliveries.
	Disable = contract.CommandName{Service: "webhooks", Verb: "disable-endpoint"}
)

// Events of the webhook-endpoint aggregate.
const (
	EventCreated contract.EventName = "created"
	EventChanged contract.EventName = "changed"
	EventDeleted contract.EventName = "deleted"
	EventRotated contract.EventName = "secret_rotated"
	EventTested  contract.EventName = "test_requested"   // a public event follows, for this endpoint alone
	EventResent  contract.EventName = "resend_requested" // what was delivered is delivered again
	EventStopped contract.EventName = "disabled"
)

// Events are all of the aggregate.
var Events = []contract.EventName{EventCreated, EventChanged, EventDeleted, EventRotated, EventTested, EventResent, EventStopped}

// Prefix starts the id of an endpoint.
const Prefix = "we_"

// Bounds of an endpoint.
const (
	MaxURL         = 2000 // characters
	MaxDescription = 500  // characters
	DefaultRate    = 20   // deliveries a second
	MaxRate        = 500  // deliveries a second
	// MaxEndpoints is how many an account has in one mode.
	MaxEndpoints = 20
	// MaxSecrets is how many secrets deliveries are signed with at once.
	MaxSecrets = 4
	// MaxOverlap is for how long an old secret stays beside a new one at the most, and unless said.
	MaxOverlap = 24 * time.Hour
	// MaxFailing is for how long deliveries may do nothing but fail before the endpoint is disabled.
	MaxFailing = 5 * contract.Day
	// maxResends is how many requests to send again a state remembers.
	maxResends = 20
)

// AllTypes stands for every type that the endpoint's scopes allow, those that are yet to come
// among them.
const AllTypes = "*"

// A Status says whether an endpoint is delivered to.
type Status string

// What an endpoint may be.
const (
	Enabled Status = "enabled"
	Paused  Status = "paused"  // by its account: nothing is sent, and nothing passed over
	Deleted Status = "deleted" // for ever
	// Disabled is an endpoint that the service gave up, until its account enables it.
	Disabled Status = "disabled"
)

// A Signature is how deliveries are signed, by its identifier in the specification.
type Signature string

// The signatures.
const (
	HMAC    Signature = "v1"  // by a secret that both sides hold
	Ed25519 Signature = "v1a" // by a key that the receiver has the public half of
)

// Endpoint is an address that events of an owner are sent to. Aggregate id = ID.
type Endpoint struct {
	ID      string `json:"id"`
	Account string `json:"account"` // the owner
	Key     string `json:"key"`     // id of the API key that made it
	// Scopes are those of that key: what the endpoint may be told of. It outlives the key.
	Scopes        []string     `json:"scopes"`
	URL           string       `json:"url"`
	Types         []string     `json:"types"` // of feed.Type, or AllTypes alone
	Description   string       `json:"description,omitempty"`
	RatePerSecond int          `json:"rate_per_second"` // at which a backlog is delivered at most
	Status        Status       `json:"status"`
	Secrets       []Secret     `json:"secrets"`             // the newest first
	Signature     Signature    `json:"signature,omitempty"` // empty: HMAC
	CreatedAt     time.Time    `json:"created_at"`
	ChangedAt     time.Time    `json:"changed_at"`
	EnabledAt     time.Time    `json:"enabled_at,omitzero"` // when it was last enabled
	Disabled      *Disabling   `json:"disabled,omitempty"`
	Resends       []Repetition `json:"resends,omitempty"` // the newest last
	// TestedAt is the version at which a test event was requested last.
	TestedAt uint64 `json:"tested_at,omitempty"`
}

// A Reason says why an endpoint was disabled.
type Reason string

// The reasons.
const (
	Gone    Reason = "gone"    // it answered 410
	Failing Reason = "failing" // for MaxFailing
	Stopped Reason = "stopped" // by our team, which alone enables it again
)

// Disabling is how an endpoint was given up.
type Disabling struct {
	At           time.Time `json:"at"`
	Reason       Reason    `json:"reason"`
	FailingSince time.Time `json:"failing_since"`
}

// Repetition asks for events to be sent again: one, or all since a time.
type Repetition struct {
	Version uint64    `json:"version"`        // of the endpoint at which it was asked for
	Key     string    `json:"key,omitempty"`  // of the event's object
	Seq     uint64    `json:"seq,omitempty"`  // where the event lies in the feed
	Since   time.Time `json:"since,omitzero"` // else
}

// AddResend remembers a request to send again.
func (e *Endpoint) AddResend(a Repetition) {
	e.Resends = append(slices.Clone(e.Resends), a)
	e.Resends = e.Resends[max(len(e.Resends)-maxResends, 0):]
}

// A Secret names what deliveries are signed with, a secret or a pair of keys: it is derived from a master key, so the state
// does not hold it.
type Secret struct {
	Generation int       `json:"generation"` // 1 for the first
	Master     string    `json:"master"`     // id of the master key
	CreatedAt  time.Time `json:"created_at"`
	EndsAt     time.Time `json:"ends_at,omitzero"` // of one that was replaced
}

// IsValid reports whether deliveries are signed with the secret.
func (s Secret) IsValid(now time.Time) bool { return s.EndsAt.IsZero() || now.Before(s.EndsAt) }

// IsActive reports whether events are sent to the endpoint.
func (e Endpoint) IsActive() bool { return e.Status == Enabled }

// CreateData makes an endpoint.
type CreateData struct {
	Endpoint      string    `json:"endpoint"` // its id
	Key           string    `json:"key"`
	Scopes        []string  `json:"scopes"`
	Master        string    `json:"master"` // id of the master key that its secret is derived from
	URL           string    `json:"url"`
	Types         []string  `json:"types"`
	Description   string    `json:"description,omitempty"`
	RatePerSecond int       `json:"rate_per_second"`
	Signature     Signature `json:"signature,omitempty"` // empty: HMAC
}

// ChangeData changes what is not nil.
type ChangeData struct {
	Endpoint      string   `json:"endpoint"`
	URL           *string  `json:"url,omitempty"`
	Types         []string `json:"types,omitempty"`
	Description   *string  `json:"description,omitempty"`
	RatePerSecond *int     `json:"rate_per_second,omitempty"`
	Status        *Status  `json:"status,omitempty"` // Enabled or Paused
	// Operator who asked for it; empty: its account.
	Operator string `json:"operator,omitempty"`
}

// Data names an endpoint.
type Data struct {
	Endpoint string `json:"endpoint"`
}

// RotateData replaces an endpoint's secret.
type RotateData struct {
	Endpoint string        `json:"endpoint"`
	Master   string        `json:"master"`  // id of the master key that the new one is derived from
	Overlap  time.Duration `json:"overlap"` // for which the old one stays valid, in ns
}

// ResendData asks for events to be sent again: the one of an object at a place in the feed, or all
// since a time.
type ResendData struct {
	Endpoint string    `json:"endpoint"`
	Key      string    `json:"key,omitempty"`
	Seq      uint64    `json:"seq,omitempty"`
	Since    time.Time `json:"since,omitzero"`
}

// DisableData gives an endpoint up.
type DisableData struct {
	Endpoint     string    `json:"endpoint"`
	Reason       Reason    `json:"reason"`
	FailingSince time.Time `json:"failing_since"`
	// Operator who asked for it; empty: it follows from deliveries.
	Operator string `json:"operator,omitempty"`
}
