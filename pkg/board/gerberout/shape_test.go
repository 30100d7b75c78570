package gerberout_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/gerberout"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
)

// plate is a board of 10 by 10 mm with two copper layers, what fill draws on top.
func plate(fill func(*artwork.Sheet)) *pcb.Board {
	b := pcb.NewBoard("plate")
	top := artwork.NewSheet("top", "plate", pcb.RoleCopper, pcb.Top)
	bottom := artwork.NewSheet("bottom", "plate", pcb.RoleCopper, pcb.Bottom)
	top.Layer.Order, bottom.Layer.Order = 1, 2
	fill(top)
	b.Layers = []*pcb.Layer{top.Layer, bottom.Layer}
	b.Outline = pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(10*mm, 10*mm)})}}}
	return b
}

var centre = geom.Pt(5*mm, 5*mm)

func shape(a pcb.Aperture) artwork.Shape {
	return artwork.Shape{Key: "the shape", Build: func() pcb.Aperture { return a }}
}

// wedge is an area of straight lines, an arc and no symmetry.
func wedge() geom.Path {
	p := geom.Path{Closed: true}
	p.LineTo(geom.Pt(-2*mm, -1*mm))
	p.LineTo(geom.Pt(1*mm, -1*mm))
	p.ArcTo(geom.Pt(1*mm, 2*mm), geom.Pt(1*mm, mm/2), false)
	return p
}

// gear has more corners than a macro can.
func gear() geom.Path {
	p := geom.Path{Closed: true}
	const n = 6000
	for i := range n {
		p.LineTo(geom.Point{}.Polar(float64(2*mm+int64(i%2)*mm/2), 2*math.Pi*float64(i)/n))
	}
	return p
}

// TestFlashes puts every kind of aperture down, plain, turned and mirrored. The
// standard ones must be written as such.
func TestFlashes(t *testing.T) {
	t.Parallel()
	hexagon := func(deg float64) pcb.Aperture { return pcb.RegularPolygon(4*mm, 6, deg) }
	stroke := pcb.Primitive{Kind: pcb.StrokePrimitive, A: geom.Pt(-mm, 0), B: geom.Pt(mm, mm), Radius: mm / 2}
	clear := pcb.Primitive{Kind: pcb.CirclePrimitive, Clear: true, A: geom.Pt(mm/2, 0), Radius: mm / 2}
	area := pcb.Primitive{Kind: pcb.AreaPrimitive, Area: wedge()}
	for name, tt := range map[string]struct {
		a    pcb.Aperture
		t    geom.Transform
		want string // of the definition
	}{
		"circle":               {pcb.Circle(2*mm + 1), geom.Transform{}, "C,2.000001*"},
		"circle turned":        {pcb.Circle(2 * mm), geom.Transform{Rotation: 33}, "C,2.0*"},
		"ring":                 {pcb.Circle(2*mm).PunchHole(mm, 0), geom.Transform{}, "C,2.0X1.0*"},
		"circle, square hole":  {pcb.Circle(3*mm).PunchHole(mm, mm), geom.Transform{Rotation: 30}, "M1*"},
		"rectangle":            {pcb.Rect(2*mm, 3*mm), geom.Transform{}, "R,2.0X3.0*"},
		"rectangle 90°":        {pcb.Rect(2*mm, 3*mm), geom.Transform{Rotation: 90}, "R,3.0X2.0*"},
		"rectangle -90°":       {pcb.Rect(2*mm, 3*mm), geom.Transform{Rotation: -90, Mirror: true}, "R,3.0X2.0*"},
		"rectangle 30°":        {pcb.Rect(2*mm, 3*mm), geom.Transform{Rotation: 30}, "M1*"},
		"rectangle with hole":  {pcb.Rect(2*mm, 3*mm).PunchHole(mm, 0), geom.Transform{}, "R,2.0X3.0X1.0*"},
		"turned with hole":     {pcb.Rect(2*mm, 3*mm).PunchHole(mm, 0), geom.Transform{Rotation: 30}, "M1*"},
		"obround":              {pcb.Obround(2*mm, 3*mm), geom.Transform{}, "O,2.0X3.0*"},
		"obround 270°":         {pcb.Obround(2*mm, 3*mm), geom.Transform{Rotation: 270}, "O,3.0X2.0*"},
		"obround 45°":          {pcb.Obround(2*mm, 5*mm), geom.Transform{Rotation: 45}, "M1*"},
		"obround like circle":  {pcb.Obround(2*mm, 2*mm), geom.Transform{Rotation: 45}, "C,2.0*"},
		"hexagon":              {hexagon(0), geom.Transform{}, "P,4.0X6X0*"},
		"hexagon turned":       {hexagon(10), geom.Transform{Rotation: 12.5}, "P,4.0X6X22.5*"},
		"hexagon mirrored":     {hexagon(10), geom.Transform{Mirror: true}, "P,4.0X6X170*"},
		"triangle with hole":   {pcb.RegularPolygon(4*mm, 3, 20).PunchHole(mm, 0), geom.Transform{Rotation: 20, Mirror: true}, "P,4.0X3X180X1.0*"},
		"thirteen corners":     {pcb.RegularPolygon(4*mm, 13, 0), geom.Transform{}, "M1*"},
		"rounded":              {pcb.RoundRect(4*mm, 3*mm, mm/2), geom.Transform{}, "M1*"},
		"rounded turned":       {pcb.RoundRect(4*mm, 3*mm, mm/2), geom.Transform{Rotation: 77}, "M1*"},
		"rounded, no radius":   {pcb.RoundRect(4*mm, 3*mm, 0), geom.Transform{}, "R,4.0X3.0*"},
		"rounded to an end":    {pcb.RoundRect(4*mm, 3*mm, 2*mm), geom.Transform{Rotation: 90}, "O,3.0X4.0*"},
		"rounded to a circle":  {pcb.RoundRect(3*mm, 3*mm, 2*mm), geom.Transform{}, "C,3.0*"},
		"chamfered":            {artwork.CornerRect(4*mm, 3*mm, mm, true, [4]bool{true, false, false, true}).Build(), geom.Transform{Rotation: 180}, "M1*"},
		"trapezoid":            {pcb.Area(pcb.TrapezoidShape, geom.Path{Points: []geom.Point{{X: -2 * mm, Y: -mm}, {X: 2 * mm, Y: -mm}, {X: mm, Y: mm}, {X: -mm, Y: mm}}}), geom.Transform{}, "M1*"},
		"thermal":              {artwork.Thermal(4*mm, 3*mm, mm/2, 4, 45, false).Build(), geom.Transform{}, "M1*"},
		"custom":               {pcb.Custom("x", []pcb.Primitive{stroke, area}), geom.Transform{Rotation: 20}, ""},
		"custom mirrored":      {pcb.Custom("x", []pcb.Primitive{stroke, area}), geom.Transform{Rotation: 90, Mirror: true}, ""},
		"custom with clear":    {pcb.Custom("x", []pcb.Primitive{area, clear, stroke}), geom.Transform{}, "M1*"},
		"scaled":               {pcb.Rect(2*mm, 3*mm), geom.Transform{Scale: 1.5}, "R,3.0X4.5*"},
		"custom scaled":        {pcb.Custom("x", []pcb.Primitive{area, stroke}), geom.Transform{Scale: 0.5, Rotation: 200}, "M1*"},
		"too long for a macro": {pcb.Custom("x", []pcb.Primitive{{Kind: pcb.AreaPrimitive, Area: gear()}, stroke}), geom.Transform{Rotation: 5}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := plate(func(s *artwork.Sheet) {
				s.Line(geom.Pt(mm, mm), geom.Pt(9*mm, 9*mm), mm/5, artwork.Meta{})
				s.FlashScaled(centre, shape(tt.a), tt.t, artwork.Meta{Function: pcb.FuncSMDPad})
			})
			b.Layers[0].Features[1].Transform = int32(len(b.Layers[0].Transforms)) // also where a circle needs none
			b.Layers[0].Transforms = append(b.Layers[0].Transforms, tt.t)
			sameCopper(t, b)
			text := string(file(t, b, "plate-F_Cu.gbr"))
			if !strings.Contains(text, "%TA.AperFunction,SMDPad,CuDef*%\n%ADD11"+tt.want) && tt.want != "" {
				t.Errorf("no aperture %s in\n%s", tt.want, text)
			}
			if tt.want == "" && !strings.Contains(text, "G36*") {
				t.Errorf("no region in %s", text)
			}
		})
	}
}

// TestDrawings draws everything else: strokes, arcs, regions and polarity.
func TestDrawings(t *testing.T) {
	t.Parallel()
	disc := func(c geom.Point, r int64) geom.Path { return geom.Circle(c, r) }
	square := func(x0, y0, x1, y1 int64) geom.Path {
		return geom.Rect(geom.Box{Min: geom.Pt(x0*mm, y0*mm), Max: geom.Pt(x1*mm, y1*mm)})
	}
	clear, none := artwork.Meta{Clear: true}, artwork.Meta{}
	for name, fill := range map[string]func(s *artwork.Sheet){
		"line": func(s *artwork.Sheet) { s.Line(geom.Pt(mm, 2*mm), geom.Pt(9*mm, 7*mm), mm, none) },
		"dot":  func(s *artwork.Sheet) { s.Line(centre, centre, 2*mm, none) },
		"line of a square": func(s *artwork.Sheet) {
			s.Stroke(geom.Line(geom.Pt(2*mm, 2*mm), geom.Pt(8*mm, 6*mm)), artwork.Rect(mm, 2*mm), none)
		},
		"arc of a square": func(s *artwork.Sheet) {
			s.Stroke(geom.ArcEdge(geom.Pt(2*mm, 5*mm), geom.Pt(5*mm, 8*mm), centre, true), artwork.Rect(mm, mm), none)
		},
		"arc": func(s *artwork.Sheet) {
			s.Edge(geom.ArcEdge(geom.Pt(2*mm, 5*mm), geom.Pt(5*mm, 2*mm), centre, true), mm, none)
		},
		"arc other way": func(s *artwork.Sheet) {
			s.Edge(geom.ArcEdge(geom.Pt(2*mm, 5*mm), geom.Pt(5*mm, 2*mm), centre, false), mm, none)
		},
		"full circle": func(s *artwork.Sheet) { s.Path(disc(centre, 3*mm), mm/2, none) },
		"nearly straight": func(s *artwork.Sheet) {
			s.Edge(geom.ArcThrough(geom.Pt(mm, 5*mm), geom.Pt(5*mm, 5*mm+1000), geom.Pt(9*mm, 5*mm)), mm, none)
		},
		"region": func(s *artwork.Sheet) {
			s.Region(geom.Polygon{Outer: geom.Transform{Offset: centre}.Path(wedge())}, none)
		},
		"round region": func(s *artwork.Sheet) { s.Region(geom.Polygon{Outer: disc(centre, 3*mm)}, none) },
		"hole": func(s *artwork.Sheet) {
			s.Region(geom.Polygon{Outer: square(1, 1, 9, 9), Holes: []geom.Path{square(3, 3, 6, 7)}}, none)
		},
		"round hole": func(s *artwork.Sheet) {
			s.Region(geom.Polygon{Outer: disc(centre, 4*mm), Holes: []geom.Path{disc(centre, 2*mm)}}, none)
		},
		"hole turned round": func(s *artwork.Sheet) {
			s.Region(geom.Polygon{Outer: square(1, 1, 9, 9).Reverse(), Holes: []geom.Path{disc(centre, 2*mm).Reverse(), square(1, 4, 2, 5)}}, none)
		},
		"holes in a row": func(s *artwork.Sheet) {
			s.Region(geom.Polygon{Outer: square(1, 1, 9, 9), Holes: []geom.Path{disc(geom.Pt(7*mm, 5*mm), mm), disc(geom.Pt(3*mm, 5*mm), mm),
				square(4, 4, 6, 6), square(2, 7, 8, 8), disc(geom.Pt(5*mm, 3*mm), mm/2)}}, none)
		},
		"what lies in a hole stays": func(s *artwork.Sheet) {
			s.Line(geom.Pt(3*mm, 3*mm), geom.Pt(7*mm, 7*mm), mm, none)
			s.Region(geom.Polygon{Outer: square(1, 1, 9, 9), Holes: []geom.Path{square(2, 2, 8, 8)}}, none)
		},
		"erased and drawn again": func(s *artwork.Sheet) {
			s.Region(geom.Polygon{Outer: square(1, 1, 9, 9)}, none)
			s.Flash(centre, artwork.Rect(4*mm, 5*mm), 30, false, clear)
			s.Flash(centre, artwork.Circle(mm), 0, false, none)
		},
		"negative": func(s *artwork.Sheet) {
			s.Layer.Negative = true
			s.Flash(centre, artwork.Circle(4*mm), 0, false, none)
			s.Flash(centre, artwork.Rect(2*mm, mm), 0, false, clear)
			s.Line(geom.Pt(mm, mm), geom.Pt(mm, 9*mm), mm/2, none)
		},
		"nothing": func(*artwork.Sheet) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sameCopper(t, plate(fill))
		})
	}
}

// TestManyHoles cuts a sieve, as planes are: every hole must be there.
func TestManyHoles(t *testing.T) {
	t.Parallel()
	var holes []geom.Path
	for x := range int64(40) {
		for y := range int64(40) {
			c := geom.Pt((x*235+300)*mm/1000, (y*235+300)*mm/1000)
			if (x+y)%2 == 0 {
				holes = append(holes, geom.Circle(c, mm/12))
				continue
			}
			holes = append(holes, geom.Rect(geom.BoxOf(c).Grow(mm/15)))
		}
	}
	sameCopper(t, plate(func(s *artwork.Sheet) {
		s.Region(geom.Polygon{Outer: geom.Circle(centre, 7*mm), Holes: holes}, artwork.Meta{})
	}))
}

// TestHolesOutside take nothing off.
func TestHolesOutside(t *testing.T) {
	t.Parallel()
	square := func(x0, y0, x1, y1 int64) geom.Path {
		return geom.Rect(geom.Box{Min: geom.Pt(x0*mm, y0*mm), Max: geom.Pt(x1*mm, y1*mm)})
	}
	draw := func(holes ...geom.Path) []byte {
		return file(t, plate(func(s *artwork.Sheet) {
			s.Region(geom.Polygon{Outer: square(1, 1, 5, 5), Holes: holes}, artwork.Meta{})
		}), "plate-F_Cu.gbr")
	}
	want := draw(square(2, 2, 3, 3))
	if got := draw(square(7, 7, 9, 9), square(2, 2, 3, 3), square(7, 2, 9, 4), geom.Path{}); !bytes.Equal(want, got) {
		t.Errorf("holes outside were cut (want +got):\n%s\n%s", want, got)
	}
}

// sameCopper compares the top copper of a board with that of its plot.
func sameCopper(t *testing.T, b *pcb.Board) {
	t.Helper()
	got := roundTrip(t, b)
	if n := len(got.Copper()); n != 2 {
		t.Fatalf("%d copper layers, want 2", n)
	}
	opt := render.Options{Width: 500}
	want, err := render.Layer(t.Context(), b, b.Copper()[0], opt)
	if err != nil {
		t.Fatal(err)
	}
	have, err := render.Layer(t.Context(), got, got.Copper()[0], opt)
	if err != nil {
		t.Fatal(err)
	}
	if want.Rect != have.Rect {
		t.Fatalf("%v became %v", want.Rect, have.Rect)
	}
	// Arcs are drawn in chords, and where those begin is free: rims may differ a
	// little, and hardly anything may differ much.
	const rim, wrong = 40, 96 // of 255
	rims, wrongs := 0, 0
	for i := range want.Pix {
		d := max(int(want.Pix[i])-int(have.Pix[i]), int(have.Pix[i])-int(want.Pix[i]))
		if d > wrong {
			wrongs++
		} else if d > rim {
			rims++
		}
	}
	if wrongs > 10 || rims > 100 {
		t.Errorf("of %d pixels %d differ much and %d a little", len(want.Pix), wrongs, rims)
	}
}

func file(t *testing.T, b *pcb.Board, name string) []byte {
	t.Helper()
	files, err := gerberout.Files(b, gerberout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name == name {
			return f.Data
		}
	}
	t.Fatalf("no file %s", name)
	return nil
}

// golden compares with a file of testdata, which -update writes.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		keep(t, name, got)
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s differs: got\n%s\nwant\n%s", name, got, want)
	}
}
