package webhooks

import (
	"encoding/json"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/webhooks"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

type view struct {
	page.Frame
	Account *accounts.Account
	Rows    []row
}

type row struct {
	webhooks.Endpoint
	Test    bool
	Stopped bool // by our team
	webhooks.Progress
}

// Show lists an account's webhook endpoints, live and test.
func (s *Section) Show(c *page.Call) error {
	a, err := states.Get[accounts.Account](c.R.Context(), s.Docs, contract.AccountAggregate, c.R.PathValue("id"))
	if err != nil {
		return err
	}
	if a == nil {
		return page.Missing("account")
	}
	v := view{Frame: c.Frame("accounts", "Webhook endpoints"), Account: a}
	for _, owner := range []string{a.ID, contract.TestOwner(a.ID)} {
		found, _, err := states.List[webhooks.Endpoint](c.R.Context(), s.Docs, contract.WebhookEndpointAggregate, "account", owner, projection.Page{Limit: 2 * webhooks.MaxEndpoints})
		if err != nil {
			return err
		}
		for _, e := range found {
			v.Rows = append(v.Rows, s.rowOf(c, *e))
		}
	}
	return c.Show(templates, "webhooks", v)
}

// rowOf is what is shown of an endpoint. How far it was delivered to is left out while nobody knows.
func (s *Section) rowOf(c *page.Call, e webhooks.Endpoint) row {
	r := row{Endpoint: e, Test: contract.IsTest(e.Account), Stopped: e.Disabled != nil && e.Disabled.Reason == webhooks.Stopped}
	value, _, err := s.Progress.Get(c.R.Context(), e.ID)
	if err == nil {
		err = json.Unmarshal(value, &r.Progress)
	}
	if err != nil {
		r.Progress = webhooks.Progress{}
	}
	return r
}

// Stop has nothing sent to an endpoint any more, until our team starts it again.
func (s *Section) Stop(c *page.Call) error {
	return s.act(c, "stopped a webhook endpoint", "endpoint-stopped", webhooks.Disable, func(e webhooks.Endpoint, operator string) any {
		return webhooks.DisableData{Endpoint: e.ID, Reason: webhooks.Stopped, Operator: operator}
	})
}

// Start has an endpoint delivered to again.
func (s *Section) Start(c *page.Call) error {
	enabled := webhooks.Enabled
	return s.act(c, "started a webhook endpoint", "endpoint-started", webhooks.Change, func(e webhooks.Endpoint, operator string) any {
		return webhooks.ChangeData{Endpoint: e.ID, Status: &enabled, Operator: operator}
	})
}

func (s *Section) act(c *page.Call, action, notice string, name contract.CommandName, data func(webhooks.Endpoint, string) any) error {
	e, err := states.Get[webhooks.Endpoint](c.R.Context(), s.Docs, contract.WebhookEndpointAggregate, c.R.PathValue("endpoint"))
	if err != nil {
		return err
	}
	id := c.R.PathValue("id")
	if e == nil || contract.AccountOf(e.Account) != id {
		return page.Missing("webhook endpoint")
	}
	err = c.Command(audits.Record{Action: action, Kind: "webhook endpoint", ID: e.ID, Account: id, Before: map[string]string{"status": string(e.Status)}},
		name, c.R.PostFormValue("request"), e.Account, data(*e, c.Session.Operator.Name))
	return c.Finish(err, "/accounts/"+id+"/webhooks", notice)
}
