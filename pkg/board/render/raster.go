package render

import (
	"math"
	"math/bits"
	"slices"
)

// raster accumulates the signed area that polygons cover of each pixel. A line
// adds, to the pixels it passes, how much of the row right of it becomes covered;
// summing along the row then gives every pixel's cover. Only what was touched is
// swept.
type raster struct {
	w, h     int
	stride   int     // of acc
	y0       float32 // first row of this band
	acc      []float32
	marks    []uint64 // a bit for every pixel that was touched
	words    int      // of marks in a row
	top, bot int      // touched rows; top > bot when clean

	pen   pen       // of the last capsule
	outer []float32 // scratch of arcBand
	inner []float32
	swept []change // scratch of settle
}

// reset prepares for a band of h rows from y0 on, w columns wide.
func (r *raster) reset(w, h, y0 int) {
	r.w, r.h, r.stride, r.y0 = w, h, w+2, float32(y0)
	if n := r.stride * h; cap(r.acc) < n {
		r.acc = make([]float32, n)
	} else {
		r.acc = r.acc[:n] // always left clean by settle
	}
	r.words = r.stride>>6 + 1
	if n := r.words * h; cap(r.marks) < n {
		r.marks = make([]uint64, n)
	} else {
		r.marks = r.marks[:n] // clean too
	}
	r.clean()
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
	bottom := float32(r.h)
	if y1 <= 0 || y0 >= bottom {
		return
	}
	if y0 >= 0 && y1 <= bottom && int(y0) == int(y1) { // most are short
		y := int(y0)
		r.top, r.bot = min(r.top, y), max(r.bot, y)
		r.span(y, x0, x1, (y1-y0)*sign)
		return
	}
	slope := (x1 - x0) / (y1 - y0)
	if y0 < 0 {
		x0, y0 = x0-y0*slope, 0
	}
	if y1 > bottom {
		x1, y1 = x1-(y1-bottom)*slope, bottom
	}
	first, last := int(y0), int(y1)
	if float32(last) == y1 {
		last--
	}
	if last < first { // so short that rounding left nothing
		return
	}
	r.top, r.bot = min(r.top, first), max(r.bot, last)
	switch {
	case first == last:
		r.span(first, x0, x1, (y1-y0)*sign)
	case x0 == x1:
		r.upright(x0, y0, y1, first, last, sign)
	default:
		part := float32(first+1) - y0
		x := x0 + slope*part
		r.span(first, x0, x, part*sign)
		for y := first + 1; y < last; y++ {
			next := x + slope
			r.span(y, x, next, sign)
			x = next
		}
		r.span(last, x, x1, (y1-float32(last))*sign)
	}
}

// upright adds a line straight down the rows first to last.
func (r *raster) upright(x, y0, y1 float32, first, last int, sign float32) {
	x = min(max(x, 0), float32(r.w))
	li := int(x)
	f := (x - float32(li)) * sign
	for y := first; y <= last; y++ {
		d, m := sign, f
		if y == first || y == last {
			dy := min(y1, float32(y+1)) - max(y0, float32(y))
			d, m = d*dy, m*dy
		}
		at := r.acc[y*r.stride+li:]
		at[0] += d - m
		at[1] += m
		r.mark(y, li)
	}
}

// mark notes that two columns of a row were touched.
func (r *raster) mark(y, x int) {
	at := y*r.words + x>>6
	r.marks[at] |= 3 << (x & 63)
	if x&63 == 63 {
		r.marks[at+1] |= 1
	}
}

// span spreads d over the columns that a line passes in a row between l and h.
func (r *raster) span(y int, l, h, d float32) {
	if l > h {
		l, h = h, l
	}
	if limit := float32(r.w); l < 0 || h > limit {
		l, h = min(max(l, 0), limit), min(max(h, 0), limit)
	}
	li := int(l)
	if h <= float32(li+1) {
		at := r.acc[y*r.stride+li:]
		m := d * ((l+h)*0.5 - float32(li))
		at[0] += d - m
		at[1] += m
		r.mark(y, li)
		return
	}
	r.wide(y, li, l, h, d)
}

// wide spreads d over several columns.
func (r *raster) wide(y, li int, l, h, d float32) {
	row := r.acc[y*r.stride : (y+1)*r.stride]
	marks := r.marks[y*r.words : (y+1)*r.words]
	hi := int(h)
	if float32(hi) < h {
		hi++
	}
	if li>>6 == hi>>6 {
		marks[li>>6] |= (2<<(hi-li) - 1) << (li & 63)
	} else {
		for x := li; x <= hi; x++ {
			marks[x>>6] |= 1 << (x & 63)
		}
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

// changes appends where the cover of a row changes, and leaves the row clean; the
// first is that after what has no cover.
func (r *raster) changes(y int, to []change) []change {
	acc := r.acc[y*r.stride : (y+1)*r.stride]
	marks := r.marks[y*r.words : (y+1)*r.words]
	from := len(to)
	n := from
	sum, before := float32(0), uint8(0)
	for word, set := range marks {
		if set == 0 {
			continue
		}
		marks[word] = 0
		if cap(to)-n < 64 {
			to = slices.Grow(to[:n], max(64, n))
		}
		to = to[:n+64]
		for ; set != 0; set &= set - 1 {
			x := word<<6 + bits.TrailingZeros64(set)
			sum += acc[x]
			acc[x] = 0
			size := math.Float32frombits(math.Float32bits(sum) &^ (1 << 31))
			c := uint8(min(int32(size*255+0.5), 255))
			to[n] = newChange(x, c) // counts only if it is another cover
			if c != before {
				n++
			}
			before = c
		}
	}
	for n > from && to[n-1].x() >= r.w {
		n--
	}
	return to[:n]
}

// clean tells that all touched rows were swept.
func (r *raster) clean() { r.top, r.bot = r.h, -1 }
