package draw

// coverSink adds to, or erases from, a mask of w columns.
type coverSink struct {
	mask  []uint8
	w     int
	erase bool
}

// settle sweeps what was accumulated into a mask.
func (b *band) settle(mask []uint8, erase bool) {
	b.covers = coverSink{mask, b.w, erase}
	b.r.settle(&b.covers)
}

func (s *coverSink) even(y, from, to int, c float32) {
	dst := s.mask[y*s.w+from : y*s.w+to]
	if c < 0 {
		c = -c
	}
	switch {
	case c <= all:
		for i := range dst {
			blend(&dst[i], uint32(c*255+0.5), s.erase)
		}
	case s.erase:
		clear(dst)
	default:
		fill(dst)
	}
}

// fill covers a run of pixels wholly.
func fill(dst []uint8) {
	for i := range dst {
		dst[i] = 255
	}
}

func (s *coverSink) sweep(y, from int, acc []float32, sum float32) float32 {
	dst := s.mask[y*s.w+from:]
	dst = dst[:len(acc)]
	for i := 0; i < len(acc); {
		sum += acc[i]
		c := sum
		if c < 0 {
			c = -c
		}
		start := i
		for i++; i < len(acc) && acc[i] == 0; i++ {
		}
		switch {
		case c < none:
		case c <= all:
			m := uint32(c*255 + 0.5)
			for j := start; j < i; j++ {
				blend(&dst[j], m, s.erase)
			}
		case s.erase:
			clear(dst[start:i])
		default:
			fill(dst[start:i])
		}
	}
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
