package upload

import (
	"fmt"

	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/places"
)

// addHoles puts the holes of a program on the board.
func (a *assembly) addHoles(d *drill) {
	f := d.Result
	f.Board = a.board.Name
	if d.repeats {
		return
	}
	d.Result.Use(a.board.Name)
	base := pcb.Hole{From: int16(f.FromLayer), To: int16(f.ToLayer), File: int32(d.Index)}
	for _, h := range d.Hits {
		o := d.hole(base, h.Tool, h.Line)
		o.A, o.B = h.At, h.At
		a.board.Holes = append(a.board.Holes, o)
	}
	for _, s := range d.Slots {
		o := d.hole(base, s.Tool, s.Line)
		o.A, o.B, o.Kind = s.From, s.To, pcb.SlotHole
		if s.From.Dist(s.To) <= roundSlot {
			o.A, o.B, o.Kind = s.From.Mid(s.To), s.From.Mid(s.To), pcb.DrillHole
		}
		a.board.Holes = append(a.board.Holes, o)
	}
	for _, p := range d.Paths {
		o := d.hole(base, p.Tool, p.Line)
		o.Kind, o.Path = pcb.RoutedHole, int32(len(a.board.Routes))
		o.A, o.B = p.Points[0], p.Points[len(p.Points)-1]
		a.board.Routes = append(a.board.Routes, p.Path)
		a.board.Holes = append(a.board.Holes, o)
	}
}

// roundSlot is the longest way of a cutter that makes a round hole all the same: tools
// give round pads as slots whose ends differ in the last digits of a number, or by as
// much as a pad is longer than wide after rounding. The diameter of a drilled hole is
// held to no less than this, so nobody can tell such a slot from a hole.
const roundSlot = 50 * float64(geom.Micrometre)

// hole fills in what a hole has from its tool.
func (d *drill) hole(base pcb.Hole, tool, line int) pcb.Hole {
	t := d.Tools[tool]
	base.Diameter, base.Plating, base.Tool, base.Line = t.Diameter, t.Plating, int32(t.Number), int32(line)
	if base.Plating == pcb.MixedPlating {
		base.Plating = pcb.PlatingUnknown
	}
	base.Function = drillFunction(t)
	return base
}

func drillFunction(t excellon.Tool) pcb.Function {
	switch t.Function {
	case "ViaDrill":
		return pcb.FuncViaDrill
	case "ComponentDrill":
		return pcb.FuncComponentDrill
	case "MechanicalDrill":
		return pcb.FuncMechanicalDrill
	case "BackDrill":
		return pcb.FuncBackDrill
	case "Slot":
		return pcb.FuncSlot
	case "CutOut":
		return pcb.FuncCutOut
	}
	return pcb.FuncUnknown
}

// readDrillArtwork takes holes from Gerber files that flash them, where no NC
// program holds them.
func (a *assembly) readDrillArtwork() {
	for _, w := range a.art {
		l := w.Layer
		if l.Role != pcb.RoleDrill {
			continue
		}
		f := w.Result
		if len(a.board.Holes) > 0 && a.drillsCover(l) {
			w.Result.LeaveAside("the drill files hold its holes too")
			continue
		}
		n := a.flashHoles(l, f.Plating, w.Index)
		if n == 0 {
			continue
		}
		a.Add(pcb.Finding{
			Code: "drill_as_gerber", Level: pcb.Note, File: f.Name, Count: n,
			Message: fmt.Sprintf("%d holes are given as Gerber flashes rather than as a drill program", n),
		})
	}
}

// drillsCover tells whether most flashes and strokes of a layer are holes already.
func (a *assembly) drillsCover(l *pcb.Layer) bool {
	taken := places.Holes{}
	for i := range a.board.Holes {
		h := &a.board.Holes[i]
		m := h.A.Mid(h.B)
		taken.Add(places.Hole{X: m.X, Y: m.Y}, 0, 0)
	}
	n, in := 0, 0
	for i := range l.Features {
		f := &l.Features[i]
		if f.Clear || f.Kind != pcb.FlashFeature && f.Kind != pcb.LineFeature {
			continue
		}
		m := f.A
		if f.Kind == pcb.LineFeature {
			m = f.A.Mid(f.B)
		}
		n++
		if taken.Has(places.Hole{X: m.X, Y: m.Y}, 0, 0) {
			in++
		}
	}
	return n > 0 && in*10 >= n*9
}

// flashHoles makes holes of round flashes and slots of long ones and of
// strokes.
func (a *assembly) flashHoles(l *pcb.Layer, plating pcb.Plating, file int) int {
	n := 0
	for i := range l.Features {
		f := &l.Features[i]
		if f.Clear || f.Kind == pcb.RegionFeature || f.Kind == pcb.ArcFeature {
			continue
		}
		h := pcb.Hole{
			A: f.A, B: f.A, Diameter: l.Width(f), Plating: plating, File: int32(file), Line: f.Line, Function: f.Function,
			From: int16(l.FromLayer), To: int16(l.ToLayer), Net: f.Net, Pin: f.Pin,
		}
		if f.Kind == pcb.LineFeature {
			h.B, h.Kind = f.B, pcb.SlotHole
		} else if ap := l.Aperture(f); ap.Kind == pcb.ObroundShape && ap.X != ap.Y {
			s := ap.Primitives[0].Place(l.Place(f))
			h.A, h.B, h.Kind, h.Diameter = s.A, s.B, pcb.SlotHole, 2*s.Radius
		}
		a.board.Holes = append(a.board.Holes, h)
		n++
	}
	return n
}
