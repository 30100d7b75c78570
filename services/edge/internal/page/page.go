// Package page has the few pages of the edge that are for developers: the
// landing page and the browsable description of the interface. All they need
// is built in; nothing is fetched from elsewhere.
package page

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"html/template"
	"io"
	"path"

	"boardorder/services/edge/internal/web"

	"github.com/swaggest/swgui/v5/static"
)

//go:embed assets
var assets embed.FS

// Pages are the routes of this package.
type Pages struct{ routes []web.Route }

// Routes lists them.
func (p Pages) Routes() []web.Route { return p.routes }

const (
	cached = "public, max-age=3600"
	// The viewer styles elements one by one; scripts come from here only.
	docsPolicy    = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	landingPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// New builds the pages for an edge that is reached at publicURL.
func New(publicURL string) (Pages, error) {
	var p Pages
	landing, err := render("assets/landing.html", map[string]string{"URL": publicURL})
	if err != nil {
		return p, err
	}
	docs, err := assets.ReadFile("assets/docs.html")
	if err != nil {
		return p, fmt.Errorf("docs page: %w", err)
	}
	html := "text/html; charset=utf-8"
	p.add("/", web.NewStatic(html, cached, landing).Policy(landingPolicy))
	p.add("/docs", web.NewStatic(html, cached, docs).Policy(docsPolicy))
	for _, name := range []string{"landing.css", "docs.js"} {
		data, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return p, fmt.Errorf("page asset %s: %w", name, err)
		}
		p.add("/assets/"+name, web.NewStatic(contentType(name), cached, data))
	}
	for _, name := range []string{"swagger-ui-bundle.js.gz", "swagger-ui.css.gz", "favicon-32x32.png"} {
		data, err := viewer(name)
		if err != nil {
			return p, fmt.Errorf("page asset %s: %w", name, err)
		}
		name = trimGz(name)
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
		return "image/png"
	}
}

func trimGz(name string) string {
	if path.Ext(name) == ".gz" {
		return name[:len(name)-len(".gz")]
	}
	return name
}

// viewer reads a file of the embedded viewer.
func viewer(name string) ([]byte, error) {
	f, err := static.FS.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if path.Ext(name) != ".gz" {
		return io.ReadAll(f)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
