package payment

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"boardorder/pkg/card/stripe"
	"boardorder/pkg/fabricator/open"
	"boardorder/pkg/run"
)

// Build makes the service with its real adapters, as a process runs it.
func Build(_ context.Context, cfg Config, d run.Deps) (run.Service, error) {
	if u, err := url.Parse(cfg.PublicURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("PUBLIC_URL is no address such as https://api.example.com")
	}
	cards, err := stripe.New(stripe.Config{Key: cfg.StripeKey, BaseURL: cfg.StripeURL})
	if err != nil {
		return nil, fmt.Errorf("STRIPE_API_KEY, STRIPE_URL: %w", err)
	}
	fab, err := open.Open(cfg.Fabricator, d.Now)
	if err != nil {
		return nil, fmt.Errorf("fabricator: %w", err)
	}
	s := New(cfg, d.Bus, d.Secrets, Ports{Cards: cards, Fabricator: fab, Adapter: cfg.Fabricator.Adapter, Files: d.Blobs, Docs: d.Docs}, d.Log, d.Now)
	if d.Metrics != nil {
		d.Metrics.MustRegister(s.Metrics())
	}
	return run.Func(func(ctx context.Context) error { return s.Serve(ctx, d.Bus) }), nil
}
