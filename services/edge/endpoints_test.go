package edge_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

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
		ID: d.Endpoint, Account: c.Account, Scopes: d.Scopes, URL: d.URL, Types: d.Types, Description: d.Description, RatePerSecond: d.RatePerSecond,
		Status: webhooks.Enabled, Secrets: []webhooks.Secret{{Generation: 1, Master: d.Master}}, CreatedAt: w.now(), ChangedAt: w.now(),
	}
	keys := map[string]string{"account": c.Account}
	switch c.Name {
	case webhooks.Change:
		e.Scopes, e.Types, e.Status = accounts.DefaultScopes(), []string{webhooks.AllTypes}, *d.Status
	case webhooks.Rotate, webhooks.Test, webhooks.Resend:
		e.Scopes, e.Types, e.TestedAt = accounts.DefaultScopes(), []string{webhooks.AllTypes}, 2
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

// TestEndpointsHaveScopes: a key sees and changes no endpoint that may be told of more than itself, and
// one account has so many.
func TestEndpointsHaveScopes(t *testing.T) {
	t.Parallel()
	w := start(t)
	few := newKey(w, account, []string{accounts.ScopeOrders}, nil)
	var id string
	for range webhooks.MaxEndpoints {
		e := w.post("/v1/webhook-endpoints", `{"url":"https://example.com/hooks","types":["*"]}`).json(t)["endpoint"].(map[string]any)
		id = e["endpoint_id"].(string)
	}
	if a := w.post("/v1/webhook-endpoints", `{"url":"https://example.com/hooks","types":["*"]}`); a.status != 422 {
		t.Errorf("one more than %d: %d %s, want 422", webhooks.MaxEndpoints, a.status, a.body)
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
