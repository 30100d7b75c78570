package draw

import (
	"encoding/binary"
	"image/color"
)

// tint blends a colour, translucent, over the opaque pixels of a band.
type tint struct {
	out      []byte
	w        int
	rb, g    uint32
	from, to uint32 // the last pixel that was covered wholly, and what became of it
}

func newTint(out []byte, w int, c color.NRGBA) tint {
	t := tint{out: out, w: w, rb: uint32(c.R) | uint32(c.B)<<16, g: uint32(c.G)}
	t.to = t.blend(0, opacity)
	return t
}

// opacity of a tint, of 256.
const opacity = 180

// blend covers pixel p by a of 256. Red and blue are blended in one multiplication.
func (t *tint) blend(p, a uint32) uint32 {
	const outer = 0x00ff00ff
	p1 := ((p&outer)*(256-a) + t.rb*a) >> 8 & outer
	p2 := ((p>>8&0xff)*(256-a) + t.g*a) & 0xff00
	return p1 | p2 | 0xff000000
}

// all covers every pixel of out. Pixels side by side often are alike, so two at
// once are looked at.
func (t *tint) all(out []byte) {
	from, to := t.from, t.to
	from2, to2 := uint64(from)<<32|uint64(from), uint64(to)<<32|uint64(to)
	for ; len(out) >= 8; out = out[8:] {
		p := binary.LittleEndian.Uint64(out)
		if p == from2 {
			binary.LittleEndian.PutUint64(out, to2)
			continue
		}
		low := t.blend(uint32(p), opacity)
		from = uint32(p >> 32)
		to = t.blend(from, opacity)
		binary.LittleEndian.PutUint64(out, uint64(to)<<32|uint64(low))
		from2, to2 = uint64(from)<<32|uint64(from), uint64(to)<<32|uint64(to)
	}
	if len(out) >= 4 {
		binary.LittleEndian.PutUint32(out, t.blend(binary.LittleEndian.Uint32(out), opacity))
	}
	t.from, t.to = from, to
}

// part covers the pixels of out by m of 255.
func (t *tint) part(out []byte, m uint32) {
	a := (m + m>>7) * opacity >> 8
	for ; len(out) >= 4; out = out[4:] {
		binary.LittleEndian.PutUint32(out, t.blend(binary.LittleEndian.Uint32(out), a))
	}
}

func (t *tint) even(y, from, to int, c float32) {
	if c < 0 {
		c = -c
	}
	out := t.out[4*(y*t.w+from) : 4*(y*t.w+to)]
	if c > all {
		t.all(out)
		return
	}
	t.part(out, uint32(c*255+0.5))
}

func (t *tint) sweep(y, from int, acc []float32, sum float32) float32 {
	out := t.out[4*(y*t.w+from):]
	out = out[:4*len(acc)]
	for i := 0; i < len(acc); {
		sum += acc[i]
		start := i
		for i++; i < len(acc) && acc[i] == 0; i++ {
		}
		c := sum
		if c < 0 {
			c = -c
		}
		switch {
		case c < none:
		case c > all:
			t.all(out[4*start : 4*i])
		case i == start+1:
			m := uint32(c*255 + 0.5)
			px := out[4*start : 4*i]
			binary.LittleEndian.PutUint32(px, t.blend(binary.LittleEndian.Uint32(px), (m+m>>7)*opacity>>8))
		default:
			t.part(out[4*start:4*i], uint32(c*255+0.5))
		}
	}
	return sum
}

// mask covers the pixels as far as cover says.
func (t *tint) mask(cover []uint8) {
	for x := 0; x < len(cover); {
		if x+8 <= len(cover) && binary.LittleEndian.Uint64(cover[x:]) == 0 {
			x += 8
			continue
		}
		start, m := x, cover[x]
		for x++; x < len(cover) && cover[x] == m; x++ {
		}
		switch m {
		case 0:
		case 255:
			t.all(t.out[4*start : 4*x])
		default:
			t.part(t.out[4*start:4*x], uint32(m))
		}
	}
}
