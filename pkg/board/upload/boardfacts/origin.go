package boardfacts

import (
	"path"
	"strings"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// stateOrigin states tool, date and revision as the artwork's attributes give them.
func (s Reader) stateOrigin() {
	f := &s.Board.Facts
	for _, w := range s.Art {
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
	for _, d := range s.Programs {
		if d.Software != "" {
			f.Tool.Offer(pcb.State(d.Software, pcb.Source{File: d.Result.Name}, 0.7, "comment of the drill file"))
		}
	}
	s.findTool()
}

// findTool names the tool by what it leaves beside the artwork.
func (s Reader) findTool() {
	for _, r := range s.Set.Results {
		if !s.LiesBeside(r) {
			continue
		}
		src := pcb.Source{File: r.Name}
		switch r.Format {
		case classify.FormatExtRep, classify.FormatLayerPairs, classify.FormatDrillRep:
			if strings.EqualFold(path.Ext(r.Name), ".rep") {
				r.Used, r.Board = true, s.Board.Name
				break // of PADS
			}
			s.Board.Facts.Tool.Offer(pcb.State("Altium Designer", src, 0.6, "reports beside the artwork"))
			r.Used, r.Board = true, s.Board.Name
		case classify.FormatNCParam:
			s.Board.Facts.Tool.Offer(pcb.State("Cadence Allegro", src, 0.6, "parameter files beside the artwork"))
		}
	}
}

// takeRules takes over the limits that Altium exports beside the artwork.
func (s Reader) takeRules() {
	for i, r := range s.Set.Results {
		if r.Format != classify.FormatRules || !s.LiesBeside(r) {
			continue
		}
		s.Result(i).Use(s.Board.Name)
		for _, rule := range report.Rules(s.Files[i].Data) {
			switch rule.Kind {
			case "Clearance":
				s.Board.Rules.Clearance = rule.Minimum
			case "Width":
				s.Board.Rules.TrackWidth = rule.Minimum
			case "SolderMaskExpansion":
				s.Board.Rules.MaskExpansion = rule.Minimum
			case "MinimumAnnularRing":
				s.Board.Rules.AnnularRing = rule.Minimum
			}
		}
	}
}
