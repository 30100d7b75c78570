package pcb

import (
	"iter"
	"math"

	"boardorder/pkg/board/geom"
)

// All gives what is known, each under the name that options of an order have for it;
// what ends in _mm is in millimetres, rounded to a micrometre, since files differ below
// that by their unit.
func (f *Facts) All() iter.Seq2[string, Fact[any]] {
	return func(yield func(string, Fact[any]) bool) {
		for _, of := range f.list() {
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

func (f *Facts) list() []namedFact {
	out := []namedFact{
		{"layers", f.CopperLayers.any()},
		{"width_mm", millimetres(f.Width)},
		{"height_mm", millimetres(f.Height)},
		{"thickness_mm", millimetres(f.Thickness)},
		{"copper_oz", f.OuterCopper.any()},
		{"inner_copper_oz", f.InnerCopper.any()},
		{"surface_finish", f.Finish.any()},
		{"solder_mask", f.MaskColour.any()},
		{"legend", f.LegendColour.any()},
		{"material", f.Material.any()},
		{"dielectrics", f.Dielectrics.any()},
		{"via_process", f.ViaProcess.any()},
		{"impedance_controlled", f.Impedance.any()},
		{"edge_plating", f.EdgePlating.any()},
		{"castellations", f.Castellations.any()},
		{"gold_fingers", f.GoldFingers.any()},
		{"bevelled_fingers", f.Bevel.any()},
		{"blind_vias", f.BlindVias.any()},
		{"panel", f.Panel.any()},
		{"panel_wanted", f.PanelWanted.any()},
		{"boards_in_panel", f.BoardsInPanel.any()},
		{"flex", f.Flex.any()},
		{"copper_unknown", f.CopperUnknown.any()},
		{"empty_inner_layers", f.EmptyInner.any()},
		{"smallest_drill_mm", millimetres(f.MinDrill)},
		{"smallest_track_mm", millimetres(f.MinTrack)},
		{"smallest_gap_mm", millimetres(f.MinGap)},
		{"smallest_ring_mm", millimetres(f.MinRing)},
		{"plated_holes", f.PlatedHoles.any()},
		{"non_plated_holes", f.NonPlatedHoles.any()},
		{"holes", f.holes()},
		{"slots", f.Slots.any()},
		{"tool", f.Tool.any()},
	}
	if f.MixedOuter.Source == f.OuterCopper.Source { // else another source beats the stack
		out = append(out, namedFact{"mixed_copper", f.MixedOuter.any()})
	}
	if f.MixedInner.Source == f.InnerCopper.Source {
		out = append(out, namedFact{"mixed_inner_copper", f.MixedInner.any()})
	}
	for _, p := range f.Processes {
		needed := p.any()
		needed.Value, needed.Known = true, true
		out = append(out, namedFact{string(p.Value), needed})
	}
	return out
}

func (f Fact[T]) any() Fact[any] {
	return Fact[any]{Value: f.Value, Known: f.Known, Default: f.Default, Source: f.Source, Confidence: f.Confidence, How: f.How}
}

func millimetres(f Fact[int64]) Fact[any] {
	out := f.any()
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
	return sum.any()
}
