package stripe

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/card"

	stripe "github.com/stripe/stripe-go/v85"
)

// ChargeSaved implements card.Processor.
func (p *Processor) ChargeSaved(ctx context.Context, r card.SavedCharge) (card.ChargeResult, error) {
	const doing = "charge saved card"
	if what := checkCharge(r); what != "" {
		return card.ChargeResult{}, badRequest(doing, what)
	}
	res, err := call(ctx, p, doing, writes, func(ctx context.Context) (card.ChargeResult, error) {
		got, err := p.client.V1PaymentIntents.Create(ctx, chargeParams(r))
		if no, ok := bankRefusal(err); ok {
			return no, nil
		}
		if err != nil {
			return card.ChargeResult{}, err
		}
		return chargeResult(r, got)
	})
	if card.KindOf(err) == card.Unknown {
		res.Outcome = card.OutcomeUnknown
	}
	return res, err
}

func checkCharge(r card.SavedCharge) string {
	switch {
	case r.IdempotencyKey == "" || len(r.IdempotencyKey) > 255:
		return "the idempotency key has to have 1 to 255 characters"
	case r.Cents < minCents || r.Cents > maxCents:
		return fmt.Sprintf("the amount is %d cents, outside %d to %d", r.Cents, minCents, maxCents)
	case len(r.Currency) != 3:
		return "the currency is not an ISO 4217 code"
	case r.CustomerID == "" || r.MethodID == "":
		return "the customer or the saved card is missing"
	default:
		return ""
	}
}

func chargeParams(r card.SavedCharge) *stripe.PaymentIntentCreateParams {
	params := &stripe.PaymentIntentCreateParams{
		Amount:             stripe.Int64(r.Cents),
		Currency:           stripe.String(strings.ToLower(r.Currency)),
		Customer:           stripe.String(r.CustomerID),
		PaymentMethod:      stripe.String(r.MethodID),
		PaymentMethodTypes: []*string{stripe.String("card")},
		OffSession:         stripe.Bool(true),
		Confirm:            stripe.Bool(true),
		Metadata:           addReference(r.Metadata, r.Reference),
	}
	params.AddExpand("payment_method")
	if r.Description != "" {
		params.Description = stripe.String(untrusted.CutBytes(r.Description, 1000))
	}
	if r.ReceiptEmail != "" {
		params.ReceiptEmail = stripe.String(r.ReceiptEmail)
	}
	params.SetIdempotencyKey(r.IdempotencyKey)
	return params
}

// bankRefusal reads the answer with which a bank said no.
func bankRefusal(err error) (card.ChargeResult, bool) {
	reason, ok := errors.AsType[*stripe.Error](err)
	if !ok || reason.Type != stripe.ErrorTypeCard {
		return card.ChargeResult{}, false
	}
	no := card.ChargeResult{Outcome: card.Declined, Code: string(reason.Code), DeclineCode: string(reason.DeclineCode)}
	if reason.Code == stripe.ErrorCodeAuthenticationRequired || reason.DeclineCode == "authentication_required" {
		no.Outcome = card.AuthenticationRequired
	}
	if reason.PaymentIntent != nil {
		no.PaymentIntent = reason.PaymentIntent.ID
	}
	return no, true
}

// chargeResult reads the payment that a charge has made.
func chargeResult(r card.SavedCharge, got *stripe.PaymentIntent) (card.ChargeResult, error) {
	if !strings.HasPrefix(got.ID, "pi_") || got.Amount != r.Cents || !strings.EqualFold(string(got.Currency), r.Currency) {
		return card.ChargeResult{}, implausible(fmt.Sprintf("asked for %d %s, got payment %q of %d %s", r.Cents, r.Currency, got.ID, got.Amount, got.Currency))
	}
	res := card.ChargeResult{PaymentIntent: got.ID, Card: cardOf(got)}
	switch got.Status {
	case stripe.PaymentIntentStatusSucceeded:
		if got.AmountReceived != r.Cents {
			return card.ChargeResult{}, implausible(fmt.Sprintf("payment %s succeeded with %d of %d", got.ID, got.AmountReceived, r.Cents))
		}
		res.Outcome = card.Succeeded
	case stripe.PaymentIntentStatusProcessing:
		res.Outcome = card.Processing
	case stripe.PaymentIntentStatusRequiresAction:
		res.Outcome, res.Code = card.AuthenticationRequired, "authentication_required"
	case stripe.PaymentIntentStatusRequiresPaymentMethod, stripe.PaymentIntentStatusCanceled:
		res.Outcome, res.Code = card.Declined, "card_declined"
	default:
		return card.ChargeResult{}, implausible(fmt.Sprintf("payment %s is %q", got.ID, got.Status))
	}
	return res, nil
}

// CancelPayment implements card.Processor.
func (p *Processor) CancelPayment(ctx context.Context, id string) (card.Payment, error) {
	const doing = "cancel payment"
	if !strings.HasPrefix(id, "pi_") {
		return card.Payment{}, badRequest(doing, "not a payment's id")
	}
	v, err := call(ctx, p, doing, writes, func(ctx context.Context) (card.Payment, error) {
		got, err := p.client.V1PaymentIntents.Cancel(ctx, id, nil)
		if err != nil {
			return card.Payment{}, err
		}
		if got.ID != id || got.Status != stripe.PaymentIntentStatusCanceled {
			return card.Payment{}, implausible("the payment was not cancelled")
		}
		return payment(got)
	})
	if card.KindOf(err) != card.Refused || card.IsCode(err, card.CodeNotFound) {
		return v, err
	}
	now, askErr := p.Payment(ctx, id)
	if askErr != nil || now.Status != card.PaymentCanceled {
		return v, err
	}
	return now, nil
}

// Payment implements card.Processor.
func (p *Processor) Payment(ctx context.Context, id string) (card.Payment, error) {
	const doing = "ask for payment"
	if !strings.HasPrefix(id, "pi_") {
		return card.Payment{}, badRequest(doing, "not a payment's id")
	}
	return call(ctx, p, doing, reads, func(ctx context.Context) (card.Payment, error) {
		params := &stripe.PaymentIntentRetrieveParams{}
		params.AddExpand("latest_charge")
		params.AddExpand("payment_method")
		got, err := p.client.V1PaymentIntents.Retrieve(ctx, id, params)
		if err != nil {
			return card.Payment{}, err
		}
		if got.ID != id {
			return card.Payment{}, implausible("the answer is about another payment")
		}
		return payment(got)
	})
}

// Payments implements card.Processor.
func (p *Processor) Payments(ctx context.Context, since time.Time) ([]card.Payment, error) {
	return listAll(ctx, p, "list payments", func(ctx context.Context, page stripe.ListParams) (list[card.Payment], error) {
		params := &stripe.PaymentIntentListParams{ListParams: page, CreatedRange: rangeSince(since)}
		params.AddExpand("data.latest_charge")
		return read(p.client.V1PaymentIntents.List(ctx, params), func(pi *stripe.PaymentIntent) string { return pi.ID }, payment)
	})
}

// payment reads the processor's description of a payment.
func payment(got *stripe.PaymentIntent) (card.Payment, error) {
	v := card.Payment{
		ID: got.ID, Cents: got.Amount, ReceivedCents: got.AmountReceived, Currency: strings.ToUpper(string(got.Currency)),
		Metadata: got.Metadata, CreatedAt: time.Unix(got.Created, 0).UTC(), Card: cardOf(got), Status: card.PaymentOpen,
	}
	switch got.Status {
	case stripe.PaymentIntentStatusSucceeded:
		v.Status = card.PaymentSucceeded
	case stripe.PaymentIntentStatusProcessing:
		v.Status = card.PaymentProcessing
	case stripe.PaymentIntentStatusCanceled:
		v.Status = card.PaymentCanceled
	}
	if got.Customer != nil {
		v.CustomerID = got.Customer.ID
	}
	v.CardSaved = v.Status == card.PaymentSucceeded && v.Card.MethodID != "" && got.SetupFutureUsage == stripe.PaymentIntentSetupFutureUsageOffSession
	if ch := got.LatestCharge; ch != nil {
		v.RefundedCents, v.Disputed = ch.AmountRefunded, ch.Disputed
	}
	v.Failure = failureOf(got)
	switch {
	case !strings.HasPrefix(v.ID, "pi_") || got.Status == "" || v.Cents <= 0 || len(v.Currency) != 3:
		return card.Payment{}, implausible("a payment without an id, a status or an amount")
	case v.Status == card.PaymentSucceeded && v.ReceivedCents <= 0:
		return card.Payment{}, implausible("a payment that succeeded with nothing received")
	}
	return v, nil
}

// failureOf reads the last try to pay where the bank refused it.
func failureOf(pi *stripe.PaymentIntent) *card.Failure {
	ch := pi.LatestCharge
	if ch == nil || ch.ID == "" || ch.Status != stripe.ChargeStatusFailed {
		return nil
	}
	f := &card.Failure{Charge: ch.ID, Reason: ch.FailureCode, At: time.Unix(ch.Created, 0).UTC()}
	if ch.Outcome != nil && ch.Outcome.Reason != "" {
		f.Reason = ch.Outcome.Reason
	}
	if e := pi.LastPaymentError; e != nil && e.DeclineCode != "" {
		f.Reason = string(e.DeclineCode)
	}
	if d := ch.PaymentMethodDetails; d != nil && d.Card != nil {
		f.Card = card.Saved{Brand: string(d.Card.Brand), Last4: d.Card.Last4}
	}
	return f
}
