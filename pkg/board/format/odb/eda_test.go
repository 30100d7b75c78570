package odb

import "testing"

// A job as Altium writes it: S2 has two pads called 0 with one record between them,
// and two nets have one name.
const (
	edaMatrix = "STEP {\n COL=1\n NAME=PCB\n}\nLAYER {\n ROW=1\n CONTEXT=BOARD\n TYPE=COMPONENT\n NAME=COMP_+_TOP\n}\n" +
		"LAYER {\n ROW=2\n CONTEXT=BOARD\n TYPE=SIGNAL\n NAME=TOP\n POLARITY=POSITIVE\n}\n"
	edaFeatures   = "UNITS=MM\n$0 r500\nP 1 1 0 P 0 0\nP 9 9 0 P 0 0\nP 5 1 0 P 0 0\nP 7 1 0 P 0 0\n"
	edaComponents = "UNITS=MM\nCMP 0 5 5 0 N S2 switch\nTOP 0 1 1 0 N 1 0 S2-0\nTOP 1 9 9 0 N 0 0 S2-0\nTOP 2 5 1 0 N 2 0 S2-2\nTOP 3 7 1 0 N 3 0 S2-3\n"
	edaNets       = "HDR test\nLYR top\nNET $NONE$\nSNT TOP T 0 0\nFID C 0 1\nNET GND\nSNT TOP T 0 0\nFID C 0 0\n" +
		"NET NetC12_1\nSNT TOP T 0 2\nFID C 0 2\nNET NetC12_1\nSNT TOP T 0 3\nFID C 0 3\n"
)

func TestNetsByNumber(t *testing.T) {
	t.Parallel()
	files := append(smallest(edaMatrix, edaFeatures), File{"job/steps/pcb/layers/comp_+_top/components", []byte(edaComponents)},
		File{"job/steps/pcb/eda/data", []byte(edaNets)})
	boards, findings := Read(t.Context(), files)
	if len(boards) != 1 || len(boards[0].Copper()) != 1 || len(boards[0].Copper()[0].Features) != 4 {
		t.Fatalf("%d boards, findings %v; want one board, with one copper layer of 4 features", len(boards), findings)
	}
	b := boards[0]
	for i, want := range []struct {
		net string
		pin bool
	}{{"GND", true}, {"", false}, {"NetC12_1", true}, {"NetC12_1 (2)", true}} {
		f := b.Copper()[0].Features[i]
		if got := b.Nets[f.Net].Name; got != want.net || (f.Pin > 0) != want.pin {
			t.Errorf("pad %d: net %q, pin %d; want %q, a pin %v", i, got, f.Pin, want.net, want.pin)
		}
	}
}
