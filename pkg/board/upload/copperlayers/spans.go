package copperlayers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/places"
)

// A spanFit is how well the holes between two copper layers fit each layer.
type spanFit struct {
	from, to int
	file     string
	fits     map[*pcb.Layer]float64 // share of the holes that something was put down on
}

// Bounds of what tells an order: a blind hole has a land on the layers that it ends on.
const (
	fewestEnds = 4    // holes of a span
	maxEnds    = 2000 // that are looked at
	endsFit    = 0.9
	endsMiss   = 0.5
	maxOrders  = 5000 // steps of the search
)

// sayJoins is how a request tells what blind and buried drills join: people quote these.
const sayJoins = "if the drills join other layers, upload them with both layers in their names, such as L1-L2.drl, or say in special_notes which they join"

// TestSpans tests the order of the copper layers against the drills that end within the
// board: on both layers of a span its holes have lands. Where the order was guessed from
// names and does not fit, the one order that does is taken; where several do, or none, it
// is asked for.
func (s Stack) TestSpans() {
	order := map[int]*artwork.File{}
	n := 0
	for _, w := range s.Art {
		if w.Layer.Role != pcb.RoleCopper || w.Layer.Order == 0 {
			continue
		}
		if order[w.Layer.Order] != nil {
			return // asked for already
		}
		order[w.Layer.Order] = w
		n = max(n, w.Layer.Order)
	}
	spans := s.measureSpans(n)
	wrong := findMisfit(order, spans)
	if wrong == nil {
		return
	}
	bad := func(level pcb.Level, what string) {
		s.Say(level, "layer_order", wrong.w.Layer.File, "%q is taken for copper layer %d, and few of the holes of %q, which end there, have a land on it: %s",
			wrong.w.Layer.Name, wrong.w.Layer.Order, group.BaseName(wrong.span.file), what)
	}
	free := map[int]bool{}
	for p, w := range order {
		if w.Result.Guessed {
			free[p] = true
		}
	}
	if !free[wrong.w.Layer.Order] {
		bad(pcb.Warning, "name the copper files from top to bottom in file_answers.layer_order if they lie in another order; "+sayJoins)
		s.Ask(answers.LayerOrder())
		return
	}
	orders, whole := findOrders(order, free, spans)
	switch {
	case len(orders) == 1 && whole:
		s.reorder(order, free, orders[0])
	case len(orders) > 1:
		bad(pcb.Problem, "several orders of the inner layers fit; say with file_answers.layer_order which is right")
		s.Ask(answers.LayerOrder())
	default:
		bad(pcb.Warning, "no order of the inner layers fits; say with file_answers.layer_order which is right; "+sayJoins)
		s.Ask(answers.LayerOrder())
	}
}

// measureSpans gathers the spans of blind and buried holes on a board of n layers.
func (s Stack) measureSpans(n int) []*spanFit {
	holes := map[[2]int][]geom.Point{}
	file := map[[2]int]string{}
	for i := range s.Board.Holes {
		h := &s.Board.Holes[i]
		k := [2]int{int(min(h.From, h.To)), int(max(h.From, h.To))}
		if h.Kind != pcb.DrillHole || h.Plating == pcb.NonPlated || h.Function == pcb.FuncBackDrill || k[0] < 1 || k[1] > n || k[0] == k[1] || k == [2]int{1, n} || len(holes[k]) >= maxEnds {
			continue
		}
		holes[k] = append(holes[k], h.A)
		file[k] = s.Source(h).File
	}
	var out []*spanFit
	for _, k := range slices.SortedFunc(maps.Keys(holes), func(x, y [2]int) int { return slices.Compare(x[:], y[:]) }) {
		if len(holes[k]) >= fewestEnds {
			out = append(out, &spanFit{from: k[0], to: k[1], file: file[k], fits: map[*pcb.Layer]float64{}})
		}
	}
	if len(out) == 0 {
		return nil
	}
	looked := s.Meter.Tally(pcb.Lookups)
	for _, l := range s.Board.Copper() {
		put := map[geom.Point]bool{}
		for i := range l.Features {
			if at, size := places.PadOf(l, &l.Features[i]); size > 0 {
				put[places.Round(at)] = true
			}
		}
		for _, s := range out {
			in, all := 0, holes[[2]int{s.from, s.to}]
			for _, p := range all {
				if !looked.Add(9) {
					return nil
				}
				if places.HasNear(put, p) {
					in++
				}
			}
			s.fits[l] = float64(in) / float64(len(all))
		}
	}
	return out
}

// A misplaced layer is one that hardly any hole ends on that should.
type misplaced struct {
	w    *artwork.File
	span *spanFit
}

// findMisfit finds a layer on which hardly any hole of a span that ends there has a land, though
// it has lands. Planes drawn as negatives have none where they join.
func findMisfit(order map[int]*artwork.File, spans []*spanFit) *misplaced {
	for _, s := range spans {
		for _, p := range [2]int{s.from, s.to} {
			if w := order[p]; w != nil && !w.Layer.Negative && s.fits[w.Layer] < endsMiss && len(places.Flashes(w.Layer)) > 0 {
				return &misplaced{w, s}
			}
		}
	}
	return nil
}

// findOrders gives orders of the free layers that fit all spans, of places that a span ends on
// only: which layer is where. whole is false when the search was cut short.
func findOrders(order map[int]*artwork.File, free map[int]bool, spans []*spanFit) (orders []map[int]*artwork.File, whole bool) {
	ends := map[int]bool{}
	for _, s := range spans {
		ends[s.from], ends[s.to] = true, true
	}
	fits := func(w *artwork.File, p int) bool {
		for _, s := range spans {
			if (s.from == p || s.to == p) && s.fits[w.Layer] < endsFit {
				return false
			}
		}
		return true
	}
	var places []int
	for _, p := range slices.Sorted(maps.Keys(ends)) {
		switch {
		case free[p]:
			places = append(places, p)
		case order[p] != nil && !order[p].Layer.Negative && !fits(order[p], p):
			return nil, true // not even what is stated fits
		}
	}
	var candidates []*artwork.File
	for _, p := range slices.Sorted(maps.Keys(free)) {
		if w := order[p]; !w.Layer.Negative { // what a negative flashes is where it keeps clear
			candidates = append(candidates, w)
		}
	}
	steps, at, used := 0, map[int]*artwork.File{}, map[*artwork.File]bool{}
	var search func(k int)
	search = func(k int) {
		if steps++; steps > maxOrders || len(orders) > 1 {
			return
		}
		if k == len(places) {
			orders = append(orders, maps.Clone(at))
			return
		}
		for _, w := range candidates {
			if !used[w] && fits(w, places[k]) {
				used[w], at[places[k]] = true, w
				search(k + 1)
				delete(used, w)
				delete(at, places[k])
			}
		}
	}
	search(0)
	return orders, steps <= maxOrders
}

// reorder puts layers where the drills want them, and the others in the order they had into
// the places that are left.
func (s Stack) reorder(order map[int]*artwork.File, free map[int]bool, at map[int]*artwork.File) {
	placed := map[*artwork.File]bool{}
	for _, w := range at {
		placed[w] = true
	}
	var rest []*artwork.File
	places := slices.Sorted(maps.Keys(free))
	for _, p := range places {
		if w := order[p]; !placed[w] {
			rest = append(rest, w)
		}
	}
	left := make([]string, len(rest))
	for i, w := range rest {
		left[i] = fmt.Sprintf("%q", w.Layer.Name)
	}
	for _, p := range places {
		w := at[p]
		if w == nil {
			w, rest = rest[0], rest[1:]
		}
		f := w.Result
		if w.Layer.Order != p {
			f.Why += "; its place is the one that fits the blind drills"
		}
		w.Layer.Order, f.Layer = p, p
	}
	slices.SortStableFunc(s.Board.Layers, func(x, y *pcb.Layer) int { return SortKey(x) - SortKey(y) })
	var names []string
	for _, l := range s.Board.Copper() {
		names = append(names, fmt.Sprintf("%q", l.Name))
	}
	what := ""
	if len(left) > 1 {
		what = "; nothing tells the order of " + strings.Join(left, " and ") + ", which is that of their names"
	}
	s.Say(pcb.Warning, "layer_order", "", "the names of the inner layers do not tell their order; the one that fits the drills between layers was taken, from the top: %s%s", strings.Join(names, ", "), what)
}
