package silkscreen

import (
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/geom"
)

// inkStep is how fine ink is looked for beside a line, so that its width may come out
// a step too small.
const inkStep = 5 * geom.Micrometre

// An inkCheck measures how wide the ink of a silkscreen is where one of its lines runs.
type inkCheck struct {
	*measure.DrawnLayer
	most int64   // what is wider tells nothing
	near []int32 // shapes that may widen the line at work
	mind bool    // something may be erased there
}

// widthAcross is how wide the ink is, square through the middle of line i that is w wide
// itself: up to most, 0 where the middle was erased.
func (k *inkCheck) widthAcross(i int, w int64) int64 {
	e := measure.Rim{Edge: k.Layer.Edge(k.Feature(i))}
	mid := e.Mid()
	if !k.Dark(i, mid) {
		return 0
	}
	n := e.Tangent(mid).TurnLeft()
	if n == (measure.Vector{}) || !k.gather(i, geom.BoxOf(mid.Add(n.Point(float64(k.most))), mid.Add(n.Point(-float64(k.most))))) {
		return w
	}
	sum := w
	for _, side := range [2]measure.Vector{n, n.Times(-1)} {
		sum += k.inkBeside(mid, side, w/2, sum)
	}
	return sum
}

// gather collects the shapes other than i that come near a box, and reports whether
// there are any.
func (k *inkCheck) gather(i int, box geom.Box) bool {
	k.near, k.mind = k.near[:0], false
	k.Index.Search(box.Grow(1), func(j int) bool {
		if j != i {
			k.near = append(k.near, int32(j))
		}
		return true
	})
	if k.Clears != nil {
		k.Clears.Index.Search(box.Grow(1), func(int) bool {
			k.mind = true
			return false
		})
	}
	return len(k.near) > 0
}

// inkBeside is how far ink goes on from half a width beside a point, in steps, while
// it and what is known to be inked already are less than most.
func (k *inkCheck) inkBeside(mid geom.Point, dir measure.Vector, half, known int64) int64 {
	sum := int64(0)
	for left := min(k.most-half-inkStep, k.most-known); left > 0; {
		free := k.room(mid.Add(dir.Point(float64(half + inkStep + sum))))
		if free < 0 {
			break
		}
		// What is inked all round the point is so at the next steps, but for rounding.
		n := min(1+max(0, int64(free)-3)/inkStep, (left+inkStep-1)/inkStep)
		sum, left = sum+n*inkStep, left-n*inkStep
	}
	return sum
}

// room is how far around a point everything is inked, as far as one shape tells;
// negative where the point is not.
func (k *inkCheck) room(p geom.Point) float64 {
	enough := float64(k.most)
	if k.mind {
		enough = 0 // it may be erased beside the point
	}
	for _, j := range k.near {
		if !k.Boxes[j].Contains(p) {
			continue
		}
		if free := k.Shapes[j].Room(p, enough); free >= 0 && (!k.mind || k.Dark(int(j), p)) {
			return free
		}
	}
	return -1
}
