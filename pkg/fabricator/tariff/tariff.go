// Package tariff prices boards from a local table that needs nobody: an
// operator who runs a board house writes their own prices into one YAML file
// (tariff.yaml is the documented default) and sells by it.
//
// It offers the methods of package openfab. Placing an order tells nobody
// outside: it gives the order a house number and marks it Manual, and the order
// stays Received until the operator reports otherwise.
package tariff

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"time"

	"boardorder/pkg/catalog"
	"boardorder/pkg/fabricator"
)

//go:embed tariff.yaml
var embedded []byte

// Config says which table is used.
type Config struct {
	Path     string           // of the operator's own table; empty: the one that is built in
	PriceTTL time.Duration    // how long a price holds; 24 h
	Now      func() time.Time // time.Now
}

// A Tariff prices boards from its table. It is read-only and safe for
// concurrent use.
type Tariff struct {
	table   table
	catalog *catalog.Catalog
	ttl     time.Duration
	now     func() time.Time
}

// New reads and checks the table. Its error names every line that is wrong.
func New(cfg Config) (*Tariff, error) {
	data, name := embedded, "built-in tariff"
	if cfg.Path != "" {
		var err error
		if data, err = os.ReadFile(cfg.Path); err != nil {
			return nil, fmt.Errorf("read tariff: %w", err)
		}
		name = cfg.Path
	}
	t, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t.ttl = cmp.Or(cfg.PriceTTL, 24*time.Hour)
	if cfg.Now != nil {
		t.now = cfg.Now
	}
	return t, nil
}

// Parse reads and checks a table. Prices hold for 24 hours.
func Parse(data []byte) (*Tariff, error) {
	c, err := catalog.Load()
	if err != nil {
		return nil, err
	}
	tb, err := decode(data, c)
	if err != nil {
		return nil, err
	}
	return &Tariff{table: tb, catalog: c, ttl: 24 * time.Hour, now: time.Now}, nil
}

// Version is that of the table.
func (t *Tariff) Version() string { return t.table.Version }

// Upload reads the files to their end and names them by their content. They
// are kept nowhere else than where they came from.
func (t *Tariff) Upload(_ context.Context, _ string, zip io.Reader) (string, error) {
	return fabricator.NameFiles("house-", zip)
}

// Stackups lists none: a table knows of no shelf.
func (t *Tariff) Stackups(context.Context, fabricator.Spec) ([]fabricator.Stackup, error) {
	return nil, nil
}

// Place gives the order its house number, derived from the reference: placing
// it again gives the same answer and does nothing twice.
func (t *Tariff) Place(ctx context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error) {
	return fabricator.PlaceByHand(ctx, r, t.Price, "the table", "H-")
}

// FindOrder finds nothing: a table holds no orders. Since Place does nothing
// outside, a caller that is told NotFound can always place again.
func (t *Tariff) FindOrder(_ context.Context, reference string) (fabricator.Placed, error) {
	return fabricator.Placed{}, &fabricator.Error{Kind: fabricator.NotFound, Message: "a price table holds no orders, so not " + reference}
}

// Progress is Received, always: only the operator knows more.
func (t *Tariff) Progress(_ context.Context, p fabricator.Placed) (fabricator.Progress, error) {
	return fabricator.Progress{Status: fabricator.Received, Order: p}, nil
}

func shipmentError(field, message string) error {
	return &fabricator.Error{Kind: fabricator.Shipment, Message: message, Fields: []fabricator.Field{{Field: field, Message: message}}}
}
