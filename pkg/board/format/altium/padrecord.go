package altium

import (
	"fmt"

	"boardorder/pkg/board/geom"
)

// A pad as the file states it.
type pad struct {
	object
	name          string
	at            geom.Point
	lands         [32]land // by signal layer
	turn          float64
	drill         int64
	hole          holeShape
	slot          int64   // length of a slot
	slotTurn      float64 // of the slot within the pad
	plated        bool
	mask, paste   int64
	maskKnown     bool
	pasteKnown    bool
	removed       [32]bool // by signal layer: it has no land there
	unknownShapes bool
}

// A land is the copper of a pad on one layer.
type land struct {
	shape  padShape
	x, y   int64
	round  int64      // radius of corners, in percent of half the smaller side
	offset geom.Point // of the middle from the hole, before turning
}

type padShape byte

// Shapes of pads.
const (
	roundPad     padShape = 1 // with round ends where it is longer than wide
	squarePad    padShape = 2
	octagonPad   padShape = 3
	roundRectPad padShape = 9
)

type holeShape byte

// Shapes of holes.
const (
	roundHole  holeShape = 0
	squareHole holeShape = 1
	slotHole   holeShape = 2
)

// Ways in which a pad's size differs by layer.
const (
	simpleStack = 0
	threeSizes  = 1
	fullStack   = 2
)

func (r *reader) pad(c *cursor) error {
	first, err := begin(c, padRecord)
	if err != nil {
		return err
	}
	p := pad{name: first.short()}
	for range 3 {
		c.sub()
	}
	s, sizes := c.sub(), c.sub()
	mode := s.pad(&p, len(r.design.pads)+1)
	if s.err == nil && len(sizes.data) >= 596 {
		sizes.lands(&p, mode)
	}
	if s.err == nil && sizes.err != nil {
		return sizes.err
	}
	if p.layer == 0 || p.layer > multiLayer {
		return fmt.Errorf("pad %q is on layer %d", p.name, p.layer)
	}
	r.design.pads = append(r.design.pads, p)
	return s.err
}

// pad reads the main piece of a pad, and gives how its size differs by layer.
func (c *cursor) pad(p *pad, record int) (mode byte) {
	p.object = c.object(record)
	p.at = c.point()
	var at [3]land // top, in between, bottom
	for i := range at {
		at[i].x, at[i].y = c.length(), c.length()
	}
	p.drill = c.length()
	for i := range at {
		at[i].shape = padShape(c.u8())
	}
	p.turn, p.plated = c.f64(), c.u8() != 0
	c.skip(1)
	mode = c.u8()
	c.skip(23)
	p.paste, p.mask = c.length(), c.length()
	c.skip(7)
	p.pasteKnown, p.maskKnown = c.u8() != 0, c.u8() != 0
	if mode == simpleStack {
		at[1], at[2] = at[0], at[0]
	}
	for i := range p.lands {
		p.lands[i] = at[1]
	}
	p.lands[0], p.lands[31] = at[0], at[2]
	return mode
}

// lands reads the piece that pads have whose shapes need it: sizes of inner layers,
// the shape of the hole, offsets and rounded corners.
func (c *cursor) lands(p *pad, mode byte) {
	const inner = 29
	var in [inner]land
	for i := range in {
		in[i].x = c.length()
	}
	for i := range in {
		in[i].y = c.length()
	}
	for i := range in {
		in[i].shape = padShape(c.u8())
	}
	if mode == fullStack {
		copy(p.lands[1:], in[:])
	}
	c.skip(1)
	p.hole, p.slot, p.slotTurn = holeShape(c.u8()), c.length(), c.f64()
	for i := range p.lands {
		p.lands[i].offset.X = c.length()
	}
	for i := range p.lands {
		p.lands[i].offset.Y = c.length()
	}
	c.skip(1)
	for i := range p.lands {
		switch s := padShape(c.u8()); s {
		case 0, p.lands[i].shape:
		case roundPad, squarePad, octagonPad, roundRectPad:
			p.lands[i].shape = s
		default:
			p.lands[i].shape = s
			p.unknownShapes = true
		}
	}
	for i := range p.lands {
		p.lands[i].round = int64(min(c.u8(), 100))
	}
	if c.err == nil && len(c.data) >= 32 {
		for i, f := range c.take(32) {
			p.removed[i] = f != 0
		}
	}
	if mode == simpleStack {
		for i := range p.lands {
			p.lands[i] = p.lands[0]
		}
	}
}
