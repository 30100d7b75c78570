package measure

import (
	"math"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
)

// A drillTable is all holes of the board as shapes that are found by place.
type drillTable struct {
	List  []Drilled
	Index *shape.Index
}

// A Drilled is one hole.
type Drilled struct {
	*pcb.Hole
	At      int // in Board.Holes
	Barrels []shape.Shape
	Box     geom.Box
	Twice   bool // an equal hole comes earlier in the list
}

func newDrillTable(b *pcb.Board, m pcb.Meter) *drillTable {
	t := &drillTable{}
	type counterpart struct {
		a, b geom.Point
		d    int64
	}
	seen := map[counterpart]bool{}
	made := m.Tally(pcb.Shapes)
	var boxes []geom.Box
	for i := range b.Holes {
		h := &b.Holes[i]
		if h.Diameter <= 0 || h.Function == pcb.FuncBackDrill {
			continue
		}
		k := counterpart{h.A, h.B, h.Diameter}
		if !made.Add(1 + routeCorners(b, h)) {
			break
		}
		d := Drilled{Hole: h, At: i, Barrels: shape.AppendHole(nil, b, h), Box: b.HoleBounds(h), Twice: h.Kind != pcb.RoutedHole && seen[k]}
		seen[k] = true
		t.List = append(t.List, d)
		boxes = append(boxes, d.Box)
	}
	t.Index = shape.NewIndex(boxes).SetMeter(m)
	return t
}

// routeCorners is how many corners the way of a routed hole has.
func routeCorners(b *pcb.Board, h *pcb.Hole) int {
	if h.Kind != pcb.RoutedHole || int(h.Path) >= len(b.Routes) {
		return 0
	}
	return len(b.Routes[h.Path].Points)
}

// HasHoleAt reports whether any hole takes a point.
func (t *drillTable) HasHoleAt(p geom.Point) bool {
	found := false
	t.Index.Search(geom.BoxOf(p), func(i int) bool {
		for k := range t.List[i].Barrels {
			found = found || t.List[i].Barrels[k].Contains(p)
		}
		return !found
	})
	return found
}

// Radius of the drill.
func (d *Drilled) Radius() float64 { return float64(d.Diameter) / 2 }

// Dist is the distance of the barrels of two holes, and the points between which it is.
func (d *Drilled) Dist(o *Drilled, reach float64) (v float64, p, q geom.Point, ok bool) {
	v = math.Inf(1)
	for i := range d.Barrels {
		for j := range o.Barrels {
			if w, a, b, near := d.Barrels[i].DistWithin(&o.Barrels[j], reach); near && w < v {
				v, p, q, ok = w, a, b, true
			}
		}
	}
	return v, p, q, ok
}

// Meets reports whether two holes pass a common layer.
func (d *Drilled) Meets(o *Drilled) bool {
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

// Lead reports whether something is soldered into a plated hole, as far as is known.
func (d *Drilled) Lead() bool {
	switch {
	case d.Plating == pcb.NonPlated, d.Function == pcb.FuncViaDrill:
		return false
	case d.Kind != pcb.DrillHole:
		return true
	case d.Function == pcb.FuncComponentDrill, d.Pin > 0:
		return d.Diameter > narrowestPin
	}
	return d.Diameter > widestVia
}
