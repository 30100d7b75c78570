package odb

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

func TestRegroup(t *testing.T) {
	t.Parallel()
	square := func(x, y, half int64) geom.Path { return geom.Rect(geom.BoxOf(geom.Pt(x, y)).Grow(half)) }
	for name, tt := range map[string]struct {
		areas []geom.Polygon
		want  []int // holes of each
	}{
		"in order": {[]geom.Polygon{{Outer: square(0, 0, 100), Holes: []geom.Path{square(0, 0, 50)}}, {Outer: square(300, 0, 100)}}, []int{1, 0}},
		"islands first": {[]geom.Polygon{{Outer: square(0, 0, 100)}, {Outer: square(300, 0, 100)}, {Outer: square(600, 0, 100),
			Holes: []geom.Path{square(0, 0, 50), square(300, 20, 50), square(280, -60, 20)}}}, []int{1, 2, 0}},
		"island in a hole": {[]geom.Polygon{{Outer: square(0, 0, 1000)}, {Outer: square(0, 0, 100)}, {Outer: square(5000, 0, 100),
			Holes: []geom.Path{square(0, 0, 500), square(0, 0, 50)}}}, []int{1, 1, 0}},
		"of none":    {[]geom.Polygon{{Outer: square(0, 0, 100)}, {Outer: square(300, 0, 100), Holes: []geom.Path{square(900, 0, 50)}}}, []int{0, 1}},
		"one island": {[]geom.Polygon{{Outer: square(0, 0, 100), Holes: []geom.Path{square(900, 0, 50)}}}, []int{1}},
		"nothing":    {nil, nil},
	} {
		regroup(tt.areas, pcb.Meter{})
		for i, want := range tt.want {
			if n := len(tt.areas[i].Holes); n != want {
				t.Errorf("%s: island %d has %d holes, want %d", name, i, n, want)
			}
		}
	}
}
