package upload_test

import (
	"context"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/upload"
)

func TestComponentLayer(t *testing.T) {
	t.Parallel()
	const head = "%FSLAX46Y46*%%MOMM*%"
	copper := "%TF.FileFunction,Copper,L1,Top*%" + head + "%ADD10C,1*%%TO.P,R1,1*%%TO.N,GND*%D10*X0Y0D03*M02*"
	parts := "%TF.FileFunction,Component,L1,Top*%" + head +
		"%TA.AperFunction,ComponentMain*%%ADD10C,0.3*%%TD*%D10*%TO.C,R1*%%TO.CVal,10k*%%TO.CMnt,SMD*%%TO.CRot,90*%X1000000Y2000000D03*M02*"
	p := upload.Read(context.Background(), []upload.File{
		{Name: "b-F_Cu.gtl", Data: []byte(copper)}, {Name: "b-pnp_top.gbr", Data: []byte(parts)},
	}, upload.Options{})
	if len(p.Boards) != 1 || len(p.Boards[0].Components) != 1 {
		t.Fatalf("%d boards: %+v", len(p.Boards), p.Boards)
	}
	c := p.Boards[0].Components[0]
	if c.Ref != "R1" || c.Value != "10k" || c.Rotation != 90 || c.Side != board.Top || c.Mount != board.SurfaceMount || c.At.X != 1_000_000 {
		t.Errorf("%+v", c)
	}
}
