package accounts

import (
	"time"

	"boardorder/pkg/contract"
)

// Commands of the console service that change accounts.
var (
	Open       = contract.CommandName{Service: "console", Verb: "open-account"}
	SetAddress = contract.CommandName{Service: "console", Verb: "set-address"}
	CreateKey  = contract.CommandName{Service: "console", Verb: "create-key"}
	ChangeKey  = contract.CommandName{Service: "console", Verb: "change-key"}
	RevokeKey  = contract.CommandName{Service: "console", Verb: "revoke-key"}
	ReportKey  = contract.CommandName{Service: "console", Verb: "report-key"} // from whoever holds a leaked key
	// NoteElsewhere tells that a key was sent from outside its networks.
	NoteElsewhere = contract.CommandName{Service: "console", Verb: "note-elsewhere"}
	// SetFabricators says who builds an account's boards, and whether it sees what others offer.
	SetFabricators = contract.CommandName{Service: "console", Verb: "set-fabricators"}
)

// Events of the account aggregate.
const (
	EventOpened         contract.EventName = "opened"
	EventAddressSet     contract.EventName = "address_set"
	EventDetailsSet     contract.EventName = "details_set" // by a member: name and address
	EventFabricatorsSet contract.EventName = "fabricators_set"
	EventKeyCreated     contract.EventName = "key_created"
	EventKeyChanged     contract.EventName = "key_changed" // what it may do, until when, or from where
	EventKeyRevoked     contract.EventName = "key_revoked"
	// EventKeyElsewhere: it was sent from outside its networks, and refused. Once a day at most.
	EventKeyElsewhere contract.EventName = "key_used_elsewhere"

	EventMemberAdded   contract.EventName = "member_added"
	EventMemberChanged contract.EventName = "member_changed" // their role
	EventMemberRemoved contract.EventName = "member_removed"
)

// Events are all of the aggregate.
var Events = []contract.EventName{EventOpened, EventAddressSet, EventDetailsSet, EventFabricatorsSet, EventKeyCreated, EventKeyChanged, EventKeyRevoked, EventKeyElsewhere, EventMemberAdded, EventMemberChanged, EventMemberRemoved}

// Account is a partner and its API keys. Aggregate id = ID.
type Account struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Email     string         `json:"email,omitempty"` // where the partner is written to; all e-mails of test keys go there
	CreatedAt time.Time      `json:"created_at"`
	Keys      []APIKey       `json:"keys"`
	Limits    map[string]int `json:"limits,omitempty"` // policy name → quota, where it differs from the usual
	// FabricatorRule chooses who builds the account's boards; nil is the installation's rule.
	FabricatorRule *FabricatorRule `json:"fabricator_rule,omitempty"`
	// SeesOffers: replies to its keys hold what every fabricator said, with prices.
	SeesOffers bool `json:"sees_offers,omitempty"`
	// Members sign in to the portal; none are stored until the first is added. See [Account.Team].
	Members []Member `json:"members,omitempty"`
}

// APIKey is what is kept of a key: never the key.
type APIKey struct {
	ID        string     `json:"id"` // public; part of the key and of its prefix
	Name      string     `json:"name"`
	Prefix    string     `json:"prefix"` // bo_live_<id>: enough to recognise the key by
	Hash      string     `json:"hash"`   // SHA-256 of the whole key, hex
	Scopes    []string   `json:"scopes"`
	Live      bool       `json:"livemode"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
	RevokedAt *time.Time `json:"revoked_at,omitempty"`
	Networks  []string   `json:"networks,omitempty"`   // CIDR: where it may be used from; none: everywhere
	CreatedBy string     `json:"created_by,omitempty"` // the operator; empty: the system itself
	RevokedBy string     `json:"revoked_by,omitempty"`
	// RevokedFor is why: KeyLeaked, or empty where an operator did it.
	RevokedFor string `json:"revoked_for,omitempty"`
	// Elsewhere is when it was last noted that the key was sent from outside its networks.
	Elsewhere *Elsewhere `json:"elsewhere,omitempty"`
}

// Elsewhere is from where a key was sent that may not be used from there.
type Elsewhere struct {
	At      time.Time `json:"at"`
	Network string    `json:"network"`
}

// ElsewherePause is how long after a note of a key no other is made.
const ElsewherePause = contract.Day

// NoteElsewhereData names a key that was sent from outside its networks.
type NoteElsewhereData struct {
	Account string `json:"account"`
	KeyID   string `json:"key_id"`
	Network string `json:"network"`
}

// KeyLeaked is why a key was revoked that somebody reported.
const KeyLeaked = "reported as leaked"

// Usable reports whether the key opens anything at the time.
func (k APIKey) Usable(now time.Time) bool {
	return k.RevokedAt == nil && (k.ExpiresAt == nil || now.Before(*k.ExpiresAt))
}

// Scopes of API keys.
const (
	ScopeUploads = "uploads"
	ScopeQuotes  = "quotes"
	ScopeChecks  = "checks"
	ScopeOrders  = "orders"
)

// DefaultScopes is what a key gets unless configured otherwise.
func DefaultScopes() []string { return []string{ScopeUploads, ScopeQuotes, ScopeChecks, ScopeOrders} }

// OpenData opens an account.
type OpenData struct {
	ID     string         `json:"id"`
	Name   string         `json:"name"`
	Email  string         `json:"email,omitempty"`
	Limits map[string]int `json:"limits,omitempty"`
	// Operator who requested it; empty: the system itself. Likewise below.
	Operator string `json:"operator,omitempty"`
}

// SetAddressData says where a partner is written to from now on.
type SetAddressData struct {
	Account  string `json:"account"`
	Email    string `json:"email"` // empty: nowhere
	Operator string `json:"operator,omitempty"`
}

// SetFabricatorsData says by what rule an account's fabricators are chosen from now on.
type SetFabricatorsData struct {
	Account    string          `json:"account"`
	Rule       *FabricatorRule `json:"rule,omitempty"` // nil: the installation's
	SeesOffers bool            `json:"sees_offers,omitempty"`
	Operator   string          `json:"operator,omitempty"`
}

// CreateKeyData adds a key to an account. The key itself stays with its maker.
type CreateKeyData struct {
	Account  string `json:"account"`
	Key      APIKey `json:"key"`
	Operator string `json:"operator,omitempty"`
}

// ChangeKeyData says what a key may do, until when and from where from now on. A key that is
// replaced by another gets an end by it.
type ChangeKeyData struct {
	Account   string     `json:"account"`
	KeyID     string     `json:"key_id"`
	Scopes    []string   `json:"scopes"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"` // nil: it does not end by itself
	Networks  *[]string  `json:"networks,omitempty"`   // nil: they stay; an older console does not know them
	Operator  string     `json:"operator,omitempty"`
}

// RevokeKeyData ends a key.
type RevokeKeyData struct {
	Account  string `json:"account"`
	KeyID    string `json:"key_id"`
	Operator string `json:"operator,omitempty"`
}

// ReportKeyData tells of a key that leaked. Only who holds the key knows its hash.
type ReportKeyData struct {
	KeyID string `json:"key_id"`
	Hash  string `json:"hash"` // SHA-256 of the whole key, hex
}

// KeyDocumentKind is the projection's kind of document that a key is found by;
// the id is the key's.
const KeyDocumentKind = "api-key"

// KeyDocument is how the edge finds a key and its account.
type KeyDocument struct {
	Account    string         `json:"account"`
	Name       string         `json:"account_name"`
	Limits     map[string]int `json:"limits,omitempty"`
	SeesOffers bool           `json:"sees_offers,omitempty"` // as the account has it
	Key        APIKey         `json:"key"`
}

// Owner is whose all is that a key makes: the account for a live key, and a name
// of its own for a test key. It stands as the account in every command, event and
// state, so live and test are as separate as two accounts are, in ids that follow
// from the account, in lists, look-ups and guards alike, and whatever follows from
// a state knows its mode. What was made before there were modes is live.
func (k APIKey) Owner(account string) string {
	if k.Live {
		return account
	}
	return contract.TestOwner(account)
}
