package formal

import (
	"boardorder/pkg/contract/accounts"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/web"
)

// prefixes are the addresses of the same endpoints.
var prefixes = []string{"/v1/orders", "/central/orders"}

// Routes lists the endpoints, each under both addresses.
func (k *Orders) Routes() []web.Route {
	var out []web.Route
	for _, p := range prefixes {
		add := func(method, path string, handle func(*web.Call) error) {
			out = append(out, web.Route{Method: method, Path: p + path, Scope: accounts.ScopeOrders, Detail: true, Declares: true, Handle: handle})
		}
		add("POST", "", k.Submit)
		out[len(out)-1].Daily, out[len(out)-1].Refund = &limit.OrdersDay, &limit.OrdersRefused
		add("GET", "", k.List)
		add("GET", "/{identifier}", k.Show)
		add("GET", "/{identifier}/design-review", k.Review)
		add("GET", "/{identifier}/quote.pdf", k.Quote)
		add("POST", "/{identifier}/accept-quote", k.Accept)
		add("POST", "/{identifier}/answers", k.Answer)
	}
	return append(out, web.Route{Method: "GET", Path: "/formal-quotes/{token}.pdf", Access: web.Public, Limit: &limit.Pictures, LimitBy: k.Network, Handle: k.QuoteByLink})
}
