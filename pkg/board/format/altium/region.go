package altium

import (
	"errors"
	"fmt"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A region is an area with holes.
type region struct {
	object
	kind   int
	cutout bool // of the board
	outer  []vertex
	holes  [][]vertex
}

// Kinds of regions.
const (
	copperRegion  = 0
	polygonCutout = 1
	dashedOutline = 2
	cavityRegion  = 4
)

// readRegions reads areas. Files hold each of them twice: with arcs, and with arcs as
// chords. Pours are taken with chords, as the program plots them; others with arcs.
func (r *reader) readRegions() error {
	var plain, curved []region
	if err := r.records("Regions6", func(c *cursor) error { return r.region(c, &plain, false) }); err != nil {
		return err
	}
	if err := r.records("ShapeBasedRegions6", func(c *cursor) error { return r.region(c, &curved, true) }); err != nil {
		return err
	}
	if len(curved) == 0 {
		r.design.regions = plain
		return nil
	}
	if len(plain) != len(curved) {
		return fmt.Errorf("it holds %d regions with arcs and %d with chords", len(curved), len(plain))
	}
	for i := range curved {
		if plain[i].polygon != none {
			curved[i] = plain[i]
		}
	}
	r.design.regions = curved
	return nil
}

func (r *reader) region(c *cursor, to *[]region, curved bool) error {
	s, err := begin(c, regionRecord)
	if err != nil {
		return err
	}
	g := region{object: s.object(len(*to) + 1)}
	s.skip(1)
	holes := s.u16()
	s.skip(2)
	p := s.properties(r.meter)
	g.kind, g.cutout = p.number("KIND", 0), p.is("ISBOARDCUTOUT")
	n := int(min(s.u32(), 1<<24))
	if curved {
		n++ // the first corner again
	}
	if g.outer, err = s.corners(r.meter, n, curved); err != nil {
		return err
	}
	for range holes {
		h, err := s.corners(r.meter, int(min(s.u32(), 1<<24)), false)
		if err != nil {
			return err
		}
		if len(h) > 2 {
			g.holes = append(g.holes, h)
		}
	}
	*to = append(*to, g)
	return s.err
}

var errCorners = errors.New("it states more corners than it holds")

// corners reads n corners, which are pairs of numbers, or arcs too.
func (c *cursor) corners(m pcb.Meter, n int, curved bool) ([]vertex, error) {
	size := 16
	if curved {
		size = 37
	}
	if c.err != nil || n > len(c.data)/size {
		return nil, errCorners
	}
	if !m.Spend(pcb.Corners, n) {
		return nil, m.Err()
	}
	out := make([]vertex, 0, n)
	for range n {
		if !curved {
			out = append(out, vertex{at: geom.Pt(unit(c.f64()), unit(c.f64()))})
			continue
		}
		out = append(out, vertex{round: c.u8() != 0, at: c.point(), centre: c.point(), radius: c.length(), from: c.f64(), to: c.f64()})
	}
	return out, c.err
}

// unit is a coordinate that the file holds as a broken number.
func unit(v float64) int64 {
	if v > 1<<40 || v < -1<<40 {
		return 0
	}
	x := v * 2.54
	if x < 0 {
		x -= 0.5
	} else {
		x += 0.5
	}
	n, _ := geom.Clamp(int64(x))
	return n
}

// polygonOf is the area of the region on the board.
func (g *region) polygonOf(origin geom.Point) geom.Polygon {
	out := geom.Polygon{Outer: contour(g.outer, origin)}
	for _, h := range g.holes {
		out.Holes = append(out.Holes, contour(h, origin))
	}
	return out
}

// A polygon is a pour, whose copper other records hold.
type polygon struct {
	name    string
	layer   layer
	net     int
	shelved bool
	corners int
}

func (r *reader) polygon(c *cursor) error {
	p := c.properties(r.meter)
	r.design.polygons = append(r.design.polygons, polygon{
		name: p.codes("NAME"), layer: layerOf(p["LAYER"]), net: p.number("NET", none), shelved: p.is("SHELVED"), corners: len(p.vertices()),
	})
	return nil
}
