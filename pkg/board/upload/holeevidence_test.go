package upload_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload"
)

// TestHoleEvidence: that a board has no holes is offered only where nothing speaks for any;
// else the drill file is asked for, and who denies holes is told what speaks for them.
func TestHoleEvidence(t *testing.T) {
	t.Parallel()
	top := func(more ...string) string { return gerberFile("", append([]string{"5,5", "10,5"}, more...)...) }
	stated := func(f string) string {
		return strings.Replace(gerberFile("", "5,5"), "%ADD11", "%TA.AperFunction,"+f+"*%\n%ADD11", 1)
	}
	job := func(f string) string {
		return `{"Header":{"GenerationSoftware":{}},"FilesAttributes":[{"Path":"x-F_Cu.gbr","FileFunction":"Copper,L1,Top"},{"Path":"x.holes","FileFunction":"` + f + `"}]}`
	}
	netlist := "C  IPC-D-356 netlist\nP  UNITS CUST 1\n317GND              VIA         D0%sPA00X+005000Y+005000X0600Y0000R000S0\n999\n"
	for name, c := range map[string]struct {
		more set
		want string // of the sentence; "" = it is asked whether there are holes
	}{
		"pads of one side":                   {nil, ""},
		"pads drawn with holes":              {set{"x-F_Cu.gbr": strings.Replace(top(), "C,1.6", "C,1.6X0.8", 1)}, "2 pads with a hole"},
		"pads of vias":                       {set{"x-F_Cu.gbr": stated("ViaPad")}, "1 pads of the copper state"},
		"pads of leads":                      {set{"x-F_Cu.gbr": stated("ComponentPad")}, "1 pads of the copper state"},
		"pads of parts on the surface":       {set{"x-F_Cu.gbr": stated("SMDPad,CuDef")}, ""},
		"copper of inner layers":             {set{"x-In1_Cu.gbr": gerberFile("", "5,5 9,5"), "x-In2_Cu.gbr": gerberFile("", "5,5 9,5")}, "inner layers"},
		"a job file that lists a drill file": {set{"x.gbrjob": job("Plated,1,2,PTH")}, `"x.holes"`},
		"a job file that lists a mask":       {set{"x.gbrjob": job("Soldermask,Top")}, ""},
		"notes that name a drill file":       {set{"readme.txt": "top copper: x-F_Cu.gbr\nholes: board-pth.DRL\n"}, `"board-pth.DRL"`},
		"notes of drill files in general":    {set{"readme.txt": "we accept files ending in .drl or .xln\n"}, ""},
		"a netlist with holes":               {set{"x.d356": strings.Replace(netlist, "%s", "320", 1)}, "1 holes"},
		"a netlist without":                  {set{"x.d356": strings.Replace(netlist, "D0%sP", "      ", 1)}, ""},
		"a file that is one by its name":     {set{"board.drl": "?? not a drill program ??\n"}, `"board.drl"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := ordinary().merge(set{"x-PTH.drl": "", "x-F_Cu.gbr": top(), "x-B_Cu.gbr": gerberFile("", "1,1 19,9")}).merge(c.more).files()
			f := boardFinding(upload.Read(t.Context(), files, upload.Options{}), "drill_missing")
			if f == nil {
				t.Fatal("nothing is said")
			}
			if offered := len(f.Answers) > 0; offered != (c.want == "") || !strings.Contains(f.Message, c.want) || (f.Level == pcb.Problem) == offered {
				t.Errorf("%+v, want %q", f, c.want)
			}
			said := answers.FileAnswers{NoHoles: true}
			p := upload.Read(t.Context(), files, upload.Options{Answers: &said})
			if f := boardFinding(p, "drill_missing"); f != nil {
				t.Errorf("denied: %+v", f)
			}
			if f := boardFinding(p, "holes_denied"); (f == nil) != (c.want == "") || f != nil && !strings.Contains(f.Message, c.want) {
				t.Errorf("denied: %+v, want %q", f, c.want)
			}
		})
	}
}
