// Package pricing turns an upload and options into a quote, and prices a quote
// anew for the delivery chosen at checkout. The decisions are plain functions
// in its internal packages; here is the I/O around them.
package pricing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/bus"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/open"
	"boardorder/pkg/fabricator/tariff"
	"boardorder/pkg/flow"
	"boardorder/pkg/secret"
	"boardorder/services/pricing/internal/exchange"
	"boardorder/services/pricing/internal/offer"
	"boardorder/services/pricing/internal/options"

	"github.com/shopspring/decimal"
	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"
)

// Config of the pricing service.
type Config struct {
	Fabricators    open.Rows     `envPrefix:"FABRICATOR"`                        // FABRICATOR_0_NAME and so on
	Rule           string        `env:"FABRICATORS_RULE" envDefault:"preferred"` // who builds a board: see accounts.ParseFabricatorRule
	Parallel       int           `env:"PRICING_PARALLEL" envDefault:"128"`       // commands that run at once: nearly all wait for a commit, and those that wait together share its sync
	DefaultCountry string        `env:"DEFAULT_DESTINATION" envDefault:"US"`     // priced for when nobody names one, and said so
	AssembledHS    string        `env:"ASSEMBLED_HS_CODE" envDefault:"8537.10"`  // customs code of assembled boards
	RatesURL       string        `env:"EXCHANGE_RATES_URL" envDefault:"https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"`
	RatesMaxDays   int           `env:"EXCHANGE_RATES_MAX_DAYS" envDefault:"7"` // older rates are not used
	TablesDir      string        `env:"PRICE_TABLES_DIR"`                       // the operator's own tables, over the built-in ones
	TestTariff     string        `env:"TEST_TARIFF"`                            // path of the price table for test keys; empty: the built-in one
	StackupPause   time.Duration `env:"STACKUP_PAUSE" envDefault:"1s"`          // between two questions about stackups, so that prices go first
	Margin         string        `env:"CURRENCY_MARGIN" envDefault:"2"`         // percent on the bank's rate, for shoppers who pay in their own currency; off: all pay in dollars
	ReadingWait    time.Duration `env:"READING_WAIT" envDefault:"20s"`          // for files that are still being read, at a time
	WatchEvery     time.Duration `env:"QUOTE_WATCH_EVERY" envDefault:"6h"`      // how often suppliers are asked again about the parts of open quotes; 0 = never
	ProgressAfter  time.Duration `env:"PROGRESS_AFTER" envDefault:"2s"`         // of waiting for a price, until it is recorded that it is waited for; 0 = never
}

// Rates knows exchange rates that are fresh enough to use. Without any it gives
// the zero Rates: prices in dollars need none.
type Rates interface {
	Rates(ctx context.Context) exchange.Rates
}

// Service is the pricing service.
type Service struct {
	cfg      Config
	events   aggregate.Core
	fabs     fabricator.List[Pricer]
	test     Fabricator // for test keys: a price table
	rule     accounts.FabricatorRule
	rates    Rates
	margin   *decimal.Decimal // percent on rates that shoppers pay by; nil: all pay in dollars
	stackups Stackups
	secrets  *secret.Keyring
	catalog  *catalog.Catalog
	resolver *options.Resolver
	tables   *offer.Tables
	limits   *dfm.Capability // the primary fabricator's
	read     *readings
	log      *zap.Logger
	now      func() time.Time
}

// Ports are the outside systems of the service.
type Ports struct {
	Fabricators fabricator.List[Pricer]
	Rates       Rates    // nil = none: then only what needs none is priced
	Stackups    Stackups // nil = none are known: what names one has no price
}

// Stackups holds what stackups the primary fabricator has, as GET /v1/capabilities lists them,
// by stackups.Key.
type Stackups interface {
	Get(ctx context.Context, key string) ([]byte, uint64, error)
}

// usualAssembledHS is the code of boards for electric control. Which one is right
// depends on what a board is for; the duty tables know this and 8473.30, parts of
// computers.
const usualAssembledHS = "8537.10"

var hsCode = regexp.MustCompile(`^[0-9]{4}\.[0-9]{2}$`)

type noRates struct{}

func (noRates) Rates(context.Context) exchange.Rates { return exchange.Rates{} }

// New makes the service over its data files.
func New(cfg Config, events aggregate.Core, secrets *secret.Keyring, ports Ports, log *zap.Logger, now func() time.Time) (*Service, error) {
	c, err := catalog.Load()
	if err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	tables, err := offer.LoadTables(tableFS(cfg.TablesDir))
	if err != nil {
		return nil, fmt.Errorf("price tables: %w", err)
	}
	if cfg.AssembledHS == "" {
		cfg.AssembledHS = usualAssembledHS
	}
	if !hsCode.MatchString(cfg.AssembledHS) {
		return nil, fmt.Errorf("ASSEMBLED_HS_CODE is %q; such a code looks like %s", cfg.AssembledHS, usualAssembledHS)
	}
	margin, err := readMargin(cfg.Margin)
	if err != nil {
		return nil, err
	}
	rule, err := accounts.ParseFabricatorRule(cfg.Rule)
	if err == nil && rule.Fabricator != "" && !slices.ContainsFunc(ports.Fabricators, func(f Fabricator) bool { return f.Name == rule.Fabricator }) {
		err = fmt.Errorf("no fabricator is named %q", rule.Fabricator)
	}
	if err != nil {
		return nil, fmt.Errorf("FABRICATORS_RULE: %w", err)
	}
	if len(ports.Fabricators) == 0 {
		return nil, errors.New("nobody is there to price boards")
	}
	if ports.Rates == nil {
		ports.Rates = noRates{}
	}
	if ports.Stackups == nil {
		ports.Stackups = noStackups{}
	}
	primary, err := limits.Primary()
	if err != nil {
		return nil, fmt.Errorf("limits of the fabricator: %w", err)
	}
	table, err := tariff.New(tariff.Config{Path: cfg.TestTariff, Now: now})
	if err != nil {
		return nil, fmt.Errorf("TEST_TARIFF: %w", err)
	}
	test := Fabricator{Name: fabricator.Test, Country: ports.Fabricators[0].Country, Adapter: table}
	return &Service{
		cfg: cfg, events: events, fabs: ports.Fabricators, test: test, rule: rule, rates: ports.Rates, margin: margin, stackups: ports.Stackups, secrets: secrets,
		catalog: c, resolver: options.New(c), tables: tables, limits: primary, read: newReadings(), log: log, now: now,
	}, nil
}

func tableFS(dir string) fs.FS {
	if dir == "" {
		return nil
	}
	return os.DirFS(dir)
}

// Handlers are the commands that the service carries out.
func (s *Service) Handlers() flow.Handlers {
	return flow.Handlers{
		quotes.Price:          s.quote,
		pricetables.Price:     s.priceTable,
		savings.Find:          s.findSavings,
		quotes.ChooseDelivery: s.chooseDelivery,
		quotes.RequestReview:  s.requestReview,
		quotes.PriceReview:    s.priceReview,
		quotes.PickPart:       s.pickPart,
		quotes.Watch:          s.watch,
		quotes.AskApproval:    s.askApproval,
		quotes.AnswerApproval: s.answerApproval,
		quotes.AskCustomer:    s.askCustomer,
		quotes.AnswerReview:   s.answerReview,
		quotes.RefuseReview:   s.refuseReview,
		buylinks.Create:       s.createLink,
		buylinks.Close:        s.closeLink,
		buylinks.Keep:         s.keepLink,
		quotes.Erase:          s.erase,
	}
}

// Serve takes commands from the broker, and watches the parts of open quotes, until ctx ends.
func (s *Service) Serve(ctx context.Context, b *bus.Bus) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return b.Serve(ctx, bus.Work{Service: "pricing", Claims: true, Handlers: s.Handlers(), Parallel: s.cfg.Parallel})
	})
	group.Go(func() error {
		return b.FollowAgain(ctx, quotes.WatchConsumer, contract.QuoteAggregate, NewWatcher(s, b).HandleEvents)
	})
	return group.Wait()
}

// refusalOf says to the client what a fabricator's error means for it, and to
// the operator what the client does not see.
func (s *Service) refusalOf(err error) *contract.Refusal {
	s.log.Warn("no price from the fabricator", zap.Error(err))
	e, ok := errors.AsType[*fabricator.Error](err)
	if !ok {
		return unavailable(0)
	}
	switch e.Kind {
	case fabricator.Refused, fabricator.Shipment:
		r := contract.Refuse(contract.InvalidRequest, "The fabricator does not offer this board with these options.")
		for _, f := range e.Fields {
			r.Fields = append(r.Fields, contract.FieldProblem{Field: f.Field, Problem: "not_offered", Message: describeField(f)})
		}
		return r
	case fabricator.Files:
		return contract.Refuse(contract.DesignFiles, "The fabricator cannot use the design files as they are.")
	default:
		return unavailable(e.RetryAfter)
	}
}

// describeField gives what a fabricator says of a field, as a sentence: its words are the
// end of one that begins with the field, or a sentence less its full stop.
func describeField(f fabricator.Field) string {
	if strings.HasPrefix(f.Message, "is ") || strings.HasPrefix(f.Message, "does ") {
		return f.Field + " " + f.Message + "."
	}
	if f.Message == "" {
		return f.Field + " is not offered for this board."
	}
	return strings.ToUpper(f.Message[:1]) + f.Message[1:] + "."
}

func unavailable(after time.Duration) *contract.Refusal {
	r := contract.Refuse(contract.PriceUnavailable, "There is no live price at the moment. Please try again in a few minutes.")
	r.RetryAfterS = max(int(after/time.Second), 60)
	return r
}
