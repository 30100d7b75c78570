package hole

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// Stray finds holes that meet nothing they should.
var Stray = rule.Rule{Judges: []dfm.Name{dfm.HoleWithoutCopper}, Run: strays}

// strays judges holes that meet nothing they should: plated ones without copper,
// holes beside the board, holes drilled twice.
func strays(ctx context.Context, in *measure.Input) rule.Result {
	var r rule.Result
	r.Add(bareHoles(ctx, in))
	r.Add(holesOutside(in))
	r.Add(twice(in))
	r.Add(reportContained(in))
	r.Add(breakRows(in))
	r.Add(landsLost(in))
	return r
}

func place(h *pcb.Hole) dfm.Place {
	return dfm.Place{At: h.A, To: h.B, Value: h.Diameter, Objects: [2]string{measure.HoleWords(h)}}
}

// bareHoles finds plated holes that no copper layer touches. When nearly none of
// them do, drills and copper do not fit each other.
func bareHoles(ctx context.Context, in *measure.Input) rule.Result {
	if len(in.Board.Copper()) == 0 {
		return rule.Result{}
	}
	c, err := in.Copper()
	if err != nil {
		return rule.Unknown(dfm.HoleWithoutCopper, err)
	}
	plated, alone := findUntouched(ctx, in, c)
	if plated >= 10 && len(alone)*10 >= plated*8 {
		var at rule.Places
		for _, h := range alone {
			at.AddUnmeasured(place(h))
		}
		return rule.PlaceFinding(dfm.HoleWithoutCopper, dfm.MustFix, func(n int) string {
			return fmt.Sprintf("%d of %d plated holes meet no copper at all: the drill file does not fit the copper; it may be moved, mirrored, scaled or of another board.", n, plated)
		}, &at)
	}
	var at rule.Places
	for _, h := range alone {
		if h.Plating == pcb.Plated {
			at.AddUnmeasured(place(h))
		}
	}
	return rule.PlaceFinding(dfm.HoleWithoutCopper, dfm.Warning, func(n int) string {
		return fmt.Sprintf("%s %s no copper on any layer: %s probably meant to be non-plated.", words.Plural(n, "plated hole"), words.Inflect(n, "meets", "meet"), words.Inflect(n, "it is", "they are"))
	}, &at)
}

// findUntouched gives the holes, not known to be non-plated, that no copper touches, and
// how many holes it looked at.
func findUntouched(ctx context.Context, in *measure.Input, c *copper.Copper) (all int, alone []*pcb.Hole) {
	var barrel []shape.Shape
	breaks := in.Breaks()
	for i := range in.Board.Holes {
		if i%1024 == 0 && ctx.Err() != nil {
			return 0, nil
		}
		h := &in.Board.Holes[i]
		if h.Plating == pcb.NonPlated || h.Function == pcb.FuncMechanicalDrill || h.Function == pcb.FuncCutOut || breaks[i] {
			continue
		}
		all++
		barrel = shape.AppendHole(barrel[:0], in.Board, h)
		if c.Holes[i] < 0 && !isTouched(c, h, barrel) {
			alone = append(alone, h)
		}
	}
	return all, alone
}

// isTouched reports whether copper of any layer that the hole passes meets its barrel.
func isTouched(c *copper.Copper, h *pcb.Hole, barrel []shape.Shape) bool {
	return slices.ContainsFunc(c.Layers, func(l *copper.Layer) bool { return copper.Spans(h, l.Layer) && meets(l, barrel) })
}

// meets reports whether copper of a layer meets the barrel of a hole.
func meets(l *copper.Layer, barrel []shape.Shape) bool {
	met := false
	for i := range barrel {
		l.VisitNear(&barrel[i], copper.HoleTouch, func(int, float64, geom.Point, geom.Point) bool {
			met = true
			return false
		})
	}
	return met
}

// breakRows tells of the holes along which boards are broken off.
func breakRows(in *measure.Input) rule.Result {
	var at rule.Places
	for i, is := range in.Breaks() {
		if is {
			at.AddUnmeasured(place(&in.Board.Holes[i]))
		}
	}
	return rule.PlaceFinding(dfm.HoleWithoutCopper, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s in rows along which the board is broken off: they were taken for that, and not judged by what lies between them and beside the edge.", words.Plural(n, "hole"))
	}, &at)
}

// holesOutside finds holes that lie wholly beside the board. Those in cutouts are
// gone with them.
func holesOutside(in *measure.Input) rule.Result {
	var whole []shape.Shape
	for _, a := range in.Board.Outline.Areas {
		whole = append(whole, shape.Area(geom.Polygon{Outer: a.Outer}, 0))
	}
	var at rule.Places
	for i := range in.Board.Holes {
		h := &in.Board.Holes[i]
		if len(whole) == 0 || h.Diameter <= 0 || h.Kind == pcb.RoutedHole {
			continue
		}
		if shapeDistance(whole, h.A) > float64(h.Diameter/2+dfm.Tolerance) && shapeDistance(whole, h.B) > float64(h.Diameter/2+dfm.Tolerance) {
			at.AddUnmeasured(place(h))
		}
	}
	return rule.PlaceFinding(dfm.HoleWithoutCopper, dfm.Warning, func(n int) string {
		return fmt.Sprintf("%s %s outside of the board.", words.Plural(n, "hole"), words.Inflect(n, "lies", "lie"))
	}, &at)
}

// shapeDistance is how far a point lies from the nearest shape; 0 in one.
func shapeDistance(shapes []shape.Shape, p geom.Point) float64 {
	least := math.Inf(1)
	for i := range shapes {
		if least = min(least, shapes[i].DistTo(p)); least <= 0 {
			return 0
		}
	}
	return least
}

// reportContained tells of hits of which nothing is left once a larger hole is cut. Those that
// share its middle are told as drilled twice.
func reportContained(in *measure.Input) rule.Result {
	type middle struct{ a, b geom.Point }
	share := map[middle]int{}
	for i := range in.Board.Holes {
		share[middle{in.Board.Holes[i].A, in.Board.Holes[i].B}]++
	}
	var at rule.Places
	tools := map[int32]bool{}
	for i, s := range in.Contained() {
		h := &in.Board.Holes[i]
		if s && share[middle{h.A, h.B}] == 1 {
			at.AddUnmeasured(place(h))
			tools[h.Tool] = true
		}
	}
	return rule.PlaceFinding(dfm.HoleWithoutCopper, dfm.Note, func(n int) string {
		of := ""
		for _, t := range slices.Sorted(maps.Keys(tools)) {
			of += fmt.Sprintf(", T%d", t)
		}
		if of = strings.TrimPrefix(of, ", "); of == "T0" || len(tools) > 4 {
			of = ""
		} else {
			of = " (tool " + of + ")"
		}
		return fmt.Sprintf("%s%s %s wholly within a larger hole: nothing of %s is left to drill, and %s.",
			words.Plural(n, "hit"), of, words.Inflect(n, "lies", "lie"), words.Inflect(n, "it", "them"),
			words.Inflect(n, "it is not judged as a hole of its own", "they are not judged as holes of their own"))
	}, &at)
}

// landsLost finds holes that take whole lands of other places away: no hole is so large where it
// belongs.
func landsLost(in *measure.Input) rule.Result {
	const (
		minHole = geom.Millimetre
		minLand = 200 * geom.Micrometre
	)
	var boxes []geom.Box
	for _, s := range []pcb.Side{pcb.Top, pcb.Bottom} {
		if l := in.Outer(s); l != nil && !l.Negative {
			for i := range l.Features {
				if f := &l.Features[i]; f.Kind == pcb.FlashFeature && !f.Clear {
					if b := l.FeatureBounds(f); min(b.Width(), b.Height()) >= minLand {
						boxes = append(boxes, b)
					}
				}
			}
		}
	}
	index := shape.NewIndex(boxes).SetMeter(in.Meter)
	var at rule.Places
	for i := range in.Board.Holes {
		h := &in.Board.Holes[i]
		if h.Kind != pcb.DrillHole || h.Diameter < minHole {
			continue
		}
		index.Search(geom.BoxOf(h.A).Grow(h.Diameter/2), func(k int) bool {
			far, half := boxes[k].Centre().Dist(h.A), float64(max(boxes[k].Width(), boxes[k].Height()))/2
			lost := far > half && far+half <= float64(h.Diameter)/2
			if lost {
				at.AddUnmeasured(place(h))
			}
			return !lost
		})
	}
	return rule.PlaceFinding(dfm.HoleWithoutCopper, dfm.MustFix, func(n int) string {
		return fmt.Sprintf("%s %s whole lands of other places away: the size of the tool, or its unit, does not fit the copper.", words.Plural(n, "hole"), words.Inflect(n, "takes", "take"))
	}, &at)
}

// twice finds holes that share their centre: the same one drilled again, or two
// sizes, of which only the larger is left.
func twice(in *measure.Input) rule.Result {
	type key struct {
		a, b     geom.Point
		from, to int16
	}
	first := map[key]*pcb.Hole{}
	var same, other rule.Places
	for i := range in.Board.Holes {
		h := &in.Board.Holes[i]
		if h.Kind == pcb.RoutedHole || h.Function == pcb.FuncBackDrill {
			continue
		}
		k := key{h.A, h.B, h.From, h.To}
		g := first[k]
		if g == nil {
			first[k] = h
			continue
		}
		p := place(h)
		p.Objects[1] = measure.HoleWords(g)
		if g.Diameter == h.Diameter && (g.Plating == h.Plating || g.Plating == pcb.PlatingUnknown || h.Plating == pcb.PlatingUnknown) {
			same.AddUnmeasured(p)
		} else {
			other.AddUnmeasured(p)
		}
	}
	r := rule.PlaceFinding(dfm.HoleWithoutCopper, dfm.Note, func(n int) string {
		return fmt.Sprintf("%s in the files twice; the fabricator drills %s once.", words.Plural(n, "hole")+" "+words.Be(n), words.Inflect(n, "it", "them"))
	}, &same)
	r.Add(rule.PlaceFinding(dfm.HoleWithoutCopper, dfm.Warning, func(n int) string {
		return fmt.Sprintf("At %s two holes of different size or plating are drilled on top of each other: say which is right.", words.Plural(n, "place"))
	}, &other))
	return r
}
