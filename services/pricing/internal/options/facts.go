// Package options decides what shall be built: each option of a board from the
// request, the files or the standard, with its provenance; or the questions that
// must be answered first; or why people must quote it. A file's word beats the
// standard, and the request's word beats the file's.
//
// It reads no files and knows no price.
package options

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/contract/boards"
)

// A Fact is one thing that the files state. The zero Fact is unknown.
type Fact[T any] struct {
	Value   T
	Known   bool
	Source  string // file, as the upload names it
	Default bool   // a design tool's untouched preset: counts as unstated
	// Doubtful marks what was guessed from what the files draw.
	Doubtful bool
}

// isStated reports whether somebody chose the value.
func (f Fact[T]) isStated() bool { return f.Known && !f.Default }

// FileFacts is what the files state about a board, in the API's units. Words
// are as the files write them.
type FileFacts struct {
	Layers               Fact[int] // copper layers
	WidthMM, HeightMM    Fact[float64]
	ThicknessMM          Fact[float64]
	CopperOz             Fact[float64]
	InnerCopperOz        Fact[float64]
	MixedOuter           Fact[string] // weights of layers that differ, in words; CopperOz is the heaviest
	MixedInner           Fact[string]
	SurfaceFinish        Fact[string]
	SolderMask           Fact[string]
	Material             Fact[string]
	Dielectrics          Fact[string] // between copper layers, from the top, in words
	ViaProcess           Fact[string]
	Impedance            Fact[bool]
	EdgePlating          Fact[bool]
	Castellations        Fact[bool]
	CastellatedSides     Fact[int]
	GoldFingers          Fact[bool]
	Bevel                Fact[bool] // of the gold fingers' edge
	BlindVias            Fact[bool] // blind, buried or micro vias
	Panel                Fact[bool]
	PanelWanted          Fact[bool] // the fabricator is to make one
	Silkscreen           Fact[string]
	Stated               map[string][]boards.StatedValue // of options that the files leave open
	BoardsInPanel        Fact[int]
	Names                []string // of all files of the upload
	Flex                 Fact[bool]
	CopperUnknown        Fact[bool]      // no copper is recognised, or not all that there seems to be
	EmptyInner           Fact[int]       // inner copper layers that carry nothing
	Processes            []NeededProcess // sorted by name
	MinHoleMM            Fact[float64]
	MinTrackMM           Fact[float64]
	MinSpaceMM           Fact[float64]
	Holes                Fact[int]
	PlatedHoles, NPHoles Fact[int]
}

// A NeededProcess is something that a plain board is made without.
type NeededProcess struct {
	Name   pcb.Process
	Needed Fact[bool]
}

// FactsOf reads the facts of a board as its event carries them: by option name,
// with values as JSON leaves them. A value of another type counts as unknown.
func FactsOf(facts map[string]boards.Fact) FileFacts {
	return FileFacts{
		Layers: whole(facts, "layers"), WidthMM: number(facts, "width_mm"), HeightMM: number(facts, "height_mm"),
		ThicknessMM: number(facts, "thickness_mm"), CopperOz: number(facts, "copper_oz"),
		InnerCopperOz: number(facts, "inner_copper_oz"), MixedOuter: factOf[string](facts, "mixed_copper"), MixedInner: factOf[string](facts, "mixed_inner_copper"), SurfaceFinish: factOf[string](facts, "surface_finish"),
		SolderMask: factOf[string](facts, "solder_mask"), Material: factOf[string](facts, "material"), Dielectrics: factOf[string](facts, "dielectrics"),
		ViaProcess: factOf[string](facts, "via_process"), Impedance: factOf[bool](facts, "impedance_controlled"),
		EdgePlating: factOf[bool](facts, "edge_plating"), Castellations: factOf[bool](facts, "castellations"), CastellatedSides: whole(facts, "castellated_sides"),
		GoldFingers: factOf[bool](facts, "gold_fingers"), Bevel: factOf[bool](facts, "bevelled_fingers"), BlindVias: factOf[bool](facts, "blind_vias"),
		PanelWanted: factOf[bool](facts, "panel_wanted"), Silkscreen: factOf[string](facts, "silkscreen"), Stated: fileStatements(facts),
		Panel: factOf[bool](facts, "panel"), BoardsInPanel: whole(facts, "boards_in_panel"), Flex: factOf[bool](facts, "flex"), MinHoleMM: number(facts, "smallest_drill_mm"),
		MinTrackMM: number(facts, "smallest_track_mm"), MinSpaceMM: number(facts, "smallest_gap_mm"),
		CopperUnknown: factOf[bool](facts, "copper_unknown"), EmptyInner: whole(facts, "empty_inner_layers"), Processes: processes(facts),
		Holes: whole(facts, "holes"), PlatedHoles: whole(facts, "plated_holes"), NPHoles: whole(facts, "non_plated_holes"),
	}
}

func processes(facts map[string]boards.Fact) []NeededProcess {
	var out []NeededProcess
	for _, p := range pcb.Processes() {
		if f := factOf[bool](facts, string(p)); f.isStated() {
			out = append(out, NeededProcess{p, f})
		}
	}
	return out
}

func fileStatements(facts map[string]boards.Fact) map[string][]boards.StatedValue {
	var out map[string][]boards.StatedValue
	for option, f := range facts {
		if len(f.Stated) > 0 {
			if out == nil {
				out = map[string][]boards.StatedValue{}
			}
			out[option] = f.Stated
		}
	}
	return out
}

func factOf[T any](facts map[string]boards.Fact, name string) Fact[T] {
	f, ok := facts[name]
	v, typed := f.Value.(T)
	if !ok || !typed {
		return Fact[T]{}
	}
	return Fact[T]{Value: v, Known: true, Source: f.Source, Default: f.Default, Doubtful: f.Doubtful}
}

func number(facts map[string]boards.Fact, name string) Fact[float64] {
	f, ok := facts[name]
	if !ok {
		return Fact[float64]{}
	}
	known := Fact[float64]{Known: true, Source: f.Source, Default: f.Default}
	switch v := f.Value.(type) {
	case float64:
		known.Value = v
	case int:
		known.Value = float64(v)
	case int64:
		known.Value = float64(v)
	case json.Number:
		x, err := v.Float64()
		if err != nil {
			return Fact[float64]{}
		}
		known.Value = x
	default:
		return Fact[float64]{}
	}
	return known
}

func whole(facts map[string]boards.Fact, name string) Fact[int] {
	f := number(facts, name)
	if f.Value != float64(int(f.Value)) {
		return Fact[int]{}
	}
	return Fact[int]{Value: int(f.Value), Known: f.Known, Source: f.Source, Default: f.Default}
}

// line is the place within a file at the end of a source.
var line = regexp.MustCompile(`:\d+$`)

// provenance is the provenance of a fact: "file:board.kicad_pcb".
func provenance(source string) string { return "file:" + path.Base(line.ReplaceAllString(source, "")) }

// flexSource reports whether the files show a flexible board, and which file does: by its
// word, or by what no other board has.
func (f FileFacts) flexSource() (source string, ok bool) {
	if yes(f.Flex) {
		return f.Flex.Source, true
	}
	i := slices.IndexFunc(f.Processes, func(p NeededProcess) bool {
		return yes(p.Needed) && (p.Name == pcb.Stiffening || p.Name == pcb.Coverlaying)
	})
	if i < 0 {
		return "", false
	}
	return f.Processes[i].Needed.Source, true
}
