package hole

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// Land finds lands that are missing or lie beside their holes.
var Land = rule.Rule{Judges: []dfm.Name{dfm.LandMissing, dfm.Registration}, Run: lands}

// lands judges how the outer copper fits the plated holes: whether each has a land
// there, and whether the lands of a layer lie where the holes are.
func lands(ctx context.Context, in *measure.Input) rule.Result {
	c, err := in.Copper()
	if err != nil {
		return rule.Unknown(dfm.LandMissing, err)
	}
	var r rule.Result
	var alone rule.Places
	for k, l := range c.Layers {
		if !l.Outer || !in.Judged()[k] || ctx.Err() != nil {
			continue
		}
		f := newLandFit(in, c, l)
		if off, ok := f.findShift(); ok {
			r.Add(f.shift(off))
			continue
		}
		if whole := f.misfit(); len(whole.Findings) > 0 {
			r.Add(whole)
			continue
		}
		for _, d := range f.bare {
			if d.Plating == pcb.Plated && len(c.Layers) > 1 {
				p := place(d.Hole)
				p.Layer = l.Layer.Name
				alone.AddUnmeasured(p)
			}
		}
	}
	r.Add(rule.PlaceFinding(dfm.LandMissing, dfm.Warning, func(n int) string {
		return fmt.Sprintf("%s no land on an outer layer: %s plating ends at the surface without copper to hold it, and nothing can be soldered there.",
			words.Plural(n, "plated hole")+" "+words.Inflect(n, "has", "have"), words.Inflect(n, "its", "their"))
	}, &alone))
	return r
}

// Bounds of what is taken for a layer that does not fit the holes. Drill files are
// rounded to 10 µm and finer; fabricators register layers within about 75 µm.
const (
	fewestHoles  = 10                    // from which a layer is judged as a whole
	minShift     = 40 * geom.Micrometre  // of lands that lie all alike beside their holes
	harmfulShift = 100 * geom.Micrometre // eats up the annular ring of a usual via
	sameShift    = 20 * geom.Micrometre  // how far the shifts of lands of one layer differ
	widestShift  = 500 * geom.Micrometre // farther away is another land
)

// A landFit compares the lands of one outer layer with the plated holes that pass it.
type landFit struct {
	layer   *copper.Layer
	holes   []*measure.Drilled // plated holes that meet copper of some layer
	bare    []*measure.Drilled // of those, which no copper of this layer meets
	flashes []geom.Point
	index   *shape.Index // of flashes
	outline geom.Box
}

func newLandFit(in *measure.Input, c *copper.Copper, l *copper.Layer) *landFit {
	f := &landFit{layer: l, outline: geom.EmptyBox()}
	for _, a := range in.Board.Outline.Areas {
		f.outline = f.outline.Union(a.Outer.Bounds())
	}
	var boxes []geom.Box
	for i := range l.Layer.Features {
		if g := &l.Layer.Features[i]; g.Kind == pcb.FlashFeature && !g.Clear {
			f.flashes = append(f.flashes, g.A)
			boxes = append(boxes, geom.BoxOf(g.A))
		}
	}
	f.index = shape.NewIndex(boxes).SetMeter(in.Meter)
	t := in.Drills()
	for i := range t.List {
		d := &t.List[i]
		if !needsLand(in, d) || !copper.Spans(d.Hole, l.Layer) || c.Holes[d.At] < 0 && !isTouched(c, d.Hole, d.Barrels) {
			continue
		}
		f.holes = append(f.holes, d)
		if !meets(l, d.Barrels) {
			f.bare = append(f.bare, d)
		}
	}
	return f
}

// needsLand reports whether a hole is a drilled, plated one away from the board's edge.
func needsLand(in *measure.Input, d *measure.Drilled) bool {
	return !d.Twice && d.Kind == pcb.DrillHole && d.Plating != pcb.NonPlated && d.Function != pcb.FuncMechanicalDrill &&
		d.Function != pcb.FuncCutOut && !in.Border().CutsHole(d)
}

// nearest gives the flash closest to a point, at most reach away.
func (f *landFit) nearest(p geom.Point, reach int64) (geom.Point, bool) {
	best, at := float64(reach), geom.Point{}
	ok := false
	f.index.Search(geom.BoxOf(p).Grow(reach), func(i int) bool {
		if d := f.flashes[i].Dist(p); d < best || d == best && !ok {
			best, at, ok = d, f.flashes[i], true
		}
		return true
	})
	return at, ok
}

// findShift gives the way by which nearly all lands lie beside their holes.
func (f *landFit) findShift() (geom.Point, bool) {
	var x, y []int64
	for _, d := range f.holes {
		if at, ok := f.nearest(d.A, widestShift); ok {
			x, y = append(x, at.X-d.A.X), append(y, at.Y-d.A.Y)
		}
	}
	if len(x) < fewestHoles || !isNearlyAll(len(x), len(f.holes)) {
		return geom.Point{}, false
	}
	off := geom.Pt(median(x), median(y))
	same := 0
	for i := range x {
		if geom.Pt(x[i], y[i]).Dist(off) <= float64(sameShift) {
			same++
		}
	}
	return off, isNearlyAll(same, len(x)) && off.Dist(geom.Point{}) >= float64(minShift)
}

// isNearlyAll reports whether n of all are four fifths or more.
func isNearlyAll(n, all int) bool { return 5*n >= 4*all }

func median(v []int64) int64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

// shift is the finding of lands that all lie beside their holes.
func (f *landFit) shift(off geom.Point) rule.Result {
	d := int64(math.Round(off.Dist(geom.Point{})))
	level := dfm.Warning
	if d >= harmfulShift {
		level = dfm.MustFix
	}
	var at rule.Places
	for _, h := range f.holes {
		at.AddUnmeasured(dfm.Place{Layer: f.layer.Layer.Name, At: h.A, To: h.A.Add(off), Value: d, Distance: true, Objects: [2]string{measure.HoleWords(h.Hole), "land"}})
	}
	r := rule.PlaceFinding(dfm.Registration, level, func(n int) string {
		return fmt.Sprintf("On %s the lands of %s lie %s beside them, all to the same side: holes and copper do not fit each other.", measure.LayerWords(f.layer.Layer), words.Plural(n, "plated hole"), words.MM(d))
	}, &at)
	for i := range r.Findings {
		r.Findings[i].Value = d
	}
	return r
}

// misfit is the finding of a layer on which hardly any hole has a land. Where a pour
// covers the layer, holes meet copper all the same: then it is one that fits mirrored only.
func (f *landFit) misfit() rule.Result {
	off, why, what := f.bare, "it may be moved, of another board, or lack its lands", "meet no copper on"
	switch bare := len(off) >= fewestHoles && isNearlyAll(len(off), len(f.holes)); {
	case bare && f.isMirrored():
		why = "it fits them when it is mirrored"
	case !bare:
		off, what = f.findLandless(), "lie on no land of"
		if len(off) < fewestHoles || !isNearlyAll(len(off), len(f.holes)) || !f.isMirrored() {
			return rule.Result{}
		}
		why = "it fits them when it is mirrored"
	}
	var at rule.Places
	for _, d := range off {
		p := place(d.Hole)
		p.Layer = f.layer.Layer.Name
		at.AddUnmeasured(p)
	}
	return rule.PlaceFinding(dfm.Registration, dfm.MustFix, func(n int) string {
		return fmt.Sprintf("%d of %d plated holes %s %s: %s.", n, len(f.holes), what, measure.LayerWords(f.layer.Layer), why)
	}, &at)
}

// findLandless gives the holes at whose middle nothing was flashed.
func (f *landFit) findLandless() []*measure.Drilled {
	var out []*measure.Drilled
	for _, d := range f.holes {
		if _, ok := f.nearest(d.A, minShift); !ok {
			out = append(out, d)
		}
	}
	return out
}

// isMirrored reports whether the layer's lands lie where the holes are once the layer
// is mirrored about the middle of the board, either way.
func (f *landFit) isMirrored() bool {
	box := f.outline
	if box.Empty() {
		for _, d := range f.holes {
			box = box.Union(d.Box)
		}
	}
	for _, flip := range []func(geom.Point) geom.Point{
		func(p geom.Point) geom.Point { return geom.Pt(box.Min.X+box.Max.X-p.X, p.Y) },
		func(p geom.Point) geom.Point { return geom.Pt(p.X, box.Min.Y+box.Max.Y-p.Y) },
	} {
		fits := 0
		for _, d := range f.holes {
			if _, ok := f.nearest(flip(d.A), minShift); ok {
				fits++
			}
		}
		if isNearlyAll(fits, len(f.holes)) {
			return true
		}
	}
	return false
}
