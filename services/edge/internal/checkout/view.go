package checkout

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/language"
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
	Paid    bool   // nobody can pay here any more
	Legal   []legalLink
	Notices []Notice

	Languages []web.LanguageLink // the page in each language
	Form      string             // id of the form that people fill in, which goes along to another language; or ""
	Posts     bool               // that form is posted
}

// A Notice is one thing to show the shopper first.
type Notice struct {
	Kind           string // info, good, warn, bad
	Text           string
	Lang           string // of the text, where it is not the page's
	Link, LinkText string // where to go on from here, if anywhere
	Focus          bool   // where reading begins
}

// Frame is the frame of a page: of the quote with that id, or of none.
func (p *Pages) Frame(c *web.Call, title, id string) Frame {
	f := Frame{Title: title, Languages: c.LanguageLinks(), Shop: p.Shop, Style: p.asset("checkout.css"), Mark: p.asset("mark.svg"), Legal: p.legalLinks()}
	if id != "" {
		f.Self = p.self(id, "")
	}
	return f
}

// Switch leads to the page in the language that a form asks for, with all that the form has. It
// reports whether one does.
func Switch(c *web.Call, path string) bool {
	query, ok := c.SwitchQuery()
	if ok {
		c.Fiber.Status(http.StatusSeeOther)
		c.Set("Location", path+"?"+query)
	}
	return ok
}

// frameOf is the frame of a quote's own page.
func (p *Pages) frameOf(c *web.Call, title string, s record) Frame {
	f := p.Frame(c, title, s.id)
	f.Test, f.Paid = s.test(), s.order != nil
	return f
}

// loadViews gives the templates of each page. They are the same for all edges of a process,
// and seven languages of them take time and memory.
var loadViews = sync.OnceValues(func() (map[string]Page, error) {
	views := map[string]Page{}
	for _, name := range []string{"pay", "review", "waiting", "confirm", "order", "expired", "withdrawn", "leave", "message", "legal", "buy", "approval"} {
		var err error
		if views[name], err = ParsePage(pageFiles, "page/"+name+".html"); err != nil {
			return nil, err
		}
	}
	return views, nil
})

// A Page is the templates of one page, by language.
type Page map[string]*template.Template

// ParsePage reads the templates of a page, whose data embeds a [Frame], and puts it into the
// layout of all pages for shoppers. It can use their parts.
//
// A template writes {{t "English text" arguments…}} for a text of the catalog, {{th …}}
// for one with markup, {{say …}} for what is recorded in English, {{when …}}, {{moment …}},
// {{day …}} and {{lang}} for the code of the language.
func ParsePage(files fs.FS, names ...string) (Page, error) {
	t, err := template.New("layout.html").Funcs(languageFuncs(language.Find(language.English))).ParseFS(pageFiles, "page/layout.html", "page/part_*.html")
	if err == nil {
		t, err = t.ParseFS(files, names...)
	}
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", names[0], err)
	}
	page := Page{}
	for _, l := range language.List() {
		own, err := t.Clone()
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", names[0], err)
		}
		page[l.Code] = own.Funcs(languageFuncs(l))
	}
	return page, nil
}

func languageFuncs(p *language.Printer) template.FuncMap {
	return template.FuncMap{
		"t": p.Text, "th": p.HTML, "moment": p.Moment, "day": p.Day, "datetime": datetime,
		"when": func(t time.Time) template.HTML { return timeElement(p, t) },
		"say":  func(text string) template.HTML { return say(p, text) },
		"lang": func() string { return p.Code },
	}
}

// datetime is a time for programs.
func datetime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// html replies with a page.
func (p *Pages) html(c *web.Call, status int, name string, data any) error {
	return Reply(c, status, p.policy, p.views[name], data)
}

// Reply replies with a page that nobody but its reader may see or find.
func Reply(c *web.Call, status int, policy string, page Page, data any) error {
	var out bytes.Buffer
	if err := page[c.Language().Code].Execute(&out, data); err != nil {
		return fmt.Errorf("page of %s: %w", c.Route.Name(), err)
	}
	c.KeepLanguage()
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.Set("X-Robots-Tag", "noindex, nofollow")
	return c.HTML(status, policy, c.Language().Tighten(untrusted.IsolatePage(out.Bytes())))
}
