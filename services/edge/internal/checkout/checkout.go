// Package checkout has the pages that shoppers see: where a quote is looked at,
// delivered to somewhere, paid, and followed until it arrives. Prices and
// payments are made elsewhere; the pages ask for them by command and show what
// came of it. They work without any script; a little of it keeps
// the price in step with what is chosen.
//
// Whoever holds a quote_id may see and pay the quote, so it is treated as the
// secret that it is: nothing here logs it or lets it leak through a referrer.
package checkout

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/legal"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/picture"
	"boardorder/services/edge/internal/quote"
	"boardorder/services/edge/internal/web"
)

// Config is what the pages work with.
type Config struct {
	*dispatch.Client
	Blobs   blob.Store
	Limiter *limit.Limiter
	Catalog *catalog.Catalog
	Network func(*web.Call) string // where a call comes from, in [A-Za-z0-9_-]
	Place   func(*web.Call) string // the same, for people
	Prices  LinkPrices
	Shown   func(*web.Call, buylinks.BuyLink, quote.Spend) (quote.ShownPrice, error)
	Reprice Reprice
	// Report gives the address of the report of a quote's design.
	Report func(*web.Call, quotes.Quote) (string, error)
	// LinkQuotes bounds what the prices of one account's buy links take in a day.
	LinkQuotes limit.Policy
	// LinkAssemblies bounds it for assembled boards.
	LinkAssemblies limit.Policy
	Shop           string      // the shop's name
	ShopAccount    string      // whose quotes were made at the shop's own pages, or ""
	Legal          legal.Texts // shown on pages of their own, linked from each page
	// CardPages say where the card processor's payment pages are, such as
	// https://checkout.stripe.com; only the origin counts. Browsers follow a form's answer only to
	// where the page said that it may lead; to another origin the shopper is
	// led by a page of its own.
	CardPages []string
}

// Pages answers what shoppers ask.
type Pages struct {
	Config
	countries map[string]Countries // by language
	views     map[string]Page
	cards     map[string]*template.Template // by language
	cardStyle template.CSS
	mark      template.HTML // for the button
	assets    Assets
	pictures  *picture.Pictures
	base      string // path that PublicURL has before ours
	origin    string
	policy    string // content security policy
}

// Timeout of one request, well within what browsers and proxies allow.
const (
	outcomeTimeout = 25 * time.Second // for a price or a payment page
	orderTimeout   = 3 * time.Second  // for an order after the payment
)

// New builds the pages.
func New(cfg Config) (*Pages, error) {
	public, err := url.Parse(cfg.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("checkout pages: %w", err)
	}
	p := &Pages{
		Config: cfg, base: strings.TrimRight(public.Path, "/"),
		origin: public.Scheme + "://" + public.Host, pictures: picture.New(cfg.Blobs, cfg.Docs, cfg.Waiters),
	}
	if p.CardPages, err = origins(cfg.CardPages); err != nil {
		return nil, fmt.Errorf("checkout pages: %w", err)
	}
	p.policy = policy(p.CardPages)
	countries, err := LoadCountries()
	if err != nil {
		return nil, fmt.Errorf("checkout pages: %w", err)
	}
	p.countries = map[string]Countries{}
	for _, l := range language.List() {
		p.countries[l.Code] = countries.Translate(l)
	}
	if p.assets, err = LoadAssets(styleFiles, "checkout.css", "checkout.js", "order.js", "mark.svg"); err != nil {
		return nil, fmt.Errorf("checkout pages: %w", err)
	}
	if p.views, err = loadViews(); err != nil {
		return nil, fmt.Errorf("checkout pages: %w", err)
	}
	if p.cards, p.cardStyle, err = loadCards(); err != nil {
		return nil, fmt.Errorf("checkout pages: %w", err)
	}
	mark, err := styleFiles.ReadFile("style/mark.svg")
	if err == nil {
		p.mark, err = markAt(mark, buttonMargin, 6, buttonMark)
	}
	if err != nil {
		return nil, fmt.Errorf("checkout pages: %w", err)
	}
	return p, nil
}

// origins takes the origins out of addresses.
func origins(addresses []string) ([]string, error) {
	var out []string
	for _, a := range addresses {
		u, err := url.Parse(a)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || strings.ContainsAny(u.Host, "'\"; ,*") {
			return nil, fmt.Errorf("card page %q is no address such as https://checkout.stripe.com", a)
		}
		out = append(out, u.Scheme+"://"+u.Host)
	}
	return out, nil
}

// policy lets a page load what is ours and send its form to us, from where the
// shopper may be led on to the card processor.
func policy(cardPages []string) string {
	targets := strings.Join(append([]string{"'self'"}, cardPages...), " ")
	return "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action " + targets + "; base-uri 'none'; frame-ancestors 'none'"
}

// Routes lists the pages.
func (p *Pages) Routes() []web.Route {
	const at = "/checkout/{quote_id}"
	network := func(c *web.Call) (string, error) { return p.Network(c), nil }
	routes := []web.Route{
		{Method: http.MethodGet, Path: at, Access: web.Public, Page: true, Handle: p.page(p.show)},
		{Method: http.MethodPost, Path: at, Access: web.Public, Page: true, Handle: p.page(p.act)},
		{Method: http.MethodGet, Path: "/buy/{link}", Access: web.Public, Page: true, Handle: p.page(p.buy)},
		{Method: http.MethodGet, Path: "/buy/{link}/board.png", Access: web.Public, Page: true, Handle: p.page(p.offerPicture)},
		{Method: http.MethodGet, Path: "/buy/{link}/button.svg", Access: web.Public, Page: true, Limit: &limit.Pictures, LimitBy: network, Handle: p.button},
		{Method: http.MethodGet, Path: "/buy/{link}/card", Access: web.Public, Page: true, Limit: &limit.Pictures, LimitBy: network, Handle: p.card},
		{Method: http.MethodGet, Path: at + "/board.png", Access: web.Public, Page: true, Handle: p.page(p.picture)},
		{Method: http.MethodGet, Path: at + "/parts.svg", Access: web.Public, Page: true, Handle: p.page(p.outlines)},
		{Method: http.MethodGet, Path: at + "/invoice.pdf", Access: web.Public, Page: true, Handle: p.page(p.invoice)},
		{Method: http.MethodGet, Path: at + "/events", Access: web.Public, Page: true, Handle: p.page(p.follow)},
		{Method: http.MethodGet, Path: at + "/findings/{n}", Access: web.Public, Page: true, Handle: p.page(p.findingPicture)},
		{Method: http.MethodGet, Path: at + "/report", Access: web.Public, Page: true, Handle: p.page(p.report)},
	}
	routes = append(append(routes, p.approvalRoutes()...), p.legalRoutes()...)
	return append(routes, p.assets.Routes()...)
}

// self is the address of a quote's page, seen from the browser.
func (p *Pages) self(id, query string) string {
	if query != "" {
		query = "?" + query
	}
	return p.base + "/checkout/" + id + query
}
