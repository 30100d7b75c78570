// Package mask judges the solder mask: its openings over pads, what else they show, and
// the webs between them.
package mask

import (
	"context"
	"fmt"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Pads judges the openings over pads.
var Pads = rule.Rule{Judges: []dfm.Name{dfm.MaskExpansion, dfm.MaskMissing}, Run: pads}

// pads judges the openings over pads: whether there is one, and by how much it
// is larger than its pad.
func pads(ctx context.Context, in *measure.Input) rule.Result {
	g := rule.MinimumCheck(in, dfm.MaskExpansion, false).Levels(dfm.Note, dfm.Note)
	var bare, unpasted rule.Places
	var r rule.Result
	for _, l := range in.Board.Find(pcb.RoleMask, pcb.NoSide) {
		if l.Negative {
			r.Unchecked = append(r.Unchecked, fmt.Sprintf("the solder mask %s: its file is a negative, so what it opens is not certain", measure.LayerWords(l)))
		}
	}
	for _, f := range in.Sides() {
		if ctx.Err() != nil {
			break
		}
		if f.Doubtful {
			r.Add(doubt(f, in.Board))
			continue
		}
		expansions(f, g)
		missing(ctx, f, in.Board, &bare, &unpasted)
	}
	r.Add(g.Result(func(j rule.Breach) string {
		if j.Value < 0 {
			return fmt.Sprintf("The solder mask covers the rim of %s (by up to %s). That is right for pads defined by the mask only.", words.Plural(j.Count, "pad"), words.MM(-j.Value))
		}
		return fmt.Sprintf("The solder mask leaves %s around %s; the fabricator wants %s for the mask to miss the pad.", words.MM(j.Value), words.Plural(j.Count, "pad"), words.MM(j.Limit))
	}))
	r.Add(rule.PlaceFinding(dfm.MaskMissing, dfm.MustFix, func(n int) string {
		return fmt.Sprintf("%s %s covered by solder mask though the stencil puts solder paste there: no part could be soldered to %s.",
			words.Plural(n, "pad"), words.Be(n), words.Inflect(n, "it", "them"))
	}, &bare))
	r.Add(rule.PlaceFinding(dfm.MaskMissing, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s %s no opening in the solder mask. That is right for pads that nothing is soldered to.", words.Plural(n, "pad"), words.Inflect(n, "has", "have"))
	}, &unpasted))
	return r
}

// fewestPads is from which on a mask that opens none of them is no mask of the side.
const fewestPads = 20

// doubt says that the mask covers most pads.
func doubt(f *measure.Side, b *pcb.Board) rule.Result {
	level := dfm.Warning
	if few := f.Solderable - len(f.Covered); f.Solderable >= fewestPads && 50*few <= f.Solderable && !opensHoles(f.Mask, b) {
		level = dfm.MustFix // nothing could be soldered, whatever the file is
	}
	return rule.LayerFinding(dfm.MaskMissing, level, len(f.Covered), []string{f.Mask.Name},
		"The file taken as solder mask of the %s side, %s, leaves most pads covered (%d of %d): it may be another layer, or a negative.",
		f.Face, measure.LayerWords(f.Mask), len(f.Covered), f.Solderable)
}

// opensHoles reports whether a mask opens mostly over holes of the board: it is its mask then, and
// covers the pads of a side on which nothing is soldered.
func opensHoles(mask *pcb.Layer, b *pcb.Board) bool {
	const grid = 20 * geom.Micrometre
	cell := func(p geom.Point) geom.Point { return geom.Pt(p.X/grid, p.Y/grid) }
	drilled := map[geom.Point]bool{}
	for i := range b.Holes {
		drilled[cell(b.Holes[i].A)] = true
	}
	over, all := 0, 0
	for i := range mask.Features {
		o := &mask.Features[i]
		if o.Kind != pcb.FlashFeature || o.Clear {
			continue
		}
		all++
		if drilled[cell(o.A)] {
			over++
		}
	}
	return over >= fewestPads && 2*over > all
}

// expansions measures openings that were put down on the very place of a pad.
func expansions(f *measure.Side, g *rule.LimitCheck) {
	type key struct {
		at   geom.Point
		turn geom.Transform
	}
	pads := map[key]*pcb.Feature{}
	last := int32(-1)
	for _, i := range f.Pads.Features {
		p := &f.Copper.Features[i]
		if i == last || p.Kind != pcb.FlashFeature || maskDefined(p) {
			continue
		}
		last = i
		pads[key{p.A, f.Copper.Transforms[p.Transform]}] = p
	}
	seen := int32(-1)
	type match struct{ pad, opening int32 }
	known := map[match]int64{}
	for _, i := range f.Openings.Features {
		o := &f.Mask.Features[i]
		if i == seen || o.Kind != pcb.FlashFeature {
			continue
		}
		seen = i
		p := pads[key{o.A, f.Mask.Transforms[o.Transform]}]
		if p == nil {
			continue
		}
		m := match{p.Shape, o.Shape}
		v, ok := known[m]
		if !ok {
			v = expansion(&f.Copper.Apertures[p.Shape], &f.Mask.Apertures[o.Shape])
			known[m] = v
		}
		if v != unlike {
			g.Add(dfm.Place{Layer: f.Mask.Name, At: p.A, To: p.A, Value: f.Copper.Transforms[p.Transform].Length(v),
				Objects: [2]string{f.PadWords(p), "mask opening"}})
		}
	}
}

// maskDefined reports whether a pad's opening is meant to be smaller than its copper.
func maskDefined(p *pcb.Feature) bool {
	switch p.Function {
	case pcb.FuncSMDPadMask, pcb.FuncBGAPadMask, pcb.FuncHeatsinkPad, pcb.FuncWasherPad, pcb.FuncConnectorPad, pcb.FuncViaPad:
		return true
	}
	return false
}

// missing collects pads that are wholly covered: those with paste on them, and
// those that the files state to be pads of parts.
func missing(ctx context.Context, f *measure.Side, b *pcb.Board, pasted, others *rule.Places) {
	var paste *measure.DrawnLayer
	for _, i := range f.Covered {
		p := f.Pads.Feature(int(i))
		if paste == nil {
			paste = pasteOf(ctx, f, b)
		}
		at := dfm.Place{Layer: f.Mask.Name, At: p.A, To: p.A, Objects: [2]string{f.PadWords(p)}}
		switch {
		case covers(f, paste, i):
			pasted.AddUnmeasured(at)
		case isSoldered(p):
			others.AddUnmeasured(at)
		}
	}
}

// isSoldered reports whether something is soldered to a pad, by what the files state.
func isSoldered(p *pcb.Feature) bool {
	switch p.Function {
	case pcb.FuncComponentPad, pcb.FuncSMDPad, pcb.FuncSMDPadMask, pcb.FuncBGAPad, pcb.FuncBGAPadMask:
		return true
	}
	return false
}

// pasteOf is what the stencil of the side opens.
func pasteOf(ctx context.Context, f *measure.Side, b *pcb.Board) *measure.DrawnLayer {
	for _, l := range b.Find(pcb.RolePaste, f.Face) {
		if measure.IsDrawn(l) && !l.Negative {
			return measure.NewDrawnLayer(ctx, l, nil)
		}
	}
	return &measure.DrawnLayer{}
}

// covers reports whether a layer draws in the middle of a pad.
func covers(f *measure.Side, s *measure.DrawnLayer, pad int32) bool {
	if s.Index == nil {
		return false
	}
	hit := false
	for i := pad; int(i) < len(f.Pads.Shapes) && f.Pads.Features[i] == f.Pads.Features[pad] && !hit; i++ {
		c := f.Pads.Shapes[i].CorePoint()
		s.Index.Search(geom.BoxOf(c), func(j int) bool {
			hit = s.Shapes[j].Contains(c)
			return !hit
		})
	}
	return hit
}
