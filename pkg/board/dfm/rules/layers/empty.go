package layers

import (
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/pcb"
)

// empty looks for layers that draw nothing where something is expected: copper,
// and masks of sides with pads; and for inner copper that only has lands of holes,
// for which a fabricator asks as much as for any other.
func empty(in *measure.Input) rule.Result {
	var inner, lands, outer, masks called
	for _, l := range in.Board.Layers {
		if measure.IsDrawn(l) || l.Negative {
			if l.Role == pcb.RoleCopper && l.Side == pcb.Inner && !l.Negative && in.LandsOnly(l) && !in.SeemsNegative(l) {
				lands.add(l)
			}
			continue
		}
		switch c := in.Outer(l.Side); {
		case l.Role == pcb.RoleCopper && l.Side == pcb.Inner:
			inner.add(l)
		case l.Role == pcb.RoleCopper:
			outer.add(l)
		case l.Role == pcb.RoleMask && c != nil && hasPads(c):
			masks.add(l)
		}
	}
	var r rule.Result
	tell := func(level dfm.Level, c called, format, one, many string) {
		if n := len(c.names); n > 0 {
			r.Add(rule.LayerFinding(dfm.LayerEmpty, level, n, c.names, format, words.Inflect(n, "", "s"), words.List(c.words, one, many)))
		}
	}
	tell(dfm.Warning, inner, "The copper layer%s %s empty.", "is", "are")
	tell(dfm.Warning, lands, "The copper layer%s %s nothing but the lands of holes, and what carries nothing is built and paid for all the same: if that is not meant, send the board with fewer layers.", "carries", "carry")
	if idle := len(inner.names) + len(lands.names); idle > 0 {
		r.Measures = append(r.Measures, dfm.Measure{Check: dfm.LayerEmpty, Inner: true, Mild: true, Place: dfm.Place{Value: int64(idle)}})
	}
	tell(dfm.Note, outer, "The copper layer%s %s empty.", "is", "are")
	tell(dfm.Warning, masks, "The solder mask%s %s no openings: nothing could be soldered there.", "has", "have")
	return r
}

// hasPads reports whether a layer states pads that something is soldered to.
func hasPads(l *pcb.Layer) bool {
	for i := range l.Features {
		if f := &l.Features[i]; f.Function.Pad() && f.Function != pcb.FuncFiducial && f.Function != pcb.FuncWasherPad {
			return true
		}
	}
	return false
}
