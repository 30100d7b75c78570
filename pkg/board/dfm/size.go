package dfm

import (
	"context"
	"fmt"
	"math"

	"boardorder/pkg/board/geom"
)

// sizes judges the board as a whole: sides, thickness, layers, copper.
func sizes(_ context.Context, in *input) result {
	var r result
	box := in.board.Outline.Bounds()
	if !box.Empty() {
		long, short := max(box.Width(), box.Height()), min(box.Width(), box.Height())
		where := Place{At: box.Min, To: box.Max}
		r.add(in.whole(BoardLength, long, where, fmt.Sprintf("The board is %s long", mm(long)), mm))
		r.add(in.whole(BoardWidth, short, where, fmt.Sprintf("The board's shorter side is %s", mm(short)), mm))
	}
	r.add(in.whole(BoardThickness, in.thickness, Place{}, fmt.Sprintf("The board is %s thick", mm(in.thickness)), mm))
	count := func(n int64) string { return fmt.Sprint(n) }
	r.add(in.whole(LayerCount, int64(in.layers), Place{}, "The board has "+plural(in.layers, "copper layer"), count))
	ounces := func(v int64) string { return fmt.Sprintf("%g oz", float64(v)/1000) }
	oz := int64(math.Round(in.copperOz * 1000))
	r.add(in.whole(CopperWeight, oz, Place{}, "The outer copper is to be "+ounces(oz), ounces))
	return r
}

// whole judges a value that the board has once.
func (in *input) whole(n Name, v int64, at Place, what string, unit func(int64) string) result {
	if v <= 0 {
		return result{}
	}
	g := in.maximum(n, false)
	if n == LayerCount || n == CopperWeight {
		g.slack = 0
	}
	at.Value = v
	g.add(at)
	return g.result(func(j judged) string {
		if j.hard {
			return fmt.Sprintf("%s; the fabricator builds up to %s.", what, unit(j.limit))
		}
		return fmt.Sprintf("%s; beyond %s the fabricator asks for more time or money.", what, unit(j.limit))
	})
}

// copperBox is what the board's copper covers.
func (in *input) copperBox() geom.Box {
	b := geom.EmptyBox()
	for _, l := range in.board.Copper() {
		b = b.Union(l.Bounds())
	}
	return b
}
