package upload_test

import (
	"slices"
	"testing"

	"boardorder/pkg/board"
)

// TestWhatLiesBesideTheOutline: of outline, pads and holes the one that the two others
// contradict is told of.
func TestWhatLiesBesideTheOutline(t *testing.T) {
	t.Parallel()
	aside := gerberFile("", "200,0 220,0", "220,0 220,10", "220,10 200,10", "200,10 200,0")
	for _, c := range []struct {
		name string
		more set
		code string
	}{
		{"nothing", nil, ""},
		{"the outline", set{"x-Edge_Cuts.gbr": aside}, "outline_elsewhere"},
		{"the holes", set{"x-PTH.drl": drillFile("", "205,5", "210,5", "215,5", "205,8")}, "holes_off_board"},
	} {
		s, _ := drilled()
		found := findings(s.with(c.more).read(t), board.Problem)
		for _, code := range []string{"outline_elsewhere", "holes_off_board"} {
			if slices.Contains(found, code) != (code == c.code) {
				t.Errorf("%s: %q", c.name, found)
			}
		}
	}
}
