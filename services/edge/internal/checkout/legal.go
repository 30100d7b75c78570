package checkout

import (
	"html/template"
	"net/http"

	"boardorder/pkg/phrase"
	"boardorder/services/edge/internal/web"
)

// legalPage is one of the shop's legal texts.
type legalPage struct {
	Frame
	Heading string
	Body    template.HTML
	Sample  bool
}

func (p *Pages) legalRoutes() []web.Route {
	var routes []web.Route
	for _, t := range p.Legal {
		routes = append(routes, web.Route{Method: http.MethodGet, Path: t.Path(), Access: web.Public, Page: true, Handle: p.page(func(c *web.Call) error {
			return p.html(c, http.StatusOK, "legal", legalPage{Frame: p.Frame(c, phrase.Translate(c.Language(), t.Title), ""), Heading: t.Title, Body: t.Body, Sample: t.Sample})
		})})
	}
	return routes
}

// legalLink is an entry of the footer.
type legalLink struct{ Name, URL string }

func (p *Pages) legalLinks() []legalLink {
	var out []legalLink
	for _, t := range p.Legal {
		out = append(out, legalLink{t.Title, p.base + t.Path()})
	}
	return out
}

// agreeLinks are what the checkout names where people pay.
type agreeLinks struct{ Terms, Withdrawal, Privacy string }

func (p *Pages) agreeLinks() agreeLinks {
	at := map[string]string{}
	for _, t := range p.Legal {
		at[t.Name] = p.base + t.Path()
	}
	return agreeLinks{at["terms"], at["withdrawal"], at["privacy"]}
}
