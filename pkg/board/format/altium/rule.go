package altium

import (
	"strings"

	"boardorder/pkg/board/pcb"
)

// A rule is a design rule.
type rule struct {
	kind, scope, other string
	priority           int
	on                 bool
	p                  properties
}

func (r *reader) rule(c *cursor) error {
	c.skip(2)
	p := c.properties(r.meter)
	r.design.rules = append(r.design.rules, rule{
		kind: p["RULEKIND"], scope: p["SCOPE1EXPRESSION"], other: p["SCOPE2EXPRESSION"], priority: p.number("PRIORITY", 1),
		on: !p.has("ENABLED") || p.is("ENABLED"), p: p,
	})
	return nil
}

func (u *rule) appliesToAll() bool {
	return strings.EqualFold(strings.TrimSpace(u.scope), "All") && (u.other == "" || strings.EqualFold(strings.TrimSpace(u.other), "All"))
}

// ruleForAll is the first rule of a kind that holds for everything.
func (d *design) ruleForAll(kind string) *rule {
	var best *rule
	for i := range d.rules {
		if u := &d.rules[i]; u.on && u.kind == kind && u.appliesToAll() && (best == nil || u.priority < best.priority) {
			best = u
		}
	}
	return best
}

// expansion is how far openings of a kind reach beyond copper where nothing else says.
func (d *design) expansion(kind string, other int64) int64 {
	if u := d.ruleForAll(kind); u != nil {
		return u.p.length("EXPANSION")
	}
	return other
}

// stateRules takes over the limits that the designer set for everything.
func (d *design) stateRules(out *pcb.Rules) {
	get := func(kind, name string) int64 {
		if u := d.ruleForAll(kind); u != nil {
			return u.p.length(name)
		}
		return 0
	}
	out.Clearance = get("Clearance", "GAP")
	out.TrackWidth = get("Width", "MINLIMIT")
	out.ViaDiameter, out.ViaDrill = get("RoutingVias", "MINWIDTH"), get("RoutingVias", "MINHOLEWIDTH")
	out.HoleToHole = get("HoleToHoleClearance", "GAP")
	out.AnnularRing = get("MinimumAnnularRing", "MINIMUMRING")
	out.MaskExpansion = get("SolderMaskExpansion", "EXPANSION")
	out.MaskMinWidth = get("MinimumSolderMaskSliver", "MINSOLDERMASKWIDTH")
	out.EdgeClearance = get("BoardOutlineClearance", "GAP")
}
