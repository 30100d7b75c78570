package holes_test

import (
	"fmt"
	"slices"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// scatterPoints gives places that only one way brings onto each other.
func scatterPoints(n int) (out []geom.Point) {
	for i := range int64(n) {
		out = append(out, geom.Pt((1+(i*i*7)%181)*100_000, (1+(i*37+i*i)%83)*100_000))
	}
	return out
}

// row gives pins of a connector.
func row(n int) (out []geom.Point) {
	for i := range int64(n) {
		out = append(out, geom.Pt(1_000_000+i*1_270_000, 5_000_000))
	}
	return out
}

// TestOriginOfDrills: holes that lie beside all pads by one way, and on them once moved
// by it, are taken to be there, and that is said. Where another way would do nearly as
// well, or there are too few, nothing is moved.
func TestOriginOfDrills(t *testing.T) {
	t.Parallel()
	way := geom.Pt(25_400_000, -12_700_000)
	for _, c := range []struct {
		name  string
		lands []geom.Point
		holes []geom.Point // as drilled but for the way
		way   geom.Point
		plus  string // of the drill file
		moved bool
	}{
		{"another origin", scatterPoints(24), scatterPoints(24), way, "", true},
		{"a little beside", scatterPoints(24), scatterPoints(24), geom.Pt(600_000, 0), "", true},
		{"beside within the same land", scatterPoints(24), scatterPoints(24), geom.Pt(120_000, 0), "", false},
		{"no pad at two of them", scatterPoints(24)[:22], scatterPoints(24), way, "", true},
		{"no pad at many of them", scatterPoints(24)[:18], scatterPoints(24), way, "", false},
		{"where they should be", scatterPoints(24), scatterPoints(24), geom.Point{}, "", false},
		{"too few", scatterPoints(9), scatterPoints(9), way, "", false},
		{"a row, which fits in many ways", row(14), row(13), way, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var pads []string
			for _, p := range c.lands {
				pads = append(pads, fmt.Sprintf("%f,%f", geom.Millimetres(p.X), geom.Millimetres(p.Y)))
			}
			drills := "M48\nMETRIC\nT1C0.800\n%\nG90\nG05\nT1\n"
			for _, p := range c.holes {
				p = p.Sub(c.way)
				drills += fmt.Sprintf("X%.3fY%.3f\n", geom.Millimetres(p.X), geom.Millimetres(p.Y))
			}
			post := geom.Pt(19_000_000, 9_000_000).Sub(c.way)
			bare := "M48\nMETRIC\nT1C3.000\n%\nT1\n" + fmt.Sprintf("X%.3fY%.3f\n", geom.Millimetres(post.X), geom.Millimetres(post.Y)) + "M30\n"
			art := uploads.Gerber("", pads...)
			p := uploads.Ordinary().Merge(uploads.Set{"x-F_Cu.gbr": art, "x-B_Cu.gbr": art, "x-F_Mask.gbr": art, "x-B_Mask.gbr": art,
				"x-PTH.drl": drills + "M30\n", "x-NPTH.drl": bare}).Read(t)
			b := p.Boards[0]
			if reported := slices.Contains(uploads.Codes(p, pcb.Problem), "drill_origin"); reported != c.moved {
				t.Errorf("said %v, want %v", reported, c.moved)
			}
			there := 0
			for i := range b.Holes {
				if h := &b.Holes[i]; slices.Contains(c.holes, h.A) || h.A == geom.Pt(19_000_000, 9_000_000) {
					there++
				}
			}
			if want := len(c.holes) + 1; (there == want) != (c.moved || c.way == geom.Point{}) {
				t.Errorf("%d of %d holes are where they should be", there, want)
			}
		})
	}
}
