// Package shipping says how boards get to a country and what that costs: by
// zone, carrier and weight, and what a carrier takes for paying duty and tax in
// advance. All of it comes from dated tables that an operator replaces by the
// terms of their own contracts.
package shipping

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"boardorder/pkg/dated"
	"boardorder/pkg/money"
)

//go:embed zones.csv services.csv clearance.csv
var files embed.FS

// ErrNoService means that no carrier of the tables takes this weight there.
var ErrNoService = errors.New("no shipping service")

// An Option is one way to the destination.
type Option struct {
	ID      string `json:"id"`
	Carrier string `json:"carrier"`
	Service string `json:"service"`
	Cents   int64  `json:"cents"` // freight alone
	DaysMin int    `json:"days_min"`
	DaysMax int    `json:"days_max"` // working days in transit
	Usual   bool   `json:"usual,omitempty"`
}

type service struct {
	zone   string
	option Option // of the first step
	step   int64  // grams
	each   int64  // cents for a further step
	fuel   money.Rate
	most   int64 // grams
	dated.Span
}

type clearance struct {
	country string
	least   int64
	rate    money.Rate
	dated.Span
}

// A Table is the zones, services and clearance fees.
type Table struct {
	zones      map[string]string
	services   []service
	clearances []clearance
}

// Load reads the built-in tables, or the operator's own zones.csv, services.csv
// and clearance.csv; own may be nil.
func Load(own fs.FS) (*Table, error) { return Read(dated.Overlay(own, files)) }

// Read takes zones.csv, services.csv and clearance.csv from a folder and
// reports every cell that cannot be used.
func Read(folder fs.FS) (*Table, error) {
	t := &Table{zones: map[string]string{}}
	return t, errors.Join(t.readZones(folder), t.readServices(folder), t.readClearances(folder))
}

func (t *Table) readZones(folder fs.FS) error {
	f, err := folder.Open("zones.csv")
	if err != nil {
		return fmt.Errorf("open zones.csv: %w", err)
	}
	defer f.Close()
	rows, err := dated.ReadPlain("zones.csv", f, "country", "zone")
	if err != nil {
		return err
	}
	for _, r := range rows.Rows {
		if t.zones[r.RequireText("country")] != "" {
			r.Fail("country", "stands twice")
		}
		t.zones[r.Text("country")] = r.RequireText("zone")
	}
	return rows.Err()
}

func (t *Table) readServices(folder fs.FS) error {
	f, err := folder.Open("services.csv")
	if err != nil {
		return fmt.Errorf("open services.csv: %w", err)
	}
	defer f.Close()
	rows, err := dated.Read("services.csv", f, "id", "zone", "carrier", "service", "base_cents", "step_grams",
		"step_cents", "fuel_percent", "max_grams", "days_min", "days_max", "usual")
	if err != nil {
		return err
	}
	for _, r := range rows.Rows {
		s := service{
			zone: r.RequireText("zone"), step: r.Int("step_grams"), each: r.Int("step_cents"), fuel: r.Percent("fuel_percent"),
			most: r.Int("max_grams"), Span: r.Span(), option: Option{
				ID: r.RequireText("id"), Carrier: r.RequireText("carrier"), Service: r.RequireText("service"), Cents: r.Int("base_cents"),
				DaysMin: int(r.Int("days_min")), DaysMax: int(r.Int("days_max")), Usual: r.Choice("usual", "yes", "no") == "yes",
			},
		}
		if s.step <= 0 || s.most <= 0 {
			r.Fail("step_grams", "and max_grams must be more than zero")
		}
		if s.option.DaysMax < s.option.DaysMin {
			r.Fail("days_max", "is less than days_min")
		}
		t.services = append(t.services, s)
	}
	return rows.Err()
}

func (t *Table) readClearances(folder fs.FS) error {
	f, err := folder.Open("clearance.csv")
	if err != nil {
		return fmt.Errorf("open clearance.csv: %w", err)
	}
	defer f.Close()
	rows, err := dated.Read("clearance.csv", f, "country", "min_cents", "percent")
	if err != nil {
		return err
	}
	for _, r := range rows.Rows {
		t.clearances = append(t.clearances, clearance{r.RequireText("country"), r.Int("min_cents"), r.Percent("percent"), r.Span()})
	}
	return rows.Err()
}

// Options lists the ways to a country for a weight in grams, cheapest first.
func (t *Table) Options(country string, grams int64, day dated.Day) ([]Option, error) {
	var options []Option
	for _, s := range t.services {
		if zone := t.zones[country]; zone == "" || s.zone != zone || !s.Holds(day) || grams > s.most {
			continue
		}
		o := s.option
		if further := grams - s.step; further > 0 {
			o.Cents += (further + s.step - 1) / s.step * s.each
		}
		o.Cents += s.fuel.ShareOf(o.Cents)
		options = append(options, o)
	}
	if len(options) == 0 {
		return nil, fmt.Errorf("%d g to %s on %s: %w", grams, country, day, ErrNoService)
	}
	slices.SortStableFunc(options, func(a, b Option) int {
		return cmp.Or(cmp.Compare(a.Cents, b.Cents), cmp.Compare(a.DaysMax, b.DaysMax), cmp.Compare(a.ID, b.ID))
	})
	return options, nil
}

// Clearance is what the carrier takes for advancing so much duty and tax.
func (t *Table) Clearance(country string, advanced int64, day dated.Day) int64 {
	if advanced <= 0 {
		return 0
	}
	var fee int64
	for _, c := range t.clearances {
		if !c.Holds(day) || c.country != country && c.country != "*" {
			continue
		}
		fee = max(c.least, c.rate.ShareOf(advanced))
		if c.country == country {
			return fee
		}
	}
	return fee
}
