package upload

import (
	"fmt"
	"path"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/panel"
	"boardorder/pkg/board/upload/places"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// facts states what follows from the artwork and the drills.
func (a *assembly) facts() {
	a.layerCount()
	a.holeFacts()
	a.openSpans()
	a.castellations()
	a.edgeConnector()
	a.offerEdgePlating()
	a.trackFacts()
	panel.State(a.meter, a.art, a.board)
	a.origin()
	a.designRules()
}

// layerCount counts copper files; the numbers they carry may tell of more.
func (a *assembly) layerCount() {
	n := a.Group.Layers
	if n == 0 {
		return
	}
	src := pcb.Source{}
	sure := 0.9
	for _, w := range a.art {
		if w.Layer.Role == pcb.RoleCopper {
			src.File = w.Layer.File
			sure = min(sure, w.Result.Confidence+0.3)
		}
	}
	how := "counted copper files"
	if files := len(a.board.Copper()); files < n {
		how = fmt.Sprintf("numbers of the copper files; only %d of %d layers are there", files, n)
		sure = min(sure, 0.7)
	}
	a.board.Facts.CopperLayers.Offer(pcb.State(n, src, sure, how))
}

// holeFacts counts holes and finds the smallest drill.
func (a *assembly) holeFacts() {
	b := a.board
	if len(a.drills) == 0 && len(b.Holes) == 0 {
		return
	}
	plated, bare, open, slots := 0, 0, 0, 0
	var smallest *pcb.Hole
	swallowed := shape.FindSwallowed(b, a.meter)
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
		} else if h.Diameter > 0 && !swallowed[i] && (smallest == nil || h.Diameter < smallest.Diameter) {
			smallest = h
		}
		if n := a.Group.Layers; n > 0 && !h.IsThrough(n) {
			b.Facts.BlindVias.Offer(pcb.State(true, a.Source(h), 0.9, "a drill file spans some of the layers only"))
		}
	}
	src := pcb.Source{}
	if len(b.Holes) > 0 {
		src = a.Source(&b.Holes[0])
	}
	const how = "counted in the drill files"
	b.Facts.PlatedHoles.Offer(pcb.State(plated, src, 0.9, how))
	b.Facts.NonPlatedHoles.Offer(pcb.State(bare, src, 0.9, how))
	b.Facts.UnknownHoles.Offer(pcb.State(open, src, 0.9, how))
	b.Facts.Slots.Offer(pcb.State(slots, src, 0.9, how))
	if smallest != nil {
		b.Facts.MinDrill.Offer(pcb.State(smallest.Diameter, a.Source(smallest), 0.9, "smallest drill of the drill files"))
	}
}

// openSpans tells of blind, buried or micro vias that reports state and no drill file is
// known to hold: the board has them all the same.
func (a *assembly) openSpans() {
	for _, s := range a.Group.OpenSpans {
		a.board.Facts.BlindVias.Offer(pcb.State(true, pcb.Source{File: s.Source}, 0.8, "a report states spans of some of the layers"))
		a.Say(pcb.Warning, "drill_span", s.Source, "the report states %q, holes that end within the board, and nothing tells which drill file holds them or which layers these are: holes of drill files without a span were judged as through the whole board; upload it with both layers in its name, such as L1-L2.drl, or say in special_notes which file it is and which layers it joins", s.Span)
	}
}

// castellations finds plated holes with pads that the outline cuts through. One
// may be a slip; several are meant.
func (a *assembly) castellations() {
	b := a.board
	if len(b.Outline.Areas) == 0 {
		return
	}
	for _, d := range a.drills {
		if r := d.Result; r.IsCastellated() && d.Holes() > 0 {
			b.Facts.Castellations.Offer(pcb.State(true, pcb.Source{File: r.Name}, 0.9, "name of the drill file"))
		}
	}
	edges := places.NewEdges(b.Outline, a.meter)
	sizes := places.PadSizesOf(a.board.Copper())
	n := 0
	var first *pcb.Hole
	for i := range b.Holes {
		h := &b.Holes[i]
		if h.Plating != pcb.Plated || h.Kind != pcb.DrillHole || h.Diameter == 0 || sizes.SizeAt(h.A) <= h.Diameter {
			continue
		}
		if edges.ComeWithin(h.A, float64(h.Diameter)*0.4) {
			if n++; first == nil {
				first = h
			}
		}
	}
	switch {
	case n > 3:
		b.Facts.Castellations.Offer(pcb.State(true, a.Source(first), 0.85, "plated holes lie on the edge of the board"))
	case n > 1:
		b.Facts.Castellations.Offer(pcb.State(true, a.Source(first), 0.5, "a few plated holes lie on the edge of the board"))
	}
}

// trackFacts finds the narrowest line of the copper.
func (a *assembly) trackFacts() {
	var width int64
	var src pcb.Source
	for _, l := range a.board.Copper() {
		for i := range l.Features {
			f := &l.Features[i]
			a.offerCastellation(l, f)
			if f.Clear || f.Function == pcb.FuncNonConductor || f.Function == pcb.FuncProfile || f.Kind != pcb.LineFeature && f.Kind != pcb.ArcFeature {
				continue
			}
			if w := l.Width(f); w >= 25*geom.Micrometre && (width == 0 || w < width) && f.A != f.B {
				width, src = w, pcb.Source{File: l.File, Line: int(f.Line)}
			}
		}
	}
	if width > 0 {
		a.board.Facts.MinTrack.Offer(pcb.State(width, src, 0.5, "narrowest line drawn on copper"))
	}
}

// offerCastellation takes the word of pads that say they are castellated. Those that say
// they are connector pads need a row at the edge to be gold fingers: tools give
// that function to test points as well.
func (a *assembly) offerCastellation(l *pcb.Layer, f *pcb.Feature) {
	if f.Function == pcb.FuncCastellatedPad {
		a.board.Facts.Castellations.Offer(pcb.State(true, pcb.Source{File: l.File, Line: int(f.Line)}, 0.95, "castellated pads"))
	}
}

// origin states tool, date and revision as the artwork's attributes give them.
func (a *assembly) origin() {
	f := &a.board.Facts
	for _, w := range a.art {
		src := pcb.Source{File: w.Layer.File}
		if v := w.Attribute(".GenerationSoftware"); len(v) > 0 {
			f.Tool.Offer(pcb.State(strings.TrimSpace(strings.Join(v, " ")), src, 0.8, "attribute of the artwork"))
		}
		if v := w.Attribute(".CreationDate"); len(v) > 0 {
			f.Date.Offer(pcb.State(v[0], src, 0.8, "attribute of the artwork"))
		}
		if v := w.Attribute(".ProjectId"); len(v) > 2 && v[2] != "rev?" {
			f.Revision.Offer(pcb.State(v[2], src, 0.8, "attribute of the artwork"))
		}
	}
	for _, d := range a.drills {
		if d.Software != "" {
			f.Tool.Offer(pcb.State(d.Software, pcb.Source{File: d.Result.Name}, 0.7, "comment of the drill file"))
		}
	}
	a.toolByReports()
}

// toolByReports names the tool by what it leaves beside the artwork.
func (a *assembly) toolByReports() {
	for _, r := range a.Set.Results {
		if !a.LiesBeside(r) {
			continue
		}
		src := pcb.Source{File: r.Name}
		switch r.Format {
		case classify.FormatExtRep, classify.FormatLayerPairs, classify.FormatDrillRep:
			if strings.EqualFold(path.Ext(r.Name), ".rep") {
				r.Used, r.Board = true, a.board.Name
				break // of PADS
			}
			a.board.Facts.Tool.Offer(pcb.State("Altium Designer", src, 0.6, "reports beside the artwork"))
			r.Used, r.Board = true, a.board.Name
		case classify.FormatNCParam:
			a.board.Facts.Tool.Offer(pcb.State("Cadence Allegro", src, 0.6, "parameter files beside the artwork"))
		}
	}
}

// designRules takes over the limits that Altium exports beside the artwork.
func (a *assembly) designRules() {
	for i, r := range a.Set.Results {
		if r.Format != classify.FormatRules || !a.LiesBeside(r) {
			continue
		}
		a.Result(i).Use(a.board.Name)
		for _, rule := range report.Rules(a.Files[i].Data) {
			switch rule.Kind {
			case "Clearance":
				a.board.Rules.Clearance = rule.Minimum
			case "Width":
				a.board.Rules.TrackWidth = rule.Minimum
			case "SolderMaskExpansion":
				a.board.Rules.MaskExpansion = rule.Minimum
			case "MinimumAnnularRing":
				a.board.Rules.AnnularRing = rule.Minimum
			}
		}
	}
}
