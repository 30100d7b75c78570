package dfm

import (
	"errors"
	"fmt"
	"net/url"
	"time"
)

// formatVersion is the one version of the figures' format.
const formatVersion = 1

// validate finds figures that nobody could rely on: without a source and the day
// it was seen, said twice, or out of all bounds.
func (c *Capability) validate() error {
	var faults []error
	if c.Version != formatVersion || c.ID == "" || c.Name == "" {
		faults = append(faults, fmt.Errorf("version %d, id %q, name %q", c.Version, c.ID, c.Name))
	}
	for key, s := range c.Sources {
		faults = append(faults, s.validate(key))
	}
	seen := map[Figure]bool{}
	for _, f := range c.Figures {
		faults = append(faults, c.checkSource(f.Source), f.validate())
		f.Min, f.Recommended, f.Source = 0, 0, ""
		if seen[f] {
			faults = append(faults, fmt.Errorf("%s is said twice for the same builds", f.Check))
		}
		seen[f] = true
	}
	for _, o := range c.Offers {
		faults = append(faults, c.checkSource(o.Source), o.validate())
	}
	for _, o := range c.Options {
		faults = append(faults, c.checkSource(o.Source))
	}
	return errors.Join(faults...)
}

func (c *Capability) checkSource(key string) error {
	if _, ok := c.Sources[key]; !ok {
		return fmt.Errorf("no source %q", key)
	}
	return nil
}

func (s Source) validate(key string) error {
	if _, err := time.Parse(time.DateOnly, s.Checked); err != nil {
		return fmt.Errorf("source %q: %w", key, err)
	}
	if u, err := url.Parse(s.URL); err != nil || u.Host == "" || s.Title == "" {
		return fmt.Errorf("source %q has no title or address", key)
	}
	return nil
}

func (f Figure) validate() error {
	low, high := f.Check.bounds()
	for _, v := range []float64{f.Min, f.Recommended} {
		if v != 0 && (v < low || v > high) {
			return fmt.Errorf("%s: %g mm is not between %g and %g, which the check's bounds say", f.Check, v, low, high)
		}
	}
	switch {
	case f.Min == 0 && f.Recommended == 0:
		return fmt.Errorf("%s: no figure", f.Check)
	case f.Min > 0 && f.Recommended > 0 && f.Check.Maximum() != (f.Recommended < f.Min) && f.Recommended != f.Min:
		return fmt.Errorf("%s: %g is recommended, but %g the limit", f.Check, f.Recommended, f.Min)
	case f.Where != "" && f.Where != "outer" && f.Where != "inner":
		return fmt.Errorf("%s: side %q", f.Check, f.Where)
	case f.Process != "" && f.Process != StandardProcess && f.Process != AdvancedProcess:
		return fmt.Errorf("%s: process %q", f.Check, f.Process)
	case f.Layers[0] > f.Layers[1] || f.UpToOz < 0:
		return fmt.Errorf("%s: layers %v, %g oz", f.Check, f.Layers, f.UpToOz)
	}
	return nil
}

func (o Offer) validate() error {
	if o.Layers[0] < 1 || o.Layers[1] > 64 || o.Layers[0] > o.Layers[1] {
		return fmt.Errorf("offer of layers %v", o.Layers)
	}
	for _, span := range [][2]float64{o.ThicknessMM, o.SmallestMM, o.LargestMM} {
		if span[0] > span[1] || span[0] < 0 || span[1] > 2000 {
			return fmt.Errorf("offer of %v layers: %v", o.Layers, span)
		}
	}
	for _, oz := range append(o.CopperOz, o.InnerOz...) {
		if oz < 0.25 || oz > 30 {
			return fmt.Errorf("offer of %v layers: %g oz", o.Layers, oz)
		}
	}
	return nil
}
