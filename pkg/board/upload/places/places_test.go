package places_test

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/places"
)

const um, mm = geom.Micrometre, geom.Millimetre

// TestHoles: a hole is found again in another number format, and not beside it, in another
// size or between other layers.
func TestHoles(t *testing.T) {
	t.Parallel()
	set := places.Holes{}
	set.Add(places.Hole{X: 5 * mm, Y: 5 * mm, Diameter: 800 * um}, 0, 0)
	set.Add(places.Hole{X: 9 * mm, Y: 5 * mm, Diameter: 200 * um}, 2, 3)
	for name, c := range map[string]struct {
		hole     places.Hole
		from, to int
		want     bool
	}{
		"the same":              {places.Hole{X: 5 * mm, Y: 5 * mm, Diameter: 800 * um}, 0, 0, true},
		"rounded to a mil":      {places.Hole{X: 5*mm + 13*um, Y: 5*mm - 12*um, Diameter: 812 * um}, 0, 0, true},
		"a span from the top":   {places.Hole{X: 5 * mm, Y: 5 * mm, Diameter: 800 * um}, 1, 4, true},
		"beside it":             {places.Hole{X: 5*mm + 60*um, Y: 5 * mm, Diameter: 800 * um}, 0, 0, false},
		"much wider":            {places.Hole{X: 5 * mm, Y: 5 * mm, Diameter: 1000 * um}, 0, 0, false},
		"a buried one":          {places.Hole{X: 9 * mm, Y: 5 * mm, Diameter: 200 * um}, 2, 3, true},
		"between other layers":  {places.Hole{X: 9 * mm, Y: 5 * mm, Diameter: 200 * um}, 3, 4, false},
		"through all of a span": {places.Hole{X: 9 * mm, Y: 5 * mm, Diameter: 200 * um}, 1, 4, false},
	} {
		if got := set.Has(c.hole, c.from, c.to); got != c.want {
			t.Errorf("%s: %+v from %d to %d is in the set: %v, want %v", name, c.hole, c.from, c.to, got, c.want)
		}
	}
}

// TestHasNear: what was put down is found within rounding.
func TestHasNear(t *testing.T) {
	t.Parallel()
	put := map[geom.Point]bool{places.Round(geom.Pt(5*mm, 5*mm)): true}
	for p, want := range map[geom.Point]bool{
		geom.Pt(5*mm, 5*mm):             true,
		geom.Pt(5*mm+25*um, 5*mm-15*um): true,
		geom.Pt(5*mm+45*um, 5*mm):       false,
	} {
		if got := places.HasNear(put, p); got != want {
			t.Errorf("near %v: %v, want %v", p, got, want)
		}
	}
}

// TestIsNear holds the ends of the range.
func TestIsNear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b int64
		want bool
	}{{5, 8, true}, {8, 5, true}, {5, 9, false}, {9, 5, false}, {5, 5, true}} {
		if got := places.IsNear(c.a, c.b, 3); got != c.want {
			t.Errorf("IsNear(%d, %d, 3) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// scatterPoints gives places that only one shift brings onto each other.
func scatterPoints(n int) (out []geom.Point) {
	for i := range int64(n) {
		out = append(out, geom.Pt(mm*(i*i%31)+137*um*i, mm*(i*7%23)+311*um*i))
	}
	return out
}

// TestFindShift: the shift that brings holes onto pads, and how many the next best does.
func TestFindShift(t *testing.T) {
	t.Parallel()
	pads := scatterPoints(20)
	by := geom.Pt(-3*mm, 12*mm)
	var holes, row []geom.Point
	for _, p := range pads {
		holes = append(holes, p.Sub(by))
	}
	for i := range int64(20) {
		row = append(row, geom.Pt(i*mm, 0))
	}
	for name, c := range map[string]struct {
		holes, pads []geom.Point
		want        geom.Point
		most        int
		sure        bool
	}{
		"one way":           {holes, pads, by, 20, true},
		"nothing to try":    {nil, pads, geom.Point{}, 0, true},
		"a row fits nearly": {row[:19], row, geom.Point{}, 19, false},
	} {
		shift, most, rival := places.FindShift(pcb.Meter{}, places.NewSpots(c.pads), c.holes, c.pads)
		if sure := 2*rival <= most; most != c.most || sure != c.sure || sure && shift.Dist(c.want) > float64(um) {
			t.Errorf("%s: shift %v fits %d, the next %d; want %v, %d, sure %v", name, shift, most, rival, c.want, c.most, c.sure)
		}
	}
}

// TestSample: few places stay as they are, of many there is a spread.
func TestSample(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{0: 0, 5: 5, 299: 299, 1200: 240} {
		if got := len(places.Sample(scatterPoints(n))); got != want {
			t.Errorf("%d places: %d are left, want %d", n, got, want)
		}
	}
}

// copper draws a layer with a round pad, a clear one, an oblong stroke, a track and a small
// area.
func copper() *pcb.Layer {
	l := pcb.NewLayer("top", "top.gbr")
	l.Role, l.Side = pcb.RoleCopper, pcb.Top
	l.Apertures = []pcb.Aperture{pcb.Circle(mm), pcb.Circle(200 * um)}
	l.Regions = []geom.Polygon{{Outer: geom.Rect(geom.Box{Min: geom.Pt(20*mm, 0), Max: geom.Pt(22*mm, mm)})}}
	l.Features = []pcb.Feature{
		{Kind: pcb.FlashFeature, A: geom.Pt(1*mm, 0), B: geom.Pt(1*mm, 0)},
		{Kind: pcb.FlashFeature, A: geom.Pt(5*mm, 0), B: geom.Pt(5*mm, 0), Clear: true},
		{Kind: pcb.LineFeature, A: geom.Pt(9*mm, 0), B: geom.Pt(11*mm, 0)},
		{Kind: pcb.LineFeature, A: geom.Pt(12*mm, 0), B: geom.Pt(18*mm, 0), Shape: 1},
		{Kind: pcb.RegionFeature},
	}
	return l
}

// TestPads: flashes, short wide strokes and small areas are pads; tracks and what is taken
// away are none.
func TestPads(t *testing.T) {
	t.Parallel()
	l := copper()
	sizes := places.PadSizesOf([]*pcb.Layer{l})
	lands := places.LandsOf([]*pcb.Layer{l}, pcb.Top)
	for _, c := range []struct {
		name       string
		at         geom.Point
		size, wide int64
	}{
		{"a flash", geom.Pt(1*mm, 0), mm, mm},
		{"nearly there", geom.Pt(1*mm+20*um, 0), mm, mm},
		{"a clear flash", geom.Pt(5*mm, 0), 0, 0},
		{"a short wide stroke", geom.Pt(10*mm, 0), mm, 0},
		{"a track", geom.Pt(15*mm, 0), 0, 0},
		{"a small area", geom.Pt(21*mm, mm/2), mm, 0},
		{"nothing", geom.Pt(30*mm, 0), 0, 0},
	} {
		if size, wide := sizes.SizeAt(c.at), lands.WidthAt(c.at); size != c.size || wide != c.wide {
			t.Errorf("%s: pad of %d, flash of %d; want %d, %d", c.name, size, wide, c.size, c.wide)
		}
	}
	if got := places.LandsOf([]*pcb.Layer{l}, pcb.Bottom); len(got) != 0 {
		t.Errorf("flashes of the other side: %v, want none", got)
	}
	if got := places.Flashes(l); len(got) != 1 || got[0] != geom.Pt(1*mm, 0) {
		t.Errorf("flashes: %v, want the first alone", got)
	}
	if got, want := places.Extent(l), (geom.Box{Min: geom.Pt(1*mm, 0), Max: geom.Pt(22*mm, mm)}); got != want {
		t.Errorf("extent: %v, want %v", got, want)
	}
}

// TestEdges: distance is from the edge of the board and of its cutouts, from both sides.
func TestEdges(t *testing.T) {
	t.Parallel()
	o := pcb.Outline{Areas: []geom.Polygon{{
		Outer: geom.Rect(geom.Box{Max: geom.Pt(20*mm, 10*mm)}),
		Holes: []geom.Path{geom.Rect(geom.Box{Min: geom.Pt(8*mm, 4*mm), Max: geom.Pt(12*mm, 6*mm)})},
	}}}
	edges := places.NewEdges(o, pcb.Meter{})
	for p, want := range map[geom.Point]bool{
		geom.Pt(mm/2, 5*mm):  true,
		geom.Pt(-mm/2, 5*mm): true,
		geom.Pt(8*mm, 5*mm):  true,
		geom.Pt(4*mm, 5*mm):  false,
		geom.Pt(-2*mm, 5*mm): false,
	} {
		if got := edges.ComeWithin(p, float64(mm)); got != want {
			t.Errorf("an edge within 1 mm of %v: %v, want %v", p, got, want)
		}
	}
}

// TestSpots: the nearest place within play is found, on both sides of a cell's border.
func TestSpots(t *testing.T) {
	t.Parallel()
	spots := places.NewSpots([]geom.Point{geom.Pt(99*um, 0), geom.Pt(-40*um, 0)})
	for at, want := range map[geom.Point]bool{geom.Pt(101*um, 0): true, geom.Pt(-1*um, 0): true, geom.Pt(200*um, 0): false, geom.Pt(99*um, 70*um): false} {
		if near, ok := spots.FindNear(at); ok != want {
			t.Errorf("near %v: %v, %v; want found %v", at, near, ok, want)
		}
	}
	if got := spots.CountHits([]geom.Point{geom.Pt(0, 0), geom.Pt(500*um, 0)}, geom.Pt(99*um, 0)); got != 1 {
		t.Errorf("%d places lie on a spot once shifted, want 1", got)
	}
}
