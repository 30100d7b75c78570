package options

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
)

// HasSize reports whether the files say how large the board is.
func (f FileFacts) HasSize() bool {
	return f.WidthMM.Known && f.HeightMM.Known && f.WidthMM.Value > 0 && f.HeightMM.Value > 0
}

func (d *decision) hasSize() bool { return d.facts.HasSize() }

// spec is what the fabricator is asked for. Options that are still open are
// zero in it.
func (d *decision) spec() fabricator.Spec {
	s := fabricator.Spec{
		Layers: d.layers, Quantity: d.catalog.BuildQuantity(d.request.Quantity),
		Width: nanometres(d.facts.WidthMM.Value), Height: nanometres(d.facts.HeightMM.Value), Thickness: nanometres(d.thickness),
		OuterCopper: d.copper, InnerCopper: d.innerCopper, Material: d.material, Finish: d.finish, Mask: d.mask,
		ViaProcess: d.via, Impedance: d.impedance, Options: maps.Clone(d.fabOptions),
		MinHole: nanometres(d.facts.MinHoleMM.Value), MinTrack: nanometres(d.facts.MinTrackMM.Value),
		MinSpace: nanometres(d.facts.MinSpaceMM.Value), HoleCount: d.holes(),
	}
	if d.stackup != nil {
		s.Stackup = d.stackup.Code
	}
	return s
}

func (d *decision) holes() int {
	if d.facts.Holes.Known {
		return d.facts.Holes.Value
	}
	return d.facts.PlatedHoles.Value + d.facts.NPHoles.Value
}

func nanometres(mm float64) int64 { return int64(math.Round(mm * 1e6)) }

// board is the result. While something is open it holds what is known.
func (d *decision) board(spec fabricator.Spec) *Board {
	details := quotes.BoardDetails{
		Layers: d.layers, WidthMM: hundredths(d.facts.WidthMM.Value), HeightMM: hundredths(d.facts.HeightMM.Value),
		ThicknessMM: d.thickness, CopperOz: d.copper, SurfaceFinish: d.finish, SolderMask: d.mask, Material: d.material, ViaProcess: d.via,
	}
	if d.layers >= 4 && d.innerCopper > 0 {
		inner := d.innerCopper
		details.InnerCopperOz = &inner
	}
	details.ImpedanceControlled, details.FabStackup, details.FabOptions = d.impedance, spec.Stackup, spec.Options
	if d.hasSize() {
		d.from["width_mm"], d.from["height_mm"] = provenance(d.facts.WidthMM.Source), provenance(d.facts.HeightMM.Source)
	}
	origins := maps.Clone(d.from)
	for key := range spec.Options {
		if field := "fab_options." + key; origins[field] == "" { // neither the files nor the standard chose it
			origins[field] = fromRequest
		}
	}
	return &Board{
		Spec: spec, Details: details, From: origins, Words: Words(d.catalog, details), Notes: d.notes,
		Complete: len(d.questions) == 0 && len(d.unbuildable) == 0 && d.hasSize(),
	}
}

func hundredths(mm float64) float64 { return math.Round(mm*100) / 100 }

// Words is a board in one line. What is not known is left out.
func Words(c *catalog.Catalog, b quotes.BoardDetails) string {
	var parts []string
	add := func(known bool, format string, args ...any) {
		if known {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(b.Layers == 1, "1 layer")
	add(b.Layers > 1, "%d layers", b.Layers)
	add(b.WidthMM > 0, "%s x %s mm", decimal(b.WidthMM), decimal(b.HeightMM))
	add(b.ThicknessMM > 0, "%s mm thick", decimal(b.ThicknessMM))
	add(b.Material != "", "%s", b.Material)
	add(b.CopperOz > 0, "%s oz copper", decimal(b.CopperOz))
	if b.InnerCopperOz != nil {
		add(*b.InnerCopperOz > 0, "%s oz inner copper", decimal(*b.InnerCopperOz))
	}
	add(b.SurfaceFinish != "", "%s", finishName(c, b.SurfaceFinish))
	add(b.SolderMask != "", "%s mask", strings.ToLower(b.SolderMask))
	add(b.ViaProcess != "" && b.ViaProcess != c.Standard.ViaProcess, "%s vias", processName(c, b.ViaProcess))
	add(b.ImpedanceControlled, "controlled impedance")
	add(b.FabStackup != "", "stackup %s", b.FabStackup)
	parts = append(parts, optionWords(c, b.FabOptions)...)
	return strings.Join(parts, ", ")
}

func processName(c *catalog.Catalog, id string) string {
	for _, v := range c.ViaProcesses {
		if v.ID == id {
			return strings.ToLower(v.Name)
		}
	}
	return id
}

// optionWords are the selections beyond the usual, as name and value.
func optionWords(c *catalog.Catalog, options map[string]any) []string {
	var words []string
	for _, key := range slices.Sorted(maps.Keys(options)) {
		o, known := c.Option(key)
		switch v := options[key].(type) {
		case bool:
			if v && known {
				words = append(words, strings.ToLower(o.Name))
			}
		case []any, map[string]any:
			words = append(words, strings.ToLower(cmp.Or(o.Name, key)))
		default:
			if !known || o.IsChosen(v) {
				words = append(words, fmt.Sprintf("%s %v", strings.ToLower(cmp.Or(o.Name, key)), v))
			}
		}
	}
	return words
}

func finishName(c *catalog.Catalog, id string) string {
	for _, f := range c.SurfaceFinishes {
		if f.ID == id {
			return strings.Replace(f.Name, "Lead-free", "lead-free", 1)
		}
	}
	return id
}
