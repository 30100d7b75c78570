package notes

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

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

// settle states what the notes of a board say. Options that they give several values,
// or one that is none, are left open.
func settle(b *pcb.Board, all []statement) {
	all = splitWeights(all, len(b.Copper()))
	for topic, option := range noteOptions {
		of := func(s statement) bool { return s.Topic == topic }
		if topic == note.Material && slices.ContainsFunc(all, func(s statement) bool { return s.Topic == note.Topic(pcb.HybridStack) }) {
			continue // several sheets are meant
		}
		if values := findDistinct(all, of); len(values) > 1 || len(values) == 1 && values[0].Unclear && isNumber(topic) {
			b.Facts.Unsettled = append(b.Facts.Unsettled, newUnsettled(option, values))
		}
	}
	leaveFlexOpen(b, all)
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
		stateFact(b, s)
		stateMark(b, s)
	}
}

func isNumber(t note.Topic) bool {
	return t == note.Thickness || t == note.OuterCopper || t == note.InnerCopper
}

// splitWeights makes outer and inner copper of weights that stand for layers by number.
func splitWeights(all []statement, layers int) []statement {
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

// findDistinct gives the statements that say different things, the first of each.
func findDistinct(all []statement, of func(statement) bool) []statement {
	var out []statement
	for _, s := range all {
		if of(s) && !slices.ContainsFunc(out, func(o statement) bool { return canAgree(s, o) }) {
			out = append(out, s)
		}
	}
	return out
}

// canAgree reports whether two statements on one topic can both be met by one value.
func canAgree(a, b statement) bool {
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

func newUnsettled(option string, values []statement) pcb.Unsettled {
	u := pcb.Unsettled{Option: option}
	for _, v := range values {
		u.Statements = append(u.Statements, pcb.Statement{Words: valueWords(v), Source: v.source})
	}
	return u
}

// valueWords writes a value as it is told to people.
func valueWords(s statement) string {
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

// leaveFlexOpen leaves the material open where notes call the board flexible and name a rigid
// sheet.
func leaveFlexOpen(b *pcb.Board, all []statement) {
	flex := slices.IndexFunc(all, func(s statement) bool { return s.Topic == note.Flex })
	rigid := slices.IndexFunc(all, func(s statement) bool {
		m := strings.ToLower(s.Text)
		return s.Topic == note.Material && !s.Unclear && !strings.Contains(m, "polyimide") && !strings.Contains(m, "kapton")
	})
	if flex < 0 || rigid < 0 || isUnsettled(&b.Facts, "material") {
		return
	}
	b.Facts.Unsettled = append(b.Facts.Unsettled, pcb.Unsettled{Option: "material", Statements: []pcb.Statement{
		{Words: all[rigid].Text, Source: all[rigid].source}, {Words: "a flexible board", Source: all[flex].source},
	}})
}

// compareTable leaves open what notes and a table of layers that somebody wrote say
// differently: neither is the setup of a tool.
func compareTable(b *pcb.Board, all []statement) {
	f := &b.Facts
	add := func(topic note.Topic, words string, src pcb.Source, how string, differs func(statement) bool) {
		i := slices.IndexFunc(all, func(s statement) bool { return s.Topic == topic && !s.Unclear })
		option := noteOptions[topic]
		if i < 0 || !strings.HasSuffix(how, stackup.WrittenTable) || !differs(all[i]) || isUnsettled(f, option) {
			return
		}
		f.Unsettled = append(f.Unsettled, pcb.Unsettled{Option: option, Statements: []pcb.Statement{{Words: valueWords(all[i]), Source: all[i].source}, {Words: words, Source: src}}})
	}
	t := f.Thickness
	add(note.Thickness, findings.Millimetres(t.Value)+" mm", t.Source, t.How, func(s statement) bool { return !places.IsNear(s.Length, t.Value, t.Value/10) })
	o, i, m := f.OuterCopper, f.InnerCopper, f.Material
	add(note.OuterCopper, fmt.Sprintf("%g oz", o.Value), o.Source, o.How, func(s statement) bool { return !stackup.SameFinished(s.Ounces, o.Value) })
	add(note.InnerCopper, fmt.Sprintf("%g oz", i.Value), i.Source, i.How, func(s statement) bool { return !stackup.SameWeight(s.Ounces, i.Value) })
	add(note.Material, m.Value, m.Source, m.How, func(s statement) bool { return !includes(s.Text, m.Value) && !includes(m.Value, s.Text) })
}

func describeUnsettled(u pcb.Unsettled) pcb.Finding {
	f := pcb.Finding{Code: "notes_unsettled", Level: pcb.Warning, File: u.Statements[0].Source.File, Line: u.Statements[0].Source.Line}
	if name := optionWords[u.Option]; len(u.Statements) > 1 {
		var stated []string
		for _, s := range u.Statements {
			place := path.Base(s.Source.File)
			if s.Source.Line > 0 {
				place += fmt.Sprintf(", line %d", s.Source.Line)
			}
			stated = append(stated, fmt.Sprintf("%q (%s)", s.Words, place))
		}
		f.Message = fmt.Sprintf("the notes give the %s as %s: only one can be built", name, strings.Join(stated, " and as "))
	} else {
		f.Message = fmt.Sprintf("line %d of %s gives the %s as %q, which is no value that can be built", f.Line, path.Base(f.File), name, u.Statements[0].Words)
	}
	return f
}

// optionWords are options within a sentence.
var optionWords = map[string]string{
	"thickness_mm": "thickness", "copper_oz": "outer copper", "inner_copper_oz": "inner copper",
	"surface_finish": "surface finish", "solder_mask": "solder mask", "material": "material",
}
