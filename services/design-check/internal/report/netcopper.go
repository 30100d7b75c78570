package report

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"boardorder/pkg/board/clip"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// A spot is an item of a copper layer.
type spot struct{ layer, item int }

// netsOf gives what copper is of each net: what states it, and what hangs together with that and
// states nothing, as artwork does whose nets a netlist beside it knows.
func netsOf(c *copper.Copper) map[int32][]spot {
	const none, several = 0, -1
	ofNode := make([]int32, len(c.Nodes))
	state := func(node, net int32) {
		switch {
		case node < 0 || net <= 0 || ofNode[node] == net:
		case ofNode[node] == none:
			ofNode[node] = net
		default:
			ofNode[node] = several
		}
	}
	for _, l := range c.Layers {
		for i := range l.Items {
			state(l.Items[i].Node, netOf(c.Board, &l.Items[i]))
		}
	}
	for i, h := range c.Board.Holes {
		state(c.Holes[i], h.Net)
	}
	for _, p := range c.Board.Pins {
		for _, l := range c.Layers {
			if p.HasAt && p.Net > 0 && l.Outer && (p.Side != pcb.Top && p.Side != pcb.Bottom || p.Side == l.Layer.Side) {
				l.VisitAt(p.At, func(i int) bool {
					if netOf(c.Board, &l.Items[i]) <= 0 {
						state(l.Items[i].Node, p.Net)
					}
					return true
				})
			}
		}
	}
	out := map[int32][]spot{}
	for k, l := range c.Layers {
		for i := range l.Items {
			if net := cmp.Or(netOf(c.Board, &l.Items[i]), ofNode[l.Items[i].Node]); net > 0 {
				out[net] = append(out[net], spot{k, i})
			}
		}
	}
	return out
}

// netOf is the net that an item, or else its pin, states; 0 is none.
func netOf(b *pcb.Board, it *copper.Item) int32 {
	if it.Net == 0 && it.Pin > 0 && int(it.Pin) < len(b.Pins) {
		return b.Pins[it.Pin].Net
	}
	return it.Net
}

// A netPath is what a net draws on one layer with one pen.
type netPath struct {
	Layer int    `json:"l"` // the page's number of it; 0 where the page does not show it
	Width int64  `json:"w"` // of the pen in micrometres; 0 of areas
	Path  string `json:"d"` // in the drawing's unit
}

// netFiles writes the copper of nets in files, each net in one of them, as long as there is room. It
// notes in entries, which are those of nets, which file that is.
func (v *view) netFiles(ctx context.Context, c *copper.Copper, nets []int32, entries []netEntry) ([][]byte, error) {
	stated := netsOf(c)
	var files []map[int][]netPath
	size, room := netFile, maxNets
	for k, net := range nets {
		paths, length := v.drawNet(c, stated[net])
		if length == 0 || length > min(maxNet, room) {
			continue
		}
		if size >= netFile {
			if len(files) == MaxNetFiles || ctx.Err() != nil {
				break
			}
			files, size = append(files, map[int][]netPath{}), 0
		}
		entries[k].File = len(files) - 1
		files[len(files)-1][k] = paths
		size, room = size+length, room-length
	}
	out := make([][]byte, len(files))
	for i, file := range files {
		var err error
		if out[i], err = json.Marshal(file); err != nil {
			return nil, fmt.Errorf("copper of nets: %w", err)
		}
	}
	return out, nil
}

// drawNet draws a net's copper: tracks as strokes, the rest as areas. It tells how many bytes the
// paths are.
func (v *view) drawNet(c *copper.Copper, at []spot) (paths []netPath, length int) {
	type pen struct {
		layer int
		width int64
	}
	drawn := map[pen]*netPen{}
	with := func(layer int, width int64) *netPen {
		p := pen{layer, width}
		if drawn[p] == nil {
			drawn[p] = &netPen{view: v}
		}
		return drawn[p]
	}
	for _, s := range at {
		it := &c.Layers[s.layer].Items[s.item].Shape
		width := int64(it.Width()) / int64(geom.Micrometre)
		if e := it.Edge(); !it.IsArea() && !e.IsArc() {
			with(s.layer, width).stroke(e)
			continue
		}
		with(s.layer, 0).area(it)
		if it.IsArea() && width > 0 {
			with(s.layer, width).area(it)
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(drawn), func(a, b pen) int { return cmp.Or(b.layer-a.layer, cmp.Compare(a.width, b.width)) }) {
		number := 0
		for _, l := range v.Layers {
			if l.layer == c.Layers[p.layer].Layer {
				number = l.N
			}
		}
		paths = append(paths, netPath{number, p.width, drawn[p].String()})
		length += drawn[p].Len() + 24
	}
	return paths, length
}

// A netPen writes a path, every point by its way from the one before.
type netPen struct {
	bytes.Buffer
	view *view
	x, y int64
}

func (p *netPen) point(command byte, at geom.Point) {
	x, y := p.view.micrometres(at)
	p.WriteByte(command)
	p.WriteString(strconv.FormatInt(x-p.x, 10))
	if y >= p.y {
		p.WriteByte(' ')
	}
	p.WriteString(strconv.FormatInt(y-p.y, 10))
	p.x, p.y = x, y
}

// stroke goes along a straight edge; one without a length is a dot.
func (p *netPen) stroke(e geom.Edge) {
	p.point('m', e.A)
	p.point('l', e.B)
}

// area goes round a shape: round holes in it the other way.
func (p *netPen) area(s *shape.Shape) {
	var rings clip.Rings
	if s.IsArea() {
		poly := s.Polygon()
		rings = clip.Rings{clip.FlatWithin(poly.Outer, false, stray)}
		for _, h := range poly.Holes {
			rings = append(rings, clip.FlatWithin(h, true, stray))
		}
	} else {
		rings = clip.StrokeWithin(s.Edge(), int64(s.Width()/2), stray)
	}
	for _, r := range rings {
		if len(r) < 3 {
			continue
		}
		p.point('m', r[0])
		x, y := p.x, p.y
		for _, q := range r[1:] {
			p.point('l', q)
		}
		p.WriteByte('z')
		p.x, p.y = x, y
	}
}

// stray is how far chords stray from curves: the unit that they are written in.
const stray = float64(geom.Micrometre)
