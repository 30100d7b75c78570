package shape

import (
	"math"
	"testing"

	"boardorder/pkg/board/geom"
)

func polygonOf(pts ...geom.Point) geom.Polygon {
	return geom.Polygon{Outer: geom.Path{Points: pts, Closed: true}}
}

func TestNecks(t *testing.T) {
	t.Parallel()
	um := geom.Micrometre
	tests := map[string]struct {
		p    geom.Polygon
		want []float64 // widths
		area float64   // of the side that is cut off, in mm², either way round
	}{
		"square":          {box(0, 0, mm, mm), nil, 0},
		"thin line":       {box(0, 0, 5*mm, 80*um), []float64{80_000}, 0.2},
		"two lands":       {polygonOf(pt(0, 0), pt(mm, 0), pt(mm, mm/2-40*um), pt(3*mm, mm/2-40*um), pt(3*mm, 0), pt(4*mm, 0), pt(4*mm, mm), pt(3*mm, mm), pt(3*mm, mm/2+40*um), pt(mm, mm/2+40*um), pt(mm, mm), pt(0, mm)), []float64{80_000}, 1.08},
		"tongue":          {polygonOf(pt(0, 0), pt(mm, 0), pt(mm, mm/2-40*um), pt(3*mm, mm/2-40*um), pt(3*mm, mm/2+40*um), pt(mm, mm/2+40*um), pt(mm, mm), pt(0, mm)), []float64{80_000}, 0.08},
		"acute corner":    {polygonOf(pt(0, 0), pt(mm, 0), pt(0, 100*um)), nil, 0},
		"gap in an area":  {polygonOf(pt(0, 0), pt(mm, 0), pt(mm, mm/2), pt(mm/2, mm/2), pt(mm/2, mm/2+20*um), pt(mm, mm/2+20*um), pt(mm, mm), pt(0, mm)), nil, 0},
		"hole at the rim": {geom.Polygon{Outer: box(0, 0, 4*mm, 4*mm).Outer, Holes: []geom.Path{box(60*um, mm, 3*mm, 2*mm).Outer}}, []float64{60_000}, 0},
		"round hole":      {geom.Polygon{Outer: box(0, 0, 4*mm, 4*mm).Outer, Holes: []geom.Path{geom.Circle(pt(2*mm, mm+70*um), mm)}}, []float64{70_000}, 0},
		// A hole that is reached by a seam from the left, as some tools write it.
		"seam": {polygonOf(pt(0, 0), pt(4*mm, 0), pt(4*mm, 4*mm), pt(0, 4*mm), pt(0, mm), pt(mm, mm), pt(mm, 3*mm), pt(3*mm, 3*mm), pt(3*mm, mm), pt(mm, mm), pt(0, mm)), nil, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, p := range []geom.Polygon{tt.p, {Outer: tt.p.Outer.Reverse(), Holes: tt.p.Holes}, geom.Transform{Rotation: 30, Offset: far}.Polygon(tt.p)} {
				s := Area(p, 0)
				var got []Neck
				s.Necks(100_000, func(n Neck) bool { got = append(got, n); return true })
				if len(got) != len(tt.want) {
					t.Fatalf("necks %+v; want %v", got, tt.want)
				}
				for i, n := range got {
					if math.Abs(n.Width-tt.want[i]) > 3 {
						t.Errorf("neck is %.1f wide; want %.1f", n.Width, tt.want[i])
					}
					whole := p.Area()
					if a := math.Abs(n.Side().Area()); tt.area > 0 && min(math.Abs(a-tt.area*1e12), math.Abs(whole-a-tt.area*1e12)) > 1e9 {
						t.Errorf("side of %.3f mm²; want %.3f of %.3f", a/1e12, tt.area, whole/1e12)
					}
				}
			}
		})
	}
}
