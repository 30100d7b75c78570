package draw

import (
	"math"
	"math/bits"
)

// raster accumulates the signed area that polygons cover of each pixel. A line
// adds, to the pixels it passes, how much of the row right of it becomes covered;
// summing along the row then gives every pixel's cover. Only what was touched is
// swept.
type raster struct {
	w, h     int
	y0       float32 // first row of this band
	acc      []float32
	marks    []uint64 // a bit for every block of columns that was touched
	words    int      // of marks in a row
	top, bot int      // touched rows; top > bot when clean

	pen   pen       // of the last capsule
	outer []float32 // scratch of arcBand
	inner []float32
}

// Columns are swept in blocks; what lies between touched blocks has one cover.
const (
	blockShift = 4
	block      = 1 << blockShift
)

// reset prepares for a band of h rows from y0 on, w columns wide.
func (r *raster) reset(w, h, y0 int) {
	r.w, r.h, r.y0 = w, h, float32(y0)
	if n := (w + 2) * h; cap(r.acc) < n {
		r.acc = make([]float32, n)
	} else {
		r.acc = r.acc[:n] // always left clean by settle
	}
	r.words = (w+2)>>(blockShift+6) + 1
	if n := r.words * h; cap(r.marks) < n {
		r.marks = make([]uint64, n)
	} else {
		r.marks = r.marks[:n] // clean too
	}
	r.top, r.bot = h, -1
}

// line adds the directed line from x0, y0 to x1, y1, with sign +1 or -1.
func (r *raster) line(x0, y0, x1, y1, sign float32) {
	if y0 == y1 {
		return
	}
	y0, y1 = y0-r.y0, y1-r.y0
	if y0 > y1 {
		x0, y0, x1, y1, sign = x1, y1, x0, y0, -sign
	}
	if y1 <= 0 || y0 >= float32(r.h) {
		return
	}
	slope := (x1 - x0) / (y1 - y0)
	if y0 < 0 {
		x0, y0 = x0-y0*slope, 0
	}
	if y1 > float32(r.h) {
		y1 = float32(r.h)
	}
	limit, stride := float32(r.w), r.w+2
	first, last := int(y0), int(math.Ceil(float64(y1)))-1
	if first < r.top {
		r.top = first
	}
	if last > r.bot {
		r.bot = last
	}
	x := x0
	for y := first; y <= last; y++ {
		a, b := max(y0, float32(y)), min(y1, float32(y+1))
		dy := b - a
		next := x + slope*dy
		l, h := x, next
		x = next
		if l > h {
			l, h = h, l
		}
		l, h = min(max(l, 0), limit), min(max(h, 0), limit)
		r.cover(r.acc[y*stride:(y+1)*stride], r.marks[y*r.words:(y+1)*r.words], l, h, dy*sign)
	}
}

// cover spreads d over the columns l to h of a row.
func (r *raster) cover(row []float32, marks []uint64, l, h, d float32) {
	li := int(l)
	hi := int(h)
	if float32(hi) < h {
		hi++
	}
	first := li >> blockShift
	marks[first>>6] |= 1 << (first & 63)
	if hi <= li+1 {
		if b := (li + 1) >> blockShift; b != first {
			marks[b>>6] |= 1 << (b & 63)
		}
		m := d * ((l+h)*0.5 - float32(li))
		row[li] += d - m
		row[li+1] += m
		return
	}
	for b := first + 1; b <= hi>>blockShift; b++ {
		marks[b>>6] |= 1 << (b & 63)
	}
	s := 1 / (h - l)
	lf := l - float32(li)
	a0 := 0.5 * s * (1 - lf) * (1 - lf)
	hf := h - float32(hi) + 1
	am := 0.5 * s * hf * hf
	row[li] += d * a0
	if hi == li+2 {
		row[li+1] += d * (1 - a0 - am)
	} else {
		a1 := s * (1.5 - lf)
		row[li+1] += d * (a1 - a0)
		for i := li + 2; i < hi-1; i++ {
			row[i] += d * s
		}
		a2 := a1 + float32(hi-li-3)*s
		row[hi-1] += d * (1 - a2 - am)
	}
	row[hi] += d * am
}

// settle sweeps what was accumulated into mask, a band of the picture with r.w
// columns, adding or erasing, and leaves the buffer clean.
func (r *raster) settle(mask []uint8, erase bool) {
	stride := r.w + 2
	for y := r.top; y <= r.bot; y++ {
		acc := r.acc[y*stride : (y+1)*stride]
		dst := mask[y*r.w : (y+1)*r.w]
		sum, at := float32(0), 0
		for word, bit := range r.marks[y*r.words : (y+1)*r.words] {
			for ; bit != 0; bit &= bit - 1 {
				x := (word<<6 + bits.TrailingZeros64(bit)) << blockShift
				if x >= r.w {
					break
				}
				if x > at {
					even(dst[at:x], sum, erase)
				}
				at = min(x+block, r.w)
				sum = sweep(dst[x:at], acc[x:at], sum, erase)
			}
		}
		if at < r.w {
			even(dst[at:], sum, erase)
		}
		acc[r.w], acc[r.w+1] = 0, 0
		clear(r.marks[y*r.words : (y+1)*r.words])
	}
	r.top, r.bot = r.h, -1
}

// settleTint sweeps what was accumulated straight into the pixels of a band,
// and leaves the buffer clean.
func (r *raster) settleTint(out []byte, t *tint) {
	stride := r.w + 2
	for y := r.top; y <= r.bot; y++ {
		acc := r.acc[y*stride : (y+1)*stride]
		dst := out[4*y*r.w : 4*(y+1)*r.w]
		sum, at := float32(0), 0
		for word, bit := range r.marks[y*r.words : (y+1)*r.words] {
			for ; bit != 0; bit &= bit - 1 {
				x := (word<<6 + bits.TrailingZeros64(bit)) << blockShift
				if x >= r.w {
					break
				}
				if x > at {
					evenTint(dst[4*at:4*x], sum, t)
				}
				at = min(x+block, r.w)
				sum = sweepTint(dst[4*x:4*at], acc[x:at], sum, t)
			}
		}
		if at < r.w {
			evenTint(dst[4*at:], sum, t)
		}
		acc[r.w], acc[r.w+1] = 0, 0
		clear(r.marks[y*r.words : (y+1)*r.words])
	}
	r.top, r.bot = r.h, -1
}

func evenTint(dst []byte, sum float32, t *tint) {
	if sum < 0 {
		sum = -sum
	}
	switch {
	case sum < none:
	case sum > all:
		t.all(dst)
	default:
		for m := uint32(sum*255 + 0.5); len(dst) > 0; dst = dst[4:] {
			t.part(dst, m)
		}
	}
}

func sweepTint(dst []byte, acc []float32, sum float32, t *tint) float32 {
	for i, a := range acc {
		sum += a
		c := sum
		if c < 0 {
			c = -c
		}
		switch {
		case c < none:
		case c > all:
			t.all(dst[4*i : 4*i+4])
		default:
			t.part(dst[4*i:4*i+4], uint32(c*255+0.5))
		}
	}
	clear(acc)
	return sum
}

// Covers this close to none or all count as such.
const (
	none = 1.0 / 512
	all  = 511.0 / 512
)

// even settles a run of pixels that no line touched.
func even(dst []uint8, sum float32, erase bool) {
	if sum < 0 {
		sum = -sum
	}
	switch {
	case sum < none:
	case sum <= all:
		for i := range dst {
			blend(&dst[i], uint32(sum*255+0.5), erase)
		}
	case erase:
		clear(dst)
	default:
		for i := range dst {
			dst[i] = 255
		}
	}
}

// sweep settles touched pixels, cleans their accumulator and gives the new sum.
func sweep(dst []uint8, acc []float32, sum float32, erase bool) float32 {
	for i, a := range acc {
		sum += a
		c := sum
		if c < 0 {
			c = -c
		}
		switch {
		case c < none:
		case c <= all:
			blend(&dst[i], uint32(c*255+0.5), erase)
		case erase:
			dst[i] = 0
		default:
			dst[i] = 255
		}
	}
	clear(acc)
	return sum
}

// blend adds cover c to, or takes it from, a mask pixel.
func blend(p *uint8, c uint32, erase bool) {
	m := uint32(*p)
	if erase {
		*p = uint8((m*(255-c) + 127) / 255)
		return
	}
	*p = uint8(m + (c*(255-m)+127)/255)
}
