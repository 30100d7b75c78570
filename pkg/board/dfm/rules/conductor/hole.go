package conductor

import (
	"context"
	"fmt"
	"math"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// ToHole judges copper to the barrels of holes that it does not belong to.
var ToHole = rule.Rule{Judges: copperToHoles, Run: judgeHoles}

// judgeHoles judges copper near the barrels of holes that it does not belong to:
// bare holes, and plated ones of another net.
func judgeHoles(ctx context.Context, in *measure.Input) rule.Result {
	c, err := in.Copper()
	if err != nil {
		return rule.Unknown(dfm.CopperToHole, err)
	}
	t := in.Drills()
	const chunk = 64
	each := measure.Collect(ctx, (len(t.List)+chunk-1)/chunk, func(k int) []barrelGap {
		w := newHoleClearance(in, c)
		for i := k * chunk; i < min(len(t.List), (k+1)*chunk); i++ {
			w.hole(&t.List[i])
		}
		return w.gaps
	})
	var r rule.Result
	for _, inner := range [2]bool{false, true} {
		for _, n := range copperToHoles {
			r.Add(holeGaps(in, n, inner, each))
		}
	}
	return r
}

// holeGaps judges the gaps of a layer's kind by one limit: that of the class of the
// hole, or the general one where the class has none of its own.
func holeGaps(in *measure.Input, n dfm.Name, inner bool, each [][]barrelGap) rule.Result {
	g, mild := rule.MinimumCheck(in, n, inner), rule.MinimumCheck(in, n, inner).Levels(dfm.Warning, dfm.Note)
	for _, gaps := range each {
		for _, w := range gaps {
			switch {
			case w.inner != inner || n != dfm.CopperToHole && n != w.class:
			case n == dfm.CopperToHole && in.Limit(w.class, inner) != (dfm.Limit{}):
				if !w.mild {
					g.See(w.place)
				}
			case w.mild:
				mild.Add(w.place)
			default:
				g.Add(w.place)
			}
		}
	}
	r := g.Result(barrelWords(n, inner))
	padded := mild.Result(func(j rule.Breach) string {
		return fmt.Sprintf("%s on %s layers %s closer than %s to the wall of %s (the closest is %s away): the hole's pad or an area of copper is there, so that nothing is cut off.",
			words.Plural(j.Count, "piece")+" of copper", layersWord(inner), words.Be(j.Count), words.MM(j.Limit), holeClass[n], words.MM(max(0, j.Value)))
	})
	padded.Measures = nil
	r.Add(padded)
	return r
}

// copperToHoles are the general check and those of each class of holes.
var copperToHoles = []dfm.Name{dfm.CopperToHole, dfm.CopperToVia, dfm.CopperToPTH, dfm.CopperToNPTH}

// holeClass names the holes that a check is about.
var holeClass = map[dfm.Name]string{
	dfm.CopperToHole: "a hole", dfm.CopperToVia: "a via", dfm.CopperToPTH: "a plated hole for a lead", dfm.CopperToNPTH: "a non-plated hole",
}

// classOf is the check that measures copper near a hole of this kind.
func classOf(d *measure.Drilled) dfm.Name {
	switch {
	case d.Plating == pcb.NonPlated:
		return dfm.CopperToNPTH
	case d.Lead():
		return dfm.CopperToPTH
	}
	return dfm.CopperToVia
}

func layersWord(inner bool) string {
	if inner {
		return "inner"
	}
	return "outer"
}

func barrelWords(n dfm.Name, inner bool) func(rule.Breach) string {
	return func(j rule.Breach) string {
		near := fmt.Sprintf("the closest is %s away", words.MM(j.Value))
		if j.Value <= 0 {
			near = "at least one is drilled through"
		}
		return fmt.Sprintf("%s on %s layers %s closer than %s to the wall of %s of another net or of none: %s.",
			words.Plural(j.Count, "piece")+" of copper", layersWord(inner), words.Be(j.Count), words.MM(j.Limit), holeClass[n], near)
	}
}

// A barrelGap is the gap between a hole and a piece of copper.
type barrelGap struct {
	inner bool
	mild  bool
	class dfm.Name // of the hole
	place dfm.Place
}

// A holeClearance measures the copper round holes.
type holeClearance struct {
	in    *measure.Input
	c     *copper.Copper
	reach []float64 // of each layer: beyond its limit only while nothing smaller was found
	gaps  []barrelGap
	worst map[int32]nearby // of each island round the hole at work
	rims  map[int32]nearby // the same of pads of which the hole takes no more than the rim
}

func newHoleClearance(in *measure.Input, c *copper.Copper) *holeClearance {
	w := &holeClearance{in: in, c: c, reach: make([]float64, len(c.Layers)), worst: map[int32]nearby{}, rims: map[int32]nearby{}}
	for k, l := range c.Layers {
		if in.Judged()[k] {
			for _, n := range copperToHoles {
				w.reach[k] = max(w.reach[k], float64(in.Reach(n, !l.Outer)), float64(w.limit(l)))
			}
		}
	}
	return w
}

// limit is below what a gap is a finding.
func (w *holeClearance) limit(l *copper.Layer) int64 {
	most := int64(0)
	for _, n := range copperToHoles {
		limit := w.in.Limit(n, !l.Outer)
		most = max(most, limit.Min, limit.Recommended)
	}
	return most
}

// hole measures from one hole on every layer that it passes: the worst gap for each
// island there.
func (w *holeClearance) hole(d *measure.Drilled) {
	if d.Twice || w.in.Unmade()[d.At] || d.Function == pcb.FuncCutOut || d.Plating != pcb.NonPlated && w.in.Border().CutsHole(d) {
		return
	}
	for k, l := range w.c.Layers {
		if !copper.Spans(d.Hole, l.Layer) || w.reach[k] <= 0 {
			continue
		}
		own := holeCopper(w.in, w.c, k, d)
		w.findClosest(k, d, &own)
		padded := len(w.worst) > 0 && own.pad(l, d.A.Mid(d.B))
		for island, n := range w.worst {
			place := w.in.PlaceBeside(l, n.i, measure.HoleWords(d.Hole), n.q, n.p, n.d)
			mild := padded || !w.in.Live()[island] || own.node < 0 && (filling(w.in, l, n) || wide(l, n.i, d))
			w.gaps = append(w.gaps, barrelGap{!l.Outer, mild, classOf(d), place})
			if !mild {
				w.reach[k] = max(float64(w.limit(l)), min(w.reach[k], n.d))
			}
		}
		for island, n := range w.rims {
			if _, other := w.worst[island]; !other {
				place := w.in.PlaceBeside(l, n.i, measure.HoleWords(d.Hole), n.q, n.p, n.d)
				w.gaps = append(w.gaps, barrelGap{!l.Outer, true, classOf(d), place})
			}
		}
	}
}

// findClosest finds the piece of each island that comes closest to a hole on a layer.
func (w *holeClearance) findClosest(layer int, d *measure.Drilled, own *own) {
	l, reach := w.c.Layers[layer], w.reach[layer]
	measure := (*shape.Shape).DistWithin
	if own.node >= 0 {
		measure = (*shape.Shape).BorderDist // what it lies in is joined to it
	}
	clear(w.worst)
	clear(w.rims)
	for i := range d.Barrels {
		barrel := &d.Barrels[i]
		l.Index.Search(barrel.Bounds().Grow(int64(reach)+1), func(i int) bool {
			it := &l.Items[i]
			if own.has(it) {
				return true
			}
			far, worst := reach, w.worst
			if own.node < 0 && d.Plating == pcb.NonPlated && w.leavesRing(l, i, d) {
				worst = w.rims
			}
			old, ok := worst[it.Island]
			if ok {
				far = min(far, old.d)
			}
			if v, p, q, near := measure(barrel, &it.Shape, far); near && !(ok && v == old.d) && !repeatsOutline(w.in, l, i) {
				worst[it.Island] = nearby{i: i, p: p, q: q, d: v}
			}
			return true
		})
	}
}

// minRing is what a bare hole has to leave between itself and the plated hole of a pad
// that it cuts: more than drills wander.
const minRing = float64(100 * geom.Micrometre)

// leavesRing reports whether an item is the pad of leads whose holes a bare hole stays
// clear of: what it takes of the pad, or the fabricator draws back, is its rim, as where
// footprints of switches overlap.
func (w *holeClearance) leavesRing(l *copper.Layer, i int, d *measure.Drilled) bool {
	if !measure.IsPadItem(l, i) {
		return false
	}
	t, s, found := w.in.Drills(), &l.Items[i].Shape, false
	clear := true
	t.Index.Search(s.Bounds(), func(k int) bool {
		o := &t.List[k]
		if !w.in.Meter.Spend(pcb.Lookups, 1) {
			clear = false
			return false
		}
		if !o.Lead() || w.c.Holes[o.At] < 0 || !copper.Spans(o.Hole, l.Layer) || !s.Contains(o.A.Mid(o.B)) {
			return true
		}
		found = true
		if _, _, _, near := d.Dist(o, minRing); near {
			clear = false
		}
		return clear
	})
	return found && clear
}

// filling reports whether copper is part of an area, which the fabricator draws back
// from bare holes and nothing is cut off.
func filling(in *measure.Input, l *copper.Layer, n nearby) bool {
	f := l.FeatureOf(n.i)
	return f == nil || f.Kind == pcb.RegionFeature || isPainted(in, l, n.i, n.q)
}

// wide reports whether copper is a pad so much larger than a bare hole that the hole only
// takes a bite out of its rim: under the cell of a battery, or a heat sink.
func wide(l *copper.Layer, i int, d *measure.Drilled) bool {
	const times = 5
	box := l.Items[i].Shape.Bounds()
	return measure.IsPadItem(l, i) && min(box.Width(), box.Height()) >= times*d.Diameter
}

// own tells which copper belongs to a hole.
type own struct {
	in   *measure.Input
	node int32
	net  int32
	with map[int32]bool // islands of its own pad, for a bare hole
}

func (o *own) has(it *copper.Item) bool {
	if o.with[it.Island] || o.node >= 0 && it.Node == o.node {
		return true
	}
	return o.net > 0 && o.in.NetOf(it) == o.net
}

// pad reports whether a plated hole has a pad on a layer, round a point in it: its ring
// and the gap to it are judged already.
func (o *own) pad(l *copper.Layer, at geom.Point) bool {
	found := false
	if o.node >= 0 {
		l.Index.Search(geom.BoxOf(at), func(i int) bool {
			found = measure.IsPadItem(l, i) && o.has(&l.Items[i]) && l.Items[i].Shape.Contains(at)
			return !found
		})
	}
	return found
}

// holeCopper is the node of a plated hole; of a bare one what hangs on the pad that
// was put down around it.
func holeCopper(in *measure.Input, c *copper.Copper, layer int, d *measure.Drilled) own {
	o := own{in: in, node: c.Holes[d.At], net: d.Net}
	if o.node >= 0 {
		return o
	}
	l := c.Layers[layer]
	at := d.A.Mid(d.B)
	l.Index.Search(geom.BoxOf(at).Grow(d.Diameter/2), func(i int) bool {
		f := l.FeatureOf(i)
		if f == nil || !measure.IsPadItem(l, i) {
			return true
		}
		if s := &l.Items[i].Shape; s.DistTo(at) <= 0 || f.Kind == pcb.FlashFeature && f.A.Dist(at) <= math.Max(1000, d.Radius()/4) {
			if o.with == nil {
				o.with = map[int32]bool{}
			}
			o.with[l.Items[i].Island] = true
		}
		return true
	})
	return o
}
