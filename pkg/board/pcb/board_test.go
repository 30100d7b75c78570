package pcb

import (
	"fmt"
	"testing"

	"boardorder/pkg/board/geom"
)

func TestNetsPinsComponents(t *testing.T) {
	t.Parallel()
	b := NewBoard("x")
	if b.Net("") != 0 || b.Pin("", "1") != 0 {
		t.Errorf("no name is net %d and pin %d, want 0", b.Net(""), b.Pin("", "1"))
	}
	gnd := b.Net("GND")
	b.Nets = append(b.Nets, Net{"VCC"}) // by others
	if b.Net("VCC") != 2 || b.Net("GND") != gnd || b.Net("CLK") != 3 || len(b.Nets) != 4 {
		t.Errorf("nets are %+v, want GND, VCC and CLK after the empty one, each once", b.Nets)
	}
	b.Components = append(b.Components, Component{Ref: "U1"}, Component{Ref: "R1"}, Component{Ref: "R1", Value: "second"})
	if b.Component("R1") != 1 || b.Component("C1") != 3 || b.Component("C1") != 3 {
		t.Errorf("components are %+v, want C1 once after the others, and the first R1", b.Components)
	}
	p := b.Pin("U1", "7")
	if b.Pin("U1", "7") != p || b.Pin("U1", "8") == p || b.Pins[p].Component != 0 {
		t.Errorf("pins are %+v, want 7 and 8 of U1, each once", b.Pins)
	}
	var zero Board // works without NewBoard
	if zero.Net("A") != 1 || zero.Pin("X", "1") != 1 || len(zero.Components) != 1 {
		t.Errorf("a board that nobody made has nets %+v, pins %+v, components %+v; want the first of each after the empty ones", zero.Nets, zero.Pins, zero.Components)
	}
}

func TestManyComponentsStayFast(t *testing.T) {
	t.Parallel()
	b := NewBoard("x")
	for i := range 50_000 {
		b.Pin(fmt.Sprint("R", i), "1")
		b.Net(fmt.Sprint("N", i))
	}
	if len(b.Components) != 50_000 || len(b.Pins) != 50_001 || len(b.Nets) != 50_001 {
		t.Errorf("%d components, %d pins, %d nets; want 50000, and one more of the others", len(b.Components), len(b.Pins), len(b.Nets))
	}
}

func TestAdoptClearsIndexesThatPointNowhere(t *testing.T) {
	t.Parallel()
	l := NewLayer("x", "x")
	l.Nets = append(l.Nets, "GND")
	l.Features = []Feature{{Net: 1}, {Net: 9, Pin: -3}}
	b := NewBoard("x")
	b.Adopt(l)
	if l.Features[0].Net != 1 || l.Features[1].Net != 0 || l.Features[1].Pin != 0 {
		t.Errorf("features adopted = %+v, want net 1, and no net or pin where there is none of that number", l.Features)
	}
}

func TestFactOffer(t *testing.T) {
	t.Parallel()
	src := Source{File: "a"}
	preset, weak, strong := Preset(1, src, "tool"), State(2, src, 0.5, "weak"), State(3, src, 0.9, "strong")
	tests := []struct {
		name  string
		offer []Fact[int]
		want  int
		state bool
	}{
		{"nothing", nil, 0, false},
		{"a preset is unstated", []Fact[int]{preset}, 1, false},
		{"a statement beats a preset", []Fact[int]{preset, weak}, 2, true},
		{"a preset never beats a statement", []Fact[int]{weak, {Value: 9, Known: true, Default: true, Confidence: 1}}, 2, true},
		{"the surer one wins", []Fact[int]{weak, strong, weak}, 3, true},
		{"unknown changes nothing", []Fact[int]{weak, {Value: 7, Confidence: 1}}, 2, true},
	}
	for _, tt := range tests {
		var f Fact[int]
		for _, o := range tt.offer {
			f.Offer(o)
		}
		if f.Value != tt.want || f.IsStated() != tt.state {
			t.Errorf("%s: after %+v the fact is %+v, want %d, stated %v", tt.name, tt.offer, f, tt.want, tt.state)
		}
	}
}

func TestFeatureBounds(t *testing.T) {
	t.Parallel()
	l := NewLayer("x", "x")
	l.Transforms = append(l.Transforms, geom.Transform{Rotation: 90}, geom.Transform{Scale: 2})
	l.Apertures = []Aperture{Circle(mm), Rect(4*mm, 2*mm), Custom("m", []Primitive{
		{Kind: StrokePrimitive, A: geom.Pt(0, 0), B: geom.Pt(3*mm, 0), Radius: mm},
		{Kind: CirclePrimitive, Radius: 9 * mm, Clear: true},
	})}
	l.Arcs = []ArcGeometry{{Centre: geom.Pt(0, 0)}}
	l.Regions = []geom.Polygon{{Outer: geom.Circle(geom.Pt(mm, 0), mm)}}
	box := func(x0, y0, x1, y1 int64) geom.Box {
		return geom.Box{Min: geom.Pt(x0*mm/2, y0*mm/2), Max: geom.Pt(x1*mm/2, y1*mm/2)}
	}
	tests := []struct {
		name string
		f    Feature
		want geom.Box // in half millimetres
	}{
		{"flash", Feature{Kind: FlashFeature, A: geom.Pt(mm, 0), Shape: 1}, box(-2, -2, 6, 2)},
		{"flash, turned", Feature{Kind: FlashFeature, Shape: 1, Transform: 1}, box(-2, -4, 2, 4)},
		{"flash, scaled", Feature{Kind: FlashFeature, Shape: 0, Transform: 2}, box(-2, -2, 2, 2)},
		{"macro: clear pieces do not count", Feature{Kind: FlashFeature, Shape: 2}, box(-2, -2, 8, 2)},
		{"line", Feature{A: geom.Pt(0, 0), B: geom.Pt(2*mm, 0)}, box(-1, -1, 5, 1)},
		{"line with a rectangle", Feature{B: geom.Pt(2*mm, 0), Shape: 1}, box(-4, -2, 8, 2)},
		{"arc", Feature{Kind: ArcFeature, A: geom.Pt(mm, 0), B: geom.Pt(-mm, 0)}, box(-3, -1, 3, 3)},
		{"region", Feature{Kind: RegionFeature}, box(0, -2, 4, 2)},
	}
	for _, tt := range tests {
		if got := l.FeatureBounds(&tt.f); got != tt.want {
			t.Errorf("%s: %+v covers %v, want %v", tt.name, tt.f, got, tt.want)
		}
	}
	if w := l.Width(&Feature{Shape: 1}); w != 2*mm {
		t.Errorf("a rectangle of 4 by 2 mm strokes %d wide, want %d", w, 2*mm)
	}
	if w := l.Width(&Feature{Transform: 2}); w != 2*mm {
		t.Errorf("a circle of 1 mm, doubled, strokes %d wide, want %d", w, 2*mm)
	}
}

func TestHoleSpan(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		from, to int16
		through  bool
	}{{0, 0, true}, {1, 4, true}, {4, 1, true}, {1, 2, false}, {2, 3, false}, {2, 4, false}} {
		if got := (&Hole{From: tt.from, To: tt.to}).IsThrough(4); got != tt.through {
			t.Errorf("a hole from %d to %d of 4 layers goes through: %v, want %v", tt.from, tt.to, got, tt.through)
		}
	}
}
