// Package edge is the HTTP side of the service, for partners and shoppers: it
// checks who asks and whether the question is well formed, publishes it as a
// command, waits for the outcome and answers. It holds no business rule.
package edge

import (
	"context"
	"fmt"
	"net"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/bus"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/destination"
	"boardorder/pkg/guess"
	"boardorder/pkg/projection"
	"boardorder/pkg/secret"
	"boardorder/pkg/session"
	"boardorder/pkg/status"
	"boardorder/services/edge/internal/auth"
	"boardorder/services/edge/internal/check"
	"boardorder/services/edge/internal/customer"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/endpoint"
	"boardorder/services/edge/internal/failed"
	"boardorder/services/edge/internal/feed"
	"boardorder/services/edge/internal/formal"
	"boardorder/services/edge/internal/idempotency"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/page"
	"boardorder/services/edge/internal/partcheck"
	"boardorder/services/edge/internal/portal"
	"boardorder/services/edge/internal/quote"
	"boardorder/services/edge/internal/statuspage"
	"boardorder/services/edge/internal/upload"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Deps is what the edge works with.
type Deps struct {
	Bus     *bus.Bus
	Docs    projection.Store
	Blobs   blob.Store
	Secrets *secret.Keyring
	Catalog *catalog.Catalog      // nil = the one built in
	Log     *zap.Logger           // nil = none
	Metrics prometheus.Registerer // may be nil
	Now     func() time.Time      // nil = time.Now
}

// Edge answers HTTP requests.
type Edge struct {
	cfg       Config
	deps      Deps
	waiters   *wait.Waiters
	client    *dispatch.Client
	capable   *capabilities
	keys      *auth.Keys
	touch     *auth.Touch
	flags     *auth.Flags
	limiter   *limit.Limiter
	places    *limit.Places
	customers *customer.Customers
	quotes    *quote.Quotes
	checks    *check.Checks
	parts     *partcheck.Checks
	uploads   *upload.Uploads
	formal    *formal.Orders
	feed      *feed.Feed
	endpoints *endpoint.Endpoints
	status    *statuspage.Page
	portal    *portal.Portal
	failed    *failed.Recorder
	readiness *readiness
	server    *web.Server

	elsewhere prometheus.Counter // keys sent from outside their networks
	noted     notes              // of them
}

// New builds an edge and opens the buckets that it shares with its replicas.
func New(ctx context.Context, cfg Config, deps Deps) (*Edge, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, fmt.Errorf("edge: %w", err)
	}
	if deps, err = deps.complete(); err != nil {
		return nil, fmt.Errorf("edge: %w", err)
	}
	deps.Docs = outcome.Current(deps.Docs, deps.Bus)
	e := &Edge{cfg: cfg, deps: deps, elsewhere: prometheus.NewCounter(prometheus.CounterOpts{
		Name: "boardorder_edge_keys_disallowed_network_total", Help: "Requests with an API key from outside the networks that it is bound to.",
	})}
	e.waiters = wait.New(cfg.MaxWaiters, e.deps.Bus)
	e.client = &dispatch.Client{Send: deps.Bus, Docs: deps.Docs, Waiters: e.waiters, Secrets: deps.Secrets, PublicURL: cfg.PublicURL, Now: deps.Now}
	if err := e.open(ctx); err != nil {
		return nil, fmt.Errorf("edge: %w", err)
	}
	routes, err := e.routes()
	if err != nil {
		return nil, fmt.Errorf("edge: %w", err)
	}
	e.server, err = web.New(web.Config{
		Log: deps.Log, Metrics: deps.Metrics, Now: deps.Now, Proxies: cfg.TrustedProxies,
		Secure: cfg.secure(), Before: e.admit, Refused: e.refund, ErrorPage: page.ErrorPages(cfg.Shop), Stopping: e.waiters.Close,
	}, routes)
	if err != nil {
		return nil, fmt.Errorf("edge: %w", err)
	}
	e.observe()
	return e, nil
}

func (d Deps) complete() (Deps, error) {
	if d.Log == nil {
		d.Log = zap.NewNop()
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Catalog == nil {
		c, err := catalog.Load()
		if err != nil {
			return d, err
		}
		d.Catalog = c
	}
	return d, nil
}

func (e *Edge) open(ctx context.Context) error {
	use, err := e.deps.Bus.Bucket(ctx, contract.APIKeyUseBucket)
	if err != nil {
		return err
	}
	flags, err := e.deps.Bus.Bucket(ctx, contract.APIKeyFlagsBucket)
	if err != nil {
		return err
	}
	revoked, err := e.deps.Bus.Bucket(ctx, contract.UploadLinksBucket)
	if err != nil {
		return err
	}
	arrivals, err := e.deps.Bus.Bucket(ctx, contract.UploadArrivalsBucket)
	if err != nil {
		return err
	}
	stackups, err := e.deps.Bus.Bucket(ctx, contract.StackupsBucket)
	if err != nil {
		return err
	}
	limits, err := e.deps.Bus.Bucket(ctx, contract.RateLimitsBucket)
	if err != nil {
		return err
	}
	quotas, err := e.deps.Bus.Bucket(ctx, contract.QuotasBucket)
	if err != nil {
		return err
	}
	named, err := e.deps.Bus.Bucket(ctx, contract.IdempotencyKeysBucket)
	if err != nil {
		return err
	}
	now, d := e.deps.Now, e.deps
	e.client.Keys = &idempotency.Keys{Bucket: named, Secrets: d.Secrets, Now: now}
	arrived, links := design.NewArrivals(arrivals, d.Bus), design.NewLinks(revoked, now)
	e.keys = auth.NewKeys(d.Docs, auth.NewFailures(now), now)
	e.touch = auth.NewTouch(use, now, d.Log)
	e.flags = auth.NewFlags(flags, now)
	e.limiter, e.places = limit.New(limits, quotas, now), limit.NewPlaces()
	if e.capable, err = newCapabilities(ctx, d.Catalog, stackups); err != nil {
		return err
	}
	codes, err := e.deps.Bus.Bucket(ctx, contract.CodeAttemptsBucket)
	if err != nil {
		return err
	}
	e.customers = &customer.Customers{
		Client: e.client, Hourly: guess.New(codes, contract.CodeAttemptWindow, now), Minutely: guess.New(codes, time.Minute, now),
	}
	e.checks = &check.Checks{Client: e.client, Blobs: d.Blobs, Arrivals: arrived, Links: links}
	places, err := destination.Load()
	if err != nil {
		return err
	}
	e.quotes = &quote.Quotes{
		Client: e.client, Customers: e.customers, Arrivals: arrived, Links: links,
		Rules:    quote.Rules{Catalog: d.Catalog, Places: places, Stackups: e.capable.listStackups},
		Requests: quote.NewRequests(d.Bus, quotes.Price, now), Tables: quote.NewRequests(d.Bus, pricetables.Price, now), Savings: quote.NewRequests(d.Bus, savings.Find, now), Assembled: e.countAssembled, CountTable: e.countTable, ReportURL: e.checks.RefusalURL, Network: e.place,
	}
	e.parts = &partcheck.Checks{Client: e.client, Distributors: e.cfg.Distributors}
	e.uploads = &upload.Uploads{
		Client: e.client, Receiver: upload.Receiver{Blobs: d.Blobs, Limits: upload.DefaultLimits(), Now: now},
		Links: links, Arrivals: arrived, Timeout: e.cfg.UploadTimeout, Slots: make(chan struct{}, e.cfg.MaxUploads),
		Quotas: upload.Quotas{Limiter: e.limiter, Places: e.places, Network: e.network},
	}
	e.feed = feed.New(e.client, d.Bus, e.places, e.recheckKey)
	progress, err := d.Bus.Bucket(ctx, contract.WebhookProgressBucket)
	if err != nil {
		return err
	}
	e.endpoints = &endpoint.Endpoints{Client: e.client, Progress: progress, Log: d.Bus, Events: e.feed, Sources: e.cfg.WebhookSources, Loopback: e.cfg.WebhookLoopback}
	e.readiness = &readiness{deps: d}
	if err := e.openStatus(ctx); err != nil {
		return err
	}
	if err := e.openPortal(ctx); err != nil {
		return err
	}
	e.formal = &formal.Orders{
		Client: e.client, Blobs: d.Blobs, Begin: e.uploads.Begin, Timeout: e.cfg.FormalTimeout, Network: e.callerNetwork,
	}
	return nil
}

// openPortal opens the pages of accounts' members.
func (e *Edge) openPortal(ctx context.Context) error {
	sessions, err := e.deps.Bus.Bucket(ctx, contract.PortalSessionsBucket)
	if err != nil {
		return err
	}
	uses, err := e.deps.Bus.Bucket(ctx, contract.APIKeyUseBucket)
	if err != nil {
		return err
	}
	codes, err := e.deps.Bus.Bucket(ctx, contract.PortalCodesBucket)
	if err != nil {
		return err
	}
	attempts, err := e.deps.Bus.Bucket(ctx, contract.CodeAttemptsBucket)
	if err != nil {
		return err
	}
	failures, err := e.deps.Bus.Bucket(ctx, contract.FailedRequestsBucket)
	if err != nil {
		return err
	}
	e.failed = failed.New(failures, e.deps.Log)
	e.portal, err = portal.New(portal.Config{
		Client: e.client, Log: e.deps.Bus, Sessions: session.NewPortal(sessions, e.deps.Secrets, e.deps.Now), Codes: codes, Uses: uses, Endpoints: e.endpoints, Failed: failures, Hourly: e.customers.Hourly, Soon: guess.New(attempts, accounts.SignInCodeTTL, e.deps.Now),
		Network: e.callerNetwork, Address: func(c *web.Call) string { return e.server.Address(c) },
		Limiter: e.limiter,
		Quota: func(a accounts.Account, p limit.Policy) limit.Policy {
			return p.ApplyLimits(e.cfg.DailyQuotas).ApplyLimits(a.Limits)
		},
		Shop: e.cfg.Shop, Secure: e.cfg.secure(),
	})
	return err
}

// openStatus opens what tells how the service does.
func (e *Edge) openStatus(ctx context.Context) error {
	reports, err := e.deps.Bus.Bucket(ctx, contract.ProviderHealthBucket)
	if err != nil {
		return err
	}
	days, err := e.deps.Bus.Bucket(ctx, contract.StatusDaysBucket)
	if err != nil {
		return err
	}
	incidents, err := e.deps.Bus.Bucket(ctx, contract.StatusIncidentsBucket)
	if err != nil {
		return err
	}
	e.status, err = statuspage.New(statuspage.Config{
		Shop: e.cfg.Shop, Reports: reports, Days: status.NewDays(days), Incidents: status.Incidents{Bucket: incidents},
		Ready: e.readiness.check, Network: e.callerNetwork, Now: e.deps.Now, Log: e.deps.Log,
	})
	return err
}

func (e *Edge) observe() {
	if e.deps.Metrics == nil {
		return
	}
	e.deps.Metrics.MustRegister(e.elsewhere, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "boardorder_edge_waiting_requests", Help: "Requests that wait for their outcome.",
	}, func() float64 { return float64(e.waiters.Waiting()) }))
}

// Run serves until ctx ends. Then whoever waits is asked to come again later,
// and running requests are finished.
func (e *Edge) Run(ctx context.Context, ln net.Listener) error {
	// What requests hang on ends after the last of them.
	inner, stop := context.WithCancel(context.WithoutCancel(ctx))
	var group errgroup.Group
	group.Go(func() error { return e.deps.Bus.WatchChanges(inner, contract.AccountAggregate, e.keys.Forget) })
	group.Go(func() error { e.touch.Run(inner); return nil })
	group.Go(func() error { e.failed.Run(inner); return nil })
	group.Go(func() error { return e.capable.run(inner) })
	group.Go(func() error { return e.status.Run(inner) })
	err := e.server.Run(ctx, ln, e.cfg.Grace)
	if back := e.limiter.Return(inner); back != nil {
		e.deps.Log.Warn("quota tokens were not returned", zap.Error(back))
	}
	stop()
	if other := group.Wait(); err == nil {
		err = other
	}
	return err
}
