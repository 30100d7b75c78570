package tariff

import (
	"fmt"

	"github.com/shopspring/decimal"
	"go.yaml.in/yaml/v3"
)

// A table is the whole file. tariff.yaml says what each field means.
type table struct {
	Version  string `yaml:"version"`
	Checked  string `yaml:"checked"`
	Source   string `yaml:"source"`
	Currency string `yaml:"currency"` // of the amounts in the file
	Sell     string `yaml:"sell"`     // of the prices
	Rates    []rate `yaml:"rates"`
	Markup   amount `yaml:"markup_percent"`

	Covers     covers      `yaml:"covers"`
	Base       []base      `yaml:"base"`
	Surcharges []surcharge `yaml:"surcharges"`
	Included   []string    `yaml:"included_options"`
	Review     []review    `yaml:"review"`
	Express    []express   `yaml:"express"`
	Weight     weight      `yaml:"weight"`
	Shipping   shipping    `yaml:"shipping"`
}

type rate struct {
	From   string `yaml:"from"`
	To     string `yaml:"to"`
	Rate   amount `yaml:"rate"`
	Date   string `yaml:"date"`
	Source string `yaml:"source"`
}

// covers is what may be priced at all; all else is for people.
type covers struct {
	Materials    []string  `yaml:"materials"`
	Finishes     []string  `yaml:"finishes"`
	Masks        []string  `yaml:"masks"`
	ViaProcesses []string  `yaml:"via_processes"`
	OuterCopper  []float64 `yaml:"outer_copper_oz"`
	InnerCopper  []float64 `yaml:"inner_copper_oz"`
	Thickness    span      `yaml:"thickness_mm"`
}

// base is the price by area at one layer count.
type base struct {
	Layers  int    `yaml:"layers"`
	Minimum int    `yaml:"minimum_boards"`
	Pack    *pack  `yaml:"pack"`
	Steps   []step `yaml:"steps"`
}

// pack is one price for every order up to an area.
type pack struct {
	UpTo  amount `yaml:"up_to_m2"`
	Price amount `yaml:"price"`
}

type step struct {
	UpTo        amount `yaml:"up_to_m2"`
	PerM2       amount `yaml:"per_m2"`
	Engineering amount `yaml:"engineering"`
	Days        int    `yaml:"days"`
}

// surcharge costs the larger of Flat and PerM2, plus Percent of the boards, at
// most Cap, times the number that the option Times has.
type surcharge struct {
	Code    string    `yaml:"code"`
	Label   string    `yaml:"label"`
	When    condition `yaml:"when"`
	Flat    amount    `yaml:"flat"`
	PerM2   amount    `yaml:"per_m2"`
	Percent amount    `yaml:"percent"`
	Cap     amount    `yaml:"cap"`
	Times   string    `yaml:"times"`
	Days    int       `yaml:"days"`
}

type review struct {
	When   condition `yaml:"when"`
	Reason string    `yaml:"reason"`
}

// A condition holds when all of its parts do.
type condition struct {
	Layers       span             `yaml:"layers"`
	Materials    []string         `yaml:"materials"`
	Finishes     []string         `yaml:"finishes"`
	Masks        []string         `yaml:"masks"`
	ViaProcesses []string         `yaml:"via_processes"`
	OuterCopper  []float64        `yaml:"outer_copper_oz"`
	InnerCopper  []float64        `yaml:"inner_copper_oz"`
	Thickness    span             `yaml:"thickness_mm"`
	Hole         span             `yaml:"smallest_hole_mm"`
	Track        span             `yaml:"finest_track_mm"` // track or space
	HolesPerM2   span             `yaml:"holes_per_m2"`
	LongSide     span             `yaml:"long_side_mm"`
	OverM2       amount           `yaml:"over_m2"` // of the whole order
	Impedance    *bool            `yaml:"impedance"`
	Options      map[string][]any `yaml:"options"`
}

// A span is over < v <= to; an end that is left out does not bound.
type span struct {
	Over *float64 `yaml:"over"`
	To   *float64 `yaml:"to"`
}

// express sells days: each option takes Days off the standard build.
type express struct {
	Layers  span          `yaml:"layers"`
	UpTo    amount        `yaml:"up_to_m2"`
	Options []expressStep `yaml:"options"`
}

type expressStep struct {
	Days  int    `yaml:"days"`
	Flat  amount `yaml:"flat"`
	PerM2 amount `yaml:"per_m2"`
}

type weight struct {
	Density       map[string]float64 `yaml:"density_g_cm3"` // by family of material
	CopperShare   float64            `yaml:"copper_share"`  // of each layer's area
	PackingGrams  float64            `yaml:"packing_g"`
	PackingFactor float64            `yaml:"packing_factor"`
}

type shipping struct {
	NotServed []string            `yaml:"not_served"`
	Zones     map[string][]string `yaml:"zones"`
	Services  []service           `yaml:"services"`
}

type service struct {
	ID      string `yaml:"id"`
	Carrier string `yaml:"carrier"`
	Service string `yaml:"service"`
	Fuel    amount `yaml:"fuel_percent"`
	Zones   []zone `yaml:"zones"`
}

type zone struct {
	Zone       string        `yaml:"zone"`
	DaysMin    int           `yaml:"days_min"`
	DaysMax    int           `yaml:"days_max"`
	Breaks     []weightBreak `yaml:"breaks"`
	PerExtraKg amount        `yaml:"per_extra_kg"` // beyond the last break
	Max        int64         `yaml:"max_g"`
}

type weightBreak struct {
	To    int64  `yaml:"to_g"`
	Price amount `yaml:"price"`
}

// restZone is every country that no zone names.
const restZone = "rest"

// An amount is exact, as written.
type amount struct{ decimal.Decimal }

// UnmarshalYAML reads a plain number.
func (a *amount) UnmarshalYAML(n *yaml.Node) error {
	d, err := decimal.NewFromString(n.Value)
	if err != nil || n.Kind != yaml.ScalarNode || len(n.Value) > 20 {
		return fmt.Errorf("line %d: %q is no number", n.Line, n.Value)
	}
	if d.Abs().GreaterThan(decimal.NewFromInt(100_000_000)) {
		return fmt.Errorf("line %d: %s is out of range", n.Line, n.Value)
	}
	a.Decimal = d
	return nil
}

func (s span) holds(v float64) bool {
	return (s.Over == nil || v > *s.Over) && (s.To == nil || v <= *s.To)
}

func (s span) set() bool { return s.Over != nil || s.To != nil }
