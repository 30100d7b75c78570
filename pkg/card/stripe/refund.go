package stripe

import (
	"context"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/card"

	stripe "github.com/stripe/stripe-go/v85"
)

// refundName is the metadata that carries our own name for a refund.
const refundName = "refund"

// Refund implements card.Processor.
func (p *Processor) Refund(ctx context.Context, r card.RefundRequest) (card.Refund, error) {
	const doing = "refund"
	if r.IdempotencyKey == "" || r.Cents < 1 || !strings.HasPrefix(r.PaymentIntent, "pi_") {
		return card.Refund{}, badRequest(doing, "a refund needs a payment, a positive amount and an idempotency key")
	}
	return call(ctx, p, doing, writes, func(ctx context.Context) (card.Refund, error) {
		got, err := p.client.V1Refunds.Create(ctx, refundParams(r))
		if err != nil {
			return card.Refund{}, err
		}
		v, err := refund(got)
		if err == nil && v.Cents != r.Cents {
			err = implausible(fmt.Sprintf("asked to give back %d, got refund %q of %d", r.Cents, v.ID, v.Cents))
		}
		return v, err
	})
}

func refundParams(r card.RefundRequest) *stripe.RefundCreateParams {
	params := &stripe.RefundCreateParams{PaymentIntent: stripe.String(r.PaymentIntent), Amount: stripe.Int64(r.Cents)}
	for name, text := range map[string]string{"reason": r.Reason, refundName: r.Name} {
		if text != "" {
			params.AddMetadata(name, untrusted.CutBytes(text, 500))
		}
	}
	params.SetIdempotencyKey(r.IdempotencyKey)
	return params
}

// Refunds implements card.Processor.
func (p *Processor) Refunds(ctx context.Context, l card.Lookup) ([]card.Refund, error) {
	const doing = "list refunds"
	if !validLookup(l) {
		return nil, badRequest(doing, "not a payment's id")
	}
	return listAll(ctx, p, doing, func(ctx context.Context, page stripe.ListParams) (list[card.Refund], error) {
		params := &stripe.RefundListParams{ListParams: page}
		params.PaymentIntent, params.CreatedRange = bounds(l)
		params.AddExpand("data.payment_intent")
		return read(p.client.V1Refunds.List(ctx, params), func(r *stripe.Refund) string { return r.ID }, refund)
	})
}

// Disputes implements card.Processor.
func (p *Processor) Disputes(ctx context.Context, l card.Lookup) ([]card.Dispute, error) {
	const doing = "list disputes"
	if !validLookup(l) {
		return nil, badRequest(doing, "not a payment's id")
	}
	return listAll(ctx, p, doing, func(ctx context.Context, page stripe.ListParams) (list[card.Dispute], error) {
		params := &stripe.DisputeListParams{ListParams: page}
		params.PaymentIntent, params.CreatedRange = bounds(l)
		params.AddExpand("data.payment_intent")
		return read(p.client.V1Disputes.List(ctx, params), func(d *stripe.Dispute) string { return d.ID }, dispute)
	})
}

func validLookup(l card.Lookup) bool {
	return l.PaymentIntent == "" || strings.HasPrefix(l.PaymentIntent, "pi_")
}

func bounds(l card.Lookup) (intent *string, since *stripe.RangeQueryParams) {
	if l.PaymentIntent != "" {
		return stripe.String(l.PaymentIntent), nil
	}
	return nil, rangeSince(l.Since)
}

// refund reads the processor's description of a refund.
func refund(got *stripe.Refund) (card.Refund, error) {
	v := card.Refund{ID: got.ID, Name: got.Metadata[refundName], Cents: got.Amount, CreatedAt: time.Unix(got.Created, 0).UTC()}
	v.PaymentIntent, v.Reference = paymentOf(got.PaymentIntent)
	switch got.Status {
	case stripe.RefundStatusSucceeded:
		v.Status = card.RefundSucceeded
	case stripe.RefundStatusPending, stripe.RefundStatusRequiresAction:
		v.Status = card.RefundPending
	case stripe.RefundStatusFailed, stripe.RefundStatusCanceled:
		v.Status = card.RefundFailed
	}
	if !strings.HasPrefix(v.ID, "re_") && !strings.HasPrefix(v.ID, "pyr_") || v.Cents < 1 || v.Status == "" {
		return card.Refund{}, implausible(fmt.Sprintf("a refund %q of %d that is %q", got.ID, got.Amount, got.Status))
	}
	return v, nil
}

// dispute reads the processor's description of a dispute.
func dispute(got *stripe.Dispute) (card.Dispute, error) {
	v := card.Dispute{ID: got.ID, Cents: got.Amount, Reason: string(got.Reason), CreatedAt: time.Unix(got.Created, 0).UTC()}
	v.PaymentIntent, v.Reference = paymentOf(got.PaymentIntent)
	switch got.Status {
	case stripe.DisputeStatusWon, stripe.DisputeStatusWarningClosed, stripe.DisputeStatusPrevented:
		v.Status = card.DisputeWon
	case stripe.DisputeStatusLost:
		v.Status = card.DisputeLost
	case stripe.DisputeStatusNeedsResponse, stripe.DisputeStatusUnderReview,
		stripe.DisputeStatusWarningNeedsResponse, stripe.DisputeStatusWarningUnderReview:
		v.Status = card.DisputeOpen
	}
	v.Responded = got.Status == stripe.DisputeStatusUnderReview || got.Status == stripe.DisputeStatusWarningUnderReview
	if e := got.EvidenceDetails; e != nil {
		v.Responded = v.Responded || e.SubmissionCount > 0
		if e.DueBy > 0 {
			v.RespondBy = time.Unix(e.DueBy, 0).UTC()
		}
	}
	if v.ID == "" || v.Cents < 0 || v.Status == "" {
		return card.Dispute{}, implausible(fmt.Sprintf("a dispute %q of %d that is %q", got.ID, got.Amount, got.Status))
	}
	return v, nil
}

// paymentOf names the payment that an object belongs to.
func paymentOf(pi *stripe.PaymentIntent) (id, reference string) {
	if pi == nil {
		return "", ""
	}
	return pi.ID, pi.Metadata["reference"]
}
