package missingholes_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload"
)

// padsOn flashes pads of an aperture, such as C,1.6, with a stroke beside them.
func padsOn(aperture string, at ...string) string {
	return strings.Replace(uploads.Gerber("", append([]string{"1,1 19,1"}, at...)...), "C,1.6", aperture, 1)
}

// TestUndrilledLands: pads on both sides that no hole goes through are asked about, and the
// customer's word that none is drilled goes on; contacts, pads of parts on the surface and
// pads that have holes are not.
func TestUndrilledLands(t *testing.T) {
	t.Parallel()
	row := func(n int) (at []string) {
		for i := range n {
			at = append(at, fmt.Sprintf("%d,%d", 3+2*(i%8), 3+2*(i/8)))
		}
		return at
	}
	bare := func(at ...string) string {
		return uploads.Drill("; #@! TF.FileFunction,NonPlated,1,2,NPTH\n", at...)
	}
	plated := func(at ...string) string { return uploads.Drill("; #@! TF.FileFunction,Plated,1,2,PTH\n", at...) }
	both := func(aperture string, at ...string) uploads.Set {
		return uploads.Set{"x-F_Cu.gbr": padsOn(aperture, at...), "x-B_Cu.gbr": padsOn(aperture, at...)}
	}
	stated := func(f string, at ...string) uploads.Set {
		text := strings.Replace(padsOn("C,1.6", at...), "%ADD11", "%TA.AperFunction,"+f+"*%\n%ADD11", 1)
		return uploads.Set{"x-F_Cu.gbr": text, "x-B_Cu.gbr": text}
	}
	for name, c := range map[string]struct {
		more uploads.Set
		bare int // pads that are asked about
	}{
		"two vias, no drill file":      {both("C,1.6", row(2)...), 2},
		"one":                          {both("C,1.6", row(1)...), 1},
		"twelve round pads":            {both("C,1.6", row(12)...), 12},
		"square pads":                  {both("R,1.6X1.6", row(7)...), 7},
		"oval pads":                    {both("O,1.2X2.4", row(7)...), 7},
		"round below and square above": {uploads.Set{"x-F_Cu.gbr": padsOn("R,1.6X1.6", row(3)...), "x-B_Cu.gbr": padsOn("C,1.6", row(3)...)}, 3},
		"beside holes without plating": {both("C,1.6", row(4)...).Merge(uploads.Set{"x-NPTH.drl": bare("18,8")}), 4},
		"square ones beside holes without plating":    {both("R,1.6X1.6", row(4)...).Merge(uploads.Set{"x-NPTH.drl": bare("18,8")}), 4},
		"nine of eleven beside plated holes":          {both("C,1.6", row(11)...).Merge(uploads.Set{"x-PTH.drl": plated(row(2)...)}), 9},
		"an empty drill file":                         {both("C,1.6", row(4)...).Merge(uploads.Set{"x-NPTH.drl": bare()}), 4},
		"seven of ten beside plated holes":            {both("C,1.6", row(10)...).Merge(uploads.Set{"x-PTH.drl": plated(row(3)...)}), 0},
		"holes in all of them":                        {both("C,1.6", row(4)...).Merge(uploads.Set{"x-PTH.drl": plated(row(4)...)}), 0},
		"holes without plating in all of them":        {both("C,1.6", row(4)...).Merge(uploads.Set{"x-NPTH.drl": bare(row(4)...)}), 0},
		"pads of one side beside holes":               {uploads.Set{"x-F_Cu.gbr": padsOn("C,1.6", row(4)...), "x-B_Cu.gbr": padsOn("C,1.6"), "x-NPTH.drl": bare("18,8")}, 0},
		"square pads of two sizes beside holes":       {uploads.Set{"x-F_Cu.gbr": padsOn("R,1.6X1.6", row(4)...), "x-B_Cu.gbr": padsOn("R,0.7X0.7", row(4)...), "x-NPTH.drl": bare("18,8")}, 0},
		"square pads, smaller below, beside holes":    {uploads.Set{"x-F_Cu.gbr": padsOn("R,1.6X1.6", row(4)...), "x-B_Cu.gbr": padsOn("R,1.2X1.2", row(4)...), "x-NPTH.drl": bare("18,8")}, 4},
		"contacts of an edge beside holes":            {both("R,0.7X4", row(7)...).Merge(uploads.Set{"x-NPTH.drl": bare("18,8")}), 0},
		"small square pads of parts beside holes":     {both("R,0.4X0.4", row(7)...).Merge(uploads.Set{"x-NPTH.drl": bare("18,8")}), 0},
		"square pads with paste beside holes":         {both("R,1.6X1.6", row(4)...).Merge(uploads.Set{"x-NPTH.drl": bare("18,8"), "x-F_Paste.gbr": padsOn("R,1.5X1.5", row(4)...)}), 0},
		"stated to be of parts on the surface":        {stated("SMDPad,CuDef", row(4)...).Merge(uploads.Set{"x-NPTH.drl": bare("18,8")}), 0},
		"fiducials by attribute beside holes":         {stated("FiducialPad,Global", row(3)...).Merge(uploads.Set{"x-NPTH.drl": bare("18,8")}), 0},
		"fiducials that do not say so, without holes": {both("C,1", row(3)...), 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := uploads.Ordinary().Merge(uploads.Set{"x-PTH.drl": ""}).Merge(c.more).Files()
			f := uploads.FindingOf(upload.Read(t.Context(), files, upload.Options{}), "drill_missing")
			if c.bare == 0 {
				if f != nil {
					t.Errorf("%s: finding %+v, want none", name, f)
				}
				return
			}
			if f == nil || f.Level != pcb.Problem || f.Count != c.bare || len(f.Answers) != 1 || f.Answers[0].Field != "file_answers.no_holes" || f.Answers[0].Value != true {
				t.Fatalf("%s: finding %+v, want %d pads and one answer", name, f, c.bare)
			}
			if named := strings.Contains(f.Message, `("x-`); named != (c.more["x-NPTH.drl"] != "" && c.more["x-NPTH.drl"] != bare() || c.more["x-PTH.drl"] != "") {
				t.Errorf("%s: names the drill file %v, want %v: %q", name, named, !named, f.Message)
			}
			p := upload.Read(t.Context(), files, upload.Options{Answers: &answers.FileAnswers{NoHoles: true}})
			if f, denied := uploads.FindingOf(p, "drill_missing"), uploads.FindingOf(p, "holes_denied"); f != nil || denied == nil || denied.Level != pcb.Warning || len(p.Refused) > 0 {
				t.Errorf("%s, and the holes are denied: drill_missing %+v, holes_denied %+v, refused %+v; want a warning that they are denied alone", name, f, denied, p.Refused)
			}
		})
	}
}
