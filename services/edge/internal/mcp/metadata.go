package mcp

import (
	"encoding/json"
	"fmt"

	"boardorder/pkg/contract/accounts"
)

// metadataPath is where RFC 9728 has the description of what needs a token.
const metadataPath = "/.well-known/oauth-protected-resource"

// metadata describes the endpoint as RFC 9728 does. No authorization server is named: keys are
// given by the operator's team, and sent as bearer.
func (e *Endpoint) metadata() ([]byte, error) {
	return json.Marshal(map[string]any{
		"resource": e.cfg.PublicURL + path, "resource_name": "Board Ordering", "resource_documentation": e.cfg.Docs,
		"scopes_supported": []string{accounts.ScopeUploads, accounts.ScopeQuotes, accounts.ScopeChecks}, "bearer_methods_supported": []string{"header"},
	})
}

// challenge is what a call without a usable key is told.
func (e *Endpoint) challenge() string {
	return fmt.Sprintf(`Bearer realm="boardorder", resource_metadata=%q`, e.cfg.PublicURL+metadataPath+path)
}
