package session

import (
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/secret"
)

// portalIdle ends a session of the portal that nobody uses.
const portalIdle = time.Hour

// NewPortal are the sessions of accounts' members in the portal: edges begin and find them, the
// console lists and ends them. Their bucket is [contract.PortalSessionsBucket].
func NewPortal(bucket *bus.Bucket, keys *secret.Keyring, now func() time.Time) *Sessions {
	return &Sessions{Config{Bucket: bucket, Keys: keys, Now: now, Cookie: "portal-session", Form: "portal-form", TTL: contract.PortalSessionTTL, Idle: portalIdle}}
}
