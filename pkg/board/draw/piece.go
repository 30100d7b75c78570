package draw

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"
)

// piece compresses some rows of a picture. Rows are filtered by what is above
// them, so that most of a board's picture becomes zeros; runs of zeros and of
// equal pixels become matches one pixel back, and all else literals. Finding
// only those matches is what makes it fast.
type piece struct {
	deflater
	bpp    int
	prev   []byte // the row before; empty for the first
	seg    []byte // scratch: a pixel before, then filtered bytes
	last   [4]byte
	length int // bytes before compression
	a, b   uint64
}

var pieces = sync.Pool{New: func() any { return new(piece) }}

func (p *piece) begin(bpp int) {
	p.deflater.begin(bpp)
	p.bpp, p.prev, p.length = bpp, p.prev[:0], 0
	p.a, p.b = 1, 0
	p.last = [4]byte{1, 1, 1, 1} // nothing to match with
}

// Filters of PNG rows.
const (
	filterNone = 0
	filterUp   = 2
)

// row adds a row of pixels.
func (p *piece) row(cur []byte) {
	first := len(p.prev) == 0
	if first {
		p.literals([]byte{filterNone})
		p.segment(cur, nil)
	} else {
		p.literals([]byte{filterUp})
		p.up(cur, p.prev)
	}
	p.a, p.b = p.a%adlerMod, p.b%adlerMod
	p.length += 1 + len(cur)
	p.prev = append(p.prev[:0], cur...)
}

// up adds a row as its difference from the one before.
func (p *piece) up(cur, prev []byte) {
	if bytes.Equal(cur, prev) {
		p.zeros(len(cur))
		return
	}
	for i := 0; i < len(cur); {
		same := i + equal(cur[i:], prev[i:])
		if same-i >= 8 || same == len(cur) {
			p.zeros(same - i)
			i = same
			continue
		}
		end := same + different(cur[same:], prev[same:])
		p.segment(cur[i:end], prev[i:end])
		i = end
	}
}

// equal is how long a and b start alike.
func equal(a, b []byte) int {
	n := 0
	for ; n+8 <= len(a); n += 8 {
		if d := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); d != 0 {
			return n + bits.TrailingZeros64(d)>>3
		}
	}
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n
}

// different is how long a and b start without eight bytes alike.
func different(a, b []byte) int {
	n := 0
	for ; n+8 <= len(a); n += 8 {
		if binary.LittleEndian.Uint64(a[n:]) == binary.LittleEndian.Uint64(b[n:]) {
			return n
		}
	}
	return len(a)
}

// zeros adds n filtered bytes of zero.
func (p *piece) zeros(n int) {
	if n == 0 {
		return
	}
	p.b += p.a * uint64(n)
	for p.last != [4]byte{} && n > 0 {
		p.literal(0)
		copy(p.last[:], p.last[1:])
		p.last[3] = 0
		n--
	}
	if n < shortest {
		for range n {
			p.literal(0)
		}
		return
	}
	p.match(n)
}

// segment adds the difference of two stretches; prev is nil in the first row.
func (p *piece) segment(cur, prev []byte) {
	n := len(cur)
	if cap(p.seg) < n+4 {
		p.seg = make([]byte, 2*n+4)
	}
	f := p.seg[:n+4]
	copy(f, p.last[:])
	subtract(f[4:], cur, prev)
	copy(p.last[:], f[n:])
	p.sum(f[4:])
	for i, bpp := 4, p.bpp; i < len(f); {
		run := equal(f[i:], f[i-bpp:len(f)-bpp])
		if run >= 4 {
			p.match(run)
			i += run
			continue
		}
		p.literal(f[i])
		i++
	}
}

// subtract gives cur - prev, eight bytes at a time.
func subtract(dst, cur, prev []byte) {
	if prev == nil {
		copy(dst, cur)
		return
	}
	const high = 0x8080808080808080
	n := len(cur) &^ 7
	for i := 0; i < n; i += 8 {
		x, y := binary.LittleEndian.Uint64(cur[i:]), binary.LittleEndian.Uint64(prev[i:])
		binary.LittleEndian.PutUint64(dst[i:], (x|high)-(y&^high)^(x^^y)&high)
	}
	for i := n; i < len(cur); i++ {
		dst[i] = cur[i] - prev[i]
	}
}

// literals adds bytes that are not looked for matches.
func (p *piece) literals(s []byte) {
	p.sum(s)
	for _, c := range s {
		p.literal(c)
		copy(p.last[:], p.last[1:])
		p.last[3] = c
	}
}

const adlerMod = 65521

// sum adds bytes to the checksum; rows are short enough that it is reduced once
// a row only.
func (p *piece) sum(s []byte) {
	a, b := p.a, p.b
	for _, c := range s {
		a += uint64(c)
		b += a
	}
	p.a, p.b = a, b
}

func (p *piece) adler() uint32 { return uint32(p.b%adlerMod)<<16 | uint32(p.a%adlerMod) }

// joinAdler gives the Adler-32 of two runs of bytes from that of each and the
// second's length.
func joinAdler(a, b uint32, n int) uint32 {
	a1, a2, b1, b2, l := a&0xffff, a>>16, b&0xffff, b>>16, uint32(n%adlerMod)
	s1 := (a1 + b1 + adlerMod - 1) % adlerMod
	s2 := (a2 + b2 + uint32(uint64(l)*uint64(a1+adlerMod-1)%adlerMod)) % adlerMod
	return s2<<16 | s1
}
