package dfm

import (
	"cmp"
	"fmt"
	"slices"

	"boardorder/pkg/board/geom"
)

// tolerance is how far a computed length may miss its limit without breaking it:
// files round to a micrometre, and so do the circles and arcs made of them; and
// fabricators round what they publish in millimetres and in mils (0.09 mm is 3.5 mil).
const tolerance = 1200 * geom.Nanometre

// A gauge takes what a length check measures, one value at a time: it remembers
// the worst of all, counts those beyond the limit and keeps the worst of them.
// The zero of its levels is Note.
type gauge struct {
	check      Name
	inner      bool
	limit      Limit
	above      bool  // too large is the fault
	bad, doubt Level // beyond Min; beyond Recommended only
	slack      int64 // what may be missed; tolerance in most cases
	worst      Place
	seen       bool

	// broken and low are beyond Min and beyond Recommended; tight beyond Min, but
	// by so little that the board comes out all the same: see margins.
	broken, tight, low places
}

// margins are checks whose Min keeps a distance from the point where something is
// destroyed: a drill that wanders cuts a ring, a cutter tears copper. Fabricators
// trim or accept what lies a little below, so that only what is below half of Min,
// or has no margin left at all, must be fixed; the rest is a warning.
var margins = map[Name]bool{
	CopperToEdge: true, CopperToVScore: true, CopperToHole: true, CopperToVia: true, CopperToPTH: true, CopperToNPTH: true, HoleToHole: true, ComponentHoleToHole: true, HoleToEdge: true,
	AnnularRing: true, ViaRing: true, NPTHRing: true,
}

// gauge makes the gauge of a check by its limit: beyond Min is must_fix, beyond
// Recommended a warning.
func (in *input) gauge(n Name, inner bool) *gauge {
	return &gauge{check: n, inner: inner, limit: in.limit(n, inner), bad: MustFix, doubt: Warning, slack: tolerance}
}

// maximum makes the gauge of a check whose limit is an upper one.
func (in *input) maximum(n Name, inner bool) *gauge {
	g := in.gauge(n, inner)
	g.above = true
	return g
}

// levels sets how bad it is to be beyond Min and beyond Recommended.
func (g *gauge) levels(bad, doubt Level) *gauge {
	g.bad, g.doubt = bad, doubt
	return g
}

func (g *gauge) beyond(v, limit int64) bool {
	if g.above {
		return limit > 0 && v > limit+g.slack
	}
	return limit > 0 && v < limit-g.slack
}

// worth is how far away something may be to tell anything: no farther than reach,
// nor than the limits and the least so far.
func (g *gauge) worth(reach int64) int64 {
	if !g.seen {
		return reach
	}
	return min(reach, max(g.limit.Min, g.limit.Recommended, g.worst.Value+1))
}

// idle tells whether a value is no finding, nor less than the least so far.
func (g *gauge) idle(v int64) bool {
	return g.seen && v > g.worst.Value && !g.beyond(v, g.limit.Min) && !g.beyond(v, g.limit.Recommended)
}

// see takes one measured place for the worst value alone.
func (g *gauge) see(p Place) {
	if !g.seen || g.order(p, g.worst) < 0 {
		g.worst, g.seen = p, true
	}
}

// add takes one measured place.
func (g *gauge) add(p Place) {
	g.see(p)
	switch {
	case g.beyond(p.Value, g.limit.Min) && g.tolerable(p.Value):
		g.tight.add(p, g.order)
	case g.beyond(p.Value, g.limit.Min):
		g.broken.add(p, g.order)
	case g.beyond(p.Value, g.limit.Recommended):
		g.low.add(p, g.order)
	}
}

// tolerable tells whether a value beyond Min leaves enough of a margin.
func (g *gauge) tolerable(v int64) bool { return g.bad == MustFix && g.check.Tight(v, g.limit.Min) }

// Tight tells whether a value beyond a fabricator's limit leaves so much of the
// margin that the board mostly comes out all the same.
func (n Name) Tight(v, limit int64) bool { return margins[n] && v > 0 && v >= limit/2-tolerance }

func (g *gauge) order(a, b Place) int {
	c := cmp.Compare(a.Value, b.Value)
	if g.above {
		c = -c
	}
	return cmp.Or(c, comparePlaces(a, b))
}

// A judged is what a finding's words are made of.
type judged struct {
	count int
	value int64 // the worst
	limit int64
	hard  bool // beyond Min, not only beyond Recommended
}

// result says each kind of fault once, in the words given.
func (g *gauge) result(words func(judged) string) result {
	var r result
	if g.seen {
		r.measures = []Measure{{Check: g.check, Inner: g.inner, Mild: g.bad < MustFix, Place: g.worst}}
	}
	say := func(p *places, level Level, limit int64, hard bool) {
		if p.count == 0 {
			return
		}
		list := p.sorted(g.order)
		j := judged{count: p.count, value: list[0].Value, limit: limit, hard: hard}
		r.findings = append(r.findings, Finding{Check: g.check, Level: level, What: words(j), Limit: limit,
			Value: j.value, Count: p.count, Places: list})
	}
	say(&g.broken, g.bad, g.limit.Min, true)
	say(&g.tight, min(g.bad, Warning), g.limit.Min, true)
	say(&g.low, g.doubt, g.limit.Recommended, false)
	return r
}

// places keeps the worst [MaxPlaces] of any number.
type places struct {
	count int
	list  []Place
}

// add takes one more; when too many have come together the milder half goes.
func (p *places) add(q Place, order func(a, b Place) int) {
	p.count++
	p.list = append(p.list, q)
	if len(p.list) >= 4*MaxPlaces {
		p.list = p.sorted(order)
	}
}

func (p *places) sorted(order func(a, b Place) int) []Place {
	slices.SortFunc(p.list, order)
	return p.list[:min(len(p.list), MaxPlaces)]
}

// unknown says that a check could not be made, and why.
func unknown(n Name, err error) result {
	return result{unchecked: []string{fmt.Sprintf("%s: %v", n.Words(), err)}}
}

// found makes a finding of places that are not measured, sorted by where they
// are; none gives no finding.
func found(n Name, level Level, what func(count int) string, at *places) result {
	if at.count == 0 {
		return result{}
	}
	return result{findings: []Finding{{Check: n, Level: level, What: what(at.count), Count: at.count, Places: at.sorted(comparePlaces)}}}
}

// at adds a place that is not measured.
func (p *places) at(q Place) { p.add(q, comparePlaces) }

// comparePlaces orders by layer and position, so that reports come out the same
// however the rules ran.
func comparePlaces(a, b Place) int {
	return cmp.Or(
		cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.At.X, b.At.X), cmp.Compare(a.At.Y, b.At.Y),
		cmp.Compare(a.To.X, b.To.X), cmp.Compare(a.To.Y, b.To.Y),
		cmp.Compare(a.Objects[0], b.Objects[0]), cmp.Compare(a.Objects[1], b.Objects[1]),
		cmp.Compare(a.Nets[0], b.Nets[0]), cmp.Compare(a.Nets[1], b.Nets[1]), cmp.Compare(a.Value, b.Value),
	)
}
