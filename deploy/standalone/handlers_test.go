package standalone_test

import (
	"maps"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/flow"
	"boardorder/services/central"
	"boardorder/services/console"
	designcheck "boardorder/services/design-check"
	"boardorder/services/notify"
	partsourcing "boardorder/services/part-sourcing"
	"boardorder/services/payment"
	"boardorder/services/pricing"
	"boardorder/services/upload"
	"boardorder/services/webhooks"
)

// Each service handles the commands that the registry has rows of for it, and no others.
func TestEveryCommandIsHandled(t *testing.T) {
	t.Parallel()
	team := new(console.Accounts).Handlers()
	maps.Copy(team, new(console.Reports).Handlers())
	maps.Copy(team, new(console.Members).Handlers())
	maps.Copy(team, new(console.Approvals).Handlers())
	services := map[string]flow.Handlers{
		"central": new(central.Service).Handlers(), "console": team, "design-check": new(designcheck.Service).Handlers(), "notify": new(notify.Service).Handlers(),
		"part-sourcing": new(partsourcing.Service).Handlers(), "payment": new(payment.Service).Handlers(), "pricing": new(pricing.Service).Handlers(),
		"upload": new(upload.Service).Handlers(), "webhooks": new(webhooks.Service).Handlers(),
	}
	rows := map[contract.CommandName]bool{}
	for _, c := range registry.Commands() {
		rows[c.Name] = true
		if services[c.Name.Service][c.Name] == nil {
			t.Errorf("%s does not handle %s", c.Name.Service, c.Name)
		}
	}
	for service, handlers := range services {
		for name := range handlers {
			if !rows[name] || name.Service != service {
				t.Errorf("%s handles %s, which is no command of its own in the registry", service, name)
			}
		}
	}
}
