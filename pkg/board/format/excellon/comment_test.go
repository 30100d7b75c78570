package excellon

import (
	"testing"

	"boardorder/pkg/board/geom"
)

// TestToolRemarks: a size that only a comment states counts where the tool has none,
// with the unit that the comment gives, and nothing that may be a count counts as a size.
func TestToolRemarks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, comment string
		mm            float64 // 0: no size
	}{
		{"millimetres", "; T1 = 0.8 mm", 0.8},
		{"inches by a sign", `; T1 = 0.032"`, 0.8128},
		{"inches by a word", "; Tool 1: dia .032 in", 0.8128},
		{"mils", "; T1 = 32 mil", 0.8128},
		{"thou", "; T1 = 32 thou", 0.8128},
		{"micrometres", "; T1 = 800 um", 0.8},
		{"a point and no unit: the program's", "; T1 = 0.8", 0.8},
		{"a bare number may be a count", "; T1 = 12", 0},
		{"no size at all", "; T1 = 0.0 mm", 0},
		{"another tool's", "; T2 = 0.8 mm", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), lines("M48", "METRIC", c.comment, "T1", "%", "T1", "X1.0Y1.0", "M30"), Options{})
			if len(f.Hits) != 1 {
				t.Fatalf("%d holes behind %q, want one", len(f.Hits), c.comment)
			}
			got := f.Tools[f.Hits[0].Tool].Diameter
			if d := got - geom.MM(c.mm); d < -10 || d > 10 {
				t.Errorf("%s: %.4f mm, want %.4f", c.comment, geom.Millimetres(got), c.mm)
			}
		})
	}
}
