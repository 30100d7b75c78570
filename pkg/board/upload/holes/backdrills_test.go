package holes_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestBackDrills: a program that drills plated holes a second time, by what it says or by
// its name and places, makes neither blind vias nor bare holes, and is told of once.
func TestBackDrills(t *testing.T) {
	t.Parallel()
	allegro := ";FILE : x-bd-2-1.drl for backdrilling ... from layer BOTTOM to layer TOP\n;   BackdrillSize 1. = 1.2 Tolerance = +0.0/-0.0 NON_PLATED MM Quantity = 2\n%\nG90\nX5.0Y5.0\nX10.0Y5.0\nM30\n"
	wide := strings.Replace(uploads.Drill("", "5,5", "10,5"), "C0.800", "C1.200", 1)
	for _, c := range []struct {
		name, file, data string
		want             bool
	}{
		{"Allegro's", "x-bd-2-1.drl", allegro, true},
		{"said in a comment", "x-extra.drl", "; back drill from the bottom\n" + wide, true},
		{"called so, on narrower holes", "x-BackDrill-1-2.drl", wide, true},
		{"called so, in two words", "x back_drill.drl", wide, true},
		{"drills of the back, beside the others", "x-Back_Drill.drl", uploads.Drill("", "7,2", "12,2"), false},
		{"called something else", "x-more.drl", wide, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := uploads.Ordinary().Merge(uploads.Set{"x-PTH.drl": "", "x.drl": uploads.Drill("", "5,5", "10,5", "15,5"), c.file: c.data})
			b := s.Read(t).Boards[0]
			back := 0
			for _, h := range b.Holes {
				if h.Function == pcb.FuncBackDrill {
					back++
				}
			}
			reported := 0
			for _, f := range b.Findings {
				if f.Code == "back_drill" {
					reported++
				}
			}
			if want := map[bool]int{true: 2}[c.want]; back != want || reported != want/2 {
				t.Errorf("%d holes, told %d times, want %d", back, reported, want)
			}
			if c.want && (b.Facts.BlindVias.Value || b.Facts.NonPlatedHoles.Value != 0 || b.Facts.PlatedHoles.Value != 3) {
				t.Errorf("blind %v, unplated holes %v, plated %v; want false, 0, 3", b.Facts.BlindVias, b.Facts.NonPlatedHoles, b.Facts.PlatedHoles)
			}
			if slices.Contains(uploads.Codes(&pcb.Project{Boards: []*pcb.Board{b}}, pcb.Problem), "drill_no_tool") {
				t.Errorf("findings are %v, want no drill_no_tool", b.Findings)
			}
		})
	}
}
