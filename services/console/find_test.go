package console_test

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
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
		" bo-2345abcd ": "/orders/" + instantRef, "ord_01": "/orders/" + instantRef, instantRef: "/orders/" + instantRef, reviewRef: "/quotes/" + reviewRef, "2345abcd": "/orders/" + instantRef,
		"https://shop.example/checkout/" + strings.ToUpper(quoteID) + "?lang=de": "/quotes/" + contract.SecretRef(quoteID), account: "/accounts/" + account,
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
	order.Invoices = []invoices.Invoice{{Number: 17, Kind: invoices.OrderInvoice}, {Number: 18, Kind: invoices.CreditNote}}
	order.Screened, order.Status, order.Held = &orders.Screening{Reference: "SCR-2026-77"}, orders.Shipped, ""
	order.ShipTo.Phone = "+1 (703) 555-0100"
	commit(w, contract.BuyLinkAggregate, "bl_01", buylinks.EventCreated, account, buylinks.BuyLink{ID: "bl_01", Account: account})
	commit(w, contract.UploadAggregate, "stray", uploads.EventFilesAdded, account, uploads.Upload{Ref: "stray", Account: account, Status: uploads.Open, Received: []uploads.Received{{Name: "stray.zip"}}})
	commit(w, contract.OrderAggregate, instantRef, orders.EventShipped, account, order)
	ann, ben := w.signInAs("ann"), w.signInAs("ben")
	for _, tt := range []struct {
		what, ann, ben string // the page that it leads to; "" = a list, "-" = nothing
	}{
		{"bo-23", "/orders/" + instantRef, "/orders/" + instantRef}, {"jd0146", "/orders/" + instantRef, "/orders/" + instantRef},
		{"req_tw", "/quotes/" + reviewRef, "/quotes/" + reviewRef}, // the request of a quote leads to the quote alone
		{"Blinker Tw", "/orders/" + instantRef, "/orders/" + instantRef}, {"bbbbbbb", "/quotes/" + reviewRef, "/quotes/" + reviewRef},
		{"GRACE@example", "", "-"}, {"grace ho", "", "-"}, {"hopper", "", "-"},
		{"blinker-f_cu", "", "-"}, {"inv-00001", "/orders/" + instantRef, "/orders/" + instantRef},
		{"18", "-", "-"}, {"000018", "/orders/" + instantRef, "/orders/" + instantRef}, {"INV 18", "/orders/" + instantRef, "/orders/" + instantRef}, {"scr-2026", "/orders/" + instantRef, "/orders/" + instantRef},
		{"703.555.0100", "/orders/" + instantRef, "-"}, {"001 703 5550100", "/orders/" + instantRef, "-"}, {"702 5550100", "-", "-"}, {"PI_123", "/orders/" + instantRef, "/orders/" + instantRef}, {"cs_1", "/orders/" + instantRef, "/orders/" + instantRef},
		{"REQ_ONE", "/orders/" + instantRef, "/orders/" + instantRef}, {"345ab", "-", "-"}, {"2345ab", "/orders/" + instantRef, "/orders/" + instantRef}, {"bl_01", "/events/buy-link/bl_01", "/events/buy-link/bl_01"},
		{quotes.CustomerRef(reviewRef), "/quotes/" + reviewRef, "/quotes/" + reviewRef}, {"stray.zip", "/events/upload/stray", "-"}, {"seeker-head", "-", "-"}, {"demo acc", "/accounts/" + account, "/accounts/" + account},
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
	// A file leads to what was asked with it, once for each quote.
	got := ann.fill("/", "/find", "what", "Blinker-F_Cu.gbr")
	got.wants(t, http.StatusOK, "/orders/"+instantRef, "/quotes/"+reviewRef)
	if strings.Contains(got.body, "/events/") {
		t.Errorf("a file's name finds streams of events beside its quotes: %s", got.body)
	}
	// Each thing is there once, as what it has become.
	got = ann.fill("/", "/find", "what", "hopper")
	got.wants(t, http.StatusOK, "BO-2345ABCD", "=Navy", ">shipped<", ">sourcing requested<")
	if n := strings.Count(got.body, instantRef); n != 1 || strings.Contains(got.body, ">quote ready<") {
		t.Errorf("an order is there %d times, also as a quote: %v; want once, and shipped", n, strings.Contains(got.body, ">quote ready<"))
	}
}

// TestNotesAreSearched, by whoever may read them: what they are about is found, with the note.
func TestNotesAreSearched(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	note := func(ref, text string) {
		commit(w, contract.CaseAggregate, ref, cases.EventNoted, account, cases.Case{Ref: ref, Account: account, Notes: []cases.Note{{ID: "n", Operator: "pia", Text: text}}})
	}
	note(instantRef, "Called twice about the Stencil.")
	note(reviewRef, "Ask again about the stencil, twice.")
	ann := w.signInAs("ann")
	for what, path := range map[string]string{"about the STENCIL.": "/orders/" + instantRef, "called": "/orders/" + instantRef, "stencil, twice": "/quotes/" + reviewRef} {
		if got := ann.fill("/", "/find", "what", what); got.url.Path != path {
			t.Errorf("find %q led to %s: %d, want %s", what, got.url, got.status, path)
		}
	}
	ann.fill("/", "/find", "what", "stencil").wants(t, http.StatusOK, "pia: Called twice about the Stencil.", "pia: Ask again", "/orders/"+instantRef, "/quotes/"+reviewRef)
	ann.fill("/", "/find", "what", "twice stencil").wants(t, http.StatusNotFound, "Nothing here has that number")
	w.signInAs("ben").fill("/", "/find", "what", "stencil").wants(t, http.StatusNotFound, "Nothing here has that number")
}
