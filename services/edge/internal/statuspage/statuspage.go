// Package statuspage tells customers how the service does: on a page and as JSON, to anybody,
// without a key. Each edge takes a sample every minute, of which one counts, and remembers
// what it tells for some seconds, so that whoever asks costs nothing.
package statuspage

import (
	"bytes"
	"context"
	_ "embed" // the page
	"fmt"
	"html/template"
	"net/http"
	"sync"
	"time"

	"boardorder/pkg/language"
	"boardorder/pkg/status"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

const (
	every       = time.Minute
	remembered  = 5 * time.Second
	readTimeout = 5 * time.Second
	cached      = "public, max-age=10"
	policy      = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)

// Config is what the page needs.
type Config struct {
	Shop      string
	Reports   status.Reports
	Days      *status.Days
	Incidents status.Incidents
	// Ready says what of the service is not reached; nil: all is.
	Ready   func(context.Context) error
	Network func(*web.Call) (string, error)
	Now     func() time.Time
	Log     *zap.Logger
}

// Page is the page and the JSON.
type Page struct {
	Config
	style     string
	templates map[string]*template.Template // by language

	mu   sync.Mutex
	last seen
	read time.Time // when that was known: reading takes long while the broker is away
}

//go:embed status.html
var pageText string

// New makes it.
func New(cfg Config) (*Page, error) {
	p := &Page{Config: cfg, templates: map[string]*template.Template{}}
	var err error
	if p.style, err = checkout.Stylesheet(); err != nil {
		return nil, err
	}
	for _, l := range language.List() {
		t, err := template.New("status.html").Funcs(template.FuncMap{"t": l.Text, "lang": func() string { return l.Code }}).Parse(pageText)
		if err != nil {
			return nil, fmt.Errorf("status page: %w", err)
		}
		p.templates[l.Code] = t
	}
	return p, nil
}

// Routes lists them.
func (p *Page) Routes() []web.Route {
	return []web.Route{
		{Method: http.MethodGet, Path: "/v1/status", Access: web.Public, Limit: &limit.Status, LimitBy: p.Network, Handle: p.serve},
		{Method: http.MethodGet, Path: "/status", Access: web.Public, Page: true, Limit: &limit.Pages, LimitBy: p.Network, Handle: p.show},
	}
}

func (p *Page) serve(c *web.Call) error {
	r := p.look(c.Context()).reply()
	c.Set("Cache-Control", cached)
	c.Set("Access-Control-Allow-Origin", "*") // there is nothing in it that not all may see
	c.Set("Cross-Origin-Resource-Policy", "cross-origin")
	return c.JSON(http.StatusOK, r)
}

func (p *Page) show(c *web.Call) error {
	l := c.Language()
	var page bytes.Buffer
	if err := p.templates[l.Code].Execute(&page, p.view(l, c.LanguageLinks(), p.look(c.Context()).reply())); err != nil {
		return fmt.Errorf("status page: %w", err)
	}
	c.KeepLanguage()
	c.Set("Cache-Control", "private, max-age=10") // it is in the language of who asks
	return c.HTML(http.StatusOK, policy, l.Tighten(page.Bytes()))
}

// look gives what is known now, or was some seconds ago. What cannot be read is not known; a
// history that was read before still holds.
func (p *Page) look(ctx context.Context) seen {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Now()
	if age := now.Sub(p.read); age >= 0 && age < remembered {
		return p.last
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	s := seen{at: now, standings: p.measure(ctx, now)}
	var err error
	if s.history, err = p.Days.Read(ctx, now); err != nil {
		s.history = p.last.history
		p.Log.Warn("the history of the status page cannot be read", zap.Error(err))
	}
	if s.incidents, err = p.Incidents.List(ctx, now); err != nil {
		s.incidents = p.last.incidents
		p.Log.Warn("incidents cannot be read", zap.Error(err))
	} else if s.incidents == nil {
		s.incidents = []status.Incident{}
	}
	p.last, p.read = s, p.Now()
	return s
}

// measure is how all parts do now.
func (p *Page) measure(ctx context.Context, now time.Time) []status.Standing {
	down := p.Ready(ctx)
	healths, err := status.ReadHealth(ctx, p.Reports, now)
	if err != nil {
		p.Log.Warn("how providers do cannot be read", zap.Error(err))
	}
	if down == nil {
		down = err
	}
	return status.Standings(down, healths)
}

// Run takes a sample every minute until ctx ends.
func (p *Page) Run(ctx context.Context) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		p.Sample(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// Sample counts how all parts do in this minute.
func (p *Page) Sample(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	now := p.Now()
	parts := p.measure(ctx, now)
	if ctx.Err() != nil && parts[0].State == status.Works {
		return // it was the edge that stopped
	}
	if err := p.Days.Note(context.WithoutCancel(ctx), now, parts); err != nil {
		p.Log.Warn("a measurement of the status page waits to be written", zap.Error(err))
	}
}
