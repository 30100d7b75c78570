package render

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render/pngstream"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

const mm = geom.Millimetre

// sheet is a layer that tests draw on.
type sheet struct{ *pcb.Layer }

func newSheet(r pcb.Role, s pcb.Side) sheet {
	l := pcb.NewLayer(r.String(), r.String()+".gbr")
	l.Role, l.Side = r, s
	return sheet{l}
}

func (s sheet) aperture(a pcb.Aperture) int32 {
	s.Apertures = append(s.Apertures, a)
	return int32(len(s.Apertures) - 1)
}

func (s sheet) flash(a pcb.Aperture, at geom.Point) *pcb.Feature {
	s.Features = append(s.Features, pcb.Feature{Kind: pcb.FlashFeature, A: at, B: at, Shape: s.aperture(a)})
	return &s.Features[len(s.Features)-1]
}

func (s sheet) flashTurned(a pcb.Aperture, at geom.Point, deg float64) {
	f := s.flash(a, at)
	s.Transforms = append(s.Transforms, geom.Transform{Rotation: deg})
	f.Transform = int32(len(s.Transforms) - 1)
}

func (s sheet) edge(a pcb.Aperture, e geom.Edge) *pcb.Feature {
	f := pcb.Feature{Kind: pcb.LineFeature, A: e.A, B: e.B, Shape: s.aperture(a)}
	if e.IsArc() {
		f.Kind, f.Arc = pcb.ArcFeature, int32(len(s.Arcs))
		s.Arcs = append(s.Arcs, pcb.ArcGeometry{Centre: e.Centre, Clockwise: e.Turn == geom.Clockwise})
	}
	s.Features = append(s.Features, f)
	return &s.Features[len(s.Features)-1]
}

func (s sheet) region(p geom.Polygon) *pcb.Feature {
	s.Features = append(s.Features, pcb.Feature{Kind: pcb.RegionFeature, Shape: int32(len(s.Regions))})
	s.Regions = append(s.Regions, p)
	return &s.Features[len(s.Features)-1]
}

func rect(x, y, w, h int64) geom.Path {
	return geom.Rect(geom.Box{Min: geom.Pt(x, y), Max: geom.Pt(x+w, y+h)})
}

// sample is a board of 20 by 12 mm with something of everything.
func sample() *pcb.Board {
	b := pcb.NewBoard("sample")
	outer := geom.Path{Closed: true}
	outer.LineTo(geom.Pt(0, 0))
	outer.LineTo(geom.Pt(18*mm, 0))
	outer.ArcTo(geom.Pt(20*mm, 2*mm), geom.Pt(18*mm, 2*mm), false)
	outer.LineTo(geom.Pt(20*mm, 12*mm))
	outer.LineTo(geom.Pt(0, 12*mm))
	b.Outline = pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: outer, Holes: []geom.Path{rect(14*mm, 7*mm, 3*mm, 2*mm)}}}}

	top := newSheet(pcb.RoleCopper, pcb.Top)
	top.region(geom.Polygon{Outer: rect(mm/2, mm/2, 9*mm, 11*mm)})
	top.flash(pcb.Circle(3*mm), geom.Pt(3*mm, 3*mm)).Clear = true
	top.flash(pcb.Circle(2*mm).PunchHole(mm, 0), geom.Pt(3*mm, 3*mm))
	top.flashTurned(pcb.Rect(3*mm, mm), geom.Pt(12*mm, 4*mm), 30)
	top.flashTurned(pcb.RoundRect(3*mm, 3*mm/2, mm/2), geom.Pt(16*mm, 4*mm), 90)
	top.edge(pcb.Circle(mm/2), geom.Line(geom.Pt(3*mm, 9*mm), geom.Pt(12*mm, 11*mm)))
	top.edge(pcb.Circle(mm/4), geom.ArcEdge(geom.Pt(12*mm, 11*mm), geom.Pt(13*mm, 10*mm), geom.Pt(12*mm, 10*mm), true))
	top.edge(pcb.Rect(mm/2, mm), geom.Line(geom.Pt(18*mm, 6*mm), geom.Pt(19*mm, 10*mm)))
	top.flash(pcb.Custom("thermal", []pcb.Primitive{
		{Kind: pcb.CirclePrimitive, Radius: mm},
		{Kind: pcb.AreaPrimitive, Clear: true, Area: rect(-2*mm, -mm/8, 4*mm, mm/4)},
		{Kind: pcb.CirclePrimitive, Radius: mm / 3},
	}), geom.Pt(7*mm, 4*mm))
	bottom := newSheet(pcb.RoleCopper, pcb.Bottom)
	bottom.flash(pcb.RegularPolygon(4*mm, 5, 90), geom.Pt(5*mm, 6*mm))

	mask := newSheet(pcb.RoleMask, pcb.Top)
	mask.flash(pcb.Circle(2200*geom.Micrometre), geom.Pt(3*mm, 3*mm))
	mask.flashTurned(pcb.Rect(3200*geom.Micrometre, 1200*geom.Micrometre), geom.Pt(12*mm, 4*mm), 30)
	mask.flash(pcb.Rect(4*mm, 2*mm), geom.Pt(7*mm, 4*mm))
	below := newSheet(pcb.RoleMask, pcb.Bottom)
	below.flash(pcb.Circle(3*mm), geom.Pt(5*mm, 6*mm))
	silk := newSheet(pcb.RoleSilk, pcb.Top)
	silk.edge(pcb.Circle(mm/5), geom.Line(geom.Pt(mm, 6*mm), geom.Pt(13*mm, 6*mm)))
	full := geom.Pt(12*mm, 4*mm)
	silk.edge(pcb.Circle(mm/5), geom.ArcEdge(full.Add(geom.Pt(2*mm, 0)), full.Add(geom.Pt(2*mm, 0)), full, false))
	for _, s := range []sheet{top, bottom, mask, below, silk} {
		b.Adopt(s.Layer)
	}
	b.Holes = []pcb.Hole{
		{A: geom.Pt(3*mm, 3*mm), B: geom.Pt(3*mm, 3*mm), Diameter: mm, Plating: pcb.Plated},
		{A: geom.Pt(2*mm, 9*mm), B: geom.Pt(2*mm, 11*mm), Diameter: mm, Kind: pcb.SlotHole},
		{Kind: pcb.RoutedHole, Path: 0, Diameter: mm / 2},
	}
	b.Routes = []geom.Path{{Points: []geom.Point{{X: 10 * mm, Y: 8 * mm}, {X: 12 * mm, Y: 8 * mm}, {X: 12 * mm, Y: 9 * mm}}}}
	return b
}

func TestSideGolden(t *testing.T) {
	t.Parallel()
	for _, side := range []pcb.Side{pcb.Top, pcb.Bottom} {
		img, err := Side(t.Context(), sample(), side, Options{Width: 300})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, side.String()+".png", img)
	}
	b := sample()
	img, err := Layer(t.Context(), b, b.Layers[0], Options{Width: 300})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "copper.png", img)
}

// golden compares a picture with the stored one, pixel by pixel.
func golden(t *testing.T, name string, img image.Image) {
	t.Helper()
	var buf bytes.Buffer
	if err := pngstream.Encode(&buf, img); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(&buf)
	if err != nil {
		t.Fatalf("%s: our PNG cannot be read: %v", name, err)
	}
	if got.Bounds() != want.Bounds() {
		t.Fatalf("%s: %v, want %v", name, got.Bounds(), want.Bounds())
	}
	off := 0
	for y := range got.Bounds().Dy() {
		for x := range got.Bounds().Dx() {
			if far(got.At(x, y), want.At(x, y)) {
				off++
			}
		}
	}
	if off > 0 {
		t.Errorf("%s: %d pixels differ from the golden picture, want none", name, off)
	}
}

// far allows for the last bit of floating point on other machines.
func far(a, b color.Color) bool {
	p, q := color.NRGBAModel.Convert(a).(color.NRGBA), color.NRGBAModel.Convert(b).(color.NRGBA)
	d := func(x, y uint8) bool { return max(x, y)-min(x, y) > 3 }
	return d(p.R, q.R) || d(p.G, q.G) || d(p.B, q.B) || d(p.A, q.A)
}

func TestSidePlaces(t *testing.T) {
	t.Parallel()
	b := sample()
	s := colours(b, Options{})
	tests := []struct {
		what string
		side pcb.Side
		x, y float64 // mm on the board, from the top
		want color.NRGBA
	}{
		{"hole", pcb.Top, 3, 3, color.NRGBA{}},
		{"slot", pcb.Top, 2, 10, color.NRGBA{}},
		{"routed path", pcb.Top, 12, 8.5, color.NRGBA{}},
		{"cutout", pcb.Top, 15, 8, color.NRGBA{}},
		{"outside the rounded corner", pcb.Top, 19.8, 0.2, color.NRGBA{}},
		{"exposed pad", pcb.Top, 3.75, 3, s.Finish},
		{"substrate in the opening round a pad", pcb.Top, 3, 4.05, s.Substrate},
		{"copper under mask", pcb.Top, 5, 10, s.OverCopper},
		{"mask alone", pcb.Top, 17, 10.5, s.Masked},
		{"legend", pcb.Top, 10, 6, s.Silkscreen},
		{"legend is not printed on a pad's opening", pcb.Top, 12 + 1.45*math.Cos(math.Pi/6), 4 + 1.45*math.Sin(math.Pi/6), s.Finish},
		{"bottom pad, where it lies seen from above", pcb.Bottom, 5, 6.5, s.Finish},
		{"bottom has a hole at the same place", pcb.Bottom, 3, 3, color.NRGBA{}},
		{"bottom has no legend", pcb.Bottom, 10, 6, s.Masked},
	}
	const width = 800
	pics := map[pcb.Side]*image.NRGBA{}
	for _, side := range []pcb.Side{pcb.Top, pcb.Bottom} {
		img, err := Side(t.Context(), b, side, Options{Width: width})
		if err != nil {
			t.Fatal(err)
		}
		pics[side] = img
	}
	for _, tt := range tests {
		img := pics[tt.side]
		px := tt.x / 20 * width
		if tt.side == pcb.Bottom {
			px = width - px
		}
		py := float64(img.Rect.Dy()) - tt.y/12*float64(img.Rect.Dy())
		if got := img.NRGBAAt(int(px), int(py)); got != tt.want {
			t.Errorf("%s: %v at %g,%g; want %v", tt.what, got, tt.x, tt.y, tt.want)
		}
	}
}

func TestCoverIsExact(t *testing.T) {
	t.Parallel()
	mm2 := float64(mm) * float64(mm)
	path := geom.Path{Closed: true, Points: []geom.Point{{X: 0, Y: 0}, {X: 3 * mm, Y: mm}, {X: mm, Y: 4 * mm}}}
	tests := []struct {
		name string
		draw func(sheet)
		want float64 // mm²
	}{
		{"circle", func(s sheet) { s.flash(pcb.Circle(2*mm), geom.Pt(mm, mm)) }, math.Pi},
		{"rectangle turned", func(s sheet) { s.flashTurned(pcb.Rect(2*mm, mm), geom.Pt(mm, mm), 33) }, 2},
		{"obround", func(s sheet) { s.flash(pcb.Obround(3*mm, mm), geom.Pt(mm, mm)) }, 2 + math.Pi/4},
		{"rounded rectangle", func(s sheet) { s.flash(pcb.RoundRect(3*mm, 2*mm, mm/2), geom.Pt(mm, mm)) }, 6 - (1-math.Pi/4)*1},
		{"hole", func(s sheet) { s.flash(pcb.Circle(2*mm).PunchHole(mm, 0), geom.Pt(mm, mm)) }, math.Pi * 3 / 4},
		{"line", func(s sheet) { s.edge(pcb.Circle(mm), geom.Line(geom.Pt(0, 0), geom.Pt(3*mm, 4*mm))) }, 5 + math.Pi/4},
		{"line with a square pen", func(s sheet) { s.edge(pcb.Rect(mm, mm), geom.Line(geom.Pt(0, 0), geom.Pt(4*mm, 0))) }, 5},
		{"half circle", func(s sheet) {
			s.edge(pcb.Circle(mm), geom.ArcEdge(geom.Pt(3*mm, 0), geom.Pt(-3*mm, 0), geom.Pt(0, 0), false))
		}, math.Pi*(3.5*3.5-2.5*2.5)/2 + math.Pi/4},
		{"full circle", func(s sheet) {
			s.edge(pcb.Circle(mm), geom.ArcEdge(geom.Pt(3*mm, 0), geom.Pt(3*mm, 0), geom.Pt(0, 0), true))
		}, math.Pi * (3.5*3.5 - 2.5*2.5)},
		{"tight arc", func(s sheet) {
			s.edge(pcb.Circle(2*mm), geom.ArcEdge(geom.Pt(mm/2, 0), geom.Pt(mm/2, 0), geom.Pt(0, 0), true))
		}, math.Pi * 1.5 * 1.5},
		{"region either way round", func(s sheet) {
			s.region(geom.Polygon{Outer: path})
			s.region(geom.Polygon{Outer: geom.Move(geom.Pt(5*mm, 0)).Path(path.Reverse())})
		}, 11},
		{"region with a hole", func(s sheet) {
			s.region(geom.Polygon{Outer: rect(0, 0, 4*mm, 4*mm), Holes: []geom.Path{rect(mm, mm, mm, mm)}})
		}, 15},
		{"overlap counts once", func(s sheet) {
			s.region(geom.Polygon{Outer: rect(0, 0, 2*mm, 2*mm)})
			s.region(geom.Polygon{Outer: rect(mm, 0, 2*mm, 2*mm)})
		}, 6},
		{"clear erases what is before it only", func(s sheet) {
			s.region(geom.Polygon{Outer: rect(0, 0, 4*mm, 4*mm)})
			s.region(geom.Polygon{Outer: rect(0, 0, 2*mm, 4*mm)}).Clear = true
			s.region(geom.Polygon{Outer: rect(0, 0, mm, mm)})
		}, 9},
		{"clear in an aperture spares what lies below", func(s sheet) {
			s.region(geom.Polygon{Outer: rect(-mm, -mm, 2*mm, 2*mm)})
			s.flash(pcb.Custom("c", []pcb.Primitive{
				{Kind: pcb.CirclePrimitive, Radius: 2 * mm}, {Kind: pcb.CirclePrimitive, Radius: 3 * mm / 2, Clear: true},
			}), geom.Point{})
		}, 4 + math.Pi*(4-2.25)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newSheet(pcb.RoleCopper, pcb.Top)
			tt.draw(s)
			box := s.Bounds().Grow(mm / 10)
			v, err := newView(pcb.Meter{}, box, Options{Width: 400}, false)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for _, c := range cover(&v, s.Layer, 1) {
				sum += float64(c) / 255
			}
			got := sum / (v.scale * v.scale) / mm2
			if math.Abs(got-tt.want) > 0.004*tt.want {
				t.Errorf("covers %.4f mm², want %.4f", got, tt.want)
			}
		})
	}
}

func TestNegativeLayer(t *testing.T) {
	t.Parallel()
	s := newSheet(pcb.RoleCopper, pcb.Inner)
	s.flash(pcb.Circle(2*mm), geom.Pt(5*mm, 5*mm))
	s.Negative = true
	b := pcb.NewBoard("x")
	b.Outline = pcb.Outline{Closed: true, Areas: []geom.Polygon{{Outer: rect(0, 0, 10*mm, 10*mm)}}}
	img, err := Layer(t.Context(), b, s.Layer, Options{Width: 100, Colour: color.NRGBA{200, 0, 0, 255}})
	if err != nil {
		t.Fatal(err)
	}
	if c := img.At(50, 50).(color.NRGBA); c.A != 0 {
		t.Errorf("inside the antipad: %v, want nothing drawn", c)
	}
	if c, want := img.At(5, 5).(color.NRGBA), (color.NRGBA{200, 0, 0, 255}); c != want {
		t.Errorf("on the plane: %v, want %v", c, want)
	}
}

func TestManyBandsGiveTheSamePicture(t *testing.T) {
	t.Parallel()
	b := sample()
	v, err := newView(pcb.Meter{}, Extent(b), Options{Width: 2400}, false) // 3.4 million pixels: several bands
	if err != nil {
		t.Fatal(err)
	}
	one, many := cover(&v, b.Layers[0], 1), cover(&v, b.Layers[0], 4)
	if !bytes.Equal(one, many) {
		t.Error("the picture depends on the number of workers")
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	box := geom.Box{Max: geom.Pt(100*mm, 50*mm)}
	thin := geom.Box{Max: geom.Pt(4000*mm, 1)}
	tests := []struct {
		name string
		box  geom.Box
		o    Options
		w, h int
	}{
		{"default", box, Options{}, 1200, 600},
		{"width", box, Options{Width: 500}, 500, 250},
		{"height", box, Options{Height: 100}, 200, 100},
		{"fit", box, Options{Width: 300, Height: 100}, 200, 100},
		{"dpi", box, Options{DPI: 254}, 1000, 500},
		{"margin", box, Options{DPI: 254, Margin: 10 * mm}, 1200, 700},
		{"too many pixels", box, Options{Width: 1_000_000}, 8945, 4473},
		{"a hair", thin, Options{Width: 1 << 30}, 30_000, 1},
	}
	for _, tt := range tests {
		v, err := newView(pcb.Meter{}, tt.box, tt.o, false)
		if err != nil || v.w != tt.w || v.h != tt.h {
			t.Errorf("%s: %d by %d, %v; want %d by %d", tt.name, v.w, v.h, err, tt.w, tt.h)
		}
	}
	if _, err := Side(t.Context(), pcb.NewBoard("x"), pcb.Top, Options{}); !errors.Is(err, ErrNothing) {
		t.Errorf("an empty board gives %v", err)
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	t.Parallel()
	b := sample()
	write := map[string]func(io.Writer) error{
		"top":    func(w io.Writer) error { return SVG(t.Context(), w, b, pcb.Top, Options{}) },
		"bottom": func(w io.Writer) error { return SVG(t.Context(), w, b, pcb.Bottom, Options{Width: 500, ID: "p1-"}) },
		"layer":  func(w io.Writer) error { return LayerSVG(t.Context(), w, b, b.Layers[0], Options{}) },
	}
	for name, f := range write {
		var buf bytes.Buffer
		if err := f(&buf); err != nil {
			t.Fatal(err)
		}
		ids, refs := map[string]bool{}, []string{}
		d := xml.NewDecoder(bytes.NewReader(buf.Bytes()))
		for {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := tok.(xml.StartElement); ok {
				for _, a := range e.Attr {
					switch {
					case a.Name.Local == "id" && ids[a.Value]:
						t.Errorf("%s: id %q twice", name, a.Value)
					case a.Name.Local == "id":
						ids[a.Value] = true
					case a.Name.Local == "href":
						refs = append(refs, strings.TrimPrefix(a.Value, "#"))
					case a.Name.Local == "mask":
						refs = append(refs, strings.TrimSuffix(strings.TrimPrefix(a.Value, "url(#"), ")"))
					}
				}
			}
		}
		for _, r := range refs {
			if !ids[r] {
				t.Errorf("%s: %q is referred to but not there", name, r)
			}
		}
		if len(refs) == 0 {
			t.Errorf("%s: no references", name)
		}
	}
}

// TestSVGCountsWhatIsDrawn: a stroke of a shape with arcs costs what its corners cost.
func TestSVGCountsWhatIsDrawn(t *testing.T) {
	t.Parallel()
	b := sample()
	l := b.Layers[0]
	l.Apertures = append(l.Apertures, pcb.Aperture{Kind: pcb.MacroShape, X: 10 * mm, Y: 10 * mm, Primitives: []pcb.Primitive{{Kind: pcb.CirclePrimitive, Radius: 5 * mm}}})
	f := pcb.Feature{Kind: pcb.LineFeature, B: geom.Point{X: mm}, Shape: int32(len(l.Apertures) - 1)}
	for range 2000 {
		l.Features = append(l.Features, f)
	}
	ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Steps: 1_000_000})
	defer end()
	err := LayerSVG(ctx, io.Discard, b, l, Options{})
	if _, ok := errors.AsType[*pcb.TooComplex](err); !ok {
		t.Errorf("2000 strokes of a macro within a million steps: %v", err)
	}
}

func TestColours(t *testing.T) {
	t.Parallel()
	b := pcb.NewBoard("x")
	b.Facts.MaskColour = pcb.State("Matte Black", pcb.Source{}, 1, "")
	b.Facts.Finish = pcb.State("HAL lead-free", pcb.Source{}, 1, "")
	s := colours(b, Options{})
	if masked, finish := rgb(0x121314), rgb(0xc4c8cc); s.Masked != masked || s.Finish != finish {
		t.Errorf("the board's own colours: mask %v, finish %v; want %v, %v", s.Masked, s.Finish, masked, finish)
	}
	masked, silkscreen := rgb(0xdfe1dd), rgb(0x16181a)
	if s := colours(b, Options{Mask: "White"}); s.Masked != masked || s.Silkscreen != silkscreen {
		t.Errorf("white mask: mask %v, legend %v; want %v, %v", s.Masked, s.Silkscreen, masked, silkscreen)
	}
}

// TestSideMap: a map shows what the picture shows, but for the last shade of edges.
func TestSideMap(t *testing.T) {
	t.Parallel()
	b := sample()
	for _, side := range []pcb.Side{pcb.Top, pcb.Bottom} {
		want, err := Side(t.Context(), b, side, Options{Width: 600})
		if err != nil {
			t.Fatal(err)
		}
		got, err := SideMap(t.Context(), b, side, Options{Width: 600})
		if err != nil || got.Rect != want.Rect {
			t.Fatalf("%v side as a map: %v, %v; want %v", side, got, err, want.Rect)
		}
		off := 0
		for y := range want.Rect.Dy() {
			for x := range want.Rect.Dx() {
				g, w := got.At(x, y).(color.NRGBA), want.NRGBAAt(x, y)
				if w.A != 255 { // the edge of the board
					continue
				}
				if absDiff(g.R, w.R) > 24 || absDiff(g.G, w.G) > 24 || absDiff(g.B, w.B) > 24 || g.A != 255 {
					off++
				}
			}
		}
		if all := want.Rect.Dx() * want.Rect.Dy(); off*200 > all {
			t.Errorf("%v: %d of %d pixels differ, want %d at most", side, off, all, all/200)
		}
	}
}

func absDiff(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
