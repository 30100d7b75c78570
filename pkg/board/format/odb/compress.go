package odb

import (
	"errors"
	"fmt"
)

// Errors of uncompress.
var (
	errNotCompressed = errors.New("not compressed by Unix compress")
	errBadCode       = errors.New("compressed data is damaged")
	errTooLarge      = errors.New("compressed data unpacks to more than is read")
)

const (
	magic0, magic1 = 0x1f, 0x9d
	minBits        = 9
	maxBits        = 16
	clearCode      = 256
)

// uncompress unpacks what Unix compress (.Z) packed: LZW with codes of 9 to 16
// bits, the lowest bit first, read in groups of eight codes. What was unpacked
// before damage is returned with the error.
func uncompress(data []byte, limit int) ([]byte, error) {
	if len(data) < 3 || data[0] != magic0 || data[1] != magic1 {
		return nil, errNotCompressed
	}
	most, block := int(data[2]&0x1f), data[2]&0x80 != 0
	if most < minBits || most > maxBits {
		return nil, fmt.Errorf("%w: codes of %d bits", errNotCompressed, most)
	}
	d := &lzw{in: data[3:], limit: limit, most: most, block: block}
	d.reset()
	err := d.run()
	return d.out, err
}

// An lzw is the state of unpacking: a table of strings, each the one at prefix
// and a byte.
type lzw struct {
	in     []byte
	bit    int // read so far
	group  int // bit at which the present group of codes begins
	out    []byte
	limit  int
	most   int
	block  bool
	bits   int
	next   int // code to be given out next
	prefix [1 << maxBits]uint16
	suffix [1 << maxBits]byte
	stack  []byte
}

func (d *lzw) reset() {
	d.bits, d.next = minBits, 256
	if d.block {
		d.next = 257
	}
}

// code reads the next code; ok is false at the end.
func (d *lzw) code() (code int, ok bool) {
	if d.bit+d.bits > 8*len(d.in) {
		return 0, false
	}
	for i := range d.bits {
		at := d.bit + i
		code |= int(d.in[at>>3]>>(at&7)&1) << i
	}
	d.bit += d.bits
	return code, true
}

// widen starts codes of another length, which begin at the next group.
func (d *lzw) widen(bits int) {
	size := 8 * d.bits
	if used := (d.bit - d.group) % size; used != 0 {
		d.bit += size - used
	}
	d.bits, d.group = bits, d.bit
}

func (d *lzw) run() error {
	old, ok := d.code()
	if !ok {
		return nil
	}
	if old > 255 {
		return errBadCode
	}
	first := byte(old)
	d.out = append(d.out, first)
	for {
		if d.next > 1<<d.bits-1 && d.bits < d.most {
			d.widen(d.bits + 1)
		}
		code, ok := d.code()
		if !ok {
			return nil
		}
		if code == clearCode && d.block {
			// Codes begin anew in a new group, still read at the old length.
			d.widen(minBits)
			d.reset()
			if old, ok = d.code(); !ok {
				return nil
			}
			if old > 255 {
				return errBadCode
			}
			first = byte(old)
			d.out = append(d.out, first)
			continue
		}
		if code > d.next {
			return errBadCode
		}
		first = d.emit(code, old, first)
		if len(d.out) > d.limit {
			return errTooLarge
		}
		if d.next < 1<<d.most {
			d.prefix[d.next], d.suffix[d.next] = uint16(old), first
			d.next++
		}
		old = code
	}
}

// emit writes the string of code and gives its first byte. A code that is not
// known yet is the last string and its own first byte.
func (d *lzw) emit(code, old int, first byte) byte {
	d.stack = d.stack[:0]
	c := code
	if code == d.next {
		d.stack = append(d.stack, first)
		c = old
	}
	for c > 255 {
		d.stack = append(d.stack, d.suffix[c])
		c = int(d.prefix[c])
	}
	d.stack = append(d.stack, byte(c))
	for i := len(d.stack) - 1; i >= 0; i-- {
		d.out = append(d.out, d.stack[i])
	}
	return byte(c)
}
