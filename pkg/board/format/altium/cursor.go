package altium

import (
	"encoding/binary"
	"errors"
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

var errShort = errors.New("it ends too soon")

// A cursor reads the numbers of a record one after the other. After the first that
// is missing it gives zeros, and err says so.
type cursor struct {
	data []byte
	err  error
}

// take gives the next n bytes.
func (c *cursor) take(n int) []byte {
	if c.err != nil || n < 0 || n > len(c.data) {
		c.err, c.data = errShort, nil
		return nil
	}
	out := c.data[:n]
	c.data = c.data[n:]
	return out
}

func (c *cursor) skip(n int) { c.take(n) }

func (c *cursor) u8() byte {
	if b := c.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) u16() int {
	if b := c.take(2); b != nil {
		return int(binary.LittleEndian.Uint16(b))
	}
	return 0
}

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// f64 is a number; what is none, or beyond all that a board holds, is 0.
func (c *cursor) f64() float64 {
	b := c.take(8)
	if b == nil {
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(b))
	if !(math.Abs(v) < 1e15) {
		return 0
	}
	return v
}

// length is a length in nanometres.
func (c *cursor) length() int64 { return nanometres(int64(int32(c.u32()))) }

func (c *cursor) point() geom.Point { return geom.Pt(c.length(), c.length()) }

// sub is a piece that states its own length.
func (c *cursor) sub() *cursor {
	n := c.u32()
	if int64(n) > int64(len(c.data)) {
		c.err = errShort
		return &cursor{err: errShort}
	}
	return &cursor{data: c.take(int(n))}
}

// short is a text of up to 255 bytes that states its length.
func (c *cursor) short() string {
	n := c.u8()
	return latin(c.take(int(n)))
}

// properties reads a piece of text of the form |NAME=VALUE|NAME=VALUE.
func (c *cursor) properties(m pcb.Meter) properties {
	s := c.sub()
	if s.err != nil {
		return nil
	}
	p := parseProperties(s.data)
	m.Spend(pcb.Named, 1+len(s.data)/64)
	return p
}

// nanometres turns the file's unit, 1/10000 mil, into nanometres: 2.54 of them each,
// rounded, halves away from zero.
func nanometres(v int64) int64 {
	half := int64(50)
	if v < 0 {
		half = -50
	}
	n, _ := geom.Clamp((v*254 + half) / 100)
	return n
}
