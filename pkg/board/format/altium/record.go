package altium

import (
	"fmt"
	"math"

	"boardorder/pkg/board/geom"
)

// Kinds of records.
const (
	arcRecord    = 1
	padRecord    = 2
	viaRecord    = 3
	lineRecord   = 4
	textRecord   = 5
	fillRecord   = 6
	regionRecord = 11
)

// none is a reference to nothing.
const none = 0xFFFF

// An object is what all drawn things state.
type object struct {
	layer      layer
	net        int // none: no net
	polygon    int // whose pour it is; none
	part       int // none: free
	keepOut    bool
	tentTop    bool
	tentBottom bool
	record     int // 1 is the first of its stream
}

// begin checks the kind of a record and gives its first piece.
func begin(c *cursor, kind byte) (*cursor, error) {
	if k := c.u8(); c.err == nil && k != kind {
		return nil, fmt.Errorf("it is of kind %d, not %d", k, kind)
	}
	s := c.sub()
	return s, s.err
}

// object reads the beginning of a record.
func (c *cursor) object(record int) object {
	o := object{layer: layer(c.u8()), record: record}
	flags, more := c.u8(), c.u8()
	o.tentTop, o.tentBottom, o.keepOut = flags&0x20 != 0, flags&0x40 != 0, more == 2
	o.net, o.polygon, o.part = c.u16(), c.u16(), c.u16()
	c.skip(4)
	return o
}

// A line is a straight track.
type line struct {
	object
	a, b  geom.Point
	width int64
}

func (r *reader) line(c *cursor) error {
	s, err := begin(c, lineRecord)
	if err != nil {
		return err
	}
	l := line{object: s.object(len(r.design.lines) + 1), a: s.point(), b: s.point(), width: s.length()}
	r.design.lines = append(r.design.lines, l)
	return s.err
}

// An arc runs counter-clockwise from one angle to the other.
type arc struct {
	object
	centre   geom.Point
	radius   int64
	from, to float64
	width    int64
}

func (r *reader) arc(c *cursor) error {
	s, err := begin(c, arcRecord)
	if err != nil {
		return err
	}
	a := arc{object: s.object(len(r.design.arcs) + 1), centre: s.point(), radius: s.length(), from: s.f64(), to: s.f64(), width: s.length()}
	r.design.arcs = append(r.design.arcs, a)
	return s.err
}

// edge is the way of the arc.
func (a *arc) edge(origin geom.Point) geom.Edge {
	c := a.centre.Sub(origin)
	end := func(deg float64) geom.Point { return c.Polar(float64(a.radius), deg*math.Pi/180) }
	sweep := math.Mod(a.to-a.from, 360)
	if sweep < 0 {
		sweep += 360
	}
	if sweep < 1e-6 || sweep > 360-1e-6 {
		if a.from == a.to {
			return geom.Line(end(a.from), end(a.from))
		}
		return geom.ArcEdge(end(a.from), end(a.from), c, false)
	}
	from, to := end(a.from), end(a.to)
	if from == to {
		return geom.Line(from, to) // shorter than a nanometre
	}
	return geom.ArcEdge(from, to, c, false)
}

// A fill is a rectangle turned round its middle.
type fill struct {
	object
	a, b geom.Point
	turn float64
}

func (r *reader) fill(c *cursor) error {
	s, err := begin(c, fillRecord)
	if err != nil {
		return err
	}
	f := fill{object: s.object(len(r.design.fills) + 1), a: s.point(), b: s.point(), turn: s.f64()}
	r.design.fills = append(r.design.fills, f)
	return s.err
}

// path is the outline of the fill.
func (f *fill) path(origin geom.Point) geom.Path {
	box := geom.BoxOf(f.a, f.b)
	mid := box.Centre()
	return geom.Transform{Offset: mid.Sub(origin), Rotation: f.turn}.Path(geom.Rect(box.Move(mid.Neg())))
}

// A via joins copper layers.
type via struct {
	object
	at             geom.Point
	size, drill    int64
	from, to       layer
	mask, maskBack int64 // how far the openings reach beyond the copper
	maskKnown      bool
	sizes          []int64  // by signal layer, where they differ
	removed        [32]bool // by signal layer: it has no pad there
}

func (r *reader) readVia(c *cursor) error {
	s, err := begin(c, viaRecord)
	if err != nil {
		return err
	}
	v := via{object: s.object(len(r.design.vias) + 1), at: s.point(), size: s.length(), drill: s.length(), from: layer(s.u8()), to: layer(s.u8())}
	if s.err == nil && len(s.data) >= 75-31 {
		s.readViaRest(&v)
	}
	r.design.vias = append(r.design.vias, v)
	return s.err
}

// readViaRest reads what a via of all but the oldest files states after its layers.
func (c *cursor) readViaRest(v *via) {
	c.skip(54 - 31)
	v.mask = c.length()
	v.maskBack = v.mask
	c.skip(8)
	v.maskKnown = c.u8() != 0
	c.skip(7)
	mode := c.u8()
	if len(c.data) < 4*32 {
		return
	}
	for range 32 {
		v.sizes = append(v.sizes, c.length())
	}
	if mode == 0 {
		v.sizes = nil
	}
	if len(c.data) >= 246-203 {
		c.skip(6)
		for i, f := range c.take(32) {
			v.removed[i] = f != 0
		}
		linked := c.u8()
		if back := c.length(); linked&1 == 0 && back != 0 {
			v.maskBack = back
		}
	}
}

// sizeOn is the via's diameter on a signal layer; 0 where it has no pad.
func (v *via) sizeOn(l layer) int64 {
	switch {
	case v.removed[l-1]:
		return 0
	case v.sizes == nil:
		return v.size
	}
	if s := v.sizes[l-1]; s > 0 {
		return s
	}
	return v.size
}
