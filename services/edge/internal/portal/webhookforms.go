package portal

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/webhooks"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
)

// minuteLayout is how forms write a time, in UTC.
const minuteLayout = "2006-01-02T15:04"

type endpointFormView struct {
	frame
	Endpoint *webhooks.Endpoint // that is changed; nil: one is made
	URL      string
	About    string
	Rate     string
	All      bool
	Chosen   []string
	Types    []string
	Test     bool
	MaxRate  int
	Problems map[string]string // by field
}

// Has is for templates.
func (v endpointFormView) Has(name string) bool { return slices.Contains(v.Chosen, name) }

func (p *Portal) endpointFormView(c *call, e *webhooks.Endpoint) endpointFormView {
	v := endpointFormView{frame: p.frame("Add a webhook endpoint", c), Rate: strconv.Itoa(webhooks.DefaultRate), All: true, Types: typeNames(), MaxRate: webhooks.MaxRate}
	if e != nil {
		v.Title, v.Endpoint, v.URL, v.About, v.Rate, v.Test = "Change the endpoint", e, e.URL, e.Description, strconv.Itoa(e.RatePerSecond), contract.IsTest(e.Account)
		v.All, v.Chosen = slices.Contains(e.Types, webhooks.AllTypes), e.Types
	}
	return v
}

// read keeps what was typed and gives it as the API's body has it.
func (v *endpointFormView) read(form url.Values) map[string]any {
	v.URL, v.About, v.Rate = strings.TrimSpace(form.Get("url")), form.Get("description"), strings.TrimSpace(form.Get("rate_per_second"))
	v.All, v.Chosen, v.Test = form.Get("all") == "yes", form["type"], form.Get("mode") == "test"
	types := []any{}
	for _, name := range v.Chosen {
		types = append(types, name)
	}
	if v.All {
		types = []any{webhooks.AllTypes}
	}
	body := map[string]any{"url": v.URL, "description": v.About, "types": types}
	if v.Rate != "" {
		body["rate_per_second"] = json.Number(v.Rate)
	}
	return body
}

// fieldProblems are what is wrong with which field of a form; ok is false where err is about
// something else.
func fieldProblems(err error) (by map[string]string, ok bool) {
	fields := problem.Find(err).Refusal.Fields
	by = map[string]string{}
	for _, f := range fields {
		name, _, _ := strings.Cut(f.Field, ".") // an entry of a list is told at the list
		by[name] = f.Message
	}
	return by, len(fields) > 0
}

// tell answers a form about an endpoint that was refused: on a page of its own unless its fields were.
func (p *Portal) tell(c *call, err error, show func(problems map[string]string) error) error {
	if by, ok := fieldProblems(err); ok {
		return show(by)
	}
	switch told := problem.Find(err); {
	case told.Status == http.StatusNotFound:
		return p.missing(c, "webhook endpoint, or event of the last 30 days")
	case told.Status < http.StatusInternalServerError:
		return p.refuse(c, told.Refusal.Message)
	}
	return err
}

// newEndpointPage answers GET /portal/webhooks/add.
func (p *Portal) newEndpointPage(c *call) error {
	return p.show(c.Call, http.StatusOK, "webhookform", p.endpointFormView(c, nil))
}

// newEndpoint answers POST /portal/webhooks/add: the endpoint is made, and its secret shown this once.
func (p *Portal) newEndpoint(c *call) error {
	v := p.endpointFormView(c, nil)
	body := v.read(c.form)
	refused := func(by map[string]string) error {
		v.Problems = by
		return p.show(c.Call, http.StatusUnprocessableEntity, "webhookform", v)
	}
	data, err := p.Endpoints.ReadNew(body, jsonbody.NewFields(body), mayAll)
	if err != nil {
		return p.tell(c, err, refused)
	}
	owner := accounts.APIKey{Live: !v.Test}.Owner(c.account.ID)
	if sent, err := p.wasSent(c); err != nil || sent {
		return err
	}
	if err := p.takeEndpoint(c); err != nil {
		return err
	}
	data.Scopes = accounts.DefaultScopes()
	data.Endpoint = webhooks.Prefix + contract.DeriveID("portal endpoint", c.request())
	e, err := p.carryOut(c, owner, data.Endpoint, webhooks.Create, data)
	if err != nil {
		return p.tell(c, err, refused)
	}
	return p.showSecret(c, http.StatusCreated, "Your new endpoint", e)
}

// wasSent answers a form whose request was carried out before: its secret was shown then.
func (p *Portal) wasSent(c *call) (bool, error) {
	before, err := p.readOutcome(c.Context(), c.request())
	if err != nil {
		return true, problem.Unavailable(err)
	}
	if before == nil {
		return false, nil
	}
	return true, p.refuse(c, "This form was sent before, and the secret was shown then. If it is lost, rotate it.")
}

// takeEndpoint counts an endpoint that an account's members make.
func (p *Portal) takeEndpoint(c *call) error {
	state, err := p.Limiter.Take(c.Context(), limit.WebhookEndpoints, limit.OwnerName(c.account.ID))
	if err != nil {
		return problem.Unavailable(err)
	}
	if !state.Allowed {
		return problem.New(contract.RateLimited, "Many endpoints were made in the last hour. Please wait %d minutes and try again.", state.RetryAfter()/60+1)
	}
	return nil
}

type endpointSecretView struct {
	frame
	State  webhooks.Endpoint
	Secret string    // shown this once; "" where deliveries are signed by a key
	Public []string  // that verify such
	Until  time.Time // the one before it stays valid; zero: there is none
}

func (p *Portal) showSecret(c *call, status int, title string, e webhooks.Endpoint) error {
	v := endpointSecretView{frame: p.frame(title, c), State: e, Public: p.Endpoints.PublicKeys(e)}
	var err error
	if v.Secret, err = p.Endpoints.SecretText(e, e.Secrets[0]); err != nil {
		return err
	}
	if len(e.Secrets) > 1 {
		v.Until = e.Secrets[1].EndsAt
	}
	return p.show(c.Call, status, "webhooksecret", v)
}

// changeEndpointPage answers GET /portal/webhooks/{endpoint}/change.
func (p *Portal) changeEndpointPage(c *call, e webhooks.Endpoint) error {
	return p.show(c.Call, http.StatusOK, "webhookform", p.endpointFormView(c, &e))
}

// changeEndpoint answers POST /portal/webhooks/{endpoint}/change.
func (p *Portal) changeEndpoint(c *call, e webhooks.Endpoint) error {
	v := p.endpointFormView(c, &e)
	body := v.read(c.form)
	data, err := p.Endpoints.ReadChange(body, jsonbody.NewFields(body), mayAll)
	if err == nil {
		data.Endpoint = e.ID
		_, err = p.carryOut(c, e.Account, e.ID, webhooks.Change, data)
	}
	if err != nil {
		return p.tell(c, err, func(by map[string]string) error {
			v.Problems = by
			return p.show(c.Call, http.StatusUnprocessableEntity, "webhookform", v)
		})
	}
	return redirect(c.Call, root+"/webhooks/"+e.ID+"?done=endpoint")
}

// setStatus answers POST /portal/webhooks/{endpoint}/status: it is paused, or goes on.
func (p *Portal) setStatus(c *call, e webhooks.Endpoint) error {
	body := map[string]any{"status": c.form.Get("status")}
	data, err := p.Endpoints.ReadChange(body, jsonbody.NewFields(body), mayAll)
	if err == nil && data.Status != nil {
		data.Endpoint = e.ID
		_, err = p.carryOut(c, e.Account, e.ID, webhooks.Change, data)
	}
	return p.goBack(c, e, err, "status-"+c.form.Get("status"))
}

// goBack goes on at the endpoint's page, which says what was done or what is wrong.
func (p *Portal) goBack(c *call, e webhooks.Endpoint, err error, done string) error {
	if err == nil {
		return redirect(c.Call, root+"/webhooks/"+e.ID+"?done="+url.QueryEscape(done))
	}
	return p.tell(c, err, func(by map[string]string) error {
		v, err := p.endpointView(c, e)
		if err != nil {
			return err
		}
		v.Problems = by
		if since := c.form.Get("since"); since != "" {
			v.Since = since
		}
		return p.show(c.Call, http.StatusUnprocessableEntity, "webhook", v)
	})
}

// testEndpoint answers POST /portal/webhooks/{endpoint}/test.
func (p *Portal) testEndpoint(c *call, e webhooks.Endpoint) error {
	_, err := p.carryOut(c, e.Account, e.ID, webhooks.Test, webhooks.Data{Endpoint: e.ID})
	return p.goBack(c, e, err, "tested")
}

// resendEvents answers POST /portal/webhooks/{endpoint}/resend: one event, or all since a time.
func (p *Portal) resendEvents(c *call, e webhooks.Endpoint) error {
	body := map[string]any{}
	if id := c.form.Get("event_id"); id != "" {
		body["event_id"] = id
	}
	if since := c.form.Get("since"); since != "" {
		body["since"] = since[:min(len(since), len(minuteLayout))] + ":00Z"
	}
	data, err := p.Endpoints.ReadResend(c.Context(), jsonbody.NewFields(body), e, mayAll)
	if err == nil {
		_, err = p.carryOut(c, e.Account, e.ID, webhooks.Resend, data)
	}
	return p.goBack(c, e, err, "resent")
}

type endpointActView struct {
	frame
	State   webhooks.Endpoint
	Problem string
}

// rotateSecretPage answers GET /portal/webhooks/{endpoint}/rotate.
func (p *Portal) rotateSecretPage(c *call, e webhooks.Endpoint) error {
	return p.show(c.Call, http.StatusOK, "webhookrotate", endpointActView{frame: p.frame("Rotate the secret", c), State: e})
}

// rotateSecret answers POST /portal/webhooks/{endpoint}/rotate.
func (p *Portal) rotateSecret(c *call, e webhooks.Endpoint) error {
	if sent, err := p.wasSent(c); err != nil || sent {
		return err
	}
	e, err := p.carryOut(c, e.Account, e.ID, webhooks.Rotate, webhooks.RotateData{Endpoint: e.ID, Master: p.Secrets.MasterID(), Overlap: webhooks.MaxOverlap})
	if err != nil {
		return p.tell(c, err, func(map[string]string) error { return err })
	}
	return p.showSecret(c, http.StatusOK, "The new secret", e)
}

// deleteEndpointPage answers GET /portal/webhooks/{endpoint}/delete.
func (p *Portal) deleteEndpointPage(c *call, e webhooks.Endpoint) error {
	return p.show(c.Call, http.StatusOK, "webhookdelete", endpointActView{frame: p.frame("Delete the endpoint", c), State: e})
}

// deleteEndpoint answers POST /portal/webhooks/{endpoint}/delete.
func (p *Portal) deleteEndpoint(c *call, e webhooks.Endpoint) error {
	if c.form.Get("sure") != "yes" {
		v := endpointActView{frame: p.frame("Delete the endpoint", c), State: e, Problem: "Nothing was done: please tick the box to confirm."}
		return p.show(c.Call, http.StatusUnprocessableEntity, "webhookdelete", v)
	}
	if _, err := p.carryOut(c, e.Account, e.ID, webhooks.Delete, webhooks.Data{Endpoint: e.ID}); err != nil {
		return p.tell(c, err, func(map[string]string) error { return err })
	}
	return redirect(c.Call, root+"/webhooks?done=deleted")
}

// indentJSON writes a value for people to read.
func indentJSON(v any) (string, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return out.String(), err
}
