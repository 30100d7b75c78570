// Package reading turns what pkg/board found in an upload into what the other
// services get it: facts by option name, in the API's units.
package reading

import (
	"math"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
)

// Facts gives what is known about a board. What the files do not state is absent.
func Facts(f pcb.Facts) map[string]boards.Fact {
	out := map[string]boards.Fact{}
	for name, known := range f.List() {
		doubtful := known.Confidence < sure && !isProcess(f, name) // what a plain board cannot be goes to the team on suspicion
		out[name] = boards.Fact{Value: known.Value, Source: known.Source.File, Default: known.Default, Doubtful: doubtful}
	}
	for _, u := range f.Unsettled {
		open := out[u.Option]
		for _, s := range u.Statements {
			open.Stated = append(open.Stated, boards.StatedValue{Words: s.Words, File: s.Source.File, Line: s.Source.Line})
		}
		out[u.Option] = open
	}
	return out
}

// sure is how sure a reader is of what the files state rather than seem to show.
const sure = 0.7

func isProcess(f pcb.Facts, name string) bool {
	return slices.ContainsFunc(f.Processes, func(p pcb.Fact[pcb.Process]) bool { return string(p.Value) == name })
}

var levels = map[pcb.Level]string{pcb.Note: "note", pcb.Warning: "warning", pcb.Problem: "must_fix"}

// maxFindings bounds what is kept of one board's findings; worse ones come first.
const maxFindings = 200

// Findings puts findings into the words of the API, worst first.
func Findings(in []pcb.Finding) []contract.Finding {
	var out []contract.Finding
	for _, level := range []pcb.Level{pcb.Problem, pcb.Warning, pcb.Note} {
		for _, f := range in {
			if f.Level == level && len(out) < maxFindings {
				out = append(out, Finding(f, nil))
			}
		}
	}
	return out
}

// Finding puts one finding into the words of the API. b is the board that it is
// about; nil if none.
func Finding(f pcb.Finding, b *pcb.Board) contract.Finding {
	out := contract.Finding{Level: levels[f.Level], Check: f.Code, What: f.Message, File: f.File, Line: f.Line, Answers: f.Answers}
	if b != nil && wontWork(f, b) {
		out.Level = "must_fix"
	}
	return out
}

// wontWork reports whether what a reader only wonders about makes boards that
// would not work, or have another shape than was meant: nobody builds those unasked. Where
// holes are evident nothing can be answered but the drill file sent.
func wontWork(f pcb.Finding, b *pcb.Board) bool {
	switch f.Code {
	case "copper_missing", "outline_elsewhere":
		return f.Level == pcb.Warning
	case "drill_missing":
		return len(f.Answers) == 0 || leads(b) || len(b.Copper()) >= 2 && slices.ContainsFunc(b.Copper(), draws)
	}
	return false
}

// minPour is the size from which an area is taken for a pour: no pad is as large.
const minPour = 10 * geom.Millimetre

// draws reports whether a layer of copper holds more than pours, such as a pad or a track.
func draws(l *pcb.Layer) bool {
	return slices.ContainsFunc(l.Features, func(f pcb.Feature) bool {
		if f.Kind != pcb.RegionFeature {
			return !f.Clear
		}
		box := l.Regions[f.Shape].Bounds()
		return !f.Clear && max(box.Width(), box.Height()) < minPour
	})
}

// leads reports whether parts stand in holes.
func leads(b *pcb.Board) bool {
	return slices.ContainsFunc(b.Components, func(c pcb.Component) bool { return c.Mount == pcb.ThroughHole })
}

// Files says what each file was taken for.
func Files(in []pcb.FileReport) []boards.FileClass {
	out := make([]boards.FileClass, len(in))
	for i, f := range in {
		out[i] = boards.FileClass{
			Name: f.Name, Role: f.Role.String(), Side: f.Side.String(), Layer: f.Layer, Format: f.Format,
			Why: f.Why, Confidence: math.Round(f.Confidence*100) / 100, Board: f.Board,
		}
	}
	return out
}
