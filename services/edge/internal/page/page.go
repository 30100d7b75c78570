// Package page has the few pages of the edge that are for developers: the
// landing page and the reference of the interface. All they need
// is built in; nothing is fetched from elsewhere.
package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"path"

	"boardorder/services/edge/internal/reference"
	"boardorder/services/edge/internal/web"
)

//go:embed assets
var assets embed.FS

// Pages are the routes of this package.
type Pages struct{ routes []web.Route }

// Routes lists them.
func (p Pages) Routes() []web.Route { return p.routes }

const (
	cached        = "public, max-age=3600"
	docsPolicy    = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	landingPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// New builds the pages for an edge that is reached at publicURL.
func New(publicURL string) (Pages, error) {
	var p Pages
	landing, err := render("assets/landing.html", map[string]string{"URL": publicURL})
	if err != nil {
		return p, err
	}
	docs, err := reference.Pages(publicURL)
	if err != nil {
		return p, err
	}
	html := "text/html; charset=utf-8"
	p.add("/", web.NewStatic(html, cached, landing).Policy(landingPolicy))
	for _, d := range docs {
		p.add(d.Path, web.NewStatic(html, cached, d.HTML).Policy(docsPolicy))
	}
	for _, name := range []string{"landing.css", "docs.css", "docs.js", "mark.svg"} {
		data, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return p, fmt.Errorf("page asset %s: %w", name, err)
		}
		p.add("/assets/"+name, web.NewStatic(contentType(name), cached, data))
	}
	return p, nil
}

func (p *Pages) add(at string, s *web.Static) {
	p.routes = append(p.routes, web.Route{Method: "GET", Path: at, Access: web.Public, Page: true, Handle: s.Serve})
}

func render(name string, data any) ([]byte, error) {
	t, err := template.ParseFS(assets, name)
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, data); err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return out.Bytes(), nil
}

func contentType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	default:
		return "image/svg+xml"
	}
}
