package artwork_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestFilmsInAMirror: layer files of the bottom that are plotted in a mirror lie beside the others,
// and are turned back where they lie on them then. Others stay as they are plotted.
func TestLayerFilesInAMirror(t *testing.T) {
	t.Parallel()
	const mirror = "%MIA1B0*%"
	places := []string{"2,2", "18,2", "2,8", "17,6", "5,5"}
	move := func(x string) (out []string) { // the same places with another number before each
		for _, p := range places {
			out = append(out, x+p)
		}
		return out
	}
	for _, c := range []struct {
		name   string
		plus   string // of the bottom's layer files
		bottom []string
		first  geom.Point // flash of the bottom copper
		turned bool
	}{
		{"plotted in a mirror", mirror, places, geom.Pt(2_000_000, 2_000_000), true},
		{"plotted in a mirror, and drawn so too", mirror, move("-"), geom.Pt(2_000_000, 2_000_000), false},
		{"of another place", mirror, move("5"), geom.Pt(-52_000_000, 2_000_000), false},
		{"as the others", "", places, geom.Pt(2_000_000, 2_000_000), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			top := uploads.Gerber("", places...)
			bottom := strings.Replace(uploads.Gerber("", c.bottom...), "%MOMM*%", "%MOMM*%"+c.plus, 1)
			p := uploads.Ordinary().Merge(uploads.Set{"x-F_Cu.gbr": top, "x-B_Cu.gbr": bottom, "x-F_Mask.gbr": top, "x-B_Mask.gbr": bottom}).Read(t)
			b := p.Boards[0]
			if reported := slices.Contains(uploads.Codes(p, pcb.Note), "films_turned"); reported != c.turned {
				t.Errorf("said %v, want %v: %v", reported, c.turned, uploads.Codes(p, pcb.Note))
			}
			for _, l := range b.Layers {
				if l.Role == pcb.RoleCopper && l.Side == pcb.Bottom && l.Features[0].A != c.first {
					t.Errorf("%v, want %v", l.Features[0].A, c.first)
				}
			}
		})
	}
}
