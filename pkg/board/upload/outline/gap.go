package outline

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Bounds on joining: beyond them a layer is a drawing, not an outline.
const (
	maxChains = 50_000
	maxPairs  = 400_000
)

// pair is two chain ends that lie close together: 2·chain for its first point,
// 2·chain+1 for its last.
type pair struct {
	a, b int32
	dist float64
}

// closeGaps joins the nearest ends of open chains, its own ends included, as
// long as there are free ends within limit.
func closeGaps(closed, open []geom.Path, limit int64, m pcb.Meter) ([]geom.Path, []geom.Path, []Gap) {
	if len(open) == 0 || len(open) > maxChains {
		return closed, open, nil
	}
	partner := make([]int32, 2*len(open))
	for i := range partner {
		partner[i] = -1
	}
	for _, p := range pairEnds(open, limit, m) {
		if partner[p.a] < 0 && partner[p.b] < 0 {
			partner[p.a], partner[p.b] = p.b, p.a
		}
	}
	var gaps []Gap
	var rest []geom.Path
	done := make([]bool, len(open))
	follow := func(start int32) {
		p, loop, g := assemble(open, partner, done, start)
		gaps = append(gaps, g...)
		if loop {
			p.Closed = true
			closed = append(closed, p)
			return
		}
		rest = append(rest, p)
	}
	for end := range partner { // chains with a free end first, then the loops that are left
		if partner[end] < 0 && !done[end/2] {
			follow(int32(end))
		}
	}
	for i := range open {
		if !done[i] {
			follow(int32(2 * i))
		}
	}
	return closed, rest, gaps
}

// assemble follows partners from the end start of a chain, until a free end or
// back to where it began.
func assemble(open []geom.Path, partner []int32, done []bool, start int32) (out geom.Path, loop bool, gaps []Gap) {
	for end := start; ; {
		i := end / 2
		done[i] = true
		p := open[i]
		if end%2 == 1 {
			p = p.Reverse()
		}
		if len(out.Points) == 0 {
			out = p
		} else {
			out = join(out, p)
		}
		next := partner[end^1]
		if next < 0 {
			return out, false, gaps
		}
		from, to := endOf(p), endPoint(open, next)
		gaps = append(gaps, Gap{from, to, int64(math.Round(from.Dist(to)))})
		if next == start {
			return out, true, gaps
		}
		end = next
	}
}

// pairEnds gives the pairs of ends within limit that are worth joining, nearest
// first.
func pairEnds(open []geom.Path, limit int64, m pcb.Meter) []pair {
	lengths := make([]float64, len(open))
	for i, p := range open {
		lengths[i] = p.Length()
	}
	grid := cells{of: make(map[geom.Point]queue, len(open)), next: make([]int32, 2*len(open))}
	var pairs []pair
	looked := m.Tally(pcb.Pairs)
	for end := range int32(2 * len(open)) {
		p := endPoint(open, end)
		c := geom.Pt(floorDiv(p.X, limit), floorDiv(p.Y, limit))
		for o := range grid.endsAround(c) {
			if !looked.Add(1) {
				return nil
			}
			d := p.Dist(endPoint(open, o))
			if d > float64(limit) || len(pairs) == maxPairs || o/2 == end/2 && open[end/2].Len() < 2 {
				continue
			}
			if isWorthClosing(max(lengths[o/2], lengths[end/2]), d) {
				pairs = append(pairs, pair{o, end, d})
			}
		}
		grid.add(c, end)
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(x.dist, y.dist) })
	return pairs
}

// cells keeps chain ends by the cell of the plane that they lie in.
type cells struct {
	of   map[geom.Point]queue
	next []int32 // the end behind one in its cell, plus one; 0 behind the last
}

// queue is the first and the last end in a cell, plus one.
type queue struct{ first, last int32 }

func (g *cells) add(cell geom.Point, end int32) {
	q := g.of[cell]
	if q.last == 0 {
		q.first = end + 1
	} else {
		g.next[q.last-1] = end + 1
	}
	q.last = end + 1
	g.of[cell] = q
}

// endsAround walks the ends in a cell and in those that touch it, in each as they were
// added.
func (g *cells) endsAround(cell geom.Point) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for dx := int64(-1); dx <= 1; dx++ {
			for dy := int64(-1); dy <= 1; dy++ {
				for end := g.of[cell.Add(geom.Pt(dx, dy))].first; end > 0; end = g.next[end-1] {
					if !yield(end - 1) {
						return
					}
				}
			}
		}
	}
}

func endPoint(open []geom.Path, end int32) geom.Point {
	if end%2 == 0 {
		return startOf(open[end/2])
	}
	return endOf(open[end/2])
}

func startOf(p geom.Path) geom.Point { return p.Points[0] }
func endOf(p geom.Path) geom.Point   { return p.Points[len(p.Points)-1] }

func join(a, b geom.Path) geom.Path {
	if endOf(a) != startOf(b) {
		a.LineTo(startOf(b))
	}
	for e := range b.Edges() {
		a.Add(e)
	}
	return a
}

// isWorthClosing tells whether joining two chains over a gap makes sense: the gap
// must be small against the longer of them, or letters and dashes would close.
func isWorthClosing(longer, gap float64) bool {
	const part = 20
	return longer > part*gap
}
