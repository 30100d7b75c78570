package upload

import (
	"cmp"
	"slices"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// Shares of the holes of a drill file that have a land on a layer.
const (
	spanEnds  = 0.9 // at least, where the holes end: nothing else holds their plating
	spanHoles = 10  // of a drill file, so that they say something
)

// A span is the first and the last copper layer of holes.
type span struct{ from, to int16 }

// orderBySpans puts inner layers whose numbers nobody states into the order that drill
// files of blind and buried holes tell: these end on a layer each, where they have lands.
// Names alone, such as GND1 and SIG1, tell how layers follow each other in part. It is
// done where the order found so far contradicts the drills and one order alone does not.
func (a *assembly) orderBySpans() {
	layers, ok := a.unnumberedInner()
	if !ok {
		return
	}
	fits := a.spanLands(layers)
	if fits == nil {
		return
	}
	at, asIs := possible(layers, fits)
	if asIs {
		return
	}
	order, ok := oneOrder(at, len(layers))
	if !ok {
		return
	}
	var names []string
	for i, k := range order {
		w := layers[k]
		w.Layer.Order, a.result(w.index).Layer = i+1, i+1
		names = append(names, w.Layer.Name)
	}
	slices.SortStableFunc(a.board.Layers, func(x, y *board.Layer) int { return layerKey(x) - layerKey(y) })
	a.say(board.Warning, "layer_order", "", "no file states the order of the inner layers, and the drill files of blind and buried holes end on lands in one order only, which was taken: %s", strings.Join(names, ", "))
}

// unnumberedInner gives the copper from the top to the bottom, where no inner layer
// states its number.
func (a *assembly) unnumberedInner() ([]*artwork, bool) {
	var layers []*artwork
	for _, w := range a.art {
		if w.Layer.Role == board.RoleCopper {
			layers = append(layers, w)
			if w.Layer.Side == board.Inner && a.result(w.index).Order > 0 {
				return nil, false
			}
		}
	}
	slices.SortStableFunc(layers, func(x, y *artwork) int { return cmp.Compare(x.Layer.Order, y.Layer.Order) })
	for i, w := range layers {
		if w.Layer.Order != i+1 {
			return nil, false
		}
	}
	return layers, len(layers) > 3 && len(layers) <= 64
}

// spanLands tells of each layer on which share of the holes of each span it has lands;
// nil where there are no blind or buried holes.
func (a *assembly) spanLands(layers []*artwork) []map[span]float64 {
	holes := map[span][]geom.Point{}
	for i := range a.board.Holes {
		h := &a.board.Holes[i]
		if h.From > 0 && h.To > h.From && int(h.To) <= len(layers) && h.Plating != board.NonPlated && h.Function != board.FuncBackDrill {
			holes[span{h.From, h.To}] = append(holes[span{h.From, h.To}], h.A)
		}
	}
	delete(holes, span{1, int16(len(layers))})
	for s, at := range holes {
		if len(at) < spanHoles {
			delete(holes, s)
		}
	}
	if len(holes) == 0 {
		return nil
	}
	fits := make([]map[span]float64, len(layers))
	for k, w := range layers {
		put := map[geom.Point]bool{}
		for i := range w.Layer.Features {
			if f := &w.Layer.Features[i]; f.Kind == board.FlashFeature && !f.Clear {
				put[gridPoint(f.A)] = true
			}
		}
		fits[k] = map[span]float64{}
		for s, at := range holes {
			if !a.meter.SpendTimes(board.Lookups, len(at), 9) {
				return nil
			}
			n := 0
			for _, p := range at {
				if putNear(put, p) {
					n++
				}
			}
			fits[k][s] = float64(n) / float64(len(at))
		}
	}
	return fits
}

// possible tells which layers may be at each place, nil where no hole ends, and whether
// all are there already.
func possible(layers []*artwork, fits []map[span]float64) (at [][]int, asIs bool) {
	at, asIs = make([][]int, len(layers)), true
	for place := range layers {
		ends := func(s span) bool { return int(s.from) == place+1 || int(s.to) == place+1 }
		any, here := false, []int{}
		for k := range layers {
			fit := true
			for s, share := range fits[k] {
				if ends(s) {
					any = true
					fit = fit && share >= spanEnds
				}
			}
			inner := place > 0 && place < len(layers)-1
			if fit && (k == place || inner && k > 0 && k < len(layers)-1) {
				here = append(here, k)
			}
		}
		if any {
			at[place] = here
			asIs = asIs && slices.Contains(here, place)
		}
	}
	return at, asIs
}

// oneOrder gives the only order that puts a possible layer at each place where holes
// end; the layers that none ends on follow each other as before.
func oneOrder(at [][]int, n int) ([]int, bool) {
	const most = 10_000 // steps
	taken, order := make([]bool, n), make([]int, n)
	var found []int
	several, steps := false, 0
	var try func(place int)
	try = func(place int) {
		if steps++; several || steps > most {
			return
		}
		if place == n {
			several = found != nil
			found = slices.Clone(order)
			return
		}
		if at[place] == nil {
			order[place] = -1
			try(place + 1)
			return
		}
		for _, k := range at[place] {
			if !taken[k] {
				taken[k], order[place] = true, k
				try(place + 1)
				taken[k] = false
			}
		}
	}
	try(0)
	if found == nil || several || steps > most {
		return nil, false
	}
	for _, k := range found {
		if k >= 0 {
			taken[k] = true
		}
	}
	next := 0
	for i := range found {
		if found[i] < 0 {
			for taken[next] {
				next++
			}
			found[i], taken[next] = next, true
		}
	}
	return found, found[0] == 0 && found[n-1] == n-1
}
