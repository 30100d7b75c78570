package checkout

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/services/edge/internal/web"
)

//go:embed page
var pageFiles embed.FS

// Frame is what every page for shoppers has.
type Frame struct {
	Title   string // of the window
	Shop    string // the shop's name
	Style   string // addresses of what is loaded
	Script  string // or ""
	Extra   string // a second stylesheet, or ""
	Mark    string
	Self    string // the page's own address
	Home    string // where the shop's name leads to, or ""
	Reload  bool   // without a script the page comes again once a minute
	Test    bool   // of what a test key made
	Legal   []legalLink
	Notices []Notice
}

// A Notice is one thing to show the shopper first.
type Notice struct {
	Kind           string // info, good, warn, bad
	Text           string
	Link, LinkText string // where to go on from here, if anywhere
	Focus          bool   // where reading begins
}

// Frame is the frame of a page: of the quote with that id, or of none.
func (p *Pages) Frame(title, id string) Frame {
	f := Frame{Title: title, Shop: p.Shop, Style: p.asset("checkout.css"), Mark: p.asset("mark.svg"), Legal: p.legalLinks()}
	if id != "" {
		f.Self = p.self(id, "")
	}
	return f
}

// frameOf is the frame of a quote's own page.
func (p *Pages) frameOf(title string, s record) Frame {
	f := p.Frame(title, s.id)
	f.Test = s.test()
	return f
}

// views are the templates by page.
type views struct{ by map[string]*template.Template }

func loadViews() (*views, error) {
	v := &views{by: map[string]*template.Template{}}
	for _, name := range []string{"pay", "review", "waiting", "confirm", "order", "expired", "withdrawn", "leave", "message", "legal", "buy"} {
		t, err := ParsePage(pageFiles, "page/"+name+".html")
		if err != nil {
			return nil, err
		}
		v.by[name] = t
	}
	return v, nil
}

// ParsePage reads the templates of a page, whose data embeds a [Frame], and puts it into the
// layout of all pages for shoppers. It can use their parts.
func ParsePage(files fs.FS, names ...string) (*template.Template, error) {
	t, err := template.New("layout.html").Funcs(template.FuncMap{"moment": moment, "datetime": datetime}).ParseFS(pageFiles, "page/layout.html", "page/part_*.html")
	if err == nil {
		t, err = t.ParseFS(files, names...)
	}
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", names[0], err)
	}
	return t, nil
}

// moment is a time in words.
func moment(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// datetime is a time for programs.
func datetime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// html replies with a page.
func (p *Pages) html(c *web.Call, status int, name string, data any) error {
	return Reply(c, status, p.policy, p.views.by[name], data)
}

// Reply replies with a page that nobody but its reader may see or find.
func Reply(c *web.Call, status int, policy string, page *template.Template, data any) error {
	var out bytes.Buffer
	if err := page.Execute(&out, data); err != nil {
		return fmt.Errorf("page of %s: %w", c.Route.Name(), err)
	}
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.Set("X-Robots-Tag", "noindex, nofollow")
	return c.HTML(status, policy, untrusted.IsolatePage(out.Bytes()))
}
