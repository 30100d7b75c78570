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
	"strings"
	"sync"

	"boardorder/pkg/contract"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/problem"
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
	catalogPath = "/.well-known/api-catalog" // RFC 9727

	cached        = "public, max-age=3600"
	docsPolicy    = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	landingPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// Developers is what the page at the service's address says to developers.
func Developers(publicURL string) (template.HTML, error) {
	html, err := render("developers", map[string]string{"URL": publicURL})
	return template.HTML(html), err // our own template, which escapes the address
}

// New gives the pages of an edge that is reached at publicURL and is called name; shop says that another page is
// there instead of the landing page. The reference is written when somebody first opens it.
func New(publicURL, name string, shop bool) (Pages, error) {
	var p Pages
	html := "text/html; charset=utf-8"
	if !shop {
		landing, err := render("landing.html", map[string]string{"URL": publicURL, "Name": name})
		if err != nil {
			return p, err
		}
		p.add("/", web.NewStatic(html, cached, landing).Policy(landingPolicy).Serve)
	}
	docs := sync.OnceValues(func() (map[string]*web.Static, error) {
		written, err := reference.Pages(publicURL)
		out := map[string]*web.Static{}
		for _, d := range written {
			out[d.Path] = web.NewStatic(html, cached, d.HTML).Policy(docsPolicy)
		}
		return out, err
	})
	serve := func(c *web.Call) error {
		found, err := docs()
		if err != nil {
			return err
		}
		if d := found[strings.TrimSuffix(reference.Root+"/"+c.Param("page"), "/")]; d != nil {
			return d.Serve(c)
		}
		return problem.New(contract.NotFound, "There is no such page of the reference.")
	}
	p.add(reference.Root, serve)
	for at, write := range map[string]func(string) ([]byte, error){"/llms.txt": reference.Index, reference.SkillPath: reference.Skill} {
		p.add(at, web.BuildStatic("text/markdown; charset=utf-8", cached, func() ([]byte, error) { return write(publicURL) }).Serve)
	}
	catalog := web.BuildStatic(reference.CatalogType, cached, func() ([]byte, error) { return reference.Catalog(publicURL) })
	p.add(catalogPath, func(c *web.Call) error {
		c.Set("Link", "<"+publicURL+catalogPath+`>; rel="api-catalog"`)
		return catalog.Serve(c)
	})
	p.add(reference.Root+"/{page}", serve)
	for _, name := range []string{"landing.css", "docs.css", "docs.js", "mark.svg"} {
		data, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return p, fmt.Errorf("page asset %s: %w", name, err)
		}
		p.add("/assets/"+name, web.NewStatic(contentType(name), cached, data).Serve)
	}
	return p, nil
}

func (p *Pages) add(at string, serve func(*web.Call) error) {
	p.routes = append(p.routes, web.Route{Method: "GET", Path: at, Access: web.Public, Page: true, Handle: serve})
}

// templates are the pages by language.
var templates = sync.OnceValues(func() (map[string]*template.Template, error) {
	out := map[string]*template.Template{}
	for _, l := range language.List() {
		funcs := template.FuncMap{"t": l.Text, "th": l.HTML, "lang": func() string { return l.Code }}
		t, err := template.New("pages").Funcs(funcs).ParseFS(assets, "assets/*.html")
		if err != nil {
			return nil, err
		}
		out[l.Code] = t
	}
	return out, nil
})

// render draws a page for developers by the name of its template.
func render(name string, data any) ([]byte, error) {
	return renderIn(language.Find(language.English), name, data)
}

// renderIn draws a page in a language.
func renderIn(l *language.Printer, name string, data any) ([]byte, error) {
	by, err := templates()
	if err != nil {
		return nil, fmt.Errorf("page templates: %w", err)
	}
	var out bytes.Buffer
	if err := by[l.Code].ExecuteTemplate(&out, name, data); err != nil {
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
