// Package endpoint is the edge's part in webhook endpoints: it reads what clients want, passes it on,
// and shows what there is. Whoever delivers is the webhooks service.
package endpoint

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/webhooks"
	"boardorder/pkg/projection"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// Progress is where it lies how far endpoints were delivered to: a [bus.Bucket].
type Progress interface {
	Get(ctx context.Context, key string) (value []byte, rev uint64, err error)
}

// Endpoints answers what is asked about webhook endpoints.
type Endpoints struct {
	*dispatch.Client
	Progress Progress
	Log      Log
	Events   Events
	// Sources are the addresses and networks that deliveries come from, where they are fixed.
	Sources []string
	// Loopback lets endpoints be on this machine.
	Loopback bool
}

// Log has what came of attempts to deliver.
type Log interface {
	// Deliveries gives attempts with numbers below one, newest first; below 0: all.
	Deliveries(ctx context.Context, endpoint string, below uint64, limit int) ([]webhooks.Delivery, error)
}

// Events finds public events.
type Events interface {
	// Find gives an owner's event by its id; ok is false where there is none.
	Find(ctx context.Context, owner, id string) (e feed.Entry, ok bool, err error)
}

const (
	maxID   = 64
	timeout = 25 * time.Second // for a command's outcome
	kind    = string(contract.WebhookEndpointAggregate)
)

// Endpoint is an endpoint as its owner sees it.
type Endpoint struct {
	EndpointID    string           `json:"endpoint_id"`
	URL           string           `json:"url"`
	Types         []string         `json:"types"`
	Description   string           `json:"description"`
	RatePerSecond int              `json:"rate_per_second"`
	Status        webhooks.Status  `json:"status"`
	DisabledAt    *time.Time       `json:"disabled_at"`
	DisabledFor   *webhooks.Reason `json:"disabled_reason"`
	Livemode      bool             `json:"livemode"`
	// Signature says how deliveries are signed. PublicKeys verify those by ed25519, the newest first;
	// none where a secret does.
	Signature  webhooks.Signature `json:"signature"`
	PublicKeys []string           `json:"public_keys"`
	CreatedAt  time.Time          `json:"created_at"`
	ChangedAt  time.Time          `json:"changed_at"`
	// Of its deliveries, as far as it was written down, seconds ago at the most.
	LastSuccessAt *time.Time `json:"last_success_at"`
	FailingSince  *time.Time `json:"failing_since"`
	Waiting       int        `json:"waiting"` // objects with an event that waits for another attempt
}

// Single is the reply about one endpoint. Secret is there when it was made, where there is one.
type Single struct {
	OK       bool     `json:"ok"`
	Endpoint Endpoint `json:"endpoint"`
	Secret   string   `json:"secret,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

// List is the reply of GET /v1/webhook-endpoints.
type List struct {
	OK              bool       `json:"ok"`
	Endpoints       []Endpoint `json:"endpoints"`
	SourceAddresses []string   `json:"source_addresses"`
}

// List answers GET /v1/webhook-endpoints.
func (k *Endpoints) List(c *web.Call) error {
	all, err := k.ListOf(c.Context(), c.Caller.Account)
	if err != nil {
		return err
	}
	reply := List{OK: true, Endpoints: []Endpoint{}, SourceAddresses: append([]string{}, k.Sources...)}
	for _, e := range all {
		if !mayManage(c, e) {
			continue
		}
		shown, err := k.show(c.Context(), e)
		if err != nil {
			return err
		}
		reply.Endpoints = append(reply.Endpoints, shown)
	}
	return c.JSON(http.StatusOK, reply)
}

// ListOf gives the endpoints of an owner, newest first.
func (k *Endpoints) ListOf(ctx context.Context, owner string) ([]webhooks.Endpoint, error) {
	docs, _, err := k.Docs.List(ctx, kind, "account", owner, projection.Page{Limit: 2 * webhooks.MaxEndpoints})
	if err != nil {
		return nil, problem.Unavailable(err)
	}
	out := make([]webhooks.Endpoint, 0, len(docs))
	for _, doc := range docs {
		e, err := outcome.Decode[webhooks.Endpoint](doc)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// mayManage tells whether a key may see and change an endpoint: it has all scopes that the endpoint has,
// so it learns and does by it nothing that it could not without.
func mayManage(c *web.Call, e webhooks.Endpoint) bool {
	return !slices.ContainsFunc(e.Scopes, func(scope string) bool { return !c.Caller.May(scope) })
}

// Show answers GET /v1/webhook-endpoints/{endpoint_id}.
func (k *Endpoints) Show(c *web.Call) error {
	e, err := k.find(c)
	if err != nil {
		return err
	}
	return k.reply(c, http.StatusOK, Single{}, e)
}

// find gives the endpoint that the address names.
func (k *Endpoints) find(c *web.Call) (webhooks.Endpoint, error) {
	id, err := c.PathID("endpoint_id", maxID)
	if err != nil {
		return webhooks.Endpoint{}, err
	}
	e, found, err := k.Find(c.Context(), id)
	if err != nil {
		return e, err
	}
	return e, checkAccess(c, e, found)
}

// Find gives the endpoint of an id, whosever it is; found is false where there is none.
func (k *Endpoints) Find(ctx context.Context, id string) (e webhooks.Endpoint, found bool, err error) {
	return outcome.Read[webhooks.Endpoint](ctx, k.Docs, kind, id)
}

// checkAccess refuses an endpoint that is not there, or that the caller may not see.
func checkAccess(c *web.Call, e webhooks.Endpoint, found bool) error {
	if !found || e.Account != c.Caller.Account {
		return problem.New(contract.NotFound, "There is no such webhook endpoint.")
	}
	if !mayManage(c, e) {
		return problem.New(contract.Forbidden, "This API key lacks scopes that the endpoint has, so it may not see or change it.")
	}
	return nil
}

// readBody is what a call says about an endpoint, and the endpoint.
func (k *Endpoints) readBody(c *web.Call) (body map[string]any, e webhooks.Endpoint, err error) {
	if body, err = c.Object(); err == nil {
		e, err = k.find(c)
	}
	return body, e, err
}

// reply shows an endpoint beside what else the reply has.
func (k *Endpoints) reply(c *web.Call, status int, with Single, e webhooks.Endpoint) (err error) {
	with.OK = true
	if with.Endpoint, err = k.show(c.Context(), e); err != nil {
		return err
	}
	return c.JSON(status, with)
}

func (k *Endpoints) show(ctx context.Context, e webhooks.Endpoint) (Endpoint, error) {
	out := Endpoint{
		EndpointID: e.ID, URL: e.URL, Types: e.Types, Description: e.Description, RatePerSecond: e.RatePerSecond, Status: e.Status,
		Livemode: !contract.IsTest(e.Account), CreatedAt: *millis(&e.CreatedAt), ChangedAt: *millis(&e.ChangedAt),
		Signature: cmp.Or(e.Signature, webhooks.HMAC), PublicKeys: k.PublicKeys(e),
	}
	if d := e.Disabled; d != nil {
		out.DisabledAt, out.DisabledFor = millis(&d.At), &d.Reason
	}
	p, err := k.ReadProgress(ctx, e.ID)
	if err != nil {
		return out, err
	}
	out.LastSuccessAt, out.FailingSince, out.Waiting = millis(p.SucceededAt), millis(p.FailingSince), p.Waiting()
	return out, nil
}

// ReadProgress is how far an endpoint was delivered to; zero while nobody knows.
func (k *Endpoints) ReadProgress(ctx context.Context, endpoint string) (p webhooks.Progress, err error) {
	value, _, err := k.Progress.Get(ctx, endpoint)
	if err != nil {
		return p, nil
	}
	return p, json.Unmarshal(value, &p)
}

// millis is a time as replies show it.
func millis(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	at := t.UTC().Truncate(time.Millisecond)
	return &at
}

// PublicKeys are those that verify deliveries now.
func (k *Endpoints) PublicKeys(e webhooks.Endpoint) []string {
	out := []string{}
	if e.Signature != webhooks.Ed25519 {
		return out
	}
	for _, s := range e.Secrets {
		if pair, ok := k.Secrets.WebhookSigningKey(s.Master, e.ID, s.Generation); ok && s.IsValid(k.Now()) {
			out = append(out, "whpk_"+base64.StdEncoding.EncodeToString(pair.Public().(ed25519.PublicKey)))
		}
	}
	return out
}

// SecretText is a secret as libraries of the specification read it.
func (k *Endpoints) SecretText(e webhooks.Endpoint, s webhooks.Secret) (string, error) {
	if e.Signature == webhooks.Ed25519 {
		return "", nil // the pair's secret half stays here
	}
	key, ok := k.Secrets.WebhookSecret(s.Master, e.ID, s.Generation)
	if !ok {
		return "", problem.New(contract.Unavailable, "The secret cannot be shown just now.")
	}
	return "whsec_" + base64.StdEncoding.EncodeToString(key), nil
}
