package eagle

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/preset"
)

// copperLayers are the layers that the rules build the board of, top first.
func (u *rules) copperLayers() []int {
	var out []int
	for _, f := range strings.FieldsFunc(u.params["layerSetup"], func(c rune) bool { return c < '0' || c > '9' }) {
		n := 0
		if _, err := fmt.Sscan(f, &n); err == nil && n >= 1 && n <= 16 && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	if len(out) == 0 {
		return []int{1, 16}
	}
	return out
}

// thicknessAt gives the thickness of number i of a list; the last stands for those missing.
func (u *rules) thicknessAt(name string, i int) int64 {
	list := strings.Fields(u.params[name])
	if len(list) == 0 {
		return 0
	}
	return lengthOf(list[min(max(i, 0), len(list)-1)])
}

// thicknesses gives every thickness of a list.
func (u *rules) thicknesses(name string) []int64 {
	var out []int64
	for _, v := range strings.Fields(u.params[name]) {
		out = append(out, lengthOf(v))
	}
	return out
}

// build makes the stackup and states what follows from it. What EAGLE begins with is
// nobody's choice, however many layers it is cut down to; nor are the rules of a board of more
// layers.
func (u *rules) build(b *pcb.Board, layers []int, file string) {
	src := pcb.Source{File: file, Line: u.line}
	factory := preset.StackOf("EAGLE")
	borrowed := u.areOfMoreLayers(layers, factory)
	state := func(v int64) pcb.Fact[int64] {
		if borrowed {
			return pcb.Preset(v, src, "EAGLE design rules of a board of more layers")
		}
		if factory.DielectricsOf(u.thicknesses("mtIsolate")) {
			return pcb.Preset(v, src, "EAGLE's standard layer setup")
		}
		return pcb.State(v, src, 0.8, "EAGLE design rules")
	}
	total := int64(0)
	var copper []int64
	for i, n := range layers {
		t := u.thicknessAt("mtCopper", n-1)
		copper, total = append(copper, t), total+t
		b.Stackup = append(b.Stackup, pcb.StackupLayer{Name: fmt.Sprint("copper ", n), Kind: pcb.StackCopper, Order: i + 1, Thickness: state(t)})
		if i+1 < len(layers) {
			d := u.thicknessAt("mtIsolate", n-1)
			total += d
			b.Stackup = append(b.Stackup, pcb.StackupLayer{Name: "isolation", Kind: pcb.StackDielectric, Thickness: state(d)})
		}
	}
	b.Facts.CopperLayers = pcb.State(len(layers), src, 0.95, "EAGLE layer setup")
	b.Facts.Thickness = state(total)
	foil.State(&b.Facts, copper, func(oz float64) pcb.Fact[float64] {
		if factory.CopperOf(copper) {
			return pcb.Preset(oz, src, "EAGLE's standard copper thickness")
		}
		return pcb.State(oz, src, 0.8, "EAGLE design rules")
	})
}

// areOfMoreLayers reports whether the rules were made for a board with layer 15, which this one does
// not have: somebody set the sheets below the top and above the bottom alike, as boards of four
// layers and more have them.
func (u *rules) areOfMoreLayers(layers []int, factory preset.Stack) bool {
	list := u.thicknesses("mtIsolate")
	return len(list) == len(factory.Dielectrics) && !slices.Contains(layers, len(list)) &&
		list[0] == list[len(list)-1] && !factory.Begins(len(list)-1, list[0])
}
