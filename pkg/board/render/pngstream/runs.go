package pngstream

import (
	"math/bits"
	"slices"
)

// Run is where in a row a byte begins to repeat.
type Run struct {
	X     int32
	Value uint8
}

// Runs filters and compresses rows of bytes that are given as runs, without
// ever making the bytes. Rows are filtered by what is above them; the only
// repetitions that are looked for are those of the byte before.
type Runs struct {
	width      int
	above, Row []Run // each with an end that is no run
	length     int
	s1, s2     uint64 // sums of Adler-32

	value  uint8 // of the run under way
	run    int
	tokens []uint16 // bytes, and 256 and how often the byte before repeats
	counts [symbols]uint32
	codes  [symbols]huffman
	w      bitWriter
}

// Begin starts a piece of rows of so many bytes.
func (p *Runs) Begin(width int) {
	p.width, p.above, p.Row = width, p.above[:0], p.Row[:0]
	p.length, p.s1, p.s2 = 0, 1, 0
	p.value, p.run, p.tokens = 0, 0, p.tokens[:0]
	clear(p.counts[:])
	p.w = bitWriter{out: p.w.out[:0]}
}

// AddRow adds the row that was put into p.row.
func (p *Runs) AddRow() {
	p.Row = append(p.Row, Run{X: int32(p.width)})
	if len(p.above) == 0 {
		p.put(filterNone, 1)
		for i, s := range p.Row[:len(p.Row)-1] {
			p.put(s.Value, int(p.Row[i+1].X-s.X))
		}
	} else {
		p.put(filterUp, 1)
		p.difference()
	}
	p.s1, p.s2 = p.s1%adlerMod, p.s2%adlerMod
	p.length += 1 + p.width
	p.above, p.Row = p.Row, p.above[:0]
}

// difference puts the row less that above.
func (p *Runs) difference() {
	i, j, x := 0, 0, int32(0)
	for x < int32(p.width) {
		value := p.Row[i].Value - p.above[j].Value
		a, b := p.Row[i+1].X, p.above[j+1].X
		end := min(a, b)
		if a == end {
			i++
		}
		if b == end {
			j++
		}
		p.put(value, int(end-x))
		x = end
	}
}

// put adds n bytes of a value.
func (p *Runs) put(value uint8, n int) {
	if value != p.value {
		p.flush()
		p.value = value
	}
	p.run += n
}

// Lengths of repetitions.
const (
	shortestMatch = 3
	longestMatch  = 258
)

// flush notes the run under way.
func (p *Runs) flush() {
	if p.run == 0 {
		return
	}
	n, v := uint64(p.run), uint64(p.value)
	p.s2 += n*p.s1 + n*(n+1)/2*v
	p.s1 += n * v
	p.literal()
	rest := p.run - 1
	for rest >= shortestMatch {
		l := min(rest, longestMatch)
		p.tokens = append(p.tokens, uint16(256+l))
		symbol, _, _ := lengthSymbol(l)
		p.counts[symbol]++
		rest -= l
	}
	for range rest {
		p.literal()
	}
	p.run = 0
}

func (p *Runs) literal() {
	p.tokens = append(p.tokens, uint16(p.value))
	p.counts[p.value]++
}

// End finishes the piece.
func (p *Runs) End() Piece {
	p.flush()
	p.counts[endOfBlock]++
	makeCodes(&p.codes, &p.counts)
	w, codes := &p.w, &p.codes
	w.head(codes)
	for _, t := range p.tokens {
		if t < 256 {
			w.put(codes[t].bits, codes[t].n)
			continue
		}
		const distance = 1 // bit, always 0: the byte before
		symbol, extra, n := lengthSymbol(int(t - 256))
		c := codes[symbol]
		w.put(c.bits|extra<<c.n, c.n+n+distance)
	}
	w.put(codes[endOfBlock].bits, codes[endOfBlock].n)
	w.flush()
	s1, s2 := p.s1%adlerMod, p.s2%adlerMod
	return Piece{slices.Clone(w.out), uint32(s2<<16 | s1), p.length}
}

// lengthSymbol is the symbol of a repetition's length, with so many extra bits:
// beyond the first eight lengths there are four symbols for each power of two.
func lengthSymbol(l int) (symbol int, extra uint32, n uint8) {
	if l == longestMatch {
		return lastLength, 0, 0
	}
	m := uint(l - shortestMatch)
	shift := max(0, bits.Len(m)-3)
	return endOfBlock + 1 + 4*shift + int(m>>shift), uint32(m & (1<<shift - 1)), uint8(shift)
}
