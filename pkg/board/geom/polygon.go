package geom

// Polygon is an area: what Outer encloses without what Holes enclose. All are
// closed; which way they run does not matter.
type Polygon struct {
	Outer Path
	Holes []Path
}

// Bounds is the box of the outer path.
func (p Polygon) Bounds() Box { return p.Outer.Bounds() }

// Contains tells whether q lies in the area. On an edge either may be said.
func (p Polygon) Contains(q Point) bool {
	if p.Outer.Winding(q) == 0 {
		return false
	}
	for _, h := range p.Holes {
		if h.Winding(q) != 0 {
			return false
		}
	}
	return true
}

// Area in square nanometres, holes taken off.
func (p Polygon) Area() float64 {
	a := abs(p.Outer.Area())
	for _, h := range p.Holes {
		a -= abs(h.Area())
	}
	return a
}

func abs(v float64) float64 {
	if v < 0 {
		return -v
	}
	return v
}

// Distance is how far q lies from the area: 0 inside.
func (p Polygon) Distance(q Point) (float64, Point) {
	if p.Contains(q) {
		return 0, q
	}
	return p.EdgeDistance(q)
}

// EdgeDistance is how far q lies from the nearest edge, inside or outside.
func (p Polygon) EdgeDistance(q Point) (float64, Point) {
	best, at := p.Outer.Distance(q)
	for _, h := range p.Holes {
		if d, n := h.Distance(q); d < best {
			best, at = d, n
		}
	}
	return best, at
}
