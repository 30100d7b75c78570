package portal

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/webhooks"
	"boardorder/services/edge/internal/endpoint"
	"boardorder/services/edge/internal/problem"
)

type endpointsView struct {
	frame
	Rows    []endpointRow
	Sources []string // that deliveries come from, where they are fixed
}

// An endpointRow is an endpoint and how it does.
type endpointRow struct {
	State webhooks.Endpoint
	webhooks.Progress
}

// IsTest reports whether it is told of what test keys make.
func (r endpointRow) IsTest() bool { return contract.IsTest(r.State.Account) }

// IsStopped reports whether our team stopped it, which alone starts it again.
func (r endpointRow) IsStopped() bool {
	return r.State.Disabled != nil && r.State.Disabled.Reason == webhooks.Stopped
}

// IsOff reports whether nothing is sent to it.
func (r endpointRow) IsOff() bool { return !r.State.IsActive() }

// AttemptTime is when the next delivery that failed is attempted again; zero where none waits.
func (r endpointRow) AttemptTime() (at time.Time) {
	for _, l := range r.Lanes {
		if l.Attempts > 0 && (at.IsZero() || l.Next.Before(at)) {
			at = l.Next
		}
	}
	if at.Before(r.QuietUntil) && !at.IsZero() {
		return r.QuietUntil
	}
	return at
}

func (p *Portal) endpointRow(ctx context.Context, e webhooks.Endpoint) (endpointRow, error) {
	progress, err := p.Endpoints.ReadProgress(ctx, e.ID)
	return endpointRow{e, progress}, err
}

// webhooksPage answers GET /portal/webhooks: live endpoints, then those of test keys.
func (p *Portal) webhooksPage(c *call) error {
	v := endpointsView{frame: p.frame("Webhook endpoints", c), Sources: p.Endpoints.Sources}
	for _, owner := range []string{c.account.ID, contract.TestOwner(c.account.ID)} {
		all, err := p.Endpoints.ListOf(c.Context(), owner)
		if err != nil {
			return err
		}
		for _, e := range all {
			row, err := p.endpointRow(c.Context(), e)
			if err != nil {
				return err
			}
			v.Rows = append(v.Rows, row)
		}
	}
	return p.show(c.Call, http.StatusOK, "webhooks", v)
}

// findEndpoint gives the account's endpoint that the address names; found is false where
// there is none.
func (p *Portal) findEndpoint(c *call) (e webhooks.Endpoint, found bool, err error) {
	e, found, err = p.Endpoints.Find(c.Context(), c.Param("endpoint"))
	return e, found && contract.AccountOf(e.Account) == c.account.ID, err
}

// requireEndpoint handles what an address says of an endpoint of the account.
func (p *Portal) requireEndpoint(handle func(*call, webhooks.Endpoint) error) func(*call) error {
	return func(c *call) error {
		e, found, err := p.findEndpoint(c)
		if err != nil {
			return err
		}
		if !found {
			return p.missing(c, "webhook endpoint")
		}
		return handle(c, e)
	}
}

type endpointView struct {
	frame
	endpointRow
	Log      []webhooks.Delivery
	Last     *webhooks.Delivery // the newest attempt, where it failed
	Next     uint64             // cursor of the next page; 0: there is none
	Since    string
	Problems map[string]string // by field
}

const perLog = 20

func (p *Portal) endpointView(c *call, e webhooks.Endpoint) (v endpointView, err error) {
	v = endpointView{frame: p.frame("Webhook endpoint", c), Since: p.Now().UTC().Add(-time.Hour).Format(minuteLayout)}
	if v.endpointRow, err = p.endpointRow(c.Context(), e); err != nil {
		return v, err
	}
	cursor, _ := c.Query("cursor")
	below, err := strconv.ParseUint(cursor, 10, 64)
	if cursor != "" && err != nil {
		return v, problem.New(contract.InvalidRequest, "This position in the list no longer exists. Please start from the top.").Answering(http.StatusBadRequest)
	}
	found, err := p.Endpoints.Log.Deliveries(c.Context(), e.ID, below, perLog+1)
	if err != nil {
		return v, problem.Unavailable(err)
	}
	if v.Log = found; len(found) > perLog {
		v.Log = found[:perLog]
		v.Next = v.Log[perLog-1].Number
	}
	if below == 0 && len(v.Log) > 0 && v.Log[0].Outcome != webhooks.Delivered {
		v.Last = &v.Log[0]
	}
	return v, nil
}

// endpointPage answers GET /portal/webhooks/{endpoint}.
func (p *Portal) endpointPage(c *call, e webhooks.Endpoint) error {
	v, err := p.endpointView(c, e)
	if err != nil {
		return err
	}
	return p.show(c.Call, http.StatusOK, "webhook", v)
}

type deliveryView struct {
	frame
	endpointRow
	Delivery webhooks.Delivery
	Headers  []header
	Body     string // of the request; "" once the event is not kept any more
}

type header struct{ Name, Value string }

// deliveryPage answers GET /portal/webhooks/{endpoint}/deliveries/{number}: one attempt.
func (p *Portal) deliveryPage(c *call, e webhooks.Endpoint) error {
	v := deliveryView{frame: p.frame("A delivery", c)}
	number, err := strconv.ParseUint(c.Param("number"), 10, 63)
	if err != nil {
		return p.missing(c, "delivery")
	}
	found, err := p.Endpoints.Log.Deliveries(c.Context(), e.ID, number+1, 1)
	if err != nil {
		return problem.Unavailable(err)
	}
	if len(found) == 0 || found[0].Number != number {
		return p.missing(c, "delivery")
	}
	v.Delivery = found[0]
	if v.endpointRow, err = p.endpointRow(c.Context(), e); err != nil {
		return err
	}
	headers := endpoint.HeadersOf(v.Delivery)
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		v.Headers = append(v.Headers, header{name, headers[name]})
	}
	event, kept, err := p.Endpoints.Events.Find(c.Context(), e.Account, v.Delivery.Event)
	if err != nil {
		return err
	}
	if kept {
		if v.Body, err = indentJSON(event.Public(p.PublicURL, p.Secrets.QuoteIDOf)); err != nil {
			return err
		}
	}
	return p.show(c.Call, http.StatusOK, "delivery", v)
}

// mayAll is what members may be told of, whose right covers all scopes.
func mayAll(string) bool { return true }

// typeNames are the types that an endpoint can name.
func typeNames() []string {
	var out []string
	for _, t := range feed.Types() {
		out = append(out, string(t))
	}
	return out
}

// noteAct has it recorded what a member asks for about an endpoint, before it is done.
func (p *Portal) noteAct(c *call, endpoint string, name contract.CommandName) error {
	cmd, err := contract.NewRootCommand(accounts.NoteEndpointAct, contract.DeriveID(c.request(), "note"), c.account.ID, p.Now(),
		accounts.NoteEndpointActData{By: p.author(c), Endpoint: endpoint, Verb: name.Verb})
	if err != nil {
		return err
	}
	if err := p.Send.Send(c.Context(), cmd); err != nil {
		return problem.Unavailable(err)
	}
	return nil
}

// carryOut has a command about an endpoint recorded and carried out.
func (p *Portal) carryOut(c *call, owner, endpoint string, name contract.CommandName, data any) (webhooks.Endpoint, error) {
	if err := p.noteAct(c, endpoint, name); err != nil {
		return webhooks.Endpoint{}, err
	}
	return p.Endpoints.CarryOut(c.Context(), owner, name, c.request(), data)
}
