package portal

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/money"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/web"
)

const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

//go:embed page
var files embed.FS

// pages are the templates, and the stylesheets that they need.
type pages struct {
	of    map[string]*template.Template
	base  string // the stylesheet that all pages for people share
	style style
}

// names of the pages, each a file that fills the layout.
var names = []string{"signin", "code", "confirm", "confirmcode", "home", "refused", "keys", "newkey", "key", "rotate", "revoke", "usage", "quotes", "orders", "members", "newmember", "member",
	"webhooks", "webhook", "webhookform", "webhooksecret", "webhookrotate", "webhookdelete", "delivery", "requests", "changekey", "details"}

func newPages() (*pages, error) {
	p := &pages{of: map[string]*template.Template{}}
	var err error
	if p.base, err = checkout.Stylesheet(); err != nil {
		return nil, err
	}
	css, err := files.ReadFile("page/portal.css")
	if err != nil {
		return nil, err
	}
	p.style = newStyle(css)
	for _, name := range names {
		t, err := template.New(name).Funcs(funcs).ParseFS(files, "page/layout.html", "page/parts.html", "page/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("portal page %s: %w", name, err)
		}
		p.of[name] = t
	}
	return p, nil
}

var funcs = template.FuncMap{
	"money":  money.Amount,
	"reply":  func(s string) string { return untrusted.Block(s, maxShown) },
	"line":   func(s string) string { return untrusted.Line(s, 200) },
	"when":   func(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") + " UTC" },
	"moment": func(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05") + " UTC" },
	"day":    func(at time.Time) string { return at.UTC().Format(time.DateOnly) },
	"join":   func(s []string) string { return strings.Join(s, ", ") },
}

// maxShown is how many characters are shown of what a receiver replied.
const maxShown = 1024

// A style is a stylesheet under an address that changes with it.
type style struct {
	path string
	text []byte
}

func newStyle(css []byte) style {
	sum := sha256.Sum256(css)
	return style{"/assets/portal-" + hex.EncodeToString(sum[:6]) + ".css", css}
}

func (s style) route() web.Route {
	return web.Route{Method: "GET", Path: s.path, Handle: web.NewStatic("text/css; charset=utf-8", "public, max-age=31536000, immutable", s.text).Serve}
}

// A frame is what every page shows. Token, Account and Member are of who is signed in.
type frame struct {
	Title, Shop, Base, Style string
	FormToken                string
	Account                  *accounts.Account // nil: nobody is signed in
	Member                   accounts.Member
	Menu                     []entry
	Request                  string // names the request that a form of this page makes
	Notice                   string
}

// An entry leads to a section.
type entry struct {
	To, Text string
	Here     bool
}

// sections are those of the menu, with the right that each needs.
var sections = []struct {
	to, text string
	needs    accounts.Right
}{
	{root, "Account", ""},
	{root + "/keys", "Keys", ""},
	{root + "/webhooks", "Webhooks", accounts.ManageWebhooks},
	{root + "/usage", "Usage", ""},
	{root + "/requests", "Failed requests", ""},
	{root + "/quotes", "Quotes", ""},
	{root + "/orders", "Orders", ""},
	{root + "/members", "Members", accounts.ManageMembers},
}

// notices are what can have been done, by the word in the address.
var notices = map[string]string{
	"ended":   "The session has ended.",
	"changed": "The key is changed. That counts within five seconds.",
	"details": "Name and address are set, and the owners told.",
	"revoked": "The key is revoked. It stops working within five seconds.",
	"added":   "The member is added, and written to.",
	"role":    "The role is set.",
	"removed": "The member is removed, and signed out.",

	"endpoint":       "The endpoint is changed.",
	"status-paused":  "The endpoint is paused. Nothing is sent, and nothing is passed over.",
	"status-enabled": "The endpoint goes on with where it stood.",
	"tested":         "A test event is on its way. It stands in the log in a moment; look again.",
	"resent":         "What you asked for is sent again.",
	"deleted":        "The endpoint is deleted.",

	"slow": "This takes longer than usual. It is stored and will be carried out; please look again in a moment.",
}

// frame makes a page's frame; c is nil where nobody is signed in.
func (p *Portal) frame(title string, c *call) frame {
	f := frame{Title: title, Shop: p.Shop, Base: p.pages.base, Style: p.pages.style.path, Request: contract.NewID(contract.RequestPrefix, p.Now())}
	if c == nil {
		return f
	}
	f.FormToken, f.Account, f.Member = c.session.Token, &c.account, c.member
	done, _ := c.Query("done")
	f.Notice = notices[done]
	path := string(c.Fiber.Request().URI().Path())
	for _, s := range sections {
		if s.needs == "" || c.member.Role.May(s.needs) {
			f.Menu = append(f.Menu, entry{s.to, s.text, path == s.to || s.to != root && strings.HasPrefix(path, s.to+"/")})
		}
	}
	return f
}

// Can is for templates.
func (f frame) Can(right string) bool { return f.Member.Role.May(accounts.Right(right)) }

// show answers with a page. It is nobody else's, and no copy of it stays behind.
func (p *Portal) show(c *web.Call, status int, name string, view any) error {
	var out bytes.Buffer
	if err := p.pages.of[name].ExecuteTemplate(&out, "layout", view); err != nil {
		return fmt.Errorf("portal page %s: %w", name, err)
	}
	c.Set("Cache-Control", "no-store")
	c.Set("X-Robots-Tag", "noindex, nofollow")
	return c.HTML(status, policy, untrusted.IsolatePage(out.Bytes()))
}

// missing says that the account has no such thing.
func (p *Portal) missing(c *call, what string) error {
	return p.show(c.Call, http.StatusNotFound, "refused", struct {
		frame
		Why string
	}{p.frame("Nothing here", c), "This account has no such " + what + "."})
}

// refuse says to a member what they may not.
func (p *Portal) refuse(c *call, why string) error {
	return p.show(c.Call, http.StatusForbidden, "refused", struct {
		frame
		Why string
	}{p.frame("Not allowed", c), why})
}
