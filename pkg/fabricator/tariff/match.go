package tariff

import (
	"fmt"
	"maps"
	"slices"

	"boardorder/pkg/catalog"
	"boardorder/pkg/fabricator"
)

// A job is a board on its way through the table.
type job struct {
	spec    fabricator.Spec
	area    float64 // of the whole order, m2
	catalog *catalog.Catalog
}

// option is the value of an option: what was chosen or, unstated, its default.
func (j job) option(key string) any {
	if v := j.spec.Options[key]; v != nil {
		return v
	}
	o, _ := j.catalog.Option(key)
	return o.Default
}

// holds reports whether the condition is met.
func (w condition) holds(j job) bool {
	s := j.spec
	ok := w.Layers.holds(float64(s.Layers)) && allows(w.Materials, s.Material) && allows(w.Finishes, s.Finish) && allows(w.Masks, s.Mask) &&
		allows(w.ViaProcesses, s.ViaProcess) && allows(w.OuterCopper, s.OuterCopper) && w.Thickness.holds(mm(s.Thickness)) &&
		(len(w.InnerCopper) == 0 || (s.Layers >= 4 && allows(w.InnerCopper, s.InnerCopper))) &&
		holdsMeasured(w.Hole, mm(s.MinHole)) && holdsMeasured(w.Track, finest(s)) && holdsMeasured(w.HolesPerM2, holesPerM2(s)) &&
		w.LongSide.holds(mm(max(s.Width, s.Height))) && j.area > w.OverM2.InexactFloat64()
	if w.Impedance != nil {
		ok = ok && *w.Impedance == s.Impedance
	}
	for key, vs := range w.Options {
		ok = ok && slices.ContainsFunc(vs, func(v any) bool { return same(v, j.option(key)) })
	}
	return ok
}

func allows[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

// holdsMeasured never holds for what was not measured.
func holdsMeasured(s span, v float64) bool { return !s.set() || (v > 0 && s.holds(v)) }

func finest(s fabricator.Spec) float64 {
	switch {
	case s.MinTrack == 0:
		return mm(s.MinSpace)
	case s.MinSpace == 0:
		return mm(s.MinTrack)
	}
	return mm(min(s.MinTrack, s.MinSpace))
}

func holesPerM2(s fabricator.Spec) float64 {
	if a := s.BoardArea(); a > 0 {
		return float64(s.HoleCount) / a * 1e6
	}
	return 0
}

// same compares values of a file with values of a request: 2 and 2.0 are one.
func same(a, b any) bool { return b != nil && fmt.Sprint(a) == fmt.Sprint(b) }

func mm(nm int64) float64 { return float64(nm) / 1e6 }

// findGaps lists what the table has no price for.
func (t *Tariff) findGaps(j job) []string {
	s, v := j.spec, t.table.Covers
	var out []string
	add := func(ok bool, what string, value any) {
		if !ok {
			out = append(out, fmt.Sprintf("%s %v is quoted by hand", what, value))
		}
	}
	add(slices.Contains(v.Materials, s.Material), "the laminate", s.Material)
	add(slices.Contains(v.Finishes, s.Finish), "the finish", s.Finish)
	add(slices.Contains(v.Masks, s.Mask), "the mask colour", s.Mask)
	add(slices.Contains(v.ViaProcesses, s.ViaProcess), "the via process", s.ViaProcess)
	add(slices.Contains(v.OuterCopper, s.OuterCopper), "outer copper of oz", s.OuterCopper)
	add(s.Layers < 4 || slices.Contains(v.InnerCopper, s.InnerCopper), "inner copper of oz", s.InnerCopper)
	add(v.Thickness.holds(mm(s.Thickness)), "a thickness in mm of", mm(s.Thickness))
	add(s.Stackup == "", "the stackup", s.Stackup)
	add(s.Silkscreen == "" || s.Silkscreen == t.catalog.Silkscreen(s.Mask), "the silkscreen colour", s.Silkscreen)
	for _, key := range slices.Sorted(maps.Keys(s.Options)) {
		o, ok := t.catalog.Option(key)
		if ok && !o.IsChosen(s.Options[key]) {
			continue
		}
		add(ok && t.prices(key, s.Options[key]), "the option "+key+" as", s.Options[key])
	}
	for _, r := range t.table.Review {
		if r.When.holds(j) {
			out = append(out, r.Reason)
		}
	}
	return out
}

// prices reports whether the table says what an option costs, be it nothing.
func (t *Tariff) prices(key string, value any) bool {
	return slices.Contains(t.table.Included, key) || slices.ContainsFunc(t.table.Surcharges, func(s surcharge) bool {
		return s.Times == key || slices.ContainsFunc(s.When.Options[key], func(v any) bool { return same(v, value) })
	})
}
