package customer

import (
	"cmp"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/money"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// confirmLink is the purpose of a confirm_token.
const confirmLink = "saved-pay"

const maxQuoteID = 80

var quoteID = regexp.MustCompile(`^[0-9a-f]{64}$`)

// quote gives the caller's quote.
func (k *Customers) quote(c *web.Call) (ref string, q quotes.Quote, err error) {
	id, err := c.PathID("quote_id", maxQuoteID)
	if err != nil {
		return "", q, err
	}
	ref = contract.SecretRef(id)
	c.About = append(c.About, zap.String("quote", ref))
	q, found, err := outcome.Read[quotes.Quote](c.Context(), k.Docs, string(contract.QuoteAggregate), ref)
	switch {
	case err != nil:
		return ref, q, err
	case !found, !quoteID.MatchString(id), q.Account != c.Caller.Account:
		return ref, q, problem.New(contract.NotFound, "There is no quote with this quote_id.")
	}
	up, _, err := k.designs().Brief(c.Context(), q.Upload)
	if err == nil && up.IsDeclaredFor(q.Account) {
		err = problem.New(contract.ITARNotSupported, "This design was declared ITAR-controlled and cannot be ordered through this service.")
	}
	return ref, q, err
}

func emailOf(q quotes.Quote) string {
	switch {
	case q.Delivery != nil:
		return q.Delivery.ShipTo.Email
	case q.Request.ShipTo != nil:
		return q.Request.ShipTo.Email
	}
	return ""
}

// Code answers POST /v1/quotes/{quote_id}/saved/code.
func (k *Customers) Code(c *web.Call) error {
	body := map[string]any{}
	if !c.Body().Empty() {
		var err error
		if body, err = c.Object(); err != nil {
			return err
		}
	}
	ref, q, err := k.quote(c)
	if err != nil {
		return err
	}
	email := emailOf(q)
	if email == "" {
		return problem.New(contract.QuoteNotPayable, "This quote names no customer. Ask for it again with the customer's email in ship_to.")
	}
	r, err := k.begin(c, "POST /v1/quotes/saved/code", ref, jsonbody.Text(body))
	if err != nil {
		return err
	}
	if !r.HasEnded() {
		if err := k.deliver(c, ref, q, email); err != nil {
			return err
		}
	}
	err = k.mail(c, r, email, confirmations.SendCodeData{
		Confirmation: confirmations.ID(confirmations.ForPayment, ref), Purpose: confirmations.ForPayment, Quote: ref,
	})
	if err != nil {
		return k.pointing(err, c)
	}
	return c.JSON(http.StatusOK, Sent{
		OK: true, SentTo: mask(email), ExpiresInMinutes: int(confirmations.CodeTTL / time.Minute),
		Next:  "If a card and an address are saved for this customer, a code of six digits was sent by e-mail. Ask the customer for it and send it to saved/verify.",
		Notes: jsonbody.UnknownNotes(jsonbody.NewFields(body).Unknown()),
	})
}

// deliver has a quote priced for the saved address where it names none of its own.
func (k *Customers) deliver(c *web.Call, ref string, q quotes.Quote, email string) error {
	if q.Delivery != nil && len(q.Delivery.ShipTo.Missing()) == 0 {
		return nil
	}
	customer, found, err := outcome.Read[customers.Customer](c.Context(), k.Docs, string(contract.CustomerAggregate), customers.Ref(c.Caller.Account, email))
	if err != nil || !found || customer.Saved == nil {
		return err
	}
	_, err = k.carryOut(c.Context(), quotes.ChooseDelivery, k.NewRequest(), c.Caller.Account, quotes.ChooseDeliveryData{Quote: ref, ShipTo: customer.Saved.ShipTo})
	return err
}

// pointing adds where the customer can pay instead.
func (k *Customers) pointing(err error, c *web.Call) error {
	r := contract.RefusalIn(err)
	if r == nil {
		return err
	}
	switch r.Code {
	case contract.PaymentDeclined, contract.AuthenticationNeeded, contract.QuoteNotPayable, contract.InvalidRequest, contract.Conflict:
		with := *r
		with.CheckoutURL = k.PublicURL + "/checkout/" + c.Param("quote_id")
		return &with
	}
	return err
}

// Verified is the reply to the right code.
type Verified struct {
	OK               bool    `json:"ok"`
	ConfirmToken     string  `json:"confirm_token"`
	Summary          Summary `json:"summary"`
	ExpiresInMinutes int     `json:"expires_in_minutes"`
	Next             string  `json:"next"`

	Notes []string `json:"notes,omitempty"`
}

// Summary states what will be charged, to which card, where it ships, and what was
// found in the design that paying acknowledges.
type Summary struct {
	Total      string   `json:"total"`
	TotalCents int64    `json:"total_cents"`
	Currency   string   `json:"currency"`
	Quantity   int      `json:"quantity"`
	Board      string   `json:"board"`
	Card       string   `json:"card"`
	ShipTo     []string `json:"ship_to"`
	Findings   []Found  `json:"findings,omitempty"`
}

// Found is what was found in the design, as the customer is asked about it.
type Found struct {
	What  string `json:"what"`
	File  string `json:"file,omitempty"`
	Layer string `json:"layer,omitempty"`
	// Of a part that takes the place of another: what What calls both, and where.
	Part         string   `json:"part,omitempty"`
	Manufacturer string   `json:"manufacturer,omitempty"`
	Replaces     string   `json:"replaces,omitempty"`
	References   []string `json:"references,omitempty"`
}

func summaryOf(c confirmations.Charge, q quotes.Quote) Summary {
	s := Summary{
		Total: money.Amount(c.Cents, c.Currency), TotalCents: c.Cents, Currency: c.Currency, Quantity: c.Quantity, Board: c.Board,
		Card: strings.TrimSpace(c.Card.Brand + " ending in " + c.Card.Last4), Findings: findingsOf(c, q),
	}
	to := c.ShipTo
	for _, line := range []string{to.Name, to.Company, to.Line1, to.Line2, strings.Join(strings.Fields(to.City+" "+to.State+" "+to.PostalCode), " "), to.Country} {
		if line != "" {
			s.ShipTo = append(s.ShipTo, line)
		}
	}
	return s
}

// findingsOf are the findings of a charge, with their files while the quote has the
// same ones.
func findingsOf(c confirmations.Charge, q quotes.Quote) []Found {
	var out []Found
	if q.AcknowledgementHash() == c.Acknowledgement {
		for _, f := range q.FindingsToAcknowledge() {
			out = append(out, Found{What: f.What, File: f.File, Layer: f.Layer})
		}
		parts := slices.Concat(q.Doubtful(), q.Substitutes())
		for i, p := range parts { // they stand last
			one := &out[len(out)-len(parts)+i]
			one.Part, one.Manufacturer, one.Replaces = cmp.Or(p.MPN, p.Part), p.Manufacturer, p.Replaces
			one.References = strings.Split(p.Reference, ",")
		}
		return out
	}
	for _, what := range c.Findings {
		out = append(out, Found{What: what})
	}
	return out
}

// Verify answers POST /v1/quotes/{quote_id}/saved/verify.
func (k *Customers) Verify(c *web.Call) error {
	body, err := c.Object()
	if err != nil {
		return err
	}
	f := jsonbody.NewFields(body)
	code := requireText(f, "code", 20)
	if p := f.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	ref, q, err := k.quote(c)
	if err != nil {
		return err
	}
	r, err := k.begin(c, "POST /v1/quotes/saved/verify", ref, jsonbody.Text(body))
	if err != nil {
		return err
	}
	confirmed, err := k.verify(c, r, emailOf(q), confirmations.ID(confirmations.ForPayment, ref), digits(code))
	if err != nil {
		return err
	}
	if confirmed.VerifiedAt == nil || confirmed.Charge == nil {
		return problem.New(contract.CodeExpired, "This code is no longer valid. Ask for a new one.")
	}
	return c.JSONSetApart(http.StatusOK, Verified{
		OK: true, ConfirmToken: k.Secrets.Link(confirmLink, ref+"-"+confirmed.Nonce, confirmed.VerifiedAt.Add(confirmations.CodeTTL)),
		Summary: summaryOf(*confirmed.Charge, q), ExpiresInMinutes: int(confirmations.CodeTTL / time.Minute),
		Next: chargeAdvice(*confirmed.Charge), Notes: jsonbody.UnknownNotes(f.Unknown()),
	})
}

// chargeAdvice says what a charge still needs.
func chargeAdvice(c confirmations.Charge) string {
	if len(c.Findings) > 0 {
		return "Say the summary to the customer, with the findings, which paying acknowledges; once the customer agrees, send confirm_token to saved/pay. It charges the card once."
	}
	return "Say the summary to the customer; once the customer agrees, send confirm_token to saved/pay. It charges the card once."
}

// requireText reads a text that must be there.
func requireText(f *jsonbody.Fields, name string, most int) string {
	v := f.Text(name, most, false)
	if v == nil || *v == "" {
		if f.Raw(name) == nil || f.Raw(name) == "" {
			f.Refuse(name, jsonbody.Missing, nil, "%s is required.", name)
		}
		return ""
	}
	return *v
}

// Paid is the reply to a payment.
type Paid struct {
	OK      bool   `json:"ok"`
	Status  string `json:"status"` // placed, processing, already_paid
	Message string `json:"message"`

	Notes []string `json:"notes,omitempty"`
}

var paidWords = map[string]string{
	"placed":       "The card was charged once, and the order is placed. A receipt is on its way to the customer.",
	"processing":   "The bank decides about the payment. Do not pay again: the order is placed by itself once the bank agrees.",
	"already_paid": "This quote was paid already. Nothing more was charged.",
}

// Pay answers POST /v1/quotes/{quote_id}/saved/pay.
func (k *Customers) Pay(c *web.Call) error {
	body, err := c.Object()
	if err != nil {
		return err
	}
	f := jsonbody.NewFields(body)
	token := requireText(f, "confirm_token", maxToken)
	if p := f.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	ref, _, err := k.quote(c)
	if err != nil {
		return err
	}
	nonce, until, err := k.openConfirmation(ref, token)
	if nonce == "" {
		return err
	}
	if err == nil { // all calls with one token are one request
		request := contract.IDFrom(contract.RequestPrefix, until, "pay", ref, nonce)
		_, err = k.carryOut(c.Context(), checkouts.PaySaved, request, c.Caller.Account, checkouts.PaySavedData{Quote: ref, Nonce: nonce})
	}
	return k.replyStatus(c, ref, nonce, c.IneffectiveNotes(f), err)
}

// openConfirmation gives what a confirm_token of a quote confirms, also where it has expired.
func (k *Customers) openConfirmation(ref, token string) (nonce string, until time.Time, err error) {
	subject, until, err := k.Secrets.OpenLink(confirmLink, token, k.Now())
	nonce, ok := strings.CutPrefix(subject, ref+"-")
	switch {
	case !ok, err != nil && !errors.Is(err, secret.ErrExpired):
		return "", until, problem.New(contract.LinkInvalid, "This confirm_token does not belong to this quote.")
	case err != nil:
		return nonce, until, problem.New(contract.CodeExpired, "This confirm_token has expired. Ask for a new code.")
	}
	return nonce, until, nil
}

// replyStatus answers with how the payment stands now, also where it was not known
// when the request ended, and where it was refused and the quote was paid since.
func (k *Customers) replyStatus(c *web.Call, ref, nonce string, notes []string, failure error) error {
	paying, _, err := outcome.Read[checkouts.Checkout](c.Context(), k.Docs, string(contract.CheckoutAggregate), ref)
	if err != nil {
		return cmp.Or(failure, err)
	}
	status := statusOf(paying, nonce)
	if isFinal(failure) && paying.Payment == nil {
		return k.pointing(failure, c)
	}
	switch status {
	case declined:
		return k.pointing(contract.Refuse(contract.PaymentDeclined, "Nothing was charged; the customer can pay at checkout_url."), c)
	case unsettled:
		p := problem.New(contract.PaymentUnknown, "Whether the card was charged is not known yet. Please do not pay again: it is being found out, and GET /v1/quotes/{quote_id} tells.")
		p.Refusal.RetryAfterS, p.Cause = 30, failure
		return p
	}
	return c.JSON(http.StatusOK, Paid{OK: true, Status: status, Message: paidWords[status], Notes: notes})
}

// isFinal reports whether a failure says how the payment ended.
func isFinal(failure error) bool {
	if failure == nil {
		return false
	}
	code := problem.Find(failure).Refusal.Code
	return code != contract.PaymentUnknown && code != contract.Unavailable
}

// How a payment stands that is refused, or not known.
const (
	declined  = "declined"
	unsettled = "unsettled"
)

// statusOf is how the payment stands that a code confirmed.
func statusOf(paying checkouts.Checkout, nonce string) string {
	switch mine := paying.Saved != nil && paying.Saved.Nonce == nonce; {
	case paying.Payment != nil && paying.Payment.Nonce == nonce, paying.Payment != nil && mine && paying.Payment.Intent == paying.Saved.Intent:
		return "placed"
	case paying.Payment != nil:
		return "already_paid"
	case mine && paying.Saved.Outcome == checkouts.SavedProcessing:
		return "processing"
	case mine && paying.Status == checkouts.Closed:
		return declined
	}
	return unsettled
}
