package missingholes_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload"
)

// TestHoleEvidence: that a board has no holes is offered only where nothing speaks for any;
// else the drill file is asked for, and who denies holes is told what speaks for them.
func TestHoleEvidence(t *testing.T) {
	t.Parallel()
	top := func(more ...string) string { return uploads.Gerber("", append([]string{"5,5", "10,5"}, more...)...) }
	stated := func(f string) string {
		return strings.Replace(uploads.Gerber("", "5,5"), "%ADD11", "%TA.AperFunction,"+f+"*%\n%ADD11", 1)
	}
	job := func(f string) string {
		return `{"Header":{"GenerationSoftware":{}},"FilesAttributes":[{"Path":"x-F_Cu.gbr","FileFunction":"Copper,L1,Top"},{"Path":"x.holes","FileFunction":"` + f + `"}]}`
	}
	netlist := "C  IPC-D-356 netlist\nP  UNITS CUST 1\n317GND              VIA         D0%sPA00X+005000Y+005000X0600Y0000R000S0\n999\n"
	for name, c := range map[string]struct {
		more uploads.Set
		want string // of the sentence; "" = it is asked whether there are holes
	}{
		"pads of one side":                   {nil, ""},
		"pads drawn with holes":              {uploads.Set{"x-F_Cu.gbr": strings.Replace(top(), "C,1.6", "C,1.6X0.8", 1)}, "2 pads with a hole"},
		"pads of vias":                       {uploads.Set{"x-F_Cu.gbr": stated("ViaPad")}, "1 pads of the copper state"},
		"pads of leads":                      {uploads.Set{"x-F_Cu.gbr": stated("ComponentPad")}, "1 pads of the copper state"},
		"pads of parts on the surface":       {uploads.Set{"x-F_Cu.gbr": stated("SMDPad,CuDef")}, ""},
		"copper of inner layers":             {uploads.Set{"x-In1_Cu.gbr": uploads.Gerber("", "5,5 9,5"), "x-In2_Cu.gbr": uploads.Gerber("", "5,5 9,5")}, "inner layers"},
		"a job file that lists a drill file": {uploads.Set{"x.gbrjob": job("Plated,1,2,PTH")}, `"x.holes"`},
		"a job file that lists a mask":       {uploads.Set{"x.gbrjob": job("Soldermask,Top")}, ""},
		"notes that name a drill file":       {uploads.Set{"readme.txt": "top copper: x-F_Cu.gbr\nholes: board-pth.DRL\n"}, `"board-pth.DRL"`},
		"notes of drill files in general":    {uploads.Set{"readme.txt": "we accept files ending in .drl or .xln\n"}, ""},
		"a netlist with holes":               {uploads.Set{"x.d356": strings.Replace(netlist, "%s", "320", 1)}, "1 holes"},
		"a netlist without":                  {uploads.Set{"x.d356": strings.Replace(netlist, "D0%sP", "      ", 1)}, ""},
		"a file that is one by its name":     {uploads.Set{"board.drl": "?? not a drill program ??\n"}, `"board.drl"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := uploads.Ordinary().Merge(uploads.Set{"x-PTH.drl": "", "x-F_Cu.gbr": top(), "x-B_Cu.gbr": uploads.Gerber("", "1,1 19,9")}).Merge(c.more).Files()
			f := uploads.FindingOf(upload.Read(t.Context(), files, upload.Options{}), "drill_missing")
			if f == nil {
				t.Fatalf("%s: no finding, want drill_missing", name)
			}
			if offered := len(f.Answers) > 0; offered != (c.want == "") || !strings.Contains(f.Message, c.want) || (f.Level == pcb.Problem) == offered {
				t.Errorf("%+v, want %q", f, c.want)
			}
			fileAnswers := answers.FileAnswers{NoHoles: true}
			p := upload.Read(t.Context(), files, upload.Options{Answers: &fileAnswers})
			if f := uploads.FindingOf(p, "drill_missing"); f != nil {
				t.Errorf("%s, and the holes are denied: finding %+v, want none", name, f)
			}
			if f := uploads.FindingOf(p, "holes_denied"); (f == nil) != (c.want == "") || f != nil && !strings.Contains(f.Message, c.want) {
				t.Errorf("denied: %+v, want %q", f, c.want)
			}
		})
	}
}
