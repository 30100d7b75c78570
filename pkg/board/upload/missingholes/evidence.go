// Package missingholes tells of boards whose files drill no holes, or not all of them, though
// something speaks for them.
package missingholes

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
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/notes"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// Codes of what is said of holes that no file drills.
const (
	Missing = "drill_missing"
	Denied  = "holes_denied"
)

// A Check looks for what speaks for holes of a board that has no drill file.
type Check struct {
	group.Upload
	*findings.List
	Meter       pcb.Meter
	Board       *pcb.Board
	FileAnswers *answers.FileAnswers // by the customer; nil for nothing
}

// Run tells of a board without drill file. Where something speaks for holes the
// file is asked for and nothing else: a board that is sold without its holes is scrap. Pads
// that are opposite each other, which test points are too, are asked about later.
func (s Check) Run() {
	evidence := s.findEvidence()
	denied := s.FileAnswers != nil && s.FileAnswers.NoHoles
	switch {
	case denied && evidence != "":
		s.Say(pcb.Warning, Denied, "", "the request says that the board has no holes, though %s: make sure that none are to be drilled", evidence)
	case evidence != "":
		s.Say(pcb.Problem, Missing, "", "there is no drill file, though %s: upload it too (such as .drl, .xln or .txt); without it no holes would be made", evidence)
	case denied, countPads(s.Meter, s.Board).lack(s.Board):
	default:
		s.Say(pcb.Warning, Missing, "", "there is no drill file, so no holes would be made: send it (such as .drl, .xln or .txt), or say with file_answers.no_holes that the board has none")
		s.Ask(answers.ZeroHoles())
	}
}

// findEvidence says what speaks for holes that no file drills, as a clause; "" for nothing.
func (s Check) findEvidence() string {
	for i, r := range s.Set.Results {
		if !s.LiesBeside(r) || r.Backup {
			continue
		}
		if clause := s.findInFile(i, r); clause != "" {
			return clause
		}
	}
	return s.findInCopper()
}

var drillName = pattern.Lazy(`(?i)[\w+-][\w.+-]*\.(?:drl|xln|exc|drd|ncd)\b`)

// findInFile says what a file beside the artwork tells of holes.
func (s Check) findInFile(i int, r *classify.Result) string {
	name, data := group.BaseName(r.Name), s.Files[i].Data
	switch r.Format {
	case classify.FormatTape:
		return fmt.Sprintf("%q is a drill program, in the code of punched tape, which is not read", name)
	case classify.FormatJob:
		for _, f := range s.Set.Jobs[i].Files {
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
		if m := drillName().Find(data); m != nil && !s.hasFile(string(m)) {
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
func (s Check) hasFile(name string) bool {
	return slices.ContainsFunc(s.Set.Results, func(r *classify.Result) bool { return strings.EqualFold(group.BaseName(r.Name), name) })
}

// findInCopper says what the copper tells of holes: pads that are drawn with them, pads
// that state to be of vias or of leads, copper that only vias reach.
func (s Check) findInCopper() string {
	drawn, stated, reached := 0, 0, 0
	for _, l := range s.Board.Copper() {
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
