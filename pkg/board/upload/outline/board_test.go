package outline

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestSheetOnAllFilms: areas that are filled on the mask make a piece of board, but those that
// the outline's layer fills too are a drawing's letters, and so are those of one line.
func TestSheetOnAllLayerFiles(t *testing.T) {
	t.Parallel()
	box, title, in := rect(0, 0, 10*mm, 8*mm), rect(20*mm, 0, 40*mm, 30*mm), geom.Pt(5*mm, 5*mm)
	at := func(places ...geom.Point) (out []geom.Polygon) {
		for i, p := range places {
			high := mm + int64(i%2)*mm/2 // letters are not all as tall
			out = append(out, geom.Polygon{Outer: geom.Rect(geom.Box{Min: p, Max: geom.Pt(p.X+mm, p.Y+high)})})
		}
		return out
	}
	level := at(geom.Pt(25*mm, 5*mm), geom.Pt(27*mm, 5*mm), geom.Pt(29*mm, 5*mm), geom.Pt(31*mm, 5*mm))
	upright := at(geom.Pt(25*mm, 5*mm), geom.Pt(25*mm, 7*mm), geom.Pt(25*mm, 9*mm))
	grid := at(geom.Pt(25*mm, 5*mm), geom.Pt(35*mm, 5*mm), geom.Pt(25*mm, 15*mm), geom.Pt(35*mm, 15*mm))
	for _, c := range []struct {
		name     string
		mask     []geom.Polygon
		repeated bool // on the outline's layer
		pieces   int
	}{
		{"openings in rows", grid, false, 2},
		{"one opening", grid[:1], false, 2},
		{"two openings", level[:2], false, 2},
		{"a line of letters", level, false, 1},
		{"letters upright", upright, false, 1},
		{"what the sheet fills on all films", grid, true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(concat(box, title), in)
			b.Adopt(lines(pcb.RoleCopper, []geom.Edge{geom.Line(geom.Pt(22*mm, 2*mm), geom.Pt(55*mm, 2*mm))}))
			mask := pcb.NewLayer("mask", "mask.gbr")
			mask.Role = pcb.RoleMask
			fill := func(l *pcb.Layer) {
				for _, p := range c.mask {
					l.Features = append(l.Features, pcb.Feature{Kind: pcb.RegionFeature, Shape: int32(len(l.Regions)), A: p.Outer.Points[0]})
					l.Regions = append(l.Regions, p)
				}
			}
			fill(mask)
			b.Adopt(mask)
			if c.repeated {
				fill(b.Find(pcb.RoleOutline, pcb.NoSide)[0])
				fill(b.Copper()[0])
			}
			Shape(t.Context(), b)
			if len(b.Outline.Areas) != c.pieces {
				t.Errorf("%d pieces, want %d: %+v", len(b.Outline.Areas), c.pieces, b.Findings)
			}
		})
	}
}

// boardWithPads makes a board whose outline layer draws edges, with copper pads at places.
func boardWithPads(edges []geom.Edge, pads ...geom.Point) *pcb.Board {
	b := pcb.NewBoard("b")
	b.Adopt(lines(pcb.RoleOutline, edges))
	copper := pcb.NewLayer("top", "top.gbr")
	copper.Role = pcb.RoleCopper
	copper.Apertures = []pcb.Aperture{pcb.Circle(mm)}
	for _, p := range pads {
		copper.Features = append(copper.Features, pcb.Feature{Kind: pcb.FlashFeature, A: p, B: p})
	}
	b.Adopt(copper)
	return b
}

func lines(r pcb.Role, edges []geom.Edge) *pcb.Layer {
	l := pcb.NewLayer(r.String(), r.String()+".gbr")
	l.Role = r
	l.Apertures = []pcb.Aperture{pcb.Circle(mm / 10)}
	for _, e := range edges {
		f := pcb.Feature{A: e.A, B: e.B}
		if e.IsArc() {
			f.Kind, f.Arc = pcb.ArcFeature, int32(len(l.Arcs))
			l.Arcs = append(l.Arcs, pcb.ArcGeometry{Centre: e.Centre, Clockwise: e.Turn == geom.Clockwise})
		}
		l.Features = append(l.Features, f)
	}
	return l
}

// TestDoubtfulSize: where a line parts the board from an empty strip, or runs close inside its
// edge, both sizes are told in a warning; drawings elsewhere and sheets round the board are notes.
func TestDoubtfulSize(t *testing.T) {
	t.Parallel()
	box := rect(0, 0, 60*mm, 40*mm)
	across := func(x0, y0, x1, y1 int64) []geom.Edge {
		return []geom.Edge{geom.Line(geom.Pt(x0*mm, y0*mm), geom.Pt(x1*mm, y1*mm))}
	}
	notch := func(x, width, depth int64) []geom.Edge { // from above the board
		at := func(x, y int64) geom.Point { return geom.Pt(x*mm, y*mm) }
		return []geom.Edge{geom.Line(at(x, 42), at(x, 40-depth)), geom.Line(at(x, 40-depth), at(x+width, 40-depth)), geom.Line(at(x+width, 40-depth), at(x+width, 42))}
	}
	for name, c := range map[string]struct {
		more  []geom.Edge
		code  string
		level pcb.Level
		says  []string
	}{
		"a line across":                        {across(0, 35, 60, 35), "outline_drawing", pcb.Warning, []string{"60.00 x 40.00", "60.00 x 35.00"}},
		"an oblique line":                      {across(0, 20, 60, 38), "outline_drawing", pcb.Warning, []string{"60.00 x 40.00", "60.00 x 38.00"}},
		"a chord at a corner":                  {across(40, 40, 60, 30), "outline_drawing", pcb.Warning, []string{"60.00 x 40.00"}},
		"a strip beside":                       {rect(60*mm, 0, 3*mm, 40*mm), "outline_drawing", pcb.Warning, []string{"63.00 x 40.00", "60.00 x 40.00"}},
		"a table that touches":                 {rect(60*mm, 0, 30*mm, 8*mm), "outline_drawing", pcb.Note, nil},
		"a shape across the edge":              {rect(10*mm, 38*mm, 40*mm, 5*mm), "outline_drawing", pcb.Warning, []string{"40.00 x 5.00"}},
		"a notch that is open beyond the edge": {notch(20, 6, 12), "outline_drawing", pcb.Warning, []string{"6.00 x 14.00"}},
		"a notch of a letter's depth":          {notch(20, 6, 1), "outline_stray_lines", pcb.Note, nil},
		"a line across both edges":             {across(-2, 20, 62, 20), "outline_stray_lines", pcb.Note, nil},
		"a line that ends within":              {notch(20, 6, 12)[:2], "outline_stray_lines", pcb.Note, nil},
		"a shape over two corners":             {rect(-2*mm, 38*mm, 64*mm, 5*mm), "outline_drawing", pcb.Warning, []string{"64.00 x 5.00"}},
		"a letter across the edge":             {rect(10*mm, 39*mm+mm/2, mm/2, mm), "outline_drawing", pcb.Note, nil},
		"a shape just over the edge":           {rect(10*mm, 39*mm+9*mm/10, 40*mm, 5*mm), "outline_drawing", pcb.Note, nil},
		"a table elsewhere":                    {rect(70*mm, 0, 30*mm, 40*mm), "outline_drawing", pcb.Note, nil},
		"a line close inside":                  {rect(2*mm, 2*mm, 56*mm, 36*mm), "outline_frame", pcb.Warning, []string{"60.0 x 40.0", "56.0 x 36.0"}},
		"a line far outside":                   {rect(-20*mm, -20*mm, 100*mm, 80*mm), "outline_frame", pcb.Note, nil},
		"a sheet with a double frame":          {concat(rect(-20*mm, -20*mm, 100*mm, 80*mm), rect(-22*mm, -22*mm, 104*mm, 84*mm)), "outline_frame", pcb.Note, nil},
		"a line five millimetres off":          {rect(-5*mm, -5*mm, 70*mm, 50*mm), "outline_frame", pcb.Note, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(concat(box, c.more), geom.Pt(20*mm, 10*mm), geom.Pt(30*mm, 12*mm))
			Shape(t.Context(), b)
			i := slices.IndexFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == c.code })
			if i < 0 || b.Findings[i].Level != c.level {
				t.Fatalf("findings %+v, want %s as a %v", b.Findings, c.code, c.level)
			}
			for _, size := range c.says {
				if !strings.Contains(b.Findings[i].Message, size) {
					t.Errorf("%q does not say %s", b.Findings[i].Message, size)
				}
			}
		})
	}
}

func TestShape(t *testing.T) {
	t.Parallel()
	in := geom.Pt(5*mm, 5*mm)
	box := rect(0, 0, 10*mm, 8*mm)
	tests := []struct {
		name          string
		edges         []geom.Edge
		pads          []geom.Point
		width, height int64
		pieces, holes int
		closed        bool
		findings      string
	}{
		{"plain", box, []geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, ""},
		{"drawn twice", concat(box, box), []geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, ""},
		{"drawn twice, 0.04 mm apart", concat(box, rect(40_000, 40_000, 10*mm, 8*mm)), []geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_twice"},
		{"drawn twice on a sheet", concat(rect(-50*mm, -50*mm, 200*mm, 200*mm), box, rect(40_000, 0, 10*mm, 8*mm)),
			[]geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_frame outline_twice"},
		{"drawn twice, with a cutout the second time", concat(box, rect(40_000, 40_000, 10*mm, 8*mm), rect(8*mm, 6*mm, mm, mm)),
			[]geom.Point{in}, 10 * mm, 8 * mm, 1, 1, true, "outline_twice"},
		{"two edges 0.2 mm apart", concat(box, rect(200_000, 200_000, 10*mm, 8*mm)), []geom.Point{in}, 10_200_000, 8_200_000, 2, 0, true, ""},
		{"two edges, one with a corner off", concat(box, polyline(40_000, 40_000, 10_040_000, 40_000, 10_040_000, 7*mm, 9*mm, 8_040_000, 40_000, 8_040_000, 40_000, 40_000)),
			[]geom.Point{in}, 10_040_000, 8_040_000, 2, 0, true, ""},
		{"cutout", concat(box, rect(mm, mm, mm, mm)), []geom.Point{in}, 10 * mm, 8 * mm, 1, 1, true, ""},
		{"no copper anywhere", concat(box, []geom.Edge{circle(5*mm, 4*mm, mm)}), nil, 10 * mm, 8 * mm, 1, 1, true, ""},
		{"sheet frame", concat(box, rect(-50*mm, -50*mm, 200*mm, 200*mm)), []geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_frame"},
		{"two frames", concat(box, rect(-50*mm, -50*mm, 200*mm, 200*mm), rect(-51*mm, -51*mm, 202*mm, 202*mm)),
			[]geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_frame outline_frame"},
		{"title block beside", concat(box, rect(20*mm, 0, 30*mm, 10*mm)), []geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_drawing"},
		{"a panel of which one cell is filled", concat(box, rect(10*mm, 0, 10*mm, 8*mm), rect(20*mm, 0, 10*mm, 8*mm)),
			[]geom.Point{in}, 0, 0, 1, 0, true, "outline_repeated"},
		{"the board and an empty shape of its size", concat(box, rect(20*mm, 0, 10*mm, 8*mm)),
			[]geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_repeated"},
		{"the board and empty shapes of other sizes", concat(box, rect(20*mm, 0, 11*mm, 8*mm), rect(40*mm, 0, 11*mm, 8*mm)),
			[]geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_drawing"},
		{"dimension line beside", concat(box, []geom.Edge{geom.Line(geom.Pt(0, -5*mm), geom.Pt(10*mm, -5*mm))}),
			[]geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, ""},
		{"line across", concat(box, []geom.Edge{geom.Line(geom.Pt(mm, mm), geom.Pt(9*mm, 2*mm))}),
			[]geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_stray_lines"},
		{"two boards", concat(box, rect(20*mm, 0, 10*mm, 8*mm)), []geom.Point{in, geom.Pt(25*mm, 5*mm)}, 30 * mm, 8 * mm, 2, 0, true, ""},
		{"rails of a panel", concat(box, rect(10*mm, 0, 10*mm, 8*mm), rect(0, 9*mm, 20*mm, 3*mm)),
			[]geom.Point{in, geom.Pt(15*mm, 5*mm)}, 20 * mm, 12 * mm, 3, 0, true, ""},
		{"rails on both sides of a board", concat(box, rect(0, 8*mm, 10*mm, 2*mm), rect(0, -2*mm, 10*mm, 2*mm)), []geom.Point{in}, 10 * mm, 12 * mm, 3, 0, true, ""},
		{"upright rails on both sides of a board", concat(box, rect(10*mm, 0, 2*mm, 8*mm), rect(-3*mm, 0, 3*mm, 8*mm)), []geom.Point{in}, 15 * mm, 8 * mm, 3, 0, true, ""},
		{"a table on one side of a board", concat(box, rect(0, 8*mm, 10*mm, 2*mm)), []geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_drawing"},
		{"shorter tables on both sides of a board", concat(box, rect(0, 8*mm, 8*mm, 2*mm), rect(0, -2*mm, 8*mm, 2*mm)), []geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_drawing"},
		{"gap of 0.3 mm", []geom.Edge{geom.Line(geom.Pt(300_000, 0), geom.Pt(10*mm, 0)), box[1], box[2], box[3]},
			[]geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_gap"},
		{"gap of 0.02 mm", []geom.Edge{geom.Line(geom.Pt(20_000, 0), geom.Pt(10*mm, 0)), box[1], box[2], box[3]},
			[]geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_gap_tiny"},
		{"gap of 1.5 mm", []geom.Edge{geom.Line(geom.Pt(1_500_000, 0), geom.Pt(10*mm, 0)), box[1], box[2], box[3]},
			[]geom.Point{in}, 10 * mm, 8 * mm, 1, 0, false, "outline_open"},
		{"a side runs on beyond a round corner, a gap of 0.06 mm at another", runOn(60_000),
			[]geom.Point{in}, 10 * mm, 8 * mm, 1, 0, true, "outline_gap"},
		{"a side runs on beyond a round corner, a gap of 1.5 mm at another", runOn(1_500_000),
			[]geom.Point{in}, 10 * mm, 8 * mm, 0, 0, false, "outline_open"},
		{"a side missing", box[1:], []geom.Point{in}, 10 * mm, 8 * mm, 0, 0, false, "outline_open"},
		{"nothing drawn", nil, []geom.Point{in}, 0, 0, 0, 0, false, "outline_missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(tt.edges, tt.pads...)
			Shape(t.Context(), b)
			if w, h := b.Facts.Width.Value, b.Facts.Height.Value; w != tt.width || h != tt.height {
				t.Errorf("size %d by %d, want %d by %d", w, h, tt.width, tt.height)
			}
			holes := 0
			for _, a := range b.Outline.Areas {
				holes += len(a.Holes)
			}
			if len(b.Outline.Areas) != tt.pieces || holes != tt.holes || b.Outline.Closed != tt.closed {
				t.Errorf("%d pieces, %d cutouts, closed %v; want %d, %d, %v", len(b.Outline.Areas), holes, b.Outline.Closed,
					tt.pieces, tt.holes, tt.closed)
			}
			var codes []string
			for _, f := range b.Findings {
				codes = append(codes, f.Code)
				if f.File == "" || f.Code != "outline_missing" && f.At == nil {
					t.Errorf("%s names no file or no place: %+v", f.Code, f)
				}
			}
			if got := strings.Join(codes, " "); got != tt.findings {
				t.Errorf("findings %q, want %q: %+v", got, tt.findings, b.Findings)
			}
		})
	}
}

// TestShapeOnSeveralLayers: a line that three layer files draw alike is the board's edge;
// in two it may be a drawing, and far outside of the copper it is a frame.
// TestPiecesThatAreNoBoard: a shape that holds strokes alone, plotted on copper as well, is no
// board where another one has holes, pads or openings of the mask.
func TestPiecesThatAreNoBoard(t *testing.T) {
	t.Parallel()
	box, in := rect(0, 0, 10*mm, 8*mm), geom.Pt(5*mm, 5*mm)
	title, row := rect(20*mm, 0, 40*mm, 30*mm), geom.Line(geom.Pt(22*mm, 5*mm), geom.Pt(55*mm, 5*mm))
	for _, c := range []struct {
		name     string
		pads     []geom.Point // flashed on copper
		hole     []geom.Point
		mask     []geom.Point
		width    int64
		pieces   int
		findings string
	}{
		{"a title block", []geom.Point{in}, nil, nil, 10 * mm, 1, "outline_drawing"},
		{"strokes only, on both", nil, nil, nil, 60 * mm, 2, ""},
		{"a pad in both", []geom.Point{in, geom.Pt(30*mm, 20*mm)}, nil, nil, 60 * mm, 2, ""},
		{"a hole in the other", []geom.Point{in}, []geom.Point{geom.Pt(30*mm, 20*mm)}, nil, 60 * mm, 2, ""},
		{"an opening in the other", []geom.Point{in}, nil, []geom.Point{geom.Pt(30*mm, 20*mm)}, 60 * mm, 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := boardWithPads(concat(box, title), c.pads...)
			b.Adopt(lines(pcb.RoleCopper, []geom.Edge{row, geom.Line(geom.Pt(2*mm, 2*mm), geom.Pt(4*mm, 2*mm))}))
			mask := pcb.NewLayer("mask", "mask.gbr")
			mask.Role, mask.Apertures = pcb.RoleMask, []pcb.Aperture{pcb.Circle(mm)}
			for _, p := range c.mask {
				mask.Features = append(mask.Features, pcb.Feature{Kind: pcb.FlashFeature, A: p, B: p})
			}
			b.Adopt(mask)
			for _, p := range c.hole {
				b.Holes = append(b.Holes, pcb.Hole{A: p, B: p, Diameter: mm})
			}
			Shape(t.Context(), b)
			if got := b.Outline.Bounds().Width(); got != c.width || len(b.Outline.Areas) != c.pieces {
				t.Errorf("%d pieces, %d nm wide; want %d, %d", len(b.Outline.Areas), got, c.pieces, c.width)
			}
			if n := len(b.Findings); n > 1 || n == 1 && (b.Findings[0].Code != c.findings || b.Findings[0].Level != pcb.Warning) || n == 0 && c.findings != "" {
				t.Errorf("findings %+v, want the warning %q or none", b.Findings, c.findings)
			}
		})
	}
}

func TestShapeOnSeveralLayers(t *testing.T) {
	t.Parallel()
	near, far := rect(0, 0, 10*mm, 8*mm), rect(-4*mm, -4*mm, 18*mm, 16*mm)
	for name, tt := range map[string]struct {
		shapes [][]geom.Edge // of one layer file each
		want   string
	}{
		"three films":           {[][]geom.Edge{near, near, near}, "outline_repeated"},
		"two films":             {[][]geom.Edge{near, near}, "outline_elsewhere"},
		"three different lines": {[][]geom.Edge{near, rect(0, 0, 10*mm, 9*mm), rect(0, 0, 11*mm, 8*mm)}, "outline_elsewhere"},
		"a frame in each film":  {[][]geom.Edge{far, far, far}, "outline_elsewhere"},
	} {
		b := boardWithPads(nil, geom.Pt(9*mm, 7*mm), geom.Pt(mm, mm))
		b.Layers = b.Layers[1:] // without the outline layer
		for i, edges := range tt.shapes {
			l := lines(pcb.RoleFabDrawing, edges)
			l.File = string(rune('a'+i)) + ".gbr"
			b.Adopt(l)
		}
		Shape(t.Context(), b)
		if len(b.Findings) != 1 || b.Findings[0].Code != tt.want || b.Facts.Width.Confidence > 0.9 {
			t.Errorf("%s: findings %+v, sure by %g; want %s, 0.9 at most", name, b.Findings, b.Facts.Width.Confidence, tt.want)
		}
	}
}

// TestEdgeInTheCopper: the edge that several layer files draw is no copper of the layer files of
// copper, but tracks that end on it are, and what has a net.
func TestEdgeInTheCopper(t *testing.T) {
	t.Parallel()
	edge := rect(0, 0, 10*mm, 8*mm)
	for name, tt := range map[string]struct {
		layerFiles int // besides the copper's
		net        int32
		want       int // strokes that are left
	}{"in two films besides": {2, 0, 2}, "in one film besides": {1, 0, 6}, "of a net": {2, 1, 6}} {
		b := boardWithPads(nil)
		b.Layers = nil
		copper := lines(pcb.RoleCopper, concat(edge, []geom.Edge{geom.Line(geom.Pt(2*mm, 2*mm), geom.Pt(10*mm, 2*mm)), geom.Line(geom.Pt(2*mm, 7*mm), geom.Pt(8*mm, 7*mm))}))
		for i := range int64(400) {
			p := geom.Pt(mm+i%20*400_000, mm+i/20*300_000)
			copper.Features = append(copper.Features, pcb.Feature{Kind: pcb.FlashFeature, A: p, B: p})
		}
		b.Adopt(copper)
		for i := range copper.Features {
			copper.Features[i].Net = tt.net
		}
		for i := range tt.layerFiles {
			l := lines(pcb.RoleFabDrawing, edge)
			l.File = string(rune('a'+i)) + ".gbr"
			b.Adopt(l)
		}
		Shape(t.Context(), b)
		left := 0
		for i := range copper.Features {
			if copper.Features[i].Kind == pcb.LineFeature {
				left++
			}
		}
		if left != tt.want || b.Facts.Width.Value != 10*mm {
			t.Errorf("%s: %d strokes are left in the copper, want %d; %+v", name, left, tt.want, b.Findings)
		}
	}
}

func TestShapeOnAnotherLayer(t *testing.T) {
	t.Parallel()
	b := boardWithPads(nil, geom.Pt(5*mm, 5*mm), geom.Pt(2*mm, 2*mm))
	b.Layers = b.Layers[1:] // without the outline layer
	frame, board1 := rect(-50*mm, -50*mm, 200*mm, 200*mm), rect(0, 0, 10*mm, 8*mm)
	b.Adopt(lines(pcb.RoleFabDrawing, concat(frame, board1, rect(4*mm, 4*mm, mm, mm))))
	Shape(t.Context(), b)
	if b.Facts.Width.Value != 10*mm || b.Facts.Height.Value != 8*mm || len(b.Findings) != 1 || b.Findings[0].Code != "outline_elsewhere" {
		t.Errorf("%d by %d nm, findings %+v; want 10 by 8 mm, outline_elsewhere", b.Facts.Width.Value, b.Facts.Height.Value, b.Findings)
	}
	if b.Facts.Width.Confidence > 0.9 {
		t.Errorf("sure of the width by %g, want 0.9 at most", b.Facts.Width.Confidence)
	}
	none := boardWithPads(nil, geom.Pt(5*mm, 5*mm))
	none.Layers = none.Layers[1:]
	Shape(t.Context(), none)
	if none.Facts.Width.Known || len(none.Findings) != 1 || none.Findings[0].Code != "outline_missing" {
		t.Errorf("width known %v, findings %+v; want false, outline_missing", none.Facts.Width.Known, none.Findings)
	}
}

// TestShapeOfLegendOrDrawing: of a frame in the silkscreen and one close round it on a
// mechanical layer the latter is the edge; far round it, it is a drawing's.
func TestShapeOfSilkscreenOrDrawing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		role  pcb.Role
		apart int64
		want  int64 // width
	}{
		"mechanical, 0.1 mm round it": {pcb.RoleMechanical, mm / 10, 10*mm + mm/5},
		"mechanical, 2 mm round it":   {pcb.RoleMechanical, 2 * mm, 14 * mm},
		"mechanical, 3 mm round it":   {pcb.RoleMechanical, 3 * mm, 10 * mm},
		"another legend round it":     {pcb.RoleSilk, mm / 10, 10 * mm},
	} {
		b := boardWithPads(nil, geom.Pt(9*mm, 7*mm), geom.Pt(mm, mm))
		b.Layers = b.Layers[1:] // without the outline layer
		b.Adopt(lines(pcb.RoleSilk, rect(0, 0, 10*mm, 8*mm)))
		b.Adopt(lines(tt.role, rect(-tt.apart, -tt.apart, 10*mm+2*tt.apart, 8*mm+2*tt.apart)))
		Shape(t.Context(), b)
		if b.Facts.Width.Value != tt.want {
			t.Errorf("%s: %.2f mm wide, want %.2f; %+v", name, geom.Millimetres(b.Facts.Width.Value), geom.Millimetres(tt.want), b.Findings)
		}
	}
}

// TestShapeRoundPour: the line that a pour is rimmed with is not the edge where another
// line goes round it; alone it is the best guess.
func TestShapeRoundPour(t *testing.T) {
	t.Parallel()
	rim, edge := rect(mm, mm, 8*mm, 6*mm), rect(0, 0, 10*mm, 8*mm)
	band := func(y, height int64) geom.Polygon {
		return geom.Polygon{Outer: geom.Path{Points: []geom.Point{{X: mm + 60_000, Y: y}, {X: 9*mm - 60_000, Y: y}, {X: 9*mm - 60_000, Y: y + height}, {X: mm + 60_000, Y: y + height}}, Closed: true}}
	}
	whole := []geom.Polygon{band(mm+60_000, 2*mm), band(3*mm+60_000, 4*mm-120_000)}
	for name, tt := range map[string]struct {
		edges []geom.Edge
		fills []geom.Polygon
		want  int64 // width
	}{
		"a pour in two pieces, its rim and the edge":   {concat(rim, edge), whole, 10 * mm},
		"a pour and its rim":                           {rim, whole, 8 * mm},
		"two lines without a pour":                     {concat(rim, edge), nil, 8 * mm},
		"a pour in a part of what the line goes round": {concat(rim, edge), whole[:1], 8 * mm},
	} {
		b := boardWithPads(nil)
		b.Layers = nil
		copper := lines(pcb.RoleCopper, tt.edges)
		for i := range int64(600) { // what stands beside the board is little
			p := geom.Pt(2*mm+i%30*200_000, 2*mm+i/30*200_000)
			copper.Features = append(copper.Features, pcb.Feature{Kind: pcb.FlashFeature, A: p, B: p})
		}
		for _, fill := range tt.fills {
			copper.Features = append(copper.Features, pcb.Feature{Kind: pcb.RegionFeature, Shape: int32(len(copper.Regions))})
			copper.Regions = append(copper.Regions, fill)
		}
		b.Adopt(copper)
		Shape(t.Context(), b)
		if b.Facts.Width.Value != tt.want {
			t.Errorf("%s: %.2f mm wide, want %.2f; %+v", name, geom.Millimetres(b.Facts.Width.Value), geom.Millimetres(tt.want), b.Findings)
		}
	}
}

// TestShapeWithHolesElsewhere: holes of which most lie beside the copper do not tell where
// the board is; holes of which some do, are the board's.
func TestShapeWithHolesElsewhere(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		moved int
		found bool
	}{"none moved": {0, true}, "a third": {10, false}, "all but a third": {20, true}, "all": {30, true}} {
		b := boardWithPads(nil)
		b.Layers = nil
		copper := lines(pcb.RoleCopper, nil)
		for i := range int64(30) {
			p := geom.Pt(mm+i%10*800_000, mm+i/10*mm)
			copper.Features = append(copper.Features, pcb.Feature{Kind: pcb.FlashFeature, A: p, B: p})
			if int(i) < tt.moved {
				p.Y += 100 * mm
			}
			b.Holes = append(b.Holes, pcb.Hole{A: p, B: p, Diameter: mm / 2})
		}
		b.Adopt(copper)
		b.Adopt(lines(pcb.RoleSilk, rect(0, 0, 10*mm, 8*mm)))
		Shape(t.Context(), b)
		if b.Facts.Width.Known != tt.found {
			t.Errorf("%s: width %+v, findings %+v; want a known width: %v", name, b.Facts.Width, b.Findings, tt.found)
		}
	}
}

// TestShapeAcrossTracks: a drawn shape that tracks run across is that of something else,
// while lines along it, and tracks that end on it, speak for it.
func TestShapeAcrossTracks(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		track geom.Edge
		found bool
	}{
		"within":     {geom.Line(geom.Pt(2*mm, 2*mm), geom.Pt(8*mm, 6*mm)), true},
		"along":      {geom.Line(geom.Pt(0, 0), geom.Pt(10*mm, 0)), true},
		"up to it":   {geom.Line(geom.Pt(5*mm, 5*mm), geom.Pt(10*mm, 5*mm)), true},
		"a slip out": {geom.Line(geom.Pt(5*mm, 5*mm), geom.Pt(10_050_000, 5*mm)), true},
		"across":     {geom.Line(geom.Pt(5*mm, 5*mm), geom.Pt(10_200_000, 5*mm)), false},
		"beside it":  {geom.Line(geom.Pt(12*mm, 5*mm), geom.Pt(14*mm, 5*mm)), true},
	} {
		b := boardWithPads(nil)
		b.Layers = nil
		copper := lines(pcb.RoleCopper, []geom.Edge{tt.track})
		for i := range int64(60) { // pads, so that what stands beside the board is little
			p := geom.Pt(mm+i%10*800_000, mm+i/10*mm)
			copper.Features = append(copper.Features, pcb.Feature{Kind: pcb.FlashFeature, A: p, B: p})
		}
		b.Adopt(copper)
		b.Adopt(lines(pcb.RoleSilk, rect(0, 0, 10*mm, 8*mm)))
		Shape(t.Context(), b)
		want := map[bool]string{true: "outline_elsewhere", false: "outline_missing"}[tt.found]
		if len(b.Findings) != 1 || b.Findings[0].Code != want || b.Facts.Width.Known != tt.found {
			t.Errorf("%s: %+v, width %+v; want %s", name, b.Findings, b.Facts.Width, want)
		}
	}
}

func TestGapIsNamedWithPlaceAndSize(t *testing.T) {
	t.Parallel()
	box := rect(0, 0, 10*mm, 8*mm)
	b := boardWithPads([]geom.Edge{geom.Line(geom.Pt(400_000, 0), geom.Pt(10*mm, 0)), box[1], box[2], box[3]}, geom.Pt(5*mm, 5*mm))
	Shape(t.Context(), b)
	if len(b.Findings) != 1 {
		t.Fatalf("findings %+v, want one", b.Findings)
	}
	f := b.Findings[0]
	if ends := [2]geom.Point{*f.At, *f.To}; f.Size != 400_000 || ends != [2]geom.Point{{}, {X: 400_000}} && ends != [2]geom.Point{{X: 400_000}, {}} || !strings.Contains(f.Message, "0.400 mm") {
		t.Errorf("%+v from %v to %v, want a gap of 400000 nm between 0, 0 and 400000, 0 that is called 0.400 mm", f, *f.At, *f.To)
	}
}

// TestManyLooseEnds keeps joining near linear in the number of chains.
func TestManyLooseEnds(t *testing.T) {
	t.Parallel()
	var edges []geom.Edge
	for i := range int64(20_000) {
		x, y := i%200*3*mm, i/200*3*mm
		edges = append(edges, geom.Line(geom.Pt(x, y), geom.Pt(x+2*mm, y+mm)))
	}
	if r := Find(t.Context(), edges); len(r.Outline.Open) == 0 || len(r.Outline.Areas) != 0 {
		t.Errorf("%d open, %d closed; want some open, none closed", len(r.Outline.Open), len(r.Outline.Areas))
	}
}

// runOn is a board of 10 by 8 mm with a round corner, beyond which one side runs on, and a
// gap at the opposite corner.
func runOn(gap int64) []geom.Edge {
	return []geom.Edge{
		geom.Line(geom.Pt(0, 0), geom.Pt(10*mm, 0)), geom.Line(geom.Pt(10*mm, 0), geom.Pt(10*mm, 7_900_000)),
		geom.ArcEdge(geom.Pt(10*mm, 6*mm), geom.Pt(8*mm, 8*mm), geom.Pt(8*mm, 6*mm), false),
		geom.Line(geom.Pt(8*mm, 8*mm), geom.Pt(0, 8*mm)), geom.Line(geom.Pt(0, 8*mm), geom.Pt(0, gap)),
	}
}
