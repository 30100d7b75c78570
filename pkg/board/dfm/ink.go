package dfm

import (
	"boardorder/pkg/board/geom"
)

// inkStep is how fine ink is looked for beside a line, so that its width may come out
// a step too small.
const inkStep = 5 * geom.Micrometre

// An inkGauge measures how wide the ink of a legend is where one of its lines runs.
type inkGauge struct {
	*sheet
	most int64   // what is wider tells nothing
	near []int32 // shapes that may widen the line at work
	mind bool    // something may be erased there
}

// across is how wide the ink is, square through the middle of line i that is w wide
// itself: up to most, 0 where the middle was erased.
func (k *inkGauge) across(i int, w int64) int64 {
	e := rim{Edge: k.layer.Edge(k.feature(i))}
	mid := e.Mid()
	if !k.dark(i, mid) {
		return 0
	}
	n := e.tangent(mid).left()
	if n == (vector{}) || !k.gather(i, geom.Bound(mid.Add(n.point(float64(k.most))), mid.Add(n.point(-float64(k.most))))) {
		return w
	}
	sum := w
	for _, side := range [2]vector{n, n.times(-1)} {
		sum += k.beside(mid, side, w/2, sum)
	}
	return sum
}

// gather collects the shapes other than i that come near a box, and tells whether
// there are any.
func (k *inkGauge) gather(i int, box geom.Box) bool {
	k.near, k.mind = k.near[:0], false
	k.index.Search(box.Grow(1), func(j int) bool {
		if j != i {
			k.near = append(k.near, int32(j))
		}
		return true
	})
	if k.clears != nil {
		k.clears.index.Search(box.Grow(1), func(int) bool {
			k.mind = true
			return false
		})
	}
	return len(k.near) > 0
}

// beside is how far ink goes on from half a width beside a point, in steps, while
// it and what is known to be inked already are less than most.
func (k *inkGauge) beside(mid geom.Point, dir vector, half, known int64) int64 {
	sum := int64(0)
	for left := min(k.most-half-inkStep, k.most-known); left > 0; {
		free := k.room(mid.Add(dir.point(float64(half + inkStep + sum))))
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
func (k *inkGauge) room(p geom.Point) float64 {
	enough := float64(k.most)
	if k.mind {
		enough = 0 // it may be erased beside the point
	}
	for _, j := range k.near {
		if !k.boxes[j].Contains(p) {
			continue
		}
		if free := k.shapes[j].Room(p, enough); free >= 0 && (!k.mind || k.dark(int(j), p)) {
			return free
		}
	}
	return -1
}
