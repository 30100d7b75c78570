package stripe

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/card"

	stripe "github.com/stripe/stripe-go/v85"
)

const (
	minCents = 50
	maxCents = 99_999_999
	maxLines = 100
)

// CreateCheckout implements card.Processor.
func (p *Processor) CreateCheckout(ctx context.Context, r card.CheckoutRequest) (card.Session, error) {
	const doing = "create checkout"
	if what := checkCheckout(r); what != "" {
		return card.Session{}, badRequest(doing, what)
	}
	return call(ctx, p, doing, writes, func(ctx context.Context) (card.Session, error) {
		got, err := p.client.V1CheckoutSessions.Create(ctx, checkoutParams(r))
		if err != nil {
			return card.Session{}, err
		}
		s, err := p.session(got)
		if err != nil {
			return card.Session{}, err
		}
		if s.AmountTotal != r.Total() || !strings.EqualFold(s.Currency, r.Currency) {
			return card.Session{}, implausible(fmt.Sprintf("asked for %d %s, got a checkout of %d %s", r.Total(), r.Currency, s.AmountTotal, s.Currency))
		}
		return s, nil
	})
}

func checkCheckout(r card.CheckoutRequest) string {
	total := r.Total()
	switch {
	case r.IdempotencyKey == "" || len(r.IdempotencyKey) > 255:
		return "the idempotency key has to have 1 to 255 characters"
	case total < minCents || total > maxCents:
		return fmt.Sprintf("the total is %d cents, outside %d to %d", total, minCents, maxCents)
	case len(r.Currency) != 3:
		return "the currency is not an ISO 4217 code"
	case len(r.Reference) > 200:
		return "the reference has more than 200 characters"
	case r.SuccessURL == "" || r.CancelURL == "":
		return "the success and cancel addresses are missing"
	default:
		return ""
	}
}

func checkoutParams(r card.CheckoutRequest) *stripe.CheckoutSessionCreateParams {
	params := &stripe.CheckoutSessionCreateParams{
		Mode:               stripe.String("payment"),
		PaymentMethodTypes: []*string{stripe.String("card")},
		LineItems:          lineItems(r),
		Metadata:           addReference(r.Metadata, r.Reference),
		SuccessURL:         stripe.String(r.SuccessURL),
		CancelURL:          stripe.String(r.CancelURL),
		PaymentIntentData:  &stripe.CheckoutSessionCreatePaymentIntentDataParams{Metadata: addReference(r.Metadata, r.Reference)},
	}
	if r.Reference != "" {
		params.ClientReferenceID = stripe.String(r.Reference)
	}
	if r.Description != "" {
		params.PaymentIntentData.Description = stripe.String(untrusted.CutBytes(r.Description, 1000))
	}
	if r.SaveCard {
		params.PaymentIntentData.SetupFutureUsage = stripe.String("off_session")
	}
	if r.Language != "" {
		params.Locale = stripe.String(locale(r.Language))
	}
	if !r.ExpiresAt.IsZero() {
		params.ExpiresAt = stripe.Int64(r.ExpiresAt.Unix())
	}
	if r.CustomerID != "" {
		params.Customer = stripe.String(r.CustomerID)
	} else {
		params.CustomerCreation = stripe.String("always")
		if r.CustomerEmail != "" {
			params.CustomerEmail = stripe.String(r.CustomerEmail)
		}
	}
	params.SetIdempotencyKey(r.IdempotencyKey)
	return params
}

// locale is a language as the processor calls it, which knows Chinese of the mainland as "zh".
func locale(language string) string {
	base, _, _ := strings.Cut(language, "-")
	return base
}

// addReference puts our name for the payment where its own events carry it.
func addReference(metadata map[string]string, reference string) map[string]string {
	out := maps.Clone(metadata)
	if reference != "" {
		if out == nil {
			out = map[string]string{}
		}
		out["reference"] = reference
	}
	return out
}

// lineItems writes the lines as the processor takes them. It knows no negative
// lines and no more than a hundred; then the page shows the total alone.
func lineItems(r card.CheckoutRequest) []*stripe.CheckoutSessionCreateLineItemParams {
	lines := r.Lines
	whole := len(lines) <= maxLines
	for _, l := range lines {
		whole = whole && l.Cents >= 0
	}
	if !whole {
		label := r.Description
		if label == "" {
			label = "Your order"
		}
		lines = []card.Line{{Label: label, Cents: r.Total()}}
	}
	items := make([]*stripe.CheckoutSessionCreateLineItemParams, 0, len(lines))
	for _, l := range lines {
		items = append(items, &stripe.CheckoutSessionCreateLineItemParams{
			Quantity: stripe.Int64(1),
			PriceData: &stripe.CheckoutSessionCreateLineItemPriceDataParams{
				Currency:    stripe.String(strings.ToLower(r.Currency)),
				UnitAmount:  stripe.Int64(l.Cents),
				ProductData: &stripe.CheckoutSessionCreateLineItemPriceDataProductDataParams{Name: stripe.String(untrusted.CutBytes(l.Label, 250))},
			},
		})
	}
	return items
}

// Session implements card.Processor.
func (p *Processor) Session(ctx context.Context, id string) (card.Session, error) {
	const doing = "ask for checkout"
	if !strings.HasPrefix(id, "cs_") {
		return card.Session{}, badRequest(doing, "not a checkout's id")
	}
	return call(ctx, p, doing, reads, func(ctx context.Context) (card.Session, error) {
		params := &stripe.CheckoutSessionRetrieveParams{}
		params.AddExpand("payment_intent.latest_charge")
		params.AddExpand("payment_intent.payment_method")
		got, err := p.client.V1CheckoutSessions.Retrieve(ctx, id, params)
		if err != nil {
			return card.Session{}, err
		}
		if got.ID != id {
			return card.Session{}, implausible("the answer is about another checkout")
		}
		return p.session(got)
	})
}

// ExpireSession implements card.Processor.
func (p *Processor) ExpireSession(ctx context.Context, id string) (card.Session, error) {
	const doing = "expire checkout"
	if !strings.HasPrefix(id, "cs_") {
		return card.Session{}, badRequest(doing, "not a checkout's id")
	}
	s, err := call(ctx, p, doing, writes, func(ctx context.Context) (card.Session, error) {
		got, err := p.client.V1CheckoutSessions.Expire(ctx, id, nil)
		if err != nil {
			return card.Session{}, err
		}
		if got.ID != id || got.Status != stripe.CheckoutSessionStatusExpired {
			return card.Session{}, implausible("the checkout did not expire")
		}
		return p.session(got)
	})
	if card.KindOf(err) != card.Refused || card.IsCode(err, card.CodeNotFound) {
		return s, err
	}
	// It was closed already: how?
	ended, askErr := p.Session(ctx, id)
	if askErr != nil || ended.Status == card.SessionOpen {
		return s, err
	}
	return ended, nil
}

// session reads the processor's description of a checkout, and disbelieves it
// when it cannot be true.
func (p *Processor) session(got *stripe.CheckoutSession) (card.Session, error) {
	s := card.Session{
		ID: got.ID, URL: got.URL, Status: card.SessionStatus(got.Status), Paid: got.PaymentStatus == stripe.CheckoutSessionPaymentStatusPaid,
		AmountTotal: got.AmountTotal, Currency: strings.ToUpper(string(got.Currency)), CustomerEmail: got.CustomerEmail,
		Reference: got.ClientReferenceID, Metadata: got.Metadata, ExpiresAt: time.Unix(got.ExpiresAt, 0).UTC(),
	}
	if got.Customer != nil {
		s.CustomerID = got.Customer.ID
	}
	if d := got.CustomerDetails; d != nil {
		s.CustomerEmail, s.CustomerName = cmp.Or(d.Email, s.CustomerEmail), d.Name
	}
	if pi := got.PaymentIntent; pi != nil {
		s.PaymentIntent = pi.ID
		s.Card = cardOf(pi)
		s.CardSaved = s.Paid && s.Card.MethodID != "" && pi.SetupFutureUsage == stripe.PaymentIntentSetupFutureUsageOffSession
		if pi.LatestCharge != nil {
			s.RefundedCents = pi.LatestCharge.AmountRefunded
		}
		s.Failure = failureOf(pi)
	}
	return s, p.checkSession(s, got.PaymentIntent)
}

func (p *Processor) checkSession(s card.Session, pi *stripe.PaymentIntent) error {
	switch {
	case !strings.HasPrefix(s.ID, "cs_"):
		return implausible("a checkout without an id")
	case s.Status != card.SessionOpen && s.Status != card.SessionComplete && s.Status != card.SessionExpired:
		return implausible(fmt.Sprintf("a checkout that is %q", s.Status))
	case s.AmountTotal <= 0 || len(s.Currency) != 3:
		return implausible("a checkout without an amount")
	case s.Status == card.SessionOpen && !p.webAddress(s.URL):
		return implausible("an open checkout without an address")
	case s.Paid && (s.Status != card.SessionComplete || s.PaymentIntent == ""):
		return implausible("a checkout that is paid but not complete")
	}
	// Only a payment that was written out carries a status.
	if s.Paid && pi.Status != "" && (pi.Status != stripe.PaymentIntentStatusSucceeded || pi.AmountReceived != s.AmountTotal) {
		return implausible(fmt.Sprintf("a paid checkout of %d whose payment is %s with %d", s.AmountTotal, pi.Status, pi.AmountReceived))
	}
	return nil
}

func (p *Processor) webAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "https" || p.insecure && u.Scheme == "http")
}

// cardOf reads the card that a payment used.
func cardOf(pi *stripe.PaymentIntent) card.Saved {
	var c card.Saved
	if pi.PaymentMethod != nil {
		c.MethodID = pi.PaymentMethod.ID
		if d := pi.PaymentMethod.Card; d != nil {
			c.Brand, c.Last4, c.ExpMonth, c.ExpYear = string(d.Brand), d.Last4, int(d.ExpMonth), int(d.ExpYear)
		}
	}
	if ch := pi.LatestCharge; c.Last4 == "" && ch != nil && ch.PaymentMethodDetails != nil && ch.PaymentMethodDetails.Card != nil {
		d := ch.PaymentMethodDetails.Card
		c.Brand, c.Last4, c.ExpMonth, c.ExpYear = string(d.Brand), d.Last4, int(d.ExpMonth), int(d.ExpYear)
	}
	return c
}
