package hole

import (
	"context"
	"fmt"
	"strings"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// ViaInPad finds open vias under what is soldered.
var ViaInPad = rule.Rule{Judges: []dfm.Name{dfm.ViaInPad}, Run: viasInPads}

// viasInPads finds open vias under pads that parts are soldered to: solder runs
// down them. Under the large pads that take heat away they are usual.
func viasInPads(ctx context.Context, in *measure.Input) rule.Result {
	if viasFilled(in) {
		return rule.Result{}
	}
	c, err := in.Copper()
	if err != nil {
		return rule.Unknown(dfm.ViaInPad, err)
	}
	t := in.Drills()
	var small, large rule.Places
	for _, l := range c.Layers {
		if !l.Outer {
			continue
		}
		paste := pasteOf(ctx, in, l.Layer.Side)
		for i := range t.List {
			d := &t.List[i]
			if d.Twice || d.Lead() || c.Holes[d.At] < 0 || !copper.Spans(d.Hole, l.Layer) || in.Border().CutsHole(d) {
				continue
			}
			item, ok := padOver(in, l, d, paste)
			if !ok {
				continue
			}
			p := in.PlaceBeside(l, item, "via", d.A, d.A, float64(d.Diameter))
			p.Distance = false
			if wideAround(l, item, d) {
				large.AddUnmeasured(p)
			} else {
				small.AddUnmeasured(p)
			}
		}
	}
	r := rule.PlaceFinding(dfm.ViaInPad, dfm.Warning, func(n int) string {
		return fmt.Sprintf("%s open in pads for soldering: unless %s filled and capped, solder runs away from the joint.", words.Plural(n, "via")+" "+words.Be(n), words.SubjectVerb(n))
	}, &small)
	r.Add(rule.PlaceFinding(dfm.ViaInPad, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s open in large pads: usual where heat is taken away, but some solder runs through.", words.Plural(n, "via")+" "+words.Be(n))
	}, &large))
	return r
}

// viasFilled reports whether the files ask for vias that are filled and capped.
func viasFilled(in *measure.Input) bool {
	f := in.Board.Facts.ViaProcess
	s := strings.ToLower(f.Value)
	return f.IsStated() && (strings.Contains(s, "fill") || strings.Contains(s, "cap") || strings.Contains(s, "vii"))
}

// pasteOf is what the stencil of a side opens; nil when there is no stencil.
func pasteOf(ctx context.Context, in *measure.Input, s pcb.Side) *measure.DrawnLayer {
	for _, l := range in.Board.Find(pcb.RolePaste, s) {
		if measure.IsDrawn(l) && !l.Negative {
			return measure.NewDrawnLayer(ctx, l, nil)
		}
	}
	return nil
}

// padOver is the pad for soldering that a via lies in, the largest where there are
// several: stated to be one, or one that the stencil puts paste on.
func padOver(in *measure.Input, l *copper.Layer, d *measure.Drilled, paste *measure.DrawnLayer) (item int, ok bool) {
	widest := int64(-1)
	l.Index.Search(geom.BoxOf(d.A), func(i int) bool {
		s := &l.Items[i].Shape
		if !measure.IsPadItem(l, i) || !s.Contains(d.A) || !takesSolder(l.FeatureOf(i), paste) {
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
func takesSolder(f *pcb.Feature, paste *measure.DrawnLayer) bool {
	switch f.Function {
	case pcb.FuncSMDPad, pcb.FuncSMDPadMask, pcb.FuncBGAPad, pcb.FuncBGAPadMask, pcb.FuncHeatsinkPad:
		return true
	case pcb.FuncUnknown, pcb.FuncOther:
		return paste != nil && hasPaste(paste, f.A)
	}
	return false
}

func hasPaste(paste *measure.DrawnLayer, at geom.Point) bool {
	found := false
	at0 := shape.Circle(at, 0)
	paste.VisitNear(&at0, 0, func(i int) {
		if !found && paste.Shapes[i].Contains(at) && paste.Dark(i, at) {
			found = true
		}
	})
	return found
}

// wideAround reports whether a pad is so large that its solder does not miss what runs
// into a via.
func wideAround(l *copper.Layer, item int, d *measure.Drilled) bool {
	const large = 1500 * geom.Micrometre
	b := l.Items[item].Shape.Bounds()
	return l.Items[item].Function == pcb.FuncHeatsinkPad || min(b.Width(), b.Height()) >= max(large, 4*d.Diameter)
}
