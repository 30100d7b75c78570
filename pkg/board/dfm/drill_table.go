package dfm

import (
	"math"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/shape"
)

// A drillTable is all holes of the board as shapes that are found by place.
type drillTable struct {
	list  []drilled
	index *shape.Index
}

// A drilled is one hole.
type drilled struct {
	*board.Hole
	i     int // in Board.Holes
	walls []shape.Shape
	box   geom.Box
	twice bool // an equal hole comes earlier in the list
}

func newDrillTable(b *board.Board, m board.Meter) *drillTable {
	t := &drillTable{}
	type twin struct {
		a, b geom.Point
		d    int64
	}
	seen := map[twin]bool{}
	made := m.Tally(board.Shapes)
	var boxes []geom.Box
	for i := range b.Holes {
		h := &b.Holes[i]
		if h.Diameter <= 0 || h.Function == board.FuncBackDrill {
			continue
		}
		k := twin{h.A, h.B, h.Diameter}
		if !made.Add(1 + routed(b, h)) {
			break
		}
		d := drilled{Hole: h, i: i, walls: shape.AppendHole(nil, b, h), box: b.HoleBounds(h), twice: h.Kind != board.RoutedHole && seen[k]}
		seen[k] = true
		t.list = append(t.list, d)
		boxes = append(boxes, d.box)
	}
	t.index = shape.NewIndex(boxes).Metered(m)
	return t
}

// routed is how many corners the way of a routed hole has.
func routed(b *board.Board, h *board.Hole) int {
	if h.Kind != board.RoutedHole || int(h.Path) >= len(b.Routes) {
		return 0
	}
	return len(b.Routes[h.Path].Points)
}

// at tells whether any hole takes a point.
func (t *drillTable) at(p geom.Point) bool {
	found := false
	t.index.Search(geom.Bound(p), func(i int) bool {
		for k := range t.list[i].walls {
			found = found || t.list[i].walls[k].Contains(p)
		}
		return !found
	})
	return found
}

// radius of the drill.
func (d *drilled) radius() float64 { return float64(d.Diameter) / 2 }

// dist is the distance of the walls of two holes, and the points between which it is.
func (d *drilled) dist(o *drilled, reach float64) (v float64, p, q geom.Point, ok bool) {
	v = math.Inf(1)
	for i := range d.walls {
		for j := range o.walls {
			if w, a, b, near := d.walls[i].Within(&o.walls[j], reach); near && w < v {
				v, p, q, ok = w, a, b, true
			}
		}
	}
	return v, p, q, ok
}

// meets tells whether two holes pass a common layer.
func (d *drilled) meets(o *drilled) bool {
	if d.From == 0 && d.To == 0 || o.From == 0 && o.To == 0 {
		return true
	}
	return max(min(d.From, d.To), min(o.From, o.To)) < min(max(d.From, d.To), max(o.From, o.To))
}

// Sizes up to which a plated hole may well be a via, when its file tells nothing
// and when it is stated to belong to a part: parts have thermal vias of their own.
const (
	widestVia    = 750 * geom.Micrometre
	narrowestPin = 500 * geom.Micrometre
)

// lead tells whether something is soldered into a plated hole, as far as is known.
func (d *drilled) lead() bool {
	switch {
	case d.Plating == board.NonPlated, d.Function == board.FuncViaDrill:
		return false
	case d.Kind != board.DrillHole:
		return true
	case d.Function == board.FuncComponentDrill, d.Pin > 0:
		return d.Diameter > narrowestPin
	}
	return d.Diameter > widestVia
}
