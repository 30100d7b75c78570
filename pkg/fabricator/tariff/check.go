package tariff

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"boardorder/pkg/catalog"
)

// A checker gathers what is wrong with a table.
type checker struct {
	root    *yaml.Node
	catalog *catalog.Catalog
	table   *table
	errs    []error
}

func (k *checker) bad(message string, path ...any) {
	k.errs = append(k.errs, fmt.Errorf("line %d: %s %s", line(k.root, path...), formatPath(path), message))
}

var (
	currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)
	countryForm  = regexp.MustCompile(`^[A-Z]{2}$`)
	codeForm     = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

func (k *checker) check() {
	t := k.table
	if t.Version == "" {
		k.bad("is missing", "version")
	}
	if _, err := time.Parse(time.DateOnly, t.Checked); err != nil {
		k.bad("is a date like 2026-11-21", "checked")
	}
	k.checkMoney()
	k.checkCovers()
	k.checkBase()
	k.checkSurcharges()
	k.checkExpress()
	k.checkWeight()
	k.checkShipping()
}

func (k *checker) checkMoney() {
	t := k.table
	for field, v := range map[string]string{"currency": t.Currency, "sell": t.Sell} {
		if !currencyForm.MatchString(v) {
			k.bad("is a currency code like USD", field)
		}
	}
	for i, r := range t.Rates {
		if !r.Rate.IsPositive() {
			k.bad("is more than zero", "rates", i, "rate")
		}
		if _, err := time.Parse(time.DateOnly, r.Date); err != nil {
			k.bad("is a date like 2026-11-21", "rates", i, "date")
		}
	}
	if _, ok := t.rate(); !ok {
		k.bad(fmt.Sprintf("lacks a rate from %s to %s", t.Currency, t.Sell), "rates")
	}
	if t.Markup.IsNegative() {
		k.bad("is not negative", "markup_percent")
	}
}

func (k *checker) checkCovers() {
	v := k.table.Covers
	known := map[string]func(string) bool{
		"materials": func(id string) bool { _, ok := k.catalog.Material(id); return ok },
		"finishes":  func(id string) bool { return hasID(k.catalog.SurfaceFinishes, id) },
		"masks": func(id string) bool {
			return slices.ContainsFunc(k.catalog.SolderMasks, func(m catalog.Mask) bool { return m.ID == id })
		},
		"via_processes": func(id string) bool { return hasID(k.catalog.ViaProcesses, id) },
	}
	for field, list := range map[string][]string{"materials": v.Materials, "finishes": v.Finishes, "masks": v.Masks, "via_processes": v.ViaProcesses} {
		if len(list) == 0 {
			k.bad("is empty, so nothing could be priced", "covers", field)
		}
		for i, id := range list {
			if !known[field](id) {
				k.bad(fmt.Sprintf("%q is not in the catalogue", id), "covers", field, i)
			}
		}
	}
	if len(v.OuterCopper) == 0 {
		k.bad("is empty, so nothing could be priced", "covers", "outer_copper_oz")
	}
	for i, key := range k.table.Included {
		if _, ok := k.catalog.Option(key); !ok {
			k.bad(fmt.Sprintf("%q is no option of the catalogue", key), "included_options", i)
		}
	}
}

func hasID(cs []catalog.Choice, id string) bool {
	return slices.ContainsFunc(cs, func(c catalog.Choice) bool { return c.ID == id })
}

func (k *checker) checkBase() {
	seen := map[int]bool{}
	if len(k.table.Base) == 0 {
		k.bad("is empty, so nothing could be priced", "base")
	}
	for i, b := range k.table.Base {
		if b.Layers < 1 || seen[b.Layers] {
			k.bad("is a layer count that stands there once", "base", i, "layers")
		}
		seen[b.Layers] = true
		if len(b.Steps) == 0 {
			k.bad("is empty", "base", i, "steps")
		}
		if b.Pack != nil && (!b.Pack.UpTo.IsPositive() || !b.Pack.Price.IsPositive()) {
			k.bad("needs an area and a price above zero", "base", i, "pack")
		}
		last := amount{}
		for j, s := range b.Steps {
			if !s.UpTo.GreaterThan(last.Decimal) {
				k.bad("is larger than in the step before", "base", i, "steps", j, "up_to_m2")
			}
			last = s.UpTo
			if !s.PerM2.IsPositive() {
				k.bad("is more than zero", "base", i, "steps", j, "per_m2")
			}
			if s.Engineering.IsNegative() {
				k.bad("is not negative", "base", i, "steps", j, "engineering")
			}
			if s.Days < 1 {
				k.bad("is one or more working days", "base", i, "steps", j, "days")
			}
		}
	}
}

func (k *checker) checkSurcharges() {
	for i, s := range k.table.Surcharges {
		if !codeForm.MatchString(s.Code) || s.Label == "" {
			k.bad("needs a code in snake_case and a label", "surcharges", i)
		}
		for field, v := range map[string]amount{"flat": s.Flat, "per_m2": s.PerM2, "percent": s.Percent, "cap": s.Cap} {
			if v.IsNegative() {
				k.bad("is not negative: a larger order must never cost less", "surcharges", i, field)
			}
		}
		if s.Days < 0 {
			k.bad("is not negative", "surcharges", i, "days")
		}
		if o, ok := k.catalog.Option(s.Times); s.Times != "" && (!ok || o.Kind != catalog.Integer) {
			k.bad(fmt.Sprintf("%q is no whole-number option of the catalogue", s.Times), "surcharges", i, "times")
		}
		k.checkOptions(s.When, "surcharges", i)
	}
	for i, r := range k.table.Review {
		if r.Reason == "" {
			k.bad("is missing", "review", i, "reason")
		}
		k.checkOptions(r.When, "review", i)
	}
}

func (k *checker) checkOptions(w condition, list string, i int) {
	for _, key := range slices.Sorted(maps.Keys(w.Options)) {
		for _, v := range w.Options[key] {
			if ps := k.catalog.CheckOption(key, v); len(ps) > 0 {
				k.bad(fmt.Sprintf("%v: %s", v, ps[0].Message), list, i, "when", "options", key)
			}
		}
	}
}

func (k *checker) checkExpress() {
	for i, e := range k.table.Express {
		days := 0
		if !e.UpTo.IsPositive() {
			k.bad("is more than zero", "express", i, "up_to_m2")
		}
		for j, o := range e.Options {
			if o.Days <= days {
				k.bad("is larger than in the option before", "express", i, "options", j, "days")
			}
			days = o.Days
			if o.Flat.IsNegative() || o.PerM2.IsNegative() || (o.Flat.IsZero() && o.PerM2.IsZero()) {
				k.bad("costs something", "express", i, "options", j)
			}
		}
	}
}

func (k *checker) checkWeight() {
	w := k.table.Weight
	for _, id := range k.table.Covers.Materials {
		if m, ok := k.catalog.Material(id); ok && w.Density[m.Family] <= 0 {
			k.bad(fmt.Sprintf("lacks the density of %s, which %s is of", m.Family, id), "weight", "density_g_cm3")
		}
	}
	if w.CopperShare < 0 || w.CopperShare > 1 {
		k.bad("lies between 0 and 1", "weight", "copper_share")
	}
	if w.PackingFactor < 1 || w.PackingGrams < 0 {
		k.bad("needs packing_g of at least 0 and a packing_factor of at least 1", "weight")
	}
}

func (k *checker) checkShipping() {
	s := k.table.Shipping
	zoneOf := map[string]string{}
	for _, z := range slices.Sorted(maps.Keys(s.Zones)) {
		for i, c := range s.Zones[z] {
			if !countryForm.MatchString(c) {
				k.bad(fmt.Sprintf("%q is no country code", c), "shipping", "zones", z, i)
			}
			if zoneOf[c] != "" {
				k.bad(fmt.Sprintf("%s is in zone %s too", c, zoneOf[c]), "shipping", "zones", z, i)
			}
			zoneOf[c] = z
		}
	}
	seen := map[string]bool{}
	for i, v := range s.Services {
		if v.ID == "" || seen[v.ID] || v.Carrier == "" || v.Service == "" {
			k.bad("needs an id of its own, a carrier and a service", "shipping", "services", i)
		}
		seen[v.ID] = true
		for j, z := range v.Zones {
			k.checkZone(z, i, j)
		}
	}
}

func (k *checker) checkZone(z zone, i, j int) {
	path := []any{"shipping", "services", i, "zones", j}
	if _, ok := k.table.Shipping.Zones[z.Zone]; !ok && z.Zone != restZone {
		k.bad(fmt.Sprintf("%q is no zone", z.Zone), append(path, "zone")...)
	}
	if z.DaysMin < 1 || z.DaysMax < z.DaysMin {
		k.bad("needs days_min of at least 1 and days_max not below it", path...)
	}
	if len(z.Breaks) == 0 || z.PerExtraKg.IsNegative() {
		k.bad("needs weight breaks and a per_extra_kg that is not negative", path...)
	}
	var last weightBreak
	for n, b := range z.Breaks {
		if b.To <= last.To || b.Price.LessThan(last.Price.Decimal) || !b.Price.IsPositive() {
			k.bad("is heavier and not cheaper than the one before", append(path, "breaks", n)...)
		}
		last = b
	}
	if z.Max < last.To {
		k.bad("is not below the last weight break", append(path, "max_g")...)
	}
}
