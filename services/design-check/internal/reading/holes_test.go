package reading

import (
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
)

// TestHolesMissing: a board without holes is stopped where its copper holds more than pours,
// or where no answer is open since holes are evident.
func TestHolesMissing(t *testing.T) {
	t.Parallel()
	area := func(mm float64) geom.Polygon {
		return geom.Polygon{Outer: geom.Circle(geom.Point{}, geom.MM(mm/2))}
	}
	pour := board.Feature{Kind: board.RegionFeature}
	for name, c := range map[string]struct {
		drawn   []board.Feature
		regions []geom.Polygon
		stops   bool
		evident bool
	}{
		"nothing":                      {},
		"pours":                        {[]board.Feature{pour}, []geom.Polygon{area(40)}, false, false},
		"a pour and a pad":             {[]board.Feature{pour, {Kind: board.FlashFeature}}, []geom.Polygon{area(40)}, true, false},
		"a pad as an area":             {[]board.Feature{pour}, []geom.Polygon{area(2)}, true, false},
		"a track":                      {[]board.Feature{{Kind: board.LineFeature}}, nil, true, false},
		"pours, and holes are evident": {[]board.Feature{pour}, []geom.Polygon{area(40)}, true, true},
		"a cleared pad":                {[]board.Feature{pour, {Kind: board.FlashFeature, Clear: true}}, []geom.Polygon{area(40)}, false, false},
	} {
		layers := []*board.Layer{{Role: board.RoleCopper, Side: board.Top, Order: 1, Features: c.drawn, Regions: c.regions}, {Role: board.RoleCopper, Side: board.Bottom, Order: 2}}
		f := board.Finding{Code: "drill_missing", Level: board.Warning, Answers: []answers.Answer{answers.ZeroHoles()}}
		if c.evident {
			f.Answers = nil
		}
		got := Finding(f, &board.Board{Layers: layers}).Level
		if (got == "must_fix") != c.stops {
			t.Errorf("%s: %s", name, got)
		}
	}
}
