package copper_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

const mm = geom.Millimetre

// A bench is a board of 20 by 20 mm whose copper layers tests draw on.
type bench struct {
	*pcb.Board
	layers []*artwork.Sheet
}

func newBench(layers int) *bench {
	b := &bench{Board: pcb.NewBoard("bench")}
	for i := range layers {
		side := pcb.Inner
		switch i {
		case 0:
			side = pcb.Top
		case layers - 1:
			side = pcb.Bottom
		}
		s := artwork.NewSheet(string(rune('A'+i)), "", pcb.RoleCopper, side)
		s.Layer.Order = i + 1
		b.layers = append(b.layers, s)
		b.Layers = append(b.Layers, s.Layer)
	}
	b.Outline = pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: square(0, 0, 20*mm)}}}
	return b
}

func square(x, y, side int64) geom.Path {
	return geom.Rect(geom.Box{Min: geom.Pt(x, y), Max: geom.Pt(x+side, y+side)})
}

var dark, clear = artwork.Meta{}, artwork.Meta{Clear: true}

func (b *bench) area(layer int, p geom.Path, m artwork.Meta) {
	b.layers[layer].Region(geom.Polygon{Outer: p}, m)
}

func (b *bench) dot(layer int, x, y, d int64, m artwork.Meta) {
	b.layers[layer].Flash(geom.Pt(x, y), artwork.Circle(d), 0, false, m)
}

func (b *bench) drill(x, y, d int64, p pcb.Plating) *pcb.Hole {
	b.Holes = append(b.Holes, pcb.Hole{A: geom.Pt(x, y), B: geom.Pt(x, y), Diameter: d, Plating: p})
	return &b.Holes[len(b.Holes)-1]
}

func (b *bench) extract(t testing.TB) *copper.Copper {
	t.Helper()
	c, err := copper.Extract(context.Background(), b.Board)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// hasCopper tells whether there is copper at a place.
func hasCopper(c *copper.Copper, layer int, x, y int64) bool {
	return c.Layers[layer].Covers(geom.Pt(x, y))
}

func TestPolarity(t *testing.T) {
	t.Parallel()
	ring := artwork.Donut(6*mm, 4*mm, false)
	thermal := artwork.Thermal(6*mm, 4*mm, 1*mm, 4, 0, false)
	tests := map[string]struct {
		draw    func(b *bench)
		islands int
		exact   bool
		in, out []geom.Point // millimetres
	}{
		"nothing":           {func(*bench) {}, 0, true, nil, []geom.Point{{X: 1, Y: 1}}},
		"clear before dark": {func(b *bench) { b.dot(0, 5*mm, 5*mm, 2*mm, clear); b.area(0, square(0, 0, 10*mm), dark) }, 1, true, []geom.Point{{X: 5, Y: 5}}, nil},
		"clear beside dark": {func(b *bench) { b.area(0, square(0, 0, 4*mm), dark); b.dot(0, 9*mm, 9*mm, 2*mm, clear) }, 1, true, []geom.Point{{X: 1, Y: 1}}, nil},
		"hole":              {func(b *bench) { b.area(0, square(0, 0, 10*mm), dark); b.dot(0, 5*mm, 5*mm, 3*mm, clear) }, 1, false, []geom.Point{{X: 1, Y: 1}, {X: 5, Y: 7}}, []geom.Point{{X: 5, Y: 5}}},
		"pad in a hole": {func(b *bench) {
			b.area(0, square(0, 0, 10*mm), dark)
			b.dot(0, 5*mm, 5*mm, 5*mm, clear)
			b.dot(0, 5*mm, 5*mm, 2*mm, dark)
		}, 2, false, []geom.Point{{X: 1, Y: 1}, {X: 5, Y: 5}}, []geom.Point{{X: 7, Y: 5}}},
		"cut in two": {func(b *bench) {
			b.area(0, square(0, 0, 10*mm), dark)
			b.layers[0].Line(geom.Pt(-1*mm, 5*mm), geom.Pt(11*mm, 5*mm), 2*mm, clear)
		}, 2, false, []geom.Point{{X: 5, Y: 2}, {X: 5, Y: 8}}, []geom.Point{{X: 5, Y: 5}}},
		"cut and mended": {func(b *bench) {
			b.area(0, square(0, 0, 10*mm), dark)
			b.layers[0].Line(geom.Pt(-1*mm, 5*mm), geom.Pt(11*mm, 5*mm), 2*mm, clear)
			b.layers[0].Line(geom.Pt(5*mm, 1*mm), geom.Pt(5*mm, 9*mm), 1*mm, dark)
		}, 1, false, []geom.Point{{X: 5, Y: 5}}, []geom.Point{{X: 8, Y: 5}}},
		"all of it": {func(b *bench) { b.dot(0, 5*mm, 5*mm, 2*mm, dark); b.dot(0, 5*mm, 5*mm, 2*mm, clear) }, 0, false, nil, []geom.Point{{X: 5, Y: 5}}},
		"overlapping antipads": {func(b *bench) {
			b.area(0, square(0, 0, 12*mm), dark)
			b.dot(0, 4*mm, 6*mm, 4*mm, clear)
			b.dot(0, 7*mm, 6*mm, 4*mm, clear)
			b.dot(0, 4*mm, 2*mm, 1*mm, clear)
		}, 1, false, []geom.Point{{X: 1, Y: 1}}, []geom.Point{{X: 4, Y: 6}, {X: 7, Y: 6}, {X: 4, Y: 2}}},
		"track under a clear": {func(b *bench) {
			b.layers[0].Line(geom.Pt(1*mm, 5*mm), geom.Pt(15*mm, 5*mm), 1*mm, dark)
			b.dot(0, 8*mm, 5*mm, 3*mm, clear)
		}, 2, false, []geom.Point{{X: 2, Y: 5}, {X: 14, Y: 5}}, []geom.Point{{X: 8, Y: 5}}},
		"bent track": {func(b *bench) {
			b.layers[0].Edge(geom.ArcEdge(geom.Pt(2*mm, 5*mm), geom.Pt(10*mm, 5*mm), geom.Pt(6*mm, 5*mm), true), 1*mm, dark)
			b.dot(0, 6*mm, 9*mm, 3*mm, clear)
		}, 2, false, []geom.Point{{X: 2, Y: 5}, {X: 10, Y: 5}}, []geom.Point{{X: 6, Y: 9}}},
		"ring erases a ring": {func(b *bench) {
			b.area(0, square(0, 0, 16*mm), dark)
			b.layers[0].Flash(geom.Pt(8*mm, 8*mm), ring, 0, false, clear)
		}, 2, false, []geom.Point{{X: 8, Y: 8}, {X: 1, Y: 1}}, []geom.Point{{X: 8, Y: 10}}},
		"thermal in dark": {func(b *bench) { b.layers[0].Flash(geom.Pt(8*mm, 8*mm), thermal, 0, false, dark) }, 4, true, []geom.Point{{X: 10, Y: 10}}, []geom.Point{{X: 8, Y: 8}, {X: 8, Y: 11}}},
		"thermal in clear": {func(b *bench) {
			b.area(0, square(0, 0, 16*mm), dark)
			b.layers[0].Flash(geom.Pt(8*mm, 8*mm), thermal, 45, false, clear)
		}, 1, false, []geom.Point{{X: 8, Y: 8}, {X: 1, Y: 1}}, []geom.Point{{X: 8, Y: 10}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(1)
			tt.draw(b)
			c := b.extract(t)
			if len(c.Islands) != tt.islands || c.Layers[0].Exact != tt.exact {
				t.Errorf("%d islands, exact %v; want %d, %v", len(c.Islands), c.Layers[0].Exact, tt.islands, tt.exact)
			}
			for _, p := range tt.in {
				if !hasCopper(c, 0, p.X*mm, p.Y*mm) {
					t.Errorf("no copper at %v", p)
				}
			}
			for _, p := range tt.out {
				if hasCopper(c, 0, p.X*mm, p.Y*mm) {
					t.Errorf("copper at %v", p)
				}
			}
		})
	}
}

func TestHolesInsideStayExact(t *testing.T) {
	t.Parallel()
	b := newBench(1)
	b.area(0, square(0, 0, 10*mm), dark)
	b.dot(0, 5*mm, 5*mm, 3*mm, clear)
	c := b.extract(t)
	p := c.Layers[0].Items[0].Shape.Polygon()
	if len(p.Holes) != 1 || len(p.Holes[0].Bends) == 0 {
		t.Fatalf("%+v, want one hole, a circle", p)
	}
	if want := 100*float64(mm)*float64(mm) - math.Pi*2.25*float64(mm)*float64(mm); math.Abs(p.Area()-want) > 1e6 {
		t.Errorf("area %g, want %g", p.Area(), want)
	}
	if !c.Layers[0].Items[0].Cut || c.Layers[0].Items[0].Feature != 0 {
		t.Errorf("item %+v, want the first feature, cut", c.Layers[0].Items[0])
	}
}

func TestNegativePlane(t *testing.T) {
	t.Parallel()
	b := newBench(3)
	b.layers[1].Layer.Negative = true
	b.dot(1, 5*mm, 5*mm, 3*mm, dark)                                                                        // antipad
	b.layers[1].Flash(geom.Pt(12*mm, 5*mm), artwork.Thermal(4*mm, 2*mm, 1*mm, 4, 0, false), 0, false, dark) // thermal
	b.layers[1].Line(geom.Pt(-1*mm, 12*mm), geom.Pt(21*mm, 12*mm), 1*mm, dark)                              // split
	c := b.extract(t)
	if n := len(c.Layers[1].Items); n != 2 {
		t.Errorf("%d pieces of plane, want 2", n)
	}
	for _, p := range []geom.Point{{X: 1, Y: 1}, {X: 12, Y: 5}, {X: 1, Y: 15}, {X: 19, Y: 19}} {
		if !hasCopper(c, 1, p.X*mm, p.Y*mm) {
			t.Errorf("no plane at %v", p)
		}
	}
	for _, p := range []geom.Point{{X: 5, Y: 5}, {X: 10, Y: 12}, {X: 13, Y: 6}, {X: 21, Y: 1}} {
		if hasCopper(c, 1, p.X*mm, p.Y*mm) {
			t.Errorf("plane at %v", p)
		}
	}
	if len(c.Assumed) != 0 {
		t.Errorf("assumed %q, want nothing", c.Assumed)
	}
	b.Outline = pcb.Outline{Open: []geom.Path{{Points: []geom.Point{{}, {X: 30 * mm, Y: 25 * mm}}}}}
	if c = b.extract(t); len(c.Assumed) != 1 || !hasCopper(c, 1, 29*mm, 24*mm) {
		t.Errorf("open outline: assumed %q, copper in its corner %v; want one assumption, and copper", c.Assumed, hasCopper(c, 1, 29*mm, 24*mm))
	}
}

func TestNodes(t *testing.T) {
	t.Parallel()
	everywhere := func(b *bench) {
		for i := range b.layers {
			b.dot(i, 5*mm, 5*mm, 1*mm, dark)
		}
	}
	tests := map[string]struct {
		draw  func(b *bench)
		nodes int
		holes []int32
	}{
		"no hole":              {everywhere, 4, nil},
		"through":              {func(b *bench) { everywhere(b); b.drill(5*mm, 5*mm, mm/2, pcb.Plated) }, 1, []int32{0}},
		"not plated":           {func(b *bench) { everywhere(b); b.drill(5*mm, 5*mm, mm/2, pcb.NonPlated) }, 4, []int32{-1}},
		"blind":                {func(b *bench) { everywhere(b); h := b.drill(5*mm, 5*mm, mm/2, pcb.Plated); h.From, h.To = 1, 2 }, 3, []int32{0}},
		"buried, upside down":  {func(b *bench) { everywhere(b); h := b.drill(5*mm, 5*mm, mm/2, pcb.Plated); h.From, h.To = 3, 2 }, 3, []int32{1}},
		"unknown between pads": {func(b *bench) { everywhere(b); b.drill(5*mm, 5*mm, mm/2, pcb.PlatingUnknown) }, 1, []int32{0}},
		"unknown without pads": {func(b *bench) {
			b.area(0, square(0, 0, 9*mm), dark)
			b.area(3, square(0, 0, 9*mm), dark)
			b.drill(5*mm, 5*mm, mm/2, pcb.PlatingUnknown)
		}, 2, []int32{-1}},
		"unknown in pads drawn as strokes": {func(b *bench) {
			for _, s := range b.layers {
				s.Line(geom.Pt(5*mm, 5*mm), geom.Pt(6*mm, 5*mm), mm, dark)
			}
			b.drill(5*mm, 5*mm, mm/2, pcb.PlatingUnknown)
		}, 1, []int32{0}},
		"unknown in wide tracks": {func(b *bench) {
			for _, s := range b.layers {
				s.Line(geom.Pt(5*mm, 5*mm), geom.Pt(15*mm, 5*mm), mm, dark)
			}
			b.drill(6*mm, 5*mm, mm/2, pcb.PlatingUnknown)
		}, 4, []int32{-1}},
		"unknown, the stroke has no ring": {func(b *bench) {
			for _, s := range b.layers {
				s.Line(geom.Pt(5*mm, 5*mm), geom.Pt(6*mm, 5*mm), mm, dark)
			}
			b.drill(5*mm, 5*mm, mm-80_000, pcb.PlatingUnknown)
		}, 4, []int32{-1}},
		"unknown at a stroke's end": {func(b *bench) {
			for _, s := range b.layers {
				s.Line(geom.Pt(5*mm, 5*mm), geom.Pt(6*mm, 5*mm), mm, dark)
			}
			b.drill(6*mm+mm/4, 5*mm, mm/2, pcb.PlatingUnknown)
		}, 4, []int32{-1}},
		"in a clearing": {func(b *bench) {
			b.area(0, square(0, 0, 9*mm), dark)
			b.dot(0, 5*mm, 5*mm, 2*mm, clear)
			b.dot(3, 5*mm, 5*mm, 2*mm, dark)
			b.drill(5*mm, 5*mm, mm/2, pcb.Plated)
		}, 2, []int32{1}},
		"wall touches the plane": {func(b *bench) {
			b.area(0, square(0, 0, 9*mm), dark)
			b.dot(3, 5*mm, 5*mm, 2*mm, dark)
			b.drill(5*mm, 5*mm, mm/2, pcb.Plated)
		}, 1, []int32{0}},
		"slot": {func(b *bench) {
			b.dot(0, 5*mm, 5*mm, mm, dark)
			b.dot(3, 9*mm, 5*mm, mm, dark)
			h := b.drill(5*mm, 5*mm, mm/2, pcb.Plated)
			h.B, h.Kind = geom.Pt(9*mm, 5*mm), pcb.SlotHole
		}, 1, []int32{0}},
		"routed": {func(b *bench) {
			b.dot(0, 5*mm, 5*mm, mm, dark)
			b.dot(3, 9*mm, 9*mm, mm, dark)
			h := b.drill(5*mm, 5*mm, mm/2, pcb.Plated)
			h.Kind = pcb.RoutedHole
			b.Routes = []geom.Path{{Points: []geom.Point{{X: 5 * mm, Y: 5 * mm}, {X: 9 * mm, Y: 5 * mm}, {X: 9 * mm, Y: 9 * mm}}}}
		}, 1, []int32{0}},
		"layers of unknown order": {func(b *bench) {
			everywhere(b)
			for _, s := range b.layers {
				s.Layer.Order = 0
			}
			b.drill(5*mm, 5*mm, mm/2, pcb.Plated)
		}, 1, []int32{0}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(4)
			tt.draw(b)
			c := b.extract(t)
			if len(c.Nodes) != tt.nodes {
				t.Errorf("%d nodes, want %d", len(c.Nodes), tt.nodes)
			}
			for i, want := range tt.holes {
				if c.Holes[i] != want {
					t.Errorf("hole %d is of node %d, want %d", i, c.Holes[i], want)
				}
			}
		})
	}
}

// TestTouch holds what counts as one piece to its limit.
func TestTouch(t *testing.T) {
	t.Parallel()
	for gap, islands := range map[int64]int{-1000: 1, 0: 1, copper.Touch: 1, copper.Touch + 2: 2, 1000: 2} {
		b := newBench(1)
		b.dot(0, 5*mm, 5*mm, mm, dark)
		b.dot(0, 6*mm+gap, 5*mm, mm, dark)
		if c := b.extract(t); len(c.Islands) != islands {
			t.Errorf("gap %d: %d islands, want %d", gap, len(c.Islands), islands)
		}
	}
}

func TestNear(t *testing.T) {
	t.Parallel()
	b := newBench(1)
	b.dot(0, 5*mm, 5*mm, mm, dark)
	b.dot(0, 8*mm, 5*mm, mm, dark)
	c := b.extract(t)
	l := c.Layers[0]
	n := 0
	l.VisitNear(&l.Items[0].Shape, float64(2*mm), func(i int, d float64, p, q geom.Point) bool {
		if n++; i == 1 && (math.Abs(d-float64(2*mm)) > 1 || p != geom.Pt(5*mm+mm/2, 5*mm) || q != geom.Pt(8*mm-mm/2, 5*mm)) {
			t.Errorf("distance %g from %v to %v, want %d from %v to %v", d, p, q, 2*mm, geom.Pt(5*mm+mm/2, 5*mm), geom.Pt(8*mm-mm/2, 5*mm))
		}
		return true
	})
	if n != 2 {
		t.Errorf("%d found, want both", n)
	}
	if c.Node(0, 1) != c.Islands[l.Items[1].Island].Node || l.FeatureOf(1) != &l.Layer.Features[1] {
		t.Errorf("an item has the node %v and the feature %p, want %v and %p", c.Node(0, 1), l.FeatureOf(1), c.Islands[l.Items[1].Island].Node, &l.Layer.Features[1])
	}
}

func TestEndsWithContext(t *testing.T) {
	t.Parallel()
	b := newBench(2)
	b.dot(0, 5*mm, 5*mm, mm, dark)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := copper.Extract(ctx, b.Board); !errors.Is(err, context.Canceled) {
		t.Errorf("Extract once it was cancelled: %v, want %v", err, context.Canceled)
	}
}
