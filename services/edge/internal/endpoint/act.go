package endpoint

import (
	"context"
	"net/http"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/webhooks"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// act carries out a command about an endpoint once for each name of the client's.
func (k *Endpoints) act(c *web.Call, of webhooks.Endpoint, route string, name contract.CommandName, data any, text string) (e webhooks.Endpoint, err error) {
	r, err := k.Keys.Begin(c, outcome.Outcomes{Docs: k.Docs}, route, of.ID, text)
	if err != nil {
		return e, err
	}
	if err := r.Claim(c.Context()); err != nil {
		return e, err
	}
	return k.carryOutOnce(c, r, name, data)
}

// Rotate answers POST /v1/webhook-endpoints/{endpoint_id}/rotate-secret.
func (k *Endpoints) Rotate(c *web.Call) error {
	body, e, err := k.readBody(c)
	if err != nil {
		return err
	}
	f := jsonbody.NewFields(body)
	overlap := webhooks.MaxOverlap
	if hours := f.Int("overlap_hours", 0, int(webhooks.MaxOverlap/time.Hour)); hours != nil {
		overlap = time.Duration(*hours) * time.Hour
	}
	notes := jsonbody.UnknownNotes(f.Unknown())
	if p := f.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	data := webhooks.RotateData{Endpoint: e.ID, Master: k.Secrets.MasterID(), Overlap: overlap}
	if e, err = k.act(c, e, "POST /v1/webhook-endpoints/rotate-secret", webhooks.Rotate, data, jsonbody.Text(body)); err != nil {
		return err
	}
	secret, err := k.SecretText(e, e.Secrets[0])
	if err != nil {
		return err
	}
	return k.reply(c, http.StatusOK, Single{Secret: secret, Notes: notes}, e)
}

// Tested is the reply of POST /v1/webhook-endpoints/{endpoint_id}/test.
type Tested struct {
	OK      bool   `json:"ok"`
	EventID string `json:"event_id"`
}

// Test answers POST /v1/webhook-endpoints/{endpoint_id}/test.
func (k *Endpoints) Test(c *web.Call) error {
	text := ""
	if !c.Body().Empty() { // it needs none
		body, err := c.Object()
		if err != nil {
			return err
		}
		text = jsonbody.Text(body)
	}
	e, err := k.find(c)
	if err != nil {
		return err
	}
	if e, err = k.act(c, e, "POST /v1/webhook-endpoints/test", webhooks.Test, webhooks.Data{Endpoint: e.ID}, text); err != nil {
		return err
	}
	key := feed.KeyOf(contract.WebhookEndpointAggregate, e.ID)
	return c.JSON(http.StatusAccepted, Tested{OK: true, EventID: feed.IDOf(key, feed.SequenceOf(e.TestedAt))})
}

// Resent is the reply of POST /v1/webhook-endpoints/{endpoint_id}/resend.
type Resent struct {
	OK         bool     `json:"ok"`
	EndpointID string   `json:"endpoint_id"`
	Notes      []string `json:"notes,omitempty"`
}

// Resend answers POST /v1/webhook-endpoints/{endpoint_id}/resend: one event, or all since a time.
func (k *Endpoints) Resend(c *web.Call) error {
	body, e, err := k.readBody(c)
	if err != nil {
		return err
	}
	f := jsonbody.NewFields(body)
	data, err := k.ReadResend(c.Context(), f, e, c.Caller.May)
	if err != nil {
		return err
	}
	notes := jsonbody.UnknownNotes(f.Unknown())
	if _, err := k.act(c, e, "POST /v1/webhook-endpoints/resend", webhooks.Resend, data, jsonbody.Text(body)); err != nil {
		return err
	}
	return c.JSON(http.StatusAccepted, Resent{OK: true, EndpointID: e.ID, Notes: notes})
}

// ReadResend reads what of an endpoint is to be sent again: one event or all since a time. may tells
// of which scopes whoever asks may be told.
func (k *Endpoints) ReadResend(ctx context.Context, f *jsonbody.Fields, e webhooks.Endpoint, may func(scope string) bool) (data webhooks.ResendData, err error) {
	data.Endpoint = e.ID
	event, since := f.Text("event_id", 80, false), f.Text("since", 40, false)
	if since != nil {
		if data.Since, err = time.Parse(time.RFC3339, *since); err != nil || k.Now().Sub(data.Since) > feed.Retention || data.Since.After(k.Now()) {
			f.Refuse("since", jsonbody.Malformed, nil, "since is a time of the last 30 days, such as %s.", k.Now().Add(-time.Hour).UTC().Format(time.RFC3339))
		}
	}
	switch {
	case event != nil && since != nil:
		f.Refuse("since", jsonbody.Conflict, nil, "Send either event_id or since, not both.")
	case event == nil && since == nil && len(f.Problems()) == 0:
		f.Refuse("event_id", jsonbody.Missing, nil, "Send either event_id or since.")
	}
	if p := f.Problems(); len(p) > 0 {
		return data, problem.Fields(p)
	}
	if event != nil {
		entry, found, err := k.Events.Find(ctx, e.Account, *event)
		if err != nil {
			return data, err
		}
		if !found || !may(feed.ScopeOf(entry.Type)) {
			return data, problem.New(contract.NotFound, "There is no event with this event_id. Events are kept for 30 days.")
		}
		data.Key, data.Seq = entry.Key, entry.Seq
	}
	return data, nil
}
