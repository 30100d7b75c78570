package search_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
)

func TestSearchTerms(t *testing.T) {
	t.Parallel()
	project := "  Blinker\u0000 V2 "
	to := shipments.ShipTo{Name: "Grace Hopper", Company: "Navy", Email: "Grace@Example.com"}
	for name, tt := range map[string]struct {
		a     contract.Aggregate
		state any
		want  []string
	}{
		"quote": {contract.QuoteAggregate, quotes.Quote{RequestID: "req_1", Request: quotes.Request{ProjectName: &project}, Delivery: &shipments.Delivery{ShipTo: to}},
			[]string{"x", "bo-8pyv84vt", "req_1", "blinker v2", "grace@example.com", "grace hopper", "navy", "grace", "hopper"}},
		"order": {contract.OrderAggregate, orders.Order{ID: "ord_1", Ref: "BO-23", Request: "req_1", ShipTo: shipments.ShipTo{Name: "X"}, Tracking: &shipments.Tracking{Number: "JD01"},
			Payment: checkouts.Payment{Intent: "pi_1", Email: "other@example.com"}}, []string{"x", "ord_1", "bo-23", "req_1", "jd01", "pi_1", "other@example.com"}},
		"customer": {contract.CustomerAggregate, customers.Customer{Email: "Ada@example.com", Saved: &customers.Saved{ShipTo: to}},
			[]string{"x", "ada@example.com", "grace@example.com", "grace hopper", "navy", "grace", "hopper"}},
		"upload":     {contract.UploadAggregate, uploads.Upload{Files: []uploads.File{{Name: "gerber/Board-F_Cu.gbr"}, {Name: "a\\b.drl"}}}, []string{"x", "board-f_cu.gbr", "b.drl"}},
		"controlled": {contract.UploadAggregate, uploads.Upload{Status: uploads.ITARDeclared, Files: []uploads.File{{Name: "seeker.gbr"}}}, []string{"x"}},
		"account":    {contract.AccountAggregate, accounts.Account{Name: "Acme Boards", Keys: []accounts.APIKey{{ID: "k1", Prefix: "bo_live_k1"}}}, []string{"x", "acme boards", "acme", "boards", "k1", "bo_live_k1"}},
		"formal order": {contract.FormalAggregate, formal.Order{ID: "ord_2", Ref: "CO-1", RequestID: "po-7", Tracking: &shipments.Tracking{Number: "1Z"},
			Form: formal.Form{Name: "Motor controller", CustomerPO: "4711", Email: "Grace@example.com"}, Files: []formal.File{{Name: "out\\m.zip"}}},
			[]string{"x", "ord_2", "co-1", "po-7", "motor controller", "motor", "controller", "4711", "grace@example.com", "1z", "m.zip"}},
		"controlled order": {contract.FormalAggregate, formal.Order{ID: "ord_2", Ref: "CO-1", Form: formal.Form{ITAR: true, Name: "stealthwing", Email: "a@b.example"}},
			[]string{"x", "ord_2", "co-1"}},
		"checkout": {contract.CheckoutAggregate, checkouts.Checkout{ShipTo: to}, nil},
	} {
		state, err := json.Marshal(tt.state)
		if err != nil {
			t.Fatal(err)
		}
		got := search.Terms(tt.a, "X", state)
		slices.Sort(got)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	// What was erased is found no more.
	quote := quotes.Quote{Delivery: &shipments.Delivery{ShipTo: to}, Request: quotes.Request{ShipTo: &to}}
	state, _ := json.Marshal(quote.Redact(quote.CreatedAt))
	for _, term := range search.Terms(contract.QuoteAggregate, "x", state) {
		if strings.Contains(term, "grace") || strings.Contains(term, "hopper") {
			t.Errorf("an erased quote is found by %q", term)
		}
	}
	for _, long := range []string{strings.Repeat("a", 500), strings.Repeat("ü", 500), strings.Repeat("日本 ", 200)} {
		if got := search.Term(long); len(got) > 120 || len(got) < 100 || !utf8.ValidString(got) {
			t.Errorf("a text of %d bytes becomes %d bytes, want valid text of 100 to 120: %q", len(long), len(got), got)
		}
	}
}
