package tariff

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"boardorder/pkg/fabricator"
)

var hundred = decimal.NewFromInt(100)

// Price looks the board up. It never calls anybody, so the only errors are that
// the board is for people (Review), that a value is wrong (Refused) and that
// the destination is not served (Shipment).
func (t *Tariff) Price(_ context.Context, s fabricator.Spec) (fabricator.Price, error) {
	if s.Quantity < 1 || s.Width <= 0 || s.Height <= 0 || s.Thickness <= 0 {
		return fabricator.Price{}, &fabricator.Error{Kind: fabricator.Internal, Message: "the spec has no size, thickness or quantity"}
	}
	j := job{spec: s, area: s.TotalArea() * float64(panel(s)), catalog: t.catalog}
	b, st, err := t.find(j)
	if err != nil {
		return fabricator.Price{}, err
	}
	if reasons := t.findGaps(j); len(reasons) > 0 {
		return fabricator.Price{}, &fabricator.Error{Kind: fabricator.Review, Message: "not in the table", Reasons: reasons}
	}
	now := t.now()
	p := fabricator.Price{
		Currency: t.table.Sell, Weight: t.table.grams(j), PricedAt: now, ValidUntil: now.Add(t.ttl),
		Source: "tariff " + t.table.Version,
	}
	var days int
	p.Lines, days = t.lines(j, b, st)
	if p.Builds, err = t.builds(j, st.Days+days); err != nil {
		return fabricator.Price{}, err
	}
	if x := p.Build(); x.Cents > 0 {
		p.Lines = append(p.Lines, fabricator.Line{Code: fabricator.CodeExpress, Label: "Express build, " + x.Name, Cents: x.Cents})
	}
	if s.To.Country != "" {
		if p.Shipping, err = t.ship(s.To.Country, p.Weight); err != nil {
			return fabricator.Price{}, err
		}
	}
	if err := p.Check(); err != nil {
		return fabricator.Price{}, &fabricator.Error{Kind: fabricator.Internal, Message: "the table makes no price", Err: err}
	}
	return p, nil
}

// panel is how many boards one piece holds when the fabricator panelises.
func panel(s fabricator.Spec) int {
	if s.Options["panel_by"] != "fabricator" {
		return 1
	}
	return max(1, whole(s.Options["panel_columns"])) * max(1, whole(s.Options["panel_rows"]))
}

func whole(v any) int {
	var n int
	if _, err := fmt.Sscan(fmt.Sprint(v), &n); err != nil {
		return 0
	}
	return n
}

// find gives the layer count's prices and the step of this area.
func (t *Tariff) find(j job) (base, step, error) {
	i := slices.IndexFunc(t.table.Base, func(b base) bool { return b.Layers == j.spec.Layers })
	if i < 0 {
		return base{}, step{}, reviewError(fmt.Sprintf("%d layers are quoted by hand", j.spec.Layers))
	}
	b := t.table.Base[i]
	if j.spec.Quantity < b.Minimum {
		return base{}, step{}, &fabricator.Error{
			Kind: fabricator.Refused, Message: "too few boards",
			Fields: []fabricator.Field{{Field: "quantity", Message: fmt.Sprintf("is at least %d for %d layers", b.Minimum, b.Layers)}},
		}
	}
	for _, st := range b.Steps {
		if j.area <= st.UpTo.InexactFloat64() {
			return b, st, nil
		}
	}
	return base{}, step{}, reviewError(fmt.Sprintf("an order of %.1f square metres is quoted by hand", j.area))
}

func reviewError(reason string) error {
	return &fabricator.Error{Kind: fabricator.Review, Message: "not in the table", Reasons: []string{reason}}
}

// lines gives the cost of the standard build and the days that options add.
func (t *Tariff) lines(j job, b base, st step) ([]fabricator.Line, int) {
	area := decimal.NewFromFloat(j.area)
	total := b.total(area)
	boards := total.Sub(st.Engineering.Decimal)
	out := t.line(nil, fabricator.CodeEngineering, "Engineering", st.Engineering.Decimal)
	out = t.line(out, fabricator.CodeBoard, fmt.Sprintf("Boards, %d layers", b.Layers), boards)
	days := 0
	for _, s := range t.table.Surcharges {
		if s.When.holds(j) {
			out = t.line(out, s.Code, s.Label, s.cost(j, area, total))
			days += s.Days
		}
	}
	return out, days
}

// line adds a line in the currency of sale, markup included. What rounds to
// nothing is no line.
func (t *Tariff) line(ls []fabricator.Line, code, label string, v decimal.Decimal) []fabricator.Line {
	if c := t.table.cents(t.table.addMarkup(v)); c != 0 {
		return append(ls, fabricator.Line{Code: code, Label: label, Cents: c})
	}
	return ls
}

// total is engineering and boards at an area. Lists of prices by step are not
// monotonic at their steps' ends; an order here never costs less than a
// smaller one would: at least what each earlier step costs at its end.
func (b base) total(area decimal.Decimal) decimal.Decimal {
	most := decimal.Zero
	if b.Pack != nil {
		most = b.Pack.Price.Add(b.Steps[0].Engineering.Decimal)
		if area.LessThanOrEqual(b.Pack.UpTo.Decimal) {
			return most
		}
	}
	for _, st := range b.Steps {
		here := decimal.Min(area, st.UpTo.Decimal)
		most = decimal.Max(most, st.PerM2.Mul(here).Add(st.Engineering.Decimal))
		if area.LessThanOrEqual(st.UpTo.Decimal) {
			break
		}
	}
	return most
}

func (s surcharge) cost(j job, area, boards decimal.Decimal) decimal.Decimal {
	c := decimal.Max(s.Flat.Decimal, s.PerM2.Mul(area)).Add(boards.Mul(s.Percent.Decimal).Div(hundred))
	if s.Cap.IsPositive() {
		c = decimal.Min(c, s.Cap.Decimal)
	}
	if s.Times != "" {
		c = c.Mul(decimal.NewFromInt(int64(whole(j.spec.Options[s.Times]))))
	}
	return c
}

// builds lists the standard build and those that days can be bought off of.
func (t *Tariff) builds(j job, days int) ([]fabricator.Build, error) {
	out := []fabricator.Build{{Hours: days * 24, Name: daysOf(days)}}
	for _, e := range t.table.Express {
		if !e.Layers.holds(float64(j.spec.Layers)) || j.area > e.UpTo.InexactFloat64() {
			continue
		}
		for _, o := range e.Options {
			if left := days - o.Days; left >= 1 {
				c := decimal.Max(o.Flat.Decimal, o.PerM2.Mul(decimal.NewFromFloat(j.area)))
				out = append(out, fabricator.Build{Hours: left * 24, Name: daysOf(left), Cents: t.table.cents(t.table.addMarkup(c))})
			}
		}
		break
	}
	want := cmp.Or(j.spec.BuildHours, out[0].Hours)
	i := slices.IndexFunc(out, func(b fabricator.Build) bool { return b.Hours == want })
	if i < 0 {
		return nil, &fabricator.Error{
			Kind: fabricator.Refused, Message: "no such build time",
			Fields: []fabricator.Field{{Field: "build_hours", Message: "is not one of the build times on offer"}},
		}
	}
	out[i].Chosen = true
	return out, nil
}

func daysOf(n int) string {
	if n == 1 {
		return "1 working day"
	}
	return fmt.Sprintf("%d working days", n)
}

// rate is what one unit of the table's currency is worth in that of sale.
func (tb *table) rate() (decimal.Decimal, bool) {
	if tb.Currency == tb.Sell {
		return decimal.NewFromInt(1), true
	}
	for _, r := range tb.Rates {
		if r.From == tb.Currency && r.To == tb.Sell {
			return r.Rate.Decimal, true
		}
	}
	return decimal.Zero, false
}

func (tb *table) addMarkup(v decimal.Decimal) decimal.Decimal {
	return v.Mul(hundred.Add(tb.Markup.Decimal)).Div(hundred)
}

// cents converts to the currency of sale and rounds half-even.
func (tb *table) cents(v decimal.Decimal) int64 {
	r, _ := tb.rate()
	return v.Mul(r).Shift(2).RoundBank(0).IntPart()
}

// ship lists the ways to a country, cheapest first.
func (t *Tariff) ship(country string, grams int64) ([]fabricator.Shipping, error) {
	if !countryForm.MatchString(country) || slices.Contains(t.table.Shipping.NotServed, country) {
		return nil, shipmentError("ship_to.country", "is not served")
	}
	name := t.table.zoneOf(country)
	var out []fabricator.Shipping
	for _, s := range t.table.Shipping.Services {
		for _, z := range s.Zones {
			if z.Zone == name && grams <= z.Max {
				cost := z.cost(grams).Mul(hundred.Add(s.Fuel.Decimal)).Div(hundred)
				out = append(out, fabricator.Shipping{
					ID: s.ID, Carrier: s.Carrier, Service: s.Service, Cents: t.table.cents(cost), DaysMin: z.DaysMin, DaysMax: z.DaysMax,
				})
			}
		}
	}
	if len(out) == 0 {
		return nil, shipmentError("ship_to.country", fmt.Sprintf("is not served with a parcel of %d g", grams))
	}
	slices.SortFunc(out, func(a, b fabricator.Shipping) int {
		return cmp.Or(cmp.Compare(a.Cents, b.Cents), cmp.Compare(a.DaysMax, b.DaysMax), strings.Compare(a.ID, b.ID))
	})
	return out, nil
}

func (tb *table) zoneOf(country string) string {
	for z, list := range tb.Shipping.Zones {
		if slices.Contains(list, country) {
			return z
		}
	}
	return restZone
}

// cost is the price of the first break that takes the weight; beyond the last
// one every kilogram begun costs more.
func (z zone) cost(grams int64) decimal.Decimal {
	for _, b := range z.Breaks {
		if grams <= b.To {
			return b.Price.Decimal
		}
	}
	last := z.Breaks[len(z.Breaks)-1]
	kilos := (grams - last.To + 999) / 1000
	return last.Price.Add(z.PerExtraKg.Mul(decimal.NewFromInt(kilos)))
}
