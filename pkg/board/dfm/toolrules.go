package dfm

import (
	"context"
	"fmt"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// toolRules judges the board by the rules that its design tool's project states for
// itself, but for clearances: those fall out of [spacings]. What breaks them can
// often be built, so all are warnings.
func toolRules(ctx context.Context, in *input) result {
	var r result
	rules := in.board.Rules
	r.unchecked = customRules(&rules)
	if !stated(&rules) {
		return r
	}
	c, err := in.copper()
	if err != nil {
		return r
	}
	r.add(thinTracks(in, c, rules.TrackWidth))
	r.add(smallVias(in, c, &rules))
	r.add(smallHoles(in, &rules))
	for _, m := range measuredRules(&rules) {
		r.add(m.judge(ctx, in))
	}
	return r
}

func stated(r *board.Rules) bool {
	for _, c := range r.Classes {
		if c.Clearance > 0 {
			return true
		}
	}
	return max(r.Clearance, r.TrackWidth, r.ViaDiameter, r.ViaDrill, r.HoleClearance, r.HoleToHole, r.AnnularRing, r.EdgeClearance) > 0
}

// A measuredRule is one that a fabricator has too: the same measuring with the
// design's own limit.
type measuredRule struct {
	words  string
	limits map[Name]int64
	run    func(context.Context, *input) result
}

func measuredRules(r *board.Rules) []measuredRule {
	all := []measuredRule{
		{"annular ring", map[Name]int64{ViaRing: r.AnnularRing}, rings},
		{"hole to hole", map[Name]int64{HoleToHole: r.HoleToHole, ComponentHoleToHole: r.HoleToHole}, holeSpacing},
		{"copper to hole", map[Name]int64{CopperToHole: r.HoleClearance}, copperHoles},
		{"copper to edge", map[Name]int64{CopperToEdge: r.EdgeClearance}, copperEdges},
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

// unasked is the reach of a check that nothing is to be measured for.
const unasked = -1

// judge runs the rule with the design's limit and says what breaks that.
func (m *measuredRule) judge(ctx context.Context, in *input) result {
	own := *in
	own.opt.Limits, own.opt.Reach = Limits{Outer: map[Name]Limit{}}, map[Name]int64{}
	for _, n := range Names() {
		own.opt.Reach[n] = unasked
	}
	for n := range m.limits {
		own.opt.Limits.Outer[n] = Limit{Min: m.limits[n]}
		own.opt.Reach[n] = m.limits[n]
	}
	var at places
	limit := int64(0)
	for _, f := range m.run(ctx, &own).findings {
		if l := m.limits[f.Check]; l > 0 && f.Limit == l {
			limit = l
			at.count += f.Count
			at.list = append(at.list, f.Places...)
		}
	}
	return broken(fmt.Sprintf("%s (%s)", m.words, mm(limit)), limit, &at)
}

// broken says what breaks a rule of the design's own, with the worst value and the
// limit that it breaks.
func broken(words string, limit int64, at *places) result {
	list := at.sorted(worstFirst)
	if len(list) == 0 {
		return result{}
	}
	worst := list[0]
	return result{findings: []Finding{{
		Check: DesignRule, Level: Warning, Limit: limit, Value: worst.Value, Count: at.count, Places: list,
		What: fmt.Sprintf("The design's own rule for %s is broken in %s; the worst is %s.", words, plural(at.count, "place"), mm(worst.Value)),
	}}}
}

func worstFirst(a, b Place) int {
	switch {
	case a.Value < b.Value:
		return -1
	case a.Value > b.Value:
		return 1
	}
	return comparePlaces(a, b)
}

// aim is where something without an extent of its own is.
func aim(layer string, at geom.Point, value int64, what, net string) Place {
	return Place{Layer: layer, At: at, To: at, Value: value, Objects: [2]string{what}, Nets: [2]string{net}}
}
