package measure

import (
	"math"

	"boardorder/pkg/board"
	"boardorder/pkg/board/naming"
)

// Length is a computed length as an integer.
func Length(d float64) int64 { return int64(math.Round(d)) }

// HoleWords says what a hole is.
func HoleWords(h *board.Hole) string {
	what := "hole"
	switch {
	case h.Function == board.FuncViaDrill:
		return "via"
	case h.Kind != board.DrillHole:
		what = "slot"
	}
	switch h.Plating {
	case board.NonPlated:
		return "non-plated " + what
	case board.Plated:
		return "plated " + what
	}
	return what
}

// LayerWords names a layer for people: its file where it has one of its own.
func LayerWords(l *board.Layer) string {
	if l.Name != "" {
		return naming.Mention(l.Name)
	}
	return naming.Mention(l.File)
}
