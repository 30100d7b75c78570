package altium

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestCursor: numbers are read in their order, little-endian, and after the first one
// that is missing all are zero.
func TestCursor(t *testing.T) {
	t.Parallel()
	le := binary.LittleEndian
	data := []byte{7}
	data = le.AppendUint16(data, 0xABCD)
	data = le.AppendUint32(data, 0xDEADBEEF)
	data = le.AppendUint64(data, math.Float64bits(-2.5))
	data = le.AppendUint32(data, uint32(10_000)) // one mil
	minus := int32(-20_000)
	data = le.AppendUint32(data, uint32(minus))
	data = append(data, 3, 'a', 'b', 'c', 9, 9)
	c := &cursor{data: data}
	if v := c.u8(); v != 7 {
		t.Errorf("u8 %d, want 7", v)
	}
	if v := c.u16(); v != 0xABCD {
		t.Errorf("u16 %#x, want 0xabcd", v)
	}
	if v := c.u32(); v != 0xDEADBEEF {
		t.Errorf("u32 %#x, want 0xdeadbeef", v)
	}
	if v := c.f64(); v != -2.5 {
		t.Errorf("f64 %g, want -2.5", v)
	}
	if v := c.point(); v != geom.Pt(25_400, -50_800) {
		t.Errorf("point %v, want 25400, -50800", v)
	}
	if v := c.short(); v != "abc" {
		t.Errorf("short %q, want abc", v)
	}
	c.skip(1)
	if v := c.u8(); v != 9 || c.err != nil || len(c.data) != 0 {
		t.Errorf("last %d, %v, %d bytes left; want 9, no error, none left", v, c.err, len(c.data))
	}
	if a, b, d, e := c.u8(), c.u16(), c.u32(), c.f64(); a != 0 || b != 0 || d != 0 || e != 0 || !errors.Is(c.err, errShort) {
		t.Errorf("beyond the end: %d %d %d %g, %v", a, b, d, e, c.err)
	}
}

// TestCursorEndsForGood: what comes behind a number that is missing is not taken for
// another one.
func TestCursorEndsForGood(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(*cursor){
		"a number of two bytes":      func(c *cursor) { c.u8(); c.u16() },
		"a number of four bytes":     func(c *cursor) { c.u32() },
		"a broken number":            func(c *cursor) { c.f64() },
		"a skip beyond the end":      func(c *cursor) { c.skip(3) },
		"a skip backwards":           func(c *cursor) { c.skip(-1) },
		"a text longer than the end": func(c *cursor) { c.short() },
	} {
		c := &cursor{data: []byte{5, 1}}
		read(c)
		if !errors.Is(c.err, errShort) || c.u8() != 0 || len(c.data) != 0 {
			t.Errorf("%s: %v, %d bytes left; want %v, none left, and 0 as every further number", name, c.err, len(c.data), errShort)
		}
	}
}

// TestF64: what is no number, or beyond all that a board holds, is 0.
func TestF64(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]float64{0.5: 0.5, -360: -360, 9e14: 9e14, 1e15: 0, -1e300: 0, math.Inf(1): 0, math.Inf(-1): 0} {
		c := &cursor{data: binary.LittleEndian.AppendUint64(nil, math.Float64bits(in))}
		if got := c.f64(); got != want || c.err != nil {
			t.Errorf("%g read as %g, %v", in, got, c.err)
		}
	}
	c := &cursor{data: binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN()))}
	if got := c.f64(); got != 0 {
		t.Errorf("NaN read as %g, want 0", got)
	}
}

// TestSub: a piece ends where it says, and one that says more than there is ends the
// record that holds it.
func TestSub(t *testing.T) {
	t.Parallel()
	c := &cursor{data: []byte{2, 0, 0, 0, 8, 9, 7}}
	s := c.sub()
	if !slices.Equal(s.data, []byte{8, 9}) || s.err != nil || !slices.Equal(c.data, []byte{7}) {
		t.Errorf("piece %v, %v; behind it %v; want 8 and 9, no error; 7", s.data, s.err, c.data)
	}
	for _, data := range [][]byte{{3, 0, 0, 0, 8, 9}, {0xFF, 0xFF, 0xFF, 0xFF, 1}, {1, 0}} {
		c := &cursor{data: data}
		if s := c.sub(); c.err == nil || len(s.data) != 0 || s.u8() != 0 {
			t.Errorf("%v: piece %v, %v; want none and an error", data, s.data, c.err)
		}
	}
	c = &cursor{data: []byte{9, 0, 0, 0, '|', 'A', '=', '1'}}
	if p := c.properties(pcb.MeterOf(t.Context())); p != nil || c.err == nil {
		t.Errorf("properties cut short: %v, %v", p, c.err)
	}
}
