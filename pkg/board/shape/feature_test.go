package shape

import (
	"math"
	"math/rand/v2"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// single is a layer of one feature.
func single(a pcb.Aperture, f pcb.Feature, t geom.Transform) (*pcb.Layer, *pcb.Feature) {
	l := pcb.NewLayer("top", "")
	l.Apertures = []pcb.Aperture{a}
	l.Arcs = []pcb.ArcGeometry{{Centre: pt(0, 0)}}
	if !t.Identity() {
		l.Transforms = append(l.Transforms, t)
		f.Transform = 1
	}
	l.Features = []pcb.Feature{f}
	return l, &l.Features[0]
}

func minDistance(shapes []Shape, p geom.Point) float64 {
	d := math.Inf(1)
	for i := range shapes {
		d = min(d, shapes[i].DistTo(p))
	}
	return d
}

func TestAppendFeature(t *testing.T) {
	t.Parallel()
	flash := pcb.Feature{Kind: pcb.FlashFeature, A: pt(10*mm, 0)}
	line := pcb.Feature{Kind: pcb.LineFeature, A: pt(0, 0), B: pt(10*mm, 0)}
	arc := pcb.Feature{Kind: pcb.ArcFeature, A: pt(10*mm, 0), B: pt(-10*mm, 0)}
	turned := geom.Transform{Rotation: 45}
	tests := map[string]struct {
		a    pcb.Aperture
		f    pcb.Feature
		t    geom.Transform
		at   geom.Point
		want float64 // distance of at; 0 inside
	}{
		"round flash":             {pcb.Circle(2 * mm), flash, geom.Transform{}, pt(13*mm, 0), 2e6},
		"square flash, turned":    {pcb.Rect(2*mm, 2*mm), flash, turned, pt(13*mm, 0), 3e6 - math.Sqrt2*1e6},
		"obround flash":           {pcb.Obround(4*mm, 2*mm), flash, geom.Transform{}, pt(14*mm, 0), 2e6},
		"obround flash, mirrored": {pcb.Obround(4*mm, 2*mm), flash, geom.Transform{Mirror: true, Rotation: 90}, pt(14*mm, 0), 3e6},
		"rounded flash":           {pcb.RoundRect(4*mm, 4*mm, mm), flash, geom.Transform{}, pt(12*mm, 2*mm), math.Sqrt2*1e6 - 1e6},
		"ring, in its hole":       {pcb.Circle(4*mm).PunchHole(2*mm, 0), flash, geom.Transform{}, pt(10*mm, 0), 1e6},
		"ring, on its copper":     {pcb.Circle(4*mm).PunchHole(2*mm, 0), flash, geom.Transform{}, pt(10*mm, 3*mm/2), 0},
		"round line":              {pcb.Circle(mm), line, geom.Transform{}, pt(5*mm, 2*mm), 1.5e6},
		"square line":             {pcb.Rect(2*mm, 2*mm), line, geom.Transform{}, pt(11*mm, mm), 0},
		"square line, beside":     {pcb.Rect(2*mm, 2*mm), line, geom.Transform{}, pt(12*mm, mm), 1e6},
		"turned square line":      {pcb.Rect(2*mm, 2*mm), line, turned, pt(5*mm, 3*mm), 3e6 - math.Sqrt2*1e6},
		"obround line":            {pcb.Obround(4*mm, 2*mm), line, geom.Transform{Rotation: 90}, pt(5*mm, 3*mm), 1e6},
		"round arc":               {pcb.Circle(mm), arc, geom.Transform{}, pt(0, 0), 9.5e6},
		"square arc":              {pcb.Rect(2*mm, 2*mm), arc, geom.Transform{}, pt(0, 13*mm), 2e6},
		"scaled line":             {pcb.Circle(mm), line, geom.Transform{Scale: 2}, pt(5*mm, 2*mm), 1e6},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, f := single(tt.a, tt.f, tt.t)
			got := max(0, minDistance(NewMaker(l, pcb.Meter{}).Append(nil, f), tt.at))
			if math.Abs(got-tt.want) > Flatness {
				t.Errorf("distance of %v = %.1f; want %.1f", tt.at, got, tt.want)
			}
			box := l.FeatureBounds(f)
			for _, s := range NewMaker(l, pcb.Meter{}).Append(nil, f) {
				if !box.Grow(Flatness).ContainsBox(s.Bounds()) {
					t.Errorf("bounds %v reach beyond the feature's %v", s.Bounds(), box)
				}
			}
		})
	}
}

func TestNothingDrawn(t *testing.T) {
	t.Parallel()
	for _, a := range []pcb.Aperture{pcb.Circle(0), pcb.Custom("empty", nil)} {
		l, f := single(a, pcb.Feature{Kind: pcb.LineFeature, B: pt(mm, 0)}, geom.Transform{})
		if got := NewMaker(l, pcb.Meter{}).Append(nil, f); len(got) > 0 {
			t.Errorf("%s of width %d draws %d shapes, want none", a.Kind, a.X, len(got))
		}
	}
}

func TestWhole(t *testing.T) {
	t.Parallel()
	outside := pcb.Circle(mm)
	hole := pcb.Circle(mm).Primitives[0]
	hole.Clear, hole.A = true, pt(mm/2, 0)
	outside.Primitives = append(outside.Primitives, hole)
	for name, tt := range map[string]struct {
		a    pcb.Aperture
		want bool
	}{
		"plain":              {pcb.Rect(mm, mm), true},
		"hole in the middle": {pcb.Rect(mm, mm).PunchHole(mm/2, 0), true},
		"hole at the rim":    {outside, false},
	} {
		if got := whole(&tt.a, pcb.Meter{}); got != tt.want {
			t.Errorf("%s: Whole = %v; want %v", name, got, tt.want)
		}
	}
}

// What is swept covers the aperture wherever it is put down on the way, and
// nothing farther away than the aperture reaches.
func TestSweptCoversEachStop(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		a := []pcb.Aperture{
			pcb.Rect(mm, mm/2), pcb.Obround(mm/3, mm), pcb.RegularPolygon(mm, 6, 20), pcb.RoundRect(mm, mm, mm/4),
		}[r.IntN(4)]
		tr := geom.Transform{Rotation: r.Float64() * 360}
		from, end := pt(r.Int64N(9*mm), r.Int64N(9*mm)), pt(r.Int64N(9*mm), r.Int64N(9*mm))
		l, f := single(a, pcb.Feature{Kind: pcb.LineFeature, A: from, B: end}, tr)
		swept := NewMaker(l, pcb.Meter{}).Append(nil, f)
		p := pt(r.Int64N(9*mm), r.Int64N(9*mm))
		best := math.Inf(1)
		for i := range 201 {
			at := tr
			at.Offset = interpolate(from, end, float64(i)/200)
			best = min(best, max(0, minDistance(NewMaker(l, pcb.Meter{}).appendFlash(nil, 0, at), p)))
		}
		got := max(0, minDistance(swept, p))
		if got > best+Flatness || got < best-from.Dist(end)/200-Flatness {
			t.Fatalf("%s from %v to %v, turned %.1f: %v is %.0f away, want %.0f as stop by stop", a.Kind, from, end, tr.Rotation, p, got, best)
		}
	}
}

func TestAppendHole(t *testing.T) {
	t.Parallel()
	b := pcb.NewBoard("")
	b.Routes = []geom.Path{{Points: []geom.Point{pt(0, 0), pt(10*mm, 0), pt(10*mm, 10*mm)}}}
	for name, tt := range map[string]struct {
		h    pcb.Hole
		want float64 // from 5, 5
	}{
		"drill":  {pcb.Hole{A: pt(0, 5*mm), B: pt(0, 5*mm), Diameter: mm}, 4.5e6},
		"slot":   {pcb.Hole{A: pt(0, 6*mm), B: pt(9*mm, 6*mm), Diameter: mm, Kind: pcb.SlotHole}, 0.5e6},
		"routed": {pcb.Hole{Diameter: 2 * mm, Kind: pcb.RoutedHole}, 4e6},
	} {
		if got := minDistance(AppendHole(nil, b, &tt.h), pt(5*mm, 5*mm)); math.Abs(got-tt.want) > 1 {
			t.Errorf("%s: %.1f away; want %.1f", name, got, tt.want)
		}
	}
}
