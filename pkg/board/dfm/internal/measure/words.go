package measure

import (
	"math"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
)

// Length is a computed length as an integer.
func Length(d float64) int64 { return int64(math.Round(d)) }

// HoleWords says what a hole is.
func HoleWords(h *pcb.Hole) string {
	what := "hole"
	switch {
	case h.Function == pcb.FuncViaDrill:
		return "via"
	case h.Kind != pcb.DrillHole:
		what = "slot"
	}
	switch h.Plating {
	case pcb.NonPlated:
		return "non-plated " + what
	case pcb.Plated:
		return "plated " + what
	}
	return what
}

// LayerWords names a layer for people: its file where it has one of its own.
func LayerWords(l *pcb.Layer) string {
	if l.Name != "" {
		return untrusted.Mention(l.Name)
	}
	return untrusted.Mention(l.File)
}
