package console_test

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"net/http"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	commit(w, contract.OperationAggregate, "req_nine", contract.OperationRefused, account, contract.Operation{Request: "req_nine", Account: account})
	quoteID := strings.Repeat("ab", 32)
	commit(w, contract.QuoteAggregate, contract.SecretRef(quoteID), quotes.EventPriced, account, quotes.Quote{Ref: contract.SecretRef(quoteID), Account: account})
	ben := w.signInAs("ben")
	for what, path := range map[string]string{
		" bo-2345abcd ": "/orders/" + instantRef, "ord_01": "/orders/" + instantRef, instantRef: "/quotes/" + instantRef, account: "/accounts/" + account,
		"req_nine": "/events/operation/req_nine", quoteID: "/quotes/" + contract.SecretRef(quoteID), uploadRef: "/events/upload/" + uploadRef,
	} {
		if got := ben.fill("/", "/find", "what", what); got.url.Path != path || got.status != http.StatusOK {
			t.Errorf("find %q led to %s: %d, want 200 at %s", what, got.url, got.status, path)
		}
	}
	ben.fill("/", "/find", "what", "a b<c>").wants(t, http.StatusNotFound, "Nothing here has that number")
}

// TestSearch finds by the beginning of an id, by people, projects, parcels and
// files, as far as the operator's roles show them.
func TestSearch(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	order := orderOf(w, instantRef)
	order.Tracking = &shipments.Tracking{Carrier: "DHL", Number: "JD014600"}
	order.Sold.Request.ProjectName = ptr("Blinker Two")
	commit(w, contract.OrderAggregate, instantRef, orders.EventShipped, account, order)
	ann, ben := w.signInAs("ann"), w.signInAs("ben")
	for _, tt := range []struct {
		what, ann, ben string // the page that it leads to; "" = a list, "-" = nothing
	}{
		{"bo-23", "/orders/" + instantRef, "/orders/" + instantRef}, {"jd0146", "/orders/" + instantRef, "/orders/" + instantRef},
		{"req_tw", "/quotes/" + reviewRef, "/quotes/" + reviewRef}, // the request of a quote leads to the quote alone
		{"Blinker Tw", "/orders/" + instantRef, "/orders/" + instantRef}, {"bbbbbbb", "/quotes/" + reviewRef, "/quotes/" + reviewRef},
		{"GRACE@example", "", "-"}, {"grace ho", "", "-"}, {"hopper", "", "-"},
		{"blinker-f_cu", "/events/upload/" + uploadRef, "-"}, {"seeker-head", "-", "-"}, {"demo acc", "/accounts/" + account, "/accounts/" + account},
		{"bo_live_oldkey", "/accounts/" + account, "/accounts/" + account}, {"ab", "-", "-"}, {"%%%", "-", "-"},
	} {
		for who, v := range map[string]*visitor{"ann": ann, "ben": ben} {
			want := tt.ann
			if who == "ben" {
				want = tt.ben
			}
			got := v.fill("/", "/find", "what", tt.what)
			switch {
			case want == "-" && got.status != http.StatusNotFound, want == "" && (got.status != http.StatusOK || !strings.Contains(got.body, "Found for")),
				want != "-" && want != "" && got.url.Path != want:
				t.Errorf("%s looks for %q: %s %d, want %q", who, tt.what, got.url.Path, got.status, want)
			}
		}
	}
	ann.fill("/", "/find", "what", "hopper").wants(t, http.StatusOK, "BO-2345ABCD", "=Navy")
}
