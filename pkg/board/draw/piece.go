package draw

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"
)

// piece compresses some rows of a picture of three or four bytes a pixel. Rows are filtered by what is above
// them, so that most of a board's picture becomes zeros; runs of equal pixels
// become matches one pixel back, and all else literals. Finding only those
// matches is what makes it fast.
type piece struct {
	deflater
	bytes  int    // of a pixel in the file; rows come with four
	prev   []byte // the row before
	blank  []byte // stands in for the row before the first
	last   uint32 // filtered pixel before
	run    int    // how often it came again
	length int    // bytes before compression
	a, b   uint64 // Adler-32, to be reduced
}

var pieces = sync.Pool{New: func() any { return new(piece) }}

func (p *piece) begin(bytes int) {
	p.deflater.begin(bytes)
	p.bytes, p.prev, p.length = bytes, nil, 0
	p.a, p.b = 1, 0
}

// Filters of PNG rows.
const (
	filterNone = 0
	filterUp   = 2
)

// row adds a row of pixels.
func (p *piece) row(cur []byte) {
	filter := byte(filterUp)
	if p.prev == nil {
		filter = filterNone
		for len(p.blank) < len(cur) {
			p.blank = append(p.blank, make([]byte, len(cur)-len(p.blank))...)
		}
		p.prev = p.blank[:len(cur)]
	}
	p.literal(filter)
	p.a += uint64(filter)
	p.b += p.a
	p.pixels(cur, p.prev)
	p.a, p.b = p.a%adlerMod, p.b%adlerMod
	p.prev = cur
}

// pixels adds a row of four bytes a pixel as its difference from the one before.
func (p *piece) pixels(cur, prev []byte) {
	n := len(cur)
	prev = prev[:n]
	p.length += 1 + n/4*p.bytes
	p.pixel(difference(cur, prev)) // nothing before to match with
	if p.run = 0; bytes.Equal(cur[4:], prev[4:]) {
		p.zeros(n/4 - 1)
		p.flush()
		return
	}
	for i := 4; i < n; i += 4 {
		d := difference(cur[i:], prev[i:])
		if d == 0 {
			same := equal(cur[i:], prev[i:]) &^ 3
			p.zeros(same / 4)
			i += same - 4
			continue
		}
		if d == p.last {
			p.run++
			p.bytesOf(d)
			continue
		}
		p.flush()
		p.pixel(d)
	}
	p.flush()
}

// difference subtracts the bytes of two pixels.
func difference(a, b []byte) uint32 {
	const high = 0x80808080
	x, y := binary.LittleEndian.Uint32(a), binary.LittleEndian.Uint32(b)
	return (x | high) - (y &^ high) ^ (x^^y)&high
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

// zeros adds n filtered pixels of zero.
func (p *piece) zeros(n int) {
	if n == 0 {
		return
	}
	p.b += p.a * uint64(n*p.bytes)
	if p.last != 0 {
		p.flush()
		for range p.bytes {
			p.literal(0)
		}
		p.last = 0
		n--
	}
	p.run += n
}

// pixel adds a filtered pixel unlike the one before.
func (p *piece) pixel(d uint32) {
	p.deflater.pixel(d, p.bytes)
	p.last = d
	p.bytesOf(d)
}

// bytesOf adds a filtered pixel's bytes to the checksum.
func (p *piece) bytesOf(d uint32) {
	a, b := p.a, p.b
	a += uint64(d & 0xff)
	b += a
	a += uint64(d >> 8 & 0xff)
	b += a
	a += uint64(d >> 16 & 0xff)
	b += a
	if p.bytes == 4 {
		a += uint64(d >> 24)
		b += a
	}
	p.a, p.b = a, b
}

// flush writes the run of pixels like the one before.
func (p *piece) flush() {
	if p.run > 0 {
		p.match(p.run * p.bytes)
	}
	p.run = 0
}

// adlerMod reduces the checksum, once a row only: rows are short enough for that.
const adlerMod = 65521

func (p *piece) result() (data []byte, adler uint32, length int) {
	return p.out, uint32(p.b%adlerMod)<<16 | uint32(p.a%adlerMod), p.length
}

func (p *piece) release() { pieces.Put(p) }

// joinAdler gives the Adler-32 of two runs of bytes from that of each and the
// second's length.
func joinAdler(a, b uint32, n int) uint32 {
	a1, a2, b1, b2, l := a&0xffff, a>>16, b&0xffff, b>>16, uint32(n%adlerMod)
	s1 := (a1 + b1 + adlerMod - 1) % adlerMod
	s2 := (a2 + b2 + uint32(uint64(l)*uint64(a1+adlerMod-1)%adlerMod)) % adlerMod
	return s2<<16 | s1
}
