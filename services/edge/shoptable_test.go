package edge_test

import (
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
)

// TestShopTable: prices of several quantities on request, by plain links; seen again they are
// the same table.
func TestShopTable(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	w.readBoard(page)
	hold(t, w.visit("GET", page, nil), 200, "Compare quantities and build times", page+"?quantity=10&table=yes#table")
	if n := len(w.commandsOf(quotes.Price)); n != 1 {
		t.Fatalf("without the table %d quotes were made, want one", n)
	}
	for range 2 {
		a := w.visit("GET", page+"?quantity=12&table=yes", nil)
		hold(t, a, 200, "Standard build", page+"?go=checkout&quantity=5", page+"?go=checkout&quantity=100", page+"?go=checkout&quantity=12")
		if n := strings.Count(string(a.body), "go=checkout&quantity="); n != 12 {
			t.Errorf("the table has %d prices, want 12\n%s", n, a.body)
		}
		if n, tables := len(w.commandsOf(quotes.Price)), len(w.commandsOf(pricetables.Price)); n != 2 || tables != 1 { // 10 was priced before
			t.Errorf("%d quotes and %d tables were made, want 2 and 1", n, tables)
		}
	}
	a := w.visit("GET", page+"?quantity=25&build_hours=24&go=checkout", nil)
	if to := a.header.Get("Location"); a.status != http.StatusSeeOther || !strings.HasSuffix(to, "?build_hours=24") {
		t.Errorf("a cell of a faster build leads to %d %q, want 303 to the checkout with it", a.status, to)
	}
}
