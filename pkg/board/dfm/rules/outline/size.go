package outline

import (
	"context"
	"fmt"
	"math"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
)

// Size judges what the board is as a whole: size, thickness, layers, weight of copper.
var Size = rule.Rule{Judges: []dfm.Name{dfm.BoardWidth, dfm.BoardLength, dfm.BoardThickness, dfm.LayerCount, dfm.CopperWeight}, Run: sizes}

// sizes judges the board as a whole: sides, thickness, layers, copper.
func sizes(_ context.Context, in *measure.Input) rule.Result {
	var r rule.Result
	box := in.Board.Outline.Bounds()
	if !box.Empty() {
		long, short := max(box.Width(), box.Height()), min(box.Width(), box.Height())
		where := dfm.Place{At: box.Min, To: box.Max}
		r.Add(whole(in, dfm.BoardLength, long, where, fmt.Sprintf("The board is %s long", words.MM(long)), words.MM))
		r.Add(whole(in, dfm.BoardWidth, short, where, fmt.Sprintf("The board's shorter side is %s", words.MM(short)), words.MM))
	}
	r.Add(whole(in, dfm.BoardThickness, in.Thickness, dfm.Place{}, fmt.Sprintf("The board is %s thick", words.MM(in.Thickness)), words.MM))
	count := func(n int64) string { return fmt.Sprint(n) }
	r.Add(whole(in, dfm.LayerCount, int64(in.Layers), dfm.Place{}, "The board has "+words.Plural(in.Layers, "copper layer"), count))
	ounces := func(v int64) string { return fmt.Sprintf("%g oz", float64(v)/1000) }
	oz := int64(math.Round(in.CopperOz * 1000))
	r.Add(whole(in, dfm.CopperWeight, oz, dfm.Place{}, "The outer copper is to be "+ounces(oz), ounces))
	return r
}

// whole judges a value that the board has once.
func whole(in *measure.Input, n dfm.Name, v int64, at dfm.Place, what string, unit func(int64) string) rule.Result {
	if v <= 0 {
		return rule.Result{}
	}
	g := rule.MaximumCheck(in, n, false)
	if n == dfm.LayerCount || n == dfm.CopperWeight {
		g.Slack = 0
	}
	at.Value = v
	g.Add(at)
	return g.Result(func(j rule.Breach) string {
		if j.Hard {
			return fmt.Sprintf("%s; the fabricator builds up to %s.", what, unit(j.Limit))
		}
		return fmt.Sprintf("%s; beyond %s the fabricator asks for more time or money.", what, unit(j.Limit))
	})
}

// copperBox is what the board's copper covers. Lines of no width are none, unless the
// file has nothing else.
func copperBox(in *measure.Input) geom.Box {
	b, all := geom.EmptyBox(), geom.EmptyBox()
	for _, l := range in.Board.Copper() {
		all = all.Union(l.Bounds())
		for i := range l.Features {
			if f := &l.Features[i]; !f.Clear && !l.Hairline(f) {
				b = b.Union(l.FeatureBounds(f))
			}
		}
	}
	if b.Empty() {
		return all
	}
	return b
}
