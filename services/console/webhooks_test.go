package console_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/webhooks"
)

// furnishEndpoints gives the account an endpoint that works, one that fails, one that was stopped and one of its
// test keys.
func (w *world) furnishEndpoints() {
	w.t.Helper()
	now := time.Now().UTC()
	progress, err := w.bus.Bucket(w.t.Context(), contract.WebhookProgressBucket)
	if err != nil {
		w.t.Fatal(err)
	}
	for id, of := range map[string]struct {
		owner    string
		status   webhooks.Status
		disabled *webhooks.Disabling
		progress webhooks.Progress
	}{
		"we_good":    {account, webhooks.Enabled, nil, webhooks.Progress{SucceededAt: &now}},
		"we_failing": {account, webhooks.Enabled, nil, webhooks.Progress{FailingSince: &now, Lanes: []webhooks.Lane{{Key: "a", Attempts: 2}, {Key: "b"}}}},
		"we_stopped": {account, webhooks.Disabled, &webhooks.Disabling{At: now, Reason: webhooks.Stopped}, webhooks.Progress{}},
		"we_test":    {contract.TestOwner(account), webhooks.Paused, nil, webhooks.Progress{}},
		"we_theirs":  {"acc_other", webhooks.Enabled, nil, webhooks.Progress{}},
	} {
		commit(w, contract.WebhookEndpointAggregate, id, webhooks.EventCreated, of.owner, webhooks.Endpoint{
			ID: id, Account: of.owner, Key: "key1", Scopes: accounts.DefaultScopes(), URL: "https://partner.example/hooks/" + id, Types: []string{"*"}, Description: "Production",
			RatePerSecond: 20, Status: of.status, Disabled: of.disabled, CreatedAt: now, ChangedAt: now,
		})
		value, err := json.Marshal(of.progress)
		if err == nil {
			_, err = progress.Create(w.t.Context(), id, value)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// TestWebhookEndpoints: an operator sees an account's endpoints and how they do, and stops and starts them.
func TestWebhookEndpoints(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	w.furnishEndpoints()
	at := "/accounts/" + account + "/webhooks"
	ben := w.signInAs("ben")
	ben.get("/accounts/"+account).wants(t, http.StatusOK, `href="`+at+`"`)
	page := ben.get(at)
	page.wants(t, http.StatusOK, "https://partner.example/hooks/we_good", "we_failing", "we_stopped", "we_test")
	page.lacks(t, "we_theirs")
	ann := w.signInAs("ann")
	ann.get(at).wants(t, http.StatusOK, `action="`+at+`/we_good/stop"`, `action="`+at+`/we_stopped/start"`)
	ann.get("/accounts/acc_none/webhooks").wants(t, http.StatusNotFound)
	for _, other := range []string{"/we_theirs/stop", "/we_none/start"} {
		ann.post(at+other, ann.form(at, at+"/we_good/stop")).wants(t, http.StatusNotFound)
	}
}
