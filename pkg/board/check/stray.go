package check

import (
	"context"
	"fmt"
	"math"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// strays judges holes that meet nothing they should: plated ones without copper,
// holes beside the board, holes drilled twice.
func strays(ctx context.Context, in *input) result {
	var r result
	r.add(in.bareHoles(ctx))
	r.add(in.holesOutside())
	r.add(in.twice())
	return r
}

func place(h *board.Hole) Place {
	return Place{At: h.A, To: h.B, Value: h.Diameter, Objects: [2]string{holeWords(h)}}
}

// bareHoles finds plated holes that no copper layer touches. When nearly none of
// them do, drills and copper do not fit each other.
func (in *input) bareHoles(ctx context.Context) result {
	if len(in.board.Copper()) == 0 {
		return result{}
	}
	plated, alone := in.alone(ctx)
	if plated >= 10 && len(alone)*10 >= plated*8 {
		var at places
		for _, h := range alone {
			at.at(place(h))
		}
		return found(DrillStray, MustFix, func(n int) string {
			return fmt.Sprintf("%d of %d plated holes meet no copper at all: the drill file does not fit the copper; it may be moved, mirrored, scaled or of another board.", n, plated)
		}, &at)
	}
	var at places
	for _, h := range alone {
		if h.Plating == board.Plated {
			at.at(place(h))
		}
	}
	return found(DrillStray, Warning, func(n int) string {
		return fmt.Sprintf("%s %s no copper on any layer: %s probably meant to be non-plated.", capital(plural(n, "plated hole")), meet(n), it(n))
	}, &at)
}

func meet(n int) string {
	if n == 1 {
		return "meets"
	}
	return "meet"
}

func it(n int) string {
	if n == 1 {
		return "it is"
	}
	return "they are"
}

// alone gives the holes, not known to be non-plated, that no copper touches, and
// how many holes it looked at. Most holes lie in the middle of a pad, which is
// quick to tell; only for the others all copper is gone through.
func (in *input) alone(ctx context.Context) (all int, alone []*board.Hole) {
	centres := map[geom.Point]bool{}
	for _, l := range in.board.Copper() {
		if l.Negative {
			return 0, nil // copper wherever nothing is drawn
		}
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == board.FlashFeature && !f.Clear {
				centres[f.A] = true
			}
		}
	}
	for i := range in.board.Holes {
		h := &in.board.Holes[i]
		if h.Plating == board.NonPlated || h.Function == board.FuncMechanicalDrill || h.Function == board.FuncCutOut {
			continue
		}
		all++
		if !centres[h.A] && !centres[h.A.Mid(h.B)] {
			alone = append(alone, h)
		}
	}
	return all, in.untouched(ctx, alone)
}

// untouched leaves those holes that no dark feature touches.
func (in *input) untouched(ctx context.Context, holes []*board.Hole) []*board.Hole {
	if len(holes) == 0 {
		return nil
	}
	boxes := make([]geom.Box, len(holes))
	for i, h := range holes {
		boxes[i] = in.board.HoleBounds(h)
	}
	index, met := shape.NewIndex(boxes), make([]bool, len(holes))
	var shapes, wall []shape.Shape
	for _, l := range in.board.Copper() {
		for i := range l.Features {
			if i%4096 == 0 && ctx.Err() != nil {
				return nil
			}
			f := &l.Features[i]
			if f.Clear {
				continue
			}
			shapes = shapes[:0]
			index.Search(l.FeatureBounds(f), func(k int) bool {
				if met[k] {
					return true
				}
				if len(shapes) == 0 {
					shapes = shape.AppendFeature(shapes, l, f)
				}
				wall = shape.AppendHole(wall[:0], in.board, holes[k])
				met[k] = touch(shapes, wall)
				return true
			})
		}
	}
	var out []*board.Hole
	for i, h := range holes {
		if !met[i] {
			out = append(out, h)
		}
	}
	return out
}

func touch(a, b []shape.Shape) bool {
	for i := range a {
		for j := range b {
			if d, _, _, ok := a[i].Within(&b[j], 0); ok && d <= 0 {
				return true
			}
		}
	}
	return false
}

// holesOutside finds holes that lie wholly beside the board.
func (in *input) holesOutside() result {
	areas := in.board.Outline.Areas
	if len(areas) == 0 {
		return result{}
	}
	var at places
	for i := range in.board.Holes {
		h := &in.board.Holes[i]
		if h.Diameter <= 0 || h.Kind == board.RoutedHole || in.onBoard(h.A) || in.onBoard(h.B) {
			continue
		}
		least := math.Inf(1)
		for _, a := range areas {
			d, _ := a.Outer.Distance(h.A)
			least = min(least, d)
		}
		if least > float64(h.Diameter/2+tolerance) && !in.inCutout(h.A) {
			at.at(place(h))
		}
	}
	return found(DrillStray, Warning, func(n int) string {
		return fmt.Sprintf("%s %s outside of the board.", capital(plural(n, "hole")), lie(n))
	}, &at)
}

func lie(n int) string {
	if n == 1 {
		return "lies"
	}
	return "lie"
}

func (in *input) inCutout(p geom.Point) bool {
	for _, a := range in.board.Outline.Areas {
		for _, h := range a.Holes {
			if h.Winding(p) != 0 {
				return true
			}
		}
	}
	return false
}

// twice finds holes that share their centre: the same one drilled again, or two
// sizes, of which only the larger is left.
func (in *input) twice() result {
	type key struct {
		a, b     geom.Point
		from, to int16
	}
	first := map[key]*board.Hole{}
	var same, other places
	for i := range in.board.Holes {
		h := &in.board.Holes[i]
		if h.Kind == board.RoutedHole || h.Function == board.FuncBackDrill {
			continue
		}
		k := key{h.A, h.B, h.From, h.To}
		g := first[k]
		if g == nil {
			first[k] = h
			continue
		}
		p := place(h)
		p.Objects[1] = holeWords(g)
		if g.Diameter == h.Diameter && (g.Plating == h.Plating || g.Plating == board.PlatingUnknown || h.Plating == board.PlatingUnknown) {
			same.at(p)
		} else {
			other.at(p)
		}
	}
	r := found(DrillStray, Note, func(n int) string {
		return fmt.Sprintf("%s in the files twice; the fabricator drills %s once.", capital(plural(n, "hole"))+" "+be(n), them(n))
	}, &same)
	r.add(found(DrillStray, Warning, func(n int) string {
		return fmt.Sprintf("At %s two holes of different size or plating are drilled on top of each other: say which is right.", plural(n, "place"))
	}, &other))
	return r
}
