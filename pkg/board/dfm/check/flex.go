package check

import (
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
)

// softenFlexible makes warnings of what goes beyond a limit on a flexible board, since no figures of
// flexible boards are published that it could be held against. What is no matter of a limit, such
// as a short or a track that the edge cuts, stays a fault.
func softenFlexible(in *measure.Input, r *dfm.Report) {
	if !in.Flexible() {
		return
	}
	soft := map[dfm.Name]bool{}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Level == dfm.MustFix && f.Limit > 0 && f.Value > 0 {
			f.Level = dfm.Warning
			f.What += " " + dfm.BeyondRigidWords
			soft[f.Check], r.BeyondRigid = true, true
		}
	}
	for i := range r.Measures {
		if m := &r.Measures[i]; soft[m.Check] && m.Doubt == "" {
			m.Doubt = dfm.BeyondRigidWords
		}
	}
}
