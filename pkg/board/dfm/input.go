package dfm

import (
	"context"
	"fmt"
	"sync"

	"boardorder/pkg/board"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
)

// An input is what every rule sees. Parts that several rules need are made when
// the first of them asks; rules run at the same time, so each is made by a
// function of [sync.OnceValue].
type input struct {
	board     *board.Board
	meter     board.Meter
	opt       Options
	layers    int   // copper layers of the board, also those whose file is missing
	thickness int64 // of the board
	copperOz  float64
	assumed   []string

	copper   func() (*copper.Copper, error)
	faces    func() []*face // sides that have copper and mask
	surfaces func() ([]*surface, error)
	legends  func() []*sheet // what is printed
	parts
}

func newInput(ctx context.Context, b *board.Board, o Options) *input {
	in := &input{board: b, meter: board.MeterOf(ctx), opt: o, layers: copperLayers(b)}
	in.setThickness()
	in.setCopper()
	in.copper = sync.OnceValues(func() (*copper.Copper, error) { return copper.Of(ctx, b) })
	in.legends = sync.OnceValue(func() []*sheet { return makeLegends(ctx, b) })
	in.faces = sync.OnceValue(func() []*face { return makeFaces(ctx, b) })
	in.surfaces = sync.OnceValues(in.makeSurfaces)
	in.share()
	return in
}

// copperLayers counts copper: what the files state, or the highest layer there is.
func copperLayers(b *board.Board) int {
	n := 0
	for _, l := range b.Copper() {
		n = max(n, l.Order)
	}
	if b.Facts.CopperLayers.Known {
		n = max(n, b.Facts.CopperLayers.Value)
	}
	return max(n, len(b.Copper()))
}

func (in *input) setThickness() {
	const usual = 1600 * geom.Micrometre
	f := in.board.Facts.Thickness
	switch {
	case in.opt.Thickness > 0:
		in.thickness = in.opt.Thickness
	case f.Stated() && f.Value > 0:
		in.thickness = f.Value
	default:
		in.thickness = usual
		if f.Known && f.Value > 0 {
			in.thickness = f.Value
		}
		in.assumed = append(in.assumed, fmt.Sprintf("The files do not state the board's thickness: %s is assumed.", mm(in.thickness)))
	}
}

func (in *input) setCopper() {
	f := in.board.Facts.OuterCopper
	switch {
	case in.opt.CopperOz > 0:
		in.copperOz = in.opt.CopperOz
	case f.Stated() && f.Value > 0:
		in.copperOz = f.Value
	default:
		in.copperOz = 1
		in.assumed = append(in.assumed, "The files do not state the copper's weight: 1 oz on the outer layers is assumed.")
	}
}

// limit is that of a check on outer or inner layers.
func (in *input) limit(n Name, inner bool) Limit { return in.opt.Limits.Of(n, inner) }

// reach is how far beyond contact a check has to look: past its limit, so that
// the smallest value of a good board is known too.
func (in *input) reach(n Name, inner bool) int64 {
	if r, ok := in.opt.Reach[n]; ok {
		return r
	}
	l := in.limit(n, inner)
	return 2 * max(l.Min, l.Recommended)
}
