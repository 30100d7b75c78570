package merge

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/notes"
	"boardorder/pkg/board/upload/panel"
	"boardorder/pkg/board/upload/processes"
	"boardorder/pkg/board/upload/sources"
	"boardorder/pkg/board/upload/stackup"
)

// Projects joins each board that came whole to the board that Gerbers of the same
// upload make, or makes it a board of its own.
func (m *Merger) Projects(whole []sources.Boards) {
	for _, w := range whole {
		if len(w.Boards) == 0 && len(m.Project.Boards) > 0 {
			softenFindings(w.Findings)
		}
		m.Add(w.Findings...)
		m.join(w.Source, w.Boards)
	}
}

// softenFindings keeps a design file that gave no board from stopping the order where other
// files gave one.
func softenFindings(findings []pcb.Finding) {
	for i := range findings {
		switch f := &findings[i]; {
		case f.Code == "format_unread":
			f.Level = pcb.Note
		case f.Level == pcb.Problem:
			f.Level = pcb.Warning
		}
	}
}

// join puts the boards of a source beside those that better sources gave.
func (m *Merger) join(s sources.Source, boards []*pcb.Board) {
	made := len(m.Project.Boards)
	for _, b := range boards {
		b.Name = properName(b)
		panel.StatePieces(b)
		panel.TakeScores(m.Meter, b)
		panel.StateRepeats(m.Meter, b)
		counterpart := m.gerbersOf(b, m.Project.Boards[:made], len(boards))
		if counterpart == nil {
			b.Name = m.FreeName(b.Name)
		}
		if counterpart == nil {
			m.Project.Boards = append(m.Project.Boards, b)
		} else {
			m.compare(s.Name, m.nameSource(counterpart), counterpart, b)
			adopt(counterpart, b)
		}
		m.useProject(s, b, counterpart)
	}
}

// properName is a board's name without folders; a folder called after the format
// gives way to the archive's name.
func properName(b *pcb.Board) string {
	name := group.BaseName(b.Name)
	if strings.EqualFold(name, "odb") && len(b.Layers) > 0 {
		if a := group.BaseName(classify.Archive(b.Layers[0].File)); a != "" {
			return strings.TrimSuffix(a, path.Ext(a))
		}
	}
	return name
}

// nameSource names what a board was read from, for findings.
func (m *Merger) nameSource(b *pcb.Board) string {
	what := "other files"
	for _, f := range m.Set.Results {
		if f.Board != b.Name || !f.Used {
			continue
		}
		if f.Format == classify.FormatGerber {
			return "Gerbers"
		}
		if s, whole := sources.Find(f.Format); whole {
			what = s.Name
		}
	}
	return what
}

// useProject marks the files that a board was read from.
func (m *Merger) useProject(s sources.Source, b, counterpart *pcb.Board) {
	name := b.Name
	if counterpart != nil {
		name = counterpart.Name
	}
	for _, f := range m.Set.Results {
		if slices.Contains(s.Formats, f.Format) && f.Board == "" && s.Owns(b, f.Name, f.Format) {
			f.Used, f.Board = true, name
		}
	}
}

// gerbersOf finds the board that was plotted from a project: the only one, or
// one of its name or size.
func (m *Merger) gerbersOf(p *pcb.Board, made []*pcb.Board, projects int) *pcb.Board {
	if len(made) == 1 && projects == 1 {
		return made[0]
	}
	for _, b := range made {
		if strings.EqualFold(strings.TrimSuffix(b.Name, "-"), p.Name) {
			return b
		}
	}
	for _, b := range made {
		if m.sameSize(b, p) && b.Facts.CopperLayers.Value == p.Facts.CopperLayers.Value {
			return b
		}
	}
	return nil
}

func (m *Merger) sameSize(a, b *pcb.Board) bool {
	e, known := m.Sizes.Measure(a)
	f, too := m.Sizes.Measure(b)
	return known && too && e.Matches(f, geom.Millimetre/2)
}

// compare tells where the Gerbers differ from the project.
func (m *Merger) compare(what, better string, g, p *pcb.Board) {
	say := func(code, format string, args ...any) {
		g.Findings = append(g.Findings, pcb.Finding{
			Code: code, Level: pcb.Warning, File: projectFile(p), Message: "the " + what + " " + fmt.Sprintf(format, args...) + "; the " + better + " would be built",
		})
	}
	if a, b := g.Facts.CopperLayers, p.Facts.CopperLayers; a.Known && b.Known && a.Value != b.Value {
		say("project_layers_differ", "has %d copper layers, the %s %d", b.Value, better, a.Value)
	}
	if g.Facts.Width.Known && p.Facts.Width.Known && g.Facts.Width.Confidence > 0.5 && !m.sameSize(g, p) {
		say("project_size_differs", "holds a board of %s x %s mm, the %s one of %s x %s mm", findings.Millimetres(p.Facts.Width.Value), findings.Millimetres(p.Facts.Height.Value),
			better, findings.Millimetres(g.Facts.Width.Value), findings.Millimetres(g.Facts.Height.Value))
	}
	if a, b := len(g.Holes), len(p.Holes); a > 0 && b > 0 && a != b {
		say("project_holes_differ", "has %d holes, the %s %d", b, better, a)
	}
}

func projectFile(p *pcb.Board) string {
	for _, l := range p.Layers {
		return l.File
	}
	return p.Outline.Source.File
}

// adopt takes over what only the project knows.
func adopt(g, p *pcb.Board) {
	f, q := &g.Facts, &p.Facts
	f.Dielectrics, q.Dielectrics = stackup.Dielectrics(g), stackup.Dielectrics(p)
	g.Findings = append(g.Findings, findDifferences(f, q)...)
	f.Thickness.Offer(q.Thickness)
	f.OuterCopper.Offer(q.OuterCopper)
	f.MixedOuter.Offer(q.MixedOuter)
	f.MixedInner.Offer(q.MixedInner)
	f.InnerCopper.Offer(q.InnerCopper)
	f.Finish.Offer(q.Finish)
	f.MaskColour.Offer(q.MaskColour)
	f.SilkscreenColour.Offer(q.SilkscreenColour)
	f.Material.Offer(q.Material)
	f.Dielectrics.Offer(q.Dielectrics)
	f.ViaProcess.Offer(q.ViaProcess)
	f.Impedance.Offer(q.Impedance)
	f.EdgePlating.Offer(q.EdgePlating)
	f.Castellations.Offer(q.Castellations)
	f.GoldFingers.Offer(q.GoldFingers)
	f.Bevel.Offer(q.Bevel)
	f.Flex.Offer(q.Flex)
	processes.StateLayers(p)
	for _, n := range q.Processes {
		f.Needs(n)
	}
	f.Revision.Offer(q.Revision)
	f.Date.Offer(q.Date)
	f.Tool.Offer(q.Tool)
	g.Remarks = append(g.Remarks, notes.Remarks(p)...)
	if len(p.Stackup) > 0 && len(g.Stackup) == 0 {
		g.Stackup = p.Stackup
	}
	rules := g.Rules
	g.Rules = p.Rules
	if rules.Clearance > 0 {
		g.Rules.Clearance, g.Rules.TrackWidth = rules.Clearance, rules.TrackWidth
	}
	adoptParts(g, p)
	for _, x := range p.Findings {
		if x.Level > pcb.Note {
			x.Level = pcb.Note // what is odd in the project matters less than the Gerbers
		}
		g.Findings = append(g.Findings, x)
	}
}

// adoptParts takes over components, placed where the Gerbers have them: the
// plot may have another origin.
func adoptParts(g, p *pcb.Board) {
	shift := geom.Point{}
	a, b := g.Outline.Bounds(), p.Outline.Bounds()
	if !a.Empty() && !b.Empty() {
		shift = a.Centre().Sub(b.Centre())
	}
	for _, c := range p.Components {
		i := g.Component(c.Ref)
		if c.HasAt {
			c.At = c.At.Add(shift)
		}
		g.Components[i] = c
	}
	for i := range p.Pins {
		from := &p.Pins[i]
		if from.Component < 0 || int(from.Component) >= len(p.Components) {
			continue
		}
		k := g.Pin(p.Components[from.Component].Ref, from.Number)
		to := &g.Pins[k]
		if to.Net == 0 && from.Net > 0 && int(from.Net) < len(p.Nets) {
			to.Net = g.Net(p.Nets[from.Net].Name)
		}
		to = &g.Pins[k]
		if !to.HasAt && from.HasAt {
			to.At, to.HasAt, to.Side = from.At.Add(shift), true, from.Side
		}
		if to.Name == "" {
			to.Name = from.Name
		}
	}
}
