// Package webhook takes notices of outside companies in, once they are known
// to be theirs.
package webhook

import (
	"errors"
	"io"
	"net/http"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/card/stripe/webhook"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// maxCard bounds a notice of the card processor.
const maxCard = 256 << 10

// Card takes the card processor's notices.
type Card struct {
	Send    aggregate.Sender
	Secrets []string // more than one while the signing secret is being changed
	Now     func() time.Time
}

// Take answers POST /webhooks/card: 200 once the notice is stored, so that the
// processor repeats it until then.
func (h Card) Take(c *web.Call) error {
	payload, err := io.ReadAll(io.LimitReader(c.Body(), maxCard+1))
	switch {
	case err != nil:
		return problem.New(contract.WebhookInvalid, "The notice did not arrive completely.")
	case len(payload) > maxCard:
		return problem.New(contract.BodyTooLarge, "A notice has at most %d bytes.", maxCard)
	}
	event, err := webhook.Verify(payload, c.Header(webhook.HeaderName), h.Now(), h.Secrets...)
	if err != nil {
		c.Log().Warn("card notice refused", zap.NamedError("why", reason(err)))
		return problem.New(contract.WebhookInvalid, "The notice is not signed by the card processor, or is too old.")
	}
	cmd, err := contract.NewRootCommand(checkouts.CardEvent, contract.DeriveID("card-event", event.ID), "", h.Now(), data(event))
	if err != nil {
		return err
	}
	if err := h.Send.Send(c.Context(), cmd); err != nil {
		return problem.Unavailable(err)
	}
	c.About = append(c.About, zap.String("event", event.ID), zap.String("event_type", event.Type))
	return c.JSON(http.StatusOK, map[string]bool{"ok": true})
}

// reason is what may be logged of a refusal: nothing that was sent.
func reason(err error) error {
	for _, known := range []error{webhook.ErrHeader, webhook.ErrSignature, webhook.ErrTooOld, webhook.ErrPayload} {
		if errors.Is(err, known) {
			return known
		}
	}
	return errors.New("unknown")
}

// data keeps the ids of a notice and nothing else.
func data(e webhook.Event) checkouts.CardEventData {
	d := checkouts.CardEventData{EventID: e.ID, Type: e.Type, Intent: e.PaymentIntent}
	if contract.ValidToken(e.Reference) {
		d.Quote = e.Reference // we gave it to the processor with the session
	}
	if e.Object == "checkout.session" {
		d.Session = e.ObjectID
	}
	return d
}
