package outline

import (
	"context"
	"fmt"
	"math"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
)

// Corner finds inner corners that a cutter cannot follow.
var Corner = rule.Rule{Judges: []dfm.Name{dfm.OutlineRadius}, Run: corners}

// corners judges inner corners of outline and cutouts: a round cutter leaves
// them with its own radius.
func corners(ctx context.Context, in *measure.Input) rule.Result {
	g := rule.MinimumCheck(in, dfm.OutlineRadius, false).Levels(dfm.Note, dfm.Note)
	for _, a := range in.Board.Outline.Areas {
		if ctx.Err() != nil {
			break
		}
		c := cornerSearch{edges: measure.Rims(a), gauge: g, cutter: max(g.Limit.Min, g.Limit.Recommended)}
		c.run()
	}
	return g.Result(func(j rule.Breach) string {
		s := fmt.Sprintf("%s of the outline %s sharper than the cutter, which has a radius of %s: ", words.Plural(j.Count, "inner corner"), words.Be(j.Count), words.MM(j.Limit))
		if j.Count == 1 {
			return s + "it comes out rounded. Where something square has to fit, widen the corner."
		}
		return s + "they come out rounded. Where something square has to fit, widen the corners."
	})
}

type cornerSearch struct {
	edges  []measure.Rim
	gauge  *rule.LimitCheck
	cutter int64 // radius
}

// run looks at every bend inwards: one curved edge, or a corner, or a run of
// short edges that stand for a curve.
func (c *cornerSearch) run() {
	for i := range c.edges {
		e := &c.edges[i]
		if e.IsArc() {
			if e.Bend() > 0 {
				c.curve(e)
			}
			continue
		}
		if prev := &c.edges[e.Prev]; measure.Dent(prev, e) > 0 && !c.short(prev) {
			c.follow(e.Prev)
		}
	}
}

// curve takes an inner corner that was drawn round.
func (c *cornerSearch) curve(e *measure.Rim) {
	const slight = 0.35 // radians: the cutter leaves hardly anything
	if e.Bend() < slight {
		return
	}
	p := e.Mid()
	c.gauge.Add(dfm.Place{At: p, To: p, Value: int64(math.Round(e.Radius())), Objects: [2]string{"inner corner"}})
}

// short reports whether an edge may be a chord of a curve that is too tight.
func (c *cornerSearch) short(e *measure.Rim) bool {
	return !e.IsArc() && e.Len() < float64(c.cutter)
}

// follow sums up the bend that begins where edge i ends.
func (c *cornerSearch) follow(i int) {
	turn, length := 0.0, 0.0
	at := i
	for range c.edges {
		e, next := &c.edges[at], &c.edges[c.edges[at].Next]
		d := measure.Dent(e, next)
		if d <= 0 {
			break
		}
		turn += d
		at = e.Next
		if !c.short(next) {
			break
		}
		length += next.Len()
	}
	radius := 0.0
	if length > 0 && turn > 0 {
		radius = length / turn
	}
	c.add(c.edges[i].Next, int64(math.Round(radius)), turn)
}

// add takes a corner, or a run of edges, where the cutter leaves enough board standing to matter.
func (c *cornerSearch) add(i int, radius int64, turn float64) {
	const matters = 50_000 // nanometres
	left := float64(c.cutter-radius) * (1/math.Cos(min(turn, 3)/2) - 1)
	if c.cutter > 0 && left < matters {
		return
	}
	e := &c.edges[i]
	c.gauge.Add(dfm.Place{At: e.A, To: e.A, Value: radius, Objects: [2]string{"inner corner"}})
}
