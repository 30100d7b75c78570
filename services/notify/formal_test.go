package notify_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	formalcontract "boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/shipments"
)

func formal(email string) formalcontract.Order {
	return formalcontract.Order{
		Key: "k", ID: "ord_1", Ref: "CO-1", Account: "acc_1", Status: formalcontract.Submitted,
		Form: formalcontract.Form{Name: "stealthwing", Qty: 50, Email: email},
		Quote: &formalcontract.Quote{Number: "CO-1-Q1", ValidUntil: time.Now().Add(time.Hour), Note: "stealthwing in ENIG", Options: []formalcontract.Option{
			{ID: "opt_1_1", Fabricator: "Example Circuits", Description: "stealthwing", LeadTimeDays: 15, TotalCents: 123450, Currency: "USD", Lines: []prices.Line{{Label: "Boards", Cents: 123450}}},
		}},
	}
}

// TestEmailsOfAFormalOrder: the team hears of it, the customer of each quote and of
// the parcel; who gave no address hears nothing.
func TestEmailsOfAFormalOrder(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.serve()
	o := formal("ada@example.com")
	happen(w, contract.FormalAggregate, "k", formalcontract.EventSubmitted, o)
	if got := w.mails(team, 1); len(got) != 1 || !strings.Contains(got[0].Text, "stealthwing") || !strings.Contains(got[0].Text, "https://console.boards.example/central/k") {
		t.Fatalf("to the team: %+v, want one that names stealthwing, with its link", got)
	}
	o.Status = formalcontract.Quoted
	happen(w, contract.FormalAggregate, "k", formalcontract.EventQuoted, o)
	got := w.mails("ada@example.com", 1)
	if len(got) != 1 || !strings.Contains(got[0].Subject, "CO-1-Q1") || !strings.Contains(got[0].Text, "$1,234.50") ||
		strings.Count(got[0].Text, "https://") != 1 || !strings.Contains(got[0].Text, "https://boards.example/formal-quotes/k_CO-1-Q1.") {
		t.Fatalf("the quote: %+v, want one of CO-1-Q1 for $1,234.50, with one link", got)
	}
	o.Status, o.Tracking = formalcontract.Shipped, &shipments.Tracking{Carrier: "UPS", Number: "1Z999", URL: "https://ups.example/1Z999"}
	happen(w, contract.FormalAggregate, "k", formalcontract.EventShipped, o)
	if got := w.mails("ada@example.com", 2); len(got) != 2 || !strings.Contains(got[1].Text, "1Z999") {
		t.Errorf("the parcel: %+v, want a second one that names 1Z999", got)
	}
}

// TestControlledOrdersStayOutOfEmails: mail tells that there is a quote, and no more.
func TestControlledOrdersStayOutOfEmails(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.serve()
	o := formal("ada@example.com")
	o.ITAR = true
	happen(w, contract.FormalAggregate, "k", formalcontract.EventSubmitted, o)
	o.Status = formalcontract.Quoted
	happen(w, contract.FormalAggregate, "k", formalcontract.EventQuoted, o)
	for _, to := range []string{team, "ada@example.com"} {
		got := w.mails(to, 1)
		if len(got) != 1 || !strings.Contains(got[0].Text, "CO-1") {
			t.Fatalf("to %s: %+v, want one that names CO-1", to, got)
		}
		if text := got[0].Subject + got[0].Text + got[0].HTML; strings.Contains(text, "stealthwing") || strings.Contains(text, "Example Circuits") || strings.Contains(text, "1,234") || strings.Contains(text, "/formal-quotes/") {
			t.Errorf("to %s, want neither the design, the customer, the price nor a link: %s", to, text)
		}
	}
}
