package eagle

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"boardorder/pkg/board"
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

// at gives the thickness of number i of a list; the last stands for those missing.
func (u *rules) at(name string, i int) int64 {
	list := strings.Fields(u.params[name])
	if len(list) == 0 {
		return 0
	}
	return lengthOf(list[min(max(i, 0), len(list)-1)])
}

// build makes the stackup and states what follows from it.
func (u *rules) build(b *board.Board, layers []int, file string) {
	src := board.Source{File: file, Line: u.line}
	preset := u.untouched(layers)
	state := func(v int64) board.Fact[int64] {
		if preset {
			return board.Preset(v, src, "EAGLE's standard layer setup")
		}
		return board.State(v, src, 0.8, "EAGLE design rules")
	}
	total := int64(0)
	for i, n := range layers {
		t := u.at("mtCopper", n-1)
		total += t
		b.Stackup = append(b.Stackup, board.StackupLayer{Name: fmt.Sprint("copper ", n), Kind: board.StackCopper, Order: i + 1, Thickness: state(t)})
		if i+1 < len(layers) {
			d := u.at("mtIsolate", n-1)
			total += d
			b.Stackup = append(b.Stackup, board.StackupLayer{Name: "isolation", Kind: board.StackDielectric, Thickness: state(d)})
		}
	}
	f := &b.Facts
	f.CopperLayers = board.State(len(layers), src, 0.95, "EAGLE layer setup")
	f.Thickness = state(total)
	f.OuterCopper = u.ounces(u.at("mtCopper", layers[0]-1), src)
	if len(layers) > 2 {
		f.InnerCopper = u.ounces(u.at("mtCopper", layers[1]-1), src)
	}
}

// ounces is a copper weight; the 35 µm of every new board counts as unstated.
func (u *rules) ounces(t int64, src board.Source) board.Fact[float64] {
	oz := math.Round(float64(t)/34_800*4) / 4
	if oz == 1.25 {
		oz = 1 // with its plating, as fabricators state 1 oz
	}
	if near(t, 35_000) {
		return board.Preset(oz, src, "EAGLE's standard copper thickness")
	}
	return board.State(oz, src, 0.8, "EAGLE design rules")
}

// untouched tells whether the layers are as EAGLE sets them for two sides.
func (u *rules) untouched(layers []int) bool {
	return len(layers) == 2 && near(u.at("mtCopper", 0), 35_000) && near(u.at("mtIsolate", 0), 1_500_000)
}

// near allows for lengths that went through inches.
func near(a, b int64) bool { return a-b < 2_000 && b-a < 2_000 }
