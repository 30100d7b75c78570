package endpoint

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/webhooks"
	"boardorder/services/edge/internal/idempotency"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// Create answers POST /v1/webhook-endpoints.
func (k *Endpoints) Create(c *web.Call) error {
	body, err := c.Object()
	if err != nil {
		return err
	}
	f := jsonbody.NewFields(body)
	data, err := k.ReadNew(body, f, c.Caller.May)
	if err != nil {
		return err
	}
	data.Key, data.Scopes = c.Caller.Key.ID, c.Caller.Key.Scopes
	notes := jsonbody.UnknownNotes(f.Unknown())
	e, err := k.createOnce(c, data, jsonbody.Text(body))
	if err != nil {
		return err
	}
	reply := Single{Notes: notes}
	first := slices.IndexFunc(e.Secrets, func(s webhooks.Secret) bool { return s.Generation == 1 && s.IsValid(k.Now()) })
	if first < 0 && e.Signature != webhooks.Ed25519 {
		reply.Notes = append(reply.Notes, "The secret that the endpoint was made with has been replaced; it is not shown any more.")
	} else if first >= 0 {
		if reply.Secret, err = k.SecretText(e, e.Secrets[first]); err != nil {
			return err
		}
	}
	return k.reply(c, http.StatusCreated, reply, e)
}

// ReadNew reads what an endpoint is to be, whoever asks for it. may tells of which scopes they may
// be told.
func (k *Endpoints) ReadNew(body map[string]any, f *jsonbody.Fields, may func(scope string) bool) (data webhooks.CreateData, err error) {
	data = webhooks.CreateData{Master: k.Secrets.MasterID(), RatePerSecond: webhooks.DefaultRate}
	if url := k.readURL(body, f); url != nil {
		data.URL = *url
	}
	if data.Types, err = readTypes(f, may); err != nil {
		return data, err
	}
	if body["url"] == nil {
		f.Refuse("url", jsonbody.Missing, nil, "url is needed: the address of your receiver.")
	}
	if body["types"] == nil {
		f.Refuse("types", jsonbody.Missing, nil, `types is needed: a list of types of events, or ["*"] for all.`)
	}
	if text := f.Text("description", webhooks.MaxDescription, false); text != nil {
		data.Description = *text
	}
	if n := f.Int("rate_per_second", 1, webhooks.MaxRate); n != nil {
		data.RatePerSecond = *n
	}
	data.Signature = readSignature(f)
	if p := f.Problems(); len(p) > 0 {
		return data, problem.Fields(p)
	}
	return data, nil
}

// createOnce makes an endpoint, or gives the one that the request's key made: the reply with its secret
// may have been lost, so the secret comes once more, to keys that may see the endpoint.
func (k *Endpoints) createOnce(c *web.Call, data webhooks.CreateData, text string) (e webhooks.Endpoint, err error) {
	r, err := k.Keys.Begin(c, outcome.Outcomes{Docs: k.Docs}, "POST /v1/webhook-endpoints", text)
	if err != nil {
		return e, err
	}
	if err := r.Claim(c.Context()); err != nil {
		return e, err
	}
	data.Endpoint = contract.IDFrom(webhooks.Prefix, r.At, r.ID)
	if e, err = k.carryOutOnce(c, r, webhooks.Create, data); err != nil {
		return e, err
	}
	return e, checkAccess(c, e, true)
}

// carryOutOnce sends a request's command, or gives what came of it before.
func (k *Endpoints) carryOutOnce(c *web.Call, r *idempotency.Request, name contract.CommandName, data any) (e webhooks.Endpoint, err error) {
	r.Mark(c)
	if !r.HasEnded() {
		e, err = k.CarryOut(c.Context(), c.Caller.Account, name, r.ID, data)
		return e, r.Explain(err)
	}
	if r.Outcome.Refusal != nil {
		return e, problem.NewFromRefusal(r.Outcome.Refusal)
	}
	return outcome.Decode[webhooks.Endpoint](r.Outcome.Doc)
}

// CarryOut sends a command of an owner's and gives the endpoint after it.
func (k *Endpoints) CarryOut(ctx context.Context, owner string, name contract.CommandName, request string, data any) (e webhooks.Endpoint, err error) {
	cmd, err := contract.NewCommand(name, request, owner, k.Now(), data)
	if err != nil {
		return e, err
	}
	out, err := k.Do(ctx, cmd, timeout)
	if refusal := contract.RefusalIn(err); refusal != nil {
		return e, problem.NewFromRefusal(refusal)
	}
	if err != nil {
		return e, err
	}
	return outcome.Decode[webhooks.Endpoint](out.Doc)
}

// Change answers PATCH /v1/webhook-endpoints/{endpoint_id}.
func (k *Endpoints) Change(c *web.Call) error {
	body, e, err := k.readBody(c)
	if err != nil {
		return err
	}
	f := jsonbody.NewFields(body)
	data, err := k.ReadChange(body, f, c.Caller.May)
	if err != nil {
		return err
	}
	data.Endpoint = e.ID
	notes := c.IneffectiveNotes(f)
	if e, err = k.CarryOut(c.Context(), e.Account, webhooks.Change, k.NewRequest(), data); err != nil {
		return err
	}
	return k.reply(c, http.StatusOK, Single{Notes: notes}, e)
}

// ReadChange reads what an endpoint is to be from now on.
func (k *Endpoints) ReadChange(body map[string]any, f *jsonbody.Fields, may func(scope string) bool) (data webhooks.ChangeData, err error) {
	data = webhooks.ChangeData{URL: k.readURL(body, f), RatePerSecond: f.Int("rate_per_second", 1, webhooks.MaxRate), Status: readStatus(f)}
	if data.Types, err = readTypes(f, may); err != nil {
		return data, err
	}
	data.Description = f.Text("description", webhooks.MaxDescription, false)
	if _, given := body["description"].(string); given && data.Description == nil {
		data.Description = new(string) // emptied, unless it is refused
	}
	if p := f.Problems(); len(p) > 0 {
		return data, problem.Fields(p)
	}
	return data, nil
}

// Delete answers DELETE /v1/webhook-endpoints/{endpoint_id}.
func (k *Endpoints) Delete(c *web.Call) error {
	e, err := k.find(c)
	if err != nil {
		return err
	}
	if _, err := k.CarryOut(c.Context(), e.Account, webhooks.Delete, k.NewRequest(), webhooks.Data{Endpoint: e.ID}); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]bool{"ok": true})
}

func (k *Endpoints) readURL(body map[string]any, f *jsonbody.Fields) *string {
	url := f.Text("url", webhooks.MaxURL, false)
	if text, given := body["url"].(string); given && strings.TrimSpace(text) == "" {
		f.Refuse("url", jsonbody.Missing, nil, "url is empty: it is the address of your receiver.")
	}
	if url == nil {
		return nil
	}
	if err := webhooks.CheckURL(*url, k.Loopback); err != nil {
		f.Refuse("url", jsonbody.Malformed, nil, "%v.", err)
		return nil
	}
	return url
}

// readTypes reads which types are wanted; nil where it is not said. A type that the key may not be told
// of is refused, as the feed does.
func readTypes(f *jsonbody.Fields, may func(scope string) bool) (types []string, err error) {
	named := f.Texts("types", len(feed.Types()), 80)
	if list, ok := f.Raw("types").([]any); ok && len(list) == 0 {
		f.Refuse("types", jsonbody.Missing, nil, `types names one type at least; ["*"] stands for all.`)
	}
	for _, name := range named {
		t := feed.Type(name)
		switch {
		case slices.Contains(types, name):
			continue
		case name == webhooks.AllTypes:
		case !slices.Contains(feed.Types(), t):
			f.Refuse("types", jsonbody.Unsupported, feed.Types(), `types names an unknown event; ["*"] stands for all.`)
			return nil, nil
		case !may(feed.ScopeOf(t)):
			return nil, problem.New(contract.Forbidden, "This API key lacks the scope %q, which %s needs.", feed.ScopeOf(t), t)
		}
		types = append(types, name)
	}
	if slices.Contains(types, webhooks.AllTypes) {
		types = []string{webhooks.AllTypes}
	}
	return types, nil
}

// readSignature reads how deliveries are to be signed; empty where it is the usual.
func readSignature(f *jsonbody.Fields) webhooks.Signature {
	text := f.Text("signature", 20, false)
	if text == nil || *text == string(webhooks.HMAC) {
		return ""
	}
	if signature := webhooks.Signature(*text); signature == webhooks.Ed25519 {
		return signature
	}
	f.Refuse("signature", jsonbody.Unsupported, []webhooks.Signature{webhooks.HMAC, webhooks.Ed25519}, "signature is v1, by a secret, or v1a, by a key of which you have the public half.")
	return ""
}

func readStatus(f *jsonbody.Fields) *webhooks.Status {
	text := f.Text("status", 20, false)
	if text == nil {
		return nil
	}
	status := webhooks.Status(*text)
	if status != webhooks.Enabled && status != webhooks.Paused {
		f.Refuse("status", jsonbody.Unsupported, []webhooks.Status{webhooks.Enabled, webhooks.Paused}, "status is set to enabled or paused.")
		return nil
	}
	return &status
}
