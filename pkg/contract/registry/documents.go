package registry

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
)

// DocumentKinds are all kinds of documents of the projection: one of each aggregate,
// and those that are found by something else than an aggregate's id.
func DocumentKinds() []string {
	kinds := []string{accounts.KeyDocumentKind, accounts.MembershipDocumentKind, audits.DocumentKind}
	for _, a := range contract.Aggregates() {
		kinds = append(kinds, string(a))
	}
	return kinds
}
