package edge_test

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/webhooks"
	"boardorder/pkg/secret"
)

// changeEndpoint stands for the webhooks service.
func (w *world) changeEndpoint(c contract.Command) error {
	var d struct {
		webhooks.CreateData
		Status *webhooks.Status
	}
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	e := webhooks.Endpoint{
		ID: d.Endpoint, Account: c.Account, Scopes: d.Scopes, URL: d.URL, Types: d.Types, Description: d.Description, RatePerSecond: d.RatePerSecond, Signature: d.Signature,
		Status: webhooks.Enabled, Secrets: []webhooks.Secret{{Generation: 1, Master: d.Master}}, CreatedAt: w.now(), ChangedAt: w.now(),
	}
	if old, err := w.docs.Get(context.Background(), string(contract.WebhookEndpointAggregate), d.Endpoint); err == nil {
		if err := json.Unmarshal(old.Body, &e); err != nil {
			return err
		}
	}
	keys := map[string]string{"account": c.Account}
	switch c.Name {
	case webhooks.Change:
		e.URL, e.Description, e.RatePerSecond = cmp.Or(d.URL, e.URL), cmp.Or(d.Description, e.Description), cmp.Or(d.RatePerSecond, e.RatePerSecond)
		if d.Status != nil {
			e.Status = *d.Status
		}
	case webhooks.Rotate:
		e.Secrets = append([]webhooks.Secret{{Generation: len(e.Secrets) + 1, Master: d.Master}}, e.Secrets...)
	case webhooks.Test, webhooks.Resend:
		e.TestedAt = 2
	case webhooks.Delete:
		keys, e.Account = nil, ""
	}
	w.putListed(contract.WebhookEndpointAggregate, e.ID, keys, e)
	return w.finish(c, contract.Operation{Aggregate: contract.WebhookEndpointAggregate, ID: e.ID})
}

func secretText(key []byte) string { return "whsec_" + base64.StdEncoding.EncodeToString(key) }

// TestWebhookEndpoints: an endpoint is made, shown, listed, paused and deleted; its secret is shown once.
func TestWebhookEndpoints(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.WebhookSources = []string{"192.0.2.7"} })
	made := w.post("/v1/webhook-endpoints", `{"url":"https://example.com/hooks","types":["*","order.paid"],"description":"Main","colour":"red"}`)
	m := made.json(t)
	e, _ := m["endpoint"].(map[string]any)
	if made.status != 201 || e["url"] != "https://example.com/hooks" || fmt.Sprint(e["types"]) != "[*]" || e["status"] != "enabled" || e["rate_per_second"] != 20.0 || e["livemode"] != true {
		t.Fatalf("made: %d %s, want the endpoint for all types", made.status, made.body)
	}
	id := e["endpoint_id"].(string)
	if key, _ := w.secrets.WebhookSecret(w.secrets.MasterID(), id, 1); m["secret"] != secretText(key) {
		t.Errorf("secret %v, want %s", m["secret"], secretText(key))
	}
	if !strings.Contains(string(made.body), "colour") {
		t.Errorf("made: %s, want a note of what was left aside", made.body)
	}
	shown := w.get("/v1/webhook-endpoints/" + id)
	list := w.get("/v1/webhook-endpoints")
	if shown.status != 200 || strings.Contains(string(shown.body), "whsec_") || list.status != 200 || strings.Contains(string(list.body), "whsec_") || !strings.Contains(string(list.body), id) || !strings.Contains(string(list.body), `"source_addresses":["192.0.2.7"]`) {
		t.Errorf("shown: %s; listed: %s; want the endpoint without its secret", shown.body, list.body)
	}
	if a := w.do("PATCH", "/v1/webhook-endpoints/"+id, strings.NewReader(`{"status":"paused"}`), "Content-Type", "application/json", "X-API-Key", w.key.Text); a.status != 200 || !strings.Contains(string(a.body), `"status":"paused"`) {
		t.Errorf("paused: %d %s", a.status, a.body)
	}
	if a := w.do("DELETE", "/v1/webhook-endpoints/"+id, nil, "X-API-Key", w.key.Text); a.status != 200 {
		t.Errorf("deleted: %d %s", a.status, a.body)
	}
	if a := w.get("/v1/webhook-endpoints/" + id); a.status != 404 {
		t.Errorf("after it was deleted: %d %s, want 404", a.status, a.body)
	}
}

// TestEndpointsAreRefused: what is wrong with an endpoint is said before anything is sent on.
func TestEndpointsAreRefused(t *testing.T) {
	t.Parallel()
	w := start(t)
	few := newKey(w, account, []string{accounts.ScopeOrders}, nil)
	for name, tt := range map[string]struct {
		key    secret.APIKey
		body   string
		status int
		want   string
	}{
		"nothing":            {w.key, `{}`, 422, "types missing,url missing"},
		"an empty address":   {w.key, `{"url":" ","types":["*"]}`, 422, "url missing"},
		"a private address":  {w.key, `{"url":"https://10.0.0.1/","types":["*"]}`, 422, "url malformed"},
		"without TLS":        {w.key, `{"url":"http://example.com/","types":["*"]}`, 422, "url malformed"},
		"on this machine":    {w.key, `{"url":"http://127.0.0.1:9/","types":["*"]}`, 422, "url malformed"},
		"a type that is not": {w.key, `{"url":"https://example.com/","types":["order.eaten"]}`, 422, "types unsupported"},
		"no types":           {w.key, `{"url":"https://example.com/","types":[]}`, 422, "types missing"},
		"another signature":  {w.key, `{"url":"https://example.com/","types":["*"],"signature":"v2"}`, 422, "signature unsupported"},
		"no signature":       {w.key, `{"url":"https://example.com/","types":["*"],"signature":1}`, 422, "signature wrong_type"},
		"too fast":           {w.key, `{"url":"https://example.com/","types":["*"],"rate_per_second":501}`, 422, "rate_per_second out_of_range"},
		"a scope it lacks":   {few, `{"url":"https://example.com/","types":["order.paid"]}`, 403, ""},
	} {
		a := w.post("/v1/webhook-endpoints", tt.body, "X-API-Key", tt.key.Text)
		var reply struct{ Fields []contract.FieldProblem }
		if err := json.Unmarshal(a.body, &reply); err != nil {
			t.Fatal(err)
		}
		var fields []string
		for _, f := range reply.Fields {
			fields = append(fields, f.Field+" "+f.Problem)
		}
		slices.Sort(fields)
		if a.status != tt.status || strings.Join(fields, ",") != tt.want {
			t.Errorf("%s: %d %s, want %d %s", name, a.status, a.body, tt.status, tt.want)
		}
	}
	if n := len(w.commandsOf(webhooks.Create)); n != 0 {
		t.Errorf("%d commands were sent, want none", n)
	}
}

// TestEndpointsHaveScopes: a key sees and changes no endpoint that may be told of more than itself, also where
// it sends the Idempotency-Key that made it.
func TestEndpointsHaveScopes(t *testing.T) {
	t.Parallel()
	w := start(t)
	few := newKey(w, account, []string{accounts.ScopeOrders}, nil)
	const body = `{"url":"https://example.com/hooks","types":["*"]}`
	made := w.post("/v1/webhook-endpoints", body, keyHeader, "k1").json(t)
	id := made["endpoint"].(map[string]any)["endpoint_id"].(string)
	if a := w.post("/v1/webhook-endpoints", body, keyHeader, "k1", "X-API-Key", few.Text); a.status != 403 || strings.Contains(string(a.body), "whsec_") {
		t.Errorf("made again by a key with fewer scopes: %d %s, want 403", a.status, a.body)
	}
	if a := w.get("/v1/webhook-endpoints/"+id, "X-API-Key", few.Text); a.status != 403 {
		t.Errorf("shown to a key with fewer scopes: %d %s, want 403", a.status, a.body)
	}
	if a := w.do("DELETE", "/v1/webhook-endpoints/"+id, nil, "X-API-Key", few.Text); a.status != 403 {
		t.Errorf("deleted by a key with fewer scopes: %d %s, want 403", a.status, a.body)
	}
	if a := w.get("/v1/webhook-endpoints", "X-API-Key", few.Text); strings.Contains(string(a.body), "we_") {
		t.Errorf("listed to a key with fewer scopes: %s, want none", a.body)
	}
}

// TestSecretsComeAgain: whoever lost the reply has the secret by the same Idempotency-Key, as long as deliveries
// are signed with it and the endpoint is there.
func TestSecretsComeAgain(t *testing.T) {
	t.Parallel()
	w := start(t)
	create := func() answer {
		return w.post("/v1/webhook-endpoints", `{"url":"https://example.com/hooks","types":["*"]}`, keyHeader, "k1")
	}
	made := create().json(t)
	id := made["endpoint"].(map[string]any)["endpoint_id"].(string)
	if a := create(); a.status != 201 || a.json(t)["secret"] != made["secret"] || made["secret"] == nil {
		t.Errorf("again: %d %s, want the secret %v", a.status, a.body, made["secret"])
	}
	e := webhooks.Endpoint{ID: id, Account: account, Scopes: accounts.DefaultScopes(), Types: []string{webhooks.AllTypes}, Status: webhooks.Enabled}
	write := func(secrets ...webhooks.Secret) {
		e.Secrets = secrets
		if err := w.write(string(contract.WebhookEndpointAggregate), id, e); err != nil {
			t.Fatal(err)
		}
	}
	first, second := webhooks.Secret{Generation: 1, Master: w.secrets.MasterID(), EndsAt: w.now().Add(time.Hour)}, webhooks.Secret{Generation: 2, Master: w.secrets.MasterID()}
	write(second, first)
	if a := create(); a.json(t)["secret"] != made["secret"] {
		t.Errorf("while both are valid: %d %s, want the secret that it was made with", a.status, a.body)
	}
	w.advance(time.Hour)
	if a := create(); a.status != 201 || a.json(t)["secret"] != nil || !strings.Contains(string(a.body), "has been replaced") {
		t.Errorf("after it was replaced: %d %s, want no secret, and why", a.status, a.body)
	}
	e.Account = "" // deleted
	write()
	if a := create(); a.status != 404 {
		t.Errorf("after it was deleted: %d %s, want 404", a.status, a.body)
	}
}

// TestErrorsNameTheirField: whatever is wrong with a call about endpoints or events is said of what is wrong.
func TestErrorsNameTheirField(t *testing.T) {
	t.Parallel()
	w := start(t)
	th := w.writeThings(account)
	at := "/v1/webhook-endpoints/" + th.endpoint
	for _, tt := range []struct{ method, path, body, want string }{
		{"GET", at + "/deliveries?limit=0", "", "limit out_of_range"},
		{"GET", at + "/deliveries?limit=x", "", "limit out_of_range"},
		{"GET", at + "/deliveries?limit=", "", "limit out_of_range"},
		{"GET", at + "/deliveries?cursor=x", "", "cursor malformed"},
		{"GET", at + "/deliveries?cursor=x&limit=101", "", "cursor malformed,limit out_of_range"},
		{"GET", at + "/deliveries?limit=1&limit=2", "", "limit conflict"},
		{"GET", "/v1/webhook-endpoints?a=1&a=1&b=1&b=2&b=3", "", "a conflict,b conflict"},
		{"GET", "/v1/webhook-endpoints/" + strings.Repeat("x", 65), "", "endpoint_id too_long"},
		{"PATCH", at, `{"url":5}`, "url wrong_type"},
		{"PATCH", at, `{"url":"https://a..b/"}`, "url malformed"},
		{"PATCH", at, `{"types":"*"}`, "types wrong_type"},
		{"PATCH", at, `{"types":[1]}`, "types.0 wrong_type"},
		{"PATCH", at, `{"types":[]}`, "types missing"},
		{"PATCH", at, `{"description":5}`, "description wrong_type"},
		{"PATCH", at, `{"description":"` + strings.Repeat("x", 501) + `"}`, "description too_long"},
		{"PATCH", at, `{"rate_per_second":0}`, "rate_per_second out_of_range"},
		{"PATCH", at, `{"status":"disabled"}`, "status unsupported"},
		{"PATCH", at, `{"status":true,"url":"http://example.com/"}`, "status wrong_type,url malformed"},
		{"POST", at + "/rotate-secret", `{"overlap_hours":25}`, "overlap_hours out_of_range"},
		{"POST", at + "/rotate-secret", `{"overlap_hours":"1"}`, "overlap_hours wrong_type"},
		{"POST", at + "/resend", `{}`, "event_id missing"},
		{"POST", at + "/resend", `{"event_id":5}`, "event_id wrong_type"},
		{"POST", at + "/resend", `{"since":"yesterday"}`, "since malformed"},
		{"POST", at + "/resend", `{"event_id":"e","since":"` + w.now().Add(-time.Hour).UTC().Format(time.RFC3339) + `"}`, "since conflict"},
		{"GET", "/v1/events?limit=0", "", "limit out_of_range"},
		{"GET", "/v1/events?limit=1&limit=2", "", "limit conflict"},
		{"GET", "/v1/events?types=", "", "types unsupported"},
		{"GET", "/v1/events?types=order.paid&types=order.shipped", "", "types conflict"},
		{"GET", "/v1/events?wait_s=x&limit=x", "", "limit out_of_range,wait_s wrong_type"},
		{"GET", "/v1/events?after=x", "", "after malformed"},
		{"GET", "/v1/events/" + strings.Repeat("x", 81), "", "event_id too_long"},
		{"GET", "/v1/events/stream?after=x", "", "after malformed"},
		{"GET", "/v1/events/stream?after=x&after=now", "", "after conflict"},
		{"GET", "/v1/events/stream?types=order.eaten", "", "types unsupported"},
		{"STREAM", "/v1/events/stream?after=now", "", "Last-Event-ID malformed"},
		{"GET", "/v1/key-events?limit=0", "", "limit out_of_range"},
		{"GET", "/v1/key-events?cursor=x", "", "cursor malformed"},
	} {
		headers := []string{"Content-Type", "application/json", "X-API-Key", w.key.Text}
		if tt.method == "STREAM" {
			tt.method, headers = "GET", append(headers, "Last-Event-ID", "x")
		}
		a := w.do(tt.method, tt.path, strings.NewReader(tt.body), headers...)
		var reply struct{ Fields []contract.FieldProblem }
		if err := json.Unmarshal(a.body, &reply); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range reply.Fields {
			got = append(got, f.Field+" "+f.Problem)
		}
		slices.Sort(got)
		if a.status != 422 || strings.Join(got, ",") != tt.want {
			t.Errorf("%s %s %s: %d %s, want 422 for %s", tt.method, tt.path, tt.body, a.status, a.body, tt.want)
		}
	}
}

// TestEndpointsOfPublicKeys: one that wants signatures by ed25519 has no secret; its public key is shown
// whenever it is, and stays out of those that have a secret.
func TestEndpointsOfPublicKeys(t *testing.T) {
	t.Parallel()
	w := start(t)
	made := w.post("/v1/webhook-endpoints", `{"url":"https://example.com/hooks","types":["*"],"signature":"v1a"}`, keyHeader, "k1")
	e, _ := made.json(t)["endpoint"].(map[string]any)
	id, _ := e["endpoint_id"].(string)
	pair, ok := w.secrets.WebhookSigningKey(w.secrets.MasterID(), id, 1)
	if !ok {
		t.Fatalf("made: %d %s", made.status, made.body)
	}
	want := "whpk_" + base64.StdEncoding.EncodeToString(pair.Public().(ed25519.PublicKey))
	if made.status != 201 || e["signature"] != "v1a" || fmt.Sprint(e["public_keys"]) != "["+want+"]" || made.json(t)["secret"] != nil || made.json(t)["notes"] != nil {
		t.Errorf("made: %d %s, want the key %s and no secret", made.status, made.body, want)
	}
	for _, private := range []string{"whsk_", "whsec_", base64.StdEncoding.EncodeToString(pair.Seed()), base64.StdEncoding.EncodeToString(pair)} {
		if strings.Contains(string(made.body), private) {
			t.Errorf("made: %s, want no %s in it", made.body, private)
		}
	}
	for _, a := range []answer{
		w.post("/v1/webhook-endpoints", `{"url":"https://example.com/hooks","types":["*"],"signature":"v1a"}`, keyHeader, "k1"), w.get("/v1/webhook-endpoints/" + id), w.get("/v1/webhook-endpoints"),
	} {
		if a.status >= 300 || !strings.Contains(string(a.body), want) {
			t.Errorf("%d %s, want the key %s", a.status, a.body, want)
		}
	}
	usual := w.post("/v1/webhook-endpoints", `{"url":"https://example.com/hooks","types":["*"],"signature":"v1"}`)
	if !strings.Contains(string(usual.body), `"signature":"v1","public_keys":[]`) || usual.json(t)["secret"] == nil {
		t.Errorf("with v1: %d %s, want a secret and no key", usual.status, usual.body)
	}
}
