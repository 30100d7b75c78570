package payment

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"boardorder/pkg/card"
	"boardorder/pkg/card/stripe"
	"boardorder/pkg/contract"
	"boardorder/pkg/destination"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/run"
	"boardorder/services/payment/internal/screening"
)

// Build makes the service with its real adapters, as a process runs it.
func Build(ctx context.Context, cfg Config, d run.Deps) (run.Service, error) {
	if u, err := url.Parse(cfg.PublicURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("PUBLIC_URL is no address such as https://api.example.com")
	}
	cards, err := stripe.New(stripe.Config{Key: cfg.StripeKey, BaseURL: cfg.StripeURL})
	if err != nil {
		return nil, fmt.Errorf("STRIPE_API_KEY, STRIPE_URL: %w", err)
	}
	tests, err := cfg.testCards()
	if err != nil {
		return nil, err
	}
	fabs, err := cfg.Fabricators.Open(d.Now)
	if err != nil {
		return nil, err
	}
	ports := Ports{Cards: cards, TestCards: tests, Files: d.Blobs, Docs: d.Docs}
	for _, f := range fabs {
		ports.Fabricators = append(ports.Fabricators, fabricator.Entry[Fabricator]{Name: f.Name, Country: f.Country, Adapter: f})
	}
	if cfg.ScreeningURL != "" {
		ports.Screener, err = screening.New(screening.Config{URL: cfg.ScreeningURL, Token: cfg.ScreeningToken, Timeout: cfg.ScreeningTimeout})
		if err != nil {
			return nil, fmt.Errorf("SCREENING_URL: %w", err)
		}
	}
	if ports.Places, err = destination.Load(); err != nil {
		return nil, err
	}
	if ports.Rates, err = d.Bus.Bucket(ctx, contract.RatesBucket); err != nil {
		return nil, err
	}
	s := New(cfg, d.Bus, d.Secrets, ports, d.Log, d.Now)
	if d.Metrics != nil {
		d.Metrics.MustRegister(s.Metrics())
	}
	return run.ReportProviders(ctx, d, run.Func(func(ctx context.Context) error { return s.Serve(ctx, d.Bus) }))
}

// testCards is the processor's test mode, if it is configured. A live key is
// refused: with it a test would take money.
func (c Config) testCards() (card.Processor, error) {
	if c.TestKey == "" {
		return nil, nil
	}
	if !strings.HasPrefix(c.TestKey, "sk_test_") && !strings.HasPrefix(c.TestKey, "rk_test_") {
		return nil, errors.New("STRIPE_TEST_API_KEY is a key of Stripe's test mode: it begins with sk_test_ or rk_test_")
	}
	p, err := stripe.New(stripe.Config{Key: c.TestKey, BaseURL: c.StripeURL})
	if err != nil {
		return nil, fmt.Errorf("STRIPE_TEST_API_KEY, STRIPE_URL: %w", err)
	}
	return p, nil
}
