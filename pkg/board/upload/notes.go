package upload

import (
	"fmt"
	"path"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/sidefiles/note"
)

// notes takes facts from fabrication notes in plain text.
func (r *reading) notes() {
	read := map[string]bool{}
	for i, f := range r.set.Results {
		if f.Format != classify.FormatReadme && f.Format != classify.FormatText {
			continue
		}
		statements := note.Read(r.files[i].Data)
		b := r.noteBoard(f)
		if len(statements) == 0 || b == nil {
			continue
		}
		r.use(i, b)
		f.Why += "; read as fabrication notes"
		if text := string(r.files[i].Data); read[text] {
			continue // the same notes again
		} else {
			read[text] = true
		}
		for _, s := range statements {
			src := board.Source{File: f.Name, Line: s.Line}
			noteFact(b, s, src)
			noteMark(b, s, src, "fabrication notes")
		}
	}
}

// noteBoard is the board that notes are about: the only one, or the only one
// with files in the same folder or archive.
func (r *reading) noteBoard(f *classify.Result) *board.Board {
	if len(r.project.Boards) == 1 {
		return r.project.Boards[0]
	}
	var found *board.Board
	for _, b := range r.project.Boards {
		for _, l := range b.Layers {
			if path.Dir(l.File) == path.Dir(f.Name) || archiveOf(l.File) == archiveOf(f.Name) && archiveOf(f.Name) != "" {
				if found != nil && found != b {
					return nil
				}
				found = b
			}
		}
	}
	return found
}

// noteFact states what one line of the notes says, and tells where it differs
// from what the files show.
func noteFact(b *board.Board, s note.Statement, src board.Source) {
	const how = "fabrication notes"
	f := &b.Facts
	differ := func(format string, args ...any) {
		b.Findings = append(b.Findings, board.Finding{Code: "notes_differ", Level: board.Warning, File: src.File, Line: src.Line, Message: fmt.Sprintf(format, args...)})
	}
	switch s.Topic {
	case note.Layers:
		if f.CopperLayers.Known && f.CopperLayers.Value != s.Number {
			differ("the notes say %d layers, the files make %d", s.Number, f.CopperLayers.Value)
		}
		f.CopperLayers.Offer(board.State(s.Number, src, 0.4, how))
	case note.Thickness:
		if f.Thickness.Stated() && !near(f.Thickness.Value, s.Length, 50*geom.Micrometre) {
			differ("the notes say %s mm thick, the %s says %s mm; the notes are followed", mm(s.Length), f.Thickness.How, mm(f.Thickness.Value))
		}
		f.Thickness.Offer(board.State(s.Length, src, noteSure, how))
	case note.Width:
		if f.Width.Known && f.Width.Confidence > 0.5 && !f.Panel.Value && !near(f.Width.Value, s.Length, geom.Millimetre) && !near(f.Height.Value, s.Length, geom.Millimetre) {
			differ("the notes say the board is %s mm wide, the outline %s x %s mm", mm(s.Length), mm(f.Width.Value), mm(f.Height.Value))
		}
		f.Width.Offer(board.State(s.Length, src, 0.5, how))
	case note.Height:
		f.Height.Offer(board.State(s.Length, src, 0.5, how))
	case note.OuterCopper:
		if f.OuterCopper.Stated() && !sameFinished(f.OuterCopper.Value, s.Ounces) {
			differ("the notes say %g oz of outer copper, the %s says %g oz; the notes are followed", s.Ounces, f.OuterCopper.How, f.OuterCopper.Value)
		}
		f.OuterCopper.Offer(board.State(s.Ounces, src, noteSure, how))
	case note.InnerCopper:
		if f.InnerCopper.Stated() && !sameWeight(f.InnerCopper.Value, s.Ounces) {
			differ("the notes say %g oz of inner copper, the %s says %g oz; the notes are followed", s.Ounces, f.InnerCopper.How, f.InnerCopper.Value)
		}
		f.InnerCopper.Offer(board.State(s.Ounces, src, noteSure, how))
	case note.PerPanel:
		f.Panel.Offer(board.State(true, src, noteSure, how))
		f.BoardsInPanel.Offer(board.State(s.Number, src, noteSure, how))
	default:
		noteWord(f, s, src, differ)
	}
}

// noteSure is how sure notes are: somebody wrote them for the fabricator, while
// the settings of a design tool are often left as they come. So it is above what
// any setup is taken with.
const noteSure = 0.96

// noteWord states facts that are words, and flags.
func noteWord(f *board.Facts, s note.Statement, src board.Source, differ func(string, ...any)) {
	const how = "fabrication notes"
	texts := map[note.Topic]*board.Fact[string]{
		note.Finish: &f.Finish, note.MaskColour: &f.MaskColour, note.LegendColour: &f.LegendColour,
		note.Material: &f.Material, note.ViaProcess: &f.ViaProcess,
	}
	if t := texts[s.Topic]; t != nil {
		if t.Stated() && !strings.EqualFold(t.Value, s.Text) {
			differ("the notes say %s: %q, the %s says %q; the notes are followed", s.Topic, s.Text, t.How, t.Value)
		}
		t.Offer(board.State(s.Text, src, noteSure, how))
	}
}

// noteMark states what words alone say, in notes or in the lettering of a drawing.
func noteMark(b *board.Board, s note.Statement, src board.Source, how string) {
	f := &b.Facts
	flags := map[note.Topic]*board.Fact[bool]{
		note.Impedance: &f.Impedance, note.EdgePlating: &f.EdgePlating, note.Castellations: &f.Castellations,
		note.GoldFingers: &f.GoldFingers, note.Flex: &f.Flex, note.Panel: &f.Panel,
	}
	p := board.Process(s.Topic)
	switch {
	case flags[s.Topic] != nil:
		flags[s.Topic].Offer(board.State(true, src, noteSure, how))
	case p.Words() != "":
		f.Needs(board.State(p, src, noteSure, how))
	case s.Topic == note.BlindVias && f.BlindVias.Known && !f.BlindVias.Value:
		b.Findings = append(b.Findings, board.Finding{Code: "notes_differ", Level: board.Warning, File: src.File, Line: src.Line,
			Message: "the " + how + " speak of blind, buried or micro vias, and every via of the files goes through the board"})
	case s.Topic == note.BlindVias:
		f.BlindVias.Offer(board.State(true, src, noteSure, how))
	case s.Topic == note.VScores && len(b.Find(board.RoleVCut, board.NoSide)) == 0:
		b.Findings = append(b.Findings, board.Finding{Code: "score_noted", Level: board.Warning, File: src.File, Line: src.Line,
			Message: "the " + how + " speak of V-scores, and no file draws them: no scores would be made; send them as a layer of their own, or say that the boards come from a panel"})
	}
}

// drawingRoles are the roles of layers whose lettering is for the fabricator.
var drawingRoles = map[board.Role]bool{
	board.RoleFabDrawing: true, board.RoleDrillDrawing: true, board.RoleMechanical: true, board.RoleOther: true,
}

// drawingMarks takes from the lettering of drawings what words alone say. Sizes and colours
// stand there in tables, each cell by itself, and are not taken.
func drawingMarks(b *board.Board) {
	said := map[note.Topic]bool{}
	for _, l := range b.Layers {
		if !drawingRoles[l.Role] {
			continue
		}
		for _, t := range l.Texts {
			for line := range strings.Lines(t.Text) {
				for _, s := range note.Marks(line) {
					if !said[s.Topic] {
						said[s.Topic] = true
						noteMark(b, s, board.Source{File: l.File, Line: int(t.Line)}, "notes of the drawing")
					}
				}
			}
		}
	}
}

// mm writes a length in millimetres, without needless zeros.
func mm(nm int64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", geom.ToMM(nm)), "0"), ".")
}
