// Package crop cuts out of a board what lies round one place, as areas with their true
// edges: however large the board is, a fault can be shown at any size. Of a short it tells
// the copper of either net apart, and where the two meet.
package crop

import (
	"context"
	"errors"
	"math"

	"boardorder/pkg/board/clip"
	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/services/design-check/internal/overlay"
)

// Kind is what a part of a crop is.
type Kind string

// Kinds, in the order in which they lie on each other.
const (
	Body    Kind = "body"    // bare board
	Context Kind = "context" // copper beneath what the finding is about
	Layer   Kind = "about"   // what the finding is about
	NetA    Kind = "a"       // copper of the first net of a short
	NetB    Kind = "b"       // copper of the second
	Bridge  Kind = "bridge"  // where both lie
	Hole    Kind = "hole"
)

// Part is an area of one kind.
type Part struct {
	Kind  Kind
	Layer *pcb.Layer // that it is drawn on; nil for body and holes
	Areas []geom.Polygon
}

// Crop is what lies in a square of the board.
type Crop struct {
	Box   geom.Box
	Parts []Part
}

// ErrWhole is returned for what is too long to be looked at from near: the whole board
// shows it.
var ErrWhole = errors.New("crop: the place is as large as a board")

// Cutter cuts places out of one board. It is for one goroutine.
type Cutter struct {
	board  *pcb.Board
	copper *copper.Copper
	drawn  map[*pcb.Layer]*copper.Layer // what layers draw, once they were asked for

	body, holes *pcb.Layer
}

// New prepares a board; it fails when ctx ends, or the budget in it does.
func New(ctx context.Context, b *pcb.Board) (*Cutter, error) {
	c, err := copper.Extract(ctx, b)
	if err != nil {
		return nil, err
	}
	out := &Cutter{board: b, copper: c, drawn: map[*pcb.Layer]*copper.Layer{}, body: overlay.Body(b), holes: overlay.Holes(b)}
	for _, l := range c.Layers {
		out.drawn[l.Layer] = l
	}
	return out, nil
}

// Copper is that of the whole board.
func (c *Cutter) Copper() *copper.Copper { return c.copper }

const (
	usual   = geom.Millimetre / 2       // that a fault without a length is taken to be long
	nearest = 20 * geom.Micrometre      // nothing is looked at from nearer
	largest = 12 * geom.Millimetre      // sides of crops
	least   = geom.Millimetre           // the same
	around  = 8                         // as many times the fault's length is a crop's side,
	middle  = 4 * geom.Millimetre       // as long as it is no longer than this
	window  = 3.2                       // times the length are seen in any case
	touch   = float64(copper.Touch) + 1 // of copper that is one
)

// Length is how long the fault of a place is: a window shows some times as much.
func Length(p dfm.Place) int64 {
	if !overlay.HasEnd(p) {
		return usual
	}
	return max(nearest, int64(math.Ceil(p.At.Dist(p.To))))
}

// Frame is the square that a place is cut out with.
func Frame(p dfm.Place) (geom.Box, error) {
	length := float64(Length(p))
	side := int64(max(float64(least), min(around*length, max(float64(middle), window*length))))
	if side > largest {
		return geom.Box{}, ErrWhole
	}
	centre := p.At
	if overlay.HasEnd(p) {
		centre = p.At.Mid(p.To)
	}
	return geom.BoxOf(centre).Grow(side / 2), nil
}

// Cut gives what lies round a place.
func (c *Cutter) Cut(ctx context.Context, p dfm.Place) (*Crop, error) {
	box, err := Frame(p)
	if err != nil {
		return nil, err
	}
	out := &Crop{Box: box}
	if err := out.add(ctx, Body, nil, c.resolve(ctx, c.body)); err != nil {
		return nil, err
	}
	about, beneath := c.layers(p)
	for _, l := range beneath {
		if err := out.add(ctx, Context, l, c.resolve(ctx, l)); err != nil {
			return nil, err
		}
	}
	if p.Pieces[0].Layer > 0 && p.Pieces[1].Layer > 0 {
		err = c.cutShort(ctx, out, p)
	} else if about != nil {
		err = out.add(ctx, Layer, about, c.resolve(ctx, about))
	}
	if err == nil {
		err = out.add(ctx, Hole, nil, c.resolve(ctx, c.holes))
	}
	return out, err
}

// layers are the layer that a place is on, and the copper that is shown beneath it where it
// is none itself.
func (c *Cutter) layers(p dfm.Place) (about *pcb.Layer, beneath []*pcb.Layer) {
	for _, l := range c.board.Layers {
		if l.Name == p.Layer {
			about = l
			break
		}
	}
	if about != nil && about.Role == pcb.RoleCopper {
		return about, nil
	}
	side := pcb.Top
	if about != nil && about.Side == pcb.Bottom {
		side = pcb.Bottom
	}
	for _, l := range c.board.Copper() {
		if l.Side == side {
			beneath = append(beneath, l)
		}
	}
	return about, beneath
}

// resolve gives what a layer draws; nil where that is too much work.
func (c *Cutter) resolve(ctx context.Context, l *pcb.Layer) *copper.Layer {
	d, known := c.drawn[l]
	if !known {
		d, _ = copper.Resolve(ctx, c.board, l)
		c.drawn[l] = d
	}
	return d
}

// add adds what a layer draws in the crop's square.
func (c *Crop) add(ctx context.Context, kind Kind, l *pcb.Layer, drawn *copper.Layer) error {
	if drawn == nil {
		return nil
	}
	areas, err := cut(ctx, drawn, c.Box, func(int) bool { return true })
	c.append(kind, l, areas)
	return err
}

func (c *Crop) append(kind Kind, l *pcb.Layer, areas []geom.Polygon) {
	if len(areas) > 0 {
		c.Parts = append(c.Parts, Part{Kind: kind, Layer: l, Areas: areas})
	}
}

// cut gives what items of a layer cover in a box.
func cut(ctx context.Context, l *copper.Layer, box geom.Box, takes func(i int) bool) ([]geom.Polygon, error) {
	var all clip.Rings
	var err error
	l.Index.Search(box, func(i int) bool {
		if !takes(i) {
			return true
		}
		var rings clip.Rings
		if rings, err = copper.Crop(ctx, &l.Items[i].Shape, box); err != nil {
			return false
		}
		all = append(all, rings...)
		return true
	})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return clip.Combine(ctx, clip.Union, all, nil)
}
