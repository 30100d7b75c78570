package clip

import (
	"math/bits"

	"boardorder/pkg/board/geom"
)

// small vectors multiply within 64 bits.
const small = 1 << 31

func isSmall(v geom.Point) bool { return v.X < small && v.X > -small && v.Y < small && v.Y > -small }

// crossSign is the sign of the vector product of u and v, exactly.
func crossSign(u, v geom.Point) int {
	if isSmall(u) && isSmall(v) {
		return sign(u.X*v.Y - u.Y*v.X)
	}
	return compareProducts(u.X, v.Y, u.Y, v.X)
}

// dotSign is the sign of the scalar product of u and v, exactly.
func dotSign(u, v geom.Point) int {
	if isSmall(u) && isSmall(v) {
		return sign(u.X*v.X + u.Y*v.Y)
	}
	return compareProducts(u.X, v.X, -u.Y, v.Y)
}

// orient tells on which side of the line from a to b the point c lies: 1 left,
// -1 right, 0 on it.
func orient(a, b, c geom.Point) int { return crossSign(b.Sub(a), c.Sub(a)) }

// compareProducts compares a·b with c·d in 128 bits.
func compareProducts(a, b, c, d int64) int {
	h1, l1 := multiply(a, b)
	h2, l2 := multiply(c, d)
	switch {
	case h1 != h2:
		return sign2(h1 > h2)
	case l1 != l2:
		return sign2(l1 > l2)
	}
	return 0
}

// multiply gives the 128-bit product in two's complement.
func multiply(a, b int64) (high int64, low uint64) {
	h, l := bits.Mul64(uint64(a), uint64(b))
	high = int64(h)
	if a < 0 {
		high -= b
	}
	if b < 0 {
		high -= a
	}
	return high, l
}

func sign(v int64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

func sign2(greater bool) int {
	if greater {
		return 1
	}
	return -1
}

// precedes orders points from left to right, then from below to above.
func precedes(a, b geom.Point) bool { return a.X < b.X || a.X == b.X && a.Y < b.Y }

func comparePoints(a, b geom.Point) int {
	switch {
	case precedes(a, b):
		return -1
	case precedes(b, a):
		return 1
	}
	return 0
}
