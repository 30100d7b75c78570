// Package payment takes money and has boards built for it: the one saga of the
// system. A checkout leads to a payment, a payment to exactly one order, an
// order to exactly one order at the fabricator.
//
// Every step is written down before the outside is asked, and every outcome is
// asked for again rather than assumed, so that a command may come twice and the
// process may die between any two lines. The decisions are plain functions in
// the internal packages; here is the I/O around them.
package payment

import (
	"context"
	"io"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/bus"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/open"
	"boardorder/pkg/flow"
	"boardorder/pkg/secret"
	"boardorder/services/payment/internal/order"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Config of the payment service.
type Config struct {
	Fabricator open.Config
	StripeKey  string `env:"STRIPE_API_KEY,required,unset"`
	StripeURL  string `env:"STRIPE_URL"`                // a stand-in that speaks Stripe's API; empty: Stripe
	TestKey    string `env:"STRIPE_TEST_API_KEY,unset"` // of Stripe's test mode, for what test keys made; empty: that cannot be paid
	PublicURL  string `env:"PUBLIC_URL,required"`       // where shoppers reach the checkout pages
	Seller     string `env:"SELLER_DETAILS"`            // on invoices: name, address, tax numbers, one after another with | between
	Parallel   int    `env:"PAYMENT_PARALLEL" envDefault:"16"`

	ScreeningURL     string        `env:"SCREENING_URL"`         // who looks recipients up on sanctions lists; empty: nobody does
	ScreeningToken   string        `env:"SCREENING_TOKEN,unset"` // a bearer
	ScreeningTimeout time.Duration `env:"SCREENING_TIMEOUT" envDefault:"10s"`

	SettleFirst    time.Duration `env:"PAYMENT_SETTLE_FIRST" envDefault:"2m"` // after a page opened: the processor is asked unless it spoke
	MaxSettle      time.Duration `env:"PAYMENT_SETTLE_MOST" envDefault:"30m"`
	ReconcileEvery time.Duration `env:"PAYMENT_RECONCILE" envDefault:"5m"`
	SweepEvery     time.Duration `env:"PAYMENT_SWEEP" envDefault:"1h"`            // between looks for orders and pages that lost their timer
	PlaceSettle    time.Duration `env:"ORDER_PLACE_SETTLE" envDefault:"2m"`       // until a lost request must have reached the fabricator
	OrderKept      time.Duration `env:"ORDER_FILES_RETENTION" envDefault:"8760h"` // files of orders, since they were paid
	PollFirst      time.Duration `env:"ORDER_POLL_FIRST" envDefault:"1m"`         // between looks at an order, growing
	MaxPoll        time.Duration `env:"ORDER_POLL_MOST" envDefault:"15m"`
	RetryFirst     time.Duration `env:"PAYMENT_RETRY_FIRST" envDefault:"5s"` // while a company outside is not to be reached
	MaxRetry       time.Duration `env:"PAYMENT_RETRY_MOST" envDefault:"10m"`
}

// complete puts the defaults in, for whoever makes a Config without the environment.
func (c Config) complete() Config {
	for _, d := range []struct {
		v     *time.Duration
		usual time.Duration
	}{
		{&c.SettleFirst, 2 * time.Minute}, {&c.MaxSettle, 30 * time.Minute}, {&c.ReconcileEvery, 5 * time.Minute}, {&c.SweepEvery, time.Hour},
		{&c.PlaceSettle, 2 * time.Minute}, {&c.OrderKept, 365 * 24 * time.Hour}, {&c.PollFirst, time.Minute}, {&c.MaxPoll, 15 * time.Minute},
		{&c.RetryFirst, 5 * time.Second}, {&c.MaxRetry, 10 * time.Minute},
	} {
		if *d.v <= 0 {
			*d.v = d.usual
		}
	}
	if c.Parallel <= 0 {
		c.Parallel = 16
	}
	c.PublicURL = strings.TrimRight(c.PublicURL, "/")
	return c
}

// A Fabricator builds boards. It has no idempotency key: what Place did is
// found out with FindOrder.
type Fabricator interface {
	Upload(ctx context.Context, name string, zip io.Reader) (fileKey string, err error)
	Place(ctx context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error)
	FindOrder(ctx context.Context, reference string) (fabricator.Placed, error)
	Progress(ctx context.Context, p fabricator.Placed) (fabricator.Progress, error)
}

// Files gives what was kept of the design files.
type Files interface {
	Get(ctx context.Context, key string) (io.ReadCloser, blob.Info, error)
}

// Ports are the outside systems of the service.
type Ports struct {
	Cards      card.Processor
	TestCards  card.Processor // the processor's test mode; nil: there is none
	Fabricator Fabricator
	Adapter    string // the fabricator's name, for the record
	Files      Files
	Screener   Screener // nil: recipients are not screened
	Docs       Docs     // for finding only: nothing is decided by what they say
}

// Service is the payment service.
type Service struct {
	cfg      Config
	events   aggregate.Core
	live     side
	test     side
	files    Files
	docs     Docs
	screener Screener
	secrets  *secret.Keyring
	settling order.Settling
	books    *books
	log      *zap.Logger
	now      func() time.Time
}

// New makes the service.
func New(cfg Config, events aggregate.Core, secrets *secret.Keyring, ports Ports, log *zap.Logger, now func() time.Time) *Service {
	cfg = cfg.complete()
	live, test := sides(ports, now)
	s := &Service{
		cfg: cfg, events: events, live: live, test: test,
		files: ports.Files, docs: ports.Docs, screener: ports.Screener, secrets: secrets, settling: order.Settling{Time: cfg.PlaceSettle}, log: log, now: now,
	}
	s.books = newBooks(s)
	return s
}

// Handlers are the commands that the service carries out.
func (s *Service) Handlers() flow.Handlers {
	return flow.Handlers{
		checkouts.Begin:          s.begin,
		confirmations.SendCode:   s.sendCode,
		confirmations.VerifyCode: s.verifyCode,
		checkouts.PaySaved:       s.paySaved,
		checkouts.CardEvent:      s.cardEvent,
		checkouts.Settle:         s.settle,
		checkouts.Reconcile:      s.reconcile,
		orders.Place:             s.place,
		orders.Follow:            s.follow,
		invoices.Issue:           s.issueInvoices,
		orders.ReportStatus:      s.report,
		orders.Sweep:             s.sweep,
		orders.IssueRefund:       s.refund,
		orders.Cancel:            s.cancel,
		orders.SettleMoney:       s.settleMoney,
		orders.Erase:             s.erase,
		orders.HoldEqual:         s.holdEqual,
	}
}

// Serve takes commands from the broker, and from time to time compares the
// processor's books with ours and looks for what lost its timer, until ctx ends.
func (s *Service) Serve(ctx context.Context, b *bus.Bus) error {
	if invoices.SampleSeller(s.cfg.Seller) {
		s.log.Warn("invoices name a sample seller: set SELLER_DETAILS before customers pay")
	}
	if err := b.BeginEquals(ctx, contract.OrderAggregate); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return b.Serve(ctx, bus.Work{Service: "payment", Handlers: s.Handlers(), Parallel: s.cfg.Parallel})
	})
	group.Go(func() error { return s.remind(ctx) })
	group.Go(func() error { return s.remindSweeps(ctx) })
	return group.Wait()
}

// growing doubles a delay with each poll, up to most.
func growing(first, most time.Duration, poll int) time.Duration {
	for ; poll > 0 && first < most; poll-- {
		first *= 2
	}
	return min(first, most)
}
