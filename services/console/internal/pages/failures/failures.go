package failures

import (
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/failedrequests"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

type view struct {
	page.Frame
	Account *accounts.Account
	Filter  failedrequests.Filter
	Test    bool
	Rows    []failedrequests.Entry
	Found   int
	Left    []failedrequests.Count
}

// maxRows is how many requests the page shows.
const maxRows = 200

// Show lists the requests of an account that failed in the last days, the newest first.
func (s *Section) Show(c *page.Call) error {
	a, err := states.Get[accounts.Account](c.R.Context(), s.Docs, contract.AccountAggregate, c.R.PathValue("id"))
	if err != nil {
		return err
	}
	if a == nil {
		return page.Missing("account")
	}
	query := func(name string) string { return strings.TrimSpace(c.R.URL.Query().Get(name)) }
	v := view{Frame: c.Frame("accounts", "Failed requests"), Account: a, Test: query("mode") == "test"}
	v.Filter = failedrequests.Filter{Status: query("status"), Code: query("code"), Key: query("key"), Request: query("request_id")}
	all, left, err := failedrequests.Read(c.R.Context(), s.Bucket, accounts.APIKey{Live: !v.Test}.Owner(a.ID), s.Now())
	if err != nil {
		return err
	}
	v.Left = left
	for _, e := range all {
		if !v.Filter.Has(e) {
			continue
		}
		if v.Found++; v.Found <= maxRows {
			v.Rows = append(v.Rows, e)
		}
	}
	return c.Show(templates, "failures", v)
}
