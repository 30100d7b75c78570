// Package measure prepares a board for the rules: copper, holes, border, sides and
// drawn layers, each worked out once when the first rule asks for it, and the words for
// what lies there. It judges nothing.
package measure

import (
	"context"
	"fmt"
	"sync"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// An Input is what every rule sees. Parts that several rules need are made when
// the first of them asks; rules run at the same time, so each is made by a
// function of [sync.OnceValue].
type Input struct {
	Board     *pcb.Board
	Meter     pcb.Meter
	Options   dfm.Options
	Layers    int   // copper layers of the board, also those whose file is missing
	Thickness int64 // of the board
	CopperOz  float64
	Assumed   []string

	Copper      func() (*copper.Copper, error)
	Sides       func() []*Side // sides that have copper and mask
	MaskedSides func() ([]*MaskedSide, error)
	Legends     func() []*DrawnLayer // what is printed
	stencils    func() map[pcb.Side]*shape.Index
	parts
}

// New prepares a board for the rules. What ctx ends early is an error of the part
// that a rule asks for.
func New(ctx context.Context, b *pcb.Board, o dfm.Options) *Input {
	in := &Input{Board: b, Meter: pcb.MeterOf(ctx), Options: o, Layers: copperLayers(b)}
	in.setThickness()
	in.setCopper()
	in.Copper = sync.OnceValues(func() (*copper.Copper, error) { return copper.Extract(ctx, b) })
	in.Legends = sync.OnceValue(func() []*DrawnLayer { return makeLegends(ctx, b) })
	in.Sides = sync.OnceValue(func() []*Side { return makeSides(ctx, b) })
	in.stencils = sync.OnceValue(func() map[pcb.Side]*shape.Index { return makeStencils(b, in.Meter) })
	in.MaskedSides = sync.OnceValues(in.makeMaskedSides)
	in.share()
	return in
}

// copperLayers counts copper: what the files state, or the highest layer there is.
func copperLayers(b *pcb.Board) int {
	n := 0
	for _, l := range b.Copper() {
		n = max(n, l.Order)
	}
	if b.Facts.CopperLayers.Known {
		n = max(n, b.Facts.CopperLayers.Value)
	}
	return max(n, len(b.Copper()))
}

func (in *Input) setThickness() {
	const usual = 1600 * geom.Micrometre
	f := in.Board.Facts.Thickness
	switch {
	case in.Options.Thickness > 0:
		in.Thickness = in.Options.Thickness
	case f.IsStated() && f.Value > 0:
		in.Thickness = f.Value
	default:
		in.Thickness = usual // not a tool's preset, which nobody chose
		in.Assumed = append(in.Assumed, fmt.Sprintf("The files do not state the board's thickness: %s is assumed.", words.MM(in.Thickness)))
	}
}

func (in *Input) setCopper() {
	f := in.Board.Facts.OuterCopper
	switch {
	case in.Options.CopperOz > 0:
		in.CopperOz = in.Options.CopperOz
	case f.IsStated() && f.Value > 0:
		in.CopperOz = foil.WeightAsBuilt(f.Value)
	default:
		in.CopperOz = 1
		in.Assumed = append(in.Assumed, "The files do not state the copper's weight: 1 oz on the outer layers is assumed.")
	}
}

// Limit is that of a check on outer or inner layers.
func (in *Input) Limit(n dfm.Name, inner bool) dfm.Limit { return in.Options.Limits.LimitOf(n, inner) }

// Reach is how far beyond contact a check has to look: past its limit, so that
// the smallest value of a good board is known too.
func (in *Input) Reach(n dfm.Name, inner bool) int64 {
	if r, ok := in.Options.Reach[n]; ok {
		return r
	}
	l := in.Limit(n, inner)
	return 2 * max(l.Min, l.Recommended)
}

// Unasked is the reach of a check that nothing is to be measured for.
const Unasked = -1
