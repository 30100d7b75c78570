package crop_test

import (
	"math"
	"slices"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/services/design-check/internal/crop"
)

const um, mm = geom.Micrometre, geom.Millimetre

// sheet is a board of 90 by 90 mm with one copper layer.
func sheet() (*pcb.Board, *pcb.Layer) {
	b := pcb.NewBoard("sheet")
	b.Outline.Areas = []geom.Polygon{{Outer: geom.Rect(geom.Box{Max: geom.Pt(90*mm, 90*mm)})}}
	l := pcb.NewLayer("F.Cu", "")
	l.Role, l.Side, l.Order = pcb.RoleCopper, pcb.Top, 1
	b.Layers = append(b.Layers, l)
	b.Nets = []pcb.Net{{}, {Name: "GND"}, {Name: "VCC"}}
	return b, l
}

func addArea(l *pcb.Layer, net int32, clear bool, outer geom.Box, holes ...geom.Box) {
	p := geom.Polygon{Outer: geom.Rect(outer)}
	for _, h := range holes {
		p.Holes = append(p.Holes, geom.Rect(h))
	}
	l.Regions = append(l.Regions, p)
	l.Features = append(l.Features, pcb.Feature{Kind: pcb.RegionFeature, Shape: int32(len(l.Regions) - 1), Net: net, Clear: clear})
}

func addTrack(l *pcb.Layer, net int32, a, b geom.Point, width int64) {
	l.Apertures = append(l.Apertures, pcb.Circle(width))
	l.Features = append(l.Features, pcb.Feature{Kind: pcb.LineFeature, A: a, B: b, Shape: int32(len(l.Apertures) - 1), Net: net})
}

func box(x0, y0, x1, y1 int64) geom.Box { return geom.Box{Min: geom.Pt(x0, y0), Max: geom.Pt(x1, y1)} }

func cut(t *testing.T, b *pcb.Board, p dfm.Place) map[crop.Kind][]geom.Polygon {
	t.Helper()
	c, err := crop.New(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Cut(t.Context(), p)
	if err != nil {
		t.Fatalf("Cut(%+v): %v", p, err)
	}
	out := map[crop.Kind][]geom.Polygon{}
	for _, part := range got.Parts {
		out[part.Kind] = append(out[part.Kind], part.Areas...)
		for _, a := range part.Areas {
			if !got.Box.ContainsBox(a.Bounds()) {
				t.Errorf("%s reaches to %v, beyond the crop's %v", part.Kind, a.Bounds(), got.Box)
			}
		}
	}
	return out
}

// size is what areas cover, in square nanometres.
func size(areas []geom.Polygon) float64 {
	sum := 0.0
	for _, a := range areas {
		sum += math.Abs(a.Outer.Area())
		for _, h := range a.Holes {
			sum -= math.Abs(h.Area())
		}
	}
	return sum
}

// TestGapHasItsTrueEdges: of a gap of 80 µm between two areas that are as large as the board
// nothing but what lies round it is cut out, and its edges are where the files have them.
func TestGapHasItsTrueEdges(t *testing.T) {
	t.Parallel()
	b, l := sheet()
	addArea(l, 1, false, box(mm, mm, 45*mm, 89*mm))
	addArea(l, 2, false, box(45*mm+80*um, mm, 89*mm, 89*mm))
	at := geom.Pt(45*mm, 45*mm)
	got := cut(t, b, dfm.Place{Layer: "F.Cu", At: at, To: at.Add(geom.Pt(80*um, 0)), Value: 80 * um, Distance: true})
	about := got[crop.Layer]
	if len(about) != 2 || len(got[crop.Body]) != 1 {
		t.Fatalf("%d areas of copper, %d of the board; want 2 and 1", len(about), len(got[crop.Body]))
	}
	slices.SortFunc(about, func(a, b geom.Polygon) int { return int(a.Bounds().Min.X - b.Bounds().Min.X) })
	if left, right := about[0].Bounds().Max.X, about[1].Bounds().Min.X; left != 45*mm || right != 45*mm+80*um {
		t.Errorf("the gap reaches from %d to %d, want %d to %d", left, right, 45*mm, 45*mm+80*um)
	}
	if side := got[crop.Body][0].Bounds().Width(); side < 3*80*um || side > 2*mm {
		t.Errorf("the crop is %d wide, want three times the gap at least, and not much of the board", side)
	}
}

// TestErasedCopperIsNotThere: clear features and holes of areas take copper away, and drilled
// holes lie on top.
func TestErasedCopperIsNotThere(t *testing.T) {
	t.Parallel()
	b, l := sheet()
	centre := geom.Pt(10*mm, 10*mm)
	whole := geom.BoxOf(centre).Grow(5 * mm)
	addArea(l, 0, false, whole, geom.BoxOf(centre).Grow(100*um))
	addArea(l, 0, true, box(centre.X+300*um, centre.Y-50*um, centre.X+400*um, centre.Y+50*um))
	b.Holes = append(b.Holes, pcb.Hole{Diameter: 200 * um, A: centre.Add(geom.Pt(-300*um, 0)), B: centre.Add(geom.Pt(-300*um, 0))})
	got := cut(t, b, dfm.Place{Layer: "F.Cu", At: centre, To: centre.Add(geom.Pt(100*um, 0)), Value: 100 * um})
	side := float64(got[crop.Body][0].Bounds().Width())
	want := side*side - float64(200*um*200*um) - float64(100*um*100*um)
	if s := size(got[crop.Layer]); math.Abs(s-want) > 1e-6*want {
		t.Errorf("copper covers %.0f nm², want %.0f", s, want)
	}
	circle := math.Pi * float64(100*um) * float64(100*um)
	if s := size(got[crop.Hole]); math.Abs(s-circle) > 0.002*circle {
		t.Errorf("the hole covers %.0f nm², want %.0f", s, circle)
	}
}

// TestShortShowsBothNets: the copper of either net is told apart, by what the files say and by
// what touches the pieces that meet; where both lie is the bridge.
func TestShortShowsBothNets(t *testing.T) {
	t.Parallel()
	at := geom.Pt(20*mm, 20*mm)
	for name, nets := range map[string][2]int32{"files that name nets": {1, 2}, "files that do not": {0, 0}} {
		b, l := sheet()
		addTrack(l, nets[0], geom.Pt(19*mm, 20*mm), at, 200*um)                        // 0
		addTrack(l, nets[0], geom.Pt(19*mm, 20*mm), geom.Pt(19*mm, 30*mm), 200*um)     // 1, touches 0
		addTrack(l, nets[1], geom.Pt(20*mm, 19*mm), geom.Pt(20*mm, 21*mm), 200*um)     // 2
		addArea(l, 0, false, box(at.X+800*um, at.Y-500*um, at.X+1500*um, at.Y+500*um)) // 3, touches nothing
		p := dfm.Place{Layer: "F.Cu", At: at, To: at, Nets: [2]string{"GND", "VCC"}, Pieces: [2]dfm.Piece{{Layer: 1, Item: 0}, {Layer: 1, Item: 2}}}
		got := cut(t, b, p)
		if len(got[crop.NetA]) != 1 || len(got[crop.NetB]) != 1 || len(got[crop.Layer]) != 1 {
			t.Fatalf("%s: %d areas of the first net, %d of the second, %d of none; want 1 each", name, len(got[crop.NetA]), len(got[crop.NetB]), len(got[crop.Layer]))
		}
		a, bb := got[crop.NetA][0].Bounds(), got[crop.NetB][0].Bounds()
		if a.Min.X > 19*mm || a.Max.X > at.X+100*um+1 || bb.Width() > 200*um+1 || bb.Height() != 2200*um {
			t.Errorf("%s: the first net covers %v, the second %v", name, a, bb)
		}
		bridge := got[crop.Bridge]
		if len(bridge) != 1 || !bridge[0].Bounds().Contains(at) || bridge[0].Bounds().Width() > 200*um+1 {
			t.Errorf("%s: the bridge is %v, want one area round %v", name, bridge, at)
		}
	}
}

func TestFrame(t *testing.T) {
	t.Parallel()
	at := geom.Pt(5*mm, 5*mm)
	for name, tt := range map[string]struct {
		length, side int64
		err          error
	}{
		"a point": {0, 4 * mm, nil}, "a hair": {5 * um, mm, nil}, "a gap": {80 * um, mm, nil}, "a ring": {300 * um, 2400 * um, nil},
		"text": {2 * mm, 6400 * um, nil}, "an edge": {20 * mm, 0, crop.ErrWhole},
	} {
		p := dfm.Place{At: at, To: at.Add(geom.Pt(tt.length, 0)), Distance: true}
		got, err := crop.Frame(p)
		if err != tt.err || err == nil && (got.Width() != tt.side || got.Height() != tt.side || got.Centre() != at.Mid(p.To)) {
			t.Errorf("%s: Frame of %d nm = %v, %v; want a square of %d round its middle, %v", name, tt.length, got, err, tt.side, tt.err)
		}
	}
}
