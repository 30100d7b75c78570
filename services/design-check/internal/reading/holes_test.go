package reading

import (
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestHolesMissing: a board without holes is stopped where its copper holds more than pours,
// or where no answer is open since holes are evident.
func TestHolesMissing(t *testing.T) {
	t.Parallel()
	area := func(mm float64) geom.Polygon {
		return geom.Polygon{Outer: geom.Circle(geom.Point{}, geom.MM(mm/2))}
	}
	pour := pcb.Feature{Kind: pcb.RegionFeature}
	for name, c := range map[string]struct {
		drawn   []pcb.Feature
		regions []geom.Polygon
		stops   bool
		evident bool
	}{
		"nothing":                      {},
		"pours":                        {[]pcb.Feature{pour}, []geom.Polygon{area(40)}, false, false},
		"a pour and a pad":             {[]pcb.Feature{pour, {Kind: pcb.FlashFeature}}, []geom.Polygon{area(40)}, true, false},
		"a pad as an area":             {[]pcb.Feature{pour}, []geom.Polygon{area(2)}, true, false},
		"a track":                      {[]pcb.Feature{{Kind: pcb.LineFeature}}, nil, true, false},
		"pours, and holes are evident": {[]pcb.Feature{pour}, []geom.Polygon{area(40)}, true, true},
		"a cleared pad":                {[]pcb.Feature{pour, {Kind: pcb.FlashFeature, Clear: true}}, []geom.Polygon{area(40)}, false, false},
	} {
		layers := []*pcb.Layer{{Role: pcb.RoleCopper, Side: pcb.Top, Order: 1, Features: c.drawn, Regions: c.regions}, {Role: pcb.RoleCopper, Side: pcb.Bottom, Order: 2}}
		f := pcb.Finding{Code: "drill_missing", Level: pcb.Warning, Answers: []answers.Answer{answers.ZeroHoles()}}
		if c.evident {
			f.Answers = nil
		}
		got := Finding(f, &pcb.Board{Layers: layers}).Level
		if (got == "must_fix") != c.stops {
			t.Errorf("%s: no drill file is %s, want must_fix: %t", name, got, c.stops)
		}
	}
}
