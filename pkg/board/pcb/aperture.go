package pcb

import "boardorder/pkg/board/geom"

// ShapeKind is how a file described an aperture.
type ShapeKind uint8

// Kinds of apertures.
const (
	CircleShape    ShapeKind = iota // diameter X
	RectShape                       // X by Y
	ObroundShape                    // X by Y with round short ends
	PolygonShape                    // regular: outer diameter X, Vertices, Rotation
	RoundRectShape                  // X by Y with Corner radius
	ChamferShape                    // X by Y with some corners cut off by Corner
	TrapezoidShape                  // KiCad trapezoid: X by Y and deltas
	MacroShape                      // an aperture macro or a tool's custom pad: Primitives only
	BlockShape                      // aperture block that was expanded; only its code is left
)

var shapeNames = [...]string{"circle", "rectangle", "obround", "polygon", "rounded rectangle", "chamfered rectangle",
	"trapezoid", "macro", "block"}

func (k ShapeKind) String() string {
	if int(k) < len(shapeNames) {
		return shapeNames[k]
	}
	return "unknown"
}

// Aperture is a shape that flashes and strokes refer to, centred on the point
// where it is put down.
type Aperture struct {
	Code     int // D-code, or the tool's number
	Kind     ShapeKind
	Function Function
	Name     string // macro or symbol name
	X, Y     int64  // sizes; Y equals X for circles; of a macro the extents
	Corner   int64  // radius or chamfer
	Vertices int    // of a regular polygon
	Rotation float64
	HoleX    int64 // hole in the middle; HoleY is 0 for a round one
	HoleY    int64
	Attrs    int32 // index into Layer.AttributeSets
	Line     int32 // where it was defined

	Primitives []Primitive // what it looks like, in order
	Box        geom.Box    // of its dark primitives
}

// PrimitiveKind is the shape of a Primitive.
type PrimitiveKind uint8

// Kinds of primitives.
const (
	CirclePrimitive PrimitiveKind = iota // centre A, Radius
	StrokePrimitive                      // line A to B drawn with a round pen of Radius
	AreaPrimitive                        // inside of the closed Area
)

// Primitive is a piece of an aperture. A clear one erases the dark ones before
// it in the same aperture and nothing else.
type Primitive struct {
	Kind   PrimitiveKind
	Clear  bool
	A, B   geom.Point
	Radius int64
	Area   geom.Path
}

// Bounds is the box that the primitive covers.
func (p *Primitive) Bounds() geom.Box {
	switch p.Kind {
	case CirclePrimitive:
		return geom.BoxOf(p.A).Grow(p.Radius)
	case StrokePrimitive:
		return geom.BoxOf(p.A, p.B).Grow(p.Radius)
	}
	return p.Area.Bounds()
}

// Path is the closed outline of the primitive.
func (p *Primitive) Path() geom.Path {
	switch p.Kind {
	case CirclePrimitive:
		return geom.Circle(p.A, p.Radius)
	case StrokePrimitive:
		return geom.Capsule(p.A, p.B, p.Radius)
	}
	return p.Area
}

// Place gives the primitive as t puts it down.
func (p *Primitive) Place(t geom.Transform) Primitive {
	q := Primitive{Kind: p.Kind, Clear: p.Clear, A: t.Apply(p.A), B: t.Apply(p.B), Radius: t.Length(p.Radius)}
	if p.Kind == AreaPrimitive {
		q.Area = t.Path(p.Area)
	}
	return q
}

// Simple tells whether the aperture has no clear primitives, so that it is the
// plain union of its dark ones.
func (a *Aperture) Simple() bool {
	for i := range a.Primitives {
		if a.Primitives[i].Clear {
			return false
		}
	}
	return true
}

// BoundsAt is the box of the aperture as t puts it down; empty when the
// aperture draws nothing.
func (a *Aperture) BoundsAt(t geom.Transform) geom.Box {
	if a.Box.Empty() {
		return a.Box
	}
	if t.Rotation == 0 && !t.Mirror && (t.Scale == 0 || t.Scale == 1) {
		return a.Box.Move(t.Offset)
	}
	b := geom.EmptyBox()
	for i := range a.Primitives {
		if p := &a.Primitives[i]; !p.Clear {
			placed := p.Place(t)
			b = b.Union(placed.Bounds())
		}
	}
	return b
}
