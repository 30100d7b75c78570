package render

// settle sweeps what was accumulated into a mask of w columns, adding or erasing,
// and leaves the buffer clean.
func (r *raster) settle(mask []uint8, erase bool) {
	for y := r.top; y <= r.bot; y++ {
		dst := mask[y*r.w : (y+1)*r.w]
		r.swept = r.changes(y, r.swept[:0])
		for i, s := range r.swept {
			c := uint32(s.cover())
			if c == 0 {
				continue
			}
			part := dst[s.x():]
			if i+1 < len(r.swept) {
				part = dst[s.x():r.swept[i+1].x()]
			}
			switch {
			case c < 255:
				for j := range part {
					blend(&part[j], c, erase)
				}
			case erase:
				clear(part)
			default:
				for j := range part {
					part[j] = 255
				}
			}
		}
	}
	r.clean()
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
