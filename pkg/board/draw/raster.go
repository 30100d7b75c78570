package draw

import "math"

// raster accumulates the signed area that polygons cover of each pixel. A line
// adds, to the pixels it passes, how much of the row right of it becomes covered;
// summing along the row then gives every pixel's cover. Only what was touched is
// swept.
type raster struct {
	w, h     int
	y0       float32 // first row of this band
	acc      []float32
	from, to []int32 // touched columns of each row
	top, bot int     // touched rows; top > bot when clean
}

// reset prepares for a band of h rows from y0 on, w columns wide.
func (r *raster) reset(w, h, y0 int) {
	r.w, r.h, r.y0 = w, h, float32(y0)
	if n := (w + 2) * h; cap(r.acc) < n {
		r.acc = make([]float32, n)
	} else {
		r.acc = r.acc[:n] // always left clean by settle
	}
	if cap(r.from) < h {
		r.from, r.to = make([]int32, h), make([]int32, h)
	}
	r.from, r.to = r.from[:h], r.to[:h]
	for i := range r.from {
		r.from[i], r.to[i] = math.MaxInt32, -1
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
		r.cover(r.acc[y*stride:(y+1)*stride], y, l, h, dy*sign)
	}
}

// cover spreads d over the columns l to h of a row.
func (r *raster) cover(row []float32, y int, l, h, d float32) {
	li := int(l)
	hi := int(h)
	if float32(hi) < h {
		hi++
	}
	if int32(li) < r.from[y] {
		r.from[y] = int32(li)
	}
	if hi <= li+1 {
		if int32(li+1) > r.to[y] {
			r.to[y] = int32(li + 1)
		}
		m := d * ((l+h)*0.5 - float32(li))
		row[li] += d - m
		row[li+1] += m
		return
	}
	if int32(hi) > r.to[y] {
		r.to[y] = int32(hi)
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
		from, to := int(r.from[y]), int(r.to[y])
		if to < from {
			continue
		}
		acc := r.acc[y*stride : (y+1)*stride]
		dst := mask[y*r.w : (y+1)*r.w]
		sum := float32(0)
		for x := from; x <= min(to, r.w-1); x++ {
			if acc[x] != 0 {
				sum += acc[x]
				acc[x] = 0
			}
			c := sum
			if c < 0 {
				c = -c
			}
			if c < 1.0/512 {
				continue
			}
			if c > 511.0/512 {
				if erase {
					dst[x] = 0
				} else {
					dst[x] = 255
				}
				continue
			}
			blend(&dst[x], uint32(c*255+0.5), erase)
		}
		acc[r.w], acc[r.w+1] = 0, 0
		r.from[y], r.to[y] = math.MaxInt32, -1
	}
	r.top, r.bot = r.h, -1
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
