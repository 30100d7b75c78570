package roles_test

import (
	"fmt"
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
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
		side  pcb.Side
	}{
		{"on lands of the top", row(12, 3), pcb.Top},
		{"on lands of the bottom", row(12, 7), pcb.Bottom},
		{"nearly all on the bottom", append(row(12, 7), "2,3"), pcb.Bottom},
		{"on both", append(row(12, 7), row(4, 3)...), pcb.NoSide},
		{"on few lands", row(6, 7), pcb.NoSide},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := uploads.Ordinary().Merge(uploads.Set{"x-F_Cu.gbr": uploads.Gerber("", row(12, 3)...), "x-B_Cu.gbr": uploads.Gerber("", row(12, 7)...), "x-paste.gbr": uploads.Gerber("", c.paste...)}).Read(t)
			i := slices.IndexFunc(p.Files, func(f pcb.FileReport) bool { return f.Name == "x-paste.gbr" })
			if f := p.Files[i]; f.Role != pcb.RolePaste || f.Side != c.side {
				t.Errorf("%v %v, want %v", f.Role, f.Side, c.side)
			}
		})
	}
}
