package pcb

import (
	"math"
	"testing"

	"boardorder/pkg/board/geom"
)

const mm = geom.Millimetre

// areaOf is what an aperture of dark primitives that do not overlap covers, in square millimetres.
func areaOf(a Aperture) float64 {
	sum := 0.0
	for i := range a.Primitives {
		sum += math.Abs(a.Primitives[i].Path().Area()) / float64(mm) / float64(mm)
	}
	return sum
}

// TestApertures: the box and the area of every shape, by the formulas of geometry.
func TestApertures(t *testing.T) {
	t.Parallel()
	box := func(x, y int64) geom.Box { return geom.Box{Min: geom.Pt(-x/2, -y/2), Max: geom.Pt(x/2, y/2)} }
	for _, c := range []struct {
		name string
		a    Aperture
		kind ShapeKind
		box  geom.Box
		area float64 // mm²
	}{
		{"a circle", Circle(2 * mm), CircleShape, box(2*mm, 2*mm), math.Pi},
		{"a rectangle", Rect(4*mm, 2*mm), RectShape, box(4*mm, 2*mm), 8},
		{"a level obround", Obround(4*mm, 2*mm), ObroundShape, box(4*mm, 2*mm), math.Pi + 4},
		{"an upright obround", Obround(2*mm, 4*mm), ObroundShape, box(2*mm, 4*mm), math.Pi + 4},
		{"an obround of equal sides", Obround(2*mm, 2*mm), ObroundShape, box(2*mm, 2*mm), math.Pi},
		{"a square on its tip", RegularPolygon(2*mm, 4, 0), PolygonShape, box(2*mm, 2*mm), 2},
		{"a hexagon", RegularPolygon(2*mm, 6, 0), PolygonShape, geom.Box{Min: geom.Pt(-mm, -866_025), Max: geom.Pt(mm, 866_025)}, 1.5 * math.Sqrt(3)},
		{"rounded corners", RoundRect(4*mm, 2*mm, mm/2), RoundRectShape, box(4*mm, 2*mm), 8 - (4-math.Pi)/4},
		{"no corners", RoundRect(4*mm, 2*mm, 0), RoundRectShape, box(4*mm, 2*mm), 8},
		{"corners below nothing", RoundRect(4*mm, 2*mm, -mm), RoundRectShape, box(4*mm, 2*mm), 8},
		{"corners that meet", RoundRect(4*mm, 2*mm, mm), RoundRectShape, box(4*mm, 2*mm), math.Pi + 4},
		{"corners larger than that", RoundRect(4*mm, 2*mm, 3*mm), RoundRectShape, box(4*mm, 2*mm), math.Pi + 4},
		{"an area", Area(TrapezoidShape, geom.Rect(box(4*mm, 2*mm))), TrapezoidShape, box(4*mm, 2*mm), 8},
		{"a custom one", Custom("x", []Primitive{{Kind: CirclePrimitive, A: geom.Pt(mm, 0), Radius: mm}}), MacroShape, geom.Box{Min: geom.Pt(0, -mm), Max: geom.Pt(2*mm, mm)}, math.Pi},
	} {
		near := max(c.a.Box.Min.Dist(c.box.Min), c.a.Box.Max.Dist(c.box.Max)) <= 2
		if got := areaOf(c.a); c.a.Kind != c.kind || !near || math.Abs(got-c.area) > 1e-5 {
			t.Errorf("%s is a %v of %v, %v mm²; want a %v of %v, %v mm²", c.name, c.a.Kind, c.a.Box, got, c.kind, c.box, c.area)
		}
		if !c.a.Simple() {
			t.Errorf("%s is made with clear pieces, want none", c.name)
		}
	}
	if a := Custom("x", nil); !a.Box.Empty() || a.X != 0 || !a.BoundsAt(geom.Transform{Rotation: 45}).Empty() {
		t.Errorf("a custom aperture of nothing: %+v, want an empty box", a)
	}
}

// TestPunchHole: holes in the middle of apertures, round or rectangular.
func TestPunchHole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		x, y int64
		kind PrimitiveKind
		want geom.Box // of the hole; empty for none
	}{
		{"round", mm, 0, CirclePrimitive, geom.Box{Min: geom.Pt(-mm/2, -mm/2), Max: geom.Pt(mm/2, mm/2)}},
		{"rectangular", mm, mm / 2, AreaPrimitive, geom.Box{Min: geom.Pt(-mm/2, -mm/4), Max: geom.Pt(mm/2, mm/4)}},
		{"none", 0, mm, 0, geom.EmptyBox()},
		{"less than none", -mm, 0, 0, geom.EmptyBox()},
	} {
		a := Circle(2*mm).PunchHole(c.x, c.y)
		if c.want.Empty() {
			if len(a.Primitives) != 1 || a.HoleX != 0 {
				t.Errorf("%s: a hole of %d by %d gives %+v, want none", c.name, c.x, c.y, a)
			}
			continue
		}
		hole := a.Primitives[1]
		if !hole.Clear || hole.Kind != c.kind || hole.Bounds() != c.want || a.Simple() || a.Box != Circle(2*mm).Box {
			t.Errorf("%s: a hole of %d by %d is %+v in %v, want %v of a box that stays", c.name, c.x, c.y, hole, a.Box, c.want)
		}
	}
}

// TestPrimitivePlace: pieces of apertures as a transform puts them down.
func TestPrimitivePlace(t *testing.T) {
	t.Parallel()
	stroke := Primitive{Kind: StrokePrimitive, A: geom.Pt(0, 0), B: geom.Pt(2*mm, 0), Radius: mm / 2}
	area := Primitive{Kind: AreaPrimitive, Clear: true, Area: geom.Rect(geom.Box{Max: geom.Pt(2*mm, mm)})}
	for _, c := range []struct {
		name string
		p    Primitive
		t    geom.Transform
		want geom.Box
	}{
		{"as it is", stroke, geom.Transform{}, geom.Box{Min: geom.Pt(-mm/2, -mm/2), Max: geom.Pt(2*mm+mm/2, mm/2)}},
		{"moved", stroke, geom.Move(geom.Pt(mm, mm)), geom.Box{Min: geom.Pt(mm/2, mm/2), Max: geom.Pt(3*mm+mm/2, mm+mm/2)}},
		{"turned", stroke, geom.Transform{Rotation: 90}, geom.Box{Min: geom.Pt(-mm/2, -mm/2), Max: geom.Pt(mm/2, 2*mm+mm/2)}},
		{"scaled", stroke, geom.Transform{Scale: 2}, geom.Box{Min: geom.Pt(-mm, -mm), Max: geom.Pt(5*mm, mm)}},
		{"an area, turned", area, geom.Transform{Rotation: 180}, geom.Box{Min: geom.Pt(-2*mm, -mm), Max: geom.Pt(0, 0)}},
		{"an area, mirrored", area, geom.Transform{Mirror: true}, geom.Box{Min: geom.Pt(-2*mm, 0), Max: geom.Pt(0, mm)}},
	} {
		got := c.p.Place(c.t)
		if got.Bounds() != c.want || got.Clear != c.p.Clear || got.Kind != c.p.Kind {
			t.Errorf("%s: %+v by %+v is %+v in %v, want %v", c.name, c.p, c.t, got, got.Bounds(), c.want)
		}
	}
}

// TestHairline: lines drawn with a pen of no width, or of a thousandth of a millimetre or two.
func TestHairline(t *testing.T) {
	t.Parallel()
	l := NewLayer("x", "x")
	l.Transforms = append(l.Transforms, geom.Transform{Scale: 2})
	l.Apertures = []Aperture{Circle(0), Circle(5 * geom.Micrometre), Circle(5*geom.Micrometre + 1), Rect(0, 0)}
	for _, c := range []struct {
		name string
		f    Feature
		want bool
	}{
		{"no width", Feature{}, true},
		{"5 um", Feature{Shape: 1}, true},
		{"more", Feature{Shape: 2}, false},
		{"5 um, doubled", Feature{Shape: 1, Transform: 1}, false},
		{"an arc", Feature{Kind: ArcFeature}, true},
		{"a flash", Feature{Kind: FlashFeature}, false},
		{"a rectangle", Feature{Shape: 3}, false},
		{"a region", Feature{Kind: RegionFeature}, false},
	} {
		if got := l.Hairline(&c.f); got != c.want {
			t.Errorf("%s: %+v is a hairline: %v, want %v", c.name, c.f, got, c.want)
		}
	}
}

// TestLayerBounds: the box of what a layer puts down, and how much work it is to find.
func TestLayerBounds(t *testing.T) {
	t.Parallel()
	l := NewLayer("x", "x")
	l.Transforms = append(l.Transforms, geom.Transform{Rotation: 45}, geom.Transform{Scale: 1})
	l.Apertures = []Aperture{Circle(2 * mm), Custom("m", make([]Primitive, 9))}
	if got := l.Bounds(); !got.Empty() {
		t.Errorf("bounds of an empty layer are %v, want none", got)
	}
	l.Features = []Feature{
		{Kind: FlashFeature, A: geom.Pt(mm, mm)}, {Kind: FlashFeature, A: geom.Pt(9*mm, 9*mm), Clear: true}, {Kind: FlashFeature, A: geom.Pt(-mm, 0)},
	}
	if got, want := l.Bounds(), (geom.Box{Min: geom.Pt(-2*mm, -mm), Max: geom.Pt(2*mm, 2*mm)}); got != want {
		t.Errorf("bounds of %+v are %v, want %v: what erases does not count", l.Features, got, want)
	}
	for _, c := range []struct {
		f    Feature
		want int
	}{
		{Feature{Kind: FlashFeature, Shape: 1}, 1}, {Feature{Kind: FlashFeature, Shape: 1, Transform: 1}, 10}, {Feature{Kind: FlashFeature, Shape: 1, Transform: 2}, 1}, {Feature{Kind: RegionFeature, Transform: 1}, 1},
	} {
		if got := l.BoundsWork(&c.f); got != c.want {
			t.Errorf("bounds of %+v take %d looks, want %d", c.f, got, c.want)
		}
	}
	ctx, stop := WithBudget(t.Context(), Limits{Steps: 1})
	defer stop()
	if got := l.BoundsWithin(MeterOf(ctx)); !got.Empty() || Excess(ctx) == nil {
		t.Errorf("bounds where the budget is used up are %v, want none", got)
	}
}
