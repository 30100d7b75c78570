// Package shop has the pages at which people without an API key order boards: they send their
// files, see the board and what it costs, and go on to the checkout. It asks as clients of the
// API do, on an account of the house: the same uploads, quotes and checks, with the same
// refusals, put into words for people. The pages work without any script.
//
// Whoever holds an upload_id sees the board, so it is treated as the secret that it is: it
// stands in addresses that are never logged, and nothing lists it.
package shop

import (
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/stackups"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/auth"
	"boardorder/services/edge/internal/check"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/picture"
	"boardorder/services/edge/internal/quote"
	"boardorder/services/edge/internal/upload"
	"boardorder/services/edge/internal/web"
)

// Config is what the shop works with.
type Config struct {
	*dispatch.Client
	Account  string         // whose uploads and quotes the shop's are
	Limits   map[string]int // of that account, by policy
	Uploads  upload.Uploads
	Designs  design.Designs
	Quotes   *quote.Quotes
	Checks   *check.Checks
	Pictures *picture.Pictures
	Catalog  *catalog.Catalog
	Stackups func() (all []stackups.Stackup, complete bool) // the fabricator's layer build-ups
	Frames   *checkout.Pages                                // the look of all pages for shoppers
	Limiter  *limit.Limiter
	// CountOwner counts something for all of the caller's account.
	CountOwner func(*web.Call, limit.Policy) error
	Network    func(*web.Call) string // where a call comes from, in [A-Za-z0-9_-]
	Developers template.HTML          // what the first page says to developers
}

// Shop answers what people without a key ask.
type Shop struct {
	Config
	challenges   challenges
	countries    checkout.Countries
	assets       checkout.Assets
	views        map[string]checkout.Page
	voices       map[string]voice // by the language of a page
	base, origin string           // of our addresses
}

//go:embed page style
var files embed.FS

// keyID stands for an API key where requests are counted and quotes say who asked.
const keyID = "shop"

// policy lets a page load what is ours and send its forms to us.
const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// New builds the shop.
func New(cfg Config) (*Shop, error) {
	public, err := url.Parse(cfg.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("shop: %w", err)
	}
	s := &Shop{
		Config: cfg, base: strings.TrimRight(public.Path, "/"), origin: public.Scheme + "://" + public.Host,
		challenges: challenges{cfg.Secrets, cfg.Limiter, cfg.Now}, voices: map[string]voice{},
	}
	s.Uploads.Receiver.Judge = judge
	if s.countries, err = checkout.LoadCountries(); err != nil {
		return nil, fmt.Errorf("shop: %w", err)
	}
	if s.assets, err = checkout.LoadAssets(files, "shop.css", "shop.js"); err != nil {
		return nil, fmt.Errorf("shop: %w", err)
	}
	if s.views, err = loadViews(); err != nil {
		return nil, fmt.Errorf("shop: %w", err)
	}
	for _, p := range language.List() {
		s.voices[p.Code] = newVoice(p)
	}
	return s, nil
}

// loadViews gives the templates of each page, which are the same for all edges of a process.
var loadViews = sync.OnceValues(func() (map[string]checkout.Page, error) {
	views := map[string]checkout.Page{}
	for _, name := range []string{"start", "board", "message"} {
		var err error
		if views[name], err = checkout.ParsePage(files, "page/said.html", "page/"+name+".html"); err != nil {
			return nil, err
		}
	}
	return views, nil
})

// Routes lists the pages.
func (s *Shop) Routes() []web.Route {
	const board = "/order/{upload_id}"
	routes := s.assets.Routes()
	for _, r := range []web.Route{
		{Method: http.MethodGet, Path: "/", Handle: s.start},
		{Method: http.MethodGet, Path: "/order", Handle: s.start},
		{Method: http.MethodPost, Path: "/order", Handle: s.receive},
		{Method: http.MethodGet, Path: "/order-challenge", Handle: s.challenge},
		{Method: http.MethodGet, Path: board, Handle: s.board},
		{Method: http.MethodGet, Path: board + "/board.png", Handle: s.picture},
		{Method: http.MethodGet, Path: board + "/report", Handle: s.report},
		{Method: http.MethodPost, Path: board + "/files", Handle: s.add},
		{Method: http.MethodGet, Path: board + "/files", Handle: s.showBoard},
	} {
		r.Access, r.Page, r.Handle = web.Public, true, s.page(r.Handle)
		routes = append(routes, r)
	}
	return routes
}

// page makes the shop's account the caller, counts the visit, and turns errors into pages
// for people.
func (s *Shop) page(handle func(*web.Call) error) func(*web.Call) error {
	return func(c *web.Call) error {
		c.Caller = auth.Caller{Account: s.Account, Name: keyID, Limits: s.Limits, Key: accounts.APIKey{ID: keyID, Live: true}}
		err := s.take(c, limit.Pages, s.Network(c))
		if err == nil {
			err = handle(c)
		}
		if err == nil {
			return nil
		}
		return s.fail(c, err)
	}
}

// frame is the frame of the shop's pages.
func (s *Shop) frame(c *web.Call, title string) checkout.Frame {
	f := s.Frames.Frame(c, title, "")
	f.Script, f.Extra, f.Home = s.base+s.assets.Path("shop.js"), s.base+s.assets.Path("shop.css"), s.base+"/"
	return f
}

func (s *Shop) reply(c *web.Call, status int, name string, view any) error {
	return checkout.Reply(c, status, policy, s.views[name], view)
}

// self is the address of a board's page, seen from the browser.
func (s *Shop) self(id string) string { return s.base + "/order/" + id }
