package processes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// allegroLayerFile is a film with the record that Allegro writes of what it shows.
func allegroLayerFile(name string, layers ...string) string {
	head := "G04 ================== begin FILE IDENTIFICATION RECORD ==================*\nG04 Film Name:    " + name + "*\n"
	for _, l := range layers {
		head += "G04 Layer:  " + l + "*\n"
	}
	return uploads.Gerber(head+"G04 ================== end FILE IDENTIFICATION RECORD ====================*\n", uploads.OutlineLines...)
}

// TestProcesses: what a plain board is made without is found in each form in which files
// say it, told once, and not where words only look like it.
func TestProcesses(t *testing.T) {
	t.Parallel()
	pads := []string{"5,5", "10,5"}
	x2 := func(f string) string { return uploads.Gerber(uploads.Function(f), pads...) }
	tool := func(f string) string {
		return strings.Replace(uploads.Drill("", "5,5", "10,5", "15,5"), "T1C", "; #@! TA.AperFunction,Plated,PTH,"+f+"\nT1C", 1)
	}
	carbonCopper := strings.NewReplacer("x-", "carbon-")
	for name, tt := range map[string]struct {
		change uploads.Set
		want   []pcb.Process
	}{
		"none": {},
		// attributes of Gerber X2
		"carbon ink":                     {uploads.Set{"x-a.gbr": x2("Carbonmask,Top")}, []pcb.Process{pcb.CarbonPrinting}},
		"a peelable mask":                {uploads.Set{"x-a.gbr": x2("Peelablemask,Bot")}, []pcb.Process{pcb.PeelableMasking}},
		"gold":                           {uploads.Set{"x-a.gbr": x2("Goldmask,Top")}, []pcb.Process{pcb.SelectiveFinish}},
		"silver":                         {uploads.Set{"x-a.gbr": x2("Silvermask,Top")}, []pcb.Process{pcb.SelectiveFinish}},
		"tin":                            {uploads.Set{"x-a.gbr": x2("Tinmask,Top")}, []pcb.Process{pcb.SelectiveFinish}},
		"heatsink paste":                 {uploads.Set{"x-a.gbr": x2("Heatsinkmask,Top")}, []pcb.Process{pcb.HeatsinkMasking}},
		"routing to a depth":             {uploads.Set{"x-a.gbr": x2("Depthrout,Top")}, []pcb.Process{pcb.DepthRouting}},
		"filled vias":                    {uploads.Set{"x-a.gbr": x2("Viafill")}, []pcb.Process{pcb.ViaFilling}},
		"back drills as another file":    {uploads.Set{"x-a.gbr": x2("Other,Backdrill 1-4")}, []pcb.Process{pcb.BackDrilling}},
		"a stiffener as another drawing": {uploads.Set{"x-a.gbr": x2("OtherDrawing,Stiffener top")}, []pcb.Process{pcb.Stiffening}},
		"carbon that draws nothing":      {uploads.Set{"x-a.gbr": uploads.Gerber(uploads.Function("Carbonmask,Top"))}, nil},
		"tented vias":                    {uploads.Set{"x-a.gbr": x2("Viatenting,Top")}, nil},
		"comments":                       {uploads.Set{"x-a.gbr": x2("Other,Comment")}, nil},
		// names
		"EasyEDA's stiffener":      {uploads.Set{"Gerber_BottomStiffenerLayer_2024.GBSL": uploads.Gerber("", uploads.OutlineLines...)}, []pcb.Process{pcb.Stiffening}},
		"a coverlay":               {uploads.Set{"x-F_Mask.gbr": "", "x-Top_Coverlay.gbr": uploads.Gerber("", pads...)}, []pcb.Process{pcb.Coverlaying}},
		"a cavity":                 {uploads.Set{"x-Cavity_Top.gbr": uploads.Gerber("", "3,3 4,3")}, []pcb.Process{pcb.DepthRouting}},
		"via plugging":             {uploads.Set{"x-Via_Plugging.gbr": uploads.Gerber("", pads...)}, []pcb.Process{pcb.ViaFilling}},
		"press-fit holes, a file":  {uploads.Set{"x-PTH_PressFit.drl": uploads.Drill("", "7,2")}, []pcb.Process{pcb.PressFitting}},
		"an overlay":               {uploads.Set{"x-Top_Overlay.gbr": uploads.Gerber("", pads...)}, nil},
		"a fill":                   {uploads.Set{"x-Fill.gbr": uploads.Gerber("", pads...)}, nil},
		"a press":                  {uploads.Set{"x-Press.gbr": uploads.Gerber("", pads...)}, nil},
		"a board called Carbon":    {renameFiles(uploads.Ordinary(), carbonCopper).Merge(uploads.Set{"carbon-User_1.gbr": uploads.Gerber("", "1,1 3,1")}), nil},
		"carbon of a board Carbon": {renameFiles(uploads.Ordinary(), carbonCopper).Merge(uploads.Set{"carbon-a.gbr": x2("Carbonmask,Top")}), []pcb.Process{pcb.CarbonPrinting}},
		// films of Allegro
		"a back-drill film":         {uploads.Set{"BACKDRILL_1-4.art": allegroLayerFile("BACKDRILL_1-4", "BOARD GEOMETRY/OUTLINE", "MANUFACTURING/BACKDRILL")}, []pcb.Process{pcb.BackDrilling}},
		"a film of the drill table": {uploads.Set{"DRILL.art": allegroLayerFile("DRILL", "BOARD GEOMETRY/OUTLINE", "MANUFACTURING/NCLEGEND-1-2")}, nil},
		// drill files
		"a tool for press fit":        {uploads.Set{"x-PTH.drl": tool("ComponentDrill,PressFit")}, []pcb.Process{pcb.PressFitting}},
		"a tool for filled vias":      {uploads.Set{"x-PTH.drl": tool("ViaDrill,IPC-4761-VII")}, []pcb.Process{pcb.ViaFilling}},
		"a tool for tented vias":      {uploads.Set{"x-PTH.drl": tool("ViaDrill,Ia")}, nil},
		"a tool for leads":            {uploads.Set{"x-PTH.drl": tool("ComponentDrill")}, nil},
		"KiCad's filling of vias":     {uploads.Set{"x-filling-front-back.drl": uploads.Drill("", "5,5", "10,5")}, []pcb.Process{pcb.ViaFilling}},
		"KiCad's tenting of vias":     {uploads.Set{"x-tenting-front.drl": uploads.Drill("", "5,5", "10,5")}, nil},
		"a program for back drilling": {uploads.Set{"x_Backdrills_Drill_1_2.drl": strings.Replace(uploads.Drill("", "5,5"), "C0.800", "C1.200", 1)}, []pcb.Process{pcb.BackDrilling}},
		// beside the artwork
		"EasyEDA lists stiffeners":   {uploads.Set{"jlcpcb.json": `{"order": {"fpcStiffeners":[{"material":"pi","thickness":"0.2"}]}}`}, []pcb.Process{pcb.Stiffening}},
		"a stiffener's drawing":      {uploads.Set{"stiffener.dxf": "0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n"}, []pcb.Process{pcb.Stiffening}},
		"a drawing of the case":      {uploads.Set{"case.dxf": "0\nSECTION\n2\nENTITIES\n0\nENDSEC\n0\nEOF\n"}, nil},
		"EasyEDA lists none":         {uploads.Set{"jlcpcb.json": `{"order": {"fpcStiffeners": [ ]}}`}, nil},
		"a job of filled vias":       {uploads.Set{"x.gbrjob": uploads.Job(`"ViaProtection":"VII"`)}, []pcb.Process{pcb.ViaFilling}},
		"a job of tented vias":       {uploads.Set{"x.gbrjob": uploads.Job(`"ViaProtection":"Ib"`)}, nil},
		"a job of rigid-flex boards": {uploads.Set{"x.gbrjob": uploads.Job(`"MaterialType":"Rigid-Flex"`)}, []pcb.Process{pcb.RigidFlex}},
		"a job of flexible boards":   {uploads.Set{"x.gbrjob": uploads.Job(`"MaterialType":"Flex"`)}, nil},
		"a stack of both": {uploads.Set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"GeneralSpecs":{"LayerNumber":2},"MaterialStackup":[{"Type":"Dielectric","Material":"FR4","Thickness":0.5},{"Type":"Dielectric","Material":"Kapton","Thickness":0.1}]}`},
			[]pcb.Process{pcb.RigidFlex}},
		"a stack of polyimide": {uploads.Set{"x.gbrjob": `{"Header":{"GenerationSoftware":{}},"GeneralSpecs":{"LayerNumber":2},"MaterialStackup":[{"Type":"Dielectric","Material":"Polyimide","Thickness":0.1}]}`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := uploads.Ordinary()
			if _, whole := tt.change["carbon-F_Cu.gbr"]; whole {
				s = uploads.Set{}
			}
			p := s.Merge(tt.change).Read(t)
			if len(p.Boards) != 1 {
				t.Fatalf("%s: %d boards, want 1", name, len(p.Boards))
			}
			var got []pcb.Process
			for _, n := range p.Boards[0].Facts.Processes {
				got = append(got, n.Value)
				reported := slices.DeleteFunc(uploads.Codes(p, pcb.Warning), func(code string) bool { return code != string(n.Value) })
				if len(reported) != 1 || n.Source.File == "" {
					t.Errorf("%s of %q is told %d times, want once, and its file", n.Value, n.Source.File, len(reported))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", t.Name(), diff)
			}
			if holes := p.Boards[0].Facts.PlatedHoles.Value; holes < 3 || holes > 4 {
				t.Errorf("%d plated holes, want 3 or 4", holes)
			}
		})
	}
}

func renameFiles(s uploads.Set, names *strings.Replacer) uploads.Set {
	out := uploads.Set{}
	for name, data := range s {
		out[names.Replace(name)] = data
	}
	return out
}

// TestProcessesInNotes: what notes and the lettering of drawings say by words alone, and
// what is taken back there.
func TestProcessesInNotes(t *testing.T) {
	t.Parallel()
	pcb := func(layer, text string) uploads.Set {
		return uploads.Set{"b.kicad_pcb": `(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 1.6)) (layers (0 "F.Cu" signal)(31 "B.Cu" signal)
			(37 "F.SilkS" user)(38 "B.Mask" user)(39 "F.Mask" user)(40 "Dwgs.User" user)(41 "Cmts.User" user)(44 "Edge.Cuts" user)) (net 0 "")
			(gr_rect (start 0 0) (end 20 10) (layer "Edge.Cuts") (width 0.1))
			(gr_text "` + text + `" (at 5 5) (layer "` + layer + `") (effects (font (size 1 1) (thickness 0.15)))))`}
	}
	notes := func(text string) uploads.Set { return uploads.Ordinary().Merge(uploads.Set{"fab_notes.txt": text}) }
	for name, tt := range map[string]struct {
		files uploads.Set
		want  string
	}{
		"notes":                      {notes("Back drill from the bottom, L1 to L3\n"), "back_drilling"},
		"notes that deny it":         {notes("Finish: ENIG\nThickness: 1 mm\nBack drilling: none\nNo stiffener\n"), ""},
		"a readme of something else": {notes("Low carbon footprint\nPress the button\nThe case has a cavity\n"), ""},
		"a drawing":                  {pcb("Dwgs.User", "1. PI STIFFENER 0.2 MM\\n2. CARBON INK ON KEYS"), "stiffener carbon_ink"},
		"a drawing that denies it":   {pcb("Cmts.User", "No stiffener"), ""},
		"the label of a table":       {pcb("Dwgs.User", "Carbon ink: "), ""},
		"a legend":                   {pcb("F.SilkS", "Carbon ink"), ""},
		"a drawing beside Gerbers":   {uploads.Ordinary().Merge(pcb("Dwgs.User", "Peelable mask on top")), "peelable_mask"},
	} {
		p := tt.files.Read(t)
		var got []string
		for _, n := range p.Boards[0].Facts.Processes {
			got = append(got, string(n.Value))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestMarksOfNotes: blind vias and V-scores that only notes speak of are told.
func TestMarksOfNotes(t *testing.T) {
	t.Parallel()
	notes := func(text string) *pcb.Project {
		return uploads.Ordinary().Merge(uploads.Set{"notes.txt": "Finish: ENIG\n" + text}).Read(t)
	}
	for fields, want := range map[string]bool{`"IPC-2221-Type":"4"`: true, `"IPC-2221-Type":"3"`: false} {
		if f := uploads.Ordinary().Merge(uploads.Set{"x.gbrjob": uploads.Job(fields)}).Read(t).Boards[0].Facts; f.BlindVias.Value != want || f.Flex.Value {
			t.Errorf("%s: blind vias %v, flexible %v; want %v, false", fields, f.BlindVias.Value, f.Flex.Value, want)
		}
	}
	if p := notes("Blind vias L1 to L2\n"); !p.Boards[0].Facts.BlindVias.Value {
		t.Errorf("notes of blind vias: %+v, want them stated", p.Boards[0].Facts.BlindVias)
	}
	if p := notes("No blind or buried vias\n"); p.Boards[0].Facts.BlindVias.Value {
		t.Errorf("notes that deny blind vias: %+v, want none", p.Boards[0].Facts.BlindVias)
	}
	if got := uploads.Codes(notes("V-scored rails on two sides\n"), pcb.Warning); !slices.Contains(got, "score_noted") {
		t.Errorf("V-scores that nothing draws: findings %v, want score_noted", got)
	}
	for layer, want := range map[string]bool{"BOARD GEOMETRY/V_SCORE": true, "MANUFACTURING/VCUT_LINES": true, "BOARD GEOMETRY/DIMENSION": false} {
		p := uploads.Ordinary().Merge(uploads.Set{"FAB.art": allegroLayerFile("FAB", "DRAWING FORMAT/OUTLINE", layer)}).Read(t)
		if got := slices.Contains(uploads.Codes(p, pcb.Warning), "score_noted"); got != want {
			t.Errorf("a film that shows %s tells of V-scores: %v, want %v", layer, got, want)
		}
	}
	if got := uploads.Codes(notes("No V-scores\n"), pcb.Warning); slices.Contains(got, "score_noted") {
		t.Errorf("V-scores that are denied: findings %v, want no score_noted", got)
	}
}

// TestFilmsOfProcessesShowNoEdge: what is processed is drawn round as the board is.
func TestLayerFilesOfProcessesShowNoEdge(t *testing.T) {
	t.Parallel()
	var pads []string
	for x := range 18 {
		pads = append(pads, fmt.Sprintf("%d,5", x+1))
	}
	copper := uploads.Gerber("", pads...)
	for layerFile, want := range map[string]bool{"MANUFACTURING/BACKDRILL": false, "MANUFACTURING/NCLEGEND-1-2": true} {
		p := uploads.Ordinary().Merge(uploads.Set{"x-Edge_Cuts.gbr": "", "x-F_Cu.gbr": copper, "x-B_Cu.gbr": copper, "f.art": allegroLayerFile("F", "BOARD GEOMETRY/OUTLINE", layerFile)}).Read(t)
		if got := p.Boards[0].Facts.Width.Known; got != want {
			t.Errorf("%s gives the outline: %v, want %v", layerFile, got, want)
		}
	}
}
