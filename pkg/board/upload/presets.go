package upload

import (
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// markPresets marks what a design tool's setup states as nobody's choice where all
// of it is what tools begin with: 1 oz on every layer, 1.6 mm of FR-4, green mask,
// white legend, no finish. One value that somebody changed makes the others a
// choice too: whoever opened the setup left them. It is called before notes are
// read, so that all facts are the tools'.
func markPresets(f *board.Facts) {
	if !f.OuterCopper.Default || f.InnerCopper.Stated() || f.Finish.Stated() || f.Impedance.Value || f.EdgePlating.Value ||
		!begins(f.MaskColour, "green") || !begins(f.LegendColour, "white") || !begins(f.Material, "fr4", "fr-4") || !standardThickness(f.Thickness) {
		return
	}
	markPreset(&f.Thickness)
	markPreset(&f.MaskColour)
	markPreset(&f.LegendColour)
	markPreset(&f.Material)
}

// begins tells whether a word is one that tools begin with, or none at all.
func begins(f board.Fact[string], words ...string) bool {
	for _, w := range words {
		if strings.EqualFold(f.Value, w) {
			return true
		}
	}
	return !f.Known
}

func standardThickness(f board.Fact[int64]) bool {
	return !f.Known || near(f.Value, 1600*geom.Micrometre, 20*geom.Micrometre) || near(f.Value, 1570*geom.Micrometre, 10*geom.Micrometre)
}

func markPreset[T any](f *board.Fact[T]) {
	if f.Known && !f.Default {
		*f = board.Preset(f.Value, f.Source, f.How+", untouched")
	}
}
