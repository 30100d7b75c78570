package drills_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestFormatOfTheLargest: of drill files that begin alike, one with few holes is read
// as the one whose holes settle it. Here zeros at the end are left out, as the pads
// tell; three holes near a corner would do either way.
func TestFormatOfTheLargest(t *testing.T) {
	t.Parallel()
	const header = "M48\nMETRIC,000.000\nT1C0.800\n%\nT1\n"
	const holes = "X015Y002\nX016Y002\nX016Y003\nM30\n"
	many := header
	var pads []string
	for _, x := range []string{"03", "05", "07", "09", "11", "13", "15", "17"} {
		pads = append(pads, x+",5")
		many += "X0" + x + "Y005\n"
	}
	for _, c := range []struct {
		name, few string
		want      geom.Point // where its first hole lies
	}{
		{"one header", header + holes, geom.Pt(15_000_000, 2_000_000)},
		{"tools of its own", strings.ReplaceAll(header, "T1", "T2") + holes, geom.Pt(15_000_000, 2_000_000)},
		{"another header", strings.Replace(header, "M48\n", "M48\nFMAT,2\n", 1) + holes, geom.Pt(15_000, 2_000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			art := uploads.Gerber("", pads...)
			b := uploads.Ordinary().Merge(uploads.Set{"x-F_Cu.gbr": art, "x-B_Cu.gbr": art, "x-F_Mask.gbr": art, "x-B_Mask.gbr": art,
				"x-PTH.drl": many + "M30\n", "x-NPTH.drl": c.few}).Read(t).Boards[0]
			for _, h := range b.Holes {
				if h.Plating == pcb.NonPlated {
					if h.A != c.want {
						t.Errorf("at %v, want %v", h.A, c.want)
					}
					return
				}
			}
			t.Errorf("holes are %+v, want one without plating, of the small file", b.Holes)
		})
	}
}
