package edge

import (
	"net/http"

	"boardorder/pkg/contract/accounts"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/leaked"
	"boardorder/services/edge/internal/legal"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/mcp"
	"boardorder/services/edge/internal/openapi"
	"boardorder/services/edge/internal/page"
	"boardorder/services/edge/internal/picture"
	"boardorder/services/edge/internal/reference"
	"boardorder/services/edge/internal/shop"
	"boardorder/services/edge/internal/upload"
	"boardorder/services/edge/internal/web"
	"boardorder/services/edge/internal/webhook"

	"go.uber.org/zap"
)

// routes lists every route of the edge.
func (e *Edge) routes() ([]web.Route, error) {
	card := webhook.Card{Send: e.deps.Bus, Secrets: e.cfg.CardWebhookSecrets, Now: e.deps.Now}
	pictures := picture.New(e.deps.Blobs, e.deps.Docs, e.waiters)
	boardPicture := e.quotes.Picture(pictures)
	routes := []web.Route{
		{Method: "GET", Path: "/auth/check", Detail: true, Handle: e.check},
		{Method: "GET", Path: "/v1/key-events", Handle: e.keyEvents},
		{Method: "GET", Path: "/v1/events", Handle: e.feed.List},
		{Method: "GET", Path: "/v1/events/stream", Handle: e.feed.Stream},
		{Method: "GET", Path: "/v1/events/{event_id}", Handle: e.feed.Show},
		{Method: "POST", Path: "/v1/webhook-endpoints", Limit: &limit.WebhookEndpoints, Handle: e.endpoints.Create},
		{Method: "GET", Path: "/v1/webhook-endpoints", Handle: e.endpoints.List},
		{Method: "GET", Path: "/v1/webhook-endpoints/{endpoint_id}", Handle: e.endpoints.Show},
		{Method: "PATCH", Path: "/v1/webhook-endpoints/{endpoint_id}", Handle: e.endpoints.Change},
		{Method: "DELETE", Path: "/v1/webhook-endpoints/{endpoint_id}", Handle: e.endpoints.Delete},
		{Method: "POST", Path: "/v1/webhook-endpoints/{endpoint_id}/rotate-secret", Handle: e.endpoints.Rotate},
		{Method: "POST", Path: "/v1/webhook-endpoints/{endpoint_id}/test", Handle: e.endpoints.Test},
		{Method: "POST", Path: "/v1/webhook-endpoints/{endpoint_id}/resend", Handle: e.endpoints.Resend},
		{Method: "GET", Path: "/v1/webhook-endpoints/{endpoint_id}/deliveries", Handle: e.endpoints.ListDeliveries},
		{Method: "GET", Path: "/v1/capabilities", Handle: e.capable.serve},
		{Method: "POST", Path: "/v1/uploads", Scope: accounts.ScopeUploads, Daily: &limit.UploadsDay, About: e.uploads.UploadOfKey, Handle: e.uploads.Create},
		{Method: "GET", Path: "/v1/uploads/{upload_id}", Scope: accounts.ScopeUploads, Handle: e.uploads.Show},
		{Method: "POST", Path: "/v1/uploads/{upload_id}/revoke-links", Scope: accounts.ScopeUploads, Handle: e.uploads.Revoke},
		{Method: "POST", Path: "/u/{token}", Access: web.Public, Limit: &limit.UploadLink, LimitBy: e.uploads.Subject, Handle: e.uploads.Add},
		{Method: "OPTIONS", Path: "/u/{token}", Access: web.Public, Page: true, Handle: upload.Preflight},
		{Method: "POST", Path: "/v1/quotes", Scope: accounts.ScopeQuotes, Daily: &limit.QuotesDay, Handle: e.quotes.Create},
		{Method: "GET", Path: "/v1/quote-requests/{request_id}", Scope: accounts.ScopeQuotes, Handle: e.quotes.Poll},
		{Method: "GET", Path: "/v1/quotes/{quote_id}", Scope: accounts.ScopeQuotes, Handle: e.quotes.Show},
		{Method: "POST", Path: "/v1/quotes/{quote_id}/refresh", Scope: accounts.ScopeQuotes, Daily: &limit.QuotesDay, Handle: e.quotes.Refresh},
		{Method: "GET", Path: "/v1/quotes/{quote_id}/compare/{other_quote_id}", Scope: accounts.ScopeQuotes, Handle: e.quotes.Compare},
		{Method: "POST", Path: "/v1/quotes/{quote_id}/savings", Scope: accounts.ScopeQuotes, Limit: &limit.Savings, Handle: e.quotes.FindSavings},
		{Method: "GET", Path: "/v1/quotes/{quote_id}/savings/{savings_id}", Scope: accounts.ScopeQuotes, Handle: e.quotes.ShowSavings},
		{Method: "POST", Path: "/v1/quotes/{quote_id}/part-approvals", Scope: accounts.ScopeQuotes, Limit: &limit.PartApprovals, Handle: e.quotes.AskApproval},
		{Method: "GET", Path: "/v1/quotes/{quote_id}/part-approvals/{approval_id}", Scope: accounts.ScopeQuotes, Handle: e.quotes.ShowApproval},
		{Method: "POST", Path: "/v1/quotes/{quote_id}/part-approvals/{approval_id}/quote", Scope: accounts.ScopeQuotes, Daily: &limit.QuotesDay, Handle: e.quotes.PriceApproved},
		{Method: "POST", Path: "/v1/price-tables", Scope: accounts.ScopeQuotes, Handle: e.quotes.CreateTable},
		{Method: "GET", Path: "/v1/price-tables/{price_table_id}", Scope: accounts.ScopeQuotes, Handle: e.quotes.ShowTable},
		{Method: "POST", Path: "/v1/quotes/{quote_id}/saved/code", Scope: accounts.ScopeQuotes, Handle: e.customers.Code},
		{Method: "POST", Path: "/v1/quotes/{quote_id}/saved/verify", Scope: accounts.ScopeQuotes, Handle: e.customers.Verify},
		{Method: "POST", Path: "/v1/quotes/{quote_id}/saved/pay", Scope: accounts.ScopeQuotes, Handle: e.customers.Pay},
		{Method: "POST", Path: "/v1/previous-orders", Scope: accounts.ScopeQuotes, Handle: e.customers.Previous},
		{Method: "POST", Path: "/v1/buy-links", Scope: accounts.ScopeQuotes, Limit: &limit.BuyLinks, Daily: &limit.BuyLinksDay, Refund: &limit.BuyLinksRefused, Handle: e.quotes.CreateBuyLink},
		{Method: "DELETE", Path: "/v1/buy-links/{buy_link_id}", Scope: accounts.ScopeQuotes, Handle: e.quotes.CloseBuyLink},
		{Method: "POST", Path: "/v1/reorders", Scope: accounts.ScopeQuotes, Daily: &limit.QuotesDay, About: e.quotes.UploadsOfReorder, Handle: e.quotes.Reorder},
		{Method: "GET", Path: "/board-images/{token}.png", Access: web.Public, Limit: &limit.Pictures, LimitBy: e.callerNetwork, Handle: boardPicture},
		{Method: "GET", Path: "/board-images/{token}/{picture}.png", Access: web.Public, Limit: &limit.Pictures, LimitBy: e.callerNetwork, Handle: boardPicture},
		{Method: "POST", Path: "/v1/design-checks", Scope: accounts.ScopeChecks, Limit: &limit.DesignChecks, Daily: &limit.DesignChecksDay, Handle: e.checks.Create},
		{Method: "POST", Path: "/v1/part-checks", Scope: accounts.ScopeChecks, Limit: &limit.PartChecks, Daily: &limit.PartChecksDay, Handle: e.parts.Create},
		{Method: "GET", Path: "/design-checks/{token}/report.json", Access: web.Public, Limit: &limit.Pictures, LimitBy: e.callerNetwork, Handle: e.checks.ReportData},
		{Method: "GET", Path: "/design-checks/{token}/places.json", Access: web.Public, Limit: &limit.Pictures, LimitBy: e.callerNetwork, Handle: e.checks.Places},
		{Method: "GET", Path: "/design-checks/{token}/report.html", Access: web.Public, Limit: &limit.Pictures, LimitBy: e.callerNetwork, Handle: e.checks.ReportPage},
		{Method: "GET", Path: "/design-checks/{token}/search.json", Access: web.Public, Limit: &limit.Pictures, LimitBy: e.callerNetwork, Handle: e.checks.Search},
		{Method: "GET", Path: "/design-checks/{token}/nets-{file}.json", Access: web.Public, Limit: &limit.Pictures, LimitBy: e.callerNetwork, Handle: e.checks.Nets},
		{Method: "GET", Path: "/design-checks/{token}/{image}.png", Access: web.Public, Limit: &limit.Pictures, LimitBy: e.callerNetwork, Handle: e.checks.Picture},
		{Method: "POST", Path: "/webhooks/card", Access: web.Public, Limit: &limit.Notices, LimitBy: e.callerNetwork, Handle: card.Take},
		{Method: "GET", Path: "/openapi.json", Access: web.Public, Handle: openapi.Document(e.cfg.PublicURL).Serve},
		{Method: "GET", Path: "/healthz", Access: web.Public, Handle: healthy},
		{Method: "GET", Path: "/readyz", Access: web.Public, Handle: e.readiness.ready},
	}
	routes = append(routes, page.Security(e.cfg.PublicURL, e.cfg.SecurityContact, e.deps.Now))
	pages, err := page.New(e.cfg.PublicURL, e.cfg.Shop, e.cfg.ShopAccount != "")
	if err != nil {
		return nil, err
	}
	checkoutPages, err := e.checkout()
	if err != nil {
		return nil, err
	}
	reports, err := leaked.New(e.deps.Bus, e.callerNetwork, e.cfg.Shop, e.deps.Now)
	if err != nil {
		return nil, err
	}
	agents, err := mcp.New(mcp.Config{
		PublicURL: e.cfg.PublicURL, Docs: e.cfg.PublicURL + reference.Root, Version: web.Version,
		Answer:     func(c *web.Call, in web.Inner) (int, []byte) { return e.server.Answer(c, in) }, // the server is made of these routes
		OwnsReport: e.checks.IsOfCaller,
	})
	if err != nil {
		return nil, err
	}
	groups := []web.Group{agents, pages, checkoutPages, e.formal, reports, e.status, e.portal}
	if e.cfg.ShopAccount != "" {
		own, err := e.shop(checkoutPages, pictures)
		if err != nil {
			return nil, err
		}
		groups = append(groups, own)
	}
	for _, g := range groups {
		routes = append(routes, g.Routes()...)
	}
	return routes, nil
}

// shop is the pages at which people order without an API key.
func (e *Edge) shop(frames *checkout.Pages, pictures *picture.Pictures) (*shop.Shop, error) {
	developers, err := page.Developers(e.cfg.PublicURL)
	if err != nil {
		return nil, err
	}
	return shop.New(shop.Config{
		Client: e.client, Account: e.cfg.ShopAccount, Limits: e.cfg.ShopLimits, Uploads: *e.uploads, Designs: design.Designs{Client: e.client, Arrivals: e.uploads.Arrivals},
		Quotes: e.quotes, Checks: e.checks, Pictures: pictures, Catalog: e.deps.Catalog, Stackups: e.capable.listStackups, Frames: frames,
		Limiter: e.limiter, CountOwner: e.countOwner, Network: e.network, Developers: developers,
	})
}

// checkout is the pages that shoppers see.
func (e *Edge) checkout() (*checkout.Pages, error) {
	texts, err := legal.Load(e.cfg.LegalDir)
	if err != nil {
		return nil, err
	}
	if samples := texts.Samples(); len(samples) > 0 {
		e.deps.Log.Warn("legal texts are samples: put your own into LEGAL_DIR before customers see them", zap.Strings("texts", samples))
	}
	return checkout.New(checkout.Config{
		Client: e.client, Blobs: e.deps.Blobs, Limiter: e.limiter,
		Catalog: e.deps.Catalog, Network: e.network, Place: e.place, Prices: e.quotes.LinkPrices, Shown: e.quotes.FindShownPrice, Reprice: e.quotes.Reprice, Report: e.checks.ReportURLOfQuote, LinkQuotes: limit.LinkQuotesDay.ApplyLimits(e.cfg.DailyQuotas), LinkAssemblies: limit.AssembliesDay.ApplyLimits(e.cfg.DailyQuotas),
		Shop: e.cfg.Shop, ShopAccount: e.cfg.ShopAccount, Legal: texts, CardPages: e.cfg.CardPages,
	})
}

func healthy(c *web.Call) error { return c.JSON(http.StatusOK, map[string]bool{"ok": true}) }
