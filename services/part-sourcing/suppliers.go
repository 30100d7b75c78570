package partsourcing

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/part-sourcing/internal/digikey"
	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/mouser"
	"boardorder/services/part-sourcing/internal/nexar"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
)

// DistributorA is the first distributor, by DigiKey's interface.
type DistributorA struct {
	URL          string        `env:"URL"`
	ClientID     string        `env:"CLIENT_ID"`
	ClientSecret string        `env:"CLIENT_SECRET"`
	PerMinute    int           `env:"CALLS_PER_MINUTE" envDefault:"120"` // of all replicas
	PerDay       int           `env:"CALLS_PER_DAY" envDefault:"1000"`
	Keep         time.Duration `env:"KEEP" envDefault:"12h"` // how long an answer is used again, 12 h at most
}

// DistributorB is the second distributor, by Mouser's interface.
type DistributorB struct {
	URL       string        `env:"URL"`
	APIKey    string        `env:"API_KEY"`
	PerMinute int           `env:"CALLS_PER_MINUTE" envDefault:"30"`
	PerDay    int           `env:"CALLS_PER_DAY" envDefault:"1000"`
	Keep      time.Duration `env:"KEEP" envDefault:"12h"`
}

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

// Names of the sources, as replies have them.
const (
	distributorA = string(part.DistributorA)
	distributorB = string(part.DistributorB)
	aggregator   = part.Aggregator
)

// keep is how long answers are used again: no longer than the cache has them.
func keep(d time.Duration) lookup.Policy {
	d = min(d, contract.PartAnswersKept)
	return lookup.Policy{Found: d, Missing: d}
}

// A quotaOf makes the quota of a supplier.
type quotaOf func(supplier string, limits ...outside.Limit) outside.Quota

// supplies are the suppliers that the configuration has addresses of, but the
// fabricator.
func (c Config) supplies(quota quotaOf, now func() time.Time) ([]lookup.Supply, error) {
	var out []lookup.Supply
	if a := c.DistributorA; a.URL != "" {
		client, err := digikey.New(digikey.Config{
			URL: a.URL, ClientID: a.ClientID, ClientSecret: a.ClientSecret, Name: distributorA, Scheme: part.DistributorA, Now: now,
			Quota: quota(distributorA, outside.Limit{Calls: a.PerMinute, Period: time.Minute}, outside.Limit{Calls: a.PerDay, Period: 24 * time.Hour}),
		})
		if err != nil {
			return nil, err
		}
		out = append(out, lookup.Supply{Source: client, Policy: keep(a.Keep)})
	}
	if b := c.DistributorB; b.URL != "" {
		client, err := mouser.New(mouser.Config{
			URL: b.URL, APIKey: b.APIKey, Name: distributorB, Scheme: part.DistributorB, Now: now,
			Quota: quota(distributorB, outside.Limit{Calls: b.PerMinute, Period: time.Minute}, outside.Limit{Calls: b.PerDay, Period: 24 * time.Hour}),
		})
		if err != nil {
			return nil, err
		}
		out = append(out, lookup.Supply{Source: client, Policy: keep(b.Keep)})
	}
	if s := c.Search; s.URL != "" {
		client, err := nexar.New(nexar.Config{
			URL: s.URL, IdentityURL: s.IdentityURL, ClientID: s.ClientID, ClientSecret: s.ClientSecret, Name: aggregator,
			Country: s.Country, Similar: s.Similar, Lifecycle: s.Lifecycle, Now: now,
		})
		if err != nil {
			return nil, err
		}
		out = append(out, lookup.Supply{Source: client, Policy: keep(s.Keep)})
	}
	return out, nil
}
