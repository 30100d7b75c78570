// Package holes makes the holes of a board of its drill programs: once each, where the pads
// are, plated or not.
package holes

import (
	"fmt"

	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/drills"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/places"
)

// A Drilling is a board whose drill programs were read. Make puts their holes on the board,
// and states in the files' reports what was made of them.
type Drilling struct {
	group.Upload
	*findings.List
	Meter    pcb.Meter
	Art      []*artwork.File
	Board    *pcb.Board // with its layers
	Programs []*drills.Program
}

// Make makes the holes. pads are the places of pads on the outer sides.
func (s Drilling) Make(pads []geom.Point) {
	s.markBackDrills()
	s.plateRest()
	s.leaveOlder(pads)
	s.findRepeats()
	s.askAboutOlder()
	s.shareOrigin(pads)
	for _, d := range s.Programs {
		s.addHoles(d)
	}
	s.readDrillArtwork()
	s.plateByPads()
}

// addHoles puts the holes of a program on the board.
func (s Drilling) addHoles(d *drills.Program) {
	f := d.Result
	f.Board = s.Board.Name
	if d.Repeats {
		return
	}
	d.Result.Use(s.Board.Name)
	base := pcb.Hole{From: int16(f.FromLayer), To: int16(f.ToLayer), File: int32(d.Index)}
	for _, h := range d.Hits {
		o := holeOf(d, base, h.Tool, h.Line)
		o.A, o.B = h.At, h.At
		s.Board.Holes = append(s.Board.Holes, o)
	}
	for _, slot := range d.Slots {
		o := holeOf(d, base, slot.Tool, slot.Line)
		o.A, o.B, o.Kind = slot.From, slot.To, pcb.SlotHole
		if slot.From.Dist(slot.To) <= roundSlot {
			o.A, o.B, o.Kind = slot.From.Mid(slot.To), slot.From.Mid(slot.To), pcb.DrillHole
		}
		s.Board.Holes = append(s.Board.Holes, o)
	}
	for _, p := range d.Paths {
		o := holeOf(d, base, p.Tool, p.Line)
		o.Kind, o.Path = pcb.RoutedHole, int32(len(s.Board.Routes))
		o.A, o.B = p.Points[0], p.Points[len(p.Points)-1]
		s.Board.Routes = append(s.Board.Routes, p.Path)
		s.Board.Holes = append(s.Board.Holes, o)
	}
}

// roundSlot is the longest way of a cutter that makes a round hole all the same: tools
// give round pads as slots whose ends differ in the last digits of a number, or by as
// much as a pad is longer than wide after rounding. The diameter of a drilled hole is
// held to no less than this, so nobody can tell such a slot from a hole.
const roundSlot = 50 * float64(geom.Micrometre)

// holeOf fills in what a hole has from its tool.
func holeOf(d *drills.Program, base pcb.Hole, tool, line int) pcb.Hole {
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
func (s Drilling) readDrillArtwork() {
	for _, w := range s.Art {
		l := w.Layer
		if l.Role != pcb.RoleDrill {
			continue
		}
		f := w.Result
		if len(s.Board.Holes) > 0 && s.drillsCover(l) {
			w.Result.LeaveAside("the drill files hold its holes too")
			continue
		}
		n := s.flashHoles(l, f.Plating, w.Index)
		if n == 0 {
			continue
		}
		s.Add(pcb.Finding{
			Code: "drill_as_gerber", Level: pcb.Note, File: f.Name, Count: n,
			Message: fmt.Sprintf("%d holes are given as Gerber flashes rather than as a drill program", n),
		})
	}
}

// drillsCover tells whether most flashes and strokes of a layer are holes already.
func (s Drilling) drillsCover(l *pcb.Layer) bool {
	taken := places.Holes{}
	for i := range s.Board.Holes {
		h := &s.Board.Holes[i]
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
func (s Drilling) flashHoles(l *pcb.Layer, plating pcb.Plating, file int) int {
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
		s.Board.Holes = append(s.Board.Holes, h)
		n++
	}
	return n
}
