package artwork_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"

	"github.com/google/go-cmp/cmp"
)

func sheet() *artwork.Sheet {
	return artwork.NewSheet("top", "top.brd", pcb.RoleCopper, pcb.Top)
}

// describe writes one line for each feature of a layer: what it is, where, and with what.
func describe(l *pcb.Layer) (out []string) {
	for i := range l.Features {
		f := &l.Features[i]
		text := fmt.Sprintf("%v %d,%d", f.Kind, f.A.X, f.A.Y)
		switch f.Kind {
		case pcb.LineFeature:
			text += fmt.Sprintf(" %d,%d", f.B.X, f.B.Y)
		case pcb.ArcFeature:
			e := l.Edge(f)
			text += fmt.Sprintf(" %d,%d round %d,%d clockwise %v", f.B.X, f.B.Y, e.Centre.X, e.Centre.Y, e.Turn == geom.Clockwise)
		case pcb.RegionFeature:
			r := l.Regions[f.Shape]
			text += fmt.Sprintf(" %d corners %d holes", len(r.Outer.Points), len(r.Holes))
		}
		if a := l.Aperture(f); a != nil {
			text += fmt.Sprintf(" %v %dx%d", a.Kind, a.X, a.Y)
		}
		if t := l.Transforms[f.Transform]; t != (geom.Transform{}) {
			text += fmt.Sprintf(" turned %g mirrored %v", t.Rotation, t.Mirror)
		}
		if f.Net != 0 || f.Pin != 0 {
			text += fmt.Sprintf(" net %d pin %d", f.Net, f.Pin)
		}
		out = append(out, text)
	}
	return out
}

func TestDrawing(t *testing.T) {
	t.Parallel()
	square := geom.Rect(geom.BoxOf(geom.Pt(0, 0), geom.Pt(10, 10)))
	bent := geom.Path{Points: []geom.Point{geom.Pt(0, 0), geom.Pt(10, 0)}}
	bent.ArcTo(geom.Pt(10, 20), geom.Pt(10, 10), true)
	closed := geom.Path{Points: []geom.Point{geom.Pt(0, 0), geom.Pt(5, 0), geom.Pt(0, 0)}, Closed: true}
	for name, tt := range map[string]struct {
		draw func(*artwork.Sheet)
		want []string
	}{
		"nothing": {func(*artwork.Sheet) {}, nil},
		"a flash": {func(s *artwork.Sheet) {
			s.Flash(geom.Pt(1, 2), artwork.Rect(4, 6), 90, true, artwork.Meta{Net: 3, Pin: 4})
		}, []string{"flash 1,2 rectangle 4x6 turned 90 mirrored true net 3 pin 4"}},
		"a disc is the same however it is turned": {func(s *artwork.Sheet) {
			s.Flash(geom.Pt(1, 2), artwork.Circle(4), 45, true, artwork.Meta{})
		}, []string{"flash 1,2 circle 4x4"}},
		"a flash's own offset is not used": {func(s *artwork.Sheet) {
			s.FlashScaled(geom.Pt(1, 2), artwork.Obround(4, 6), geom.Transform{Offset: geom.Pt(100, 100)}, artwork.Meta{})
		}, []string{"flash 1,2 obround 4x6"}},
		"a line": {func(s *artwork.Sheet) { s.Line(geom.Pt(0, 0), geom.Pt(5, 5), 2, artwork.Meta{}) }, []string{"line 0,0 5,5 circle 2x2"}},
		"a pen of less than no width has none": {func(s *artwork.Sheet) { s.Line(geom.Pt(0, 0), geom.Pt(5, 5), -2, artwork.Meta{}) },
			[]string{"line 0,0 5,5 circle 0x0"}},
		"an arc": {func(s *artwork.Sheet) {
			s.Edge(geom.ArcEdge(geom.Pt(10, 0), geom.Pt(0, 10), geom.Pt(0, 0), false), 2, artwork.Meta{})
		}, []string{"arc 10,0 0,10 round 0,0 clockwise false circle 2x2"}},
		"a square pen": {func(s *artwork.Sheet) {
			s.Stroke(geom.Line(geom.Pt(0, 0), geom.Pt(9, 0)), artwork.Rect(2, 2), artwork.Meta{})
		},
			[]string{"line 0,0 9,0 rectangle 2x2"}},
		"a closed path comes home": {func(s *artwork.Sheet) { s.Path(square, 1, artwork.Meta{}) },
			[]string{"line 0,0 10,0 circle 1x1", "line 10,0 10,10 circle 1x1", "line 10,10 0,10 circle 1x1", "line 0,10 0,0 circle 1x1"}},
		"an open path does not": {func(s *artwork.Sheet) { s.Path(geom.Path{Points: square.Points}, 1, artwork.Meta{}) },
			[]string{"line 0,0 10,0 circle 1x1", "line 10,0 10,10 circle 1x1", "line 10,10 0,10 circle 1x1"}},
		"a closed path that is home already": {func(s *artwork.Sheet) { s.Path(closed, 1, artwork.Meta{}) },
			[]string{"line 0,0 5,0 circle 1x1", "line 5,0 0,0 circle 1x1"}},
		"a path with a bend": {func(s *artwork.Sheet) { s.Path(bent, 1, artwork.Meta{Net: 2}) },
			[]string{"line 0,0 10,0 circle 1x1 net 2 pin 0", "arc 10,0 10,20 round 10,10 clockwise true circle 1x1 net 2 pin 0"}},
		"a path of one point is none": {func(s *artwork.Sheet) { s.Path(geom.Path{Points: square.Points[:1], Closed: true}, 1, artwork.Meta{}) }, nil},
		"an area": {func(s *artwork.Sheet) {
			s.Region(geom.Polygon{Outer: square, Holes: []geom.Path{geom.Circle(geom.Pt(5, 5), 1)}}, artwork.Meta{})
		}, []string{"region 0,0 4 corners 1 holes"}},
		"an area of one corner is none": {func(s *artwork.Sheet) {
			s.Region(geom.Polygon{Outer: geom.Path{Points: square.Points[:1]}}, artwork.Meta{})
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sheet()
			tt.draw(s)
			if diff := cmp.Diff(tt.want, describe(s.Layer)); diff != "" {
				t.Errorf("drawn (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTurns: angles that are equal are one transform, and what is no angle is none.
func TestTurns(t *testing.T) {
	t.Parallel()
	for deg, want := range map[float64]float64{
		0: 0, 90: 90, 359.5: 359.5, 360: 0, 450: 90, -90: 270, -360: 0, -1e-20: 0, 36_000_090: 90, -36_000_090: 270,
		1e12: 0, -1e12: 0, math.Inf(1): 0, math.NaN(): 0,
	} {
		s := sheet()
		s.Flash(geom.Point{}, artwork.Rect(4, 6), deg, false, artwork.Meta{})
		if got := s.Layer.Transforms[s.Layer.Features[0].Transform].Rotation; got != want {
			t.Errorf("a flash turned by %g is turned by %g, want %g", deg, got, want)
		}
	}
}

// TestSharing: what is drawn twice is kept once.
func TestSharing(t *testing.T) {
	t.Parallel()
	s := sheet()
	for i := range int64(3) {
		s.Line(geom.Pt(0, i), geom.Pt(5, i), 2, artwork.Meta{})
		s.Flash(geom.Pt(i, 0), artwork.Circle(2), 0, false, artwork.Meta{})
		for _, shape := range []artwork.Shape{artwork.Rect(2, 2), artwork.Obround(2, 2), artwork.RoundRect(2, 2, 1), artwork.RoundRect(2, 2, 0),
			artwork.Donut(2, 1, false), artwork.Donut(2, 1, true), artwork.Butterfly(2, true), artwork.Butterfly(2, false),
			artwork.Thermal(9, 5, 1, 4, 45, false), artwork.Thermal(9, 5, 1, 4, 0, false), artwork.CornerRect(9, 5, 1, true, [4]bool{true}),
			artwork.CornerRect(9, 5, 1, true, [4]bool{false, true}), artwork.CornerRect(9, 5, 1, false, [4]bool{true})} {
			s.Flash(geom.Pt(i, 0), shape, float64(360*i+90), false, artwork.Meta{})
		}
	}
	if a, x := len(s.Layer.Apertures), len(s.Layer.Transforms); a != 14 || x != 2 {
		t.Errorf("14 shapes, turned by nothing and by 90°, are %d apertures and %d transforms, want 14 and 2", a, x)
	}
	for i, a := range s.Layer.Apertures {
		if a.Code != i+10 {
			t.Errorf("aperture %d has code %d, want %d", i, a.Code, i+10)
		}
	}
}

// covers tells whether an aperture's pieces leave a point dark.
func covers(prims []pcb.Primitive, p geom.Point) bool {
	dark := false
	for i := range prims {
		if prims[i].Path().Winding(p) != 0 {
			dark = !prims[i].Clear
		}
	}
	return dark
}

func TestShapes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		shape         artwork.Shape
		inside, empty []geom.Point
	}{
		"a ring":              {artwork.Donut(100, 60, false), []geom.Point{{X: 40}, {Y: -40}, {X: 30, Y: 30}}, []geom.Point{{}, {X: 20, Y: 20}, {X: 40, Y: 40}}},
		"a disc":              {artwork.Donut(100, 0, false), []geom.Point{{X: 1}, {X: 30, Y: 30}}, []geom.Point{{X: 40, Y: 40}}},
		"a square ring":       {artwork.Donut(100, 60, true), []geom.Point{{X: 40}, {X: 40, Y: 40}}, []geom.Point{{}, {X: 20, Y: 20}, {X: 51}}},
		"four spokes":         {artwork.Thermal(100, 60, 10, 4, 0, false), []geom.Point{{X: 28, Y: 28}, {X: -28, Y: 28}}, []geom.Point{{}, {X: 40, Y: 1}, {X: 1, Y: 40}, {X: -40, Y: 1}, {X: 1, Y: -40}}},
		"four spokes askew":   {artwork.Thermal(100, 60, 10, 4, 45, false), []geom.Point{{X: 40, Y: 1}, {X: 1, Y: -40}}, []geom.Point{{X: 28, Y: 28}, {X: -28, Y: -28}}},
		"one spoke":           {artwork.Thermal(100, 60, 10, 1, 0, false), []geom.Point{{X: -40, Y: 1}, {X: 1, Y: 40}}, []geom.Point{{X: 40, Y: 1}}},
		"no spokes":           {artwork.Thermal(100, 60, 10, -1, 0, false), []geom.Point{{X: 40, Y: 1}, {X: -40, Y: 1}}, []geom.Point{{}}},
		"a butterfly":         {artwork.Butterfly(100, false), []geom.Point{{X: -20, Y: 20}, {X: 20, Y: -20}}, []geom.Point{{X: 20, Y: 20}, {X: -20, Y: -20}, {X: 40, Y: -40}}},
		"a square butterfly":  {artwork.Butterfly(100, true), []geom.Point{{X: -45, Y: 45}, {X: 45, Y: -45}}, []geom.Point{{X: 45, Y: 45}, {X: -45, Y: -45}}},
		"one corner cut":      {artwork.CornerRect(100, 60, 20, true, [4]bool{true}), []geom.Point{{X: 38, Y: 20}, {X: -49, Y: 29}, {X: -49, Y: -29}, {X: 49, Y: -29}}, []geom.Point{{X: 48, Y: 28}, {X: 41, Y: 21}}},
		"one corner round":    {artwork.CornerRect(100, 60, 20, false, [4]bool{false, true}), []geom.Point{{X: -42, Y: 22}, {X: 49, Y: 29}, {X: -49, Y: -29}, {X: 49, Y: -29}}, []geom.Point{{X: -48, Y: 28}}},
		"the lower corners":   {artwork.CornerRect(100, 60, 20, true, [4]bool{false, false, true, true}), []geom.Point{{X: 49, Y: 29}, {X: -49, Y: 29}}, []geom.Point{{X: 48, Y: -28}, {X: -48, Y: -28}}},
		"no more than it has": {artwork.CornerRect(100, 60, 900, true, [4]bool{true}), []geom.Point{{X: 49, Y: -1}, {X: 19, Y: 28}}, []geom.Point{{X: 40, Y: 20}}},
		"less than nothing":   {artwork.CornerRect(100, 60, -9, true, [4]bool{true, true, true, true}), []geom.Point{{X: 49, Y: 29}, {X: -49, Y: -29}}, []geom.Point{{X: 51}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := tt.shape.Build()
			for _, p := range tt.inside {
				if !covers(a.Primitives, p) {
					t.Errorf("%s leaves %v empty, want it covered; pieces %+v", tt.shape.Key, p, a.Primitives)
				}
			}
			for _, p := range tt.empty {
				if covers(a.Primitives, p) {
					t.Errorf("%s covers %v, want it empty; pieces %+v", tt.shape.Key, p, a.Primitives)
				}
			}
		})
	}
}

func TestInflate(t *testing.T) {
	t.Parallel()
	circle, stroke := pcb.Circle(100).Primitives[0], pcb.Primitive{Kind: pcb.StrokePrimitive, B: geom.Pt(100, 0), Radius: 10}
	square := pcb.Primitive{Kind: pcb.AreaPrimitive, Area: geom.Rect(geom.BoxOf(geom.Pt(0, 0), geom.Pt(100, 100)))}
	for name, tt := range map[string]struct {
		of            pcb.Primitive
		by            int64
		inside, empty []geom.Point
	}{
		"a disc by nothing":      {circle, 0, []geom.Point{{X: 49}}, []geom.Point{{X: 51}}},
		"a larger disc":          {circle, 10, []geom.Point{{X: 59}}, []geom.Point{{X: 61}}},
		"a smaller disc":         {circle, -10, []geom.Point{{X: 39}}, []geom.Point{{X: 41}}},
		"no disc":                {circle, -50, nil, []geom.Point{{}}},
		"a thicker line":         {stroke, 5, []geom.Point{{X: 50, Y: 14}, {X: 114}}, []geom.Point{{X: 50, Y: 16}}},
		"a line that vanishes":   {stroke, -10, nil, []geom.Point{{X: 50}}},
		"a larger square":        {square, 10, []geom.Point{{X: 50, Y: 50}, {X: 109, Y: 50}, {X: 106, Y: 106}}, []geom.Point{{X: 111, Y: 50}, {X: 109, Y: 109}}},
		"a smaller square":       {square, -10, []geom.Point{{X: 50, Y: 50}, {X: 89, Y: 89}}, []geom.Point{{X: 91, Y: 50}, {X: 50, Y: 9}}},
		"a square that vanishes": {square, -60, nil, []geom.Point{{X: 50, Y: 50}, {X: 5, Y: 5}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := artwork.Inflate([]pcb.Primitive{tt.of}, tt.by)
			for _, p := range tt.inside {
				if !covers(got, p) {
					t.Errorf("Inflate(%+v, %d) leaves %v empty, want it covered; pieces %+v", tt.of, tt.by, p, got)
				}
			}
			for _, p := range tt.empty {
				if covers(got, p) {
					t.Errorf("Inflate(%+v, %d) covers %v, want it empty; pieces %+v", tt.of, tt.by, p, got)
				}
			}
		})
	}
}

// TestTake: sheets drawn apart and then taken are as if all had been drawn on one.
func TestTake(t *testing.T) {
	t.Parallel()
	parts := []func(*artwork.Sheet, int32){
		func(s *artwork.Sheet, net int32) {
			s.Flash(geom.Pt(1, 1), artwork.Rect(4, 6), 90, false, artwork.Meta{Net: net, Pin: 1})
			s.Edge(geom.ArcEdge(geom.Pt(10, 0), geom.Pt(0, 10), geom.Pt(0, 0), true), 2, artwork.Meta{Net: net})
			s.Region(geom.Polygon{Outer: geom.Circle(geom.Pt(0, 0), 5)}, artwork.Meta{Net: net})
		},
		func(*artwork.Sheet, int32) {},
		func(s *artwork.Sheet, net int32) {
			s.Region(geom.Polygon{Outer: geom.Rect(geom.BoxOf(geom.Pt(0, 0), geom.Pt(9, 9)))}, artwork.Meta{Net: net})
			s.Line(geom.Pt(0, 0), geom.Pt(1, 1), 3, artwork.Meta{Net: net})
			s.Flash(geom.Pt(7, 7), artwork.Obround(4, 6), 45, false, artwork.Meta{Net: net})
			s.Flash(geom.Pt(8, 8), artwork.Rect(4, 6), 90, false, artwork.Meta{Net: net})
			s.Edge(geom.ArcEdge(geom.Pt(10, 0), geom.Pt(0, 10), geom.Pt(0, 0), false), 2, artwork.Meta{Net: net})
		},
	}
	one, taking := sheet(), sheet()
	one.Line(geom.Pt(9, 9), geom.Pt(8, 8), 2, artwork.Meta{Net: 1})
	taking.Line(geom.Pt(9, 9), geom.Pt(8, 8), 2, artwork.Meta{Net: 1})
	var drawn []artwork.Drawn
	for i, draw := range parts {
		draw(one, int32(i)+102)
		part := sheet()
		draw(part, int32(i)+2)
		part.Layer.Texts = []pcb.Text{{Text: fmt.Sprint("part ", i)}}
		drawn = append(drawn, artwork.Drawn{Sheet: part, Net: func(n int32) int32 { return n + 100 }, Pin: func(p int32) int32 { return p }})
	}
	taking.Take(drawn)
	if diff := cmp.Diff(describe(one.Layer), describe(taking.Layer)); diff != "" {
		t.Errorf("taken from three sheets (-drawn on one +taken):\n%s", diff)
	}
	if a, b := len(one.Layer.Apertures), len(taking.Layer.Apertures); a != b {
		t.Errorf("%d apertures were taken, want the %d of one sheet", b, a)
	}
	if len(taking.Layer.Texts) != 3 || taking.Layer.Texts[1].Text != "part 1" {
		t.Errorf("texts %+v, want those of all three sheets", taking.Layer.Texts)
	}
}

// TestBudget: what comes after the end of the budget is left out.
func TestBudget(t *testing.T) {
	t.Parallel()
	square := geom.Rect(geom.BoxOf(geom.Pt(0, 0), geom.Pt(10, 10)))
	for name, draw := range map[string]func(*artwork.Sheet){
		"flashes": func(s *artwork.Sheet) { s.Flash(geom.Pt(1, 2), artwork.Rect(4, 6), 0, false, artwork.Meta{}) },
		"paths":   func(s *artwork.Sheet) { s.Path(square, 1, artwork.Meta{}) },
		"areas":   func(s *artwork.Sheet) { s.Region(geom.Polygon{Outer: square}, artwork.Meta{}) },
		"turned flashes of many pieces": func(s *artwork.Sheet) {
			s.Flash(geom.Pt(1, 2), artwork.Thermal(100, 60, 1, 64, 0, false), 45, false, artwork.Meta{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const times = 20_000
			ctx, stop := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 5_000, Steps: 50_000})
			defer stop()
			s := sheet().SetMeter(pcb.MeterOf(ctx))
			for range times {
				draw(s)
			}
			if n := len(s.Layer.Features); n == 0 || n > 12_000 || ctx.Err() == nil {
				t.Errorf("%d times within 5,000 objects and 50,000 steps: %d features, the context ended with %v; want some of them, and an end", times, n, ctx.Err())
			}
		})
	}
}

// unit is a board with a feature of every kind, a text, a drill hit and a routed hole.
func unit() *pcb.Board {
	b := pcb.NewBoard("one")
	s := sheet()
	s.Flash(geom.Pt(5, 0), artwork.Rect(4, 6), 0, false, artwork.Meta{Net: 1, Pin: 1})
	s.Line(geom.Pt(0, 0), geom.Pt(10, 0), 2, artwork.Meta{})
	s.Edge(geom.ArcEdge(geom.Pt(10, 0), geom.Pt(0, 10), geom.Pt(0, 0), false), 2, artwork.Meta{})
	s.Region(geom.Polygon{Outer: geom.Rect(geom.BoxOf(geom.Pt(0, 0), geom.Pt(10, 10)))}, artwork.Meta{})
	s.Layer.Texts = []pcb.Text{{Text: "A", At: geom.Pt(1, 1)}}
	b.Layers = []*pcb.Layer{s.Layer, pcb.NewLayer("empty", "")}
	b.Holes = []pcb.Hole{{A: geom.Pt(3, 0), B: geom.Pt(3, 0), Diameter: 300, Net: 1}, {Kind: pcb.RoutedHole, Diameter: 800}}
	b.Routes = []geom.Path{{Points: []geom.Point{geom.Pt(0, 0), geom.Pt(4, 0)}}}
	return b
}

func TestPlace(t *testing.T) {
	t.Parallel()
	b := pcb.NewBoard("panel")
	panel := artwork.NewPanel(b, pcb.Meter{})
	src := unit()
	for _, at := range []geom.Transform{{}, {Offset: geom.Pt(100, 0), Rotation: 90}, {Offset: geom.Pt(200, 0), Mirror: true}} {
		if !panel.Place(src, at) {
			t.Errorf("Place(%+v) = false, want true: there is no budget", at)
		}
	}
	if len(b.Layers) != 1 || b.Layers[0].Name != "top" {
		t.Fatalf("%d layers, want the one that has features", len(b.Layers))
	}
	want := []string{
		"flash 5,0 rectangle 4x6", "line 0,0 10,0 circle 2x2", "arc 10,0 0,10 round 0,0 clockwise false circle 2x2", "region 0,0 4 corners 0 holes",
		"flash 100,5 rectangle 4x6 turned 90 mirrored false", "line 100,0 100,10 circle 2x2 turned 90 mirrored false",
		"arc 100,10 90,0 round 100,0 clockwise false circle 2x2 turned 90 mirrored false", "region 100,0 4 corners 0 holes turned 90 mirrored false",
		"flash 195,0 rectangle 4x6 turned 0 mirrored true", "line 200,0 190,0 circle 2x2 turned 0 mirrored true",
		"arc 190,0 200,10 round 200,0 clockwise true circle 2x2 turned 0 mirrored true", "region 200,0 4 corners 0 holes turned 0 mirrored true",
	}
	if diff := cmp.Diff(want, describe(b.Layers[0])); diff != "" {
		t.Errorf("three boards (-want +got):\n%s", diff)
	}
	var texts, holes []string
	for _, w := range b.Layers[0].Texts {
		texts = append(texts, fmt.Sprint(w.At, w.Mirrored))
	}
	for i := range b.Holes {
		h := &b.Holes[i]
		if h.Net != 0 {
			t.Errorf("hole %d has net %d, want none: a panel repeats them", i, h.Net)
		}
		b.HoleEdges(h, func(e geom.Edge) { holes = append(holes, fmt.Sprint(h.Diameter, e.A, e.B)) })
	}
	if want := []string{"{1 1} false", "{99 1} false", "{199 1} true"}; !slices.Equal(texts, want) {
		t.Errorf("texts at %v, want %v", texts, want)
	}
	if want := []string{"300 {3 0} {3 0}", "800 {0 0} {4 0}", "300 {100 3} {100 3}", "800 {100 0} {100 4}", "300 {197 0} {197 0}", "800 {200 0} {196 0}"}; !slices.Equal(holes, want) {
		t.Errorf("holes %q, want %q", holes, want)
	}
	if region := b.Layers[0].Regions[2].Bounds(); region != geom.BoxOf(geom.Pt(190, 0), geom.Pt(200, 10)) {
		t.Errorf("the mirrored area lies in %v, want 190,0 to 200,10", region)
	}
}

// TestRepeat: boards are put down in rows and columns until the budget is used up.
func TestRepeat(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		repeat artwork.Repeat
		limits pcb.Limits
		count  int
		done   bool
		last   geom.Point // where the last board's flash is
	}{
		"in rows and columns": {artwork.Repeat{At: geom.Pt(1000, 0), DX: 100, DY: 50, NX: 3, NY: 2}, pcb.Limits{}, 6, true, geom.Pt(1205, 50)},
		"turned":              {artwork.Repeat{DX: 100, NX: 2, NY: 1, Angle: 90}, pcb.Limits{}, 2, true, geom.Pt(100, 5)},
		"mirrored":            {artwork.Repeat{DX: 100, NX: 2, NY: 1, Mirror: true}, pcb.Limits{}, 2, true, geom.Pt(95, 0)},
		"none":                {artwork.Repeat{DX: 100, NX: 0, NY: 5}, pcb.Limits{}, 0, true, geom.Point{}},
		"without end":         {artwork.Repeat{DX: 100, DY: 1, NX: 1 << 40, NY: 1 << 40}, pcb.Limits{Objects: 1000, Steps: 1000}, 100, false, geom.Pt(5, 99)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, stop := pcb.WithBudget(t.Context(), tt.limits)
			defer stop()
			b := pcb.NewBoard("panel")
			panel := artwork.NewPanel(b, pcb.MeterOf(ctx))
			done := panel.Repeat(unit(), tt.repeat)
			if done != tt.done || tt.done && panel.Count() != tt.count || panel.Count() > max(tt.count, 200) {
				t.Errorf("Repeat(%+v) = %v with %d boards, want %v with %d", tt.repeat, done, panel.Count(), tt.done, tt.count)
			}
			if !tt.done || tt.count == 0 {
				return
			}
			flashes := slices.DeleteFunc(describe(b.Layers[0]), func(s string) bool { return !strings.HasPrefix(s, "flash") })
			if want := fmt.Sprintf("flash %d,%d ", tt.last.X, tt.last.Y); !strings.HasPrefix(flashes[len(flashes)-1], want) {
				t.Errorf("Repeat(%+v) ends with %q, want %q", tt.repeat, flashes[len(flashes)-1], want)
			}
		})
	}
}

// TestStateHoles: what a board's holes say of it.
func TestStateHoles(t *testing.T) {
	t.Parallel()
	b := pcb.NewBoard("one")
	for i := range 4 {
		l := pcb.NewLayer(fmt.Sprint("L", i+1), "")
		l.Role, l.Order = pcb.RoleCopper, i+1
		b.Layers = append(b.Layers, l)
	}
	for _, tt := range []struct {
		add                           string
		hole                          pcb.Hole
		plated, plain, unknown, slots int
		blind                         bool
		least                         int64
	}{
		{"nothing", pcb.Hole{Plating: pcb.Plated}, 1, 0, 0, 0, false, 0},
		{"a drill hit", pcb.Hole{Plating: pcb.Plated, Diameter: 300}, 2, 0, 0, 0, false, 300},
		{"a smaller one without plating", pcb.Hole{Plating: pcb.NonPlated, Diameter: 200}, 2, 1, 0, 0, false, 200},
		{"a larger slot of which nothing is said", pcb.Hole{Kind: pcb.SlotHole, Diameter: 900}, 2, 1, 1, 1, false, 200},
		{"a routed hole through all, as it says", pcb.Hole{Kind: pcb.RoutedHole, Plating: pcb.NonPlated, From: 4, To: 1, Diameter: 900}, 2, 2, 1, 2, false, 200},
		{"a blind via", pcb.Hole{Plating: pcb.Plated, From: 1, To: 2, Diameter: 100}, 3, 2, 1, 2, true, 100},
		{"a buried via", pcb.Hole{Plating: pcb.Plated, From: 2, To: 3, Diameter: 150}, 4, 2, 1, 2, true, 100},
	} {
		b.Holes = append(b.Holes, tt.hole)
		b.Facts = pcb.Facts{}
		artwork.StateHoles(b, pcb.Source{File: "one.drl"})
		f := &b.Facts
		got := []any{f.PlatedHoles.Value, f.NonPlatedHoles.Value, f.UnknownHoles.Value, f.Slots.Value, f.BlindVias.Value, f.MinDrill.Value, f.MinDrill.Known}
		if diff := cmp.Diff([]any{tt.plated, tt.plain, tt.unknown, tt.slots, tt.blind, tt.least, tt.least > 0}, got); diff != "" {
			t.Errorf("with %s, of %d holes: plated, plain, unknown, slots, blind, smallest drill, whether known (-want +got):\n%s", tt.add, len(b.Holes), diff)
		}
	}
}
