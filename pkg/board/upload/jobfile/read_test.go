package jobfile_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/testkit/uploads"
)

func TestJobFacts(t *testing.T) {
	t.Parallel()
	job := `{"Header":{"GenerationSoftware":{"Vendor":"KiCad","Application":"Pcbnew","Version":"9.0"}},
 "GeneralSpecs":{"ProjectId":{"Revision":"B"},"LayerNumber":2,"Size":{"X":20.2,"Y":10.2},"BoardThickness":0.8,"Finish":"ENIG","EdgeConnector":"yes"},
 "MaterialStackup":[{"Type":"SolderMask","Color":"Blue"},{"Type":"Copper","Thickness":0.07},{"Type":"Dielectric","Material":"FR4","Thickness":0.66},{"Type":"Copper","Thickness":0.07}]}`
	f := uploads.Ordinary().Merge(uploads.Set{"x.gbrjob": job}).Read(t).Boards[0].Facts
	got := strings.TrimSpace(fmt.Sprintln(f.Thickness.Value, f.Thickness.IsStated(), f.Finish.Value, f.MaskColour.Value, f.OuterCopper.Value, f.Material.Value, f.GoldFingers.Value, f.Revision.Value, f.Tool.Value))
	if want := "800000 true ENIG Blue 2 FR4 true B KiCad Pcbnew 9.0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	f = uploads.Ordinary().Merge(uploads.Set{"x.gbrjob": strings.ReplaceAll(strings.ReplaceAll(job, "0.8,", "1.6,"), "0.07", "0.035")}).Read(t).Boards[0].Facts
	if !f.Thickness.Known || f.Thickness.IsStated() || f.OuterCopper.IsStated() {
		t.Errorf("a tool's presets: thickness %+v, copper %+v; want both known, and nobody's choice", f.Thickness, f.OuterCopper)
	}
}
