package console_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// TestListsAreOfOneMode: live unless test is asked for, with a status or without; what
// is counted and exported is live.
func TestListsAreOfOneMode(t *testing.T) {
	t.Parallel()
	w := start(t)
	now := time.Now().UTC()
	for mode, owner := range map[string]string{"LIVE": account, "TEST": account + "~test"} {
		ref := strings.Repeat(strings.ToLower(mode[:1]), 32)
		q := quotes.Quote{
			Ref: ref, Account: owner, Mode: quotes.ModeInstant, Status: quotes.Ready, CreatedAt: now, ExpiresAt: now.Add(time.Hour),
			Request: quotes.Request{Quantity: 5},
		}
		commit(w, contract.QuoteAggregate, ref, quotes.EventPriced, owner, q)
		commit(w, contract.OrderAggregate, ref, orders.EventHeld, owner, orders.Order{
			ID: "ord_" + mode, Ref: "BO-" + mode, Quote: ref, Account: owner, Status: orders.Held, Held: "look", Sold: q, PaidAt: now,
		})
		commit(w, contract.FormalAggregate, ref, formal.EventSubmitted, owner, formal.Order{
			Key: ref, ID: "ord_c" + mode, Ref: "CO-" + mode, Account: owner, Status: formal.Submitted, CreatedAt: now,
		})
		commit(w, contract.UploadAggregate, ref, uploads.EventCreated, owner, uploads.Upload{Ref: ref, Account: owner, Status: uploads.Open, CreatedAt: now})
	}
	sales, finance := w.signInAs("pia"), w.signInAs("fin")
	for path, names := range map[string][2]string{
		"/orders": {"BO-LIVE", "BO-TEST"}, "/orders?status=held": {"BO-LIVE", "BO-TEST"}, "/orders.csv": {"BO-LIVE", "BO-TEST"}, "/orders.csv?status=held": {"BO-LIVE", "BO-TEST"},
		"/central": {"CO-LIVE", "CO-TEST"}, "/central?status=submitted": {"CO-LIVE", "CO-TEST"},
		"/uploads": {"/events/upload/llll", "/events/upload/tttt"}, "/uploads?status=open": {"/events/upload/llll", "/events/upload/tttt"},
		"/quotes": {"/quotes/llll", "/quotes/tttt"}, "/quotes?status=ordered": {"/quotes/llll", "/quotes/tttt"}, "/quotes?account=" + account: {"/quotes/llll", "/quotes/tttt"},
	} {
		with := "?"
		if strings.Contains(path, "?") {
			with = "&"
		}
		for mode, shown := range map[string]string{"": names[0], with + "mode=test": names[1]} {
			hidden := names[0]
			if mode == "" {
				hidden = names[1]
			}
			v := sales
			if strings.HasPrefix(path, "/orders.csv") {
				v = finance
			}
			if a := v.get(path + mode); a.status != 200 || !strings.Contains(a.body, shown) || strings.Contains(a.body, hidden) {
				t.Errorf("%s%s: %d; shows %s: %t, %s: %t; want 200, true, false", path, mode, a.status, shown, strings.Contains(a.body, shown), hidden, strings.Contains(a.body, hidden))
			}
		}
	}
	for path, want := range map[string]bool{"/orders/" + strings.Repeat("l", 32): false, "/orders/" + strings.Repeat("t", 32): true, "/quotes/" + strings.Repeat("t", 32): true} {
		if a := sales.get(path); a.status != 200 || strings.Contains(a.body, ">test</span>") != want {
			t.Errorf("%s: %d; marked as a test: want %t", path, a.status, want)
		}
	}
}
