package check

import (
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/rules/conductor"
	"boardorder/pkg/board/dfm/rules/designrules"
	"boardorder/pkg/board/dfm/rules/hole"
	"boardorder/pkg/board/dfm/rules/layers"
	"boardorder/pkg/board/dfm/rules/mask"
	"boardorder/pkg/board/dfm/rules/netlist"
	"boardorder/pkg/board/dfm/rules/outline"
	"boardorder/pkg/board/dfm/rules/paste"
	"boardorder/pkg/board/dfm/rules/silkscreen"
)

// rules is the one table of what is checked. Where each stands does not matter
// to the report: first the one that has the copper worked out, beside it those that
// need no copper, then the slow ones, so that none is left to run alone.
var rules = []rule.Rule{
	netlist.Nets,
	silkscreen.OnCopper,
	mask.Pads,
	silkscreen.Width,
	silkscreen.Text,
	conductor.Clearance,
	conductor.Width,
	hole.Ring,
	conductor.ToHole,
	conductor.ToEdge,
	mask.Exposed,
	designrules.Stated,
	mask.Bridge,
	paste.Openings,
	conductor.AcidTrap,
	hole.ViaInPad,
	hole.Spacing,
	hole.ToEdge,
	hole.Stray,
	hole.Land,
	outline.Neck,
	outline.Corner,
	outline.Closed,
	outline.Pieces,
	hole.Size,
	hole.Slot,
	layers.Negative,
	layers.Present,
	outline.Size,
}
