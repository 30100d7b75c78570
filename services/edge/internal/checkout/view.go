package checkout

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/services/edge/internal/web"
)

//go:embed page
var pageFiles embed.FS

// frame is what every page has.
type frame struct {
	Title   string // of the window
	Shop    string // the shop's name
	Style   string // addresses of what is loaded
	Script  string // or ""
	Mark    string
	Self    string // the page's own address
	Reload  bool   // without a script the page comes again once a minute
	Test    bool   // of what a test key made
	Legal   []legalLink
	Notices []notice
}

// A notice is one thing to show the shopper first.
type notice struct {
	Kind           string // info, good, warn, bad
	Text           string
	Link, LinkText string // where to go on from here, if anywhere
	Focus          bool   // where reading begins
}

func (p *Pages) frame(title, id string) frame {
	f := frame{Title: title, Shop: p.Shop, Style: p.asset("checkout.css"), Mark: p.asset("mark.svg"), Legal: p.legalLinks()}
	if id != "" {
		f.Self = p.self(id, "")
	}
	return f
}

// frameOf is the frame of a quote's own page.
func (p *Pages) frameOf(title string, s record) frame {
	f := p.frame(title, s.id)
	f.Test = s.test()
	return f
}

// views are the templates by page.
type views struct{ by map[string]*template.Template }

func loadViews() (*views, error) {
	funcs := template.FuncMap{"moment": moment, "datetime": datetime}
	v := &views{by: map[string]*template.Template{}}
	for _, name := range []string{"pay", "review", "waiting", "confirm", "order", "expired", "withdrawn", "leave", "message", "legal", "buy"} {
		t, err := template.New("layout.html").Funcs(funcs).ParseFS(pageFiles, "page/layout.html", "page/part_*.html", "page/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
		v.by[name] = t
	}
	return v, nil
}

// moment is a time in words.
func moment(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// datetime is a time for programs.
func datetime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// html replies with a page.
func (p *Pages) html(c *web.Call, status int, name string, data any) error {
	var out bytes.Buffer
	if err := p.views.by[name].Execute(&out, data); err != nil {
		return fmt.Errorf("page %s: %w", name, err)
	}
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.Set("X-Robots-Tag", "noindex, nofollow")
	return c.HTML(status, p.policy, untrusted.IsolatePage(out.Bytes()))
}
