package catalog

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"boardorder/pkg/fabricator"
)

// A Reason is why the operator's team must quote a board: Text is the sentence
// for the customer, Field the option that it comes from.
type Reason struct {
	Field string `json:"field"`
	Text  string `json:"text"`
}

// CheckSpec finds options that do not belong to this board, such as a flexible
// board's stiffener on FR-4, and panels that are larger than what can be built.
// These are mistakes to send back, not requests to pass on to people; Review
// finds the latter. Unknown keys and keys that need each other are
// CheckOptions'. open, which may be nil, says which of material, layers and
// surface_finish are not decided yet: nothing is judged by those. A board
// without a size has no panel to judge.
func (c *Catalog) CheckSpec(s fabricator.Spec, open func(option string) bool) []Problem {
	j := judge{Catalog: c, spec: s, open: open}
	j.material, j.known = c.Material(s.Material)
	var ps []Problem
	for _, key := range slices.Sorted(maps.Keys(s.Options)) {
		o, ok := c.byKey[key]
		if !ok || !o.IsChosen(s.Options[key]) {
			continue
		}
		if msg := j.misuseOf(o); msg != "" {
			ps = append(ps, problem("fab_options."+key, NotApplicable, nil, "%s", msg))
		}
	}
	return append(ps, c.checkPanel(s)...)
}

// A judge holds options against a board.
type judge struct {
	*Catalog
	spec     fabricator.Spec
	material Material
	known    bool // the material is one of the catalogue's
	open     func(option string) bool
}

func (j judge) isDecided(option string) bool { return j.open == nil || !j.open(option) }

func (j judge) misuseOf(o *Option) string {
	s, laminate := j.spec, j.known && j.isDecided("material")
	switch {
	case laminate && len(o.Families) > 0 && !slices.Contains(o.Families, j.material.Family):
		return fmt.Sprintf("does not exist for material %s.", s.Material)
	case j.isDecided("layers") && s.Layers < o.MinLayers:
		return fmt.Sprintf("needs %d or more layers.", o.MinLayers)
	case j.isDecided("surface_finish") && len(o.NeedsFinish) > 0 && !slices.Contains(o.NeedsFinish, s.Finish):
		return "needs surface_finish to be " + strings.Join(o.NeedsFinish, " or ") + "."
	}
	id, _ := s.Options[o.Key].(string)
	if v, ok := choice(o.Values, id); ok && laminate && len(v.Materials) > 0 && !slices.Contains(v.Materials, s.Material) {
		return fmt.Sprintf("cannot be %s for material %s, only for %s.", id, s.Material, strings.Join(v.Materials, " or "))
	}
	return ""
}

// Review returns why an instant quote cannot build the board; none means that
// the fabricator may be asked.
func (c *Catalog) Review(s fabricator.Spec) []Reason {
	m, ok := c.Material(s.Material)
	if !ok {
		return []Reason{{"material", fmt.Sprintf("the laminate %s is quoted by hand", s.Material)}}
	}
	f := c.Families[m.Family]
	if !slices.Contains(f.Layers, s.Layers) {
		return []Reason{{"layers", fmt.Sprintf("%d layers of %s are quoted by hand", s.Layers, f.Name)}}
	}
	var rs []Reason
	add := func(field, format string, args ...any) { rs = append(rs, Reason{field, fmt.Sprintf(format, args...)}) }
	if t := mm(s.Thickness); !containsAbout(c.ThicknessFor(s.Material, s.Layers), t) {
		add("thickness_mm", "%v mm is no stock thickness of %d-layer %s boards", t, s.Layers, f.Name)
	}
	outer, inner := c.CopperFor(s.Material, s.Layers)
	if !containsAbout(outer, s.OuterCopper) {
		add("copper_oz", "%v oz outer copper is quoted by hand on %d-layer %s boards", s.OuterCopper, s.Layers, f.Name)
	}
	if s.Layers >= 4 && !containsAbout(inner, s.InnerCopper) {
		add("inner_copper_oz", "%v oz inner copper is quoted by hand", s.InnerCopper)
	}
	if !slices.Contains(f.Finishes, s.Finish) {
		add("surface_finish", "the finish %s is quoted by hand on %s boards", s.Finish, f.Name)
	}
	if !slices.Contains(f.Masks, s.Mask) {
		add("solder_mask", "a %s mask is quoted by hand on %s boards", s.Mask, f.Name)
	}
	if s.Silkscreen != "" && s.Silkscreen != c.Silkscreen(s.Mask) {
		add("silkscreen", "a %s silkscreen on a %s mask is quoted by hand", s.Silkscreen, s.Mask)
	}
	if !slices.Contains(c.ViaProcessesFor(s.Material, s.Layers), s.ViaProcess) {
		add("via_process", "the via process %s is quoted by hand on %d-layer %s boards", s.ViaProcess, s.Layers, f.Name)
	}
	if s.Impedance && (m.Family != "fr4" || s.Layers < 4) {
		add("impedance_controlled", "controlled impedance on %d-layer %s boards is quoted by hand", s.Layers, f.Name)
	}
	rs = append(rs, f.Size.review(mm(s.Width), mm(s.Height))...)
	rs = append(rs, c.rules(m, s)...)
	return append(rs, c.reviewOptions(s)...)
}

func (z Size) review(w, h float64) []Reason {
	long, short := max(w, h), min(w, h)
	switch {
	case long > z.Max[0] || short > z.Max[1]:
		return []Reason{{"size", fmt.Sprintf("%v x %v mm is larger than the %v x %v mm that are built without asking", w, h, z.Max[0], z.Max[1])}}
	case long < z.Min[0] || short < z.Min[1]:
		return []Reason{{"size", fmt.Sprintf("%v x %v mm is smaller than the %v x %v mm that are built without asking", w, h, z.Min[0], z.Min[1])}}
	}
	return nil
}

func (c *Catalog) reviewOptions(s fabricator.Spec) []Reason {
	var rs []Reason
	for _, key := range slices.Sorted(maps.Keys(s.Options)) {
		o, ok := c.byKey[key]
		if !ok {
			continue
		}
		v := s.Options[key]
		if o.Review != "" && o.IsChosen(v) {
			rs = append(rs, Reason{"fab_options." + key, o.Review})
		}
		if id, ok := v.(string); ok {
			if ch, ok := choice(o.Values, id); ok && ch.Review != "" {
				rs = append(rs, Reason{"fab_options." + key, ch.Review})
			}
		}
	}
	return rs
}

func mm(nm int64) float64 { return float64(nm) / 1e6 }

// containsAbout compares within a thousandth, since files state 1.5999 for 1.6.
func containsAbout(vs []float64, v float64) bool {
	return slices.ContainsFunc(vs, func(x float64) bool { return math.Abs(x-v) < 0.0011 })
}

func containsEqual(vs []any, v any) bool {
	return slices.ContainsFunc(vs, func(x any) bool {
		if f, ok := number(v); ok {
			g, ok := number(x)
			return ok && f == g
		}
		switch v.(type) {
		case string, bool:
			return x == v
		}
		return false
	})
}

func words(vs []any) string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = fmt.Sprint(v)
	}
	return strings.Join(out, " or ")
}
