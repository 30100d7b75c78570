package search_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
)

// longName is a name of so many words.
func longName(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("n%02d", i)
	}
	return strings.Join(words, " ")
}

func TestSearchTerms(t *testing.T) {
	t.Parallel()
	project := "  Blinker\u0000 V2 "
	to := shipments.ShipTo{Name: "Grace Hopper", Company: "Navy", Email: "Grace@Example.com", Phone: "+1 (703) 555-0100"}
	for name, tt := range map[string]struct {
		a     contract.Aggregate
		state any
		want  []string
	}{
		"quote": {contract.QuoteAggregate, quotes.Quote{RequestID: "req_1", Request: quotes.Request{ProjectName: &project}, Delivery: &shipments.Delivery{ShipTo: to}},
			[]string{"x", "bo-8pyv84vt", "req_1", "blinker v2", "grace@example.com", "grace hopper", "navy", "grace", "hopper", "tel:00105553071"}},
		"order": {contract.OrderAggregate, orders.Order{ID: "ord_1", Ref: "BO-23", Request: "req_1", ShipTo: shipments.ShipTo{Name: "X"}, Tracking: &shipments.Tracking{Number: "JD01"},
			Payment: checkouts.Payment{Intent: "pi_1", Session: "cs_1", Email: "other@example.com"}, Dispute: &orders.Dispute{ID: "dp_1"},
			Refunds: []orders.Refund{{ID: "rf_1", Processor: "re_1"}}, Screened: &orders.Screening{Reference: "SCR-7"},
			Invoices: []invoices.Invoice{{Number: 17}, {Number: 18, Test: true, Kind: invoices.CreditNote}}},
			[]string{"x", "ord_1", "bo-23", "req_1", "jd01", "pi_1", "cs_1", "rf_1", "re_1", "scr-7", "dp_1", "other@example.com", "inv-000017", "test-000018"}},
		"customer": {contract.CustomerAggregate, customers.Customer{Email: "Ada@example.com", Saved: &customers.Saved{ShipTo: to}},
			[]string{"x", "ada@example.com", "grace@example.com", "grace hopper", "navy", "grace", "hopper", "tel:00105553071"}},
		"notes": {contract.CaseAggregate, cases.Case{Ref: "q", Notes: []cases.Note{{Text: "Old: wait."}, {Text: "Called Grace at 703-555; she WANTS “ENIG”, to be by 3pm."}}},
			[]string{"703-555", "3pm", "called", "grace", "she", "wants", "enig", "old", "wait"}},
		"controlled notes": {contract.CaseAggregate, cases.Case{Ref: "q", ITAR: true, Notes: []cases.Note{{Text: "stealthwing"}}}, nil},
		"reading":          {contract.BoardAggregate, boards.ReadFiles{Files: []boards.FileClass{{Name: "gerber/Board-F_Cu.gbr"}}}, []string{"x", "board-f_cu.gbr"}},
		"gone reading":     {contract.BoardAggregate, boards.ReadFiles{Gone: true, Files: []boards.FileClass{{Name: "a.gbr"}}}, nil},
		"buy link":         {contract.BuyLinkAggregate, buylinks.BuyLink{ID: "X", Request: quotes.Request{ProjectName: &project}}, []string{"x", "blinker v2"}},
		"archive":          {contract.UploadAggregate, uploads.Upload{Received: []uploads.Received{{Name: "Blinker.zip"}}, Files: []uploads.File{{Name: "a.drl"}}}, []string{"x", "blinker.zip", "a.drl"}},
		"many words":       {contract.OrderAggregate, orders.Order{Ref: "BO-23", ShipTo: shipments.ShipTo{Name: longName(80)}}, append([]string{"x", "bo-23", longName(30)}, strings.Fields(longName(61))...)},
		"upload":           {contract.UploadAggregate, uploads.Upload{Files: []uploads.File{{Name: "gerber/Board-F_Cu.gbr"}, {Name: "a\\b.drl"}}}, []string{"x", "board-f_cu.gbr", "b.drl"}},
		"controlled":       {contract.UploadAggregate, uploads.Upload{Status: uploads.ITARDeclared, Files: []uploads.File{{Name: "seeker.gbr"}}}, []string{"x"}},
		"account":          {contract.AccountAggregate, accounts.Account{Name: "Acme Boards", Email: "Ops@acme.example", Members: []accounts.Member{{Email: "ann@acme.example"}}, Keys: []accounts.APIKey{{ID: "k1", Prefix: "bo_live_k1"}}}, []string{"x", "acme boards", "acme", "boards", "ops@acme.example", "ann@acme.example", "k1", "bo_live_k1"}},
		"formal order": {contract.FormalAggregate, formal.Order{ID: "ord_2", Ref: "CO-1", RequestID: "po-7", Tracking: &shipments.Tracking{Number: "1Z"}, Quote: &formal.Quote{Number: "CO-1-2"}, Accepted: &formal.Acceptance{Terms: formal.Terms{QuoteNumber: "CO-1-1"}},
			Form: formal.Form{Name: "Motor controller", CustomerPO: "4711", Email: "Grace@example.com"}, Files: []formal.File{{Name: "out\\m.zip"}}},
			[]string{"x", "ord_2", "co-1", "po-7", "motor controller", "motor", "controller", "4711", "grace@example.com", "1z", "m.zip", "co-1-2", "co-1-1"}},
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
		if strings.Contains(term, "grace") || strings.Contains(term, "hopper") || strings.HasPrefix(term, search.PhonePrefix) {
			t.Errorf("an erased quote is found by %q", term)
		}
	}
	for _, long := range []string{strings.Repeat("a", 500), strings.Repeat("ü", 500), strings.Repeat("日本 ", 200)} {
		if got := search.Term(long); len(got) > 120 || len(got) < 100 || !utf8.ValidString(got) {
			t.Errorf("a text of %d bytes becomes %d bytes, want valid text of 100 to 120: %q", len(long), len(got), got)
		}
	}
}
