// Package open makes the fabricators of the configuration: rows of a list, any number of
// them, each with a public name and the programming interface that it is asked by.
//
// The first row is the primary fabricator. The options, stackups and limits that the API
// offers are its own, and its parts library is the one that parts are looked up in. Who builds a board is
// chosen by a rule of pricing (FABRICATORS_RULE, or the account's own): unless it says
// otherwise, the first row that has a price. Every quote and order carries the public name of whoever builds it,
// so that the order of the rows may change; a row may go once no order is open there.
package open

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/openfab"
	"boardorder/pkg/fabricator/pcbway"
	"boardorder/pkg/fabricator/tariff"
	"boardorder/pkg/rows"
)

// An Adapter is what every interface offers.
type Adapter interface {
	Upload(ctx context.Context, name string, zip io.Reader) (fileKey string, err error)
	Price(ctx context.Context, s fabricator.Spec) (fabricator.Price, error)
	Stackups(ctx context.Context, s fabricator.Spec) ([]fabricator.Stackup, error)
	Place(ctx context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error)
	FindOrder(ctx context.Context, reference string) (fabricator.Placed, error)
	Progress(ctx context.Context, p fabricator.Placed) (fabricator.Progress, error)
}

// A Fabricator is a row that can be asked.
type Fabricator struct {
	Name    string // public
	Country string // that its parcels leave from, ISO 3166-1 alpha-2
	Wait    time.Duration
	// Unproven: nobody has confirmed that its interface works as its documents tell.
	Unproven bool
	Adapter
}

// Row is the configuration of one fabricator.
type Row struct {
	Name      string        `env:"NAME"`                    // public: it stands in replies, orders and metrics
	Interface string        `env:"INTERFACE"`               // one of adapters
	Country   string        `env:"COUNTRY" envDefault:"CN"` // that its parcels leave from, ISO 3166-1 alpha-2: duty depends on it
	Wait      time.Duration `env:"WAIT" envDefault:"10s"`   // that its price is waited for where others may build the board too

	OpenFab OpenFab
	Tariff  Tariff
	PCBWay  PCBWay
}

// OpenFab is what a row of the interface openfab has: an open API.
type OpenFab struct {
	URL       string        `env:"URL"` // https://host
	AppID     string        `env:"APP_ID"`
	AccessKey string        `env:"ACCESS_KEY"`
	SecretKey string        `env:"SECRET_KEY"`
	PerSecond float64       `env:"CALLS_PER_SECOND" envDefault:"10"`
	PriceTTL  time.Duration `env:"PRICE_LIFE" envDefault:"60s"` // how long a live price is used again
}

// Tariff is what a row of the interface tariff has: a price table; its boards are built, or
// ordered, by hand.
type Tariff struct {
	Table string `env:"TABLE"` // path of the operator's own table; the built-in one if empty
}

// PCBWay is what a row of the interface pcbway has: a partner API, written from its public
// documents. It uses URL, CALLS_PER_SECOND and PRICE_LIFE of [OpenFab] too.
type PCBWay struct {
	APIKey string `env:"API_KEY"`
	Proven bool   `env:"PROVEN"` // the operator has used it with the real service
}

// adapters open a row, by the name of its interface; i is its number.
var adapters = map[string]func(r Row, i int, now func() time.Time) (Adapter, error){
	"openfab": func(r Row, i int, now func() time.Time) (Adapter, error) {
		c := r.OpenFab
		for _, needed := range [...]struct{ name, value string }{{"URL", c.URL}, {"APP_ID", c.AppID}, {"ACCESS_KEY", c.AccessKey}, {"SECRET_KEY", c.SecretKey}} {
			if needed.value == "" {
				return nil, fmt.Errorf("%s_%d_%s is required with %[1]s_%[2]d_INTERFACE=openfab", prefix, i, needed.name)
			}
		}
		fab, err := openfab.New(openfab.Config{
			Name: r.Name, URL: c.URL, AppID: c.AppID, AccessKey: c.AccessKey, SecretKey: c.SecretKey, PerSecond: c.PerSecond, PriceTTL: c.PriceTTL, Now: now,
		})
		if err != nil {
			return nil, fmt.Errorf("%s_%d_URL, _APP_ID, _ACCESS_KEY, _SECRET_KEY: %w", prefix, i, err)
		}
		return fab, nil
	},
	"pcbway": func(r Row, i int, now func() time.Time) (Adapter, error) {
		c, err := pcbway.New(pcbway.Config{
			Name: r.Name, URL: r.OpenFab.URL, APIKey: r.PCBWay.APIKey, PerSecond: r.OpenFab.PerSecond, PriceTTL: r.OpenFab.PriceTTL, Now: now,
		})
		if err != nil {
			return nil, fmt.Errorf("%s_%d_URL, _API_KEY: %w", prefix, i, err)
		}
		return c, nil
	},
	"tariff": func(r Row, i int, now func() time.Time) (Adapter, error) {
		table, err := tariff.New(tariff.Config{Path: r.Tariff.Table, Now: now})
		if err != nil {
			return nil, fmt.Errorf("%s_%d_TABLE: %w", prefix, i, err)
		}
		return table, nil
	},
}

// Rows are the fabricators, the primary one first.
type Rows []Row

// prefix begins the names of all variables.
const prefix = "FABRICATOR"

var countryForm = regexp.MustCompile(`^[A-Z]{2}$`)

// Check refuses an empty list, and a row without a public name of its own or without an
// interface that there is. The error names the variable.
func (list Rows) Check() error {
	if len(list) == 0 {
		return errors.New(prefix + "_0_NAME is required: no fabricator is configured")
	}
	names := make([]string, len(list))
	for i, r := range list {
		names[i] = r.Name
	}
	if err := rows.CheckNames(prefix, names, fabricator.Test); err != nil {
		return err
	}
	for i, r := range list {
		if adapters[r.Interface] == nil {
			return fmt.Errorf("%s_%d_INTERFACE is %q: want one of %s", prefix, i, r.Interface, strings.Join(slices.Sorted(maps.Keys(adapters)), ", "))
		}
		if !countryForm.MatchString(r.Country) {
			return fmt.Errorf("%s_%d_COUNTRY is %q: want two capitals, such as CN", prefix, i, r.Country)
		}
		if r.Wait < 0 {
			return fmt.Errorf("%s_%d_WAIT is %s: want how long its price is waited for, such as 10s", prefix, i, r.Wait)
		}
	}
	return nil
}

// Open makes all fabricators, in the order of their rows. The error names the variable.
func (list Rows) Open(now func() time.Time) ([]Fabricator, error) {
	if err := list.Check(); err != nil {
		return nil, err
	}
	out := make([]Fabricator, len(list))
	for i, r := range list {
		adapter, err := adapters[r.Interface](r, i, now)
		if err != nil {
			return nil, err
		}
		out[i] = Fabricator{Name: r.Name, Country: r.Country, Wait: r.Wait, Unproven: r.Interface == "pcbway" && !r.PCBWay.Proven, Adapter: adapter}
	}
	return out, nil
}
