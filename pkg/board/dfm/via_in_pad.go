package dfm

import (
	"context"
	"fmt"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// viasInPads finds open vias under pads that parts are soldered to: solder runs
// down them. Under the large pads that take heat away they are usual.
func viasInPads(ctx context.Context, in *input) result {
	if in.viasFilled() {
		return result{}
	}
	c, err := in.copper()
	if err != nil {
		return unknown(ViaInPad, err)
	}
	t := in.drills()
	var small, large places
	for _, l := range c.Layers {
		if !l.Outer {
			continue
		}
		paste := in.pasteOf(ctx, l.Layer.Side)
		for i := range t.list {
			d := &t.list[i]
			if d.twice || d.lead() || c.Holes[d.i] < 0 || !copper.Spans(d.Hole, l.Layer) || in.border().cutsHole(d) {
				continue
			}
			item, ok := in.padOver(l, d, paste)
			if !ok {
				continue
			}
			p := in.beside(l, item, "via", d.A, d.A, float64(d.Diameter))
			p.Distance = false
			if wideAround(l, item, d) {
				large.at(p)
			} else {
				small.at(p)
			}
		}
	}
	r := found(ViaInPad, Warning, func(n int) string {
		return fmt.Sprintf("%s open in pads for soldering: unless %s filled and capped, solder runs away from the joint.", plural(n, "via")+" "+be(n), these(n))
	}, &small)
	r.add(found(ViaInPad, Note, func(n int) string {
		return fmt.Sprintf("%s open in large pads: usual where heat is taken away, but some solder runs through.", plural(n, "via")+" "+be(n))
	}, &large))
	return r
}

func these(n int) string {
	if n == 1 {
		return "it is"
	}
	return "they are"
}

// viasFilled tells whether the files ask for vias that are filled and capped.
func (in *input) viasFilled() bool {
	f := in.board.Facts.ViaProcess
	s := strings.ToLower(f.Value)
	return f.Stated() && (strings.Contains(s, "fill") || strings.Contains(s, "cap") || strings.Contains(s, "vii"))
}

// pasteOf is what the stencil of a side opens; nil when there is no stencil.
func (in *input) pasteOf(ctx context.Context, s board.Side) *sheet {
	for _, l := range in.board.Find(board.RolePaste, s) {
		if drawn(l) && !l.Negative {
			return newSheet(ctx, l, nil)
		}
	}
	return nil
}

// padOver is the pad for soldering that a via lies in, the largest where there are
// several: stated to be one, or one that the stencil puts paste on.
func (in *input) padOver(l *copper.Layer, d *drilled, paste *sheet) (item int, ok bool) {
	widest := int64(-1)
	l.Index.Search(geom.Bound(d.A), func(i int) bool {
		s := &l.Items[i].Shape
		if !isPadItem(l, i) || !s.Contains(d.A) || !takesSolder(l.DrawnAs(i), paste) {
			return true
		}
		b := s.Bounds()
		if w := min(b.Width(), b.Height()); w > widest {
			item, ok, widest = i, true, w
		}
		return true
	})
	return item, ok
}

// takesSolder reports whether something is soldered to a pad. Paste shows that it is,
// also where a via lies in its middle.
func takesSolder(f *board.Feature, paste *sheet) bool {
	switch f.Function {
	case board.FuncSMDPad, board.FuncSMDPadMask, board.FuncBGAPad, board.FuncBGAPadMask, board.FuncHeatsinkPad:
		return true
	case board.FuncUnknown, board.FuncOther:
		return paste != nil && pasted(paste, f.A)
	}
	return false
}

func pasted(paste *sheet, at geom.Point) bool {
	found := false
	at0 := shape.Circle(at, 0)
	paste.near(&at0, 0, func(i int) {
		if !found && paste.shapes[i].Contains(at) && paste.dark(i, at) {
			found = true
		}
	})
	return found
}

// wideAround tells whether a pad is so large that its solder does not miss what runs
// into a via.
func wideAround(l *copper.Layer, item int, d *drilled) bool {
	const large = 1500 * geom.Micrometre
	b := l.Items[item].Shape.Bounds()
	return l.Items[item].Function == board.FuncHeatsinkPad || min(b.Width(), b.Height()) >= max(large, 4*d.Diameter)
}
