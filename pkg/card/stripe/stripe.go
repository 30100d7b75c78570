// Package stripe is the card port's adapter to Stripe. It charges nothing by
// itself: one call here is one call there, with the caller's idempotency key,
// a deadline, and an answer that is checked before it is believed. Its tests say how
// answers are read; those of deploy/simulator/cards run it against the simulator's ledger.
package stripe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/circuit"
	"boardorder/pkg/provider"
	"boardorder/pkg/trace"

	stripe "github.com/stripe/stripe-go/v85"
)

// Config says how Stripe is reached.
type Config struct {
	Key      string        // secret or restricted API key
	BaseURL  string        // empty: Stripe itself; otherwise a stand-in that speaks its API below /v1
	Timeout  time.Duration // for one call; 0: 20 s
	Parallel int           // calls at a time; 0: 16
	Trip     int           // failures in a row after which calls are refused for a while; 0: 8
	Rest     time.Duration // that while; 0: 5 s
}

// A Processor implements card.Processor.
type Processor struct {
	client   *stripe.Client
	timeout  time.Duration
	slots    chan struct{}
	breaker  *circuit.Breaker[any]
	insecure bool // the base URL is http: only test keys go there
}

var _ card.Processor = (*Processor)(nil)

// New makes the adapter; it calls nobody.
func New(cfg Config) (*Processor, error) {
	cfg = applyDefaults(cfg)
	base, err := url.Parse(cfg.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http" {
		return nil, fmt.Errorf("stripe: the base URL %q is not an http or https address", cfg.BaseURL)
	}
	insecure := base.Scheme == "http"
	live := !strings.HasPrefix(cfg.Key, "sk_test_") && !strings.HasPrefix(cfg.Key, "rk_test_")
	switch {
	case !strings.HasPrefix(cfg.Key, "sk_") && !strings.HasPrefix(cfg.Key, "rk_"):
		return nil, errors.New("stripe: the API key has to begin with sk_ or rk_")
	case live && insecure:
		return nil, errors.New("stripe: a live API key is sent over https only")
	}
	p := &Processor{timeout: cfg.Timeout, slots: make(chan struct{}, cfg.Parallel), insecure: insecure}
	p.breaker = circuit.New[any](circuit.Settings{
		Company: "card processor", Kind: provider.CardProcessor, TripAfter: uint32(cfg.Trip), TripFor: cfg.Rest,
		Healthy: func(err error) bool { return err == nil || card.KindOf(err) == card.Refused },
		// A caller that leaves says nothing about the processor.
		Ignored: func(err error) bool { return errors.Is(err, context.Canceled) },
	})
	p.client = stripe.NewClient(cfg.Key, stripe.WithBackends(stripe.NewBackendsWithConfig(&stripe.BackendConfig{
		URL:               stripe.String(strings.TrimSuffix(cfg.BaseURL, "/")),
		HTTPClient:        httpClient(cfg),
		MaxNetworkRetries: stripe.Int64(0), // the caller repeats, with its own key and its own timeout
		EnableTelemetry:   stripe.Bool(false),
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull}, // its log would hold answers
	})))
	return p, nil
}

func applyDefaults(cfg Config) Config {
	if cfg.BaseURL == "" {
		cfg.BaseURL = stripe.APIURL
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = 20 * time.Second
	}
	if cfg.Parallel <= 0 {
		cfg.Parallel = 16
	}
	if cfg.Trip <= 0 {
		cfg.Trip = 8
	}
	if cfg.Rest <= 0 {
		cfg.Rest = 5 * time.Second
	}
	return cfg
}

// maxAnswer is the largest answer that is read, in bytes.
const maxAnswer = 8 << 20

func httpClient(cfg Config) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = cfg.Parallel
	t.ResponseHeaderTimeout = cfg.Timeout
	return &http.Client{
		Transport:     trace.Transport(limited{t}),
		Timeout:       cfg.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// limited cuts off answers that are too large to be true, and keeps Go's
// transport from sending a call a second time: it would, because of the
// idempotency key, when a kept-alive connection breaks under the first.
type limited struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		r = r.Clone(r.Context())
		r.GetBody = nil
	}
	res, err := l.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(res.Body, maxAnswer), res.Body}
	return res, nil
}
