package altium

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/pcbdoc"
)

// TestArcEdges: arcs run counter-clockwise, a whole turn is a circle, and one that is
// shorter than a nanometre is a point.
func TestArcEdges(t *testing.T) {
	t.Parallel()
	const r = 1_000_000
	for name, tt := range map[string]struct {
		from, to float64
		arc      bool
		a, b     geom.Point
		length   float64
	}{
		"a quarter":          {0, 90, true, geom.Pt(r, 0), geom.Pt(0, r), math.Pi / 2 * r},
		"across zero":        {270, 90, true, geom.Pt(0, -r), geom.Pt(0, r), math.Pi * r},
		"three quarters":     {90, 0, true, geom.Pt(0, r), geom.Pt(r, 0), 1.5 * math.Pi * r},
		"a whole turn":       {0, 360, true, geom.Pt(r, 0), geom.Pt(r, 0), 2 * math.Pi * r},
		"a turn from behind": {180, -180, true, geom.Pt(-r, 0), geom.Pt(-r, 0), 2 * math.Pi * r},
		"nothing":            {45, 45, false, geom.Pt(707_107, 707_107), geom.Pt(707_107, 707_107), 0},
		"next to nothing":    {0, 1e-5, false, geom.Pt(r, 0), geom.Pt(r, 0), 0},
	} {
		a := arc{radius: r, from: tt.from, to: tt.to, centre: geom.Pt(5, 7)}
		e := a.edge(geom.Pt(5, 7))
		if e.IsArc() != tt.arc || e.A.Dist(tt.a) > 1 || e.B.Dist(tt.b) > 1 || math.Abs(e.Len()-tt.length) > 10 {
			t.Errorf("%s: %+v, %.0f long; want an arc %v from %v to %v, %.0f long", name, e, e.Len(), tt.arc, tt.a, tt.b, tt.length)
		}
	}
}

// TestFillPath: a fill is turned round its own middle.
func TestFillPath(t *testing.T) {
	t.Parallel()
	for turn, want := range map[float64]geom.Box{
		0:   {Min: geom.Pt(0, 100), Max: geom.Pt(4_000, 1_100)},
		90:  {Min: geom.Pt(1_500, -1_400), Max: geom.Pt(2_500, 2_600)},
		180: {Min: geom.Pt(0, 100), Max: geom.Pt(4_000, 1_100)},
	} {
		f := fill{a: geom.Pt(14_000, 1_100), b: geom.Pt(10_000, 100), turn: turn}
		if got := f.path(geom.Pt(10_000, 0)).Bounds(); got != want {
			t.Errorf("turned by %g: %v, want %v", turn, got, want)
		}
	}
}

// TestKinds: a record of one kind in the stream of another is no guess.
func TestKinds(t *testing.T) {
	t.Parallel()
	for stream, kind := range map[string]byte{"Tracks6": lineRecord, "Arcs6": arcRecord, "Fills6": fillRecord, "Vias6": viaRecord, "Pads6": padRecord, "Texts6": textRecord, "Regions6": regionRecord} {
		for _, other := range []byte{arcRecord, lineRecord, textRecord, 12} {
			if other == kind {
				continue
			}
			f := pcbdoc.New(1000, 1000)
			f.Add(stream, []byte{other, 0, 0, 0, 0})
			boards, findings := Read(t.Context(), []File{{"x.PcbDoc", f.Bytes()}})
			want := fmt.Sprintf("of kind %d, not %d", other, kind)
			if len(boards) != 0 || len(findings) != 1 || !strings.Contains(findings[0].Message, want) || !strings.Contains(findings[0].Message, stream+", record 1") {
				t.Errorf("%s with kind %d: %d boards, findings %v; want none, and one that says %q of %s, record 1", stream, other, len(boards), findings, want, stream)
			}
		}
	}
}

// TestSizeOn: a via may have another pad on each layer, or none.
func TestSizeOn(t *testing.T) {
	t.Parallel()
	plain := via{size: 600}
	sized := via{size: 600, sizes: make([]int64, 32)}
	sized.sizes[0], sized.sizes[1] = 700, 0
	bare := via{size: 600, sizes: sized.sizes}
	bare.removed[0] = true
	for _, tt := range []struct {
		v    *via
		on   layer
		want int64
	}{{&plain, 1, 600}, {&plain, 32, 600}, {&sized, 1, 700}, {&sized, 2, 600}, {&sized, 32, 600}, {&bare, 1, 0}, {&bare, 2, 600}} {
		if got := tt.v.sizeOn(tt.on); got != tt.want {
			t.Errorf("on layer %d %d, want %d", tt.on, got, tt.want)
		}
	}
}

// TestOddVias: what cannot be drilled is said and left out, or gives no board.
func TestOddVias(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(2000, 1000)
	f.AddVia(pcbdoc.LayerObject(pcbdoc.Multi), 1100, 1100, 20, 0, 1, 32, 3)
	f.AddVia(pcbdoc.LayerObject(pcbdoc.Multi), 1200, 1100, 20, 10, 1, 32, 3)
	b := readBoard(t, f)
	if len(b.Holes) != 1 || len(b.Findings) != 1 || b.Findings[0].Code != "via_without_drill" || !strings.Contains(b.Findings[0].Message, "2.540, 2.540") {
		t.Errorf("holes %v, findings %v; want one hole, and via_without_drill at 2.540, 2.540", holes(b), b.Findings)
	}
	f.AddVia(pcbdoc.LayerObject(pcbdoc.Multi), 1300, 1100, 20, 10, 1, 7, 3)
	if boards, findings := Read(t.Context(), []File{{"x.PcbDoc", f.Bytes()}}); len(boards) != 0 || len(findings) != 1 || findings[0].Code != "format_unread" {
		t.Errorf("a via to a layer that the board has not: %d boards, findings %v; want none, and format_unread", len(boards), findings)
	}
}

// TestOldVias: the oldest files state no openings; the rule for all counts then.
func TestOldVias(t *testing.T) {
	t.Parallel()
	whole := pcbdoc.New(2000, 1000)
	whole.AddVia(pcbdoc.LayerObject(pcbdoc.Multi), 1100, 1100, 20, 10, 1, 32, 1)
	old := pcbdoc.New(2000, 1000)
	old.Rule("|RULEKIND=SolderMaskExpansion|SCOPE1EXPRESSION=All|SCOPE2EXPRESSION=All|EXPANSION=5mil")
	head := whole.Streams["Vias6"][5 : 5+31]
	old.Add("Vias6", slices.Concat([]byte{viaRecord, 31, 0, 0, 0}, head))
	for f, want := range map[*pcbdoc.File]string{whole: "flash 100,100 22x22 circle", old: "flash 100,100 30x30 circle"} {
		b := readBoard(t, f)
		same(t, "holes", holes(b), []string{"100,100 10 plated drill"})
		same(t, "top mask", describeFeatures(b, layerAt(b, pcb.RoleMask, pcb.Top)), []string{want})
	}
}

// TestContour: the last corner may repeat the first or not, and arcs bend to
// either side.
func TestContour(t *testing.T) {
	t.Parallel()
	at := func(x, y int64) vertex { return vertex{at: geom.Pt(x, y)} }
	square := []vertex{at(0, 0), at(1_000_000, 0), at(1_000_000, 1_000_000), at(0, 1_000_000)}
	bent := func(from, to float64) []vertex {
		v := slices.Clone(square)
		v[1].round, v[1].centre, v[1].radius, v[1].from, v[1].to = true, geom.Pt(1_000_000, 500_000), 500_000, from, to
		return v
	}
	half := math.Pi / 8 * 1e12 // half a circle of that radius
	for name, tt := range map[string]struct {
		v    []vertex
		area float64
	}{
		"four corners":      {square, 1e12},
		"the first again":   {append(slices.Clone(square), at(0, 0)), 1e12},
		"the first, nearly": {append(slices.Clone(square), at(500, 300)), 1e12},
		"a corner twice":    {slices.Insert(slices.Clone(square), 1, at(1_000_000, 0)), 1e12},
		"bent outwards":     {bent(270, 90), 1e12 + half},
		"bent inwards":      {bent(90, 270), 1e12 - half},
		"a circle":          {[]vertex{{at: geom.Pt(500_000, 0), round: true, radius: 500_000, to: 360}}, math.Pi * 2.5e11},
		"no radius":         {func() []vertex { v := bent(270, 90); v[1].radius = 0; return v }(), 1e12},
	} {
		p := geom.Polygon{Outer: contour(tt.v, geom.Point{})}
		if got := p.Area(); math.Abs(got-tt.area) > 1e9 {
			t.Errorf("%s: area %.4g, want %.4g", name, got, tt.area)
		}
	}
}

// TestVertices: the corners of a record are numbered, and the first that lacks a
// coordinate ends them.
func TestVertices(t *testing.T) {
	t.Parallel()
	p := words("|VX0=1mil|VY0=2mil|KIND0=0|VX1=3mil|VY1=4mil|KIND1=1|CX1=5mil|CY1=6mil|R1=7mil|SA1=10|EA1= 2.0E+1|VX2=1mil|VX3=1mil|VY3=1mil")
	v := p.vertices()
	if len(v) != 2 || v[0].round || v[0].at != geom.Pt(25_400, 50_800) {
		t.Fatalf("corners %+v, want two, the first at 25400, 50800", v)
	}
	if w := v[1]; !w.round || w.centre != geom.Pt(127_000, 152_400) || w.radius != 177_800 || w.from != 10 || w.to != 20 {
		t.Errorf("the bent one is %+v, want it round about 127000, 152400, of radius 177800, from 10 to 20 degrees", w)
	}
}
