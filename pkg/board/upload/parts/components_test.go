package parts_test

import (
	"context"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
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
		t.Fatalf("%d boards: %+v, want one of one component", len(p.Boards), p.Boards)
	}
	c := p.Boards[0].Components[0]
	if c.Ref != "R1" || c.Value != "10k" || c.Rotation != 90 || c.Side != pcb.Top || c.Mount != pcb.SurfaceMount || c.At.X != 1_000_000 {
		t.Errorf("component of %q is %+v, want R1, 10k, at X 1 mm, turned by 90, on the surface of the top", parts, c)
	}
}

// TestLettersOfReferences: a list that writes the placements' references in other
// letters names the same parts.
func TestLettersOfReferences(t *testing.T) {
	t.Parallel()
	places := "Designator,Mid X,Mid Y,Layer,Rotation\nR1,5mm,5mm,Top,0\nR2,10mm,5mm,Top,0\nX1,12mm,5mm,Top,0\nx1,15mm,5mm,Top,0\n"
	for name, c := range map[string]struct{ list, want string }{
		"same":      {"R1 R2 X1 x1", ""},
		"small":     {"r1 R2 X1 x1", ""},
		"both":      {"R1 r1 R2 X1 x1", "no placement file places r1 of the bill of materials"},
		"another":   {"r1 r3 R2 X1 x1", "no placement file places r3 of the bill of materials"},
		"one of x1": {"r1 r2 x1", "the bill of materials does not name X1, which the placement file places"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list := "Designator,Comment,Footprint,Quantity\n"
			for _, ref := range strings.Fields(c.list) {
				list += ref + ",10k,0603,1\n"
			}
			var got []string
			for _, f := range uploads.Ordinary().Merge(uploads.Set{"bom.csv": list, "pick-and-place.csv": places}).Read(t).Findings {
				if strings.HasPrefix(f.Code, "placement_") || strings.HasPrefix(f.Code, "bom_") {
					got = append(got, f.Message)
				}
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("findings %q, want %q", got, c.want)
			}
		})
	}
}
