package pngstream

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/adler32"
	"sync"
)

// Piece is some rows of a picture, compressed so that another piece can follow.
type Piece struct {
	data   []byte
	sum    uint32 // Adler-32 of what was compressed
	length int    // of what was compressed
}

// packer filters and compresses some rows of a picture. Rows are filtered by what
// is above them, so that most of a board's picture becomes zeros.
type packer struct {
	filtered []byte
	out      bytes.Buffer
	w        *flate.Writer
}

var packers = sync.Pool{New: func() any { return new(packer) }}

// Filters of PNG rows.
const (
	filterNone = 0
	filterUp   = 2
)

// Pack makes a piece of rows of so many bytes, one every stride bytes of pix.
func Pack(pix []byte, rows, stride, line int) Piece {
	p := packers.Get().(*packer)
	defer packers.Put(p)
	p.filtered = p.filtered[:0]
	for y := range rows {
		p.row(pix[y*stride:y*stride+line], pix[max(y-1, 0)*stride:], y == 0)
	}
	return p.compress()
}

// row adds a row, filtered by the one above unless it is the first.
func (p *packer) row(cur, above []byte, first bool) {
	if first {
		p.filtered = append(append(p.filtered, filterNone), cur...)
		return
	}
	p.filtered = append(p.filtered, filterUp)
	at := len(p.filtered)
	p.filtered = append(p.filtered, cur...)
	subtract(p.filtered[at:], above)
}

// subtract takes the row above from a row, eight bytes at a time.
func subtract(row, above []byte) {
	const high = 0x8080808080808080
	n := len(row) &^ 7
	for i := 0; i < n; i += 8 {
		x, y := binary.LittleEndian.Uint64(row[i:]), binary.LittleEndian.Uint64(above[i:])
		binary.LittleEndian.PutUint64(row[i:], (x|high)-(y&^high)^(x^^y)&high)
	}
	for i := n; i < len(row); i++ {
		row[i] -= above[i]
	}
}

// compress cannot fail: it writes to memory.
func (p *packer) compress() Piece {
	p.out.Reset()
	if p.w == nil {
		p.w, _ = flate.NewWriter(&p.out, flate.BestSpeed)
	} else {
		p.w.Reset(&p.out)
	}
	_, _ = p.w.Write(p.filtered)
	_ = p.w.Flush()
	return Piece{bytes.Clone(p.out.Bytes()), adler32.Checksum(p.filtered), len(p.filtered)}
}

// adlerMod is what sums of Adler-32 are reduced by.
const adlerMod = 65521

// joinAdler gives the Adler-32 of two runs of bytes from that of each and the
// second's length.
func joinAdler(a, b uint32, n int) uint32 {
	a1, a2, b1, b2, l := a&0xffff, a>>16, b&0xffff, b>>16, uint32(n%adlerMod)
	s1 := (a1 + b1 + adlerMod - 1) % adlerMod
	s2 := (a2 + b2 + uint32(uint64(l)*uint64(a1+adlerMod-1)%adlerMod)) % adlerMod
	return s2<<16 | s1
}
