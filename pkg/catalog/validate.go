package catalog

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// services is how many services the fabricator documents; the specification
// promises that number.
const services = 35

var keyForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// validate reports everything in which the data contradict themselves.
func (c *Catalog) validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if _, err := time.Parse(time.DateOnly, c.Checked); err != nil || c.Version == "" {
		bad("version or checked date is missing")
	}
	if len(c.Services) != services {
		bad("%d services, not %d", len(c.Services), services)
	}
	for i := range c.Services {
		if c.Services[i].Code == "" {
			bad("service %s has no code", c.Services[i].Key)
		}
		errs = append(errs, c.register(&c.Services[i]))
	}
	for i := range c.Options {
		errs = append(errs, c.register(&c.Options[i]))
	}
	for _, o := range c.byKey {
		errs = append(errs, c.validateOption(o))
	}
	for _, m := range c.Materials {
		if _, ok := c.Families[m.Family]; !ok {
			bad("material %s is of unknown family %q", m.ID, m.Family)
		}
	}
	for id, f := range c.Families {
		errs = append(errs, c.validateFamily(id, f))
	}
	if c.Quantity.Minimum < 1 || c.Quantity.Maximum < c.Quantity.Minimum {
		bad("quantity bounds are wrong")
	}
	return errors.Join(errs...)
}

func (c *Catalog) register(o *Option) error {
	if !keyForm.MatchString(o.Key) {
		return fmt.Errorf("option key %q is not snake_case", o.Key)
	}
	if c.byKey[o.Key] != nil {
		return fmt.Errorf("option key %q stands there twice", o.Key)
	}
	c.byKey[o.Key] = o
	return nil
}

func (c *Catalog) validateOption(o *Option) error {
	switch {
	case !slices.Contains([]Kind{Pick, Boolean, Integer, Number, Text, List}, o.Kind):
		return fmt.Errorf("option %s is of unknown kind %q", o.Key, o.Kind)
	case o.Kind == Pick && len(o.Values) == 0:
		return fmt.Errorf("option %s has no values", o.Key)
	case o.Kind != Pick && o.Kind != Boolean && o.Max <= 0:
		return fmt.Errorf("option %s has no upper bound", o.Key)
	case o.Default != nil && len(o.check(o.Key, o.Default)) > 0:
		return fmt.Errorf("option %s has a default that it does not allow", o.Key)
	}
	for _, f := range o.Families {
		if _, ok := c.Families[f]; !ok {
			return fmt.Errorf("option %s is for unknown family %q", o.Key, f)
		}
	}
	for _, v := range o.Values {
		for _, m := range v.Materials {
			if _, ok := c.Material(m); !ok {
				return fmt.Errorf("option %s has a value for unknown material %q", o.Key, m)
			}
		}
	}
	for _, key := range o.Requires {
		if c.byKey[key] == nil {
			return fmt.Errorf("option %s requires unknown option %q", o.Key, key)
		}
	}
	for key, vs := range o.Needs {
		n := c.byKey[key]
		if n == nil {
			return fmt.Errorf("option %s needs unknown option %q", o.Key, key)
		}
		for _, v := range vs {
			if len(n.check(key, v)) > 0 {
				return fmt.Errorf("option %s needs %s to be %v, which it cannot be", o.Key, key, v)
			}
		}
	}
	return nil
}

func (c *Catalog) validateFamily(id string, f Family) error {
	for _, n := range f.Layers {
		inThickness := slices.ContainsFunc(f.Thickness, func(r ThicknessRange) bool { return slices.Contains(r.Layers, n) })
		inCopper := slices.ContainsFunc(f.Copper, func(r CopperRange) bool {
			return slices.Contains(r.Layers, n) && len(r.Outer) > 0 && (n < 4 || len(r.Inner) > 0)
		})
		inVias := slices.ContainsFunc(f.ViaProcesses, func(r ViaRange) bool { return slices.Contains(r.Layers, n) })
		if !inThickness || !inCopper || !inVias {
			return fmt.Errorf("family %s has no thickness, copper or via process at %d layers", id, n)
		}
	}
	for _, v := range f.Finishes {
		if _, ok := choice(c.SurfaceFinishes, v); !ok {
			return fmt.Errorf("family %s has unknown finish %q", id, v)
		}
	}
	for _, v := range f.Masks {
		if !slices.ContainsFunc(c.SolderMasks, func(m Mask) bool { return m.ID == v }) {
			return fmt.Errorf("family %s has unknown mask %q", id, v)
		}
	}
	for _, r := range f.ViaProcesses {
		for _, v := range r.IDs {
			if _, ok := choice(c.ViaProcesses, v); !ok {
				return fmt.Errorf("family %s has unknown via process %q", id, v)
			}
		}
	}
	return nil
}
