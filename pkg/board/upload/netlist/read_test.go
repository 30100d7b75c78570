package netlist_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/testkit/uploads"
)

func TestNetlist(t *testing.T) {
	t.Parallel()
	netlist := `P  UNITS CUST 1
317GND              R1    -1    D0800PA00X+005000Y+005000X1600Y0000R000S0
317SIGNAL           R1    -2    D0800PA00X+010000Y+005000X1600Y0000R000S0
317SIGNAL           VIA         D0800PA00X+015000Y+005000X1600Y0000R000S0
389BOARD_EDGE     X+000000Y+000000 X+021000 Y+011000 X+000000 Y+000000
999
`
	p := uploads.Ordinary().Merge(uploads.Set{"x.d356": netlist, "x-Edge_Cuts.gbr": ""}).Read(t)
	b := p.Boards[0]
	if len(b.Nets) != 3 || len(b.Pins) != 3 || len(b.Components) != 1 {
		t.Errorf("netlist %q gives %d nets, %d pins, %d components; want 3, 3 and 1", netlist, len(b.Nets), len(b.Pins), len(b.Components))
	}
	if b.Facts.Width.Value != geom.MM(21) || !strings.Contains(b.Facts.Width.How, "netlist") {
		t.Errorf("width by netlist %q is %+v, want 21 mm by the netlist", netlist, b.Facts.Width)
	}
	for i := range b.Holes {
		if b.Holes[i].Net == 0 {
			t.Errorf("hole %d is %+v, want a net", i, b.Holes[i])
		}
	}
}
