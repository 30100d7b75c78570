package pay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/secret"
	"boardorder/services/payment/internal/charges"
	"boardorder/services/payment/internal/duplicates"
	"boardorder/services/payment/internal/fulfilment"
	"boardorder/services/payment/internal/invoicing"
	"boardorder/services/payment/internal/pay"
	"boardorder/services/payment/internal/payers"
	"boardorder/services/payment/internal/payments"
	"boardorder/services/payment/internal/saga"
	"boardorder/services/payment/internal/saga/sagatest"

	"go.uber.org/zap"
)

var now = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// processor is a card processor that answers as a test says, and keeps what it was asked.
type processor struct {
	card.Processor // for calls that no test makes

	createErr, sessionErr, chargeErr error

	session card.Session // as it is read and expired
	charge  card.ChargeResult
	payment card.Payment

	pages     []card.CheckoutRequest
	charged   []card.SavedCharge
	cancelled []string
	expired   int
}

func (p *processor) CreateCheckout(_ context.Context, r card.CheckoutRequest) (card.Session, error) {
	p.pages = append(p.pages, r)
	if p.createErr != nil {
		return card.Session{}, p.createErr
	}
	id := "cs_" + strconv.Itoa(len(p.pages))
	return card.Session{ID: id, URL: "https://pay.test/" + id, Status: card.SessionOpen, Reference: r.Reference}, nil
}

func (p *processor) Session(context.Context, string) (card.Session, error) {
	return p.session, p.sessionErr
}

func (p *processor) ExpireSession(context.Context, string) (card.Session, error) {
	p.expired++
	s := p.session
	if s.Status == card.SessionOpen {
		s.Status = card.SessionExpired
	}
	return s, p.sessionErr
}

func (p *processor) ChargeSaved(_ context.Context, r card.SavedCharge) (card.ChargeResult, error) {
	p.charged = append(p.charged, r)
	return p.charge, p.chargeErr
}

func (p *processor) Payment(context.Context, string) (card.Payment, error) { return p.payment, nil }

func (p *processor) CancelPayment(_ context.Context, id string) (card.Payment, error) {
	p.cancelled = append(p.cancelled, id)
	return card.Payment{ID: id, Status: card.PaymentCanceled}, nil
}

// world is the ways to pay one quote.
type world struct {
	*pay.Checkouts
	t      *testing.T
	events *sagatest.Events
	cards  *processor
	now    time.Time
}

const (
	account = "acc_1"
	quote   = "q1"
	upload  = "upref"
)

var digest = boards.Digest(upload, "c0ffee")

func newWorld(t *testing.T) *world {
	t.Helper()
	keys, err := secret.New(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, events: sagatest.NewEvents(), cards: &processor{}, now: now}
	env := &saga.Env{
		Events: w.events, Live: saga.Mode{Cards: w.cards}, Log: zap.NewNop(), Now: func() time.Time { return w.now },
		Retry: saga.Backoff{First: 10 * time.Second, Max: time.Hour},
	}
	env.Test = saga.TestMode(nil, env.Now)
	placing := &fulfilment.Orders{Env: env, Duplicates: &duplicates.Duplicates{Events: w.events}, Invoices: &invoicing.Invoices{Env: env}, Poll: saga.Backoff{First: time.Minute, Max: time.Hour}}
	paid := &payments.Payments{Env: env, Customers: &payers.Customers{Env: env}, Orders: placing, Settle: saga.Backoff{First: time.Minute, Max: time.Hour}}
	w.Checkouts = &pay.Checkouts{Env: env, Payments: paid, Charges: &charges.Charges{Env: env, Payments: paid}, Secrets: keys, PublicURL: "https://boards.test"}
	put(w, contract.BoardAggregate, digest, boards.ReadFiles{
		Digest: digest, Package: "pkg", Boards: []boards.Board{{Name: "b"}}, Files: []boards.FileClass{{Name: "b.gbr"}}, Reader: "1", ReadAt: now,
	})
	put(w, contract.UploadAggregate, upload, uploads.Upload{Ref: upload, Account: account, Content: "c0ffee", Status: uploads.Open})
	put(w, contract.QuoteAggregate, quote, payable())
	return w
}

// put commits a state.
func put[S any](w *world, kind contract.Aggregate, id string, state S) {
	w.t.Helper()
	sagatest.Put(w.t, w.events, kind, id, checkouts.Begin, account, w.now, state)
}

// checkout gives the checkout as it is committed now.
func (w *world) checkout() checkouts.Checkout {
	w.t.Helper()
	now, err := w.Checkout(quote).Load(w.t.Context())
	if err != nil {
		w.t.Fatalf("load checkout %s: %v", quote, err)
	}
	return now.State
}

// hasOrder reports whether there is an order of the quote.
func (w *world) hasOrder() bool {
	w.t.Helper()
	now, err := w.Order(quote).Load(w.t.Context())
	if err != nil {
		w.t.Fatalf("load order %s: %v", quote, err)
	}
	return now.Exists()
}

func (w *world) command(name contract.CommandName, id string, data any) contract.Command {
	w.t.Helper()
	text, err := json.Marshal(data)
	if err != nil {
		w.t.Fatal(err)
	}
	return contract.Command{ID: id, Name: name, Request: id, Account: account, At: w.now, Data: text}
}

// begin has a shopper ask for a page of the quote's present price, and gives the code
// of the refusal; "" where a page was given.
func (w *world) begin(id string, data checkouts.BeginData) (*contract.Refusal, error) {
	w.t.Helper()
	data.Quote = quote
	err := w.Begin(w.t.Context(), w.command(checkouts.Begin, id, data))
	if r := contract.RefusalIn(err); r != nil {
		return r, nil
	}
	return nil, err
}

func codeOf(r *contract.Refusal) contract.Code {
	if r == nil {
		return ""
	}
	return r.Code
}

// timers gives what was set since the world began.
func (w *world) timers() string {
	var out []string
	for _, t := range w.events.Timers {
		out = append(out, t.What+" in "+t.Due.Sub(w.now).String())
	}
	return strings.Join(out, ", ")
}

// payable is a quote of bare boards that can be paid for a day.
func payable() quotes.Quote {
	total, board, saved := int64(5000), "2 layers", true
	return quotes.Quote{
		Ref: quote, Account: account, RequestID: "req_q", Upload: upload, Digest: digest, Board: "b", Mode: quotes.ModeInstant, Status: quotes.Ready, Version: 3,
		Reply: quotes.Reply{
			TotalCents: &total, Quantity: 10, Board: &board, Lines: []prices.Line{{Label: "Boards", Cents: 4202}, {Label: "VAT", Cents: 798}}, DeliverySaved: &saved,
		},
		Delivery: &shipments.Delivery{
			ShipTo:     shipments.ShipTo{Name: "Ada", Line1: "Hof 3", City: "Berlin", PostalCode: "10115", Country: "DE", Email: "ada@example.com", Phone: "+49 30 123456"},
			ShippingID: "dhl", BuildHours: 72,
		},
		CreatedAt: now.Add(-time.Hour), ExpiresAt: now.Add(24 * time.Hour),
	}
}

// attempt is an open page for the quote's present price.
func attempt() checkouts.Checkout {
	q := payable()
	return checkouts.Checkout{
		Quote: quote, Account: account, Request: "req_q", Status: checkouts.Open, Attempt: 1, Quantity: 10, Board: "2 layers", Digest: digest, PriceVersion: 3, Package: "pkg",
		ShipTo: q.Delivery.ShipTo, ShippingID: "dhl", BuildHours: 72, Lines: q.Reply.Lines, TotalCents: 5000, Currency: "USD",
		SessionID: "cs_0", SessionURL: "https://pay.test/cs_0", StartedAt: now.Add(-time.Minute), ExpiresAt: now.Add(23 * time.Hour),
	}
}

// makeConfirmation is the confirmation of a charge, verified a minute ago.
func makeConfirmation() confirmations.Confirmation {
	at := now.Add(-time.Minute)
	return confirmations.Confirmation{
		ID: confirmations.ID(confirmations.ForPayment, quote), Purpose: confirmations.ForPayment, About: quote, Account: account, Nonce: "n1", RequestedAt: at, VerifiedAt: &at,
		Key: "key_1", Email: "ada@example.com", Charge: &confirmations.Charge{
			Version: 3, Cents: 5000, Currency: "USD", Quantity: 10, ShipTo: payable().Delivery.ShipTo, Card: customers.CardRef{Customer: "cus_1", Method: "pm_1", Brand: "visa", Last4: "4242"},
		},
	}
}

func fails(kind card.Kind, code string) error {
	return &card.Error{Kind: kind, Code: code, Doing: "test"}
}

func makePlacedOrder() orders.Order {
	return orders.Order{ID: "ord_1", Quote: quote, Status: orders.Placed}
}

// chargingAttempt is the charge of a saved card of which the payment is known.
func chargingAttempt() checkouts.Checkout {
	c := attempt()
	c.Status, c.SessionID, c.SessionURL = checkouts.Charging, "", ""
	c.Saved = &checkouts.SavedPayment{Nonce: "n0", Card: makeConfirmation().Charge.Card, Intent: "pi_0", VerifiedAt: now}
	return c
}

// paidBefore is the payment of chargingAttempt once it succeeded.
var paidBefore = card.Payment{ID: "pi_0", Status: card.PaymentSucceeded, Cents: 5000, ReceivedCents: 5000, Currency: "USD", Metadata: map[string]string{"reference": quote}}
