package upload_test

import (
	"fmt"
	"slices"
	"testing"

	"boardorder/pkg/board"
)

// TestSideOfAStencil: a stencil that names no side is that of the side whose lands it is
// on; one on lands of both sides keeps none.
func TestSideOfAStencil(t *testing.T) {
	t.Parallel()
	row := func(n, y int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("%d,%d", 2+i, y))
		}
		return out
	}
	for _, c := range []struct {
		name  string
		paste []string
		side  board.Side
	}{
		{"on lands of the top", row(12, 3), board.Top},
		{"on lands of the bottom", row(12, 7), board.Bottom},
		{"nearly all on the bottom", append(row(12, 7), "2,3"), board.Bottom},
		{"on both", append(row(12, 7), row(4, 3)...), board.NoSide},
		{"on few lands", row(6, 7), board.NoSide},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := ordinary().merge(set{"x-F_Cu.gbr": gerberFile("", row(12, 3)...), "x-B_Cu.gbr": gerberFile("", row(12, 7)...), "x-paste.gbr": gerberFile("", c.paste...)}).read(t)
			i := slices.IndexFunc(p.Files, func(f board.FileReport) bool { return f.Name == "x-paste.gbr" })
			if f := p.Files[i]; f.Role != board.RolePaste || f.Side != c.side {
				t.Errorf("%v %v, want %v", f.Role, f.Side, c.side)
			}
		})
	}
}
