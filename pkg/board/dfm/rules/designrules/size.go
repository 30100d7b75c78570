package designrules

import (
	"fmt"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/toolrule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// thinTracks finds tracks narrower than the design allows.
func thinTracks(in *measure.Input, c *copper.Copper, least int64) rule.Result {
	if least <= 0 {
		return rule.Result{}
	}
	var at rule.Places
	for _, l := range c.Layers {
		for i := range l.Items {
			f := l.FeatureOf(i)
			if f == nil || f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature || f.Net == 0 || f.Function == pcb.FuncPour {
				continue
			}
			if w := l.Layer.Width(f); w > 0 && w < least-dfm.Tolerance {
				at.Add(aim(l.Layer.Name, l.Layer.Edge(f).Mid(), w, in.Object(l, i), in.NetName(f.Net)), toolrule.CompareByValue)
			}
		}
	}
	return toolrule.ReportBreach(fmt.Sprintf("width of tracks (%s)", words.MM(least)), least, &at)
}

// smallVias finds vias whose pads are smaller than the design allows.
func smallVias(in *measure.Input, c *copper.Copper, r *pcb.Rules) rule.Result {
	if r.ViaDiameter <= 0 {
		return rule.Result{}
	}
	micro := map[geom.Point]bool{}
	for i := range in.Board.Holes {
		if h := &in.Board.Holes[i]; h.From != h.To && (h.To-h.From == 1 || h.From-h.To == 1) && len(c.Layers) > 2 {
			micro[h.A] = true
		}
	}
	var at rule.Places
	seen := map[geom.Point]bool{}
	for _, l := range c.Layers {
		for i := range l.Items {
			f := l.FeatureOf(i)
			if f == nil || f.Kind != pcb.FlashFeature || f.Function != pcb.FuncViaPad || seen[f.A] {
				continue
			}
			least := r.ViaDiameter
			if micro[f.A] && r.MicroViaDiameter > 0 {
				least = min(least, r.MicroViaDiameter)
			}
			if w := l.Layer.Width(f); w < least-dfm.Tolerance {
				seen[f.A] = true
				at.Add(aim(l.Layer.Name, f.A, w, in.Object(l, i), in.NetName(f.Net)), toolrule.CompareByValue)
			}
		}
	}
	return toolrule.ReportBreach(fmt.Sprintf("size of vias (%s)", words.MM(r.ViaDiameter)), r.ViaDiameter, &at)
}

// smallHoles finds holes smaller than the design allows.
func smallHoles(in *measure.Input, r *pcb.Rules) rule.Result {
	if r.ViaDrill <= 0 {
		return rule.Result{}
	}
	var at rule.Places
	unmade := in.Unmade()
	for i := range in.Board.Holes {
		h := &in.Board.Holes[i]
		if h.Function == pcb.FuncBackDrill || unmade[i] {
			continue
		}
		least := r.ViaDrill
		if span := h.To - h.From; (span == 1 || span == -1) && r.MicroViaDrill > 0 {
			least = min(least, r.MicroViaDrill)
		}
		if h.Kind == pcb.DrillHole && h.Diameter > 0 && h.Diameter < least-dfm.Tolerance {
			at.Add(aim("", h.A, h.Diameter, measure.HoleWords(h), in.NetName(h.Net)), toolrule.CompareByValue)
		}
	}
	return toolrule.ReportBreach(fmt.Sprintf("size of holes (%s)", words.MM(r.ViaDrill)), r.ViaDrill, &at)
}
