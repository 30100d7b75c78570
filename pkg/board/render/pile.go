package render

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// change is where in a row the cover of something becomes another, of 0 to 255 in
// the low byte.
type change uint32

func newChange(x int, cover uint8) change { return change(x<<8 | int(cover)) }

func (c change) x() int       { return int(c >> 8) }
func (c change) cover() uint8 { return uint8(c) }

// stretch is where in a row a colour begins. It ends where the next begins, the
// last at the end of the row.
type stretch struct {
	x      int32
	colour lanes
}

// pile is what the layers of a stack cover of a band, as changes along its rows:
// what it costs to blend them grows with the edges that are met, not with pixels.
type pile struct {
	w, h    int
	colours []lanes  // by layer, lowest first
	changes []change // layer by layer, row by row, from left to right
	ends    []int32  // of each row of each layer, in changes

	// At the place under way.
	covers []uint64 // a byte a layer
	after  []lanes  // the colour with each layer that covers some

	// The changes of a row in order of place: one list for each marked column.
	marks []uint64
	first []int32 // by column: of its latest event
	list  []event

	row []stretch
}

// event is a change of a layer's cover, with the one before it at the same place; 0
// is none.
type event struct {
	what uint32 // layer<<8 | cover
	next int32
}

// reset prepares for a band of h rows of w columns.
func (p *pile) reset(w, h int) {
	p.w, p.h = w, h
	p.colours, p.ends = p.colours[:0], p.ends[:0]
	if p.changes = p.changes[:0]; cap(p.changes) < w*h {
		p.changes = make([]change, 0, w*h) // enough for most; what is not needed is not touched
	}
	p.marks = slices.Grow(p.marks[:0], w>>6+1)[:w>>6+1] // left clean by blend, as covers
	p.first = slices.Grow(p.first[:0], w)[:w]
}

// add lays what a raster accumulated, which is left clean, over the layers so far.
func (p *pile) add(r *raster, colour lanes) {
	p.colours = append(p.colours, colour)
	for y := range p.h {
		if y >= r.top && y <= r.bot {
			p.changes = r.changes(y, p.changes)
		}
		p.ends = append(p.ends, int32(len(p.changes)))
	}
	r.clean()
}

// addMask lays a cover of the band's pixels over the layers so far.
func (p *pile) addMask(mask []uint8, colour lanes) {
	p.colours = append(p.colours, colour)
	for ; len(mask) > 0; mask = mask[p.w:] {
		p.changes = maskChanges(mask[:p.w], p.changes)
		p.ends = append(p.ends, int32(len(p.changes)))
	}
}

// maskChanges appends where the cover of a row changes, eight pixels at a time
// where it does not.
func maskChanges(row []uint8, to []change) []change {
	before := uint8(0)
	for x := 0; x < len(row); x++ {
		for x+8 <= len(row) && binary.LittleEndian.Uint64(row[x:]) == uint64(before)*0x0101010101010101 {
			x += 8
		}
		if x < len(row) && row[x] != before {
			before = row[x]
			to = append(to, newChange(x, before))
		}
	}
	return to
}

// blend gives the colours of row y over the ground, until the next call.
func (p *pile) blend(y int, ground lanes) []stretch {
	p.link(y)
	n := (len(p.colours) + 7) / 8
	p.covers = slices.Grow(p.covers[:0], n)[:n]
	p.after = slices.Grow(p.after[:0], 8*n)[:8*n]
	row, last := append(p.row[:0], stretch{0, ground}), ground
	for word, set := range p.marks {
		if set == 0 {
			continue
		}
		p.marks[word] = 0
		for ; set != 0; set &= set - 1 {
			x := word<<6 + bits.TrailingZeros64(set)
			lowest := uint32(0) // the latest comes first, and so the highest layer
			for i := p.first[x]; i != 0; {
				e := &p.list[i]
				lowest = e.what >> 8
				w, s := &p.covers[lowest>>3], lowest&7*8
				*w = *w&^(0xff<<s) | uint64(e.what&0xff)<<s
				i = e.next
			}
			if c := p.colour(ground, lowest); c != last {
				row, last = append(row, stretch{int32(x), c}), c
			}
		}
	}
	clear(p.covers)
	p.row = row
	return row
}

// link sorts the changes of a row into lists by column.
func (p *pile) link(y int) {
	list := append(p.list[:0], event{})
	for layer := range p.colours {
		at := layer*p.h + y
		from := int32(0)
		if at > 0 {
			from = p.ends[at-1]
		}
		for _, c := range p.changes[from:p.ends[at]] {
			x := c.x()
			word, bit := &p.marks[x>>6], uint64(1)<<(x&63)
			before := int32(0)
			if *word&bit != 0 {
				before = p.first[x]
			}
			*word |= bit
			p.first[x] = int32(len(list))
			list = append(list, event{uint32(layer)<<8 | uint32(c.cover()), before})
		}
	}
	p.list = list
}

// colour lays all layers over the ground as far as each covers the place, from the
// lowest on whose cover has changed.
func (p *pile) colour(ground lanes, lowest uint32) lanes {
	w, at := int(lowest>>3), lowest&7*8
	c := p.colourBelow(ground, w, p.covers[w]&(1<<at-1))
	word := p.covers[w] >> at << at
	for {
		for word != 0 {
			shift := bits.TrailingZeros64(word) &^ 7
			layer := 8*w + shift>>3
			c = p.colours[layer].blendOver(c, word>>shift&0xff)
			p.after[layer] = c
			word &^= 0xff << shift
		}
		if w++; w == len(p.covers) {
			return c
		}
		word = p.covers[w]
	}
}

// colourBelow is the colour with the highest of the layers that cover some, among those
// before word w and the given ones of it.
func (p *pile) colourBelow(ground lanes, w int, word uint64) lanes {
	for word == 0 {
		if w == 0 {
			return ground
		}
		w--
		word = p.covers[w]
	}
	return p.after[8*w+(63-bits.LeadingZeros64(word))>>3]
}
