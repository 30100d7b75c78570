package console

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"strings"

	"boardorder/pkg/bus"
	"boardorder/pkg/door"
	"boardorder/pkg/run"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/factor"
	"boardorder/services/console/internal/oidc"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/session"
	"boardorder/services/console/internal/web"

	"golang.org/x/sync/errgroup"
)

// Config of the console.
type Config struct {
	Addr string `env:"CONSOLE_ADDR" envDefault:":8090"`
	// URL is where operators reach the console. With https:// cookies are for
	// HTTPS only; something in front of the console speaks it.
	URL string `env:"CONSOLE_URL"`
	// TrustedProxies are the addresses and networks whose X-Forwarded-For is
	// believed; none by default. Behind a proxy that is not listed all operators
	// count as one, with their attempts to sign in and their connections.
	TrustedProxies []string `env:"TRUSTED_PROXIES"`
	// OperatorsFile holds who may sign in: YAML or JSON, {"operators": [{"name",
	// "roles", "password_hash"}]}. A change of it counts at once.
	OperatorsFile string `env:"CONSOLE_OPERATORS_FILE"`
	// BootstrapToken signs BootstrapOperator in once, by the address that
	// SignInURL gives; at least 32 characters. An operator of that name who is not
	// in the file is an admin.
	BootstrapToken    string `env:"CONSOLE_BOOTSTRAP_TOKEN,unset"`
	BootstrapOperator string `env:"CONSOLE_BOOTSTRAP_OPERATOR" envDefault:"owner"`
	// SecondFactor says who gives one after the password: "required" is everybody,
	// "optional" is whoever has set one up. OIDC brings its own.
	SecondFactor string `env:"CONSOLE_SECOND_FACTOR" envDefault:"required"`
	// The company's identity provider, if there is one: OpenID Connect. Operators
	// are those of the file; OIDCClaim of the provider's answer names them. It sends
	// people back to CONSOLE_URL + /sign-in/provider/back.
	OIDCIssuer string `env:"CONSOLE_OIDC_ISSUER"`
	OIDCClient string `env:"CONSOLE_OIDC_CLIENT_ID"`
	OIDCSecret string `env:"CONSOLE_OIDC_CLIENT_SECRET,unset"`
	OIDCClaim  string `env:"CONSOLE_OIDC_CLAIM" envDefault:"email"`
	// RefundLimitCents is how much of an order one operator may give back alone; of more,
	// in refunds and cancellations, a second one has to approve. 0 is every refund.
	RefundLimitCents int64 `env:"CONSOLE_REFUND_LIMIT_CENTS" envDefault:"0"`
	// PriceLimitCents is likewise for prices that the team sets.
	PriceLimitCents int64 `env:"CONSOLE_PRICE_LIMIT_CENTS" envDefault:"500000"`
}

const minToken = 32

func (c Config) validate() error {
	if c.BootstrapToken != "" && len(c.BootstrapToken) < minToken {
		return fmt.Errorf("CONSOLE_BOOTSTRAP_TOKEN has %d characters; it must have at least %d", len(c.BootstrapToken), minToken)
	}
	if c.OIDCIssuer != "" && (c.OIDCClient == "" || c.URL == "" || c.OIDCClaim == "") {
		return errors.New("CONSOLE_OIDC_ISSUER needs CONSOLE_OIDC_CLIENT_ID, CONSOLE_OIDC_CLAIM and CONSOLE_URL")
	}
	if c.SecondFactor != "required" && c.SecondFactor != "optional" {
		return fmt.Errorf("CONSOLE_SECOND_FACTOR is %q; it must be required or optional", c.SecondFactor)
	}
	if c.RefundLimitCents < 0 || c.PriceLimitCents < 0 {
		return errors.New("CONSOLE_REFUND_LIMIT_CENTS and CONSOLE_PRICE_LIMIT_CENTS are not less than 0")
	}
	if u, err := url.Parse(c.URL); c.URL != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("CONSOLE_URL is %q; it must be an address like https://console.example", c.URL)
	}
	return nil
}

// Console is the operator's web application and the keeper of accounts.
type Console struct {
	cfg      Config
	deps     run.Deps
	accounts *Accounts
	reports  *Reports
	members  *Members
	answers  *Approvals
	book     *operator.Book
	proxies  door.Proxies
}

// New makes the console.
func New(cfg Config, d run.Deps) (*Console, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	var extra []operator.Operator
	if cfg.BootstrapToken != "" {
		extra = append(extra, operator.Operator{Name: cfg.BootstrapOperator, Roles: []operator.Role{operator.Admin}})
	}
	book, err := operator.Open(cfg.OperatorsFile, extra...)
	if err != nil {
		return nil, fmt.Errorf("CONSOLE_OPERATORS_FILE: %w", err)
	}
	proxies, err := door.ParseProxies(cfg.TrustedProxies)
	if err != nil {
		return nil, fmt.Errorf("TRUSTED_PROXIES: %w", err)
	}
	return &Console{cfg: cfg, deps: d, proxies: proxies, accounts: NewAccounts(d.Bus, d.Now), reports: NewReports(d.Bus, d.Docs, d.Now), members: NewMembers(d.Bus, d.Docs, d.Now), answers: NewApprovals(d.Bus, d.Now), book: book}, nil
}

// SignInURL is the address at base that signs the bootstrap operator in once;
// base itself when there is no token.
func (c *Console) SignInURL(base string) string {
	if c.cfg.BootstrapToken == "" {
		return base
	}
	return strings.TrimRight(base, "/") + "/?token=" + url.QueryEscape(c.cfg.BootstrapToken)
}

// Build makes the console as a process runs it.
func Build(_ context.Context, cfg Config, d run.Deps) (run.Service, error) {
	c, err := New(cfg, d)
	if err != nil {
		return nil, err
	}
	ln, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("CONSOLE_ADDR: %w", err)
	}
	return run.Func(func(ctx context.Context) error { return c.Run(ctx, ln) }), nil
}

// Run takes commands and serves pages on ln until ctx ends.
func (c *Console) Run(ctx context.Context, ln net.Listener) error {
	pages, err := c.pages(ctx)
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	if c.book.Empty() {
		c.deps.Log.Warn("nobody can sign in to the console: CONSOLE_OPERATORS_FILE names no operators")
	}
	group, ctx := errgroup.WithContext(ctx)
	handlers := c.accounts.Handlers()
	maps.Copy(handlers, c.reports.Handlers())
	maps.Copy(handlers, c.answers.Handlers())
	maps.Copy(handlers, c.members.Handlers())
	group.Go(func() error {
		return c.deps.Bus.Serve(ctx, bus.Work{Service: "console", Handlers: handlers, Parallel: 4})
	})
	group.Go(func() error { return pages.Serve(ctx, ln) })
	return group.Wait()
}

func (c *Console) pages(ctx context.Context) (*web.Server, error) {
	d := c.deps
	sessions, err := session.NewSessions(ctx, d.Bus, d.Secrets, c.book, d.Now)
	if err != nil {
		return nil, err
	}
	link, err := session.NewLink(ctx, d.Bus, c.cfg.BootstrapToken)
	if err != nil {
		return nil, err
	}
	attempts, err := session.NewAttempts(ctx, d.Bus, d.Now)
	if err != nil {
		return nil, err
	}
	factors, err := factor.Open(ctx, d.Bus, d.Secrets, d.Now)
	if err != nil {
		return nil, err
	}
	asking := &ask.Outcomes{Bus: d.Bus, Docs: d.Docs, Now: d.Now}
	return web.New(ctx, web.Deps{
		Bus: d.Bus, Docs: d.Docs, Blobs: d.Blobs, Book: c.book, Sessions: sessions, Keys: d.Secrets, Link: link, LinkFor: c.cfg.BootstrapOperator,
		Attempts: attempts, Ask: asking, Log: d.Log, Now: d.Now,
		OIDC: oidc.New(oidc.Config{
			Issuer: c.cfg.OIDCIssuer, ID: c.cfg.OIDCClient, Secret: c.cfg.OIDCSecret, Claim: c.cfg.OIDCClaim,
			Redirect: strings.TrimRight(c.cfg.URL, "/") + "/sign-in/provider/back",
		}),
		Factors: factors, NeedFactor: c.cfg.SecondFactor == "required",
		Trail: NewTrail(d.Bus, d.Now), Limits: web.Limits{RefundCents: c.cfg.RefundLimitCents, PriceCents: c.cfg.PriceLimitCents},
		Secure: strings.HasPrefix(c.cfg.URL, "https://"), Proxies: c.proxies,
	})
}

// HashPassword gives what the operators' file keeps of a password of at least
// 12 characters.
func HashPassword(password string) (string, error) { return operator.HashPassword(password) }
