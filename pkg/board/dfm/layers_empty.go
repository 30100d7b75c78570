package dfm

import "boardorder/pkg/board"

// empty looks for layers that draw nothing where something is expected: copper,
// and masks of sides with pads.
func (in *input) empty() result {
	var inner, outer, masks []string
	for _, l := range in.board.Layers {
		if drawn(l) || l.Negative {
			continue
		}
		switch c := in.outer(l.Side); {
		case l.Role == board.RoleCopper && l.Side == board.Inner:
			inner = append(inner, layerWords(l))
		case l.Role == board.RoleCopper:
			outer = append(outer, layerWords(l))
		case l.Role == board.RoleMask && c != nil && hasPads(c):
			masks = append(masks, layerWords(l))
		}
	}
	var r result
	tell := func(level Level, names []string, format, one, many string) {
		if n := len(names); n > 0 {
			r.add(say(LayerEmpty, level, n, names, format, either(n, "", "s"), list(names, one, many)))
		}
	}
	tell(Warning, inner, "The copper layer%s %s empty.", "is", "are")
	tell(Note, outer, "The copper layer%s %s empty.", "is", "are")
	tell(Warning, masks, "The solder mask%s %s no openings: nothing could be soldered there.", "has", "have")
	return r
}

// drawn tells whether a layer puts anything down.
func drawn(l *board.Layer) bool {
	for i := range l.Features {
		if !l.Features[i].Clear {
			return true
		}
	}
	return false
}

// hasPads tells whether a layer states pads that something is soldered to.
func hasPads(l *board.Layer) bool {
	for i := range l.Features {
		if f := &l.Features[i]; f.Function.Pad() && f.Function != board.FuncFiducial && f.Function != board.FuncWasherPad {
			return true
		}
	}
	return false
}
