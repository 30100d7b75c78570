package rule

import (
	"cmp"
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
)

// A LimitCheck takes what a length check measures, one value at a time: it remembers
// the worst of all, counts those beyond the limit and keeps the worst of them.
// The zero of its levels is Note.
type LimitCheck struct {
	check      dfm.Name
	inner      bool
	Limit      dfm.Limit
	above      bool      // too large is the fault
	Bad, doubt dfm.Level // beyond Min; beyond Recommended only
	Slack      int64     // what may be missed; tolerance in most cases
	Worst      dfm.Place
	Seen       bool

	// broken and low are beyond Min and beyond Recommended; tight beyond Min, but
	// by so little that the board comes out all the same: see margins.
	broken, tight, low Places
}

// MinimumCheck checks a length by its limit: beyond Min is must_fix, beyond
// Recommended a warning.
func MinimumCheck(in *measure.Input, n dfm.Name, inner bool) *LimitCheck {
	return &LimitCheck{check: n, inner: inner, Limit: in.Limit(n, inner), Bad: dfm.MustFix, doubt: dfm.Warning, Slack: dfm.Tolerance}
}

// MaximumCheck checks a length whose limit is an upper one.
func MaximumCheck(in *measure.Input, n dfm.Name, inner bool) *LimitCheck {
	g := MinimumCheck(in, n, inner)
	g.above = true
	return g
}

// Levels sets how bad it is to be beyond Min and beyond Recommended.
func (g *LimitCheck) Levels(bad, doubt dfm.Level) *LimitCheck {
	g.Bad, g.doubt = bad, doubt
	return g
}

func (g *LimitCheck) breaks(v, limit int64) bool {
	if g.above {
		return limit > 0 && v > limit+g.Slack
	}
	return limit > 0 && v < limit-g.Slack
}

// UsefulReach is how far away something may be to tell anything: no farther than reach,
// nor than the limits and the least so far.
func (g *LimitCheck) UsefulReach(reach int64) int64 {
	if !g.Seen {
		return reach
	}
	return min(reach, max(g.Limit.Min, g.Limit.Recommended, g.Worst.Value+1))
}

// Idle reports whether a value is no finding, nor less than the least so far.
func (g *LimitCheck) Idle(v int64) bool {
	return g.Seen && v > g.Worst.Value && !g.breaks(v, g.Limit.Min) && !g.breaks(v, g.Limit.Recommended)
}

// See takes one measured place for the worst value alone.
func (g *LimitCheck) See(p dfm.Place) {
	if !g.Seen || g.order(p, g.Worst) < 0 {
		g.Worst, g.Seen = p, true
	}
}

// Add takes one measured place.
func (g *LimitCheck) Add(p dfm.Place) {
	g.See(p)
	switch {
	case g.breaks(p.Value, g.Limit.Min) && (g.tolerable(p.Value) || g.mayBeRounding(p)):
		g.tight.Add(p, g.order)
	case g.breaks(p.Value, g.Limit.Min):
		g.broken.Add(p, g.order)
	case g.breaks(p.Value, g.Limit.Recommended):
		g.low.Add(p, g.order)
	}
}

// tolerable reports whether a value beyond Min leaves enough of a margin.
func (g *LimitCheck) tolerable(v int64) bool {
	return g.Bad == dfm.MustFix && g.check.Tight(v, g.Limit.Min)
}

// mayBeRounding reports whether a value may be beyond Min for no more than how the file
// rounds its coordinates.
func (g *LimitCheck) mayBeRounding(p dfm.Place) bool {
	return g.Bad == dfm.MustFix && !g.above && p.Rounding > 0 && !g.breaks(p.Value+p.Rounding, g.Limit.Min)
}

func (g *LimitCheck) order(a, b dfm.Place) int {
	c := cmp.Compare(a.Value, b.Value)
	if g.above {
		c = -c
	}
	return cmp.Or(c, ComparePlaces(a, b))
}

// A Breach is what a finding's words are made of.
type Breach struct {
	Count int
	Value int64 // the worst
	Limit int64
	Hard  bool // beyond Min, not only beyond Recommended
}

// Result says each kind of fault once, in the words given.
func (g *LimitCheck) Result(words func(Breach) string) Result {
	var r Result
	if g.Seen {
		m := dfm.Measure{Check: g.check, Inner: g.inner, Mild: g.Bad < dfm.MustFix, Place: g.Worst}
		if g.breaks(g.Worst.Value, g.Limit.Min) && g.mayBeRounding(g.Worst) && g.broken.Count == 0 {
			m.Doubt = "What is missing is no more than how the files round their coordinates."
		}
		r.Measures = []dfm.Measure{m}
	}
	say := func(p *Places, level dfm.Level, limit int64, hard bool) {
		if p.Count == 0 {
			return
		}
		list := p.Sort(g.order)
		j := Breach{Count: p.Count, Value: list[0].Value, Limit: limit, Hard: hard}
		r.Findings = append(r.Findings, dfm.Finding{Check: g.check, Level: level, What: words(j), Limit: limit,
			Value: j.Value, Count: p.Count, Places: list})
	}
	say(&g.broken, g.Bad, g.Limit.Min, true)
	say(&g.tight, min(g.Bad, dfm.Warning), g.Limit.Min, true)
	say(&g.low, g.doubt, g.Limit.Recommended, false)
	return r
}

// Places keeps the worst [dfm.MaxPlaces] of any number.
type Places struct {
	Count int
	List  []dfm.Place
}

// Add takes one more; when too many have come together the milder half goes.
func (p *Places) Add(q dfm.Place, order func(a, b dfm.Place) int) {
	p.Count++
	p.List = append(p.List, q)
	if len(p.List) >= 4*dfm.MaxPlaces {
		p.List = p.Sort(order)
	}
}

// Sort gives the first [dfm.MaxPlaces] in an order.
func (p *Places) Sort(order func(a, b dfm.Place) int) []dfm.Place {
	slices.SortFunc(p.List, order)
	return p.List[:min(len(p.List), dfm.MaxPlaces)]
}

// AddUnmeasured adds a place that is not measured.
func (p *Places) AddUnmeasured(q dfm.Place) { p.Add(q, ComparePlaces) }

// ComparePlaces orders by layer and position, so that reports come out the same
// however the rules ran.
func ComparePlaces(a, b dfm.Place) int {
	return cmp.Or(
		cmp.Compare(a.Layer, b.Layer), cmp.Compare(a.At.X, b.At.X), cmp.Compare(a.At.Y, b.At.Y),
		cmp.Compare(a.To.X, b.To.X), cmp.Compare(a.To.Y, b.To.Y),
		cmp.Compare(a.Objects[0], b.Objects[0]), cmp.Compare(a.Objects[1], b.Objects[1]),
		cmp.Compare(a.Nets[0], b.Nets[0]), cmp.Compare(a.Nets[1], b.Nets[1]), cmp.Compare(a.Value, b.Value),
	)
}
