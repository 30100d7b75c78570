package page

import (
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/services/console/internal/states"
)

// AccountName is what people call an account; the id when it is not known.
func (c *Call) AccountName(owner string) string {
	if contract.IsTest(owner) {
		return c.AccountName(contract.AccountOf(owner)) + " (test)"
	}
	id := owner
	if name, ok := c.names[id]; ok {
		return name
	}
	name := id
	if a, err := states.Get[accounts.Account](c.R.Context(), c.site.Docs, contract.AccountAggregate, id); err == nil && a != nil && a.Name != "" {
		name = untrusted.Line(a.Name, 60)
	}
	if c.names == nil {
		c.names = map[string]string{}
	}
	c.names[id] = name
	return name
}
