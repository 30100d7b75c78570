// Package open makes the fabricator that the configuration names.
package open

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/openfab"
	"boardorder/pkg/fabricator/tariff"
)

// A Fabricator is what every adapter offers.
type Fabricator interface {
	Upload(ctx context.Context, name string, zip io.Reader) (fileKey string, err error)
	Price(ctx context.Context, s fabricator.Spec) (fabricator.Price, error)
	Stackups(ctx context.Context, s fabricator.Spec) ([]fabricator.Stackup, error)
	Place(ctx context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error)
	FindOrder(ctx context.Context, reference string) (fabricator.Placed, error)
	Progress(ctx context.Context, p fabricator.Placed) (fabricator.Progress, error)
}

// Adapters by name.
const (
	OpenFab = "openfab" // the primary fabricator's open API
	Tariff  = "tariff"  // a local price table; orders are built or placed by hand
)

// Config names the adapter and how to reach what is behind it.
type Config struct {
	Adapter   string        `env:"FABRICATOR" envDefault:"openfab"`
	URL       string        `env:"FABRICATOR_URL"` // openfab: https://host
	AppID     string        `env:"FABRICATOR_APP_ID"`
	AccessKey string        `env:"FABRICATOR_ACCESS_KEY"`
	SecretKey string        `env:"FABRICATOR_SECRET_KEY"`
	PerSecond float64       `env:"FABRICATOR_CALLS_PER_SECOND" envDefault:"10"`
	PriceTTL  time.Duration `env:"FABRICATOR_PRICE_LIFE" envDefault:"60s"` // how long a live price is used again
	Table     string        `env:"FABRICATOR_TARIFF"`                      // tariff: path of the operator's own table; the built-in one if empty
}

// Open makes the adapter.
func Open(c Config, now func() time.Time) (Fabricator, error) {
	switch c.Adapter {
	case OpenFab:
		if c.URL == "" {
			return nil, errors.New("FABRICATOR_URL is required with FABRICATOR=openfab")
		}
		return openfab.New(openfab.Config{
			URL: c.URL, AppID: c.AppID, AccessKey: c.AccessKey, SecretKey: c.SecretKey,
			PerSecond: c.PerSecond, PriceTTL: c.PriceTTL, Now: now,
		})
	case Tariff:
		return tariff.New(tariff.Config{Path: c.Table, Now: now})
	default:
		return nil, fmt.Errorf("FABRICATOR is %q; it must be %s or %s", c.Adapter, OpenFab, Tariff)
	}
}
