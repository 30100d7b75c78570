package partsourcing

import (
	"fmt"
	"path"

	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/refdes"
	"boardorder/services/part-sourcing/internal/verdict"
)

// compare flags lines about which other lists of the upload say something else.
func (w *work) compare(lines []verdict.Line) {
	for _, other := range w.kit.Others {
		on := map[string]*bom.Line{}
		for i := range other.Lines {
			for _, ref := range other.Lines[i].Refs {
				on[refdes.Fold(ref)] = &other.Lines[i]
			}
		}
		for k := range lines {
			if doubt := disagreement(&w.plan.Lines[w.at[k]], on, other.File); doubt != "" {
				lines[k].Doubts = append(lines[k].Doubts, doubt)
			}
		}
	}
}

// disagreement words what another list says else of a line; "" for nothing. Names and numbers
// of files are foreign.
func disagreement(l *assembly.Line, on map[string]*bom.Line, file string) string {
	if l.Substituted {
		return ""
	}
	if file = path.Base(file); !plainFile.MatchString(file) {
		file = "of another file"
	}
	for _, ref := range l.Refs {
		other, ok := on[refdes.Fold(ref)]
		switch {
		case !ok:
		case other.DNP && !l.DNP:
			return fmt.Sprintf("another list, %s, leaves it off", file)
		case assembly.Contradict(&l.Line, other):
			name := other.NameOrDescription()
			if !plainFile.MatchString(name) {
				name = "by its name"
			}
			return fmt.Sprintf("another list, %s, names another part: %s", file, name)
		}
	}
	return ""
}
