package render

import (
	"image/color"
	"math"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// lay gives the colour of one over another of which it hides 180 of 256 parts.
func lay(below, c color.NRGBA) color.NRGBA {
	part := func(x, y uint8) uint8 { return uint8((int(x)*76 + int(y)*180) / 256) }
	return color.NRGBA{part(below.R, c.R), part(below.G, c.G), part(below.B, c.B), 255}
}

// TestOrderOfAStack: each of these lies below the next, in whatever order files come.
func TestOrderOfAStack(t *testing.T) {
	t.Parallel()
	inner := func(order int) sheet {
		l := block(pcb.RoleCopper, pcb.Inner)
		l.Order = order
		return l
	}
	layers := []sheet{
		block(pcb.RoleFabDrawing, pcb.NoSide), block(pcb.RoleSilk, pcb.Bottom), block(pcb.RolePaste, pcb.Bottom), block(pcb.RoleMask, pcb.Bottom), block(pcb.RoleCopper, pcb.Bottom),
		inner(3), inner(2), block(pcb.RoleCopper, pcb.Top), block(pcb.RoleMask, pcb.Top), block(pcb.RolePaste, pcb.Top), block(pcb.RoleSilk, pcb.Top), block(pcb.RoleOutline, pcb.NoSide),
	}
	look := func(want color.NRGBA, what string, files ...sheet) {
		t.Helper()
		img, err := Stack(t.Context(), square(files...), Options{Width: 100})
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if got := img.NRGBAAt(40, 59); got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
		if got := img.NRGBAAt(80, 20); got != ground {
			t.Errorf("%s: %v beside all layers, want %v", what, got, ground)
		}
	}
	colour := ground
	for i, l := range layers {
		c := layerColour(l.Layer)
		look(lay(ground, c), l.Role.String()+" alone", l)
		colour = lay(colour, c)
		for _, lower := range layers[:i] {
			want := lay(lay(ground, layerColour(lower.Layer)), c)
			what := l.Side.String() + " " + l.Role.String() + " over " + lower.Side.String() + " " + lower.Role.String()
			look(want, what, lower, l)
			look(want, what+", whose file comes first", l, lower)
		}
	}
	look(colour, "all twelve", layers...)
}

// TestWhatAStackShows: the board, or with Whole all that layers draw; negatives are planes.
func TestWhatAStackShows(t *testing.T) {
	t.Parallel()
	far := newSheet(pcb.RoleFabDrawing, pcb.NoSide)
	far.region(geom.Polygon{Outer: rect(-10*mm, 0, mm, mm)})
	copper := block(pcb.RoleCopper, pcb.Top)
	for _, c := range []struct {
		whole bool
		w, h  int
	}{{false, 100, 100}, {true, 160, 60}} { // from -10 to 6 mm, from 0 to 6
		img, err := Stack(t.Context(), square(far, copper), Options{DPI: 254, Whole: c.whole})
		if err != nil || img.Rect.Dx() != c.w || img.Rect.Dy() != c.h {
			t.Errorf("whole %t: %v, %v; want %d by %d pixels", c.whole, img.Rect, err, c.w, c.h)
		}
	}
	plane := negative(block(pcb.RoleCopper, pcb.Inner))
	img, err := Stack(t.Context(), square(plane), Options{Width: 100})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := img.NRGBAAt(80, 20), lay(ground, layerColour(plane.Layer)); got != want {
		t.Errorf("a plane: %v, want %v", got, want)
	}
	if got := img.NRGBAAt(40, 59); got != ground {
		t.Errorf("what a plane leaves out: %v, want %v", got, ground)
	}
}

// TestEachLayer: every layer has a picture of its own in the frame of the board; what has
// nothing to frame it has none.
func TestEachLayer(t *testing.T) {
	t.Parallel()
	copper, silk := block(pcb.RoleCopper, pcb.Top), newSheet(pcb.RoleSilk, pcb.Top)
	silk.region(geom.Polygon{Outer: rect(7*mm, 7*mm, 2*mm, 2*mm)})
	images := Layers(t.Context(), square(copper, silk), Options{Width: 100})
	if len(images) != 2 || images[0] == nil || images[1] == nil {
		t.Fatalf("two layers have the pictures %v, want two", images)
	}
	for i, c := range []struct{ on, off [2]int }{{[2]int{40, 59}, [2]int{80, 20}}, {[2]int{80, 20}, [2]int{40, 59}}} {
		on, off := images[i].At(c.on[0], c.on[1]), images[i].At(c.off[0], c.off[1]).(color.NRGBA)
		if want := layerColour([]sheet{copper, silk}[i].Layer); on != want || off.A != 0 || images[i].Rect.Dx() != 100 || images[i].Rect.Dy() != 100 {
			t.Errorf("layer %d, %v: %v where it draws, %v beside; want %v, nothing, 100 by 100 pixels", i, images[i].Rect, on, off, want)
		}
	}
	b := pcb.NewBoard("nothing")
	b.Adopt(newSheet(pcb.RoleCopper, pcb.Top).Layer)
	if images := Layers(t.Context(), b, Options{}); len(images) != 1 || images[0] != nil {
		t.Errorf("a layer of nothing on a board of nothing has the pictures %v, want none", images)
	}
}

// TestExtent: what frames a board is its outline, else pads and holes, else what there is.
func TestExtent(t *testing.T) {
	t.Parallel()
	row := func(n int, clear bool) sheet { // of pads of 1 mm from 0, 0 on, 2 mm apart
		l := newSheet(pcb.RoleCopper, pcb.Top)
		for i := range int64(n) {
			l.flash(pcb.Circle(mm), geom.Pt(2*mm*i, 0)).Clear = clear
		}
		return l
	}
	track := newSheet(pcb.RoleCopper, pcb.Top)
	track.edge(pcb.Circle(mm), geom.Line(geom.Pt(-50*mm, 0), geom.Pt(50*mm, 0)))
	box := func(x0, y0, x1, y1 int64) geom.Box { return geom.Box{Min: geom.Pt(x0, y0), Max: geom.Pt(x1, y1)} }
	drawing, mask := newSheet(pcb.RoleFabDrawing, pcb.NoSide), block(pcb.RoleMask, pcb.Top)
	drawing.region(geom.Polygon{Outer: rect(-90*mm, -90*mm, 200*mm, 200*mm)})
	drills := make([]pcb.Hole, 10)
	for i := range drills {
		at := geom.Pt(0, int64(i)*mm)
		drills[i] = pcb.Hole{A: at, B: at, Diameter: mm}
	}
	for what, c := range map[string]struct {
		outline bool
		holes   []pcb.Hole
		layers  []sheet
		want    geom.Box
	}{
		"an outline":                         {true, drills, []sheet{row(10, false), track}, box(0, 0, 10*mm, 10*mm)},
		"ten pads, grown by 1 mm":            {false, nil, []sheet{row(10, false), track, drawing}, box(-3*mm/2, -3*mm/2, 39*mm/2, 3*mm/2)},
		"nine pads are too few":              {false, nil, []sheet{row(9, false), track, drawing}, box(-101*mm/2, -mm/2, 101*mm/2, mm/2)},
		"pads that erase are none":           {false, nil, []sheet{row(10, true), track}, box(-101*mm/2, -mm/2, 101*mm/2, mm/2)},
		"ten holes, grown by 1 mm":           {false, drills, []sheet{track, drawing}, box(-3*mm/2, -3*mm/2, 3*mm/2, 21*mm/2)},
		"a pad and nine holes":               {false, drills[:9], []sheet{row(1, false), track}, box(-3*mm/2, -3*mm/2, 3*mm/2, 19*mm/2)},
		"copper before mask":                 {false, nil, []sheet{mask, track}, box(-101*mm/2, -mm/2, 101*mm/2, mm/2)},
		"mask before silkscreen":             {false, nil, []sheet{mask, drawing, newSheet(pcb.RoleSilk, pcb.Top)}, box(2*mm, 2*mm, 6*mm, 6*mm)},
		"an outline layer that has no shape": {false, nil, []sheet{drawing, block(pcb.RoleOutline, pcb.NoSide)}, box(2*mm, 2*mm, 6*mm, 6*mm)},
		"a drawing alone":                    {false, nil, []sheet{drawing}, geom.EmptyBox()},
	} {
		b := square(c.layers...)
		if b.Holes = c.holes; !c.outline {
			b.Outline = pcb.Outline{}
		}
		if got := Extent(b); got != c.want {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}

// TestWhatTheFrameCuts: of what reaches out of a picture of 10 by 10 mm the part inside is
// drawn, as large as it is.
func TestWhatTheFrameCuts(t *testing.T) {
	t.Parallel()
	wheel := func(at geom.Point, radius float64, n int) geom.Polygon { // a regular polygon; nm
		p := geom.Path{Closed: true}
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			p.LineTo(at.Add(geom.Pt(int64(radius*cos), int64(radius*sin))))
		}
		return geom.Polygon{Outer: p}
	}
	disc := func(r float64) float64 { return math.Pi * r * r }
	polygon := func(r float64, n int) float64 { return float64(n) / 2 * r * r * math.Sin(2*math.Pi/float64(n)) }
	thermal := pcb.Custom("t", []pcb.Primitive{{Kind: pcb.CirclePrimitive, Radius: 2 * mm}, {Kind: pcb.CirclePrimitive, Radius: mm, Clear: true}})
	for what, c := range map[string]struct {
		draw func(sheet)
		want float64 // mm²
	}{
		"all of it within":          {func(s sheet) { s.region(geom.Polygon{Outer: rect(mm, mm, 3*mm, 2*mm)}) }, 6},
		"over the left edge":        {func(s sheet) { s.region(geom.Polygon{Outer: rect(-3*mm, mm, 5*mm, 2*mm)}) }, 4},
		"over the right edge":       {func(s sheet) { s.region(geom.Polygon{Outer: rect(9*mm, mm, 5*mm, 2*mm)}) }, 2},
		"over the top":              {func(s sheet) { s.region(geom.Polygon{Outer: rect(mm, 8*mm, 3*mm, 9*mm)}) }, 6},
		"over the bottom":           {func(s sheet) { s.region(geom.Polygon{Outer: rect(mm, -8*mm, 3*mm, 9*mm)}) }, 3},
		"over all edges":            {func(s sheet) { s.region(geom.Polygon{Outer: rect(-mm, -mm, 90*mm, 90*mm)}) }, 100},
		"beside it":                 {func(s sheet) { s.region(geom.Polygon{Outer: rect(-5*mm, 0, 4*mm, 9*mm)}) }, 0},
		"above it":                  {func(s sheet) { s.flash(pcb.Circle(2*mm), geom.Pt(5*mm, 12*mm)) }, 0},
		"a disc at a corner":        {func(s sheet) { s.flash(pcb.Circle(4*mm), geom.Pt(0, 0)) }, disc(2) / 4},
		"a ring at an edge":         {func(s sheet) { s.flash(pcb.Circle(4*mm).PunchHole(2*mm, 0), geom.Pt(10*mm, 5*mm)) }, (disc(2) - disc(1)) / 2},
		"a macro at the right edge": {func(s sheet) { s.flash(thermal, geom.Pt(10*mm, 5*mm)) }, (disc(2) - disc(1)) / 2},
		"a macro at the upper edge": {func(s sheet) { s.flash(thermal, geom.Pt(5*mm, 10*mm)) }, (disc(2) - disc(1)) / 2},
		"a macro at a corner":       {func(s sheet) { s.flash(thermal, geom.Pt(0, 0)) }, (disc(2) - disc(1)) / 4},
		"a macro beside it":         {func(s sheet) { s.flash(thermal, geom.Pt(-5*mm, 5*mm)) }, 0},
		"a macro that erases": {func(s sheet) {
			s.region(geom.Polygon{Outer: rect(0, 0, 10*mm, 10*mm)})
			s.flash(thermal, geom.Pt(5*mm, 5*mm)).Clear = true
		}, 100 - disc(2) + disc(1)},
		"a line across": {func(s sheet) { s.edge(pcb.Circle(mm), geom.Line(geom.Pt(-5*mm, 5*mm), geom.Pt(15*mm, 5*mm))) }, 10},
		"a line in halves": {func(s sheet) {
			s.edge(pcb.Circle(mm), geom.Line(geom.Pt(2*mm, 5*mm), geom.Pt(5*mm, 5*mm)))
			s.edge(pcb.Circle(mm), geom.Line(geom.Pt(5*mm, 5*mm), geom.Pt(8*mm, 5*mm))).Shape = 0
		}, 6 + disc(0.5)},
		"an arc half outside": {func(s sheet) {
			s.edge(pcb.Circle(mm), geom.ArcEdge(geom.Pt(3*mm, 0), geom.Pt(3*mm, 0), geom.Pt(0, 0), true))
		}, (disc(3.5) - disc(2.5)) / 4},
		"a square pen along an arc": {func(s sheet) {
			s.edge(pcb.Rect(mm, mm), geom.ArcEdge(geom.Pt(5*mm, 5*mm), geom.Pt(5*mm, 5*mm), geom.Pt(5*mm, 5*mm), false))
		}, 1},
		"a pen without width": {func(s sheet) { s.edge(pcb.Circle(0), geom.Line(geom.Pt(0, 0), geom.Pt(9*mm, 9*mm))) }, 0},
		"an arc without width": {func(s sheet) {
			s.edge(pcb.Circle(0), geom.ArcEdge(geom.Pt(8*mm, 5*mm), geom.Pt(2*mm, 5*mm), geom.Pt(5*mm, 5*mm), false))
		}, 0},
		"a polygon of 400 corners": {func(s sheet) { s.region(wheel(geom.Pt(5*mm, 5*mm), 4e6, 400)) }, polygon(4, 400)},
		"of 400, over an edge":     {func(s sheet) { s.region(wheel(geom.Pt(5*mm, 10*mm), 4e6, 400)) }, polygon(4, 400) / 2},
		"of 400, over the corner":  {func(s sheet) { s.region(wheel(geom.Pt(0, 0), 9e6, 400)) }, polygon(9, 400) / 4},
		"two lines apart": {func(s sheet) {
			s.edge(pcb.Circle(mm), geom.Line(geom.Pt(2*mm, 2*mm), geom.Pt(5*mm, 2*mm)))
			s.edge(pcb.Circle(mm), geom.Line(geom.Pt(2*mm, 5*mm), geom.Pt(5*mm, 5*mm))).Shape = 0
		}, 6 + 2*disc(0.5)},
		"a wider pen that goes on": {func(s sheet) {
			s.edge(pcb.Circle(mm), geom.Line(geom.Pt(2*mm, 5*mm), geom.Pt(5*mm, 5*mm)))
			s.edge(pcb.Circle(2*mm), geom.Line(geom.Pt(5*mm, 5*mm), geom.Pt(8*mm, 5*mm)))
		}, 3 + disc(0.5)/2 + 6 + disc(1) - (math.Sqrt(0.75)/2 + math.Asin(0.5))}, // what both cover left of where they meet
		"erasing that goes on": {func(s sheet) {
			s.region(geom.Polygon{Outer: rect(0, 0, 10*mm, 10*mm)})
			s.edge(pcb.Circle(mm), geom.Line(geom.Pt(2*mm, 5*mm), geom.Pt(5*mm, 5*mm)))
			s.edge(pcb.Circle(mm), geom.Line(geom.Pt(5*mm, 5*mm), geom.Pt(8*mm, 5*mm))).Clear = true
			s.Features[2].Shape = 0
		}, 100 - 3 - disc(0.5)},
		"a macro with a straight edge": {func(s sheet) {
			s.flash(pcb.Custom("m", []pcb.Primitive{{Kind: pcb.AreaPrimitive, Area: rect(-2*mm, -2*mm, 4*mm, 4*mm)}, {Kind: pcb.CirclePrimitive, Radius: mm, Clear: true}}), geom.Pt(5*mm, 5*mm))
		}, 16 - disc(1)},
		"200 corners along its upper edge": {func(s sheet) {
			p := geom.Path{Closed: true}
			for i := range int64(200) {
				p.LineTo(geom.Pt(i*9*mm/199, 9*mm))
			}
			p.LineTo(geom.Pt(9*mm, mm))
			p.LineTo(geom.Pt(0, mm))
			s.region(geom.Polygon{Outer: p})
		}, 72},
		"a line in a region": {func(s sheet) {
			s.region(geom.Polygon{Outer: geom.Path{Closed: true, Points: []geom.Point{{}, {X: 9 * mm, Y: 9 * mm}}}})
		}, 0},
		"far out, as far as files can say": {func(s sheet) {
			s.region(geom.Polygon{Outer: rect(-1_000_000*mm, -1_000_000*mm, 2_000_000*mm, 1_000_005*mm)})
		}, 50},
	} {
		l := newSheet(pcb.RoleCopper, pcb.Top)
		c.draw(l)
		v, err := newView(pcb.Meter{}, geom.Box{Max: geom.Pt(10*mm, 10*mm)}, Options{Width: 400}, false)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, cover := range cover(&v, l.Layer, 2) {
			sum += float64(cover) / 255
		}
		if got := sum / 1600; math.Abs(got-c.want) > 0.004*c.want+0.0001 {
			t.Errorf("%s: covers %.4f mm², want %.4f", what, got, c.want)
		}
	}
}
