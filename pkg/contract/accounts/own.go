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

// How many keys an account may have before members make no more of them: usable ones, and all
// that there ever were, which the account keeps.
const (
	MaxOwnUsableKeys = 50
	MaxOwnKeys       = 300
)
