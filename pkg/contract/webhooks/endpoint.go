package webhooks

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
)

// Commands of the webhooks service.
var (
	Create = contract.CommandName{Service: "webhooks", Verb: "create-endpoint"}
	Change = contract.CommandName{Service: "webhooks", Verb: "change-endpoint"}
	Delete = contract.CommandName{Service: "webhooks", Verb: "delete-endpoint"}
)

// Events of the webhook-endpoint aggregate.
const (
	EventCreated contract.EventName = "created"
	EventChanged contract.EventName = "changed"
	EventDeleted contract.EventName = "deleted"
)

// Events are all of the aggregate.
var Events = []contract.EventName{EventCreated, EventChanged, EventDeleted}

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
)

// Endpoint is an address that events of an owner are sent to. Aggregate id = ID.
type Endpoint struct {
	ID      string `json:"id"`
	Account string `json:"account"` // the owner
	Key     string `json:"key"`     // id of the API key that made it
	// Scopes are those of that key: what the endpoint may be told of. It outlives the key.
	Scopes        []string  `json:"scopes"`
	URL           string    `json:"url"`
	Types         []string  `json:"types"` // of feed.Type, or AllTypes alone
	Description   string    `json:"description,omitempty"`
	RatePerSecond int       `json:"rate_per_second"` // at which a backlog is delivered at most
	Status        Status    `json:"status"`
	Secrets       []Secret  `json:"secrets"` // the newest first
	CreatedAt     time.Time `json:"created_at"`
	ChangedAt     time.Time `json:"changed_at"`
}

// A Secret names what deliveries are signed with: it is derived from a master key, so the state
// does not hold it.
type Secret struct {
	Generation int       `json:"generation"` // 1 for the first
	Master     string    `json:"master"`     // id of the master key
	CreatedAt  time.Time `json:"created_at"`
}

// IsActive reports whether events are sent to the endpoint.
func (e Endpoint) IsActive() bool { return e.Status == Enabled }

// Wants reports whether an event is sent to the endpoint: its type is among those asked for,
// and the endpoint may be told of it.
func (e Endpoint) Wants(of feed.Event) bool {
	scope := feed.ScopeOf(of.Type)
	if scope != "" && !slices.Contains(e.Scopes, scope) {
		return false
	}
	return slices.Contains(e.Types, AllTypes) || slices.Contains(e.Types, string(of.Type))
}

// CreateData makes an endpoint.
type CreateData struct {
	Endpoint      string   `json:"endpoint"` // its id
	Key           string   `json:"key"`
	Scopes        []string `json:"scopes"`
	Master        string   `json:"master"` // id of the master key that its secret is derived from
	URL           string   `json:"url"`
	Types         []string `json:"types"`
	Description   string   `json:"description,omitempty"`
	RatePerSecond int      `json:"rate_per_second"`
}

// ChangeData changes what is not nil.
type ChangeData struct {
	Endpoint      string   `json:"endpoint"`
	URL           *string  `json:"url,omitempty"`
	Types         []string `json:"types,omitempty"`
	Description   *string  `json:"description,omitempty"`
	RatePerSecond *int     `json:"rate_per_second,omitempty"`
	Status        *Status  `json:"status,omitempty"` // Enabled or Paused
}

// Data names an endpoint.
type Data struct {
	Endpoint string `json:"endpoint"`
}
