package edge_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/webhooks"
)

var webhookSecret = regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`)

// addEndpoint makes an endpoint in the portal, and gives its id and the page with its secret.
func (v *portalVisit) addEndpoint(fields ...string) (string, portalPage) {
	v.w.t.Helper()
	at := "/portal/webhooks/add"
	p := v.post(at, v.fill(v.get(at), at, fields...))
	_, id, _ := strings.Cut(p.body, `href="/portal/webhooks/`)
	id, _, _ = strings.Cut(id, `"`)
	return id, p
}

// readLast gives the data of the newest command of a name.
func readLast[D any](w *world, name contract.CommandName) (data D) {
	w.t.Helper()
	all := w.commandsOf(name)
	if len(all) == 0 {
		w.t.Fatalf("no %s was sent", name)
	}
	if err := json.Unmarshal(all[len(all)-1].Data, &data); err != nil {
		w.t.Fatal(err)
	}
	return data
}

// TestPortalWebhooks: a developer makes an endpoint, whose secret is shown once, changes, pauses, tests, rotates and
// deletes it; each is the API's command, in the account's name, and recorded as the member's.
func TestPortalWebhooks(t *testing.T) {
	t.Parallel()
	w := start(t)
	dev := memberOf(accounts.Developer, w.now())
	w.putAccount(acme(w.now(), memberOf(accounts.Owner, w.now()), dev))
	v := w.portal()
	v.signIn(dev.Email)
	at := "/portal/webhooks/add"
	form := v.fill(v.get(at), at, "url", "https://example.com/hooks", "mode", "live", "all", "yes", "description", "<b>main</b>", "rate_per_second", "7")
	p := v.post(at, form)
	secret := webhookSecret.FindString(p.body)
	made := readLast[webhooks.CreateData](w, webhooks.Create)
	key, _ := w.secrets.WebhookSecret(w.secrets.MasterID(), made.Endpoint, 1)
	if p.status != 201 || secret == "" || !strings.Contains(strings.ReplaceAll(p.body, "&#43;", "+"), secretText(key)) {
		t.Fatalf("made: %d, secret %q; want 201 and %q", p.status, secret, secretText(key))
	}
	if fmt.Sprint(made.Types) != "[*]" || made.RatePerSecond != 7 || !slices.Equal(made.Scopes, accounts.DefaultScopes()) || made.Key != "" || w.commandsOf(webhooks.Create)[0].Account != account {
		t.Errorf("the command is %+v of %s", made, w.commandsOf(webhooks.Create)[0].Account)
	}
	if act := readLast[accounts.NoteEndpointActData](w, accounts.NoteEndpointAct); act.Member != dev.ID || act.Endpoint != made.Endpoint || act.Verb != webhooks.Create.Verb || act.From == "" {
		t.Errorf("recorded %+v, want that %s made %s", act, dev.ID, made.Endpoint)
	}
	if p := v.post(at, form); p.status != 403 || webhookSecret.MatchString(p.body) || len(w.commandsOf(webhooks.Create)) != 1 {
		t.Errorf("sent again: %d, %d commands; want to be told, without the secret", p.status, len(w.commandsOf(webhooks.Create)))
	}
	here := "/portal/webhooks/" + made.Endpoint
	for _, path := range []string{"/portal/webhooks", here, here + "/change", here + "/rotate", here + "/delete"} {
		if p := v.get(path); p.status != 200 || webhookSecret.MatchString(p.body) || strings.Contains(p.body, "<b>main") || !strings.Contains(p.body, "https://example.com/hooks") {
			t.Errorf("%s: %d; want the endpoint without its secret, and what strangers wrote as text:\n%s", path, p.status, p.body)
		}
	}
	form = v.fill(v.get(here+"/change"), here+"/change", "type", "order.paid", "description", "")
	form.Set("url", "https://example.org/new")
	form.Set("rate_per_second", "9")
	if p := v.post(here+"/change", form); p.status != 200 || p.path != here || !strings.Contains(p.body, "The endpoint is changed") {
		t.Errorf("changed: %d at %s", p.status, p.path)
	}
	if c := readLast[webhooks.ChangeData](w, webhooks.Change); *c.URL != "https://example.org/new" || fmt.Sprint(c.Types) != "[order.paid]" || *c.Description != "" || *c.RatePerSecond != 9 || c.Status != nil || c.Operator != "" {
		t.Errorf("the change is %+v", c)
	}
	for _, status := range []webhooks.Status{webhooks.Paused, webhooks.Enabled} {
		if p := v.post(here+"/status", v.fill(v.get(here), here+"/status")); p.status != 200 || *readLast[webhooks.ChangeData](w, webhooks.Change).Status != status {
			t.Errorf("the button sends %+v, %d; want %s", readLast[webhooks.ChangeData](w, webhooks.Change), p.status, status)
		}
	}
	if p := v.post(here+"/test", v.fill(v.get(here), here+"/test")); p.status != 200 || len(w.commandsOf(webhooks.Test)) != 1 {
		t.Errorf("test: %d, %d commands", p.status, len(w.commandsOf(webhooks.Test)))
	}
	form = v.fill(v.get(here+"/rotate"), here+"/rotate")
	if p := v.post(here+"/rotate", form); p.status != 200 || !webhookSecret.MatchString(p.body) || readLast[webhooks.RotateData](w, webhooks.Rotate).Overlap != 24*time.Hour {
		t.Errorf("rotated: %d, %+v; want a new secret, the old one for a day", p.status, readLast[webhooks.RotateData](w, webhooks.Rotate))
	}
	if p := v.post(here+"/rotate", form); p.status != 403 || webhookSecret.MatchString(p.body) {
		t.Errorf("rotated again by the same form: %d, want to be told", p.status)
	}
	if p := v.post(here+"/delete", v.fill(v.get(here+"/delete"), here+"/delete")); p.status != 422 || len(w.commandsOf(webhooks.Delete)) != 0 {
		t.Errorf("delete without being sure: %d", p.status)
	}
	if p := v.post(here+"/delete", v.fill(v.get(here+"/delete"), here+"/delete", "sure", "yes")); p.status != 200 || p.path != "/portal/webhooks" || v.get(here).status != 404 {
		t.Errorf("deleted: %d at %s, then %d", p.status, p.path, v.get(here).status)
	}
}

// TestPortalEndpointsAreRefused: a form is held to what the API is held to, and says at which field; no command is sent.
func TestPortalEndpointsAreRefused(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.putAccount(acme(w.now()))
	v := w.portal()
	v.signIn(owner)
	for name, tt := range map[string]struct{ url, typ, rate, want string }{
		"a private address":  {"https://10.0.0.1/", "order.paid", "", "cannot be reached from the internet"},
		"without TLS":        {"http://example.com/", "order.paid", "", "begins with https://"},
		"no address":         {" ", "order.paid", "", "url is empty"},
		"no type":            {"https://example.com/", "", "", "names one type at least"},
		"a type that is not": {"https://example.com/", "order.eaten", "", "unknown event"},
		"too fast":           {"https://example.com/", "order.paid", "501", "between 1 and 500"},
		"no number":          {"https://example.com/", "order.paid", "ten", "is a number"},
	} {
		form := []string{"url", tt.url, "mode", "live", "rate_per_second", tt.rate}
		if tt.typ != "" {
			form = append(form, "type", tt.typ)
		}
		if _, p := v.addEndpoint(form...); p.status != 422 || !strings.Contains(p.body, tt.want) || strings.Count(p.body, `role="alert"`) != 1 {
			t.Errorf("%s: %d, want 422 and %q once:\n%s", name, p.status, tt.want, p.body)
		}
	}
	if n := len(w.commandsOf(webhooks.Create)) + len(w.commandsOf(accounts.NoteEndpointAct)); n != 0 {
		t.Errorf("%d commands were sent, want none", n)
	}
	if _, p := v.addEndpoint("url", "https://example.com/", "mode", "test", "all", "yes"); p.status != 201 || w.commandsOf(webhooks.Create)[0].Account != contract.TestOwner(account) {
		t.Errorf("a test one: %d, want 201", p.status)
	}
}

// putEndpoint stores an endpoint as the projector does.
func (w *world) putEndpoint(e webhooks.Endpoint) {
	w.t.Helper()
	e.Scopes, e.Types, e.RatePerSecond = accounts.DefaultScopes(), []string{webhooks.AllTypes}, 20
	e.Secrets = []webhooks.Secret{{Generation: 1, Master: w.secrets.MasterID(), CreatedAt: w.now()}}
	if e.URL == "" {
		e.URL = "https://example.com/hooks"
	}
	if e.Status == "" {
		e.Status = webhooks.Enabled
	}
	e.CreatedAt, e.ChangedAt = w.now(), w.now()
	w.putListed(contract.WebhookEndpointAggregate, e.ID, map[string]string{"account": e.Account}, e)
}

// furnishEndpoints makes an endpoint that fails, one that was given up, one that our team stopped, a paused one of test
// keys and one of a stranger, with deliveries whose replies strangers wrote.
func (w *world) furnishEndpoints() feed.Entry {
	w.t.Helper()
	at := w.now().UTC().Add(-time.Hour)
	w.putEndpoint(webhooks.Endpoint{ID: "we_failing", Account: account, URL: "https://partner.example/hooks/with/a/long/path/that/does/not/fit?tenant=0123456789", Description: "Production <b>shop</b>"})
	w.putEndpoint(webhooks.Endpoint{ID: "we_refused", Account: account})
	w.putEndpoint(webhooks.Endpoint{ID: "we_given_up", Account: account, Status: webhooks.Disabled, Disabled: &webhooks.Disabling{At: at, Reason: webhooks.Failing, FailingSince: at.Add(-webhooks.MaxFailing)}})
	w.putEndpoint(webhooks.Endpoint{ID: "we_gone", Account: account, Status: webhooks.Disabled, Disabled: &webhooks.Disabling{At: at, Reason: webhooks.Gone, FailingSince: at}})
	w.putEndpoint(webhooks.Endpoint{ID: "we_stopped", Account: account, Status: webhooks.Disabled, Disabled: &webhooks.Disabling{At: at, Reason: webhooks.Stopped, FailingSince: at}})
	w.putEndpoint(webhooks.Endpoint{ID: "we_test", Account: contract.TestOwner(account), Status: webhooks.Paused})
	w.putEndpoint(webhooks.Endpoint{ID: "we_theirs", Account: "acc_other"})
	progress, err := w.bus.Bucket(w.t.Context(), contract.WebhookProgressBucket)
	if err != nil {
		w.t.Fatal(err)
	}
	for id, p := range map[string]webhooks.Progress{
		"we_failing":  {FailingSince: &at, Failures: 12, At: at, SucceededAt: &at, Lanes: []webhooks.Lane{{Key: "a", Attempts: 2, Next: w.now().Add(time.Hour)}, {Key: "b"}}},
		"we_refused":  {FailingSince: &at, Failures: 1, At: at},
		"we_given_up": {FailingSince: &at, Failures: 90, At: at},
	} {
		value, err := json.Marshal(p)
		if err == nil {
			_, err = progress.Create(w.t.Context(), id, value)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
	if err := w.bus.LogDelivery(w.t.Context(), "we_refused", webhooks.Delivery{Number: 1, Attempt: 1, At: at, Outcome: webhooks.Failed, Problem: "The connection was refused."}); err != nil {
		w.t.Fatal(err)
	}
	entry := w.tell(account, "quote-1", 1)
	next := w.now().Add(time.Hour)
	for n := range uint64(25) {
		d := webhooks.Delivery{Number: n + 1, Event: entry.ID, Type: string(entry.Type), Object: "req_1", Attempt: int(n) + 1, At: at.Add(time.Duration(n) * time.Second), Millis: 31, URL: "https://partner.example/hooks", Outcome: webhooks.Failed, NextAt: &next}
		switch n {
		case 24:
			d.Status, d.Reply = 500, `<script>alert(1)</script> `+strings.Repeat("long ", 900)
		case 23:
			d.Problem = "the name of the receiver is not known"
		case 22:
			d.Outcome, d.Status, d.NextAt = webhooks.GivenUp, 503, nil
		default:
			d.Outcome, d.Status, d.NextAt = webhooks.Delivered, 204, nil
		}
		if err := w.bus.LogDelivery(w.t.Context(), "we_failing", d); err != nil {
			w.t.Fatal(err)
		}
	}
	return entry
}

// TestPortalDeliveries: the log of an endpoint, an attempt with what was sent and replied, sending one again and all since
// a time; what fails says since when and why; nothing of another account's.
func TestPortalDeliveries(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.putAccount(acme(w.now()))
	entry := w.furnishEndpoints()
	v := w.portal()
	v.signIn(owner)
	for path, want := range map[string][]string{
		"/portal/webhooks":             {"failing", "disabled", "stopped", "paused", "Production &lt;b&gt;shop"},
		"/portal/webhooks/we_failing":  {"Every attempt has failed since", "12 in all", "the receiver answered 500", "1 object has an event", "given up", "req_1", "?cursor=6"},
		"/portal/webhooks/we_refused":  {"The last one: The connection was refused. After five days"},
		"/portal/webhooks/we_given_up": {"Disabled on", "for five days", "Turn on", "All after that waits"},
		"/portal/webhooks/we_gone":     {"answered 410", "Turn on"},
		"/portal/webhooks/we_stopped":  {"Our team stopped this endpoint"},
		"/portal/webhooks/we_test":     {"paused", "Turn on", "Nothing was sent yet"},

		"/portal/webhooks/we_failing?cursor=6":      {"/deliveries/5"},
		"/portal/webhooks/we_failing/deliveries/25": {"&lt;script&gt;alert(1)", "webhook-id", entry.ID, "&#34;type&#34;: &#34;quote.priced&#34;", "written by it"},
		"/portal/webhooks/we_failing/deliveries/24": {"the name of the receiver is not known", "no reply"},
	} {
		p := v.get(path)
		for _, part := range want {
			if p.status != 200 || !strings.Contains(p.body, part) {
				t.Errorf("%s: %d, lacks %q:\n%s", path, p.status, part, p.body)
			}
		}
		if strings.Contains(p.body, "<script") || strings.Contains(p.body, "we_theirs") || strings.Count(p.body, "long ") > 300 {
			t.Errorf("%s has a script, a stranger's endpoint, or more than 1 kB of a reply", path)
		}
	}
	if p := v.get("/portal/webhooks/we_stopped"); strings.Contains(p.body, "Turn on") {
		t.Error("what our team stopped can be turned on")
	}
	for _, path := range []string{"/portal/webhooks/we_theirs", "/portal/webhooks/we_theirs/change", "/portal/webhooks/we_theirs/deliveries/1", "/portal/webhooks/we_failing/deliveries/26", "/portal/webhooks/we_failing/deliveries/x"} {
		if p := v.get(path); p.status != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, p.status)
		}
	}
	at := "/portal/webhooks/we_failing/resend"
	if p := v.post(at, v.fill(v.get("/portal/webhooks/we_failing/deliveries/25"), at)); p.status != 200 || readLast[webhooks.ResendData](w, webhooks.Resend).Key != entry.Key || readLast[webhooks.ResendData](w, webhooks.Resend).Seq == 0 {
		t.Errorf("one again: %d, %+v; want the place of %s", p.status, readLast[webhooks.ResendData](w, webhooks.Resend), entry.Key)
	}
	form := v.fill(v.get("/portal/webhooks/we_failing"), at)
	since := w.now().UTC().Add(-3 * time.Hour).Truncate(time.Minute)
	form.Set("since", since.Format("2006-01-02T15:04"))
	if p := v.post(at, form); p.status != 200 || !readLast[webhooks.ResendData](w, webhooks.Resend).Since.Equal(since) {
		t.Errorf("since %s: %d, %+v", since, p.status, readLast[webhooks.ResendData](w, webhooks.Resend))
	}
	for _, wrong := range []string{"2020-01-01T00:00", "soon", ""} {
		form = v.fill(v.get("/portal/webhooks/we_failing"), at)
		if form.Set("since", wrong); v.post(at, form).status != 422 {
			t.Errorf("since %q: %d, want 422", wrong, v.post(at, form).status)
		}
	}
	form = v.fill(v.get("/portal/webhooks/we_failing"), at)
	form.Del("since")
	if form.Set("event_id", w.tell("acc_other", "quote-2", 1).ID); v.post(at, form).status != 404 {
		t.Errorf("an event of another account: %d, want 404", v.post(at, form).status)
	}
	for _, command := range []string{"status", "test", "resend", "delete", "change", "rotate"} {
		form.Set("status", "paused")
		if p := v.post("/portal/webhooks/we_theirs/"+command, form); p.status != 404 {
			t.Errorf("%s a stranger's endpoint: %d, want 404", command, p.status)
		}
	}
	if n := len(w.commandsOf(webhooks.Resend)); n != 2 {
		t.Errorf("%d commands to send again, want 2", n)
	}
}
