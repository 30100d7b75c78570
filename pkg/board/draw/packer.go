package draw

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/adler32"
	"sync"
)

// packer filters and compresses some rows of a picture. Rows are filtered by what
// is above them, so that most of a board's picture becomes zeros.
type packer struct {
	prev     []byte
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

func (p *packer) begin() {
	p.prev, p.filtered = nil, p.filtered[:0]
	p.out.Reset()
}

// row adds a row, which stays as it is until end.
func (p *packer) row(cur []byte) {
	if p.prev == nil {
		p.filtered = append(append(p.filtered, filterNone), cur...)
		p.prev = cur
		return
	}
	p.filtered = append(p.filtered, filterUp)
	at := len(p.filtered)
	p.filtered = append(p.filtered, cur...)
	subtract(p.filtered[at:], p.prev)
	p.prev = cur
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

// end compresses the rows so that another packer's can follow, unless it is the
// last. Neither step can fail when writing to memory.
func (p *packer) end(last bool) {
	if p.w == nil {
		p.w, _ = flate.NewWriter(&p.out, flate.BestSpeed)
	} else {
		p.w.Reset(&p.out)
	}
	_, _ = p.w.Write(p.filtered)
	if last {
		_ = p.w.Close()
		return
	}
	_ = p.w.Flush()
}

func (p *packer) result() (data []byte, sum uint32, length int) {
	return p.out.Bytes(), adler32.Checksum(p.filtered), len(p.filtered)
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
