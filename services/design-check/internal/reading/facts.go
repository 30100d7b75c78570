// Package reading turns what pkg/board found in an upload into what the other
// services get it: facts by option name, in the API's units.
package reading

import (
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/contract"
)

// Facts gives what is known about a board. What the files do not state is absent.
func Facts(f pcb.Facts) map[string]contract.Fact {
	out := facts{}
	add(out, "layers", f.CopperLayers, same[int])
	add(out, "width_mm", f.Width, millimetres)
	add(out, "height_mm", f.Height, millimetres)
	add(out, "thickness_mm", f.Thickness, millimetres)
	add(out, "copper_oz", f.OuterCopper, same[float64])
	add(out, "inner_copper_oz", f.InnerCopper, same[float64])
	if f.MixedOuter.Source == f.OuterCopper.Source { // else another source beats the stack
		add(out, "mixed_copper", f.MixedOuter, same[string])
	}
	if f.MixedInner.Source == f.InnerCopper.Source {
		add(out, "mixed_inner_copper", f.MixedInner, same[string])
	}
	add(out, "surface_finish", f.Finish, same[string])
	add(out, "solder_mask", f.MaskColour, same[string])
	add(out, "legend", f.LegendColour, same[string])
	add(out, "material", f.Material, same[string])
	add(out, "dielectrics", f.Dielectrics, same[string])
	add(out, "via_process", f.ViaProcess, same[string])
	add(out, "impedance_controlled", f.Impedance, same[bool])
	add(out, "edge_plating", f.EdgePlating, same[bool])
	add(out, "castellations", f.Castellations, same[bool])
	add(out, "gold_fingers", f.GoldFingers, same[bool])
	add(out, "bevelled_fingers", f.Bevel, same[bool])
	add(out, "blind_vias", f.BlindVias, same[bool])
	add(out, "panel", f.Panel, same[bool])
	add(out, "panel_wanted", f.PanelWanted, same[bool])
	add(out, "boards_in_panel", f.BoardsInPanel, same[int])
	add(out, "flex", f.Flex, same[bool])
	add(out, "copper_unknown", f.CopperUnknown, same[bool])
	add(out, "empty_inner_layers", f.EmptyInner, same[int])
	for _, p := range f.Processes {
		out[string(p.Value)] = contract.Fact{Value: true, Source: p.Source.File}
	}
	add(out, "smallest_drill_mm", f.MinDrill, millimetres)
	add(out, "smallest_track_mm", f.MinTrack, millimetres)
	add(out, "smallest_gap_mm", f.MinGap, millimetres)
	add(out, "smallest_ring_mm", f.MinRing, millimetres)
	add(out, "plated_holes", f.PlatedHoles, same[int])
	add(out, "non_plated_holes", f.NonPlatedHoles, same[int])
	add(out, "slots", f.Slots, same[int])
	add(out, "tool", f.Tool, same[string])
	out.holes(f)
	for _, u := range f.Unsettled {
		open := out[u.Option]
		for _, s := range u.Said {
			open.Stated = append(open.Stated, contract.StatedValue{Words: s.Words, File: s.Source.File, Line: s.Source.Line})
		}
		out[u.Option] = open
	}
	return out
}

type facts map[string]contract.Fact

func add[T, V any](out facts, name string, f pcb.Fact[T], value func(T) V) {
	if f.Known {
		out[name] = contract.Fact{Value: value(f.Value), Source: f.Source.File, Default: f.Default, Doubtful: f.Confidence < sure}
	}
}

// sure is how sure a reader is of what the files state rather than seem to show.
const sure = 0.7

func same[T any](v T) T { return v }

// millimetres rounds to a micrometre: files differ below that by their unit.
func millimetres(nm int64) float64 {
	return math.Round(float64(nm)/float64(geom.Micrometre)) / 1000
}

// holes adds up what is drilled, whatever its plating.
func (out facts) holes(f pcb.Facts) {
	n, known, source := 0, false, ""
	for _, part := range []pcb.Fact[int]{f.PlatedHoles, f.NonPlatedHoles, f.UnknownHoles} {
		if part.Known {
			n, known, source = n+part.Value, true, part.Source.File
		}
	}
	if known {
		out["holes"] = contract.Fact{Value: n, Source: source}
	}
}

var levels = map[pcb.Level]string{pcb.Note: "note", pcb.Warning: "warning", pcb.Problem: "must_fix"}

// maxFindings bounds what is kept of one board's findings; worse ones come first.
const maxFindings = 200

// Findings puts findings into the words of the API, worst first.
func Findings(in []pcb.Finding) []contract.Finding {
	var out []contract.Finding
	for _, level := range []pcb.Level{pcb.Problem, pcb.Warning, pcb.Note} {
		for _, f := range in {
			if f.Level == level && len(out) < maxFindings {
				out = append(out, Finding(f, nil))
			}
		}
	}
	return out
}

// Finding puts one finding into the words of the API. b is the board that it is
// about; nil if none.
func Finding(f pcb.Finding, b *pcb.Board) contract.Finding {
	out := contract.Finding{Level: levels[f.Level], Check: f.Code, What: f.Message, File: f.File, Line: f.Line, Answers: f.Answers}
	if b != nil && wontWork(f, b) {
		out.Level = "must_fix"
	}
	return out
}

// wontWork reports whether what a reader only wonders about makes boards that
// would not work, or have another shape than was meant: nobody builds those unasked. Where
// holes are evident nothing can be answered but the drill file sent.
func wontWork(f pcb.Finding, b *pcb.Board) bool {
	switch f.Code {
	case "copper_missing", "outline_elsewhere":
		return f.Level == pcb.Warning
	case "drill_missing":
		return len(f.Answers) == 0 || leads(b) || len(b.Copper()) >= 2 && slices.ContainsFunc(b.Copper(), draws)
	}
	return false
}

// leastPour is the size from which an area is taken for a pour: no pad is as large.
const leastPour = 10 * geom.Millimetre

// draws reports whether a layer of copper holds more than pours, such as a pad or a track.
func draws(l *pcb.Layer) bool {
	return slices.ContainsFunc(l.Features, func(f pcb.Feature) bool {
		if f.Kind != pcb.RegionFeature {
			return !f.Clear
		}
		box := l.Regions[f.Shape].Bounds()
		return !f.Clear && max(box.Width(), box.Height()) < leastPour
	})
}

// leads reports whether parts stand in holes.
func leads(b *pcb.Board) bool {
	return slices.ContainsFunc(b.Components, func(c pcb.Component) bool { return c.Mount == pcb.ThroughHole })
}

// Files says what each file was taken for.
func Files(in []pcb.FileReport) []contract.FileClass {
	out := make([]contract.FileClass, len(in))
	for i, f := range in {
		out[i] = contract.FileClass{
			Name: f.Name, Role: f.Role.String(), Side: f.Side.String(), Layer: f.Layer, Format: f.Format,
			Why: f.Why, Confidence: math.Round(f.Confidence*100) / 100, Board: f.Board,
		}
	}
	return out
}
