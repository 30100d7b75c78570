package render

import "image/color"

// lanes is an opaque colour with room to multiply: red, green and blue in the low
// bytes of the first three 16-bit lanes, red lowest.
type lanes uint64

const laneBytes = 0x00ff_00ff_00ff

func newLanes(c color.NRGBA) lanes {
	return lanes(c.R) | lanes(c.G)<<16 | lanes(c.B)<<32
}

// rgb gives the bytes of the colour.
func (c lanes) rgb() (r, g, b uint8) { return uint8(c), uint8(c >> 16), uint8(c >> 32) }

// opacity of a layer's colour over what lies below, of 256.
const opacity = 180

// blendOver lays the colour, translucent, over another where it covers that by m of 255.
func (c lanes) blendOver(below lanes, m uint64) lanes {
	a := lanes((m + m>>7) * opacity >> 8)
	return (below*(256-a) + c*a) >> 8 & laneBytes
}
