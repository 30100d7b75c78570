// Package web is the operator's web application: pages rendered here, forms
// that send commands, and one live view. It reads the projection and the
// streams and changes nothing but by commands. Each page is a package of its
// own under pages; routes.go shows all of them.
package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/bus"
	"boardorder/pkg/door"
	"boardorder/pkg/door/strict"
	"boardorder/pkg/projection"
	"boardorder/pkg/secret"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/factor"
	"boardorder/services/console/internal/oidc"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

// Deps is what the pages work with.
type Deps struct {
	Bus      *bus.Bus
	Docs     projection.Store
	Blobs    blob.Store
	Book     *operator.Book
	Sessions *session.Outcomes
	Keys     *secret.Keyring
	Factors  *factor.Factors
	OIDC     *oidc.Client // nil: no identity provider
	Link     *session.Link
	LinkFor  string // the operator whom the link signs in
	Attempts *session.Attempts
	Ask      *ask.Outcomes
	Trail    page.Recorder
	Limits   Limits
	Log      *zap.Logger
	Now      func() time.Time
	Secure   bool         // reached by HTTPS only
	Proxies  door.Proxies // that say whom they forward for

	// NeedFactor has everybody give a second factor, not only those who have one.
	NeedFactor bool
}

// Limits above which a second operator has to agree, in cents: what is above a
// limit waits, what is not is done at once.
type Limits struct {
	RefundCents int64
	PriceCents  int64
}

// Server serves the pages.
type Server struct {
	site  *page.Site
	pages *sections
}

// New makes the server.
func New(ctx context.Context, d Deps) (*Server, error) {
	pages, err := open(ctx, d)
	if err != nil {
		return nil, err
	}
	site := &page.Site{
		Docs: d.Docs, Sessions: d.Sessions, Ask: d.Ask, Trail: d.Trail, Log: d.Log, Now: d.Now, Secure: d.Secure, Proxies: d.Proxies,
	}
	for _, r := range append(pages.visitorRoutes(), pages.operatorRoutes()...) {
		if r.Menu.Name != "" {
			site.Menu = append(site.Menu, r)
		}
	}
	return &Server{site, pages}, nil
}

// Handler has all routes.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /assets/{name}", http.HandlerFunc(page.Asset))
	mux.Handle("GET /robots.txt", http.HandlerFunc(page.Robots))
	for _, r := range s.pages.visitorRoutes() {
		mux.Handle(r.Pattern, s.site.ServeVisitor(r.Handle))
	}
	for _, r := range s.pages.operatorRoutes() {
		mux.Handle(r.Pattern, s.site.ServeOperator(r))
	}
	mux.Handle("/", s.site.ServeOperator(page.Route{Pattern: "/", Handle: page.Nowhere}))
	forged := http.NewCrossOriginProtection()
	forged.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "This form came from another site.", http.StatusForbidden)
	}))
	return s.site.Guard(forged.Handler(mux))
}

// Serve answers on ln until ctx ends.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	srv := &http.Server{
		Handler: door.Handler(s.Handler()), ConnContext: door.ConnContext, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    zap.NewStdLog(s.site.Log),
	}
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if srv.Shutdown(ctx) != nil {
			_ = srv.Close()
		}
	})
	bounds := door.Operators
	bounds.Exempt = s.site.Proxies.Trust
	err := srv.Serve(strict.Guard{Listener: door.Limit(ln, bounds), MaxHead: 2 * srv.MaxHeaderBytes})
	if errors.Is(err, http.ErrServerClosed) {
		<-stopped
		return nil
	}
	stop()
	return fmt.Errorf("console pages: %w", err)
}
