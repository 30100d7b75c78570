package view

import (
	"maps"
	"slices"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/figures"
	"boardorder/pkg/projection"
)

// Shapes says by what the documents of each kind are listed, found and removed.
// Documents makes none that have more.
func Shapes() []projection.Shape {
	shapes := []projection.Shape{
		{Kind: accounts.KeyDocumentKind, Keys: []string{"account"}},
		{Kind: accounts.MembershipDocumentKind, Keys: []string{accounts.MembershipKey}},
		{Kind: audits.DocumentKind, Keys: []string{"about", "account", "action", "operator", "partner"}},
	}
	for _, a := range contract.Aggregates() {
		shapes = append(shapes, projection.Shape{Kind: string(a), Keys: keysOf(a), Terms: true, Expires: true})
	}
	return shapes
}

func keysOf(a contract.Aggregate) []string {
	if a == contract.OperationAggregate {
		return nil // outcomes are asked for by request, never listed
	}
	keys := []string{"account", contract.ModeKey}
	if a == contract.OrderAggregate || a == contract.QuoteAggregate {
		keys = append(keys, customers.Key)
	}
	keys = append(keys, slices.Collect(maps.Values(listed[a]))...)
	keys = append(keys, figures.KeyNames(a)...)
	slices.Sort(keys)
	return slices.Compact(keys)
}
