package notify_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator"
	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/mailbox"
	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/pkg/secret"
	"boardorder/services/notify"
	"boardorder/services/notify/internal/smtp"

	"go.uber.org/zap"
)

const team = "team@boards.example"

// harness is the notify service between a real broker and a simulated mailbox.
type harness struct {
	t       *testing.T
	bus     *bus.Bus
	sim     *simulator.Simulator
	svc     *notify.Service
	secrets *secret.Keyring
	codes   *bus.Bucket
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	h := &harness{t: t, bus: bustest.Start(t)}
	var err error
	if h.sim, err = simulator.New(simulator.Config{DataDir: t.TempDir()}, nil); err != nil {
		t.Fatal(err)
	}
	bustest.Go(t, h.sim.Run)
	mail, err := smtp.New(smtp.Config{URL: h.sim.SMTPURL() + "?tls=none", From: "Board Ordering <orders@boards.example>", Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	sent, err := h.bus.Bucket(t.Context(), contract.EmailsSentBucket)
	if err != nil {
		t.Fatal(err)
	}
	if h.codes, err = h.bus.Bucket(t.Context(), contract.PortalCodesBucket); err != nil {
		t.Fatal(err)
	}
	if h.secrets, err = secret.New(make([]byte, 32)); err != nil {
		t.Fatal(err)
	}
	h.svc, err = notify.New(config(), h.bus, h.secrets, notify.Ports{Mail: mail, Sent: sent, Codes: h.codes}, zap.NewNop(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func config() notify.Config {
	return notify.Config{Team: team, PublicURL: "https://boards.example/", ConsoleURL: "https://console.boards.example", AnswerDays: 2}
}

func (h *harness) serve() {
	bustest.Go(h.t, func(ctx context.Context) error { return h.svc.Serve(ctx, h.bus) })
}

// happen commits an event and gives it as it is stored.
func happen[S any](h *harness, a contract.Aggregate, id string, name contract.EventName, state S) contract.Event {
	h.t.Helper()
	c := contract.Command{ID: contract.NewID("cmd_", time.Now()), Account: "acc_1"}
	now, err := aggregate.At[S](h.bus, a, id).Execute(h.t.Context(), c, time.Now(), func(aggregate.Snapshot[S]) (*aggregate.Change[S], error) {
		return &aggregate.Change[S]{Event: name, State: state}, nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return now.Event
}

// email is the command that follows from an event.
func (h *harness) email(e contract.Event) contract.Command {
	h.t.Helper()
	var got contract.Command
	svc, err := notify.New(config(), catcher{h.bus, &got}, h.secrets, notify.Ports{}, zap.NewNop(), time.Now)
	if err != nil {
		h.t.Fatal(err)
	}
	if err := svc.HandleEvents(h.t.Context(), []contract.Event{e}); err != nil {
		h.t.Fatal(err)
	}
	return got
}

type catcher struct {
	aggregate.Core
	got *contract.Command
}

func (c catcher) Send(_ context.Context, sent contract.Command) error {
	*c.got = sent
	return nil
}

func (h *harness) run(c contract.Command) flow.Verdict {
	h.t.Helper()
	return flow.Run(h.t.Context(), h.bus, h.svc.Handlers()[emails.Send], c, time.Now)
}

func (h *harness) mails(to string, n int) []mailbox.Message {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 20*time.Second)
	defer cancel()
	return h.sim.Mailbox().Wait(ctx, to, n)
}

func order(id, email string) orders.Order {
	return orders.Order{
		ID: "ord_" + id, Ref: "BO-" + id, Quote: id, Request: "req_" + id, Status: orders.Paid, Quantity: 10, Board: "2 layers, 50 × 40 mm",
		Lines: []prices.Line{{Label: "Boards", Cents: 4000}, {Label: "Shipping", Cents: 1500}}, TotalCents: 5500, Currency: "USD",
		Payment: checkouts.Payment{Cents: 5500, Currency: "USD"}, PaidAt: time.Now(),
		ShipTo: shipments.ShipTo{Name: "Ada Lovelace", Email: email, Line1: "1 Main St", City: "San Francisco", State: "CA", PostalCode: "94107", Country: "US"},
	}
}

func TestEmailsOfAnOrder(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.serve()
	o := order("A", "ada@example.com")
	happen(w, contract.OrderAggregate, "A", orders.EventPaid, o)
	got := w.mails("ada@example.com", 1)
	link := "https://boards.example/checkout/" + w.secrets.QuoteID("req_A")
	if len(got) != 1 || !strings.Contains(got[0].Subject, "BO-A") || !strings.Contains(got[0].Text, "$55.00") || !strings.Contains(got[0].Text, link) {
		t.Fatalf("receipt = %+v, want one of BO-A for $55.00 with %s", got, link)
	}
	o.Status, o.Held = orders.Held, "the price has risen"
	happen(w, contract.OrderAggregate, "A", orders.EventHeld, o)
	if got := w.mails(team, 1); len(got) != 1 || !strings.Contains(got[0].Text, "the price has risen") || !strings.Contains(got[0].Text, "https://console.boards.example/orders/A") {
		t.Errorf("to the team: %+v, want one that the price has risen, with its link", got)
	}
	if got := w.mails("ada@example.com", 2); len(got) != 2 || strings.Contains(got[1].Text, "price has risen") || !strings.Contains(got[1].Text, "closer look") {
		t.Errorf("to the customer: %+v, want a second one about a closer look, not why", got)
	}
	o.Status, o.Held = orders.Paid, ""
	happen(w, contract.OrderAggregate, "A", orders.EventPaid, o) // goes on: no second receipt
	o.Status, o.Tracking = orders.Shipped, &shipments.Tracking{Carrier: "DHL", Number: "4711", URL: "https://dhl.example/4711"}
	happen(w, contract.OrderAggregate, "A", orders.EventShipped, o)
	got = w.mails("ada@example.com", 3)
	if len(got) != 3 || !strings.Contains(got[2].Subject, "shipped") || !strings.Contains(got[2].Text, "4711") {
		t.Errorf("shipped: %+v, want a third one that names 4711", got)
	}
}

// TestReceiptTellsOfALaterChoice: what was chosen while the payment was open is not ordered.
func TestReceiptTellsOfALaterChoice(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.serve()
	total := int64(7307)
	happen(w, contract.QuoteAggregate, "A", quotes.EventDeliveryChosen, quotes.Quote{
		Ref: "A", Version: 3, Delivery: &shipments.Delivery{}, Reply: quotes.Reply{Quantity: 50, TotalCents: &total},
	})
	o := order("A", "ada@example.com")
	o.Sold = quotes.Quote{Ref: "A", Version: 2} // without what the order says itself
	happen(w, contract.OrderAggregate, "A", orders.EventPaid, o)
	if got := w.mails("ada@example.com", 1); len(got) != 1 || !strings.Contains(got[0].Text, "50 boards for $73.07") {
		t.Errorf("receipt = %+v, want one that tells of 50 boards for $73.07", got)
	}
}

// TestEmailsInTheCustomersLanguage: what a customer is written is in the language that the
// page had, and what the team is written in English.
func TestEmailsInTheCustomersLanguage(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.serve()
	o := order("A", "ada@example.com")
	o.Language, o.Delivery, o.ShipTo.Country = "de", "8 to 11 working days from payment, build included", "DE"
	happen(w, contract.OrderAggregate, "A", orders.EventPaid, o)
	checkTexts(t, w.mails("ada@example.com", 1), "Zahlungsbestätigung zu Ihrer Bestellung BO-A", "10 Platinen: 2 Lagen", "55,00\u00a0$", "8 bis 11 Arbeitstage", "Deutschland")
	o.Status, o.Held = orders.Held, "the price has risen"
	happen(w, contract.OrderAggregate, "A", orders.EventHeld, o)
	checkTexts(t, w.mails(team, 1), "Order BO-A is held", "the price has risen", "$55.00")
	happen(w, contract.CheckoutAggregate, "D", checkouts.EventDoubled, checkouts.Checkout{
		Quote: "D", Request: "req_D", ShipTo: shipments.ShipTo{Email: "jiro@example.com"}, Currency: "USD", Language: "ja", Refunds: []checkouts.Refund{{Intent: "pi_2", Cents: 5500}},
	})
	checkTexts(t, w.mails("jiro@example.com", 1), "二重のお支払い", "$55.00")
	happen(w, contract.QuoteAggregate, "R", quotes.EventReviewQuestion, quotes.Quote{
		Ref: "R", Account: "acc_1", RequestID: "req_R", Mode: quotes.ModeReview, Status: quotes.SourcingRequested, ExpiresAt: time.Now().Add(time.Hour), Language: "fr",
		Delivery: &shipments.Delivery{ShipTo: shipments.ShipTo{Email: "luc@example.com"}}, Review: &quotes.Review{Questions: []quotes.ReviewQuestion{{ID: "q1", Text: "Which side?"}}},
	})
	checkTexts(t, w.mails("luc@example.com", 1), "Une question sur votre demande", "> Which side?", "circuits imprimés")
}

// checkTexts holds that the last mail of those that came says all of it.
func checkTexts(t *testing.T, got []mailbox.Message, says ...string) {
	t.Helper()
	if len(got) == 0 {
		t.Fatalf("no mail, want one that says %q", says)
	}
	for _, want := range says {
		if m := got[len(got)-1]; !strings.Contains(m.Subject+"\n"+m.Text, want) {
			t.Errorf("%q lacks %q:\n%s", m.Subject, want, m.Text)
		}
	}
}

// TestEmailsAboutMoney: what goes wrong after the payment is reported to whom it concerns, once.
func TestEmailsAboutMoney(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.serve()
	o := order("A", "ada@example.com")
	part := orders.Refund{ID: "rf_1", Cents: 500, Status: orders.RefundDone, Operator: "grace", Why: "a scratch"}
	o.Refunds = []orders.Refund{part}
	for range 2 { // the event comes twice
		happen(w, contract.OrderAggregate, "A", orders.EventRefunded, o)
	}
	if got := w.mails("ada@example.com", 1); len(got) != 1 || !strings.Contains(got[0].Subject, "$5.00") || !strings.Contains(got[0].Text, "a scratch") {
		t.Fatalf("given back: %+v, want one of $5.00 for a scratch", got)
	}
	failed := order("F", "max@example.com")
	failed.Refunds = []orders.Refund{{ID: "rf_1", Processor: "re_1", Cents: 3438, Charged: &prices.Charged{Currency: "EUR", Minor: 3017, Digits: 2}, Status: orders.RefundFailed, Why: "a scratch"}}
	happen(w, contract.OrderAggregate, "F", orders.EventRefundFailed, failed)
	checkTexts(t, w.mails(team, 1), "A refund failed: EUR 30.17, for $34.38. a scratch")
	checkTexts(t, w.mails("max@example.com", 1), "A refund for order BO-F did not arrive", "EUR\u00a030.17", "we will send it again")
	o.Status, o.Held = orders.Held, "the customer's bank disputes the payment: fraudulent"
	o.Dispute = &orders.Dispute{ID: "dp_1", Status: "open", Reason: "fraudulent", Cents: 5000}
	happen(w, contract.OrderAggregate, "A", orders.EventDisputed, o)
	checkTexts(t, w.mails(team, 2), "fraudulent", "payment of order")
	if got := w.mails("ada@example.com", 2); len(got) != 2 || !strings.Contains(got[1].Text, "your bank has questioned") {
		t.Errorf("disputed: %+v, want a second one that the bank has questioned it", got)
	}
	o.Dispute.Status, o.Status, o.Held = "won", orders.Cancelled, ""
	o.Refunds = append(o.Refunds, orders.Refund{ID: "rf_2", Cents: 5000, Status: orders.RefundDone})
	o.Cancelled = &orders.Cancellation{Operator: "grace", Why: "as you asked", Refund: "rf_2"}
	happen(w, contract.OrderAggregate, "A", orders.EventCancelled, o)
	happen(w, contract.OrderAggregate, "A", orders.EventRefunded, o)
	if got := w.mails("ada@example.com", 3); len(got) != 3 || !strings.Contains(got[2].Text, "$50.00") || !strings.Contains(got[2].Text, "as you asked") {
		t.Errorf("cancelled: %+v, want a third one of $50.00, as you asked", got)
	}
}

func TestEmailsOfAReview(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	happen(w, contract.AccountAggregate, "acc_1", accounts.EventOpened, accounts.Account{ID: "acc_1", Name: "Example CAD"})
	w.serve()
	notes, total, usd, asked := "Please hurry.", int64(900), "USD", time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)
	q := quotes.Quote{
		Ref: "R", Account: "acc_1", RequestID: "req_R", Mode: quotes.ModeReview, Status: quotes.SourcingRequested, RequestedAt: &asked, ExpiresAt: time.Now().Add(time.Hour),
		Delivery: &shipments.Delivery{ShipTo: shipments.ShipTo{Name: "Ada", Email: "ada@example.com"}},
		Request:  quotes.Request{SpecialNotes: &notes}, Reply: quotes.Reply{Quantity: 3, CustomQuoteReasons: []string{"24 layers"}},
	}
	happen(w, contract.QuoteAggregate, "R", quotes.EventReviewRequested, q)
	got := w.mails(team, 1)
	if len(got) != 1 || !strings.Contains(got[0].Text, "Example CAD") || !strings.Contains(got[0].Text, "24 layers") || !strings.Contains(got[0].Text, "> Please hurry.") {
		t.Errorf("to the team: %+v, want one on 24 layers of Example CAD, with the note", got)
	}
	checkTexts(t, w.mails("ada@example.com", 1), "We have your request "+quotes.CustomerRef("R"), "3 boards", "> Please hurry.", "/checkout/"+w.secrets.QuoteID("req_R"), "answer by e-mail by 23 November 2026")
	q.Review = &quotes.Review{Questions: []quotes.ReviewQuestion{{ID: "q1", Text: "Which side?"}}}
	happen(w, contract.QuoteAggregate, "R", quotes.EventReviewQuestion, q)
	if got := w.mails("ada@example.com", 2); len(got) != 2 || !strings.Contains(got[1].Text, "> Which side?") || !strings.Contains(got[1].Text, "/checkout/"+w.secrets.QuoteID("req_R")) {
		t.Errorf("asked: %+v, want a second one that asks which side, with its link", got)
	}
	at := time.Now()
	q.Review.Questions[0].Answer, q.Review.Questions[0].AnsweredAt = "The top.", &at
	happen(w, contract.QuoteAggregate, "R", quotes.EventReviewAnswered, q)
	if got := w.mails(team, 2); len(got) != 2 || !strings.Contains(got[1].Text, "> The top.") || !strings.Contains(got[1].Text, "/reviews/R") {
		t.Errorf("answered: %+v, want a second one that says the top, with its link", got)
	}
	q.Status, q.Reply.TotalCents, q.Reply.Currency = quotes.SourcingQuoted, &total, &usd
	q.Reply.Lines = []prices.Line{{Label: "Boards", Cents: 900}}
	happen(w, contract.QuoteAggregate, "R", quotes.EventReviewPriced, q)
	got = w.mails("ada@example.com", 3)
	if len(got) != 3 || !strings.Contains(got[2].Text, "$9.00") || !strings.Contains(got[2].Text, "/checkout/"+w.secrets.QuoteID("req_R")) {
		t.Fatalf("to the customer: %+v, want a third one for $9.00, with its link", got)
	}
	if !strings.Contains(got[2].Text, quotes.CustomerRef("R")) || strings.Contains(got[2].Text, "shipping and pay") {
		t.Errorf("the price's e-mail, want the customer's reference, and nothing of shipping and pay:\n%s", got[2].Text)
	}
	q.Review.Refused = &quotes.ReviewRefusal{Why: "We build no flex boards."}
	happen(w, contract.QuoteAggregate, "R", quotes.EventReviewRefused, q)
	if got := w.mails("ada@example.com", 4); len(got) != 4 || !strings.Contains(got[3].Text, "> We build no flex boards.") {
		t.Errorf("declined: %+v, want a fourth one that says why", got)
	}
}

// TestQuestionsWhileAway: what was asked one after the other is read later, with the
// state of the last, and each question has its e-mail, once.
func TestQuestionsWhileAway(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	q := quotes.Quote{
		Ref: "R", Account: "acc_1", RequestID: "req_R", Mode: quotes.ModeReview, Status: quotes.SourcingRequested, ExpiresAt: time.Now().Add(time.Hour),
		Delivery: &shipments.Delivery{ShipTo: shipments.ShipTo{Name: "Ada", Email: "ada@example.com"}}, Review: &quotes.Review{},
	}
	for _, question := range []quotes.ReviewQuestion{{ID: "q1", Text: "Which side?"}, {ID: "q2", Text: "Which colour?"}} {
		q.Review.Questions = append(q.Review.Questions, question)
		happen(w, contract.QuoteAggregate, "R", quotes.EventReviewQuestion, q)
	}
	w.serve()
	var reported []string
	for _, m := range w.mails("ada@example.com", 2) {
		for _, text := range []string{"> Which side?", "> Which colour?"} {
			if strings.Contains(m.Text, text) {
				reported = append(reported, text)
			}
		}
	}
	slices.Sort(reported)
	if want := []string{"> Which colour?", "> Which side?"}; !slices.Equal(reported, want) {
		t.Errorf("e-mails about %q, want %q", reported, want)
	}
}

func TestRefund(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	e := happen(w, contract.CheckoutAggregate, "D", checkouts.EventDoubled, checkouts.Checkout{
		Quote: "D", Request: "req_D", ShipTo: shipments.ShipTo{Email: "ada@example.com"}, Currency: "USD", Refunds: []checkouts.Refund{{Intent: "pi_2", Cents: 5500}},
	})
	if v := w.run(w.email(e)); v.Kind != flow.Done {
		t.Fatalf("verdict %+v, want %s", v, flow.Done)
	}
	if got := w.mails("ada@example.com", 1); len(got) != 1 || !strings.Contains(got[0].Text, "$55.00") {
		t.Errorf("mails = %+v, want one of $55.00", got)
	}
}

// TestHistoryOfEmails: what was sent and what the server refused stands in the list of what
// it is about, once, without the address; it is caught up on where the process ended
// before, and what an older release wrote down stays as it is.
func TestHistoryOfEmails(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	c := w.email(happen(w, contract.OrderAggregate, "A", orders.EventPaid, order("A", "ada@example.com")))
	bucket, err := w.bus.Bucket(t.Context(), contract.EmailsSentBucket)
	if err != nil {
		t.Fatal(err)
	}
	list := func() []emails.Letter {
		t.Helper()
		body, _, err := bucket.Get(t.Context(), emails.LettersKey("A"))
		if err != nil && !errors.Is(err, bus.ErrNoKey) {
			t.Fatal(err)
		}
		if strings.Contains(string(body), "ada@") {
			t.Errorf("the list holds an address: %s", body)
		}
		all, err := emails.ReadLetters(body)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	for range 2 {
		w.run(c)
		got := list()
		if len(got) != 1 || got[0].Kind != emails.Receipt || got[0].To != emails.ToCustomer || got[0].Outcome != emails.Taken || got[0].Subject != "Receipt for your order BO-A" || got[0].At.IsZero() {
			t.Fatalf("the e-mails about the order are %+v; want the receipt to the customer, taken by the server", got)
		}
		if err := bucket.Delete(t.Context(), emails.LettersKey("A")); err != nil { // as if the process had ended
			t.Fatal(err)
		}
	}
	var data emails.SendData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		t.Fatal(err)
	}
	if err := bucket.Put(t.Context(), data.ID, []byte("2026-11-01T10:00:00Z")); err != nil {
		t.Fatal(err)
	}
	if v := w.run(c); v.Kind != flow.Done || len(list()) != 0 {
		t.Errorf("an e-mail of an older release: verdict %+v, list %+v; want %s and none", v, list(), flow.Done)
	}
	refused := w.email(happen(w, contract.OrderAggregate, "A", orders.EventPaid, order("A", "no address at all")))
	refused.ID, refused.Data = "c-refused", []byte(`{"kind":"receipt","about":"A","id":"letter-refused"}`)
	w.run(refused)
	if got := list(); len(got) != 1 || got[0].Outcome != emails.Rejected {
		t.Errorf("a refused e-mail: %+v, want one that was rejected", got)
	}
}

// TestLettersAreListed: again with another outcome it takes its own place, and the oldest
// make way.
func TestLettersAreListed(t *testing.T) {
	t.Parallel()
	var list []byte
	var err error
	for i := range emails.MaxLetters + 2 {
		if list, err = emails.AddLetter(list, emails.Letter{ID: strconv.Itoa(i), Outcome: emails.Rejected}); err != nil {
			t.Fatal(err)
		}
	}
	if list, err = emails.AddLetter(list, emails.Letter{ID: "50", Outcome: emails.Taken}); err != nil {
		t.Fatal(err)
	}
	all, err := emails.ReadLetters(list)
	if err != nil || len(all) != emails.MaxLetters || all[0].ID != "2" || all[len(all)-1].ID != "50" || all[len(all)-1].Outcome != emails.Taken {
		t.Errorf("%d e-mails, %v, from %+v to %+v; want %d from 2 to 50, which was taken", len(all), err, all[0], all[len(all)-1], emails.MaxLetters)
	}
}

func TestAnEmailIsSentOnce(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	c := w.email(happen(w, contract.OrderAggregate, "A", orders.EventPaid, order("A", "ada@example.com")))
	for range 3 {
		if v := w.run(c); v.Kind != flow.Done {
			t.Fatalf("verdict %+v, want %s", v, flow.Done)
		}
	}
	if got := w.mails("ada@example.com", 1); len(got) != 1 {
		t.Errorf("%d mails, want 1", len(got))
	}
}

// TestLeakedKeyIsWrittenAbout: to the account's own address, once, of a test key too.
func TestLeakedKeyIsWrittenAbout(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	at := time.Date(2026, 11, 23, 9, 30, 0, 0, time.UTC)
	happen(w, contract.AccountAggregate, "acc_9", accounts.EventKeyRevoked, accounts.Account{ID: "acc_9", Name: "Leaky", Email: "keys@leaky.example", Keys: []accounts.APIKey{
		{ID: "k1", Name: "shop", Prefix: "bo_test_k1", RevokedAt: &at, RevokedFor: accounts.KeyLeaked},
		{ID: "k2", Name: "other", Prefix: "bo_live_k2", RevokedAt: &at, RevokedBy: "ann"}, {ID: "k3", Name: "good", Prefix: "bo_live_k3"},
	}})
	for _, key := range []string{"k1", "k2", "k3", "k4", "k1"} {
		c, err := contract.NewCommand(emails.Send, "", "acc_9", at, emails.SendData{Kind: emails.KeyRevoked, About: "acc_9", Item: key, ID: "letter-" + key})
		if err != nil {
			t.Fatal(err)
		}
		c.ID = "c-" + key
		if v := w.run(c); v.Kind != flow.Done {
			t.Fatalf("%s: verdict %+v, want %s", key, v, flow.Done)
		}
	}
	got := w.mails("", 1)
	if len(got) != 1 || strings.Join(got[0].To, ",") != "keys@leaky.example" {
		t.Fatalf("%d mails: %+v, want one to keys@leaky.example", len(got), got)
	}
	for _, want := range []string{"bo_test_k1_… (shop)", "23 November 2026, 09:30 UTC", "reported as leaked", "Ask us for a new key"} {
		if !strings.Contains(got[0].Text, want) {
			t.Errorf("the e-mail does not say %q:\n%s", want, got[0].Text)
		}
	}
}

// TestDeclarationIsReportedToTheOwner: once for each account that declared, without
// saying which.
func TestDeclarationIsReportedToTheOwner(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.serve()
	at := time.Date(2026, 11, 23, 9, 30, 0, 0, time.UTC)
	happen(w, contract.AccountAggregate, "acc_1", accounts.EventAddressSet, accounts.Account{ID: "acc_1", Name: "Owner", Email: "owner@example.com"})
	up := uploads.Upload{
		Ref: "u", Account: "acc_1", Status: uploads.Open, CreatedAt: at, DeclaredBy: []string{"acc_2"},
		Received: []uploads.Received{{Name: "board.zip"}, {Name: "<b>.csv"}}, Files: []uploads.File{},
	}
	happen(w, contract.UploadAggregate, "v", uploads.EventDoubted, uploads.Upload{Ref: "v", Account: "acc_1", DeclaredBy: up.DeclaredBy})
	happen(w, contract.UploadAggregate, "u", uploads.EventClosedTo, up)
	up.DeclaredBy = append(up.DeclaredBy, "acc_1")
	happen(w, contract.UploadAggregate, "u", uploads.EventClosedTo, up)
	got := w.mails("owner@example.com", 2)
	if len(got) != 2 {
		t.Fatalf("%d mails, want 2", len(got))
	}
	for _, want := range []string{"another account that has the upload_id", "a request with one of your API keys"} {
		n := 0
		for _, m := range got {
			if strings.Contains(m.Text, want) {
				n++
			}
			if !strings.Contains(m.Text, "board.zip, <b>.csv") || strings.Contains(m.Text, "acc_2") {
				t.Errorf("e-mail, want the files named, and no other account:\n%s", m.Text)
			}
		}
		if n != 1 {
			t.Errorf("%d e-mails say %q, want one", n, want)
		}
	}
}

func TestMailServerTakesItAndFails(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	c := w.email(happen(w, contract.OrderAggregate, "A", orders.EventPaid, order("A", "ada@example.com")))
	w.fail("SMTP DATA", mailbox.KeepThen)
	if v := w.run(c); v.Kind != flow.Retry {
		t.Fatalf("verdict %+v, want another try", v)
	}
	if v := w.run(c); v.Kind != flow.Done {
		t.Fatalf("verdict %+v, want %s", v, flow.Done)
	}
	got := w.mails("ada@example.com", 2)
	if len(got) != 2 || got[0].MessageID != got[1].MessageID || got[0].MessageID == "" {
		t.Errorf("mails = %+v, want 2 with the same id", got)
	}
}

func (h *harness) fail(call, kind string) {
	h.t.Helper()
	if err := h.sim.Faults().Add(fault.Fault{Match: call, Kind: kind}); err != nil {
		h.t.Fatal(err)
	}
}

// TestOneBadAddress: it ends among the dead letters, and holds nobody up.
func TestOneBadAddress(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.serve()
	happen(w, contract.OrderAggregate, "A", orders.EventPaid, order("A", "no address at all"))
	happen(w, contract.OrderAggregate, "B", orders.EventPaid, order("B", "grace@example.com"))
	if got := w.mails("grace@example.com", 1); len(got) != 1 {
		t.Errorf("%d e-mails came, want the second one alone", len(got))
	}
	bustest.WaitFor(t, "the dead letter", func() bool {
		dead, err := w.bus.DeadLetters(t.Context(), 0, 10)
		return err == nil && len(dead) == 1 && dead[0].Command.Name == emails.Send && !strings.Contains(dead[0].Reason, "no address at all")
	})
}

func TestWhatIsNotDueAnyMore(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	o := order("A", "ada@example.com")
	o.Held = "look"
	c := w.email(happen(w, contract.OrderAggregate, "A", orders.EventHeld, o))
	o.Held = ""
	happen(w, contract.OrderAggregate, "A", orders.EventPaid, o)
	if v := w.run(c); v.Kind != flow.Done || len(w.sim.Mailbox().Messages("")) != 0 {
		t.Errorf("verdict %+v, %d mails; want %s, none", v, len(w.sim.Mailbox().Messages("")), flow.Done)
	}
	old := happen(w, contract.OrderAggregate, "B", orders.EventPaid, order("B", "ada@example.com"))
	old.At = time.Now().Add(-30 * 24 * time.Hour)
	if c := w.email(old); c.ID != "" {
		t.Errorf("an old event calls for %s, want nothing", c.Name)
	}
}

func TestUnknownEmails(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	for _, data := range []string{`7`, `{}`, `{"kind":"poem","about":"A","id":"x"}`, `{"kind":"receipt","about":"nobody","id":"x"}`} {
		c := contract.Command{ID: "c", Name: emails.Send, Data: json.RawMessage(data)}
		if v := w.run(c); v.Kind != flow.DeadLetter {
			t.Errorf("%s with %s: %+v, want a dead letter", c.Name, data, v)
		}
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	_, err := notify.New(notify.Config{Team: "x", PublicURL: "boards"}, nil, nil, notify.Ports{}, nil, nil)
	for _, want := range []string{"PUBLIC_URL", "CONSOLE_URL", "TEAM_EMAIL"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not name %s", err, want)
		}
	}
}

// TestCodeInTheCustomersLanguage: the code for earlier orders is sent in the language that the
// customer paid in.
func TestCodeInTheCustomersLanguage(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.serve()
	for to, want := range map[string]string{"taro@example.com": "過去のご注文", "ann@example.com": "Your code to see earlier orders"} {
		c := confirmations.Confirmation{ID: confirmations.ID(confirmations.ForHistory, to), Purpose: confirmations.ForHistory, Account: "acc_1", Nonce: "n1", RequestedAt: time.Now(), Email: to}
		_, c.Hash = w.secrets.Code(c.ID, c.Nonce)
		if to == "taro@example.com" {
			c.Language = "ja"
		}
		happen(w, contract.ConfirmationAggregate, c.ID, confirmations.EventRequested, c)
		checkTexts(t, w.mails(to, 1), want)
	}
}

// TestSignInCode: the letter has the code that the browser's record leads to, in the language
// of the page, and goes to a member's own address only while it is good.
func TestSignInCode(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	happen(h, contract.AccountAggregate, "acc_1", accounts.EventOpened, accounts.Account{ID: "acc_1", Name: "Acme", Email: "ops@acme.example"})
	want := map[string]string{} // code by key of those that are good
	for key, c := range map[string]accounts.SignInCode{
		"good": {Email: "Ops@acme.example", At: time.Now(), Language: "de"}, "late": {Email: "ops@acme.example", At: time.Now().Add(-time.Hour)},
		"used": {Email: "ops@acme.example", At: time.Now(), Used: true}, "stranger": {Email: "else@acme.example", At: time.Now()},
	} {
		c.Nonce = "nonce"
		var code string
		if code, c.Hash = h.secrets.Code(key, c.Nonce); key == "good" {
			want[key] = code
		}
		value, _ := json.Marshal(c)
		if _, err := h.codes.Create(t.Context(), key, value); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"late", "used", "stranger", "unknown", "good"} {
		c, err := contract.NewCommand(emails.Send, "", "", time.Now(), emails.SendData{Kind: emails.SignInCode, About: "acc_1", Item: key, ID: "mail-" + key})
		if err != nil {
			t.Fatal(err)
		}
		if v := h.run(c); v.Kind != flow.Done {
			t.Errorf("%s: verdict %+v, want %s", key, v, flow.Done)
		}
	}
	all := h.mails("", 1)
	if len(all) != 1 || all[0].To[0] != "ops@acme.example" || !strings.Contains(all[0].Text, want["good"]) || !strings.Contains(all[0].Text, "anmelden") {
		t.Errorf("letters %+v; want one in German to ops@acme.example with %s", all, want["good"])
	}
}

// TestOwnersAreWrittenTo: of a live key and of another address, to the owner whom the letter names; of a key that is revoked
// by then, or to somebody who is no owner any more, nothing.
func TestOwnersAreWrittenTo(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	at := time.Date(2026, 11, 23, 9, 30, 0, 0, time.UTC)
	ann := accounts.Member{ID: accounts.MemberID("acc_9", "ann@acme.example"), Email: "ann@acme.example", Role: accounts.Owner, AddedAt: at}
	ben := accounts.Member{ID: accounts.MemberID("acc_9", "ben@acme.example"), Email: "ben@acme.example", Role: accounts.Viewer, AddedAt: at}
	happen(w, contract.AccountAggregate, "acc_9", accounts.EventKeyCreated, accounts.Account{ID: "acc_9", Name: "Acme", Email: "new@acme.example", Members: []accounts.Member{ann, ben}, Keys: []accounts.APIKey{
		{ID: "k1", Name: "shop", Prefix: "bo_live_k1", Live: true, CreatedAt: at, CreatedBy: "dev@acme.example"}, {ID: "k2", Name: "other", Prefix: "bo_live_k2", Live: true, CreatedAt: at, RevokedAt: &at},
	}})
	for i, d := range []emails.SendData{
		{Kind: emails.KeyMade, Item: "k1." + ann.ID}, {Kind: emails.KeyMade, Item: "k1." + ben.ID}, {Kind: emails.KeyMade, Item: "k2." + ann.ID}, {Kind: emails.KeyMade, Item: "k3." + ann.ID},
		{Kind: emails.DetailsSet, Item: ann.ID}, {Kind: emails.DetailsSet, Item: ben.ID}, {Kind: emails.DetailsSet, Item: "none"},
	} {
		d.About, d.ID = "acc_9", fmt.Sprint("letter-", i)
		c, err := contract.NewCommand(emails.Send, "", "acc_9", at, d)
		if err != nil {
			t.Fatal(err)
		}
		c.ID = d.ID
		if v := w.run(c); v.Kind != flow.Done {
			t.Fatalf("%+v: verdict %+v, want %s", d, v, flow.Done)
		}
	}
	got := w.mails("ann@acme.example", 2)
	if len(got) != 2 || len(w.mails("", 2)) != 2 {
		t.Fatalf("%d mails to the owner, %d in all; want 2", len(got), len(w.mails("", 2)))
	}
	text := got[0].Text + got[1].Text
	for _, want := range []string{"bo_live_k1_… (shop)", "23 November 2026, 09:30 UTC, by dev@acme.example", "from everywhere", "/portal/keys", "new@acme.example"} {
		if !strings.Contains(text, want) {
			t.Errorf("the e-mails do not say %q:\n%s", want, text)
		}
	}
}
