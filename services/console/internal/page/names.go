package page

import (
	"slices"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/services/console/internal/states"

	"golang.org/x/sync/errgroup"
)

// AccountName is what people call an account; the id when it is not known.
func (c *Call) AccountName(owner string) string {
	if contract.IsTest(owner) {
		return c.AccountName(contract.AccountOf(owner)) + " (test)"
	}
	if _, known := c.names[owner]; !known {
		c.ReadAccountNames([]string{owner})
	}
	return c.names[owner]
}

// maxNames is how many accounts are read at once.
const maxNames = 32

// ReadAccountNames reads the names of owners at once, so that AccountName has each at hand:
// one after the other each would take its way to the store.
func (c *Call) ReadAccountNames(owners []string) {
	var ids []string
	for _, owner := range owners {
		id := contract.AccountOf(owner)
		if _, known := c.names[id]; !known && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	names := make([]string, len(ids))
	var group errgroup.Group
	group.SetLimit(maxNames)
	for i, id := range ids {
		group.Go(func() error {
			names[i] = c.readName(id)
			return nil
		})
	}
	_ = group.Wait() // a name that cannot be read is the id
	if c.names == nil {
		c.names = map[string]string{}
	}
	for i, id := range ids {
		c.names[id] = names[i]
	}
}

// readName reads the name of an account, by its id.
func (c *Call) readName(id string) string {
	if a, err := states.Get[accounts.Account](c.R.Context(), c.site.Docs, contract.AccountAggregate, id); err == nil && a != nil && a.Name != "" {
		return untrusted.Line(a.Name, 60)
	}
	return id
}
