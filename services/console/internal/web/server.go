// Package web is the operator's web application: pages rendered here, forms
// that send commands, and one live view. It reads the projection and the
// streams and changes nothing but by commands.
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
	"boardorder/pkg/contract"
	"boardorder/pkg/door"
	"boardorder/pkg/door/strict"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/factor"
	"boardorder/services/console/internal/oidc"
	"boardorder/services/console/internal/operator"
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
	Factors  *factor.Factors
	OIDC     *oidc.Client // nil: no identity provider
	Link     *session.Link
	LinkFor  string // the operator whom the link signs in
	Attempts *session.Attempts
	Ask      *ask.Outcomes
	Trail    Recorder
	Limits   Limits
	Log      *zap.Logger
	Now      func() time.Time
	Secure   bool         // reached by HTTPS only
	Proxies  door.Proxies // that say whom they forward for

	// NeedFactor has everybody give a second factor, not only those who have one.
	NeedFactor bool
}

// Server serves the pages.
type Server struct {
	Deps
	pages   pages
	keyUses *bus.Bucket // when each API key was last used, as the edges note it
	rates   rates
	watches *watches
	keyFlag *bus.Bucket // when a key was first sent in an address
}

// New makes the server.
func New(ctx context.Context, d Deps) (*Server, error) {
	p, err := parsePages()
	if err != nil {
		return nil, err
	}
	uses, err := d.Bus.Bucket(ctx, contract.APIKeyUseBucket)
	if err != nil {
		return nil, err
	}
	flags, err := d.Bus.Bucket(ctx, contract.APIKeyFlagsBucket)
	if err != nil {
		return nil, err
	}
	return &Server{Deps: d, pages: p, keyUses: uses, keyFlag: flags, watches: &watches{bus: d.Bus, log: d.Log, per: map[contract.Aggregate]*watch{}}}, nil
}

// Handler has all routes.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /assets/{name}", http.HandlerFunc(asset))
	for _, r := range s.open() {
		mux.Handle(r.pattern, s.serveVisitor(r.handle))
	}
	for _, r := range s.operatorRoutes() {
		mux.Handle(r.pattern, s.serveOperator(r))
	}
	mux.Handle("/", s.serveOperator(route{pattern: "/", handle: nowhere}))
	forged := http.NewCrossOriginProtection()
	forged.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "This form came from another site.", http.StatusForbidden)
	}))
	return s.guard(forged.Handler(mux))
}

type route struct {
	pattern string
	needs   operator.Permission // none when empty
	handle  func(*call) error
}

// A Route is one page or form, and the permission that it needs; empty: whoever
// is signed in.
type Route struct {
	Pattern string
	Needs   operator.Permission
}

// Routes lists what only operators reach.
func Routes() []Route {
	var all []Route
	for _, r := range (&Server{}).operatorRoutes() {
		all = append(all, Route{r.pattern, r.needs})
	}
	return all
}

// open are the routes for whoever is not signed in yet.
func (s *Server) open() []route {
	return []route{
		{"GET /{$}", "", s.front}, {"GET /sign-in", "", s.signInPage}, {"POST /sign-in", "", s.signIn}, {"POST /sign-in/link", "", s.signInByLink},
		{"GET /sign-in/provider", "", s.sendToProvider}, {"GET /sign-in/provider/back", "", s.receiveFromProvider},
	}
}

func (s *Server) operatorRoutes() []route {
	return []route{
		{"POST /sign-out", "", s.signOut},
		{"GET /factor", "", s.factorPage},
		{"POST /factor", "", s.giveFactor},
		{"GET /factor/picture", "", s.factorPicture},
		{"GET /sessions", "", s.sessions},
		{"POST /sessions/{name}/{session}/end", "", s.endSession},
		{"POST /operators/{name}/factor/remove", operator.ManageOperators, s.removeFactor},
		{"POST /find", "", s.find},
		{"GET /quotes", "", s.quotes},
		{"GET /quotes/{ref}", "", s.quote},
		{"GET /quotes/{ref}/life", "", s.life},
		{"GET /quotes/{ref}/picture/{side}", operator.SeeDesigns, s.picture},
		{"GET /quotes/{ref}/layers", operator.SeeDesigns, s.layers},
		{"POST /quotes/{ref}/layers", operator.SeeDesigns, s.drawLayers},
		{"GET /quotes/{ref}/layers/{n}", operator.SeeDesigns, s.layerPicture},
		{"GET /quotes/{ref}/checks/{check}", operator.SeeDesigns, s.checkReport},
		{"GET /quotes/{ref}/package", operator.SeeDesigns, s.quotePackage},
		{"GET /quotes/{ref}/parts/{side}", operator.SeeDesigns, s.outlines},
		{"GET /quotes/{ref}/assembly", operator.SeeDesigns, s.assemblyPackage},
		{"GET /reviews", "", s.reviews},
		{"GET /reviews/{ref}", operator.SetPrices, s.review},
		{"POST /reviews/{ref}", operator.SetPrices, s.priceReview},
		{"POST /reviews/{ref}/parts", operator.SetPrices, s.pickPart},
		{"POST /reviews/{ref}/ask", operator.SetPrices, s.askCustomer},
		{"POST /reviews/{ref}/refuse", operator.SetPrices, s.refuseReview},
		{"GET /approvals", "", s.approvals},
		{"POST /cases/{ref}/take", operator.TakeCases, s.takeCase},
		{"POST /cases/{ref}/approvals/{id}", operator.TakeCases, s.decide},
		{"GET /orders", "", s.orders},
		{"GET /orders.csv", operator.SeePeople, s.ordersCSV},
		{"GET /orders/{ref}", "", s.order},
		{"POST /orders/{ref}", operator.MoveOrders, s.reportOrder},
		{"POST /orders/{ref}/refund", operator.MoveOrders, s.refundOrder},
		{"POST /orders/{ref}/cancel", operator.MoveOrders, s.cancelOrder},
		{"GET /orders/{ref}/package", operator.SeeDesigns, s.orderPackage},
		{"GET /central", "", s.centrals},
		{"GET /central/{ref}", "", s.central},
		{"GET /central/{ref}/picture/{side}", operator.SeeDesigns, s.centralPicture},
		{"GET /central/{ref}/quote.pdf", operator.SeePeople, s.centralQuote},
		{"GET /central/{ref}/files/{field}", operator.SeeDesigns, s.centralFile},
		{"POST /central/{ref}/quote", operator.SetPrices, s.quoteCentral},
		{"POST /central/{ref}/review", operator.SetPrices, s.reviewCentral},
		{"POST /central/{ref}/move", operator.MoveOrders, s.moveCentral},
		{"GET /customers", "", s.customers},
		{"GET /customers/{id}", "", s.customerPage},
		{"POST /customers/{id}/export", operator.ManageCustomers, s.exportCustomer},
		{"POST /customers/{id}/erase", operator.ManageCustomers, s.eraseCustomer},
		{"GET /uploads", "", s.uploads},
		{"GET /events", "", s.events},
		{"GET /streams", "", s.streams},
		{"GET /events/live", "", s.live},
		{"GET /events/{aggregate}/{id}", "", s.history},
		{"GET /event/{aggregate}/{at}", operator.SeeBodies, s.event},
		{"GET /dead-letters", "", s.deadLetters},
		{"GET /dead-letters/{seq}", "", s.deadLetter},
		{"POST /dead-letters/replay", operator.ManageDead, s.replayMany},
		{"GET /dead-letters/replayed", operator.ManageDead, s.showReplay},
		{"POST /dead-letters/{seq}/replay", operator.ManageDead, s.replay},
		{"POST /dead-letters/{seq}/discard", operator.ManageDead, s.discard},
		{"GET /audit", operator.SeeAudit, s.auditTrail},
		{"GET /audit/verify", operator.SeeAudit, s.verifyAudit},
		{"GET /audit/file/{format}", operator.SeeAudit, s.auditFile},
		{"GET /accounts", "", s.accounts},
		{"POST /accounts", operator.ManageAccounts, s.openAccount},
		{"GET /accounts/{id}", "", s.account},
		{"POST /accounts/{id}/address", operator.ManageAccounts, s.setAddress},
		{"POST /accounts/{id}/keys", operator.ManageAccounts, s.createKey},
		{"GET /accounts/{id}/keys/{key}", operator.ManageAccounts, s.changeKeyPage},
		{"POST /accounts/{id}/keys/{key}", operator.ManageAccounts, s.changeKey},
		{"POST /accounts/{id}/keys/{key}/rotate", operator.ManageAccounts, s.rotateKey},
		{"GET /accounts/{id}/keys/{key}/revoke", operator.ManageAccounts, s.revokePage},
		{"POST /accounts/{id}/keys/{key}/revoke", operator.ManageAccounts, s.revokeKey},
	}
}

// Serve answers on ln until ctx ends.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	srv := &http.Server{
		Handler: door.Handler(s.Handler()), ConnContext: door.ConnContext, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    zap.NewStdLog(s.Log),
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
	bounds.Exempt = s.Proxies.Trust
	err := srv.Serve(strict.Guard{Listener: door.Limit(ln, bounds), MaxHead: 2 * srv.MaxHeaderBytes})
	if errors.Is(err, http.ErrServerClosed) {
		<-stopped
		return nil
	}
	stop()
	return fmt.Errorf("console pages: %w", err)
}
