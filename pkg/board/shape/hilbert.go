package shape

import (
	"slices"

	"boardorder/pkg/board/geom"
)

const (
	itemBits  = 30 // of a key; the other bits hold the place
	curveBits = 17 // of each coordinate
	// curveSteps is how often two bits of each coordinate are taken at once.
	curveSteps = (curveBits + 1) / 2
)

// hilbert is where p lies along a Hilbert curve that fills the box.
func hilbert(all geom.Box, p geom.Point) uint64 {
	side := max(all.Width(), all.Height(), 1)
	x := uint64(float64(p.X-all.Min.X) / float64(side) * (1<<curveBits - 1))
	y := uint64(float64(p.Y-all.Min.Y) / float64(side) * (1<<curveBits - 1))
	x, y = x<<(64-2*curveSteps), y<<(64-2*curveSteps)
	d, turn := uint64(0), uint64(curveBits%2<<1) // a bit more than there are turns it once
	for range curveSteps {
		step := curve[turn<<4|x>>62<<2|y>>62]
		d, turn = d<<4|uint64(step>>2), uint64(step&3)
		x, y = x<<2, y<<2
	}
	return d
}

// curve is one step along the curve into the sixteenth that the next two bits of x
// and y name: by how the curve lies (bit 0 turned about, bit 1 with x for y) and those
// bits, the number of the sixteenth, and in the low two bits how the curve lies in it.
var curve = func() (out [64]uint8) {
	for k := range out {
		turn, d := uint8(k)>>4, uint8(0)
		for bit := 1; bit >= 0; bit-- {
			x, y := uint8(k)>>(2+bit)&1, uint8(k)>>bit&1
			if turn&2 != 0 {
				x, y = y, x
			}
			x, y = x^turn&1, y^turn&1
			d = d<<2 | 3*x ^ y
			if y == 0 {
				turn ^= 2 | x
			}
		}
		out[k] = d<<2 | turn
	}
	return out
}()

// sortKeys sorts keys whose items rise by their places.
func sortKeys(keys []uint64) {
	const (
		digit = 12 // bits that are sorted by at once
		many  = 1 << (digit - 2)
	)
	if len(keys) < many {
		slices.Sort(keys)
		return
	}
	from, to := keys, make([]uint64, len(keys))
	var ends [1 << digit]int32
	for shift := itemBits; shift < itemBits+2*curveBits; shift += digit {
		clear(ends[:])
		for _, k := range from {
			ends[k>>shift&(1<<digit-1)]++
		}
		sum := int32(0)
		for i, n := range ends {
			ends[i] = sum
			sum += n
		}
		for _, k := range from {
			at := &ends[k>>shift&(1<<digit-1)]
			to[*at] = k
			*at++
		}
		from, to = to, from
	}
	copy(keys, from)
}
