package gerber

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

func TestComponents(t *testing.T) {
	t.Parallel()
	src := `%TF.FileFunction,Component,L4,Bot*%
%FSLAX46Y46*%
%MOMM*%
%TA.AperFunction,ComponentMain*%
%ADD10C,0.300000*%
%TA.AperFunction,ComponentOutline,Footprint*%
%ADD11C,0.100000*%
%TA.AperFunction,ComponentPin*%
%ADD12P,0.360000X4X0.000000*%
%TD*%
D10*
%TO.C,R3*%
%TO.CFtp,R_0603*%
%TO.CVal,4k7*%
%TO.CMPN,RC0603*%
%TO.CMfr,Yageo*%
%TO.CMnt,SMD*%
%TO.CRot,-90*%
%TO.CPkg,0603*%
X1000000Y2000000D03*
D11*
X0Y0D02*
X1000000Y0D01*
D12*
%TO.P,R3,1*%
X500000Y0D03*
%TD*%
D10*
%TO.C,J1*%
%TO.CMnt,TH*%
X5000000Y0D03*
M02*
`
	f := Read(t.Context(), "x-pnp.gbr", []byte(src), Options{})
	if c := codes(f); c != "" {
		t.Errorf("findings %s, want none: %+v", c, f.Findings)
	}
	want := []pcb.Component{
		{Ref: "R3", Value: "4k7", Footprint: "R_0603", MPN: "RC0603", Manufacturer: "Yageo", At: geom.Pt(1_000_000, 2_000_000), HasAt: true,
			Rotation: -90, Side: pcb.Bottom, Mount: pcb.SurfaceMount, Line: 20, Fields: map[string]string{"package": "0603"}},
		{Ref: "J1", At: geom.Pt(5_000_000, 0), HasAt: true, Side: pcb.Bottom, Mount: pcb.ThroughHole, Line: 31},
	}
	if d := cmp.Diff(want, Components(f)); d != "" {
		t.Errorf("components (-want +got):\n%s", d)
	}
	if c := Components(Read(t.Context(), "x", []byte(mm+"M02*"), Options{})); c != nil {
		t.Errorf("a plain file places %+v, want nothing", c)
	}
}
