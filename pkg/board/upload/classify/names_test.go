package classify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
)

const (
	anyGerber = "%FSLAX24Y24*%\n%MOIN*%\n%ADD10C,0.01*%\nD10*\nX0Y0D02*\nX100Y100D01*\nM02*\n"
	anyDrill  = "M48\nINCH,TZ\nT1C0.03\n%\nT1\nX1000Y1000\nM30\n"
)

// brief names a role as short as it can be told.
func brief(r *Result) string {
	side := map[pcb.Side]string{pcb.Top: " top", pcb.Bottom: " bottom"}[r.Side]
	switch r.Role {
	case pcb.RoleCopper:
		return fmt.Sprintf("L%d", r.Layer)
	case pcb.RoleDrill:
		return strings.TrimSpace("drill " + map[pcb.Plating]string{pcb.Plated: "plated", pcb.NonPlated: "bare"}[r.Plating])
	}
	return r.Role.String() + side
}

// TestNames: the names that CAD tools give, told by nothing but the names.
func TestNames(t *testing.T) {
	t.Parallel()
	for tool, files := range map[string][][2]string{
		"KiCad": {
			{"x-F_Cu.gbr", "L1"}, {"x-In1_Cu.gbr", "L2"}, {"x-In2_Cu.gbr", "L3"}, {"x-B_Cu.gbr", "L4"}, {"x-F_Mask.gbr", "mask top"},
			{"x-B_Mask.gbr", "mask bottom"}, {"x-F_Paste.gbr", "paste top"}, {"x-F_Silkscreen.gbr", "silk top"}, {"x-B_SilkS.gbr", "silk bottom"},
			{"x-Edge_Cuts.gbr", "outline"}, {"x-F_Fab.gbr", "fab drawing top"}, {"x-B_Courtyard.gbr", "courtyard bottom"}, {"x-F_Adhes.gbr", "glue top"},
			{"x-Margin.gbr", "mechanical"}, {"x-Dwgs_User.gbr", "fab drawing"}, {"x-PTH.drl", "drill plated"}, {"x-NPTH.drl", "drill bare"}, {"x-PTH-drl_map.gbr", "drill drawing"},
		},
		"KiCad, a board that is called by a side, drills that are not": {
			{"bottom-plate-F_Cu.gbr", "L1"}, {"bottom-plate-B_Cu.gbr", "L2"}, {"bottom-plate-F_Mask.gbr", "mask top"}, {"bottom-plate-B_Mask.gbr", "mask bottom"},
			{"bottom-plate-F_Silkscreen.gbr", "silk top"}, {"bottom-plate-B_Paste.gbr", "paste bottom"}, {"bottom-plate-Edge_Cuts.gbr", "outline"}, {"holes.drl", "drill"},
		},
		"KiCad, a board that is called by the other side": {
			{"top_board-F_Cu.gbr", "L1"}, {"top_board-B_Cu.gbr", "L2"}, {"top_board-B_Mask.gbr", "mask bottom"}, {"top_board-F_Mask.gbr", "mask top"}, {"holes.drl", "drill"},
		},
		"KiCad, a backplane": {
			{"backplane-F_Cu.gbr", "L1"}, {"backplane-B_Cu.gbr", "L2"}, {"backplane-F_Mask.gbr", "mask top"}, {"backplane-B_Mask.gbr", "mask bottom"}, {"holes.drl", "drill"},
		},
		"a board that is called by a side, words behind": {
			{"back panel top layer.gbr", "L1"}, {"back panel bottom layer.gbr", "L2"}, {"back panel solder mask top.gbr", "mask top"}, {"back panel solder mask bottom.gbr", "mask bottom"}, {"holes.drl", "drill"},
		},
		"KiCad with dots, Protel extensions": {
			{"x-F.Cu.gtl", "L1"}, {"x-In1.Cu.g2", "L2"}, {"x-In2.Cu.g3", "L3"}, {"x-B.Cu.gbl", "L4"}, {"x-Edge.Cuts.gm1", "outline"}, {"x-F.SilkS.gto", "silk top"},
		},
		"EasyEDA's layers of a flexible board": {
			{"Gerber_TopLayer.GTL", "L1"}, {"Gerber_BottomLayer.GBL", "L2"}, {"Gerber_BottomStiffenerLayer_pib_0.2.GBSL", "other bottom"}, {"Gerber_TopStiffenerLayer.GTSL", "other top"},
		},
		"KiCad of 2011": {
			{"x-Front.gtl", "L1"}, {"x-Back.gbl", "L2"}, {"x-SilkS_Front.gto", "silk top"}, {"x-Mask_Back.gbs", "mask bottom"}, {"x-SoldP_Front.gtp", "paste top"},
			{"x-PCB_Edges.gbr", "outline"},
		},
		"a KiCad plug-in": {
			{"x-CuTop.gbr", "L1"}, {"x-CuIn1.gbr", "L2"}, {"x-CuIn2.gbr", "L3"}, {"x-CuBottom.gbr", "L4"}, {"x-MaskTop.gbr", "mask top"}, {"x-EdgeCuts.gbr", "outline"},
			{"x-VScore.gbr", "v-cut"}, {"x-V-Cut.gbr", "v-cut"}, {"x-V_Cut.gbr", "v-cut"}, {"board V-SCORE.gbr", "v-cut"}, {"VCuts.gbr", "v-cut"}, {"x-SilkBottom.gbr", "silk bottom"}, {"x-PasteTop.gbr", "paste top"},
		},
		"inner layers numbered from the top, whatever they are": {
			{"TOP.art", "L1"}, {"GND-2.art", "L2"}, {"SIGNAL-3.art", "L3"}, {"SIGNAL-6.art", "L6"}, {"VCC-4.art", "L4"}, {"GND-5.art", "L5"}, {"GND-7.art", "L7"}, {"BOTTOM.art", "L8"},
		},
		"inner layers numbered from 1": {
			{"TOP.art", "L1"}, {"GND1.art", "L2"}, {"SIGNAL2.art", "L3"}, {"SIGNAL3.art", "L4"}, {"PWR4.art", "L5"}, {"BOTTOM.art", "L6"},
		},
		"numbers that are not those of all layers": {
			{"TOP.art", "L1"}, {"GND1.art", "L4"}, {"SIGNAL1.art", "L2"}, {"SIGNAL2.art", "L3"}, {"GND2.art", "L5"}, {"BOTTOM.art", "L6"},
		},
		"a fabricator's program": {
			{"l1.ger", "L1"}, {"lb.ger", "L2"}, {"m1.ger", "mask top"}, {"m2.ger", "mask bottom"}, {"s1.ger", "silk top"}, {"s2.ger", "silk bottom"},
			{"p1.ger", "unknown"}, {"pst.ger", "paste"}, {"u.ger", "unknown"},
		},
		"letters that say nothing without copper": {
			{"top.ger", "L1"}, {"bottom.ger", "L2"}, {"m1.ger", "unknown"}, {"m2.ger", "unknown"}, {"s1.ger", "unknown"}, {"s2.ger", "unknown"},
		},
		"words of scores and milling, misspelt": {
			{"copper_top.gbr", "L1"}, {"copper_bottom.gbr", "L2"}, {"profile.gbr", "outline"}, {"V-SCOR.gbr", "v-cut"}, {"x.MilingLayer.ger", "outline"},
		},
		"Altium": {
			{"x.GTL", "L1"}, {"x.G1", "L2"}, {"x.G2", "L3"}, {"x.GBL", "L4"}, {"x.GTO", "silk top"}, {"x.GTS", "mask top"}, {"x.GBP", "paste bottom"}, {"x.GM1", "outline"},
			{"x.GM3", "mechanical"}, {"x.GD1", "drill drawing"}, {"x.GG1", "drill drawing"}, {"x.GPT", "other top"}, {"x-RoundHoles.TXT", "drill"}, {"x-SlotHoles.TXT", "drill"},
		},
		"Eagle": {
			{"x.cmp", "L1"}, {"x.sol", "L2"}, {"x.plc", "silk top"}, {"x.pls", "silk bottom"}, {"x.stc", "mask top"}, {"x.sts", "mask bottom"}, {"x.crc", "paste top"},
			{"x.drd", "drill"}, {"x.dim", "outline"},
		},
		"Eagle with words": {
			{"x.toplayer.ger", "L1"}, {"x.bottomlayer.ger", "L2"}, {"x.topsilkscreen.ger", "silk top"}, {"x.bottomsoldermask.ger", "mask bottom"}, {"x.tcream.ger", "paste top"},
			{"x.boardoutline.ger", "outline"}, {"x.drills.xln", "drill"},
		},
		"inner layers called by a side": {
			{"x-F_Cu.gtl", "L1"}, {"x-F_Inner_Cu.gbr", "L2"}, {"x-B_Inner_Cu.gbr", "L3"}, {"x-B_Cu.gbl", "L4"},
		},
		"inner layers called by a letter": {
			{"Top_Copper.cmp", "L1"}, {"Inner_Copper_A.ina", "L2"}, {"Inner_Copper_B.inb", "L3"}, {"Bottom_Copper.sol", "L4"},
		},
		"sides with the name of a net": {{"Copper Top GND.gbr", "L1"}, {"Copper Bottom Power.gbr", "L2"}},
		"Fusion": {
			{"copper_top_l1.gbr", "L1"}, {"copper_inner_l2.gbr", "L2"}, {"copper_inner_l3.gbr", "L3"}, {"copper_bottom_l4.gbr", "L4"}, {"soldermask_top.gbr", "mask top"},
			{"solderpaste_bottom.gbr", "paste bottom"}, {"silkscreen_top.gbr", "silk top"}, {"profile.gbr", "outline"}, {"drill_1_16.xln", "drill"},
		},
		"EasyEDA": {
			{"Gerber_TopLayer.GTL", "L1"}, {"Gerber_InnerLayer1.G1", "L2"}, {"Gerber_InnerLayer2.G2", "L3"}, {"Gerber_BottomLayer.GBL", "L4"},
			{"Gerber_TopSolderMaskLayer.GTS", "mask top"}, {"Gerber_TopPasteMaskLayer.GTP", "paste top"}, {"Gerber_BottomSilkscreenLayer.GBO", "silk bottom"},
			{"Gerber_BoardOutlineLayer.GKO", "outline"}, {"Gerber_TopAssemblyLayer.GTA", "assembly top"}, {"Gerber_DocumentLayer.GDL", "fab drawing"},
			{"Gerber_DrillDrawingLayer.GDD", "drill drawing"}, {"Drill_PTH_Through.DRL", "drill plated"}, {"Drill_PTH_Through_Via.DRL", "drill plated"}, {"Drill_NPTH_Through.DRL", "drill bare"},
		},
		"Allegro": {
			{"TOP.art", "L1"}, {"L2_GND.art", "L2"}, {"L3_PWR.art", "L3"}, {"BOTTOM.art", "L4"}, {"SOLDERMASK_TOP.art", "mask top"}, {"PASTEMASK_BOT.art", "paste bottom"},
			{"SILKSCREEN_TOP.art", "silk top"}, {"OUTLINE.art", "outline"}, {"FAB.art", "fab drawing"}, {"ADT.art", "assembly top"}, {"ncdrill-1-4.drl", "drill"}, {"x.rou", "drill"},
		},
		"Altium, files named by their function": {
			{"b_Copper_Signal_Top.gbr", "L1"}, {"b_Copper_Signal_1.gbr", "L2"}, {"b_Copper_Plane_1.gbr", "L3"}, {"b_Copper_Signal_Bot.gbr", "L4"}, {"b_Soldermask_Top.gbr", "mask top"},
			{"b_Soldermask_Bot.gbr", "mask bottom"}, {"b_Paste_Top.gbr", "paste top"}, {"b_Solderpaste_Bot.gbr", "paste bottom"}, {"b_Legend_Top.gbr", "silk top"}, {"b_Overlay_Bot.gbr", "silk bottom"},
			{"b_Pads_Top.gbr", "other top"}, {"b_Pads_Bot.gbr", "other bottom"}, {"b_Top_Pad_Master.gbr", "other top"}, {"b_Top_Designator.gbr", "assembly top"}, {"b_Bottom_Designators.gbr", "assembly bottom"},
			{"b_Top_Courtyard.gbr", "courtyard top"}, {"b_Top_Component_Outline.gbr", "assembly top"}, {"b_Bottom_Component_Center.gbr", "assembly bottom"}, {"b_Top_3D_Body.gbr", "assembly top"},
			{"b_Bottom_Assembly.gbr", "assembly bottom"}, {"b_Assembly_Notes.gbr", "assembly"}, {"b_Fab_Notes.gbr", "fab drawing"}, {"b_Top_Coating.gbr", "other top"}, {"b_Bottom_Coating.gbr", "other bottom"},
			{"b_Top_Glue_Points.gbr", "glue top"}, {"b_Drill_Drawing_1.gbr", "drill drawing"}, {"b_Drillmap_1.gbr", "drill drawing"}, {"b_Drill_Guide.gbr", "drill drawing"}, {"b_Dimensions.gbr", "fab drawing"},
			{"b_Profile.gbr", "outline"}, {"b_Keep-out.gbr", "keep-out"}, {"b_Mechanical_13.gbr", "mechanical"}, {"b_Route_Tool_Path.gbr", "mechanical"}, {"b_V_Cut.gbr", "v-cut"}, {"b_Dielectric_1.gbr", "other"},
		},
		"Altium, words in another order": {
			{"b-Top Layer.gbr", "L1"}, {"b-Mid-Layer 1.gbr", "L2"}, {"b-Bottom Layer.gbr", "L3"}, {"b-Top Overlay.gbr", "silk top"}, {"b-Top Solder.gbr", "mask top"}, {"b-Bottom Paste.gbr", "paste bottom"},
			{"b-Designator Top.gbr", "assembly top"}, {"b-TopCoating.gbr", "other top"}, {"b-Top 3D Bodies.gbr", "assembly top"}, {"b-Top Package Outlines.gbr", "assembly top"}, {"b-Board Outline.gbr", "outline"},
		},
		"legends that hold designators": {{"Top Copper.gbr", "L1"}, {"Top Silkscreen Designators.gbr", "silk top"}, {"Refdes Silk Bottom.gbr", "silk bottom"}, {"Coating Top Copper.gbr", "L2"}},
		"EAGLE, a letter or two before": {
			{"encopper_top.gbr", "L1"}, {"encopper_bottom.gbr", "L2"}, {"ensilkscreen_top.gbr", "silk top"}, {"ensoldermask_bottom.gbr", "mask bottom"}, {"ensolderpaste_top.gbr", "paste top"}, {"enprofile.gbr", "outline"},
		},
		"run-together words": {
			{"TOP.art", "L1"}, {"BOT.art", "L2"}, {"AutoSilkT.art", "silk top"}, {"AutoSilkB.art", "silk bottom"}, {"SOLDERT.art", "mask top"}, {"MaskB.art", "mask bottom"}, {"PasteT.art", "paste top"},
			{"pasteb.art", "paste bottom"}, {"BotAssy.art", "assembly bottom"}, {"tassy.art", "assembly top"}, {"FAB.art", "fab drawing"},
		},
		"run-together words in capitals": {
			{"TOPCOPPER.gbr", "L1"}, {"BOTCOPPER.gbr", "L2"}, {"AUTOSILKTOP.gbr", "silk top"}, {"MYSILKBOT.gbr", "unknown"}, {"MYSILK_BOT.gbr", "silk bottom"}, {"V2SOLDERMASKTOP.gbr", "mask top"},
		},
		"Allegro's short names": {
			{"TOP.art", "L1"}, {"GND02.art", "L2"}, {"PWR03.art", "L3"}, {"BOTTOM.art", "L4"}, {"SST.art", "silk top"}, {"SSB.art", "silk bottom"}, {"SMT.art", "mask top"}, {"SMB.art", "mask bottom"},
			{"PMT.art", "paste top"}, {"PMB.art", "paste bottom"}, {"ADT.art", "assembly top"}, {"ADB.art", "assembly bottom"}, {"FAB.art", "fab drawing"},
		},
		"Allegro's short names of paste": {{"ETCH_TOP.art", "L1"}, {"ETCH_L2.art", "L2"}, {"ETCH_BOTTOM.art", "L3"}, {"SPT.art", "paste top"}, {"SPB.art", "paste bottom"}, {"ASSY_TOP.art", "assembly top"}},
		"names of boards that end in a layer": {
			{"Facemask.gtl", "L1"}, {"Facemask.gbl", "L2"}, {"Facemask.gts", "mask top"}, {"Facemask.gko", "outline"},
		},
		"OrCAD's outline": {{"x.top", "L1"}, {"x.bot", "L2"}, {"x.otl", "outline"}, {"x.smt", "mask top"}},
		"Allegro, in-house": {
			{"lyr1.art", "L1"}, {"lyr2.art", "L2"}, {"lyr3.art", "L3"}, {"lyr4.art", "L4"}, {"tslk.art", "silk top"}, {"bslk.art", "silk bottom"}, {"smc.art", "mask top"},
			{"sms.art", "mask bottom"}, {"spc.art", "paste top"}, {"assy.art", "assembly"},
		},
		"EAGLE's places for 16 layers":  {{"x.GTL", "L1"}, {"x.G2L", "L2"}, {"x.G15L", "L3"}, {"x.GBL", "L4"}},
		"EAGLE's names of inner layers": {{"top.gbr", "L1"}, {"route2.gbr", "L2"}, {"route15.gbr", "L3"}, {"bottom.gbr", "L4"}, {"top-route.gbr", "outline"}},
		"numbers from the top under two kinds of names": {
			{"TOP.art", "L1"}, {"GND2.art", "L2"}, {"ART03.art", "L3"}, {"ART04.art", "L4"}, {"GND5.art", "L5"}, {"BOTTOM.art", "L6"},
		},
		"numbers from the top before those of planes": {
			{"L1_TOP.gbr", "L1"}, {"L2_GND1.gbr", "L2"}, {"L3_SIG1.gbr", "L3"}, {"L4_GND2.gbr", "L4"}, {"L5_PWR1.gbr", "L5"}, {"L6_SIG2.gbr", "L6"}, {"L7_GND3.gbr", "L7"}, {"L8_BOT.gbr", "L8"},
			{"F_Mask.gbr", "mask top"}, {"Edge_Cuts.gbr", "outline"},
		},
		"the same, of every name": {
			{"L01_top.art", "L1"}, {"L02_gnd3.art", "L2"}, {"L03_pwr2.art", "L3"}, {"L04_gnd1.art", "L4"}, {"L05_pwr1.art", "L5"}, {"L06_bot.art", "L6"},
		},
		"the same, of other words": {
			{"x-TOP.gbr", "L1"}, {"x-GND2_LAY2.gbr", "L2"}, {"x-PWR1 layer 3.gbr", "L3"}, {"x-Layer 4 (GND 1).gbr", "L4"}, {"x-Inner1_L5.gbr", "L5"}, {"x-BOTTOM.gbr", "L6"},
		},
		"inner layers counted by themselves": {
			{"x-Top Layer.gbr", "L1"}, {"x-Inner Layer 1.gbr", "L2"}, {"x-Inner Layer 2.gbr", "L3"}, {"x-Bottom Layer.gbr", "L4"},
		},
		"planes named after a net, as inner layers": {
			{"x-F_Cu.gbr", "L1"}, {"x-In1(GND).gbr", "L2"}, {"x-In2(PWR1).gbr", "L3"}, {"x-B_Cu.gbr", "L4"},
		},
		"numbers from the top, one plane without": {
			{"TOP.gbr", "L1"}, {"L2_GND.gbr", "L2"}, {"PWR1.gbr", "L3"}, {"L4_PWR.gbr", "L4"}, {"L5_GND.gbr", "L5"}, {"BOTTOM.gbr", "L6"},
		},
		"layers by number as extensions": {{"x.GTL", "L1"}, {"x.G2L", "L2"}, {"x.G3L", "L3"}, {"x.GBL", "L4"}},
		"Protel's words in the stem": {
			{"job-gtl.GBR", "L1"}, {"job-gbl.GBR", "L2"}, {"job-gts.GBR", "mask top"}, {"job-gbo.GBR", "silk bottom"}, {"job-gtp.GBR", "paste top"}, {"job-box.GBR", "outline"},
			{"job-breakrout.GBR", "mechanical"},
		},
		"component side and solder side": {
			{"x-cst.gbx", "L1"}, {"x-sst.gbx", "L2"}, {"x-csr.gbx", "mask top"}, {"x-ssr.gbx", "mask bottom"}, {"x-csp.gbx", "paste top"}, {"x-csl.gbx", "silk top"},
			{"x-ssl.gbx", "silk bottom"},
		},
		"OrCAD": {
			{"x.top", "L1"}, {"x.in1", "L2"}, {"x.in2", "L3"}, {"x.bot", "L4"}, {"x.smt", "mask top"}, {"x.ssb", "silk bottom"}, {"x.spt", "paste top"}, {"x.ast", "assembly top"},
			{"thruhole.tap", "drill"},
		},
		"PADS": {
			{"art001.pho", "L1"}, {"pln002.pho", "L2"}, {"pln003.pho", "L3"}, {"art004.pho", "L4"}, {"sst001026.pho", "silk top"}, {"ssb004029.pho", "silk bottom"},
			{"sm001021.pho", "mask top"}, {"sm004028.pho", "mask bottom"}, {"smd001023.pho", "paste top"}, {"smd004022.pho", "paste bottom"}, {"dd001024.pho", "drill drawing"},
			{"adt001027.pho", "assembly top"}, {"drl001.drl", "drill"},
		},
		"PADS with over 30 layers": {
			{"art001.pho", "L1"}, {"art002.pho", "L2"}, {"sm001121.pho", "mask top"}, {"sm002128.pho", "mask bottom"}, {"smd001123.pho", "paste top"}, {"smd002122.pho", "paste bottom"},
		},
		"Allegro, named as by PADS": {
			{"art01.art", "L1"}, {"pgp02.art", "L2"}, {"art03.art", "L3"}, {"art04.art", "L4"}, {"pgp05.art", "L5"}, {"art06.art", "L6"}, {"silkbotm.art", "silk bottom"}, {"silktop.art", "silk top"},
			{"solderbotm.art", "mask bottom"}, {"soldertop.art", "mask top"}, {"pastebotm.art", "paste bottom"}, {"asy_top.art", "assembly top"}, {"asy_botm.art", "assembly bottom"},
		},
		"misspelt": {
			{"top copper.gbr", "L1"}, {"buttom copper.gbr", "L2"}, {"botton mask.gbr", "mask bottom"}, {"botom silk.gbr", "silk bottom"}, {"bottm paste.gbr", "paste bottom"},
		},
		"an extension given twice": {
			{"Top Layer.GTL", "L1"}, {"Bottom Layer.GBL", "L2"}, {"Board Outline.GBL", "outline"}, {"Top Overlay.GTO", "silk top"}, {"Top Solder Mask.GTS", "mask top"},
		},
		"an extension given once": {
			{"outline control.GTL", "L1"}, {"outline control.GBL", "L2"}, {"outline control.GTS", "mask top"}, {"edge.GKO", "outline"},
		},
		"PADS with words": {
			{"Top.pho", "L1"}, {"Layer2.pho", "L2"}, {"Layer3.pho", "L3"}, {"Bottom.pho", "L4"}, {"SMT.pho", "mask top"}, {"SSB.pho", "silk bottom"},
		},
		"DipTrace": {
			{"Top.gbr", "L1"}, {"Bottom.gbr", "L2"}, {"TopSilk.gbr", "silk top"}, {"BottomMask.gbr", "mask bottom"}, {"TopPaste.gbr", "paste top"}, {"TopAssy.gbr", "assembly top"},
			{"BoardOutline.gbr", "outline"}, {"Through.drl", "drill"},
		},
		"Proteus": {
			{"x - CADCAM Top Copper.TXT", "L1"}, {"x - CADCAM Bottom Copper.TXT", "L2"}, {"x - CADCAM Top Silk Screen.TXT", "silk top"},
			{"x - CADCAM Bottom Solder Resist.TXT", "mask bottom"}, {"x - CADCAM Top SMT Paste Mask.TXT", "paste top"}, {"x - CADCAM Board Edge.TXT", "outline"},
		},
		"DesignSpark": {
			{"x - Top Copper.gbr", "L1"}, {"x - Bottom Copper.gbr", "L2"}, {"x - Top Copper (Resist).gbr", "mask top"}, {"x - Bottom Copper (Paste).gbr", "paste bottom"},
			{"x - Top Silkscreen.gbr", "silk top"}, {"x - Board Outline.gbr", "outline"}, {"x - Documentation.gbr", "fab drawing"},
		},
		"Ultiboard": {
			{"Copper Top.gbr", "L1"}, {"Copper Inner 1.gbr", "L2"}, {"Copper Inner 2.gbr", "L3"}, {"Copper Bottom.gbr", "L4"}, {"Solder Mask Top.gbr", "mask top"},
			{"Paste Mask Bottom.gbr", "paste bottom"}, {"Silkscreen Top.gbr", "silk top"}, {"Board Outline.gbr", "outline"},
		},
		"KiCad in capitals": {{"x-F_CrtYd.gbr", "courtyard top"}, {"x-B_CrtYd.gbr", "courtyard bottom"}, {"x-F_Cu.gbr", "L1"}, {"x-B_Cu.gbr", "L2"}},
		"Siemens": {
			{"EtchLayerTop.gdo", "L1"}, {"EtchLayer2.gdo", "L2"}, {"EtchLayer3.gdo", "L3"}, {"EtchLayerBottom.gdo", "L4"}, {"SoldermaskTop.gdo", "mask top"},
			{"SolderPasteBottom.gdo", "paste bottom"}, {"GeneratedSilkscreenTop.gdo", "silk top"}, {"BoardOutline.gdo", "outline"}, {"DrillDrawingThrough.gdo", "drill drawing"},
		},
		"gEDA": {
			{"x.top.gbr", "L1"}, {"x.bottom.gbr", "L2"}, {"x.topmask.gbr", "mask top"}, {"x.bottommask.gbr", "mask bottom"}, {"x.topsilk.gbr", "silk top"}, {"x.toppaste.gbr", "paste top"},
			{"x.outline.gbr", "outline"}, {"x.fab.gbr", "fab drawing"}, {"x.plated-drill.cnc", "drill plated"}, {"x.unplated-drill.cnc", "drill bare"},
		},
		"Fritzing": {
			{"x_copperTop.gtl", "L1"}, {"x_copperBottom.gbl", "L2"}, {"x_maskTop.gts", "mask top"}, {"x_pasteMaskTop.gtp", "paste top"}, {"x_silkTop.gto", "silk top"},
			{"x_contour.gm1", "outline"}, {"x_drill.txt", "drill"},
		},
		"LibrePCB": {
			{"x_COPPER-TOP.gbr", "L1"}, {"x_COPPER-IN1.gbr", "L2"}, {"x_COPPER-IN2.gbr", "L3"}, {"x_COPPER-BOTTOM.gbr", "L4"}, {"x_SOLDERMASK-TOP.gbr", "mask top"},
			{"x_SILKSCREEN-BOTTOM.gbr", "silk bottom"}, {"x_OUTLINES.gbr", "outline"}, {"x_DRILLS-PTH.drl", "drill plated"}, {"x_DRILLS-NPTH.drl", "drill bare"},
		},
		"Upverter": {
			{"top_copper.ger", "L1"}, {"bottom_copper.ger", "L2"}, {"top_solder_mask.ger", "mask top"}, {"bottom_silkscreen.ger", "silk bottom"}, {"mechanical_details.ger", "fab drawing"},
			{"board_outline.ger", "outline"},
		},
		"FAB 3000": {
			{"tl", "L1"}, {"bl", "L2"}, {"ts", "mask top"}, {"bo", "silk bottom"}, {"tp", "paste top"}, {"ko", "outline"},
		},
		"Sprint-Layout": {
			{"x_copper_top.gbr", "L1"}, {"x_copper_bottom.gbr", "L2"}, {"x_soldermask_top.gbr", "mask top"}, {"x_silkscreen_top.gbr", "silk top"}, {"x_outline.gbr", "outline"},
			{"x_smdmask_top.gbr", "paste top"}, {"x_smdmask_bottom.gbr", "paste bottom"},
		},
		"Target 3001": {
			{"x.Top", "L1"}, {"x.Bot", "L2"}, {"x.StopTop", "mask top"}, {"x.StopBot", "mask bottom"}, {"x.PasteTop", "paste top"}, {"x.PosiTop", "silk top"},
			{"x.PosiBot", "silk bottom"}, {"x.Outline", "outline"}, {"x.Drill", "drill"},
		},
		"Zuken": {
			{"Conductive-1.fph", "L1"}, {"Conductive-2.fph", "L2"}, {"Resist-A.fph", "mask top"}, {"Resist-B.fph", "mask bottom"}, {"MetalMask-A.fph", "paste top"},
			{"Symbol-A.fph", "silk top"}, {"Symbol-B.fph", "silk bottom"}, {"x_Drill_thru_plt.fdr", "drill plated"}, {"x_Drill_thru_nplt.fdr", "drill bare"},
		},
		"layers counted between top and bottom": {
			{"TOP.art", "L1"}, {"LAYER_1.art", "L2"}, {"LAYER_2.art", "L3"}, {"BOTTOM.art", "L4"},
		},
		"German": {
			{"Kupfer oben.ger", "L1"}, {"Kupfer unten.ger", "L2"}, {"Lötstopplack oben.ger", "mask top"}, {"Positionsdruck oben.ger", "silk top"}, {"Lotpaste unten.ger", "paste bottom"},
			{"Platinenumriss.ger", "outline"},
		},
		"Chinese": {
			{"顶层线路.gbr", "L1"}, {"底层线路.gbr", "L2"}, {"顶层阻焊.gbr", "mask top"}, {"底层丝印.gbr", "silk bottom"}, {"边框.gbr", "outline"},
		},
		"names of planes": {
			{"TOP.gbr", "L1"}, {"GND2.gbr", "L2"}, {"PWR3.gbr", "L3"}, {"BOTTOM.gbr", "L4"}, {"SOLDER_TOP.gbr", "mask top"}, {"SOLDER_BOT.gbr", "mask bottom"},
		},
		"planes between signals": { // nothing but the names tells, so the planes follow
			{"x.GTL", "L1"}, {"x.G1", "L2"}, {"x.GP1", "L3"}, {"x.GBL", "L4"}, {"x.GKO", "outline"},
		},
	} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			var in []File
			for _, f := range files {
				data := anyGerber
				if strings.HasPrefix(f[1], "drill") && f[1] != "drill drawing" {
					data = anyDrill
				}
				in = append(in, File{Name: "set.zip!/" + f[0], Data: []byte(data)})
			}
			s := Classify(in)
			for i, f := range files {
				if got := brief(s.Results[i]); got != f[1] {
					t.Errorf("%s: %s, want %s (%s)", f[0], got, f[1], s.Results[i].Why)
				}
			}
			if len(s.Groups) != 1 {
				t.Errorf("files %q make %d groups, want one", files, len(s.Groups))
			}
		})
	}
}

func TestSplitWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"EtchLayerTop": {"etch", "layer", "top"}, "L02": {"l", "02"}, "F_Cu": {"f", "cu"}, "art001": {"art", "001"},
		"BeagleBone-AI LAY2_GND": {"beagle", "bone", "ai", "lay", "2", "gnd"}, "": nil,
	} {
		if diff := cmp.Diff(want, splitWords(in)); diff != "" {
			t.Errorf("splitWords(%q) (-want +got):\n%s", in, diff)
		}
	}
}

func TestSegment(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"topsoldermask": {"top", "soldermask"}, "boardoutline": {"boardoutline"}, "unrelated": nil, "bottomsilkscreen": {"bottom", "silkscreen"},
	} {
		if diff := cmp.Diff(want, segment(in)); diff != "" {
			t.Errorf("segment(%q) (-want +got):\n%s", in, diff)
		}
	}
}

func TestArchive(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a.gbr": "", "in/a.gbr": "", "up.zip!/a.gbr": "up.zip", "up.zip!/in/b.RAR!/c/a.gbr": "up.zip!/in/b.RAR",
		"up.ZIP/in/a.gbr": "up.ZIP", "x.tar.gz/y.txt/a": "x.tar.gz", "zip/a": "", "up.zip": "", "up.zip!/": "up.zip", "b.7zip/a": "",
	} {
		if got := Archive(name); got != want {
			t.Errorf("Archive(%q) = %q, want %q", name, got, want)
		}
	}
}
