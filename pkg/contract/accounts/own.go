package accounts

import (
	"time"

	"boardorder/pkg/contract"
)

// Commands of the console service that members give for their own account. Each names the
// member, whom the service holds to their role.
var (
	CreateOwnKey = contract.CommandName{Service: "console", Verb: "create-own-key"}
	RevokeOwnKey = contract.CommandName{Service: "console", Verb: "revoke-own-key"}
	ChangeOwnKey = contract.CommandName{Service: "console", Verb: "change-own-key"}
	// SetOwnDetails says what the account is called and where it is written to.
	SetOwnDetails = contract.CommandName{Service: "console", Verb: "set-own-details"}
	AddMember     = contract.CommandName{Service: "console", Verb: "add-member"}
	SetRole       = contract.CommandName{Service: "console", Verb: "set-member-role"}
	RemoveMember  = contract.CommandName{Service: "console", Verb: "remove-member"}
	// NoteEndpointAct records what a member asks the webhooks service for. It has no outcome.
	NoteEndpointAct = contract.CommandName{Service: "console", Verb: "note-endpoint-act"}
	// EndMember is an operator's.
	EndMember = contract.CommandName{Service: "console", Verb: "end-member"}
)

// By says which member of which account gives a command.
type By struct {
	Account string `json:"account"`
	Member  string `json:"member"`
	From    string `json:"from,omitempty"` // address of the member's browser, for the trail
}

// CreateOwnKeyData adds a key to the member's account. The key itself stays with its maker.
type CreateOwnKeyData struct {
	By
	Key APIKey `json:"key"`
	// Replaces is the key that it takes the place of, which ends at Until unless it ends before.
	Replaces string     `json:"replaces,omitempty"`
	Until    *time.Time `json:"until,omitempty"`
}

// RevokeOwnKeyData ends a key of the member's account.
type RevokeOwnKeyData struct {
	By
	KeyID string `json:"key_id"`
}

// ChangeOwnKeyData says what a key of the member's account is called, what it may do, until when
// and from where from now on.
type ChangeOwnKeyData struct {
	By
	KeyID     string     `json:"key_id"`
	Name      string     `json:"name"`
	Scopes    []string   `json:"scopes"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"` // nil: it does not end by itself
	Networks  []string   `json:"networks,omitempty"`   // CIDR; none: everywhere
}

// SetOwnDetailsData says what the member's account is called and where it is written to.
type SetOwnDetailsData struct {
	By
	Name  string `json:"name"`
	Email string `json:"email"`
}

// MaxName is how long the name of an account is, in characters.
const MaxName = 100

// NoteEndpointActData says what is asked for about which webhook endpoint.
type NoteEndpointActData struct {
	By
	Endpoint string `json:"endpoint"` // its id
	Verb     string `json:"verb"`     // of the webhooks service's command
}

// AddMemberData lets somebody sign in to the portal for the account.
type AddMemberData struct {
	By
	Email string `json:"email"`
	Role  Role   `json:"role"`
}

// SetRoleData says what another member of the account does from now on.
type SetRoleData struct {
	By
	Subject string `json:"subject"` // id of the member
	Role    Role   `json:"role"`
}

// RemoveMemberData ends a membership of the account.
type RemoveMemberData struct {
	By
	Subject string `json:"subject"` // id of the member
}

// EndMemberData ends a membership in an operator's name. Where no owner is left the account's
// address is its owner again.
type EndMemberData struct {
	Account  string `json:"account"`
	Subject  string `json:"subject"` // id of the member
	Operator string `json:"operator"`
}

// MaxMembers is how many members an account has.
const MaxMembers = 50

// How many keys an account may have before members make no more of them: usable ones, and all
// that there ever were, which the account keeps.
const (
	MaxOwnUsableKeys = 50
	MaxOwnKeys       = 300
)
