package excellon

import "boardorder/pkg/board/geom"

// evidence is a sample of the coordinates with what they must fit.
type evidence struct {
	pairs   [][2]number
	places  []placement // holes, and slots where there are few holes
	extents geom.Box
	pads    map[geom.Point]struct{}
}

// A placement is where something is drilled: the middle between two pairs, which
// are the same for a hole.
type placement struct{ from, to [2]number }

const (
	goodFit    = 0.7
	sampleSize = 4000
	padCell    = 50 * geom.Micrometre
	enough     = 6 // holes whose match with pads is no chance, though not all match
)

func (s *scanner) evidence() *evidence {
	e := &evidence{extents: s.opt.Extents, pads: make(map[geom.Point]struct{}, len(s.opt.Pads))}
	for _, p := range s.opt.Pads {
		e.pads[cell(p)] = struct{}{}
	}
	step := max(1, len(s.ops)/sampleSize)
	var x, y number
	x.decimals, y.decimals = -1, -1
	var slots []placement
	for i := range s.ops {
		o := &s.ops[i]
		if o.code == opRepeat || o.code == opPatternAgain || o.code == opZero || o.has&(hasX|hasY) == 0 {
			continue
		}
		before := [2]number{x, y}
		if o.has&hasX != 0 {
			x = o.x
		}
		if o.has&hasY != 0 {
			y = o.y
		}
		if i%step != 0 {
			continue
		}
		at := [2]number{x, y}
		e.pairs = append(e.pairs, at)
		switch o.code {
		case opDrill:
			e.places = append(e.places, placement{at, at})
		case opLine:
			slots = append(slots, placement{before, at})
		case opSlot:
			slots = append(slots, placement{at, s.extra[o.extra].end(at)})
		}
	}
	if len(e.places) < enough {
		e.places = append(e.places, slots...)
	}
	return e
}

func cell(p geom.Point) geom.Point {
	return geom.Pt(floorDiv(p.X, padCell), floorDiv(p.Y, padCell))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// padsTell reports whether there are pads and holes enough for a match to be
// expected.
func (e *evidence) padsTell() bool { return len(e.pads) > 0 && len(e.places) >= enough }

// matchesPads reports whether holes lie on pads, and not all on the same few: most of
// many, or every one of a few. It is no chance either way.
func (e *evidence) matchesPads(f Format) bool {
	if len(e.pads) == 0 || len(e.places) < 2 {
		return false
	}
	n, distinct := e.matches(f)
	if len(e.places) < enough {
		return n == len(e.places) && distinct == n
	}
	return n*10 >= len(e.places)*6 && distinct*2 >= n
}

// matchesEach reports whether every hole lies on a pad, each on another.
func (e *evidence) matchesEach(f Format) bool {
	n, distinct := e.matches(f)
	return n == len(e.places) && distinct == n
}

// matches counts the holes that lie on pads, and the places where they do.
func (e *evidence) matches(f Format) (holes, places int) {
	distinct := map[geom.Point]struct{}{}
	for _, p := range e.places {
		if at, ok := p.middle(f); ok && e.hasPad(at) {
			holes++
			distinct[cell(at)] = struct{}{}
		}
	}
	return holes, len(distinct)
}

// middle is where a placement lies when read in a format.
func (p placement) middle(f Format) (geom.Point, bool) {
	var out [2]geom.Point
	for i, q := range [2][2]number{p.from, p.to} {
		x, ok1 := f.length(q[0])
		y, ok2 := f.length(q[1])
		if !ok1 || !ok2 {
			return geom.Point{}, false
		}
		out[i] = geom.Pt(x, y)
	}
	return out[0].Mid(out[1]), true
}

// end is the second pair of a slot that begins at from.
func (e extraPair) end(from [2]number) [2]number {
	if e.hasA {
		from[0] = e.a
	}
	if e.hasB {
		from[1] = e.b
	}
	return from
}

// fits scores a format between 0 and 1: how many holes lie on the board, and
// whether they spread over it.
func (e *evidence) fits(f Format) float64 {
	share, box := e.locateHoles(f)
	if share == 0 || e.extents.Width() <= 0 || e.extents.Height() <= 0 {
		return 0
	}
	return share * e.spread(box)
}

// boardShare is the share of the holes that lie on the board.
func (e *evidence) boardShare(f Format) float64 {
	share, _ := e.locateHoles(f)
	return share
}

// locateHoles gives the share of the holes on the board and the box of all holes.
func (e *evidence) locateHoles(f Format) (share float64, box geom.Box) {
	box = geom.EmptyBox()
	inside := 0
	limit := e.extents.Grow(max(e.extents.Width(), e.extents.Height()) / 20)
	for _, p := range e.pairs {
		x, ok1 := f.length(p[0])
		y, ok2 := f.length(p[1])
		if !ok1 || !ok2 {
			continue
		}
		at := geom.Pt(x, y)
		box = box.Add(at)
		if limit.Contains(at) {
			inside++
		}
	}
	return float64(inside) / float64(max(1, len(e.pairs))), box
}

// spread is 1 when the holes take up a fair part of the board, less when they
// huddle in one spot, as they do when read a power of ten too small.
func (e *evidence) spread(box geom.Box) float64 {
	if len(e.pairs) < 3 {
		return 0.8
	}
	w := float64(box.Width()) / float64(e.extents.Width())
	h := float64(box.Height()) / float64(e.extents.Height())
	return min(1, 0.2+max(w, h)*2)
}

// hasPad reports whether a pad lies at a point, or so near that rounding parts them.
func (e *evidence) hasPad(p geom.Point) bool {
	c := cell(p)
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			if _, ok := e.pads[geom.Pt(c.X+dx, c.Y+dy)]; ok {
				return true
			}
		}
	}
	return false
}

// sameScale tells whether the holes span about as much as the board, wherever
// their origin is: some drill files have an origin of their own.
func (e *evidence) sameScale(f Format) bool {
	_, box := e.locateHoles(f)
	if box.Empty() || e.extents.Width() == 0 || e.extents.Height() == 0 {
		return false
	}
	w := float64(box.Width()) / float64(e.extents.Width())
	h := float64(box.Height()) / float64(e.extents.Height())
	return w < 1.3 && h < 1.3 && max(w, h) > 0.1
}
