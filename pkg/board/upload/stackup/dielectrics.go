package stackup

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Dielectrics is the thickness of what lies between the copper layers as a stackup states
// it, from the top, in hundredths of a millimetre; unknown where a sheet has none.
func Dielectrics(b *pcb.Board) pcb.Fact[string] {
	var gaps []int64
	var src pcb.Source
	copper := false
	for i := range b.Stackup {
		l := &b.Stackup[i]
		switch l.Kind {
		case pcb.StackCopper:
			gaps, copper = append(gaps, 0), true
		case pcb.StackCore, pcb.StackPrepreg, pcb.StackDielectric:
			if !copper || !l.Thickness.IsStated() || l.Thickness.Value <= 0 {
				return pcb.Fact[string]{}
			}
			gaps[len(gaps)-1] += l.Thickness.Value
			src = l.Thickness.Source
		}
	}
	const fewest = 3                                                  // copper layers; of two the thickness of the board says it all
	if len(gaps) < fewest || slices.Contains(gaps[:len(gaps)-1], 0) { // sheets that are not listed
		return pcb.Fact[string]{}
	}
	words := make([]string, len(gaps)-1)
	for i, g := range gaps[:len(gaps)-1] {
		words[i] = strconv.FormatFloat(math.Round(geom.Millimetres(g)*100)/100, 'f', -1, 64)
	}
	f := pcb.State(strings.Join(words, ", ")+" mm", src, 0.9, "stackup")
	if c := b.Facts.OuterCopper; c.Known && c.Default && c.Source.File == src.File {
		f = pcb.Preset(f.Value, src, "stackup, untouched")
	}
	return f
}
