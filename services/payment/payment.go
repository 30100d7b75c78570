// Package payment takes money and has boards built for it: the one saga of the
// system. A checkout leads to a payment, a payment to exactly one order, an
// order to exactly one order at the fabricator.
//
// Every step is written down before the outside is asked, and every outcome is
// asked for again rather than assumed, so that a command may come twice and the
// process may die between any two lines. Each subject is a package below internal;
// its decisions are plain functions beside it (checkout, order, confirm, parts).
package payment

import (
	"context"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/destination"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/open"
	"boardorder/pkg/flow"
	"boardorder/pkg/secret"
	"boardorder/services/payment/internal/charges"
	"boardorder/services/payment/internal/codes"
	"boardorder/services/payment/internal/duplicates"
	"boardorder/services/payment/internal/erasure"
	"boardorder/services/payment/internal/fulfilment"
	"boardorder/services/payment/internal/invoicing"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/pay"
	"boardorder/services/payment/internal/payers"
	"boardorder/services/payment/internal/payments"
	"boardorder/services/payment/internal/reconciliation"
	"boardorder/services/payment/internal/refunds"
	"boardorder/services/payment/internal/saga"
	"boardorder/services/payment/internal/settlement"
	"boardorder/services/payment/internal/sweeps"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Config of the payment service.
type Config struct {
	Fabricators open.Rows `envPrefix:"FABRICATOR"` // FABRICATOR_0_NAME and so on: whoever quotes are priced by
	StripeKey   string    `env:"STRIPE_API_KEY,required,unset"`
	StripeURL   string    `env:"STRIPE_URL"`                // a stand-in that speaks Stripe's API; empty: Stripe
	TestKey     string    `env:"STRIPE_TEST_API_KEY,unset"` // of Stripe's test mode, for what test keys made; empty: that cannot be paid
	PublicURL   string    `env:"PUBLIC_URL,required"`       // where shoppers reach the checkout pages
	Seller      string    `env:"SELLER_DETAILS"`            // on invoices: name, address, tax numbers, one after another with | between
	Parallel    int       `env:"PAYMENT_PARALLEL" envDefault:"16"`

	ScreeningURL     string        `env:"SCREENING_URL"`         // who looks recipients up on sanctions lists; empty: nobody does
	ScreeningToken   string        `env:"SCREENING_TOKEN,unset"` // a bearer
	ScreeningTimeout time.Duration `env:"SCREENING_TIMEOUT" envDefault:"10s"`

	SettleFirst    time.Duration `env:"PAYMENT_SETTLE_FIRST" envDefault:"2m"` // after a page opened: the processor is asked unless it spoke
	MaxSettle      time.Duration `env:"PAYMENT_SETTLE_MOST" envDefault:"30m"`
	ReconcileEvery time.Duration `env:"PAYMENT_RECONCILE" envDefault:"5m"`
	SweepEvery     time.Duration `env:"PAYMENT_SWEEP" envDefault:"1h"`            // between looks for orders and pages that lost their timer
	PlaceSettle    time.Duration `env:"ORDER_PLACE_SETTLE" envDefault:"2m"`       // until a lost request must have reached the fabricator
	OrderRetention time.Duration `env:"ORDER_FILES_RETENTION" envDefault:"8760h"` // files of orders, since they were paid
	PollFirst      time.Duration `env:"ORDER_POLL_FIRST" envDefault:"1m"`         // between looks at an order, growing
	MaxPoll        time.Duration `env:"ORDER_POLL_MOST" envDefault:"15m"`
	RetryFirst     time.Duration `env:"PAYMENT_RETRY_FIRST" envDefault:"5s"` // while an external provider cannot be reached
	MaxRetry       time.Duration `env:"PAYMENT_RETRY_MOST" envDefault:"10m"`
}

// complete puts the defaults in, for whoever makes a Config without the environment.
func (c Config) complete() Config {
	for _, d := range []struct {
		v     *time.Duration
		usual time.Duration
	}{
		{&c.SettleFirst, 2 * time.Minute}, {&c.MaxSettle, 30 * time.Minute}, {&c.ReconcileEvery, 5 * time.Minute}, {&c.SweepEvery, time.Hour},
		{&c.PlaceSettle, 2 * time.Minute}, {&c.OrderRetention, 365 * 24 * time.Hour}, {&c.PollFirst, time.Minute}, {&c.MaxPoll, 15 * time.Minute},
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

// A Fabricator builds boards.
type Fabricator = saga.Fabricator

// Ports are the outside systems of the service.
type Ports struct {
	Cards       card.Processor
	TestCards   card.Processor // the processor's test mode; nil: there is none
	Fabricators fabricator.List[Fabricator]
	Files       fulfilment.Files
	Screener    fulfilment.Screener // nil: recipients are not screened
	Places      *destination.Book   // nil: no invoice states VAT in another currency
	Rates       fulfilment.Rates    // nil: none are published
	Docs        saga.Docs           // for finding only: nothing is decided by what they say
}

// Service is the payment service. Each of its parts has a subject of its own.
type Service struct {
	cfg            Config
	env            *saga.Env
	checkouts      *pay.Checkouts
	codes          *codes.Codes
	settlement     *settlement.Settlement
	orders         *fulfilment.Orders
	invoices       *invoicing.Invoices
	refunds        *refunds.Refunds
	erasure        *erasure.Erasure
	reconciliation *reconciliation.Reconciliation
	sweeps         *sweeps.Sweeps
}

// New makes the service.
func New(cfg Config, events aggregate.Core, secrets *secret.Keyring, ports Ports, log *zap.Logger, now func() time.Time) *Service {
	cfg = cfg.complete()
	env := &saga.Env{
		Events: events, Log: log, Now: now, Retry: saga.Backoff{First: cfg.RetryFirst, Max: cfg.MaxRetry},
		Live: saga.Mode{Cards: ports.Cards, Fabricators: ports.Fabricators}, Test: saga.TestMode(ports.TestCards, now),
	}
	documents := &invoicing.Invoices{Env: env, Places: ports.Places, Seller: cfg.Seller}
	orders := &fulfilment.Orders{
		Env: env, Files: ports.Files, Places: ports.Places, Rates: ports.Rates, Screener: ports.Screener, Duplicates: &duplicates.Duplicates{Events: events}, Invoices: documents,
		Settling: order.Settling{Time: cfg.PlaceSettle}, Poll: saga.Backoff{First: cfg.PollFirst, Max: cfg.MaxPoll}, Retention: cfg.OrderRetention,
	}
	shoppers := &payers.Customers{Env: env}
	paid := &payments.Payments{Env: env, Customers: shoppers, Orders: orders, Settle: saga.Backoff{First: cfg.SettleFirst, Max: cfg.MaxSettle}}
	charged := &charges.Charges{Env: env, Payments: paid}
	checkouts := &pay.Checkouts{Env: env, Payments: paid, Charges: charged, Secrets: secrets, PublicURL: cfg.PublicURL}
	refunded := &refunds.Refunds{Env: env, Payments: paid, Orders: orders, Invoices: documents}
	return &Service{
		cfg: cfg, env: env, checkouts: checkouts, orders: orders, invoices: documents, refunds: refunded,
		codes:          &codes.Codes{Env: env, Secrets: secrets, Docs: ports.Docs, Checkouts: checkouts},
		settlement:     &settlement.Settlement{Env: env, Payments: paid, Charges: charged, Refunds: refunded},
		erasure:        &erasure.Erasure{Env: env, Checkouts: checkouts, Charges: charged, Payments: paid, Orders: orders, Refunds: refunded, Customers: shoppers},
		reconciliation: &reconciliation.Reconciliation{Env: env, Payments: paid, Every: cfg.ReconcileEvery, Grace: cfg.SettleFirst},
		sweeps:         &sweeps.Sweeps{Env: env, Docs: ports.Docs, Every: cfg.SweepEvery},
	}
}

// Handlers are the commands that the service carries out.
func (s *Service) Handlers() flow.Handlers {
	return flow.Handlers{
		checkouts.Begin:          s.checkouts.Begin,
		checkouts.PaySaved:       s.checkouts.PaySaved,
		confirmations.SendCode:   s.codes.Send,
		confirmations.VerifyCode: s.codes.Verify,
		checkouts.CardEvent:      s.settlement.CardEvent,
		checkouts.Settle:         s.settlement.Settle,
		orders.Place:             s.orders.Place,
		orders.Follow:            s.orders.Follow,
		orders.ReportStatus:      s.orders.Report,
		orders.HoldDuplicate:     s.orders.HoldDuplicate,
		invoices.Issue:           s.invoices.Issue,
		orders.IssueRefund:       s.refunds.Refund,
		orders.Cancel:            s.refunds.Cancel,
		orders.SettleMoney:       s.refunds.Settle,
		orders.Erase:             s.erasure.Erase,
		checkouts.Reconcile:      s.reconciliation.Reconcile,
		orders.Sweep:             s.sweeps.Sweep,
	}
}

// Metrics report what reconciliation found.
func (s *Service) Metrics() prometheus.Collector { return s.reconciliation }

// Serve takes commands from the broker, and from time to time compares the
// processor's payments with ours and looks for what lost its timer, until ctx ends.
func (s *Service) Serve(ctx context.Context, b *bus.Bus) error {
	if invoices.SampleSeller(s.cfg.Seller) {
		s.env.Log.Warn("invoices name a sample seller: set SELLER_DETAILS before customers pay")
	}
	if err := b.BeginDuplicates(ctx, contract.OrderAggregate); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return b.Serve(ctx, bus.Work{Service: "payment", Handlers: s.Handlers(), Parallel: s.cfg.Parallel})
	})
	group.Go(func() error { return s.reconciliation.Remind(ctx) })
	group.Go(func() error { return s.sweeps.Remind(ctx) })
	return group.Wait()
}
