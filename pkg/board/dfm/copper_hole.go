package dfm

import (
	"context"
	"fmt"
	"math"

	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// copperHoles judges copper near the walls of holes that it does not belong to:
// bare holes, and plated ones of another net.
func copperHoles(ctx context.Context, in *input) result {
	c, err := in.copper()
	if err != nil {
		return unknown(CopperToHole, err)
	}
	t := in.drills()
	const chunk = 64
	each := sharing(ctx, (len(t.list)+chunk-1)/chunk, func(k int) []wallGap {
		w := newWaller(in, c)
		for i := k * chunk; i < min(len(t.list), (k+1)*chunk); i++ {
			w.hole(&t.list[i])
		}
		return w.gaps
	})
	var r result
	for _, inner := range [2]bool{false, true} {
		for _, n := range copperToHoles {
			r.add(in.holeGaps(n, inner, each))
		}
	}
	return r
}

// holeGaps judges the gaps of a layer's kind by one limit: that of the class of the
// hole, or the general one where the class has none of its own.
func (in *input) holeGaps(n Name, inner bool, each [][]wallGap) result {
	g, mild := in.gauge(n, inner), in.gauge(n, inner).levels(Warning, Note)
	for _, gaps := range each {
		for _, w := range gaps {
			switch {
			case w.inner != inner || n != CopperToHole && n != w.class:
			case n == CopperToHole && in.limit(w.class, inner) != (Limit{}):
				if !w.mild {
					g.see(w.place)
				}
			case w.mild:
				mild.add(w.place)
			default:
				g.add(w.place)
			}
		}
	}
	r := g.result(wallWords(n, inner))
	padded := mild.result(func(j judged) string {
		return fmt.Sprintf("%s on %s layers %s closer than %s to the wall of %s (the closest is %s away): the hole's pad or an area of copper is there, so that nothing is cut off.",
			plural(j.count, "piece")+" of copper", layersWord(inner), be(j.count), mm(j.limit), holeClass[n], mm(max(0, j.value)))
	})
	padded.measures = nil
	r.add(padded)
	return r
}

// copperToHoles are the general check and those of each class of holes.
var copperToHoles = []Name{CopperToHole, CopperToVia, CopperToPTH, CopperToNPTH}

// holeClass names the holes that a check is about.
var holeClass = map[Name]string{
	CopperToHole: "a hole", CopperToVia: "a via", CopperToPTH: "a plated hole for a lead", CopperToNPTH: "a non-plated hole",
}

// class is the check that measures copper near a hole of this kind.
func (d *drilled) class() Name {
	switch {
	case d.Plating == board.NonPlated:
		return CopperToNPTH
	case d.lead():
		return CopperToPTH
	}
	return CopperToVia
}

func layersWord(inner bool) string {
	if inner {
		return "inner"
	}
	return "outer"
}

func wallWords(n Name, inner bool) func(judged) string {
	return func(j judged) string {
		near := fmt.Sprintf("the closest is %s away", mm(j.value))
		if j.value <= 0 {
			near = "at least one is drilled through"
		}
		return fmt.Sprintf("%s on %s layers %s closer than %s to the wall of %s of another net or of none: %s.",
			plural(j.count, "piece")+" of copper", layersWord(inner), be(j.count), mm(j.limit), holeClass[n], near)
	}
}

// A wallGap is the gap between a hole and a piece of copper.
type wallGap struct {
	inner bool
	mild  bool
	class Name // of the hole
	place Place
}

// A waller measures the copper round holes.
type waller struct {
	in    *input
	c     *copper.Copper
	reach []float64 // of each layer: beyond its limit only while nothing smaller was found
	gaps  []wallGap
	worst map[int32]nearby // of each island round the hole at work
}

func newWaller(in *input, c *copper.Copper) *waller {
	w := &waller{in: in, c: c, reach: make([]float64, len(c.Layers)), worst: map[int32]nearby{}}
	for k, l := range c.Layers {
		if in.judged()[k] {
			for _, n := range copperToHoles {
				w.reach[k] = max(w.reach[k], float64(in.reach(n, !l.Outer)), float64(w.limit(l)))
			}
		}
	}
	return w
}

// limit is below what a gap is a finding.
func (w *waller) limit(l *copper.Layer) int64 {
	most := int64(0)
	for _, n := range copperToHoles {
		limit := w.in.limit(n, !l.Outer)
		most = max(most, limit.Min, limit.Recommended)
	}
	return most
}

// hole measures from one hole on every layer that it passes: the worst gap for each
// island there.
func (w *waller) hole(d *drilled) {
	if d.twice || d.Function == board.FuncCutOut || d.Plating != board.NonPlated && w.in.border().cutsHole(d) {
		return
	}
	for k, l := range w.c.Layers {
		if !copper.Spans(d.Hole, l.Layer) || w.reach[k] <= 0 {
			continue
		}
		own := w.in.ownCopper(w.c, k, d)
		w.around(k, d, &own)
		padded := len(w.worst) > 0 && own.pad(l, d.A.Mid(d.B))
		for island, n := range w.worst {
			place := w.in.beside(l, n.i, holeWords(d.Hole), n.q, n.p, n.d)
			mild := padded || !w.in.live()[island] || own.node < 0 && w.in.filling(l, n)
			w.gaps = append(w.gaps, wallGap{!l.Outer, mild, d.class(), place})
			if !mild {
				w.reach[k] = max(float64(w.limit(l)), min(w.reach[k], n.d))
			}
		}
	}
}

// around finds the piece of each island that comes closest to a hole on a layer.
func (w *waller) around(layer int, d *drilled, own *own) {
	l, reach := w.c.Layers[layer], w.reach[layer]
	measure := (*shape.Shape).Within
	if own.node >= 0 {
		measure = (*shape.Shape).Beside // what it lies in is joined to it
	}
	clear(w.worst)
	for i := range d.walls {
		wall := &d.walls[i]
		l.Index.Search(wall.Bounds().Grow(int64(reach)+1), func(i int) bool {
			it := &l.Items[i]
			if own.has(it) {
				return true
			}
			far := reach
			old, ok := w.worst[it.Island]
			if ok {
				far = min(far, old.d)
			}
			if v, p, q, near := measure(wall, &it.Shape, far); near && !(ok && v == old.d) && !w.in.drawnBorder(l, i) {
				w.worst[it.Island] = nearby{i: i, p: p, q: q, d: v}
			}
			return true
		})
	}
}

// filling tells whether copper is part of an area, which the fabricator draws back
// from bare holes and nothing is cut off.
func (in *input) filling(l *copper.Layer, n nearby) bool {
	f := l.DrawnAs(n.i)
	return f == nil || f.Kind == board.RegionFeature || in.painted(l, n.i, n.q)
}

// own tells which copper belongs to a hole.
type own struct {
	in   *input
	node int32
	net  int32
	with map[int32]bool // islands of its own pad, for a bare hole
}

func (o *own) has(it *copper.Item) bool {
	if o.with[it.Island] || o.node >= 0 && it.Node == o.node {
		return true
	}
	return o.net > 0 && o.in.netOf(it) == o.net
}

// pad tells whether a plated hole has a pad on a layer, round a point in it: its ring
// and the gap to it are judged already.
func (o *own) pad(l *copper.Layer, at geom.Point) bool {
	found := false
	if o.node >= 0 {
		l.Index.Search(geom.Bound(at), func(i int) bool {
			found = isPadItem(l, i) && o.has(&l.Items[i]) && l.Items[i].Shape.Contains(at)
			return !found
		})
	}
	return found
}

// ownCopper is the node of a plated hole; of a bare one what hangs on the pad that
// was put down around it.
func (in *input) ownCopper(c *copper.Copper, layer int, d *drilled) own {
	o := own{in: in, node: c.Holes[d.i], net: d.Net}
	if o.node >= 0 {
		return o
	}
	l := c.Layers[layer]
	at := d.A.Mid(d.B)
	l.Index.Search(geom.Bound(at).Grow(d.Diameter/2), func(i int) bool {
		f := l.DrawnAs(i)
		if f == nil || !isPadItem(l, i) {
			return true
		}
		if s := &l.Items[i].Shape; s.To(at) <= 0 || f.Kind == board.FlashFeature && f.A.Dist(at) <= math.Max(1000, d.radius()/4) {
			if o.with == nil {
				o.with = map[int32]bool{}
			}
			o.with[l.Items[i].Island] = true
		}
		return true
	})
	return o
}
