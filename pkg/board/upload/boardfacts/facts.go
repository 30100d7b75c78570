// Package boardfacts states what follows from the artwork and the drill programs of a board:
// counts and sizes, gold fingers, castellations, plating of the edge, tool, date and rules.
package boardfacts

import (
	"context"
	"fmt"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/drills"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/panel"
)

// A Reader states the facts of a board whose artwork and drill programs were read. It adds
// findings, and marks files beside the artwork as used.
type Reader struct {
	group.Upload
	*findings.List
	Meter    pcb.Meter
	Art      []*artwork.File
	Programs []*drills.Program
	Board    *pcb.Board
}

// State states what follows from the artwork and the drills.
func (s Reader) State(ctx context.Context) {
	s.countLayers()
	s.countHoles()
	s.stateOpenSpans()
	s.stateCastellatedDrills()
	Rim{Meter: s.Meter, Board: s.Board, Source: s.Source}.State(ctx)
	s.stateEdgePlating()
	s.measureTracks()
	panel.State(s.Meter, s.Art, s.Board)
	s.stateOrigin()
	s.takeRules()
}

// countLayers counts copper files; the numbers they carry may tell of more.
func (s Reader) countLayers() {
	n := s.Group.Layers
	if n == 0 {
		return
	}
	src := pcb.Source{}
	sure := 0.9
	for _, w := range s.Art {
		if w.Layer.Role == pcb.RoleCopper {
			src.File = w.Layer.File
			sure = min(sure, w.Result.Confidence+0.3)
		}
	}
	how := "counted copper files"
	if files := len(s.Board.Copper()); files < n {
		how = fmt.Sprintf("numbers of the copper files; only %d of %d layers are there", files, n)
		sure = min(sure, 0.7)
	}
	s.Board.Facts.CopperLayers.Offer(pcb.State(n, src, sure, how))
}

// countHoles counts holes and finds the smallest drill.
func (s Reader) countHoles() {
	b := s.Board
	if len(s.Programs) == 0 && len(b.Holes) == 0 {
		return
	}
	plated, bare, open, slots := 0, 0, 0, 0
	var smallest *pcb.Hole
	contained := shape.FindContained(b, s.Meter)
	for i := range b.Holes {
		h := &b.Holes[i]
		if h.Function == pcb.FuncBackDrill { // counted where it lies
			continue
		}
		switch h.Plating {
		case pcb.Plated:
			plated++
		case pcb.NonPlated:
			bare++
		default:
			open++
		}
		if h.Kind != pcb.DrillHole {
			slots++
		} else if h.Diameter > 0 && !contained[i] && (smallest == nil || h.Diameter < smallest.Diameter) {
			smallest = h
		}
		if n := s.Group.Layers; n > 0 && !h.IsThrough(n) {
			b.Facts.BlindVias.Offer(pcb.State(true, s.Source(h), 0.9, "a drill file spans some of the layers only"))
		}
	}
	src := pcb.Source{}
	if len(b.Holes) > 0 {
		src = s.Source(&b.Holes[0])
	}
	const how = "counted in the drill files"
	b.Facts.PlatedHoles.Offer(pcb.State(plated, src, 0.9, how))
	b.Facts.NonPlatedHoles.Offer(pcb.State(bare, src, 0.9, how))
	b.Facts.UnknownHoles.Offer(pcb.State(open, src, 0.9, how))
	b.Facts.Slots.Offer(pcb.State(slots, src, 0.9, how))
	if smallest != nil {
		b.Facts.MinDrill.Offer(pcb.State(smallest.Diameter, s.Source(smallest), 0.9, "smallest drill of the drill files"))
	}
}

// stateOpenSpans tells of blind, buried or micro vias that reports state and no drill file is
// known to hold: the board has them all the same.
func (s Reader) stateOpenSpans() {
	for _, o := range s.Group.OpenSpans {
		s.Board.Facts.BlindVias.Offer(pcb.State(true, pcb.Source{File: o.Source}, 0.8, "a report states spans of some of the layers"))
		s.Say(pcb.Warning, "drill_span", o.Source, "the report states %q, holes that end within the board, and nothing tells which drill file holds them or which layers these are: holes of drill files without a span were judged as through the whole board; upload it with both layers in its name, such as L1-L2.drl, or say in special_notes which file it is and which layers it joins", o.Span)
	}
}

// stateCastellatedDrills takes the word of drill files that are called castellated.
func (s Reader) stateCastellatedDrills() {
	if len(s.Board.Outline.Areas) == 0 {
		return
	}
	for _, d := range s.Programs {
		if r := d.Result; r.IsCastellated() && d.Holes() > 0 {
			s.Board.Facts.Castellations.Offer(pcb.State(true, pcb.Source{File: r.Name}, 0.9, "name of the drill file"))
		}
	}
}

// measureTracks finds the narrowest line of the copper.
func (s Reader) measureTracks() {
	var width int64
	var src pcb.Source
	for _, l := range s.Board.Copper() {
		for i := range l.Features {
			f := &l.Features[i]
			s.offerCastellation(l, f)
			if f.Clear || f.Function == pcb.FuncNonConductor || f.Function == pcb.FuncProfile || f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature {
				continue
			}
			if w := l.Width(f); w >= 25*geom.Micrometre && (width == 0 || w < width) && f.A != f.B {
				width, src = w, pcb.Source{File: l.File, Line: int(f.Line)}
			}
		}
	}
	if width > 0 {
		s.Board.Facts.MinTrack.Offer(pcb.State(width, src, 0.5, "narrowest line drawn on copper"))
	}
}

// offerCastellation takes the word of pads that say they are castellated. Those that say
// they are connector pads need a row at the edge to be gold fingers: tools give
// that function to test points as well.
func (s Reader) offerCastellation(l *pcb.Layer, f *pcb.Feature) {
	if f.Function == pcb.FuncCastellatedPad {
		s.Board.Facts.Castellations.Offer(pcb.State(true, pcb.Source{File: l.File, Line: int(f.Line)}, 0.95, "castellated pads"))
	}
}
