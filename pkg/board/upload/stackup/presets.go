package stackup

import (
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/preset"
	"boardorder/pkg/board/upload/places"
)

// MarkPresets marks what a design tool's setup states as nobody's choice where all
// of it is what tools begin with: 1 oz on every layer, 1.6 mm of FR-4, green mask,
// white silkscreen, no finish. One value that somebody changed makes the others a
// choice too: whoever opened the setup left them. It is called before notes are
// read, so that all facts are the tools'.
func MarkPresets(f *pcb.Facts) {
	if !f.OuterCopper.Default || f.InnerCopper.IsStated() || f.Finish.IsStated() || f.Impedance.Value || f.EdgePlating.Value ||
		!isUsual(f.MaskColour, preset.MaskColours) || !isUsual(f.SilkscreenColour, preset.SilkscreenColours) || !isUsual(f.Material, preset.Materials) || !isUsualThickness(f.Thickness) {
		return
	}
	markPreset(&f.Thickness)
	markPreset(&f.MaskColour)
	markPreset(&f.SilkscreenColour)
	markPreset(&f.Material)
}

// MarkCopper marks the copper of a stackup as nobody's choice where the weight that
// follows from it is: the fabricator is sent a job file, which may not state what the order
// leaves to the standard.
func MarkCopper(b *pcb.Board) {
	copper := len(b.Copper())
	for i := range b.Stackup {
		l := &b.Stackup[i]
		if l.Kind != pcb.StackCopper {
			continue
		}
		weight := b.Facts.InnerCopper
		if l.Order == 1 || l.Order == copper {
			weight = b.Facts.OuterCopper
		}
		if weight.Default && weight.Source.File == l.Thickness.Source.File {
			markPreset(&l.Thickness)
		}
	}
}

// isUsual tells whether a word is one that tools begin with, or none at all.
func isUsual(f pcb.Fact[string], words []string) bool {
	return !f.Known || slices.Contains(words, strings.ToLower(f.Value))
}

func isUsualThickness(f pcb.Fact[int64]) bool {
	return !f.Known || slices.ContainsFunc(preset.Thicknesses, func(t int64) bool { return places.IsNear(f.Value, t, 20*geom.Micrometre) })
}

func markPreset[T any](f *pcb.Fact[T]) {
	if f.Known && !f.Default {
		*f = pcb.Preset(f.Value, f.Source, f.How+", untouched")
	}
}
