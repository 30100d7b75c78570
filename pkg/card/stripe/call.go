package stripe

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"

	"boardorder/pkg/card"
	"boardorder/pkg/circuit"

	stripe "github.com/stripe/stripe-go/v85"
)

// An effect says whether a call changes anything at the processor.
type effect bool

const (
	reads  effect = false
	writes effect = true
)

// call makes one call with a slot, a deadline and the breaker, and turns every
// failure into a *card.Error.
func call[T any](ctx context.Context, p *Processor, doing string, e effect, f func(ctx context.Context) (T, error)) (T, error) {
	var none T
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return none, &card.Error{Kind: card.Unavailable, Code: card.CodeBusy, Doing: doing, Err: ctx.Err()}
	}
	v, err := p.breaker.Do(func() (any, error) {
		ctx, cancel := context.WithTimeout(ctx, p.timeout)
		defer cancel()
		v, err := f(ctx)
		if err != nil {
			return nil, classify(doing, e, err)
		}
		return v, nil
	})
	if circuit.IsOpen(err) {
		return none, &card.Error{Kind: card.Unavailable, Code: card.CodeBusy, Doing: doing, Err: err}
	}
	if err != nil {
		return none, err
	}
	return v.(T), nil
}

// classify says what a failure means for the money.
func classify(doing string, e effect, err error) error {
	if already, ok := errors.AsType[*card.Error](err); ok {
		already.Doing = doing
		if already.Kind == card.Unknown && e == reads {
			already.Kind = card.Unavailable
		}
		return already
	}
	if reason, ok := errors.AsType[*stripe.Error](err); ok {
		return errorFromAnswer(doing, e, reason)
	}
	out := &card.Error{Kind: card.Unknown, Code: card.CodeConnection, Doing: doing, Message: kindOfFailure(err), Err: err}
	if errors.Is(err, context.DeadlineExceeded) || isTimeout(err) {
		out.Code = card.CodeTimeout
	}
	// What never left, or only looks, has changed nothing.
	if e == reads || isUnsent(err) {
		out.Kind = card.Unavailable
	}
	return out
}

// errorFromAnswer reads an error that the processor itself has given.
func errorFromAnswer(doing string, e effect, reason *stripe.Error) *card.Error {
	out := &card.Error{Kind: card.Refused, Code: string(reason.Code), Doing: doing, Message: reason.Msg, Err: reason}
	switch status := reason.HTTPStatusCode; {
	case reason.Type == stripe.ErrorTypeIdempotency && status != http.StatusConflict:
		out.Code = card.CodeKeyReused
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		// Our key, not the request: somebody has to mend it, then it can go on.
		out.Kind, out.Code = card.Unavailable, card.CodeBadKey
	case status == http.StatusTooManyRequests:
		out.Kind, out.Code = card.Unavailable, card.CodeBusy
	case status == http.StatusConflict:
		// Another call with this key is being carried out right now.
		out.Kind, out.Code = card.Unknown, card.CodeBusy
	case status >= http.StatusInternalServerError:
		out.Kind, out.Code = card.Unknown, card.CodeServerError
	case status < http.StatusBadRequest:
		out.Kind, out.Code = card.Unknown, card.CodeImplausible
	}
	if out.Kind == card.Unknown && e == reads {
		out.Kind = card.Unavailable
	}
	if out.Code == "" {
		out.Code = string(reason.Type)
	}
	return out
}

// isUnsent says whether the request cannot have reached anybody.
func isUnsent(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return true
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return true
	}
	_, badCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	return badCertificate
}

func isTimeout(err error) bool {
	t, ok := errors.AsType[net.Error](err)
	return ok && t.Timeout()
}

// kindOfFailure keeps a body that was no answer out of logs: such an error's
// text can hold all of it.
func kindOfFailure(err error) string {
	text := err.Error()
	if len(text) > 200 {
		text = text[:200] + "…"
	}
	return text
}

// implausible is an answer that cannot be true.
func implausible(what string) error {
	return &card.Error{Kind: card.Unknown, Code: card.CodeImplausible, Message: what}
}

// badRequest is a request that is not even sent.
func badRequest(doing, what string) error {
	return &card.Error{Kind: card.Refused, Code: card.CodeBadRequest, Doing: doing, Message: what}
}
