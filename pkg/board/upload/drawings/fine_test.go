package drawings_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestFineStrokes: a line of a tenth of a mil on the copper is a drawing, one that a layer file
// shows is copper.
func TestFineStrokes(t *testing.T) {
	t.Parallel()
	for pen, want := range map[string]bool{"0.00254": true, "0.005": false, "0.01": false} {
		s := uploads.Ordinary()
		s["x-F_Cu.gbr"] = strings.Replace(uploads.Gerber("", "5,5", "10,5", "15,5", "5,6 15,6"), "%ADD10C,0.2*%", "%ADD10C,"+pen+"*%", 1)
		b := s.Read(t).Boards[0]
		drawn := slices.ContainsFunc(b.Copper()[0].Features, func(f pcb.Feature) bool { return f.Function == pcb.FuncProfile })
		reported := slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == "drawing_in_copper" })
		if drawn != want || reported != want {
			t.Errorf("a pen of %s: drawing %v, told %v; want both %v", pen, drawn, reported, want)
		}
	}
}
