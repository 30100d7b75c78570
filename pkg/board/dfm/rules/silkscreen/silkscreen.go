// Package silkscreen judges what is printed: strokes, text, and silkscreen on bare copper.
package silkscreen

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/pcb"
)

// Width judges the strokes of the silkscreen.
var Width = rule.Rule{Judges: []dfm.Name{dfm.SilkWidth}, Run: widths}

// widths judges the printed silkscreen: how thin its lines are. Lines that fill an
// area, or go round one, are as wide as what they make together.
func widths(ctx context.Context, in *measure.Input) rule.Result {
	g := silkscreenCheck(in, dfm.SilkWidth)
	wide := max(g.Limit.Min, g.Limit.Recommended, in.Reach(dfm.SilkWidth, false))
	box := in.Board.Outline.Bounds()
	for _, s := range in.Legends() {
		k := inkCheck{DrawnLayer: s}
		last := int32(-1)
		for i := range s.Shapes {
			if i%4096 == 0 && ctx.Err() != nil {
				break
			}
			f := s.Feature(i)
			if last == s.Features[i] || f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature || !box.Empty() && !box.Contains(f.A) {
				continue
			}
			last = s.Features[i]
			w := s.Layer.Width(f)
			if g.Idle(w) {
				continue // ink is no narrower than its line
			}
			if l := s.Layer.Edge(f).Len(); w < wide && l < float64(g.Limit.Min)/2 {
				continue // a dot, or a corner of something
			}
			if w > 0 && w < wide {
				k.most = min(wide, g.UsefulReach(wide)+inkStep)
				w = k.widthAcross(i, w)
			}
			if w > 0 {
				g.Add(dfm.Place{Layer: s.Layer.Name, At: f.A, To: f.B, Value: w, Objects: [2]string{"line of the silkscreen"}})
			}
		}
	}
	return silkscreenResult(g, func(j rule.Breach) string {
		if j.Hard {
			return fmt.Sprintf("The silkscreen has lines of %s; the fabricator prints %s and wider, so %s may not be seen.", words.MM(j.Value), words.MM(j.Limit), words.Plural(j.Count, "line"))
		}
		return fmt.Sprintf("The silkscreen has %s thinner than %s (down to %s): they may be hard to read.", words.Plural(j.Count, "line"), words.MM(j.Limit), words.MM(j.Value))
	})
}

// silkscreenCheck is for what may not be legible: a warning where it surely is not, a
// note where it is only fainter than the fabricator promises.
func silkscreenCheck(in *measure.Input, n dfm.Name) *rule.LimitCheck {
	return rule.MinimumCheck(in, n, false).Levels(dfm.Note, dfm.Note)
}

func silkscreenResult(g *rule.LimitCheck, words func(rule.Breach) string) rule.Result {
	if g.Seen && 3*g.Worst.Value < 2*g.Limit.Min {
		g.Bad = dfm.Warning
	}
	return g.Result(words)
}

// OnCopper judges silkscreen on and near bare copper.
var OnCopper = rule.Rule{Judges: []dfm.Name{dfm.SilkOverCopper, dfm.SilkToMask}, Run: judgeOnCopper}

// judgeOnCopper judges silkscreen on copper that the mask leaves bare, or too near to
// it: ink there spoils soldering, so fabricators cut it off.
func judgeOnCopper(ctx context.Context, in *measure.Input) rule.Result {
	g := rule.MinimumCheck(in, dfm.SilkToMask, false).Levels(dfm.Note, dfm.Note)
	var on rule.Places
	for _, f := range in.Sides() {
		if f.Doubtful {
			continue
		}
		for _, s := range in.Legends() {
			if s.Layer.Side == f.Face {
				silkscreen(ctx, f, s, g, &on, in.Reach(dfm.SilkToMask, false))
			}
		}
	}
	r := rule.PlaceFinding(dfm.SilkOverCopper, dfm.Note, func(n int) string {
		return fmt.Sprintf("The silkscreen runs over %s that the solder mask leaves bare: the fabricator cuts it off there.", words.Plural(n, "pad"))
	}, &on)
	r.Add(g.Result(func(j rule.Breach) string {
		return fmt.Sprintf("The silkscreen comes within %s of %s that %s soldered; the fabricator keeps %s and cuts it off there.",
			words.MM(j.Value), words.Plural(j.Count, "pad"), words.Be(j.Count), words.MM(j.Limit))
	}))
	return r
}

// silkscreen measures from every bare pad to the silkscreen around it: the worst of each
// pad counts.
func silkscreen(ctx context.Context, f *measure.Side, silk *measure.DrawnLayer, g *rule.LimitCheck, on *rule.Places, reach int64) {
	seen := map[int32]bool{}
	for i := range f.Pads.Shapes {
		if i%256 == 0 && ctx.Err() != nil {
			return
		}
		if len(f.Open[i]) == 0 || seen[f.Pads.Features[i]] {
			continue
		}
		p, ok := nearestSilkscreen(f, i, silk, g.UsefulReach(reach))
		if !ok {
			continue
		}
		p.Layer = silk.Layer.Name
		p.Objects = [2]string{f.PadWords(f.Pads.Feature(i)), "silkscreen"}
		if p.Value > 0 {
			p.Distance = true
			g.Add(p)
			continue
		}
		seen[f.Pads.Features[i]] = true
		on.AddUnmeasured(p)
	}
}

// nearestSilkscreen finds the silkscreen nearest to what is bare of pad i. Bare is what
// lies both in the pad and in its opening, so that the farther of the two is how far
// the silkscreen is away.
func nearestSilkscreen(f *measure.Side, i int, silk *measure.DrawnLayer, reach int64) (dfm.Place, bool) {
	pad, box := &f.Pads.Shapes[i], f.Pads.Boxes[i]
	best, ok := dfm.Place{}, false
	silk.VisitNear(pad, reach, func(j int) {
		enough := float64(reach)
		if ok { // silkscreen farther away than the nearest so far says nothing
			enough = min(enough, float64(best.Value+1))
		}
		if measure.Distant(box, silk.Boxes[j], enough) {
			return
		}
		d, at, to, near := pad.DistWithin(&silk.Shapes[j], enough)
		if !near || ok && int64(math.Round(d)) >= best.Value || !silk.Dark(j, to) {
			return
		}
		if e := openingDistance(f, i, silk, j, reach); e > d {
			d = e
		}
		if math.IsInf(d, 1) {
			return // out of reach of what is open
		}
		v := max(0, int64(math.Round(d)))
		if v > reach || ok && v >= best.Value {
			return
		}
		best, ok = dfm.Place{At: at, To: to, Value: v}, true
	})
	return best, ok
}

// openingDistance is how far silkscreen j is from the openings over pad i.
func openingDistance(f *measure.Side, i int, silk *measure.DrawnLayer, j int, reach int64) float64 {
	least := math.Inf(1)
	f.Openings.VisitNear(&f.Pads.Shapes[i], reach, func(o int) {
		if !slices.Contains(f.Open[i], f.Opening[o]) {
			return
		}
		if d, _, _, ok := silk.Shapes[j].DistWithin(&f.Openings.Shapes[o], float64(reach)); ok && d < least {
			least = d
		}
	})
	return least
}
