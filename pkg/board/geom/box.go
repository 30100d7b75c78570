package geom

import "math"

// Box is an axis-parallel rectangle that includes its borders. The zero Box
// holds only the origin; start from [EmptyBox] to collect things.
type Box struct{ Min, Max Point }

// EmptyBox holds nothing.
func EmptyBox() Box {
	return Box{Point{math.MaxInt64, math.MaxInt64}, Point{math.MinInt64, math.MinInt64}}
}

// BoxOf is the smallest box that holds all points.
func BoxOf(pts ...Point) Box {
	b := EmptyBox()
	for _, p := range pts {
		b = b.Add(p)
	}
	return b
}

// Empty tells whether the box holds nothing.
func (b Box) Empty() bool { return b.Min.X > b.Max.X || b.Min.Y > b.Max.Y }

// Width is the extent in X; 0 when empty.
func (b Box) Width() int64 {
	if b.Empty() {
		return 0
	}
	return b.Max.X - b.Min.X
}

// Height is the extent in Y; 0 when empty.
func (b Box) Height() int64 {
	if b.Empty() {
		return 0
	}
	return b.Max.Y - b.Min.Y
}

// Centre is the middle of a box that is not empty.
func (b Box) Centre() Point { return b.Min.Mid(b.Max) }

// Add gives the box grown to hold p.
func (b Box) Add(p Point) Box {
	return Box{
		Point{min(b.Min.X, p.X), min(b.Min.Y, p.Y)},
		Point{max(b.Max.X, p.X), max(b.Max.Y, p.Y)},
	}
}

// Union is the smallest box that holds both.
func (b Box) Union(c Box) Box {
	return Box{
		Point{min(b.Min.X, c.Min.X), min(b.Min.Y, c.Min.Y)},
		Point{max(b.Max.X, c.Max.X), max(b.Max.Y, c.Max.Y)},
	}
}

// Grow moves every side outwards by d; an empty box stays empty.
func (b Box) Grow(d int64) Box {
	if b.Empty() {
		return b
	}
	return Box{Point{b.Min.X - d, b.Min.Y - d}, Point{b.Max.X + d, b.Max.Y + d}}
}

// Move shifts the box by d; an empty box stays empty.
func (b Box) Move(d Point) Box {
	if b.Empty() {
		return b
	}
	return Box{b.Min.Add(d), b.Max.Add(d)}
}

// Contains tells whether p lies in the box or on its border.
func (b Box) Contains(p Point) bool {
	return p.X >= b.Min.X && p.X <= b.Max.X && p.Y >= b.Min.Y && p.Y <= b.Max.Y
}

// ContainsBox tells whether c lies wholly in b.
func (b Box) ContainsBox(c Box) bool { return b.Contains(c.Min) && b.Contains(c.Max) }

// Overlaps tells whether the boxes share a point.
func (b Box) Overlaps(c Box) bool {
	return b.Min.X <= c.Max.X && c.Min.X <= b.Max.X && b.Min.Y <= c.Max.Y && c.Min.Y <= b.Max.Y
}

// Dist is the distance between two boxes, 0 when they overlap: a lower limit
// for the distance of what they hold.
func (b Box) Dist(c Box) float64 {
	dx := max(c.Min.X-b.Max.X, b.Min.X-c.Max.X, 0)
	dy := max(c.Min.Y-b.Max.Y, b.Min.Y-c.Max.Y, 0)
	return math.Hypot(float64(dx), float64(dy))
}
