package pcb

import (
	"iter"
	"math"

	"boardorder/pkg/board/geom"
)

// List gives what is known, each under the name that options of an order have for it;
// what ends in _mm is in millimetres, rounded to a micrometre, since files differ below
// that by their unit.
func (f *Facts) List() iter.Seq2[string, Fact[any]] {
	return func(yield func(string, Fact[any]) bool) {
		for _, of := range f.entries() {
			if of.fact.Known && !yield(of.name, of.fact) {
				return
			}
		}
	}
}

type namedFact struct {
	name string
	fact Fact[any]
}

func (f *Facts) entries() []namedFact {
	out := []namedFact{
		{"layers", f.CopperLayers.widen()},
		{"width_mm", millimetres(f.Width)},
		{"height_mm", millimetres(f.Height)},
		{"thickness_mm", millimetres(f.Thickness)},
		{"copper_oz", f.OuterCopper.widen()},
		{"inner_copper_oz", f.InnerCopper.widen()},
		{"surface_finish", f.Finish.widen()},
		{"solder_mask", f.MaskColour.widen()},
		{"silkscreen", f.SilkscreenColour.widen()},
		{"material", f.Material.widen()},
		{"dielectrics", f.Dielectrics.widen()},
		{"via_process", f.ViaProcess.widen()},
		{"impedance_controlled", f.Impedance.widen()},
		{"edge_plating", f.EdgePlating.widen()},
		{"castellations", f.Castellations.widen()},
		{"castellated_sides", f.CastellatedSides.widen()},
		{"gold_fingers", f.GoldFingers.widen()},
		{"bevelled_fingers", f.Bevel.widen()},
		{"blind_vias", f.BlindVias.widen()},
		{"panel", f.Panel.widen()},
		{"panel_wanted", f.PanelWanted.widen()},
		{"boards_in_panel", f.BoardsInPanel.widen()},
		{"flex", f.Flex.widen()},
		{"copper_unknown", f.CopperUnknown.widen()},
		{"empty_inner_layers", f.EmptyInner.widen()},
		{"smallest_drill_mm", millimetres(f.MinDrill)},
		{"smallest_track_mm", millimetres(f.MinTrack)},
		{"smallest_gap_mm", millimetres(f.MinGap)},
		{"smallest_ring_mm", millimetres(f.MinRing)},
		{"plated_holes", f.PlatedHoles.widen()},
		{"non_plated_holes", f.NonPlatedHoles.widen()},
		{"holes", f.holes()},
		{"slots", f.Slots.widen()},
		{"tool", f.Tool.widen()},
	}
	if f.MixedOuter.Source == f.OuterCopper.Source { // else another source beats the stack
		out = append(out, namedFact{"mixed_copper", f.MixedOuter.widen()})
	}
	if f.MixedInner.Source == f.InnerCopper.Source {
		out = append(out, namedFact{"mixed_inner_copper", f.MixedInner.widen()})
	}
	for _, p := range f.Processes {
		needed := p.widen()
		needed.Value, needed.Known = true, true
		out = append(out, namedFact{string(p.Value), needed})
	}
	return out
}

func (f Fact[T]) widen() Fact[any] {
	return Fact[any]{Value: f.Value, Known: f.Known, Default: f.Default, Source: f.Source, Confidence: f.Confidence, How: f.How}
}

func millimetres(f Fact[int64]) Fact[any] {
	out := f.widen()
	out.Value = math.Round(float64(f.Value)/float64(geom.Micrometre)) / 1000
	return out
}

// holes counts what is drilled, whatever its plating.
func (f *Facts) holes() Fact[any] {
	sum := Fact[int]{}
	for _, part := range []Fact[int]{f.PlatedHoles, f.NonPlatedHoles, f.UnknownHoles} {
		if part.Known {
			sum = State(sum.Value+part.Value, part.Source, 1, part.How)
		}
	}
	return sum.widen()
}
