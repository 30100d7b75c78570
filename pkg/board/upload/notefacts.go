package upload

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/places"
	"boardorder/pkg/board/upload/sidefiles/note"
	"boardorder/pkg/board/upload/stackup"
)

// noteOptions are the options of which notes may state several values.
var noteOptions = map[note.Topic]string{
	note.Thickness: "thickness_mm", note.OuterCopper: "copper_oz", note.InnerCopper: "inner_copper_oz",
	note.Finish: "surface_finish", note.MaskColour: "solder_mask", note.Material: "material",
}

// settleNotes states what the notes of a board say. Options that they give several values,
// or one that is none, are left open.
func settleNotes(b *pcb.Board, all []noted) {
	all = layerWeights(all, len(b.Copper()))
	for topic, option := range noteOptions {
		of := func(s noted) bool { return s.Topic == topic }
		if topic == note.Material && slices.ContainsFunc(all, func(s noted) bool { return s.Topic == note.Topic(pcb.HybridStack) }) {
			continue // several sheets are meant
		}
		if values := distinct(all, of); len(values) > 1 || len(values) == 1 && values[0].Unclear && isNumber(topic) {
			b.Facts.Unsettled = append(b.Facts.Unsettled, newUnsettled(option, values))
		}
	}
	flexOrRigid(b, all)
	compareTable(b, all)
	slices.SortFunc(b.Facts.Unsettled, func(a, c pcb.Unsettled) int { return strings.Compare(a.Option, c.Option) })
	for _, u := range b.Facts.Unsettled {
		b.Findings = append(b.Findings, describeUnsettled(u))
	}
	seen := map[note.Topic]bool{}
	for _, s := range all {
		if seen[s.Topic] && s.Topic != note.ViaProcess || s.Unclear && isNumber(s.Topic) {
			continue
		}
		seen[s.Topic] = true
		noteFact(b, s)
		noteMark(b, s)
	}
}

func isNumber(t note.Topic) bool {
	return t == note.Thickness || t == note.OuterCopper || t == note.InnerCopper
}

// layerWeights makes outer and inner copper of weights that stand for layers by number.
func layerWeights(all []noted, layers int) []noted {
	out := slices.Clone(all)
	for i, s := range out {
		if s.Topic != note.LayerCopper {
			continue
		}
		if out[i].Topic = note.InnerCopper; s.Number == 1 || s.Number >= layers {
			out[i].Topic = note.OuterCopper
		}
		out[i].Number = 0
	}
	return out
}

// distinct gives the statements that say different things, the first of each.
func distinct(all []noted, of func(noted) bool) []noted {
	var out []noted
	for _, s := range all {
		if of(s) && !slices.ContainsFunc(out, func(o noted) bool { return agree(s, o) }) {
			out = append(out, s)
		}
	}
	return out
}

// agree reports whether two statements on one topic can both be met by one value.
func agree(a, b noted) bool {
	switch a.Topic {
	case note.Thickness:
		return !a.Unclear && !b.Unclear && places.IsNear(a.Length, b.Length, 60*geom.Micrometre)
	case note.OuterCopper:
		return !a.Unclear && !b.Unclear && stackup.SameFinished(a.Ounces, b.Ounces)
	case note.InnerCopper:
		return !a.Unclear && !b.Unclear && stackup.SameWeight(a.Ounces, b.Ounces)
	}
	short, long := a.Text, b.Text
	if len(short) > len(long) {
		short, long = long, short
	}
	return stackup.SameWords(a.Text, b.Text) || a.Topic != note.MaskColour && !a.Unclear && !b.Unclear && includes(long, short)
}

// includes reports whether longer words only say more of the same: "FR-4 TG170" of FR-4,
// "HASL lead free" of HASL.
func includes(long, short string) bool {
	fold := func(s string) string {
		return strings.NewReplacer("-", "", " ", "", "_", "").Replace(strings.ToLower(s))
	}
	return strings.Contains(fold(long), fold(short))
}

// isUnsettled reports whether an option is left open already.
func isUnsettled(f *pcb.Facts, option string) bool {
	return slices.ContainsFunc(f.Unsettled, func(u pcb.Unsettled) bool { return u.Option == option })
}

func newUnsettled(option string, values []noted) pcb.Unsettled {
	u := pcb.Unsettled{Option: option}
	for _, v := range values {
		u.Said = append(u.Said, pcb.Said{Words: valueWords(v), Source: v.source})
	}
	return u
}

// valueWords writes a value as it is told to people.
func valueWords(s noted) string {
	switch {
	case s.Unclear:
		return s.Text
	case s.Topic == note.Thickness:
		return findings.Millimetres(s.Length) + " mm"
	case s.Topic == note.OuterCopper, s.Topic == note.InnerCopper:
		return strconv.FormatFloat(s.Ounces, 'f', -1, 64) + " oz"
	}
	return s.Text
}

// flexOrRigid leaves the material open where notes call the board flexible and name a rigid
// sheet.
func flexOrRigid(b *pcb.Board, all []noted) {
	flex := slices.IndexFunc(all, func(s noted) bool { return s.Topic == note.Flex })
	rigid := slices.IndexFunc(all, func(s noted) bool {
		m := strings.ToLower(s.Text)
		return s.Topic == note.Material && !s.Unclear && !strings.Contains(m, "polyimide") && !strings.Contains(m, "kapton")
	})
	if flex < 0 || rigid < 0 || isUnsettled(&b.Facts, "material") {
		return
	}
	b.Facts.Unsettled = append(b.Facts.Unsettled, pcb.Unsettled{Option: "material", Said: []pcb.Said{
		{Words: all[rigid].Text, Source: all[rigid].source}, {Words: "a flexible board", Source: all[flex].source},
	}})
}

// compareTable leaves open what notes and a table of layers that somebody wrote say
// differently: neither is the setup of a tool.
func compareTable(b *pcb.Board, all []noted) {
	f := &b.Facts
	add := func(topic note.Topic, words string, src pcb.Source, how string, differs func(noted) bool) {
		i := slices.IndexFunc(all, func(s noted) bool { return s.Topic == topic && !s.Unclear })
		option := noteOptions[topic]
		if i < 0 || !strings.HasSuffix(how, stackup.WrittenTable) || !differs(all[i]) || isUnsettled(f, option) {
			return
		}
		f.Unsettled = append(f.Unsettled, pcb.Unsettled{Option: option, Said: []pcb.Said{{Words: valueWords(all[i]), Source: all[i].source}, {Words: words, Source: src}}})
	}
	t := f.Thickness
	add(note.Thickness, findings.Millimetres(t.Value)+" mm", t.Source, t.How, func(s noted) bool { return !places.IsNear(s.Length, t.Value, t.Value/10) })
	o, i, m := f.OuterCopper, f.InnerCopper, f.Material
	add(note.OuterCopper, fmt.Sprintf("%g oz", o.Value), o.Source, o.How, func(s noted) bool { return !stackup.SameFinished(s.Ounces, o.Value) })
	add(note.InnerCopper, fmt.Sprintf("%g oz", i.Value), i.Source, i.How, func(s noted) bool { return !stackup.SameWeight(s.Ounces, i.Value) })
	add(note.Material, m.Value, m.Source, m.How, func(s noted) bool { return !includes(s.Text, m.Value) && !includes(m.Value, s.Text) })
}

func describeUnsettled(u pcb.Unsettled) pcb.Finding {
	f := pcb.Finding{Code: "notes_unsettled", Level: pcb.Warning, File: u.Said[0].Source.File, Line: u.Said[0].Source.Line}
	if name := optionWords[u.Option]; len(u.Said) > 1 {
		var said []string
		for _, s := range u.Said {
			place := path.Base(s.Source.File)
			if s.Source.Line > 0 {
				place += fmt.Sprintf(", line %d", s.Source.Line)
			}
			said = append(said, fmt.Sprintf("%q (%s)", s.Words, place))
		}
		f.Message = fmt.Sprintf("the notes give the %s as %s: only one can be built", name, strings.Join(said, " and as "))
	} else {
		f.Message = fmt.Sprintf("line %d of %s gives the %s as %q, which is no value that can be built", f.Line, path.Base(f.File), name, u.Said[0].Words)
	}
	return f
}

// optionWords are options within a sentence.
var optionWords = map[string]string{
	"thickness_mm": "thickness", "copper_oz": "outer copper", "inner_copper_oz": "inner copper",
	"surface_finish": "surface finish", "solder_mask": "solder mask", "material": "material",
}

// contradict tells of notes that say another thing than what the board's files hold or set.
func contradict(b *pcb.Board, s noted, code string, level pcb.Level, format string, args ...any) {
	b.Findings = append(b.Findings, pcb.Finding{Code: code, Level: level, File: s.source.File, Line: s.source.Line, Message: path.Base(s.source.File) + " " + fmt.Sprintf(format, args...)})
}

// noteFact states what one line of the notes says, and tells where it differs
// from what the files show.
func noteFact(b *pcb.Board, s noted) {
	f := &b.Facts
	differ := func(format string, args ...any) {
		if isUnsettled(f, noteOptions[s.Topic]) {
			return // nothing of it is followed
		}
		contradict(b, s, "notes_differ", pcb.Warning, format+"; "+path.Base(s.source.File)+" is followed", args...)
	}
	switch s.Topic {
	case note.Layers:
		if f.CopperLayers.Known && f.CopperLayers.Value != s.Number {
			level := pcb.Warning
			if s.Labelled { // as a job file's count, which stops
				level = pcb.Problem
			}
			contradict(b, s, "layer_count_mismatch", level, "says %d copper layers, the files make %d: "+stackup.CountWays, s.Number, f.CopperLayers.Value)
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
		if f.Width.Known && f.Width.Confidence > 0.5 && !f.Panel.Value && !places.IsNear(f.Width.Value, s.Length, geom.Millimetre) && !places.IsNear(f.Height.Value, s.Length, geom.Millimetre) {
			contradict(b, s, "size_mismatch", pcb.Warning, "says the board is %s mm wide, the outline is %s x %s mm, which is built", findings.Millimetres(s.Length), findings.Millimetres(f.Width.Value), findings.Millimetres(f.Height.Value))
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
		noteWord(f, s, differ)
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

// noteWord states facts that are words.
func noteWord(f *pcb.Facts, s noted, differ func(string, ...any)) {
	texts := map[note.Topic]*pcb.Fact[string]{
		note.Finish: &f.Finish, note.MaskColour: &f.MaskColour, note.LegendColour: &f.LegendColour,
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
	case t.IsStated() && !stackup.SameWords(t.Value, s.Text) && s.Topic != note.LegendColour && !(s.Topic == note.Material && includes(t.Value, s.Text)):
		differ("says %s %q, %s says %q", s.Topic, s.Text, sourceWords(t.Source, t.How), t.Value)
	}
	t.Offer(pcb.State(s.Text, s.source, stackup.WrittenSure, s.how))
}

// noteMark states what words alone say, in notes or in the lettering of a drawing.
func noteMark(b *pcb.Board, s noted) {
	f := &b.Facts
	flags := map[note.Topic]*pcb.Fact[bool]{
		note.Impedance: &f.Impedance, note.EdgePlating: &f.EdgePlating, note.Castellations: &f.Castellations,
		note.GoldFingers: &f.GoldFingers, note.Bevel: &f.Bevel, note.Flex: &f.Flex, note.Panel: &f.Panel, note.PanelWanted: &f.PanelWanted,
	}
	if s.Topic == note.Bevel { // which only contacts have
		f.GoldFingers.Offer(pcb.State(true, s.source, stackup.WrittenSure, s.how))
	}
	p := pcb.Process(s.Topic)
	switch {
	case flags[s.Topic] != nil:
		flags[s.Topic].Offer(pcb.State(true, s.source, stackup.WrittenSure, s.how))
	case p.Words() != "":
		f.Needs(pcb.State(p, s.source, stackup.WrittenSure, s.how))
	case s.Topic == note.BlindVias:
		if f.BlindVias.Known && !f.BlindVias.Value {
			contradict(b, s, "notes_contradicted", pcb.Warning, "speaks of blind, buried or micro vias, and every via of the files goes through the board")
		}
		f.BlindVias = pcb.State(true, s.source, stackup.WrittenSure, s.how)
	case s.Topic == note.VScores && len(b.Find(pcb.RoleVCut, pcb.NoSide)) == 0:
		contradict(b, s, "score_noted", pcb.Warning, "speaks of V-scores, and no file draws them: no scores would be made; send them as a layer of their own, or say that the boards come from a panel")
	case s.Topic == note.NoLegend && slices.ContainsFunc(b.Layers, func(l *pcb.Layer) bool { return l.Role == pcb.RoleSilk && len(l.Features) > 0 }):
		contradict(b, s, "notes_contradicted", pcb.Warning, "says that no legend is printed, and the files draw one, which is printed; leave its files out for none")
	}
}
