package upload

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/format/ipc356"
	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/notes"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// Codes of what is said of holes that no file drills.
const (
	drillMissing = "drill_missing"
	holesDenied  = "holes_denied"
)

// drillsMissing tells of a board without drill file. Where something speaks for holes the
// file is asked for and nothing else: a board that is sold without its holes is scrap. Pads
// that are opposite each other, which test points are too, are asked about later.
func (a *assembly) drillsMissing() {
	evidence := a.holeEvidence()
	denied := a.said != nil && a.said.NoHoles
	switch {
	case denied && evidence != "":
		a.Say(pcb.Warning, holesDenied, "", "the request says that the board has no holes, though %s: make sure that none are to be drilled", evidence)
	case evidence != "":
		a.Say(pcb.Problem, drillMissing, "", "there is no drill file, though %s: upload it too (such as .drl, .xln or .txt); without it no holes would be made", evidence)
	case denied, a.countLands(a.board).lack(a.board):
	default:
		a.Say(pcb.Warning, drillMissing, "", "there is no drill file, so no holes would be made: send it (such as .drl, .xln or .txt), or say with file_answers.no_holes that the board has none")
		a.Ask(answers.ZeroHoles())
	}
}

// holeEvidence says what speaks for holes that no file drills, as a clause; "" for nothing.
func (a *assembly) holeEvidence() string {
	for i, r := range a.Set.Results {
		if !a.LiesBeside(r) || r.Backup {
			continue
		}
		if s := a.holesByFile(i, r); s != "" {
			return s
		}
	}
	return a.holesByCopper()
}

var drillName = pattern.Lazy(`(?i)[\w+-][\w.+-]*\.(?:drl|xln|exc|drd|ncd)\b`)

// holesByFile says what a file beside the artwork tells of holes.
func (a *assembly) holesByFile(i int, r *classify.Result) string {
	name, data := group.BaseName(r.Name), a.Files[i].Data
	switch r.Format {
	case classify.FormatTape:
		return fmt.Sprintf("%q is a drill program, in the code of punched tape, which is not read", name)
	case classify.FormatJob:
		for _, f := range a.Set.Jobs[i].Files {
			if w, ok := classify.Function(f.Function); ok && w.Role == pcb.RoleDrill {
				return fmt.Sprintf("the job file %q lists the drill file %q", name, path.Base(f.Path))
			}
		}
	case classify.FormatDrillRep:
		n := 0
		for _, d := range report.Drills(data) {
			n += d.Count
		}
		if n > 0 {
			return fmt.Sprintf("the drill report %q counts %d holes", name, n)
		}
	case classify.FormatNetlist:
		n := 0
		for _, p := range ipc356.Read(data).Points {
			if p.Diameter > 0 {
				n++
			}
		}
		if n > 0 {
			return fmt.Sprintf("the netlist %q has %d holes", name, n)
		}
	case classify.FormatReadme, classify.FormatText:
		if len(data) > notes.MaxLoose {
			return ""
		}
		if m := drillName().Find(data); m != nil && !a.hasFile(string(m)) {
			return fmt.Sprintf("%q names the drill file %q", name, m)
		}
	case classify.FormatUnknown:
		if len(data) > 0 && drillName().MatchString(name) {
			return fmt.Sprintf("%q is a drill file by its name, which was not understood", name)
		}
	}
	return ""
}

// hasFile tells whether a file of that name is among those of the upload.
func (a *assembly) hasFile(name string) bool {
	return slices.ContainsFunc(a.Set.Results, func(r *classify.Result) bool { return strings.EqualFold(group.BaseName(r.Name), name) })
}

// holesByCopper says what the copper tells of holes: pads that are drawn with them, pads
// that state to be of vias or of leads, copper that only vias reach.
func (a *assembly) holesByCopper() string {
	drawn, stated, reached := 0, 0, 0
	for _, l := range a.board.Copper() {
		for i := range l.Features {
			f := &l.Features[i]
			if f.Clear {
				continue
			}
			if l.Side == pcb.Inner {
				reached++
			}
			if f.Kind != pcb.FlashFeature {
				continue
			}
			if l.Apertures[f.Shape].HoleX > 0 {
				drawn++
			}
			if f.Function == pcb.FuncViaPad || f.Function == pcb.FuncComponentPad {
				stated++
			}
		}
	}
	switch {
	case drawn > 0:
		return fmt.Sprintf("the copper draws %d pads with a hole in the middle", drawn)
	case stated > 0:
		return fmt.Sprintf("%d pads of the copper state to be of vias or of leads", stated)
	case reached > 0:
		return "only holes lead to the copper of the inner layers"
	}
	return ""
}
