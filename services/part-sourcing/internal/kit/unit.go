package kit

import (
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/services/part-sourcing/internal/placement"
)

// unitsOf are what a placement file that does not say its unit may mean.
var unitsOf = []placement.Unit{placement.Millimetre, placement.Mil, placement.Inch}

// settleUnits gives the lists with the open ones, which do not say their unit, read in the
// one that fits the board: its own parts where it has some of the list, else its
// size. doubt reports that of some list no unit fits, or more than one.
func settleUnits(lists []placement.List, open []int, b *pcb.Board, frame geom.Box) (out []placement.List, doubt bool) {
	out = slices.Clone(lists)
	decided := map[placement.Unit]bool{}
	fitting := make([][]placement.Unit, len(out))
	for i := range out {
		l := &out[i]
		if !slices.Contains(open, i) {
			if len(l.Parts) > 0 {
				decided[l.Unit] = true
			}
			continue
		}
		if fitting[i] = fittingUnits(l, b, frame); len(fitting[i]) == 1 {
			decided[fitting[i][0]] = true
		}
	}
	for _, i := range open {
		units := fitting[i]
		if len(units) > 1 { // the other side's list tells
			units = slices.DeleteFunc(slices.Clone(units), func(u placement.Unit) bool { return !decided[u] })
		}
		if len(units) != 1 {
			doubt = true
			continue
		}
		out[i] = changeUnit(out[i], units[0])
	}
	return out, doubt
}

// fittingUnits are the units in which a list fits the board.
func fittingUnits(l *placement.List, b *pcb.Board, frame geom.Box) []placement.Unit {
	if u, ok := unitByParts(l, b); ok {
		return []placement.Unit{u}
	}
	if frame.Empty() {
		return []placement.Unit{l.Unit} // nothing to hold it against
	}
	var fit, placed []placement.Unit
	for _, u := range unitsOf {
		parts := changeUnit(*l, u).Parts
		if !plausible(parts, frame) {
			continue
		}
		fit = append(fit, u)
		if 2*countOffBoard(parts, frame) <= len(parts) {
			placed = append(placed, u)
		}
	}
	if len(placed) > 0 {
		fit = placed
	}
	if len(l.Parts) > 1 && len(l.Parts) < trimmed {
		for _, u := range unitsOf { // what is left of so few tells nothing, so it is asked
			if !slices.Contains(fit, u) && countInside(changeUnit(*l, u).Parts, frame) == len(l.Parts)-1 {
				fit = append(fit, u)
			}
		}
	}
	if len(fit) > 1 && len(l.Parts) >= manyParts {
		fit = slices.DeleteFunc(fit, func(u placement.Unit) bool { return !fills(changeUnit(*l, u).Parts, frame) })
	}
	return fit
}

// trimmed is how many parts there are at least of which one that lies far away does not
// count; see [spread].
const trimmed = 4

// countInside counts the parts that lie on the board, and not at its edge.
func countInside(parts []placement.Part, frame geom.Box) (n int) {
	inner := frame.Grow(-min(frame.Width(), frame.Height()) / 20)
	for i := range parts {
		if !inner.Empty() && inner.Contains(parts[i].At) {
			n++
		}
	}
	return n
}

// manyParts do not all lie in one corner of a board.
const manyParts = 5

// fills reports whether parts reach over a sixth of the board, at least.
func fills(parts []placement.Part, frame geom.Box) bool {
	width, height := spreads(parts)
	return 6*width >= frame.Width() || 6*height >= frame.Height()
}

// apart is how far the parts of a board lie apart on average, at least: they
// would lie on one another otherwise.
const apart = 0.7 * float64(geom.Millimetre)

// plausible reports whether parts lie as far apart as on a board of that size,
// but for a few.
func plausible(parts []placement.Part, frame geom.Box) bool {
	if len(parts) == 1 {
		return countInside(parts, frame) == 1
	}
	width, height := spreads(parts)
	if width > frame.Width()+2*overhang || height > frame.Height()+2*overhang {
		return false
	}
	return float64(max(width, height)) >= apart*math.Sqrt(float64(len(parts)))
}

func spreads(parts []placement.Part) (width, height int64) {
	return spread(parts, func(p geom.Point) int64 { return p.X }), spread(parts, func(p geom.Point) int64 { return p.Y })
}

// spread is how far parts lie apart in one direction, less the outer tenth at
// each end: one coordinate that is wrong must not decide about all.
func spread(parts []placement.Part, of func(geom.Point) int64) int64 {
	at := make([]int64, len(parts))
	for i := range parts {
		at[i] = of(parts[i].At)
	}
	slices.Sort(at)
	cut := len(at) / 10
	if cut == 0 && len(at) >= trimmed {
		cut = 1
	}
	return at[len(at)-1-cut] - at[cut]
}

// fewShared is how many distances between parts of the board tell the unit.
const fewShared = 3

// unitByParts compares the distances between parts with those of the board's own
// parts, which hold wherever the origin lies and whichever way the list is turned.
func unitByParts(l *placement.List, b *pcb.Board) (placement.Unit, bool) {
	own := map[string]geom.Point{}
	for i := range b.Components {
		if c := &b.Components[i]; c.HasAt {
			own[c.Ref] = c.At
		}
	}
	var ratios []float64
	var before *placement.Part
	for i := range l.Parts {
		p := &l.Parts[i]
		if _, ok := own[p.Ref]; !ok {
			continue
		}
		if before != nil && before.At != p.At && own[before.Ref] != own[p.Ref] {
			ratios = append(ratios, distance(own[before.Ref], own[p.Ref])/distance(before.At, p.At))
		}
		before = p
	}
	if len(ratios) < fewShared {
		return 0, false
	}
	slices.Sort(ratios)
	scale := ratios[len(ratios)/2] * float64(l.Unit)
	for _, u := range unitsOf {
		if r := scale / float64(u); r > 0.8 && r < 1.25 {
			return u, true
		}
	}
	return 0, false
}

func distance(a, b geom.Point) float64 {
	return math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y))
}

// changeUnit is a list read in another unit than was deduced from its numbers.
func changeUnit(l placement.List, u placement.Unit) placement.List {
	if l.Unit == u {
		return l
	}
	scale := func(v int64) int64 { return int64(math.Round(float64(v) / float64(l.Unit) * float64(u))) }
	l.Parts = slices.Clone(l.Parts)
	for i := range l.Parts {
		at := l.Parts[i].At
		l.Parts[i].At = geom.Pt(scale(at.X), scale(at.Y))
	}
	l.Unit = u
	return l
}
