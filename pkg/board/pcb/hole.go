package pcb

import "boardorder/pkg/board/geom"

// Plating tells whether a hole's wall is copper.
type Plating uint8

// Platings of holes.
const (
	PlatingUnknown Plating = iota
	Plated
	NonPlated
	MixedPlating // of a file that holds both
)

func (p Plating) String() string {
	return [...]string{"unknown", "plated", "non-plated", "mixed"}[p&3]
}

// HoleKind is how a hole is made.
type HoleKind uint8

// Kinds of holes.
const (
	DrillHole  HoleKind = iota // one hit at A
	SlotHole                   // straight slot from A to B, cutter of Diameter
	RoutedHole                 // path Board.Routes[Path], cutter of Diameter
)

// Hole is a drill hit, a slot or a routed path.
type Hole struct {
	A, B     geom.Point // B equals A for a drill hit
	Diameter int64      // of the drill or cutter: the finished hole where the file says so
	Kind     HoleKind
	Plating  Plating
	Function Function // via, component, mechanical, where stated
	Path     int32    // index into Board.Routes, for routed holes
	From, To int16    // copper layers it spans; 0, 0 is all, or not stated
	Tool     int32    // number in its file
	Net      int32
	Pin      int32
	File     int32 // index into Project.Files or the reader's order; -1 unknown
	Line     int32
}

// IsThrough tells whether the hole passes the whole board of n copper layers.
func (h *Hole) IsThrough(n int) bool {
	return h.From == 0 && h.To == 0 || min(h.From, h.To) <= 1 && int(max(h.From, h.To)) >= n
}

// Outline is the closed wall of the hole; for a routed one the path swept by
// the cutter is not united, so the centre path is what [Board.HoleEdges] gives.
func (h *Hole) Outline() geom.Path { return geom.Capsule(h.A, h.B, h.Diameter/2) }

// HoleEdges calls yield with each centre-line edge of the hole; a drill hit is one
// edge without length.
func (b *Board) HoleEdges(h *Hole, yield func(geom.Edge)) {
	if h.Kind == RoutedHole && int(h.Path) < len(b.Routes) {
		for e := range b.Routes[h.Path].Edges() {
			yield(e)
		}
		return
	}
	yield(geom.Line(h.A, h.B))
}

// HoleBounds is the box that the hole covers.
func (b *Board) HoleBounds(h *Hole) geom.Box {
	if h.Kind == RoutedHole && int(h.Path) < len(b.Routes) {
		return b.Routes[h.Path].Bounds().Grow(h.Diameter / 2)
	}
	return geom.BoxOf(h.A, h.B).Grow(h.Diameter / 2)
}
