package filter_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/console/internal/filter"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/page/pagetest"
)

// read reads a filter as a page does.
func read(t *testing.T, who operator.Operator, query string) (f filter.Filter, answer *httptest.ResponseRecorder) {
	t.Helper()
	answer = pagetest.New(t).Get(who, page.Route{Pattern: "GET /list", Handle: func(c *page.Call) (err error) {
		f, err = filter.Read(c)
		return err
	}}, "/list?"+query)
	return f, answer
}

// TestFilter: a thing is wanted if it is all that was asked for.
func TestFilter(t *testing.T) {
	t.Parallel()
	sales, viewer := pagetest.Operator("sal", operator.Sales), pagetest.Operator("vera", operator.Viewer)
	thing := filter.Thing{Owner: "acc_1", At: pagetest.At, To: shipments.ShipTo{Name: "Grace Hopper", Company: "Navy", Email: "g@example.com"}, Fabricator: "Far East", Currency: "EUR"}
	for query, want := range map[string]bool{
		"": true, "mode=test": false, "customer=HOPP": true, "customer=navy": true, "customer=g%40ex": true, "customer=opper": false, "customer=grace+hop": true,
		"from=2026-11-21": true, "from=2026-11-22": false, "to=2026-11-21": true, "to=2026-11-20": false, "from=2026-11-20&to=2026-11-22": true,
		"fabricator=east": true, "fabricator=west": false, "currency=eur": true, "currency=USD": false, "currency=EUR&customer=nobody": false,
	} {
		f, _ := read(t, sales, query)
		if got := f.Fits(thing); got != want {
			t.Errorf("%q: Fits(%+v) = %t, want %t", query, thing, got, want)
		}
		values, err := url.ParseQuery(query)
		if again, _ := read(t, sales, string(f.Query("status", ""))); err != nil || again != f || len(values) > 0 != (f.IsNarrow() || f.Test) {
			t.Errorf("%q is written as %q, narrow: %t; want one that reads as the same", query, f.Query(), f.IsNarrow())
		}
	}
	if f, _ := read(t, viewer, "customer=hopper"); f.Customer != "" || !f.Fits(thing) {
		t.Errorf("who may see no names filters by %q, want by none", f.Customer)
	}
	if f, _ := read(t, sales, ""); !f.Fits(filter.Thing{}) || f.Fits(filter.Thing{Owner: contract.TestOwner("acc_1")}) {
		t.Error("without a filter what is test is listed, or what is live is not")
	}
	for _, bad := range []string{"customer=gr", "from=soon", "to=2026-13-01"} {
		if _, w := read(t, sales, bad); w.Code != http.StatusBadRequest {
			t.Errorf("%q: %d, want 400", bad, w.Code)
		}
	}
}
