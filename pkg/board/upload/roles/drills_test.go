package roles_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// layerFileOf flashes circles of some diameters in millimetres at x,y, the first at the first
// place and so on in turn, and draws a frame.
func layerFileOf(places []string, diameters ...float64) string {
	var b strings.Builder
	b.WriteString("%FSLAX46Y46*%\n%MOMM*%\n%ADD10C,0.2*%\n")
	for i, d := range diameters {
		fmt.Fprintf(&b, "%%ADD%dC,%g*%%\n", 20+i, d)
	}
	for i, p := range places {
		var x, y float64
		fmt.Sscanf(p, "%f,%f", &x, &y)
		fmt.Fprintf(&b, "D%d*\nX%dY%dD03*\n", 20+i%len(diameters), int64(x*1e6), int64(y*1e6))
	}
	return b.String() + "D10*\nX0Y0D02*\nX20000000Y0D01*\nM02*\n"
}

// TestDrillFilms: where there are no drill data, a layer file that flashes holes smaller than
// the lands of both sides, 1.6 mm wide, is that of the holes.
func TestDrillLayerFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		file      string
		layerFile func(lands []string) string
		also      uploads.Set
		holes     int
		message   string
	}{
		{"of no known name", "holes9.gbr", func(l []string) string { return layerFileOf(l, 0.8, 1) }, nil, 12, "drill_film"},
		{"a drill drawing by its name", "drl.gbr", func(l []string) string { return layerFileOf(l, 0.8, 1) }, nil, 12, "drill_film"},
		{"with holes of screws beside the lands", "holes9.gbr", func(l []string) string { return layerFileOf(append(l, "1,9", "19,9", "1,1"), 0.8, 1) }, nil, 15, "drill_film"},
		{"rounded to a thousandth of an inch", "holes9.gbr", func(l []string) string {
			return layerFileOf(append([]string{"2.012,3.011"}, l[1:]...), 0.8, 1)
		}, nil, 12, "drill_film"},
		{"beside lands, most of it", "holes9.gbr", func(l []string) string {
			return layerFileOf(append(l[:6:6], "1,9", "19,9", "1,1", "6,9", "9,9"), 0.8, 1)
		}, nil, 0, "drill_missing"},
		{"as large as the lands", "holes9.gbr", func(l []string) string { return layerFileOf(l, 1.6, 1.7) }, nil, 0, "drill_missing"},
		{"dots of one size", "holes9.gbr", func(l []string) string { return layerFileOf(l, 0.3) }, nil, 0, "drill_missing"},
		{"on lands of one side", "holes9.gbr", func(l []string) string { return layerFileOf(l, 0.8, 1) }, uploads.Set{"x-B_Cu.gbr": uploads.Gerber("", "4,9", "5,9", "6,9", "7,9", "8,9", "9,9", "10,9", "11,9", "12,9", "13,9")}, 0, "drill_missing"},
		{"two of them", "holes9.gbr", func(l []string) string { return layerFileOf(l, 0.8, 1) }, uploads.Set{"marks8.gbr": layerFileOf([]string{"2,3", "5,3", "8,3", "11,3", "14,3", "17,3", "2,7", "5,7", "8,7", "11,7"}, 0.5, 0.6)}, 0, "drill_missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, lands := uploads.BoardWithHoles()
			p := s.Merge(uploads.Set{"x-PTH.drl": "", c.file: c.layerFile(lands)}).Merge(c.also).Read(t)
			if n := len(p.Boards[0].Holes); n != c.holes || !slices.Contains(uploads.Codes(p, pcb.Warning), c.message) {
				t.Errorf("%d holes, want %d: %v", n, c.holes, uploads.Codes(p, pcb.Warning))
			}
		})
	}
	s, lands := uploads.BoardWithHoles()
	if p := s.Merge(uploads.Set{"holes9.gbr": layerFileOf(lands, 0.8, 1)}).Read(t); slices.Contains(uploads.Codes(p, pcb.Warning), "drill_film") || len(p.Boards[0].Holes) != 12 {
		t.Errorf("beside a drill file: %d holes, warnings %v; want 12, no drill_film", len(p.Boards[0].Holes), uploads.Codes(p, pcb.Warning))
	}
}
