package draw

import (
	"encoding/binary"
	"image/color"
)

// tint blends a colour, translucent, over opaque pixels.
type tint struct {
	rb, g    uint32
	from, to uint64 // the last two pixels that were covered wholly, and what became of them
}

func newTint(c color.NRGBA) tint {
	t := tint{rb: uint32(c.R) | uint32(c.B)<<16, g: uint32(c.G)}
	t.to = uint64(t.blend(0, opacity)) * twice
	return t
}

// twice doubles a pixel when multiplied with it.
const twice = 1<<32 + 1

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
	for ; len(out) >= 8; out = out[8:] {
		p := binary.LittleEndian.Uint64(out)
		if p != t.from {
			low, high := t.blend(uint32(p), opacity), t.blend(uint32(p>>32), opacity)
			t.from, t.to = p, uint64(high)<<32|uint64(low)
		}
		binary.LittleEndian.PutUint64(out, t.to)
	}
	if len(out) >= 4 {
		t.one(out, opacity)
	}
}

// one covers the first pixel of out by a of 256.
func (t *tint) one(out []byte, a uint32) {
	binary.LittleEndian.PutUint32(out, t.blend(binary.LittleEndian.Uint32(out), a))
}

// part covers the pixels of out by m of 255.
func (t *tint) part(out []byte, m uint32) {
	a := (m + m>>7) * opacity >> 8
	for ; len(out) >= 4; out = out[4:] {
		t.one(out, a)
	}
}

// settle sweeps what a raster accumulated straight into pixels, and leaves the
// buffer clean.
func (t *tint) settle(r *raster, out []byte) {
	for y := r.top; y <= r.bot; y++ {
		dst := out[4*y*r.w : 4*(y+1)*r.w]
		runs := r.row(y)
		for i := range runs[:len(runs)-1] {
			c := uint32(runs[i].cover)
			if c == 0 {
				continue
			}
			part := dst[4*runs[i].x : 4*runs[i+1].x]
			if c == 255 {
				t.all(part)
			} else {
				t.part(part, c)
			}
		}
	}
	r.top, r.bot = r.h, -1
}

// mask covers the pixels of out as far as cover says.
func (t *tint) mask(out, cover []uint8) {
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
			t.all(out[4*start : 4*x])
		default:
			t.part(out[4*start:4*x], uint32(m))
		}
	}
}
