// Package designrules judges a board by the rules that its own design states.
package designrules

import (
	"context"
	"fmt"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/toolrule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/dfm/rules/conductor"
	"boardorder/pkg/board/dfm/rules/hole"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Stated judges the board by its design's own rules.
var Stated = rule.Rule{Judges: []dfm.Name{dfm.DesignRule}, Run: judgeStated}

// judgeStated judges the board by the rules that its design tool's project states for
// itself, but for clearances: those fall out of [conductor.Spacings]. What breaks them can
// often be built, so all are warnings.
func judgeStated(ctx context.Context, in *measure.Input) rule.Result {
	var r rule.Result
	rules := in.Board.Rules
	r.Unchecked = toolrule.Custom(&rules)
	if !toolrule.StatesRules(&rules) {
		return r
	}
	c, err := in.Copper()
	if err != nil {
		return r
	}
	r.Add(thinTracks(in, c, rules.TrackWidth))
	r.Add(smallVias(in, c, &rules))
	r.Add(smallHoles(in, &rules))
	for _, m := range measurableRules(&rules) {
		r.Add(m.judge(ctx, in))
	}
	return r
}

// A measuredRule is one that a fabricator has too: the same measuring with the
// design's own limit.
type measuredRule struct {
	words  string
	limits map[dfm.Name]int64
	run    func(context.Context, *measure.Input) rule.Result
}

func measurableRules(r *pcb.Rules) []measuredRule {
	all := []measuredRule{
		{"annular ring", map[dfm.Name]int64{dfm.ViaRing: r.AnnularRing}, hole.Ring.Run},
		{"hole to hole", map[dfm.Name]int64{dfm.HoleToHole: r.HoleToHole, dfm.ComponentHoleToHole: r.HoleToHole}, hole.Spacing.Run},
		{"copper to hole", map[dfm.Name]int64{dfm.CopperToHole: r.HoleClearance}, conductor.ToHole.Run},
		{"copper to edge", map[dfm.Name]int64{dfm.CopperToEdge: r.EdgeClearance}, conductor.ToEdge.Run},
	}
	var out []measuredRule
	for _, m := range all {
		for _, v := range m.limits {
			if v > 0 {
				out = append(out, m)
				break
			}
		}
	}
	return out
}

// judge runs the rule with the design's limit and says what breaks that.
func (m *measuredRule) judge(ctx context.Context, in *measure.Input) rule.Result {
	own := *in
	own.Options.Limits, own.Options.Reach = dfm.Limits{Outer: map[dfm.Name]dfm.Limit{}}, map[dfm.Name]int64{}
	for _, n := range dfm.Names() {
		own.Options.Reach[n] = measure.Unasked
	}
	for n := range m.limits {
		own.Options.Limits.Outer[n] = dfm.Limit{Min: m.limits[n]}
		own.Options.Reach[n] = m.limits[n]
	}
	var at rule.Places
	limit := int64(0)
	for _, f := range m.run(ctx, &own).Findings {
		if l := m.limits[f.Check]; l > 0 && f.Limit == l {
			limit = l
			at.Count += f.Count
			at.List = append(at.List, f.Places...)
		}
	}
	return toolrule.ReportBreach(fmt.Sprintf("%s (%s)", m.words, words.MM(limit)), limit, &at)
}

// aim is where something without an extent of its own is.
func aim(layer string, at geom.Point, value int64, what, net string) dfm.Place {
	return dfm.Place{Layer: layer, At: at, To: at, Value: value, Objects: [2]string{what}, Nets: [2]string{net}}
}
