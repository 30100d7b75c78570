package notes_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// kicadsOwnFR4 is the material that KiCad writes where nobody chose one.
const kicadsOwnFR4 = `{"Header": {"GenerationSoftware": {"Vendor": "KiCad", "Application": "Pcbnew", "Version": "8.0.1"}},
"GeneralSpecs": {"ProjectId": {"Name": "led"}, "LayerNumber": 2, "BoardThickness": 1.6, "Finish": "None"},
"MaterialStackup": [{"Type": "Copper", "Thickness": 0.035, "Name": "F.Cu"}, {"Type": "Dielectric", "Thickness": 1.51, "Material": "FR4", "Name": "F.Cu/B.Cu"}, {"Type": "Copper", "Thickness": 0.035, "Name": "B.Cu"}]}`

// TestBoardsCalledByMaterial: a name is enough for a question, where nothing else says what
// the board is made of, and for a board of rigid and flexible parts.
func TestBoardsCalledByMaterial(t *testing.T) {
	t.Parallel()
	called := func(prefix string, more uploads.Set) uploads.Set {
		out := uploads.Set{}
		for name, text := range uploads.Ordinary() {
			out[strings.Replace(name, "x-", prefix, 1)] = text
		}
		return out.Merge(more)
	}
	for name, c := range map[string]struct {
		files                uploads.Set
		requested, rigidFlex bool
	}{
		"flexible":                     {files: called("Camera-v4-FlexPC-", nil), requested: true},
		"an FPC of 0.2 mm":             {files: called("tail_fpc-", uploads.Set{"a.txt": "Thickness: 0.2 mm\n"}), requested: true},
		"rigid and flexible":           {files: called("Camera-Rigid-Flex-", nil), rigidFlex: true},
		"flexible, of stated FR-4":     {files: called("arm-flex-", uploads.Set{"a.txt": "Material: FR-4\n"})},
		"flexible, of polyimide":       {files: called("arm-flex-", uploads.Set{"a.txt": "Material: polyimide\n"})},
		"as thick as rigid boards are": {files: called("famiflex-flex-", uploads.Set{"a.txt": "Thickness: 1.2 mm\n"})},
		"for a flexible circuit":       {files: called("FPC-adapter-", nil)},
		"of metal":                     {files: called("cage-led-mcpcb-", nil), requested: true},
		"of metal, with KiCad's FR4":   {files: called("led-mcpcb-", uploads.Set{"led-mcpcb-job.gbrjob": kicadsOwnFR4}), requested: true},
		"of metal, of stated aluminum": {files: called("led-mcpcb-", uploads.Set{"a.txt": "Material: Aluminum\n"})},
		"of metal, of stated FR-4":     {files: called("led-mcpcb-", uploads.Set{"a.txt": "Material: FR-4\n"})},
		"in a case of metal":           {files: called("alu-case-", nil)},
		"another word":                 {files: called("reflex-", nil)},
		"one layer alone":              {files: uploads.Ordinary().Merge(uploads.Set{"flex-In1_Cu.gbr": uploads.Gerber(uploads.Function("Copper,L2,Inr"), "5,5"), "x-In2_Cu.gbr": uploads.Gerber(uploads.Function("Copper,L3,Inr"), "5,5")})},
	} {
		p := c.files.Read(t)
		if len(p.Boards) != 1 {
			t.Fatalf("%s: %d boards, want 1", name, len(p.Boards))
		}
		f := p.Boards[0].Facts
		requested := len(f.Unsettled) == 1 && f.Unsettled[0].Option == "material"
		rigidFlex := len(f.Processes) == 1 && f.Processes[0].Value == pcb.RigidFlex
		if requested != c.requested || rigidFlex != c.rigidFlex {
			t.Errorf("%s: left open %v, processes %v; want asked %v, rigid-flex %v", name, f.Unsettled, f.Processes, c.requested, c.rigidFlex)
		}
	}
}
