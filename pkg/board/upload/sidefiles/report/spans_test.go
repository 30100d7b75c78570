package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpans(t *testing.T) {
	t.Parallel()
	got := Spans([]byte(`
NCDrill File Report For: back to back.PcbDoc   7/1/2023  10:04:57 AM

Layer Pair : Top Layer to Bottom Layer
ASCII RoundHoles File : demo-RoundHoles.TXT
ASCII SlotHoles File : demo-SlotHoles.TXT
EIA File   : demo.DRL
T1      0.3mm (12mil)    Round     114       PTH
Layer Pair : L2 to L7
ASCII RoundHoles File : demo.TX1
MicroVia : L1 to L2
ASCII Plated RoundHoles File : demo.TX2
Backdrill : L8 to L3
ASCII RoundHoles File : demo.TX3
`))
	want := []Span{
		{Kind: "Layer Pair", From: "Top Layer", To: "Bottom Layer", Files: []string{"demo-roundholes.txt", "demo-slotholes.txt"}},
		{Kind: "Layer Pair", From: "L2", To: "L7", Files: []string{"demo.tx1"}},
		{Kind: "MicroVia", From: "L1", To: "L2", Files: []string{"demo.tx2"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}
