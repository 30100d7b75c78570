// Package foil turns the thickness of copper layers into ounces per square foot, as
// fabricators offer copper, the same for every format.
package foil

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/pcb"
)

// perOunce is how thick one ounce of copper on a square foot is, in nanometres.
const perOunce = 34_800.0

// usual are the weights that foil is made in. Etching and plating leave up to a seventh
// less or more: 0.0152 mm is what fabricators publish for 0.5 oz between the layers.
var usual = []float64{0.25, 1.0 / 3, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12}

// Inner is the weight of an inner layer: the nearest usual one where it is near, else
// the exact one to two places.
func Inner(nm int64) float64 {
	oz := float64(nm) / perOunce
	for _, u := range usual {
		if math.Abs(oz-u) < 0.15*u {
			return math.Round(u*100) / 100
		}
	}
	return math.Round(oz*100) / 100
}

// Outer is the finished weight of an outer layer: fabricators give 1 oz with its plating
// as up to 1.7 to 1.8 mil.
func Outer(nm int64) float64 {
	const plated = 46_000
	if nm > perOunce && nm < plated {
		return 1
	}
	return Inner(nm)
}

// WeightAsBuilt is what an outer layer of a stated weight is built as. Half an ounce is the
// foil before its holes are plated, which IPC-6012 puts at 33.4 µm or more, so fabricators
// call it 1 oz.
func WeightAsBuilt(oz float64) float64 {
	if oz == 0.5 {
		return 1
	}
	return oz
}

// State states the copper of a build, top first; 0 is a layer that nothing is known of.
// Where the outer or the inner layers
// differ among themselves the heaviest stands, and what they are is stated as mixed.
func State(f *pcb.Facts, layers []int64, fact func(oz float64) pcb.Fact[float64]) {
	weights := make([]float64, len(layers))
	for i, t := range layers {
		if weights[i] = Inner(t); i == 0 || i == len(layers)-1 {
			weights[i] = Outer(t)
		}
	}
	Weigh(f, weights, fact)
}

// Weigh is State for weights in ounces.
func Weigh(f *pcb.Facts, weights []float64, fact func(oz float64) pcb.Fact[float64]) {
	if n := len(weights); n > 0 {
		offer(&f.OuterCopper, &f.MixedOuter, []float64{weights[0], weights[n-1]}, WeightAsBuilt, fact)
		if n > 2 {
			offer(&f.InnerCopper, &f.MixedInner, weights[1:n-1], func(oz float64) float64 { return oz }, fact)
		}
	}
}

func offer(copper *pcb.Fact[float64], mixed *pcb.Fact[string], weights []float64, built func(oz float64) float64, fact func(oz float64) pcb.Fact[float64]) {
	weights = slices.DeleteFunc(slices.Clone(weights), func(oz float64) bool { return oz <= 0 })
	if len(weights) == 0 {
		return
	}
	heaviest := fact(slices.Max(weights))
	if copper.Offer(heaviest) && built(slices.Min(weights)) != built(heaviest.Value) {
		*mixed = pcb.State(words(weights), heaviest.Source, heaviest.Confidence, heaviest.How)
	}
}

// words lists weights with how many layers have each: "1 oz on 2 layers, 0.5 oz on 4".
func words(weights []float64) string {
	count := map[float64]int{}
	for _, w := range weights {
		count[w]++
	}
	var out []string
	for _, w := range slices.Backward(slices.Sorted(maps.Keys(count))) {
		layers := "layers"
		if count[w] == 1 {
			layers = "layer"
		}
		out = append(out, fmt.Sprintf("%s oz on %d %s", strconv.FormatFloat(w, 'f', -1, 64), count[w], layers))
	}
	return strings.Join(out, ", ")
}
