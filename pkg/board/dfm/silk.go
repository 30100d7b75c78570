package dfm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board"
)

// legends judges the printed legend: how thin its lines are. Lines that fill an
// area, or go round one, are as wide as what they make together.
func legends(ctx context.Context, in *input) result {
	g := in.legendGauge(SilkWidth)
	wide := max(g.limit.Min, g.limit.Recommended, in.reach(SilkWidth, false))
	box := in.board.Outline.Bounds()
	for _, s := range in.legends() {
		k := inkGauge{sheet: s}
		last := int32(-1)
		for i := range s.shapes {
			if i%4096 == 0 && ctx.Err() != nil {
				break
			}
			f := s.feature(i)
			if last == s.features[i] || f.Kind != board.LineFeature && f.Kind != board.ArcFeature || !box.Empty() && !box.Contains(f.A) {
				continue
			}
			last = s.features[i]
			w := s.layer.Width(f)
			if g.idle(w) {
				continue // ink is no narrower than its line
			}
			if l := s.layer.Edge(f).Len(); w < wide && l < float64(g.limit.Min)/2 {
				continue // a dot, or a corner of something
			}
			if w > 0 && w < wide {
				k.most = min(wide, g.worth(wide)+inkStep)
				w = k.across(i, w)
			}
			if w > 0 {
				g.add(Place{Layer: s.layer.Name, At: f.A, To: f.B, Value: w, Objects: [2]string{"line of the legend"}})
			}
		}
	}
	return g.legendResult(func(j judged) string {
		if j.hard {
			return fmt.Sprintf("The legend has lines of %s; the fabricator prints %s and wider, so %s may not be seen.", mm(j.value), mm(j.limit), plural(j.count, "line"))
		}
		return fmt.Sprintf("The legend has %s thinner than %s (down to %s): they may be hard to read.", plural(j.count, "line"), mm(j.limit), mm(j.value))
	})
}

// legendGauge is for what may not be legible: a warning where it surely is not, a
// note where it is only fainter than the fabricator promises.
func (in *input) legendGauge(n Name) *gauge { return in.gauge(n, false).levels(Note, Note) }

func (g *gauge) legendResult(words func(judged) string) result {
	if g.seen && 3*g.worst.Value < 2*g.limit.Min {
		g.bad = Warning
	}
	return g.result(words)
}

// legendOnCopper judges legend on copper that the mask leaves bare, or too near to
// it: ink there spoils soldering, so fabricators cut it off.
func legendOnCopper(ctx context.Context, in *input) result {
	g := in.gauge(SilkToMask, false).levels(Note, Note)
	var on places
	for _, f := range in.faces() {
		if f.doubtful {
			continue
		}
		for _, s := range in.legends() {
			if s.layer.Side == f.side {
				f.legend(ctx, s, g, &on, in.reach(SilkToMask, false))
			}
		}
	}
	r := found(SilkOverCopper, Note, func(n int) string {
		return fmt.Sprintf("The legend runs over %s that the solder mask leaves bare: the fabricator cuts it off there.", plural(n, "pad"))
	}, &on)
	r.add(g.result(func(j judged) string {
		return fmt.Sprintf("The legend comes within %s of %s that %s soldered; the fabricator keeps %s and cuts it off there.",
			mm(j.value), plural(j.count, "pad"), be(j.count), mm(j.limit))
	}))
	return r
}

// legend measures from every bare pad to the legend around it: the worst of each
// pad counts.
func (f *face) legend(ctx context.Context, silk *sheet, g *gauge, on *places, reach int64) {
	seen := map[int32]bool{}
	for i := range f.pads.shapes {
		if i%256 == 0 && ctx.Err() != nil {
			return
		}
		if len(f.open[i]) == 0 || seen[f.pads.features[i]] {
			continue
		}
		p, ok := f.nearestLegend(i, silk, g.worth(reach))
		if !ok {
			continue
		}
		p.Layer = silk.layer.Name
		p.Objects = [2]string{f.padWords(f.pads.feature(i)), "legend"}
		if p.Value > 0 {
			p.Distance = true
			g.add(p)
			continue
		}
		seen[f.pads.features[i]] = true
		on.at(p)
	}
}

// nearestLegend finds the legend nearest to what is bare of pad i. Bare is what
// lies both in the pad and in its opening, so that the farther of the two is how far
// the legend is away.
func (f *face) nearestLegend(i int, silk *sheet, reach int64) (Place, bool) {
	pad, box := &f.pads.shapes[i], f.pads.boxes[i]
	best, ok := Place{}, false
	silk.near(pad, reach, func(j int) {
		enough := float64(reach)
		if ok { // legend farther away than the nearest so far says nothing
			enough = min(enough, float64(best.Value+1))
		}
		if distant(box, silk.boxes[j], enough) {
			return
		}
		d, at, to, near := pad.Within(&silk.shapes[j], enough)
		if !near || ok && int64(math.Round(d)) >= best.Value || !silk.dark(j, to) {
			return
		}
		if e := f.toOpening(i, silk, j, reach); e > d {
			d = e
		}
		if math.IsInf(d, 1) {
			return // out of reach of what is open
		}
		v := max(0, int64(math.Round(d)))
		if v > reach || ok && v >= best.Value {
			return
		}
		best, ok = Place{At: at, To: to, Value: v}, true
	})
	return best, ok
}

// toOpening is how far legend j is from the openings over pad i.
func (f *face) toOpening(i int, silk *sheet, j int, reach int64) float64 {
	least := math.Inf(1)
	f.openings.near(&f.pads.shapes[i], reach, func(o int) {
		if !slices.Contains(f.open[i], f.opening[o]) {
			return
		}
		if d, _, _, ok := silk.shapes[j].Within(&f.openings.shapes[o], float64(reach)); ok && d < least {
			least = d
		}
	})
	return least
}
