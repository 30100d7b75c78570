package stackup_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// stackupJob is a job file with a stackup as tools write it.
func stackupJob(mask, finish, copper, thickness string) string {
	return `{"Header":{"GenerationSoftware":{"Vendor":"KiCad"}},"GeneralSpecs":{"LayerNumber":2,"Size":{"X":20,"Y":10},"BoardThickness":` + thickness +
		`,"Finish":"` + finish + `"},"MaterialStackup":[{"Type":"SolderMask","Color":"` + mask + `"},{"Type":"Copper","Thickness":` + copper +
		`},{"Type":"Dielectric","Material":"FR4","Thickness":1.51},{"Type":"Copper","Thickness":` + copper + `}]}`
}

// What a tool's setup begins with is nobody's choice, for no option of it; what
// the customer wrote goes before what somebody set up.
func TestUntouchedSetupsStateNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		job, readme string
		mask        string
		stated      bool // the mask
		thickness   bool // is stated
		differ      bool
	}{
		"untouched":                  {stackupJob("Green", "None", "0.035", "1.6"), "", "Green", false, false, false},
		"untouched, and words":       {stackupJob("Green", "None", "0.035", "1.6"), "Black soldermask\n", "black", true, false, false},
		"another mask":               {stackupJob("Red", "None", "0.035", "1.6"), "", "Red", true, false, false},
		"another finish":             {stackupJob("Green", "ENIG", "0.035", "1.6"), "", "Green", true, false, false},
		"another copper":             {stackupJob("Green", "None", "0.07", "1.6"), "", "Green", true, false, false},
		"another thickness":          {stackupJob("Green", "None", "0.035", "0.8"), "", "Green", true, true, false},
		"a choice, and other words":  {stackupJob("Red", "None", "0.035", "1.6"), "Black soldermask\n", "black", true, false, true},
		"words of the usual, stated": {stackupJob("Green", "None", "0.035", "1.6"), "1.6mm thick\nGreen soldermask\n", "green", true, true, false},
	} {
		files := uploads.Set{"x.gbrjob": c.job}
		if c.readme != "" {
			files["README.txt"] = "PCB notes\n2 layers\n" + c.readme
		}
		p := uploads.Ordinary().Merge(files).Read(t)
		f := p.Boards[0].Facts
		if f.MaskColour.Value != c.mask || f.MaskColour.IsStated() != c.stated || f.Thickness.IsStated() != c.thickness {
			t.Errorf("%s: mask %+v, thickness %+v; want mask %q, stated %v, thickness stated %v", name, f.MaskColour, f.Thickness, c.mask, c.stated, c.thickness)
		}
		if got := slices.Contains(uploads.Codes(p, pcb.Warning), "notes_differ"); got != c.differ {
			t.Errorf("%s: notes differ: %v, want %v", name, got, c.differ)
		}
	}
}

func TestLayerStackTable(t *testing.T) {
	t.Parallel()
	p := uploads.Ordinary().Merge(uploads.Set{"stack.csv": "Board Layer Stack\nNumber,Name,Type,Material,Process,Thickness (mm),Weight (oz)\n" +
		"1,Top Layer,Signal,CF,ED,0.07,2\n,Dielectric 1,Core,FR4,,0.66,\n2,Bottom Layer,Signal,CF,ED,0.07,2\n,Finish,Surface Finish,,ENIG,0.004,\n"}).Read(t)
	b := p.Boards[0]
	got := strings.TrimSpace(fmt.Sprintln(b.Facts.Thickness.Value, b.Facts.OuterCopper.Value, b.Facts.Finish.Value, len(b.Stackup)))
	if want := "800000 2 ENIG 3"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
