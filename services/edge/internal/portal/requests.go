package portal

import (
	"net/http"
	"slices"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/failedrequests"
	"boardorder/services/edge/internal/problem"
)

type requestsView struct {
	frame
	Filter failedrequests.Filter
	Test   bool
	Rows   []requestRow
	Found  int // that the filter lets through
	Left   []failedrequests.Count
	Codes  []string
	Days   int
}

type requestRow struct {
	failedrequests.Entry
	APIKey accounts.APIKey
}

// maxRequests is how many failed requests a page shows.
const maxRequests = 100

// requestsPage answers GET /portal/requests: what was answered 4xx or 5xx in the last days, the
// newest first.
func (p *Portal) requestsPage(c *call) error {
	query := func(name string) string {
		value, _ := c.Query(name)
		return strings.TrimSpace(value)
	}
	v := requestsView{frame: p.frame("Failed requests", c), Test: query("mode") == "test", Days: int(failedrequests.Retention / contract.Day)}
	v.Filter = failedrequests.Filter{Status: query("status"), Code: query("code"), Key: query("key"), Request: query("request_id")}
	all, left, err := failedrequests.Read(c.Context(), p.Failed, accounts.APIKey{Live: !v.Test}.Owner(c.account.ID), p.Now())
	if err != nil {
		return problem.Unavailable(err)
	}
	v.Left = left
	for _, e := range all {
		if code := string(e.Code); code != "" && !slices.Contains(v.Codes, code) {
			v.Codes = append(v.Codes, code)
		}
		if !v.Filter.Has(e) {
			continue
		}
		if v.Found++; v.Found > maxRequests {
			continue
		}
		row := requestRow{Entry: e}
		if i := slices.IndexFunc(c.account.Keys, func(k accounts.APIKey) bool { return k.ID == e.Key }); i >= 0 {
			row.APIKey = c.account.Keys[i]
		}
		v.Rows = append(v.Rows, row)
	}
	slices.Sort(v.Codes)
	return p.show(c.Call, http.StatusOK, "requests", v)
}

// StatusChoices are those that can be filtered by.
func (v requestsView) StatusChoices() []string {
	return []string{"4xx", "5xx", "400", "403", "404", "409", "413", "415", "422", "429", "500", "503"}
}

// Prefix is what a key begins with that the account has no more.
func (v requestsView) Prefix(id string) string {
	if v.Test {
		return "bo_test_" + id
	}
	return "bo_live_" + id
}
