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
		Dates: formalcontract.Dates{Submitted: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)},
		Form:  formalcontract.Form{Name: "stealthwing", Qty: 50, Email: email},
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
	checkTexts(t, w.mails("ada@example.com", 1), "We have your order CO-1", "50 boards: stealthwing", "quote by e-mail by 24 November 2026")
	o.Status = formalcontract.Quoted
	happen(w, contract.FormalAggregate, "k", formalcontract.EventQuoted, o)
	got := w.mails("ada@example.com", 2)
	if len(got) != 2 || !strings.Contains(got[1].Subject, "CO-1-Q1") || !strings.Contains(got[1].Text, "$1,234.50") ||
		strings.Count(got[1].Text, "https://") != 1 || !strings.Contains(got[1].Text, "https://boards.example/formal-quotes/k_CO-1-Q1.") {
		t.Fatalf("the quote: %+v, want a second one of CO-1-Q1 for $1,234.50, with one link", got)
	}
	o.Status, o.Tracking, o.Language = formalcontract.Shipped, &shipments.Tracking{Carrier: "UPS", Number: "1Z999", URL: "https://ups.example/1Z999"}, "es"
	happen(w, contract.FormalAggregate, "k", formalcontract.EventShipped, o)
	if got := w.mails("ada@example.com", 3); len(got) != 3 || got[2].Subject != "Su pedido CO-1 está en camino" || !strings.Contains(got[2].Text, "1Z999") {
		t.Errorf("the parcel: %+v, want a third one, in Spanish, that names 1Z999", got)
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
	checkTexts(t, w.mails("ada@example.com", 1), "We have your order CO-1")
	o.Status = formalcontract.Quoted
	happen(w, contract.FormalAggregate, "k", formalcontract.EventQuoted, o)
	for to, n := range map[string]int{team: 1, "ada@example.com": 2} {
		got := w.mails(to, n)
		if len(got) != n || !strings.Contains(got[n-1].Text, "CO-1") {
			t.Fatalf("to %s: %+v, want %d that name CO-1", to, got, n)
		}
		text := ""
		for _, m := range got {
			text += m.Subject + m.Text + m.HTML
		}
		if strings.Contains(text, "stealthwing") || strings.Contains(text, "Example Circuits") || strings.Contains(text, "1,234") || strings.Contains(text, "/formal-quotes/") {
			t.Errorf("to %s, want neither the design, the customer, the price nor a link: %s", to, text)
		}
	}
}

// TestQuestionsAboutFormalOrders: the customer gets the question in the order's language, and
// the team the answer, unless an operator wrote it down; of a controlled order neither.
func TestQuestionsAboutFormalOrders(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.serve()
	answered := time.Now()
	o := formal("ada@example.com")
	o.Language, o.Questions = "de", []formalcontract.Question{{ID: "q1", Operator: "ann", Text: "Welcher Lagenaufbau?"}}
	happen(w, contract.FormalAggregate, "k", formalcontract.EventAsked, o)
	if got := w.mails("ada@example.com", 1); len(got) != 1 || got[0].Subject != "Eine Frage zu Ihrer Bestellung CO-1" || !strings.Contains(got[0].Text, "Welcher Lagenaufbau?") {
		t.Fatalf("the question: %+v, want one in German with its words", got)
	}
	o.Questions = []formalcontract.Question{{ID: "q1", Text: "Welcher Lagenaufbau?", Answer: "Der der Zeichnung.", AnsweredAt: &answered}}
	happen(w, contract.FormalAggregate, "k", formalcontract.EventAnswered, o)
	if got := w.mails(team, 1); len(got) != 1 || !strings.Contains(got[0].Text, "Der der Zeichnung.") || !strings.Contains(got[0].Text, "https://console.boards.example/central/k") {
		t.Fatalf("the answer: %+v, want one with its words and the page", got)
	}
	o.Questions = append(o.Questions, formalcontract.Question{ID: "q2", Text: "And?", Answer: "Yes.", AnsweredAt: &answered, WrittenBy: "ann"})
	happen(w, contract.FormalAggregate, "k", formalcontract.EventAnswered, o)
	controlled := o
	controlled.Key, controlled.ITAR, controlled.Questions = "c", true, []formalcontract.Question{{ID: "q3", Text: "stealthwing?"}}
	happen(w, contract.FormalAggregate, "c", formalcontract.EventAsked, controlled)
	if got := w.mails("ada@example.com", 2); len(got) != 2 || strings.Contains(got[1].Text+got[1].HTML, "stealthwing") {
		t.Errorf("of a controlled order: %+v, want that there is a question and no more", got)
	}
	if got := w.mails(team, 1); len(got) != 1 {
		t.Errorf("the team got %d e-mails, want none of what an operator wrote down", len(got))
	}
}
