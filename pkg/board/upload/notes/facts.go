package notes

import (
	"fmt"
	"path"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/places"
	"boardorder/pkg/board/upload/sidefiles/note"
	"boardorder/pkg/board/upload/stackup"
)

// addContradiction tells of notes that say another thing than what the board's files hold or set.
func addContradiction(b *pcb.Board, s statement, code string, level pcb.Level, format string, args ...any) {
	b.Findings = append(b.Findings, pcb.Finding{Code: code, Level: level, File: s.source.File, Line: s.source.Line, Message: path.Base(s.source.File) + " " + fmt.Sprintf(format, args...)})
}

// hasFrame reports whether a frame of a width was left aside for what lies within it.
func hasFrame(b *pcb.Board, width int64) bool {
	return slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool {
		return f.Code == "outline_frame" && places.IsNear(f.Size, width, geom.Millimetre)
	})
}

// stateFact states what one line of the notes says, and tells where it differs
// from what the files show.
func stateFact(b *pcb.Board, s statement) {
	f := &b.Facts
	differ := func(format string, args ...any) {
		if isUnsettled(f, noteOptions[s.Topic]) {
			return // nothing of it is followed
		}
		addContradiction(b, s, "notes_differ", pcb.Warning, format+"; "+path.Base(s.source.File)+" is followed", args...)
	}
	switch s.Topic {
	case note.Layers:
		if f.CopperLayers.Known && f.CopperLayers.Value != s.Number {
			level := pcb.Warning
			if s.Labelled { // as a job file's count, which stops
				level = pcb.Problem
			}
			addContradiction(b, s, "layer_count_mismatch", level, "says %d copper layers, the files make %d: "+stackup.CountWays, s.Number, f.CopperLayers.Value)
			if level == pcb.Problem {
				last := &b.Findings[len(b.Findings)-1]
				last.Answers = []answers.Answer{answers.LeaveOut(s.source.File), answers.LayerOrder()}
			}
		}
		f.CopperLayers.Offer(pcb.State(s.Number, s.source, 0.4, s.how))
	case note.Thickness:
		if t := f.Thickness; t.IsStated() && !places.IsNear(t.Value, s.Length, 50*geom.Micrometre) {
			differ("says %s mm thick, %s says %s mm", findings.Millimetres(s.Length), sourceWords(t.Source, t.How), findings.Millimetres(t.Value))
		}
		f.Thickness.Offer(pcb.State(s.Length, s.source, stackup.WrittenSure, s.how))
	case note.Width:
		framed := hasFrame(b, s.Length) // of rails to break off, as like as not
		if f.Width.Known && f.Width.Confidence > 0.5 && (framed || !f.Panel.Value) && !places.IsNear(f.Width.Value, s.Length, geom.Millimetre) && !places.IsNear(f.Height.Value, s.Length, geom.Millimetre) {
			level, built := pcb.Warning, "which is built"
			if framed {
				level, built = pcb.Problem, "and the frame round it that is as wide was left aside: send special_requirements: true and say in special_notes which of the two is to be made, or leave the file out where it is the outline"
			}
			addContradiction(b, s, "size_mismatch", level, "says the board is %s mm wide, the outline is %s x %s mm, %s", findings.Millimetres(s.Length), findings.Millimetres(f.Width.Value), findings.Millimetres(f.Height.Value), built)
			if level == pcb.Problem {
				b.Findings[len(b.Findings)-1].Answers = []answers.Answer{answers.LeaveOut(s.source.File)}
			}
		}
		f.Width.Offer(pcb.State(s.Length, s.source, 0.5, s.how))
	case note.Height:
		f.Height.Offer(pcb.State(s.Length, s.source, 0.5, s.how))
	case note.OuterCopper:
		if c := f.OuterCopper; c.IsStated() && !stackup.SameFinished(c.Value, s.Ounces) {
			differ("says %g oz of outer copper, %s says %g oz", s.Ounces, sourceWords(c.Source, c.How), c.Value)
		}
		f.OuterCopper.Offer(pcb.State(s.Ounces, s.source, stackup.WrittenSure, s.how))
	case note.InnerCopper:
		if c := f.InnerCopper; c.IsStated() && !stackup.SameWeight(c.Value, s.Ounces) {
			differ("says %g oz of inner copper, %s says %g oz", s.Ounces, sourceWords(c.Source, c.How), c.Value)
		}
		f.InnerCopper.Offer(pcb.State(s.Ounces, s.source, stackup.WrittenSure, s.how))
	case note.PerPanel:
		f.Panel.Offer(pcb.State(true, s.source, stackup.WrittenSure, s.how))
		f.BoardsInPanel.Offer(pcb.State(s.Number, s.source, stackup.WrittenSure, s.how))
	default:
		stateWord(f, s, differ)
	}
}

// sourceWords name where a fact is from: its file, else in which way.
func sourceWords(src pcb.Source, how string) string {
	if src.File == "" {
		return "the " + how
	}
	return path.Base(src.File)
}

// viaRanks are what is done to vias, by how far it goes.
var viaRanks = []string{"untented", "tented", "plugged", "capped", "filled", "filled and capped", "copper_paste_filled_capped"}

// stateWord states facts that are words.
func stateWord(f *pcb.Facts, s statement, differ func(string, ...any)) {
	texts := map[note.Topic]*pcb.Fact[string]{
		note.Finish: &f.Finish, note.MaskColour: &f.MaskColour, note.SilkscreenColour: &f.SilkscreenColour,
		note.Material: &f.Material, note.ViaProcess: &f.ViaProcess,
	}
	t := texts[s.Topic]
	switch {
	case t == nil:
		return
	case s.Topic == note.ViaProcess && t.IsStated() && t.How == s.how: // of several kinds of vias the farthest
		if slices.Index(viaRanks, s.Text) > slices.Index(viaRanks, t.Value) {
			*t = pcb.State(s.Text, s.source, stackup.WrittenSure, s.how)
		}
		return
	case t.IsStated() && !stackup.SameWords(t.Value, s.Text) && s.Topic != note.SilkscreenColour && !(s.Topic == note.Material && includes(t.Value, s.Text)):
		differ("says %s %q, %s says %q", s.Topic, s.Text, sourceWords(t.Source, t.How), t.Value)
	}
	t.Offer(pcb.State(s.Text, s.source, stackup.WrittenSure, s.how))
}

// stateMark states what words alone say, in notes or in the lettering of a drawing.
func stateMark(b *pcb.Board, s statement) {
	f := &b.Facts
	flags := map[note.Topic]*pcb.Fact[bool]{
		note.Impedance: &f.Impedance, note.EdgePlating: &f.EdgePlating, note.Castellations: &f.Castellations,
		note.GoldFingers: &f.GoldFingers, note.Bevel: &f.Bevel, note.Flex: &f.Flex, note.Panel: &f.Panel, note.PanelWanted: &f.PanelWanted,
	}
	if s.Topic == note.Bevel { // which only contacts have
		f.GoldFingers.Offer(pcb.State(true, s.source, stackup.WrittenSure, s.how))
	}
	if s.Topic == note.Castellations && s.Number > 0 {
		f.CastellatedSides.Offer(pcb.State(s.Number, s.source, stackup.WrittenSure, s.how))
	}
	p := pcb.Process(s.Topic)
	switch {
	case flags[s.Topic] != nil:
		flags[s.Topic].Offer(pcb.State(true, s.source, stackup.WrittenSure, s.how))
	case p.Words() != "":
		f.Needs(pcb.State(p, s.source, stackup.WrittenSure, s.how))
	case s.Topic == note.BlindVias:
		if f.BlindVias.Known && !f.BlindVias.Value {
			addContradiction(b, s, "notes_contradicted", pcb.Warning, "speaks of blind, buried or micro vias, and every via of the files goes through the board")
		}
		f.BlindVias = pcb.State(true, s.source, stackup.WrittenSure, s.how)
	case s.Topic == note.VScores && len(b.Find(pcb.RoleVCut, pcb.NoSide)) == 0:
		addContradiction(b, s, "score_noted", pcb.Warning, "speaks of V-scores, and no file draws them: no scores would be made; send them as a layer of their own, or say that the boards come from a panel")
	case s.Topic == note.NoSilkscreen && slices.ContainsFunc(b.Layers, func(l *pcb.Layer) bool { return l.Role == pcb.RoleSilk && len(l.Features) > 0 }):
		addContradiction(b, s, "notes_contradicted", pcb.Warning, "says that no silkscreen is printed, and the files draw one, which is printed; leave its files out for none")
	}
}
