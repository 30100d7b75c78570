package classify

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
)

// gerberWith is a Gerber file that begins with the given comments or commands.
func gerberWith(head ...string) string { return strings.Join(head, "\n") + "\n" + anyGerber }

func classifyAll(files ...string) *Set {
	var in []File
	for i := 0; i+1 < len(files); i += 2 {
		in = append(in, File{Name: files[i], Data: []byte(files[i+1])})
	}
	return Classify(in)
}

func briefs(s *Set) []string {
	var out []string
	for _, r := range s.Results {
		out = append(out, r.base+": "+brief(r))
	}
	return out
}

// TestWitnesses: what files say counts more than what they are called.
func TestEvidence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"an attribute beats the name", []string{"x-B_Cu.gbl", gerberWith("%TF.FileFunction,Copper,L1,Top*%"), "x.gts", anyGerber},
			[]string{"x-B_Cu.gbl: L1", "x.gts: mask top"}},
		{"an attribute in a comment", []string{"a.gbr", gerberWith("G04 #@! TF.FileFunction,Legend,Bot*"), "b.gbr", gerberWith("G04 #@! TF.FileFunction,Copper,L1,Top*")},
			[]string{"a.gbr: silk bottom", "b.gbr: L1"}},
		{"an attribute without a word for it leaves it to the name", []string{"x-VScore.gbr", gerberWith("%TF.FileFunction,Other,Comment*%")},
			[]string{"x-VScore.gbr: v-cut"}},
		{"a job file", []string{"1.gbr", anyGerber, "2.gbr", anyGerber,
			"x.gbrjob", `{"Header":{"GenerationSoftware":{}},"FilesAttributes":[{"Path":"1.gbr","FileFunction":"Copper,L1,Top"},{"Path":"2.gbr","FileFunction":"Profile"}]}`},
			[]string{"1.gbr: L1", "2.gbr: outline", "x.gbrjob: other"}},
		{"Altium's reports order planes", []string{"x.GTL", anyGerber, "x.GP1", anyGerber, "x.G1", anyGerber, "x.GBL", anyGerber,
			"x.LDP", "LayersSetName=Top_Bot_Thru_Holes|DrillFile=x.txt|DrillLayers=gtl,gp1,g1,gbl\n"},
			[]string{"x.GTL: L1", "x.GP1: L2", "x.G1: L3", "x.GBL: L4", "x.LDP: other"}},
		{"Altium's reports name the outer layers", []string{"x.GTL", anyGerber, "x.GBL", anyGerber, "x.LDP", "LayersSetName=Top_Bot_Thru_Holes|DrillFile=x.txt|LayerPairs=gtl,gbl\n"},
			[]string{"x.GTL: L1", "x.GBL: L2", "x.LDP: other"}},
		{"and say nothing of those between", []string{"x.GTL", anyGerber, "x.G1", anyGerber, "x.G2", anyGerber, "x.GBL", anyGerber, "x.LDP", "LayersSetName=Top_Bot_Thru_Holes|DrillFile=x.txt|LayerPairs=gtl,gbl\n"},
			[]string{"x.GTL: L1", "x.G1: L2", "x.G2: L3", "x.GBL: L4", "x.LDP: other"}},
		{"nor where they are packed with the drills alone", []string{"films.zip!/x.GTL", anyGerber, "films.zip!/x.G1", anyGerber, "films.zip!/x.G2", anyGerber, "films.zip!/x.GBL", anyGerber,
			"drills.zip!/x.txt", anyDrill, "drills.zip!/x.LDP", "LayersSetName=Top_Bot_Thru_Holes|DrillFile=x.txt|LayerPairs=gtl,gbl\n"},
			[]string{"x.GTL: L1", "x.G1: L2", "x.G2: L3", "x.GBL: L4", "x.txt: drill", "x.LDP: other"}},
		{"planes of EasyEDA Pro in their places, and layers of the user's own", []string{"Gerber_TopLayer.GTL", gerberWith("G04 Layer: TopLayer*"), "Gerber_InnerLayer1.GP1", gerberWith("G04 Layer: InnerLayer1*"),
			"Gerber_InnerLayer2.G2", gerberWith("G04 Layer: InnerLayer2*"), "Gerber_BottomLayer.GBL", gerberWith("G04 Layer: BottomLayer*"), "Gerber_CustomLayer2.GCL", gerberWith("G04 Layer: CustomLayer2*")},
			[]string{"Gerber_TopLayer.GTL: L1", "Gerber_InnerLayer1.GP1: L2", "Gerber_InnerLayer2.G2: L3", "Gerber_BottomLayer.GBL: L4", "Gerber_CustomLayer2.GCL: other"}},
		{"words of a report that are no layer", []string{"x.GTL", anyGerber, "x.GKO", anyGerber, "x.GM3", anyGerber, "x.GM4", anyGerber, "x.GM5", anyGerber,
			"x.EXTREP", ".GTL   Top Layer\n.GM3    Top Designators\n.GM4    Bottom Bodies\n.GM5    Top Heatspreader\n"},
			[]string{"x.GTL: L1", "x.GKO: outline", "x.GM3: assembly top", "x.GM4: mechanical", "x.GM5: mechanical", "x.EXTREP: other"}},
		{"Altium's report of a plot, where all files have one extension", []string{"p1.gbr", anyGerber, "p2.gbr", anyGerber, "p3.gbr", anyGerber, "p4.gbr", anyGerber,
			"x.EXTREP", ".gbr   Top Layer\n.gbr    Bottom Overlay\n", "x.REP", plotReport("Top Layer", "p1.gbr", "Bottom Overlay", "P2.GBR", "Top Component Outline", "p3.gbr", "Multi-Layer", "p4.gbr")},
			[]string{"p1.gbr: L1", "p2.gbr: silk bottom", "p3.gbr: assembly top", "p4.gbr: other", "x.EXTREP: other", "x.REP: other"}},
		{"a report of another folder's plot", []string{"a/p1.gbr", anyGerber, "a/x.gtl", anyGerber, "b/x.REP", plotReport("Bottom Overlay", "p1.gbr")},
			[]string{"p1.gbr: unknown", "x.gtl: L1", "x.REP: other"}},
		{"names of Altium's layers that people swapped", []string{"x.GTL", anyGerber, "x.GTO", anyGerber, "x.GBO", anyGerber, "x.GBS", anyGerber,
			"x.EXTREP", ".GTL   Top Layer\n.GTO   Bottom Overlay\n.GBO   Top Overlay\n.GBS   Bottom Solder\n"},
			[]string{"x.GTL: L1", "x.GTO: silk top", "x.GBO: silk bottom", "x.GBS: mask bottom", "x.EXTREP: other"}},
		{"an extension that another layer was given", []string{"x.GTL", anyGerber, "x.GBO", anyGerber, "x.EXTREP", ".GTL   Top Layer\n.GBO   Bottom Assembly\n"},
			[]string{"x.GTL: L1", "x.GBO: assembly bottom", "x.EXTREP: other"}},
		{"a side beside words that are not known, where the copper of that side is there", []string{"Copper_Top.gbr", anyGerber, "Top_Heatspreader.gbr", anyGerber, "Heatspreader_Bottom.gbr", anyGerber, "Pads_Top.gbr", anyGerber},
			[]string{"Copper_Top.gbr: L1", "Top_Heatspreader.gbr: unknown", "Heatspreader_Bottom.gbr: L2", "Pads_Top.gbr: other top"}},
		{"a side beside words that are not known, and a mere layer", []string{"TopLayer.gbr", anyGerber, "BottomLayer.gbr", anyGerber, "Top_Shell_Layer.gbr", anyGerber}, []string{"TopLayer.gbr: L1", "BottomLayer.gbr: L2", "Top_Shell_Layer.gbr: unknown"}},
		{"a mere side beside a copper of that side", []string{"copper top.gbx", anyGerber, "top.gbx", anyGerber, "top_v2.gbx", anyGerber}, []string{"copper top.gbx: L1", "top.gbx: L2", "top_v2.gbx: L3"}},
		{"a comment names number and side, a name the side alone", []string{"1.grb", gerberWith("G04 Layer : Layer01Top.gdo*"), "top.gbx", anyGerber, "3.grb", gerberWith("G04 Layer : Layer03.gdo*"), "b.grb", gerberWith("G04 Layer : Layer04Bottom.gdo*")},
			[]string{"1.grb: L1", "top.gbx: L2", "3.grb: L3", "b.grb: L4"}},
		{"a comment names the first of the inner layers", []string{"1.grb", gerberWith("G04 Layer : Layer01.gdo*"), "top.gbx", anyGerber, "3.grb", gerberWith("G04 Layer : Layer02.gdo*"), "bottom.grb", anyGerber},
			[]string{"1.grb: L2", "top.gbx: L1", "3.grb: L3", "bottom.grb: L4"}},
		{"a side alone beside a side alone may be another plot", []string{"top.gbx", anyGerber, "top_v2.gbx", anyGerber}, []string{"top.gbx: L1", "top_v2.gbx: L2"}},
		{"sides beside the name of the board", []string{"robot top.gbr", anyGerber, "robot bottom.gbr", anyGerber, "robot pads.gbr", anyGerber}, []string{"robot top.gbr: L1", "robot bottom.gbr: L2", "robot pads.gbr: unknown"}},
		{"sides of two boards in a folder each", []string{"a/amp_top.gbr", anyGerber, "a/amp_bottom.gbr", anyGerber, "b/top copper.gbr", anyGerber, "b/bottom copper.gbr", anyGerber},
			[]string{"amp_top.gbr: L1", "amp_bottom.gbr: L2", "top copper.gbr: L1", "bottom copper.gbr: L2"}},
		{"Altium's extension report", []string{"x.GTL", anyGerber, "x.GM7", anyGerber, "x.EXTREP", ".GTL   Top Layer\n.GM7    Board Outline\n"},
			[]string{"x.GTL: L1", "x.GM7: outline", "x.EXTREP: other"}},
		{"Altium's physical order", []string{"x.G1", gerberWith("G04 Layer_Physical_Order=3*"), "x.G2", gerberWith("G04 Layer_Physical_Order=2*"), "x.GTL", anyGerber, "x.GBL", anyGerber},
			[]string{"x.G1: L3", "x.G2: L2", "x.GTL: L1", "x.GBL: L4"}},
		{"an order that makes the first inner layer of L1", []string{"x.TOP", gerberWith("G04 Layer_Physical_Order=1*"), "x.L1", gerberWith("G04 Layer_Physical_Order=2*"), "x.L2", gerberWith("G04 Layer_Physical_Order=3*"), "x.BOT", gerberWith("G04 Layer_Physical_Order=4*")},
			[]string{"x.TOP: L1", "x.L1: L2", "x.L2: L3", "x.BOT: L4"}},
		{"a list of files in notes", []string{"x.GTL", anyGerber, "x.GBL", anyGerber, "x.GM18", anyGerber, "x.GM25", anyGerber,
			"README.txt", "Files:\n .GTL - Top Copper\n .GBL - Bottom Copper\n .GM25 - Panel Outline\n .GM18 - VSCORE for Panel\n"},
			[]string{"x.GTL: L1", "x.GBL: L2", "x.GM18: v-cut", "x.GM25: outline", "README.txt: other"}},
		{"a list with names of files", []string{"x.GTL", anyGerber, "x.GBL", anyGerber, "x.GM2", anyGerber, "x.GM31", anyGerber,
			"README.txt", "Top Copper        x.GTL\nBottom Copper     x.GBL\nBoard Outline     x.GM31\nFabrication Notes   x.GM2\n"},
			[]string{"x.GTL: L1", "x.GBL: L2", "x.GM2: fab drawing", "x.GM31: outline", "README.txt: other"}},
		{"a list that swaps what extensions say", []string{"x.GTL", anyGerber, "x.GBL", anyGerber, "x.GTS", anyGerber,
			"README.txt", ".GTL - Bottom Copper\n.GBL - Top Copper\n.GTS - Outline\n"},
			[]string{"x.GTL: L1", "x.GBL: L2", "x.GTS: mask top", "README.txt: other"}},
		{"a sentence on one file", []string{"x.GTL", anyGerber, "x.GKO", anyGerber, "x.GM2", anyGerber, "README.txt", "x.GM2 - outline of the case\n"},
			[]string{"x.GTL: L1", "x.GKO: outline", "x.GM2: mechanical", "README.txt: other"}},
		{"what PADS routes", []string{"Routing-Top.pho", anyGerber, "Routing-GND.pho", anyGerber, "Routing-Bottom.pho", anyGerber},
			[]string{"Routing-Top.pho: L1", "Routing-GND.pho: L2", "Routing-Bottom.pho: L3"}},
		{"where the board is routed", []string{"Top.gbr", anyGerber, "Bottom.gbr", anyGerber, "Routing.gbr", anyGerber, "Routing_Outline_Top.gbr", anyGerber},
			[]string{"Top.gbr: L1", "Bottom.gbr: L2", "Routing.gbr: outline", "Routing_Outline_Top.gbr: outline"}},
		{"Allegro's films", []string{"a.art", gerberWith("G04 Film Name:    whatever*", "G04 Layer:  VIA CLASS/TOP*", "G04 Layer:  ETCH/TOP*", "G04 Layer:  DRAWING FORMAT/OUTLINE*"),
			"b.art", gerberWith("G04 Layer:  PIN/SOLDERMASK_BOTTOM*"), "c.art", gerberWith("G04 Layer:  MANUFACTURING/NCLEGEND-1-4*", "G04 Layer:  ETCH/TOP*")},
			[]string{"a.art: L1", "b.art: mask bottom", "c.art: drill drawing"}},
		{"Allegro's silk that it makes by itself", []string{
			"AutoSilkT.art", gerberWith("G04 Film Name:    AutoSilkT*", "G04 Layer:  MANUFACTURING/AUTOSILK_TOP*", "G04 Layer:  BOARD GEOMETRY/DESIGN_OUTLINE*"),
			"x.art", gerberWith("G04 Film Name:    x*", "G04 Layer:  BOARD GEOMETRY/OUTLINE*", "G04 Layer:  MANUFACTURING/AUTOSILK_BOTTOM*")},
			[]string{"AutoSilkT.art: silk top", "x.art: silk bottom"}},
		{"films of what the program does not know, with the edge", []string{
			"SilkB.art", gerberWith("G04 Film Name:    SilkB*", "G04 Layer:  PACKAGE GEOMETRY/MY_SILK*", "G04 Layer:  BOARD GEOMETRY/OUTLINE*"),
			"edge.art", gerberWith("G04 Film Name:    edge*", "G04 Layer:  MANUFACTURING/PHOTOPLOT_OUTLINE*", "G04 Layer:  BOARD GEOMETRY/OUTLINE*"),
			"x1.art", gerberWith("G04 Film Name:    x1*", "G04 Layer:  PACKAGE GEOMETRY/MY_CUT*", "G04 Layer:  BOARD GEOMETRY/OUTLINE*"),
			"SilkT.art", gerberWith("G04 Film Name:    SilkT*", "G04 Layer:  BOARD GEOMETRY/OUTLINE*", "G04 Layer:  BOARD GEOMETRY/CUTOUT*")},
			[]string{"SilkB.art: silk bottom", "edge.art: outline", "x1.art: outline", "SilkT.art: outline"}},
		{"films of bodies and courtyards", []string{
			"a.art", gerberWith("G04 Layer:  PACKAGE GEOMETRY/DISPLAY_TOP*"), "b.art", gerberWith("G04 Layer:  PACKAGE GEOMETRY/PLACE_BOUND_BOTTOM*"),
			"c.art", gerberWith("G04 Layer:  PACKAGE GEOMETRY/DFA_BOUND_TOP*", "G04 Layer:  BOARD GEOMETRY/OUTLINE*")},
			[]string{"a.art: assembly top", "b.art: courtyard bottom", "c.art: courtyard top"}},
		{"films of both sides' legends are of the side in their names", []string{
			"a.art", gerberWith("G04 Film Name:    SilkB*", "G04 Layer:  REF DES/SILKSCREEN_TOP*", "G04 Layer:  REF DES/SILKSCREEN_BOTTOM*"),
			"b.art", gerberWith("G04 Film Name:    SilkT*", "G04 Layer:  REF DES/SILKSCREEN_TOP*", "G04 Layer:  REF DES/SILKSCREEN_BOTTOM*")},
			[]string{"a.art: silk bottom", "b.art: silk top"}},
		{"films that show openings of the mask are what their names call them", []string{
			"a.art", gerberWith("G04 Film Name:    Paste_Mask_Top*", "G04 Layer:  PIN/SOLDERMASK_TOP*", "G04 Layer:  BOARD GEOMETRY/OUTLINE*"),
			"b.art", gerberWith("G04 Film Name:    SilkScreen_Bottom*", "G04 Layer:  REF DES/SILKSCREEN_BOTTOM*", "G04 Layer:  PACKAGE GEOMETRY/SILKSCREEN_BOTTOM*", "G04 Layer:  PACKAGE GEOMETRY/SOLDERMASK_BOTTOM*"),
			"f.art", gerberWith("G04 Film Name:    SilkB*", "G04 Layer:  REF DES/SILKSCREEN_BOTTOM*", "G04 Layer:  PACKAGE GEOMETRY/SOLDERMASK_BOTTOM*", "G04 Layer:  BOARD GEOMETRY/SOLDERMASK_BOTTOM*"),
			"c.art", gerberWith("G04 Film Name:    Soldermask_Top*", "G04 Layer:  PIN/SOLDERMASK_TOP*", "G04 Layer:  REF DES/SILKSCREEN_TOP*"),
			"d.art", gerberWith("G04 Film Name:    SilkScreen_Top*", "G04 Layer:  PIN/SOLDERMASK_TOP*"),
			"e.art", gerberWith("G04 Film Name:    film5*", "G04 Layer:  PIN/SOLDERMASK_BOTTOM*", "G04 Layer:  REF DES/SILKSCREEN_BOTTOM*")},
			[]string{"a.art: paste top", "b.art: silk bottom", "f.art: mask bottom", "c.art: mask top", "d.art: mask top", "e.art: mask bottom"}},
		{"a film of everything is a drawing", []string{"Design.art", gerberWith("G04 Film Name:    Design*", "G04 Layer:  ETCH/TOP*", "G04 Layer:  ETCH/BOTTOM*", "G04 Layer:  REF DES/SILKSCREEN_TOP*")},
			[]string{"Design.art: fab drawing"}},
		{"older copies are no layers", []string{"TOP.art", gerberWith("G04 Layer:  ETCH/TOP*"), "TOP.art,1", gerberWith("G04 Layer:  ETCH/TOP*") + "X9Y9D03*\n", "x.drl", anyDrill, "x.drl,1", anyDrill},
			[]string{"TOP.art: L1", "TOP.art,1: other", "x.drl: drill", "x.drl,1: other"}},
		{"plotted twice", []string{"x-F_Cu.gbr", gerberWith("G04 #@! TF.CreationDate,1*"), "x-F_Cu.gtl", gerberWith("G04 #@! TF.CreationDate,2*"), "x-B_Cu.gbl", anyGerber},
			[]string{"x-F_Cu.gbr: L1", "x-F_Cu.gtl: L0", "x-B_Cu.gbl: L2"}},
		{"copied beside itself", []string{"x-B_Cu - Copy.gbr", anyGerber, "x-B_Cu.gbr", anyGerber, "x-F_Cu (1).gbr", anyGerber, "x-F_Cu.gbr", anyGerber, "x-F_Cu_Copy (2).gbr", anyGerber},
			[]string{"x-B_Cu - Copy.gbr: L0", "x-B_Cu.gbr: L2", "x-F_Cu (1).gbr: L0", "x-F_Cu.gbr: L1", "x-F_Cu_Copy (2).gbr: L0"}},
		{"plotted with two layers, then with four", append(stackOfFour(), "gerber_job.gbrjob", `{"Header":{"GenerationSoftware":{}},"Overall":{"LayerNumber":4}}`),
			[]string{"copper_top.gbr: other", "copper_bottom.gbr: other", "copper_top_l1.gbr: L1", "copper_inner_l2.gbr: L2", "copper_inner_l3.gbr: L3", "copper_bottom_l4.gbr: L4", "gerber_job.gbrjob: other"}},
		{"plotted with four layers, then with two", append(stackOfFour(), "gerber_job.gbrjob", `{"Header":{"GenerationSoftware":{}},"Overall":{"LayerNumber":2}}`),
			[]string{"copper_top.gbr: L1", "copper_bottom.gbr: L2", "copper_top_l1.gbr: other", "copper_inner_l2.gbr: other", "copper_inner_l3.gbr: other", "copper_bottom_l4.gbr: other", "gerber_job.gbrjob: other"}},
		{"plotted twice, and nothing tells which is right", stackOfFour(),
			[]string{"copper_top.gbr: L1", "copper_bottom.gbr: L6", "copper_top_l1.gbr: L2", "copper_inner_l2.gbr: L3", "copper_inner_l3.gbr: L4", "copper_bottom_l4.gbr: L5"}},
		{"copied beside itself and changed", []string{"x-B_Cu - Copy.gbr", anyGerber + "X9Y9D03*\n", "x-B_Cu.gbr", anyGerber},
			[]string{"x-B_Cu - Copy.gbr: L2", "x-B_Cu.gbr: L1"}},
		{"changed between two plots", []string{"x-F_Cu.gbr", anyGerber, "x-F_Cu.gtl", anyGerber + "X9Y9D03*\n", "x-B_Cu.gbl", anyGerber},
			[]string{"x-F_Cu.gbr: L1", "x-F_Cu.gtl: L2", "x-B_Cu.gbl: L3"}},
		{"what an editor kept", []string{"x.gtl", anyGerber, "x.gtl~", anyGerber + "X9Y9D03*\n"}, []string{"x.gtl: L1", "x.gtl~: other"}},
		{"what an editor kept of a file that is gone", []string{"top.gbr~", anyGerber, "bottom.gbr", anyGerber}, []string{"top.gbr~: L1", "bottom.gbr: L2"}},
		{"a comma without what it is a copy of", []string{"TOP.art,1", gerberWith("G04 Layer:  ETCH/TOP*")}, []string{"TOP.art,1: L1"}},
		{"Altium's stacks", []string{"x.GTL", anyGerber, "x.GTS", anyGerber, "x.GM13", anyGerber, "x.EXTREP", ".GTL   Top Layer\n.GTS    Board Layer Stack Top Solder\n.GM13    3D Top\n"},
			[]string{"x.GTL: L1", "x.GTS: mask top", "x.GM13: outline", "x.EXTREP: other"}},
		{"gEDA's groups between", []string{"x.top.gbr", anyGerber, "x.group1.gbr", gerberWith("%LNGROUP1*%"), "x.group2.gbr", gerberWith("G04 Title: x, V_BOARD *", "%LNGROUP2*%"), "x.bottom.gbr", anyGerber},
			[]string{"x.top.gbr: L1", "x.group1.gbr: L2", "x.group2.gbr: L3", "x.bottom.gbr: L4"}},
		{"gEDA's group of jumpers", []string{"x.top.gbr", anyGerber, "x.group3.gbr", gerberWith("G04 Title: x, jumper *", "%LNGROUP3*%"), "x.bottom.gbr", anyGerber},
			[]string{"x.top.gbr: L1", "x.group3.gbr: mechanical", "x.bottom.gbr: L2"}},
		{"DipTrace before 3", []string{"Top.gbr", anyGerber, "Board.gbr", gerberWith("%LNBoardPoly*%")}, []string{"Top.gbr: L1", "Board.gbr: outline"}},
		{"EasyEDA's comments", []string{"a.gbr", gerberWith("G04 Layer: BottomSolderMaskLayer*"), "b.gbr", gerberWith("G04 Layer: TopLayer*")},
			[]string{"a.gbr: mask bottom", "b.gbr: L1"}},
		{"gEDA's groups", []string{"x.group1.grb", gerberWith("G04 contains layers solder (0) GND-sldr (1)*"), "x.group2.grb", gerberWith("G04 contains layers component (3)*")},
			[]string{"x.group1.grb: L2", "x.group2.grb: L1"}},
		{"the mask without a side is the other one", []string{"x.componentmask.grb", anyGerber, "x.soldermask.grb", anyGerber, "x.top.grb", anyGerber},
			[]string{"x.componentmask.grb: mask top", "x.soldermask.grb: mask bottom", "x.top.grb: L1"}},
		{"a drill drawing under a drill's extension", []string{"x.drd", anyGerber, "x.top", anyGerber}, []string{"x.drd: drill drawing", "x.top: L1"}},
		{"holes as flashes", []string{"x.drl", strings.ReplaceAll(anyGerber, "D01*", "D03*"), "x.top", anyGerber}, []string{"x.drl: drill", "x.top: L1"}},
		{"slots as strokes", []string{"x-roundholes.txt", strings.ReplaceAll(anyGerber, "D01*", "D03*"), "x-slotholes.txt", anyGerber, "x.gtl", anyGerber, "x.gbl", anyGerber},
			[]string{"x-roundholes.txt: drill", "x-slotholes.txt: drill", "x.gtl: L1", "x.gbl: L2"}},
		{"drill files as Gerber X2, with slots", []string{"x-PTH-drl.gbr", drillArtwork("Plated,1,2,PTH,Mixed", "ComponentDrill", true), "x-NPTH-drl.gbr", drillArtwork("NonPlated,1,2,NPTH,Drill", "MechanicalDrill", false),
			"x-F_Cu.gbr", anyGerber}, []string{"x-PTH-drl.gbr: drill plated", "x-NPTH-drl.gbr: drill bare", "x-F_Cu.gbr: L1"}},
		{"slots alone as Gerber X2", []string{"x.gbr", strings.ReplaceAll(drillArtwork("Plated,1,2,PTH,Route", "Slot", true), "D03*", "D02*"), "x-F_Cu.gbr", anyGerber},
			[]string{"x.gbr: drill plated", "x-F_Cu.gbr: L1"}},
		{"drawings that are called drill files", []string{"x-PTH-drl.gbr", drillArtwork("Plated,1,2,PTH,Mixed", "OtherDrawing", true), "y.gbr", gerberWith("%TF.FileFunction,NonPlated,1,2,NPTH*%"),
			"x-F_Cu.gbr", anyGerber},
			[]string{"x-PTH-drl.gbr: drill drawing", "y.gbr: drill drawing", "x-F_Cu.gbr: L1"}},
		{"drill files as Gerber X2 that hold nothing, or areas besides", []string{"x.gbr", "%TF.FileFunction,NonPlated,1,2,NPTH*%\n%FSLAX46Y46*%\n%MOMM*%\nM02*\n",
			"z.gbr", drillArtwork("Plated,1,2,PTH", "ComponentDrill", true) + "X0Y0D02*\nX5Y5I5J5D01*\n", "x-F_Cu.gbr", anyGerber},
			[]string{"x.gbr: drill bare", "z.gbr: drill plated", "x-F_Cu.gbr: L1"}},
		{"Altium's lands of holes", []string{"x.GTL", anyGerber, "x.GML", anyGerber, "x.MUL", anyGerber, "x.EXTREP", ".GTL   Top Layer\n.GML   Multi-Layer\n.MUL   Multi-Layer\n"},
			[]string{"x.GTL: L1", "x.GML: outline", "x.MUL: other", "x.EXTREP: other"}},
		{"a project names its inner layers", []string{"x-PWR.gbr", anyGerber, "x-GND.gbr", anyGerber, "x-F_Cu.gtl", anyGerber, "x-B_Cu.gbl", anyGerber,
			"x.kicad_pcb", "(kicad_pcb (version 3)\n (layers\n (15 F.Cu signal)\n (2 PWR signal)\n (1 GND signal)\n (0 B.Cu signal)\n (28 Edge.Cuts user)\n ))"},
			[]string{"x-PWR.gbr: L2", "x-GND.gbr: L3", "x-F_Cu.gtl: L1", "x-B_Cu.gbl: L4", "x.kicad_pcb: other"}},
		{"the lowest mechanical layer where no outline is", []string{"x.GTL", anyGerber, "x.GM5", anyGerber, "x.GM2", anyGerber},
			[]string{"x.GTL: L1", "x.GM5: mechanical", "x.GM2: outline"}},
		{"nothing tells", []string{"00.txt", anyGerber}, []string{"00.txt: unknown"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, briefs(classifyAll(c.files...))); diff != "" {
				t.Errorf("files %q (-want +got):\n%s", c.files, diff)
			}
		})
	}
}

// plotReport is Altium's report of a plot, of pairs of a layer and its file.
func plotReport(pairs ...string) string {
	out := "FileName = x.GBR\nAutoAperture = True\n"
	for i := 0; i+1 < len(pairs); i += 2 {
		out += "****\nGenerating : " + pairs[i] + "\n      File : " + pairs[i+1] + "\n\n    Adding Layer      : " + pairs[i] + "\n\n    Adding Layer      : Board Outline\n\nUsed DCodes :\n    D10\n"
	}
	return out
}

// drillArtwork is a Gerber file of one hole, and a slot, drawn with tools of a function.
func drillArtwork(fn, tool string, slot bool) string {
	out := "%TF.FileFunction," + fn + "*%\n%FSLAX46Y46*%\n%MOMM*%\n%TA.AperFunction," + tool + "*%\n%ADD10C,0.5*%\n%TD*%\nD10*\nX1000000Y1000000D03*\n"
	if slot {
		out += "X2000000Y0D02*\nX2000000Y1000000D01*\n"
	}
	return out
}

// stackOfFour is the copper that EAGLE leaves of a board that had two layers first.
func stackOfFour() []string {
	var out []string
	for i, name := range []string{"top", "bottom", "top_l1", "inner_l2", "inner_l3", "bottom_l4"} {
		out = append(out, "copper_"+name+".gbr", anyGerber+fmt.Sprintf("X%dY9D03*\n", i))
	}
	return out
}

// TestGroups: which files make a board together.
func TestGroups(t *testing.T) {
	t.Parallel()
	board2 := func(prefix string) []string {
		var out []string
		for _, ext := range []string{"gtl", "gbl", "gts", "gko"} {
			out = append(out, prefix+"."+ext, anyGerber)
		}
		return out
	}
	for _, c := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"one board", board2("demo"), []string{"demo: 4 files, 2 layers"}},
		{"drills in a folder beside", append(board2("a.zip!/Gerber/demo"), "a.zip!/NC Drill/demo.txt", anyDrill), []string{"demo: 5 files, 2 layers"}},
		{"drills beside the archive", append(board2("a.zip!/demo"), "demo.drl", anyDrill), []string{"demo: 5 files, 2 layers"}},
		{"inner layers numbered beside the top", append(board2("demo"), "demo.gl1", anyGerber, "demo.gl2", anyGerber, "demo.gto", anyGerber, "demo.gbo", anyGerber), []string{"demo: 8 files, 4 layers"}},
		{"two boards in one folder", append(board2("main"), board2("panel")...), []string{"main: 4 files, 2 layers", "panel: 4 files, 2 layers"}},
		{"three boards, two of one side only", append(board2("main"), "keyb.gbl", anyGerber, "keyb.gbs", anyGerber, "keyb.gko", anyGerber, "panel.gbl", anyGerber, "panel.gbs", anyGerber, "panel.gko", anyGerber),
			[]string{"main: 4 files, 2 layers", "keyb: 3 files, 1 layers", "panel: 3 files, 1 layers"}},
		{"two folders", append(board2("a.zip!/old/demo"), board2("a.zip!/new/demo")...), []string{"demo: 4 files, 2 layers", "demo: 4 files, 2 layers"}},
		{"two archives as folders", append(board2("fab/one.zip/demo"), board2("fab/two.zip/other")...), []string{"demo: 4 files, 2 layers", "other: 4 files, 2 layers"}},
		{"a folder for each layer", []string{"top/demo.gtl", anyGerber, "bottom/demo.gbl", anyGerber, "mask/demo.gts", anyGerber}, []string{"demo: 3 files, 2 layers"}},
		{"a stencil by itself", append(board2("a.zip!/demo"), "second.zip!/y.gtp", anyGerber, "second.zip!/y.gbp", anyGerber), []string{"demo: 4 files, 2 layers", "second: 2 files, 0 layers"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := classifyAll(c.files...)
			var got []string
			for _, g := range s.Groups {
				got = append(got, fmt.Sprintf("%s: %d files, %d layers", g.Name, len(g.Members), g.Layers))
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("groups of files %q (-want +got):\n%s", c.files, diff)
			}
		})
	}
}

// TestCopperOrder: numbers that files carry, and layers that are not there.
func TestCopperOrder(t *testing.T) {
	t.Parallel()
	copper := func(fn string) string { return gerberWith("%TF.FileFunction," + fn + "*%") }
	s := classifyAll("a.gbr", copper("Copper,L1,Top"), "b.gbr", copper("Copper,L2,Inr"), "d.gbr", copper("Copper,L4,Bot"))
	if s.Groups[0].Layers != 4 || s.Results[2].Layer != 4 || s.Results[1].Layer != 2 {
		t.Errorf("%d layers: %v; want 4, d.gbr the last", s.Groups[0].Layers, briefs(s))
	}
	s = classifyAll("x-F_Cu.gbr", anyGerber, "x-In1_Cu.gbr", anyGerber, "x-In3_Cu.gbr", anyGerber, "x-In4_Cu.gbr", anyGerber, "x-B_Cu.gbr", anyGerber)
	if got := briefs(s); s.Groups[0].Layers != 6 || got[2] != "x-In3_Cu.gbr: L4" || got[4] != "x-B_Cu.gbr: L6" {
		t.Errorf("%d layers: %v; want 6, one left out after In1", s.Groups[0].Layers, got)
	}
	s = classifyAll("lyr1.art", anyGerber, "lyr10.art", anyGerber, "lyr2.art", anyGerber)
	if got := briefs(s); s.Groups[0].Layers != 10 || got[1] != "lyr10.art: L10" || s.Results[1].Side != pcb.Bottom {
		t.Errorf("%d layers: %v; want 10, the last of them the bottom", s.Groups[0].Layers, got)
	}
}

// TestSpans: which layers a drill file joins, as names and reports tell.
func TestSpans(t *testing.T) {
	t.Parallel()
	four := []string{"x-F_Cu.gbr", anyGerber, "x-In1_Cu.gbr", anyGerber, "x-In2_Cu.gbr", anyGerber, "x-B_Cu.gbr", anyGerber}
	for _, c := range []struct {
		name  string
		files []string
		want  string
	}{
		{"nothing said", []string{"x.drl", anyDrill}, "0-0"},
		{"all layers", []string{"x-1-4.drl", anyDrill}, "1-4"},
		{"a version rather than a span", []string{"x-1-2.drl", anyDrill}, "0-0"},
		{"EAGLE's spans", []string{"x.TXT.0102", anyDrill, "x.TXT.0116", anyDrill, "x.TXT.1516", anyDrill}, "1-2 1-16 15-16"},
		{"a blind span beside a through one", []string{"x-1-2.drl", anyDrill, "x-1-4.drl", anyDrill}, "1-2 1-4"},
		{"KiCad's words", []string{"x-front-in1.drl", anyDrill, "x-in2-back.drl", anyDrill, "x-in1-in2.drl", anyDrill}, "1-2 3-4 2-3"},
		{"KiCad's words before version 6", []string{"x.drl", anyDrill, "x-front-inner1.drl", anyDrill, "x-inner2-back.drl", anyDrill, "x-inner1-inner2.drl", anyDrill}, "0-0 1-2 3-4 2-3"},
		{"words alone", []string{"x-front-inner1.drl", anyDrill}, "1-2"},
		{"sides", []string{"x-top-inner2.drl", anyDrill, "x-inner1-bottom.drl", anyDrill, "x-top-bottom.drl", anyDrill}, "1-3 2-4 1-4"},
		{"an inner layer and no span", []string{"x-inner2.drl", anyDrill, "x-dinner2-back.drl", anyDrill}, "0-0 0-0"},
		{"an attribute", []string{"x.drl", "; #@! TF.FileFunction,Plated,2,3,Buried\n" + anyDrill}, "2-3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := classifyAll(append(slices.Clone(four), c.files...)...)
			var got []string
			for _, r := range s.Results[4:] {
				got = append(got, fmt.Sprintf("%d-%d", r.FromLayer, r.ToLayer))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("spans of drill files %q (-want +got):\n%s", c.files, diff)
			}
		})
	}
	s := classifyAll("x.GTL", anyGerber, "x.G1", anyGerber, "x.G2", anyGerber, "x.GBL", anyGerber, "a.txt", anyDrill, "b.txt", anyDrill,
		"x.LDP", "LayersSetName=T|DrillFile=a.txt|DrillLayers=gtl,g1,g2,gbl\nLayersSetName=B|DrillFile=b.txt|DrillLayers=g1,g2\n")
	if a, b := s.Results[4], s.Results[5]; a.ToLayer != 4 || b.FromLayer != 2 || b.ToLayer != 3 {
		t.Errorf("spans %d-%d and %d-%d, want to layer 4, and 2-3, as the pairs file says", a.FromLayer, a.ToLayer, b.FromLayer, b.ToLayer)
	}
}

func FuzzClassify(f *testing.F) {
	f.Add("x-F_Cu.gbr", anyGerber, "x.EXTREP", ".GTL Top Layer\n")
	f.Add("a.zip!/b/x.drl", anyDrill, "a.zip!/x.LDP", "LayersSetName=a|DrillFile=x.drl|DrillLayers=gtl,gbl\n")
	f.Add("x.gbrjob", `{"FilesAttributes":[{"Path":"x","FileFunction":"Copper,L1,Top"}]}`, "x", gerberWith("G04 Layer: ETCH/TOP*"))
	f.Add("x.kicad_pcb", "(kicad_pcb (layers (0 F.Cu signal)", "art001.pho", "G04 contains layers solder (0)*")
	f.Fuzz(func(t *testing.T, name1, data1, name2, data2 string) {
		s := classifyAll(name1, data1, name2, data2)
		for _, r := range s.Results {
			if r.Format == "" || r.Why == "" {
				t.Errorf("%q has format %q because %q, want both said", r.Name, r.Format, r.Why)
			}
			if r.Group >= len(s.Groups) || r.Layer > 128+2 {
				t.Errorf("file %q, file %q: report %+v, want a group that there is and a layer that can be", name1, name2, r.FileReport)
			}
		}
	})
}
