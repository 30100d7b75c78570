package netlist_test

import (
	"slices"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/netlist"
)

// netlistOf is a netlist of holes of two nets, in ten-thousandths of an inch.
const netlistOf = "P  UNITS CUST 0\n" +
	"317GND              U1    -1    D0315PA00X+001969Y+001969X0000Y0000R000S0\n" +
	"317VCC              U1    -2    D0315PA00X+003937Y+001969X0000Y0000R000S0\n999\n"

// TestSidesOfPins: a pin that is listed on both sides at one place is on neither alone.
func TestSidesOfPins(t *testing.T) {
	t.Parallel()
	const list = "P  UNITS CUST 0\n" +
		"327A                J1    -1          A01X+001969Y+001969X0787Y0787R000S2\n" +
		"327A                J1    -1          A02X+001969Y+001969X0787Y0787R000S2\n" +
		"327B                J2    -1          A02X+003937Y+001969X0787Y0787R000S2\n" +
		"327B                J2    -1          A01X+005937Y+001969X0787Y0787R000S2\n" +
		"327C                J3    -1          A01X+007937Y+001969X0787Y0787R000S2\n" +
		"327C                J3    -1          A01X+007937Y+001969X0787Y0787R000S2\n999\n"
	s := uploads.NewStage()
	s.AddBeside("x.ipc", classify.FormatNetlist, list)
	netlist.Joiner{Upload: s.Upload, List: findings.ListOf(s.Board), Board: s.Board}.Join()
	for ref, want := range map[string]pcb.Side{"J1": pcb.NoSide, "J2": pcb.Bottom, "J3": pcb.Top} {
		if p := s.Board.Pins[s.Board.Pin(ref, "1")]; p.Side != want || !p.HasAt {
			t.Errorf("pin %s-1 of the netlist\n%s: side %v, want %v", ref, list, p.Side, want)
		}
	}
}

// TestJoiner: nets, pins and sizes of holes come from the netlist beside a board.
func TestJoiner(t *testing.T) {
	t.Parallel()
	s := uploads.NewStage()
	s.AddBeside("x.ipc", classify.FormatNetlist, netlistOf)
	for _, at := range []geom.Point{geom.Pt(5_001_260, 5_001_260), geom.Pt(9_999_980, 5_001_260)} {
		s.Board.Holes = append(s.Board.Holes, pcb.Hole{A: at, B: at, File: -1})
	}
	s.Board.Findings = []pcb.Finding{{Code: "drill_no_size"}, {Code: "other"}}
	netlist.Joiner{Upload: s.Upload, List: findings.ListOf(s.Board), Board: s.Board}.Join()
	for i, want := range []string{"GND", "VCC"} {
		h := s.Board.Holes[i]
		if got := s.Board.Nets[h.Net].Name; got != want || h.Diameter != 800_100 {
			t.Errorf("hole %d: net %q, %d nm wide; want %q, 800100", i, got, h.Diameter, want)
		}
	}
	if len(s.Board.Pins) != 3 || len(s.Board.Components) != 1 {
		t.Errorf("%d pins and %d components, want 3 with the empty one, and 1", len(s.Board.Pins), len(s.Board.Components))
	}
	var codes []string
	for _, f := range s.Board.Findings {
		codes = append(codes, f.Code)
	}
	if want := []string{"other", "hole_size_from_netlist"}; !slices.Equal(codes, want) {
		t.Errorf("findings %v, want %v", codes, want)
	}
	if !s.Result(0).Used {
		t.Errorf("the netlist is %+v, want it used", s.Result(0).FileReport)
	}
}
