// Package assemblyprice prices the work of assembling boards as lines that add
// up. It knows no price of parts; see package cost.
package assemblyprice

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.yaml.in/yaml/v3"

	"boardorder/pkg/money"
)

// Rates are what assembling costs from a day on.
type Rates struct {
	ValidFrom string  `yaml:"valid_from"` // 2006-01-02
	Source    string  `yaml:"source"`
	Checked   string  `yaml:"checked"`
	Certainty string  `yaml:"certainty"`
	Economic  Service `yaml:"economic"`
	Standard  Service `yaml:"standard"`
	Hand      struct {
		Setup int64 `yaml:"setup"`
		Joint int64 `yaml:"joint_micros"`
	} `yaml:"hand"`
	XRay struct {
		Setup int64 `yaml:"setup"`
		Part  int64 `yaml:"part_micros"`
	} `yaml:"xray"`
	Minimum   int64       `yaml:"minimum"`
	PartsDays int         `yaml:"parts_days"` // working days until parts from elsewhere are at the fabricator
	Attrition []Attrition `yaml:"attrition"`
}

// A Service is one of the ways of placing parts by machine.
type Service struct {
	Setup       int64  `yaml:"setup"`
	Stencil     int64  `yaml:"stencil"`
	Feeder      int64  `yaml:"feeder"`
	Joint       int64  `yaml:"joint_micros"`
	FinestSize  string `yaml:"finest_size"`     // "" for none
	FinestPitch int64  `yaml:"finest_pitch_um"` // 0 for none
	Days        int    `yaml:"days"`            // working days, once boards and parts are there
}

// Attrition is how many parts of a size are lost in feeding.
type Attrition struct {
	Size    string `yaml:"size"`
	Percent string `yaml:"percent"`
	Least   int64  `yaml:"least"`

	rate money.Rate
}

//go:embed rates.yaml
var builtIn []byte

// A Table is the rates of all times.
type Table []Rates

// LoadBuiltIn is the table that the program comes with.
func LoadBuiltIn() (Table, error) { return ReadTable(builtIn) }

// ReadTable reads a table and names everything that is wrong in it.
func ReadTable(data []byte) (Table, error) {
	var t Table
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&t); err != nil {
		return nil, fmt.Errorf("assembly rates: %w", err)
	}
	if len(t) == 0 {
		return nil, errors.New("assembly rates: no entry")
	}
	var errs []error
	for i := range t {
		errs = append(errs, t[i].check())
	}
	slices.SortFunc(t, func(a, b Rates) int { return bytes.Compare([]byte(a.ValidFrom), []byte(b.ValidFrom)) })
	return t, errors.Join(errs...)
}

func (r *Rates) check() error {
	var errs []error
	for _, day := range []string{r.ValidFrom, r.Checked} {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			errs = append(errs, fmt.Errorf("assembly rates: %q is no day", day))
		}
	}
	if min(r.Economic.Days, r.Standard.Days) <= 0 || r.PartsDays < 0 {
		errs = append(errs, fmt.Errorf("assembly rates of %s: days of %d, %d and %d", r.ValidFrom, r.Economic.Days, r.Standard.Days, r.PartsDays))
	}
	if r.Source == "" {
		errs = append(errs, fmt.Errorf("assembly rates of %s: no source", r.ValidFrom))
	}
	for name, v := range map[string]int64{
		"economic.setup": r.Economic.Setup, "economic.joint_micros": r.Economic.Joint, "standard.setup": r.Standard.Setup, "standard.joint_micros": r.Standard.Joint,
		"hand.joint_micros": r.Hand.Joint, "economic.stencil": r.Economic.Stencil, "standard.stencil": r.Standard.Stencil,
	} {
		if v <= 0 {
			errs = append(errs, fmt.Errorf("assembly rates of %s: %s is %d", r.ValidFrom, name, v))
		}
	}
	if min(r.Economic.Feeder, r.Standard.Feeder, r.Hand.Setup, r.XRay.Setup, r.XRay.Part, r.Minimum) < 0 {
		errs = append(errs, fmt.Errorf("assembly rates of %s: a negative amount", r.ValidFrom))
	}
	for i := range r.Attrition {
		a := &r.Attrition[i]
		var err error
		if a.rate, err = money.ParsePercent(a.Percent); err != nil || a.Least < 0 {
			errs = append(errs, fmt.Errorf("assembly rates of %s: attrition of %q: %w", r.ValidFrom, a.Size, errors.Join(err, errIf(a.Least < 0))))
		}
	}
	return errors.Join(errs...)
}

func errIf(negative bool) error {
	if negative {
		return errors.New("a negative number")
	}
	return nil
}

// RatesOn gives the rates of a day; ok is false before the first.
func (t Table) RatesOn(at time.Time) (r Rates, ok bool) {
	day := at.UTC().Format(time.DateOnly)
	for _, e := range t {
		if e.ValidFrom <= day {
			r, ok = e, true
		}
	}
	return r, ok
}

// PurchaseCount is how many parts to buy so that count can be placed: by machine some
// are lost, by hand none.
func (r *Rates) PurchaseCount(count int64, size string, byHand bool) int64 {
	if byHand || count <= 0 {
		return count
	}
	var found *Attrition
	for i := range r.Attrition {
		if a := &r.Attrition[i]; a.Size == size || a.Size == "" && found == nil {
			found = a
		}
	}
	if found == nil {
		return count
	}
	return count + max(found.rate.ShareOf(count), found.Least)
}
