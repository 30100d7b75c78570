package mask

import (
	"math"
	"testing"

	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const um = geom.Micrometre

// TestExpansion: by how much an opening reaches beyond its pad where that is least, by geometry.
func TestExpansion(t *testing.T) {
	t.Parallel()
	bowl := func(r int64) pcb.Aperture { // the upper half of a disc
		p := geom.Path{Closed: true}
		p.LineTo(geom.Pt(r, 0))
		p.ArcTo(geom.Pt(-r, 0), geom.Pt(0, 0), false)
		return pcb.Area(pcb.MacroShape, p)
	}
	for _, c := range []struct {
		name         string
		pad, opening pcb.Aperture
		want         int64 // micrometres; unlike for openings that do not follow their pad
	}{
		{"discs", pcb.Circle(1000 * um), pcb.Circle(1100 * um), 50},
		{"discs, the opening smaller", pcb.Circle(1000 * um), pcb.Circle(900 * um), -50},
		{"squares", pcb.Rect(1000*um, 1000*um), pcb.Rect(1100*um, 1200*um), 50},
		{"a square in a disc: its corners", pcb.Rect(1000*um, 1000*um), pcb.Circle(1600 * um), 93}, // 800 − 500·√2
		{"a disc in a square: its sides", pcb.Circle(1000 * um), pcb.Rect(1100*um, 1100*um), 50},
		{"obrounds", pcb.Obround(2000*um, 1000*um), pcb.Obround(2100*um, 1100*um), 50},
		{"an obround in a rectangle", pcb.Obround(2000*um, 1000*um), pcb.Rect(2100*um, 1060*um), 30},
		{"rounded rectangles", pcb.RoundRect(2000*um, 1000*um, 200*um), pcb.RoundRect(2100*um, 1100*um, 250*um), 50},
		{"rounded in sharp", pcb.RoundRect(2000*um, 1000*um, 200*um), pcb.Rect(2100*um, 1100*um), 50},
		{"sharp in rounded: the corners", pcb.Rect(2000*um, 1000*um), pcb.RoundRect(2200*um, 1200*um, 300*um), 17}, // 300 − 200·√2
		{"half discs", bowl(1000 * um), bowl(1100 * um), 0},                                                        // the flat sides are one
		{"half of the pad's width", pcb.Rect(1000*um, 1000*um), pcb.Rect(500*um, 1000*um), -250},
		{"less than half", pcb.Rect(1000*um, 1000*um), pcb.Rect(499*um, 1000*um), unlike},
		{"less than half of its height", pcb.Rect(1000*um, 1000*um), pcb.Rect(1000*um, 499*um), unlike},
		{"an opening of nothing", pcb.Circle(1000 * um), pcb.Custom("x", nil), unlike},
		{"a pad of nothing", pcb.Custom("x", nil), pcb.Circle(1000 * um), unlike},
	} {
		got := expansion(&c.pad, &c.opening)
		if c.want != unlike {
			got = int64(math.Round(float64(got) / float64(um)))
		}
		if got != c.want {
			t.Errorf("%s: the opening reaches %d um beyond its pad, want %d", c.name, got, c.want)
		}
	}
}

// TestSupport: how far apertures reach in a direction.
func TestSupport(t *testing.T) {
	t.Parallel()
	corner := pcb.Area(pcb.MacroShape, func() geom.Path { // a quarter of a disc
		p := geom.Path{Closed: true}
		p.LineTo(geom.Pt(0, 0))
		p.LineTo(geom.Pt(1000*um, 0))
		p.ArcTo(geom.Pt(0, 1000*um), geom.Pt(0, 0), false)
		return p
	}())
	stroke := pcb.Custom("x", []pcb.Primitive{{Kind: pcb.StrokePrimitive, A: geom.Pt(0, 0), B: geom.Pt(1000*um, 0), Radius: 100 * um}, {Kind: pcb.CirclePrimitive, Clear: true, Radius: 9000 * um}})
	for _, c := range []struct {
		name string
		a    pcb.Aperture
		deg  float64
		want float64 // micrometres
	}{
		{"a quarter of a disc, to the right", corner, 0, 1000},
		{"within its arc", corner, 45, 1000},
		{"beside its arc", corner, 135, 1000 / math.Sqrt2},
		{"away from it", corner, 225, 0},
		{"a stroke, along it", stroke, 0, 1100},
		{"a stroke, across", stroke, 90, 100},
		{"a stroke, back", stroke, 180, 100},
		{"a stroke, aslant", stroke, 60, 600},
	} {
		s, cos := math.Sincos(c.deg * math.Pi / 180)
		h := newHull(&c.a)
		if got := h.support(measure.Vector{X: cos, Y: s}) / float64(um); math.Abs(got-c.want) > 0.1 {
			t.Errorf("%s: at %v degrees it reaches %v um, want %v", c.name, c.deg, got, c.want)
		}
	}
}

// TestDirections: directions are square to every straight side, and there are others for round ends.
func TestDirections(t *testing.T) {
	t.Parallel()
	a := pcb.Area(pcb.MacroShape, geom.Transform{Rotation: 17}.Path(geom.Rect(geom.Box{Max: geom.Pt(2000*um, 1000*um)})))
	all := directions(&a)
	for _, deg := range []float64{17, 107, 197, 287} {
		s, cos := math.Sincos(deg * math.Pi / 180)
		near := 0.0
		for _, u := range all {
			near = max(near, u.Dot(measure.Vector{X: cos, Y: s}))
		}
		if near < 1-1e-9 {
			t.Errorf("of %d directions none is square to a side at %v degrees: the nearest has %v of it, want 1", len(all), deg, near)
		}
	}
	many := geom.Circle(geom.Pt(0, 0), 1000*um)
	points := pcb.Area(pcb.MacroShape, geom.Path{Points: many.Flatten(0.5), Closed: true})
	if got := len(directions(&points, &points)); got > 1100 {
		t.Errorf("%d directions of curves of %d sides, want no more than 1100", got, len(points.Primitives[0].Area.Points))
	}
}
