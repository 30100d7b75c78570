package partsourcing

import (
	"context"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/part-sourcing/internal/distributor"
	"boardorder/services/part-sourcing/internal/fablib"
	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/nexar"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"

	"github.com/prometheus/client_golang/prometheus"
)

// Search is the parts search engine, by Nexar's interface. It bills each part
// that it returns.
type Search struct {
	URL          string        `env:"URL"`
	IdentityURL  string        `env:"IDENTITY_URL"`
	ClientID     string        `env:"CLIENT_ID"`
	ClientSecret string        `env:"CLIENT_SECRET"`
	Country      string        `env:"COUNTRY" envDefault:"US"`
	Similar      bool          `env:"SIMILAR"`   // the plan includes similar parts
	Lifecycle    bool          `env:"LIFECYCLE"` // the plan includes lifecycles and lead times
	Keep         time.Duration `env:"KEEP" envDefault:"12h"`
}

// rounds are the sources in the order in which they are asked.
func (c Config) rounds() [][]string {
	return [][]string{{fablib.Name}, c.Distributors.Names(), {part.Aggregator}}
}

// keep is how long answers are used again: no longer than the cache has them.
func keep(d time.Duration) lookup.Policy {
	d = min(d, contract.PartAnswerRetention)
	return lookup.Policy{Found: d, Missing: d}
}

// supplies are the suppliers that the configuration has addresses of, but the
// fabricator.
func (c Config) supplies(quota distributor.QuotaOf, unasked *prometheus.CounterVec, now func() time.Time) ([]lookup.Supply, error) {
	if err := c.Distributors.Check(); err != nil {
		return nil, err
	}
	var out []lookup.Supply
	for _, r := range c.Distributors {
		if r.URL == "" {
			continue
		}
		var calls outside.Quota
		source, err := r.Open(func(supplier string, limits ...outside.Limit) outside.Quota {
			calls = quota(supplier, limits...)
			return calls
		}, now)
		if err != nil {
			return nil, err
		}
		out = append(out, lookup.Supply{Source: source, Policy: keep(r.Keep), Spares: func(ctx context.Context, parts int) bool {
			spares := calls.Spares(ctx, c.WatchPercent)
			if !spares {
				unasked.WithLabelValues(r.Name).Add(float64(parts))
			}
			return spares
		}})
	}
	if s := c.Search; s.URL != "" {
		client, err := nexar.New(nexar.Config{
			URL: s.URL, IdentityURL: s.IdentityURL, ClientID: s.ClientID, ClientSecret: s.ClientSecret, Name: part.Aggregator,
			Country: s.Country, Similar: s.Similar, Lifecycle: s.Lifecycle, Now: now,
		})
		if err != nil {
			return nil, err
		}
		out = append(out, lookup.Supply{Source: client, Policy: keep(s.Keep), Spares: func(context.Context, int) bool { return false }})
	}
	return out, nil
}
