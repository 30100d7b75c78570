// Package distributor has the distributors that parts are looked up at: rows of the
// configuration, any number of them, each with a public name and the programming
// interface that it is asked by.
package distributor

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/rows"
	"boardorder/services/part-sourcing/internal/digikey"
	"boardorder/services/part-sourcing/internal/lookup"
	"boardorder/services/part-sourcing/internal/mouser"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
)

// A Row is one distributor.
type Row struct {
	Name      string `env:"NAME"`      // public: it stands in replies, and part lines give its numbers by it
	Interface string `env:"INTERFACE"` // "digikey", "mouser"
	URL       string `env:"URL"`       // none: it is not asked

	ClientID     string `env:"CLIENT_ID"` // or APIKey, as the interface wants it
	ClientSecret string `env:"CLIENT_SECRET"`
	APIKey       string `env:"API_KEY"`

	PerMinute int           `env:"CALLS_PER_MINUTE"` // of all replicas; 0: as many as the interface allows at first
	PerDay    int           `env:"CALLS_PER_DAY" envDefault:"1000"`
	Keep      time.Duration `env:"KEEP" envDefault:"12h"` // how long an answer is used again, 12 h at most
}

// An adapter is how distributors of one interface are asked.
type adapter struct {
	scheme    part.Scheme // of their numbers
	perMinute int         // calls that an account may make at first
	open      func(r Row, q outside.Quota, now func() time.Time) (lookup.Source, error)
}

// adapters are the interfaces, by the name that rows give them.
var adapters = map[string]adapter{
	"digikey": {part.DigiKey, 120, func(r Row, q outside.Quota, now func() time.Time) (lookup.Source, error) {
		return digikey.New(digikey.Config{URL: r.URL, ClientID: r.ClientID, ClientSecret: r.ClientSecret, Name: r.Name, Now: now, Quota: q})
	}},
	"mouser": {part.Mouser, 30, func(r Row, q outside.Quota, now func() time.Time) (lookup.Source, error) {
		return mouser.New(mouser.Config{URL: r.URL, APIKey: r.APIKey, Name: r.Name, Now: now, Quota: q})
	}},
}

// A QuotaOf makes the quota of a supplier.
type QuotaOf func(supplier string, limits ...outside.Limit) outside.Quota

// Open makes the source of a distributor that has an address.
func (r Row) Open(quota QuotaOf, now func() time.Time) (lookup.Source, error) {
	a := adapters[r.Interface]
	perMinute := r.PerMinute
	if perMinute == 0 {
		perMinute = a.perMinute
	}
	return a.open(r, quota(r.Name, outside.Limit{Calls: perMinute, Period: time.Minute}, outside.Limit{Calls: r.PerDay, Period: 24 * time.Hour}), now)
}

// Rows are the distributors, all of which are asked at a time.
type Rows []Row

// Check refuses rows of which one has no interface that there is, or no name of its own.
func (list Rows) Check() error {
	if err := rows.CheckNames("DISTRIBUTOR", list.Names(), string(part.MPN), string(part.FabCode), part.Aggregator); err != nil {
		return err
	}
	for i, r := range list {
		if _, ok := adapters[r.Interface]; !ok {
			return fmt.Errorf("DISTRIBUTOR_%d_INTERFACE is %q: want one of %s", i, r.Interface, strings.Join(slices.Sorted(maps.Keys(adapters)), ", "))
		}
	}
	return nil
}

// Names are the public names, in the order of the rows.
func (list Rows) Names() []string {
	out := make([]string, len(list))
	for i, r := range list {
		out[i] = r.Name
	}
	return out
}

// Schemes are the schemes of their numbers, by public name.
func (list Rows) Schemes() map[string]part.Scheme {
	out := map[string]part.Scheme{}
	for _, r := range list {
		out[r.Name] = adapters[r.Interface].scheme
	}
	return out
}
