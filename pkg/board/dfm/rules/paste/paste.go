// Package paste judges the openings of the solder-paste stencil: whether what they print
// meets a pad, and whether they let go of it.
package paste

import (
	"context"
	"fmt"
	"math"
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// Openings judges the openings of both stencils.
var Openings = rule.Rule{Judges: []dfm.Name{dfm.PasteRelease, dfm.PasteOnMask}, Run: openings}

// stencil is the thickness that assemblers use for fine parts; leastRatio is what the area
// of an opening must be of that of its walls for paste to stay on the pad: IPC-7525.
const (
	stencil    = 100 * geom.Micrometre
	leastRatio = 0.66
)

func openings(ctx context.Context, in *measure.Input) rule.Result {
	var r rule.Result
	var small, stray rule.Places
	least := math.Inf(1)
	for _, l := range in.Board.Find(pcb.RolePaste, pcb.NoSide) {
		if ctx.Err() != nil {
			break
		}
		d := measure.NewDrawnLayer(ctx, l, nil)
		if l.Negative || d.Clears != nil {
			r.Unchecked = append(r.Unchecked, fmt.Sprintf("openings of the stencil: the file of %s erases, so what it opens is not certain", measure.LayerWords(l)))
			continue
		}
		list := group(d)
		if border := in.Border(); !border.IsEmpty() {
			list = slices.DeleteFunc(list, func(o opening) bool { return !border.Contains(o.box.Centre()) }) // titles and frames
		}
		for i := range list {
			if ratio := list[i].ratio(); ratio < leastRatio {
				small.AddUnmeasured(list[i].place(l))
				least = min(least, ratio)
			}
		}
		if side := sideOf(in, l.Side); side != nil {
			r.Add(strayFrom(side, d, list, &stray))
		}
	}
	r.Add(rule.PlaceFinding(dfm.PasteRelease, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s %s so small that solder paste sticks to the walls: the area ratio is %.2f at the least in a stencil of %s, and IPC-7525 wants %.2f.",
			count(n), words.Be(n), least, words.MM(stencil), leastRatio)
	}, &small))
	r.Add(rule.PlaceFinding(dfm.PasteOnMask, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s %s solder paste on solder mask, where there is no pad: it becomes balls of solder.", count(n), words.Inflect(n, "puts", "put"))
	}, &stray))
	return r
}

func count(n int) string { return words.Plural(n, "opening") + " of the stencil" }

// sideOf gives the side of the board that a stencil prints on; nil where its mask is unknown
// or may be another layer.
func sideOf(in *measure.Input, s pcb.Side) *measure.Side {
	for _, f := range in.Sides() {
		if f.Face == s && !f.Doubtful {
			return f
		}
	}
	return nil
}

// An opening is what one feature opens.
type opening struct {
	box    geom.Box
	shapes []shape.Shape
	apart  bool // no other feature adds to it
}

func (o *opening) place(l *pcb.Layer) dfm.Place {
	c := o.box.Centre()
	return dfm.Place{Layer: l.Name, At: c, To: c}
}

// group gives the openings of a stencil.
func group(d *measure.DrawnLayer) []opening {
	var out []opening
	for i := range d.Shapes {
		if i == 0 || d.Features[i] != d.Features[i-1] {
			out = append(out, opening{box: geom.EmptyBox(), apart: true})
		}
		o := &out[len(out)-1]
		o.shapes = append(o.shapes, d.Shapes[i])
		o.box = o.box.Union(d.Boxes[i])
	}
	at := 0
	for k := range out {
		own := d.Features[at]
		d.Index.Search(out[k].box, func(j int) bool {
			out[k].apart = d.Features[j] == own
			return out[k].apart
		})
		at += len(out[k].shapes)
	}
	return out
}

// ratio is the area of the opening by that of its walls. One that is made of several
// shapes counts as their box, which is less by 7 percent at most where corners are round;
// one that other features add to is not known and passes.
func (o *opening) ratio() float64 {
	if !o.apart {
		return math.Inf(1)
	}
	w, h := float64(o.box.Width()), float64(o.box.Height())
	area, around := w*h, 2*(w+h)
	const round = 1.07
	if s := &o.shapes[0]; len(o.shapes) > 1 {
		area *= round
	} else if p := s.Polygon(); s.IsArea() {
		area, around = math.Abs(p.Area()), p.Outer.Length()
		for _, hole := range p.Holes {
			around += hole.Length()
		}
	} else {
		long := s.Edge().Len()
		area, around = s.Width()*long+math.Pi*s.Width()*s.Width()/4, 2*long+math.Pi*s.Width()
	}
	if around == 0 {
		return math.Inf(1)
	}
	return area / (around * float64(stencil))
}

// strayFrom adds the openings that print where there is neither a pad nor an opening of the
// mask. Where that is most of them, the stencil is not of this side.
func strayFrom(f *measure.Side, d *measure.DrawnLayer, list []opening, stray *rule.Places) rule.Result {
	const fewest = 10
	var here []dfm.Place
	for i := range list {
		if !list[i].meets(f.Openings) && !list[i].meets(f.Pads) {
			here = append(here, list[i].place(d.Layer))
		}
	}
	if n := len(here); n >= fewest && 2*n > len(list) {
		return rule.LayerFinding(dfm.PasteOnMask, dfm.Warning, n, []string{d.Layer.Name},
			"The stencil of the %s side, %s, mostly prints where there is no pad (%d of %d openings): it may be of another board or another side.",
			f.Face, measure.LayerWords(d.Layer), n, len(list))
	}
	for _, p := range here {
		stray.AddUnmeasured(p)
	}
	return rule.Result{}
}

// meets reports whether an opening of the stencil touches anything that a layer draws.
func (o *opening) meets(d *measure.DrawnLayer) (met bool) {
	for i := range o.shapes {
		s := &o.shapes[i]
		d.Index.Search(s.Bounds(), func(j int) bool {
			_, _, _, met = s.DistWithin(&d.Shapes[j], 0)
			return !met
		})
		if met {
			return true
		}
	}
	return false
}
