package classify

import (
	"bytes"
	"fmt"
	"strings"

	"boardorder/pkg/board/upload/sources"
)

// A design is a file of a design tool that is not read: what it is, with its article, and
// where the tool's menus make films and drill files of it.
type design struct{ name, export string }

// designs are told by the extension of the file.
var designs = map[string]design{
	"brd":     {"an Allegro or OrCAD board", "Manufacture > Artwork for the films and Manufacture > NC > NC Drill for the holes"},
	"dip":     {"a DipTrace board", "File > Export > Gerber and File > Export > N/C Drill"},
	"dch":     {"a DipTrace schematic", ""},
	"lay":     {"a Sprint-Layout board", "File > Export > Gerber export and File > Export > Drill data (Excellon)"},
	"lay6":    {"a Sprint-Layout board", "File > Export > Gerber export and File > Export > Drill data (Excellon)"},
	"fz":      {"a Fritzing sketch", "File > Export > for Production > Extended Gerber (RS-274X)"},
	"fzz":     {"a Fritzing sketch", "File > Export > for Production > Extended Gerber (RS-274X)"},
	"lppz":    {"a LibrePCB project", "Output > Generate Gerber/Excellon Files in the board editor"},
	"lp":      {"a LibrePCB project", "Output > Generate Gerber/Excellon Files in the board editor"},
	"lpp":     {"a LibrePCB project", "Output > Generate Gerber/Excellon Files in the board editor"},
	"pcb":     {"a board of P-CAD, CADSTAR, DesignSpark PCB, Easy-PC or Pulsonix", "File > Export > Gerber and N/C Drill in P-CAD, Manufacturing Export in CADSTAR, Output > Manufacturing Plots in DesignSpark PCB, Output > Plotting and Printing in Easy-PC, or Output > CAM/Plots in Pulsonix"},
	"pads":    {"a PADS board", "File > CAM, with a document for each layer and one for NC drill"},
	"horizon": {"a Horizon EDA project", "Fabrication Output of the board editor, with Gerber chosen"},
	"easyeda": {"an EasyEDA schematic or library", ""},
	"pcb-rnd": {"a pcb-rnd board", "File > Export > cam"},
	"cpa":     {"a CADSTAR archive", "Manufacturing Export > Batch Process with Gerber and N.C. Drill"},
	"eprj":    {"an EasyEDA Pro project", "Export > PCB Fabrication File (Gerber)"},
	"epro":    {"an EasyEDA Pro project", "Export > PCB Fabrication File (Gerber)"},
	"epro2":   {"an EasyEDA Pro project", "Export > PCB Fabrication File (Gerber)"},
	"f3z":     {"a Fusion 360 archive", "Manufacturing > CAM > Export Gerber, Drill and Assembly Files in the PCB editor"},
	"fbrd":    {"a board of Fusion Electronics", "Manufacturing > CAM > Export Gerber, Drill and Assembly Files"},
	"fsch":    {"a schematic of Fusion Electronics", ""},
	"rrpcb":   {"an ExpressPCB board", "File > Export Gerber and drill files, in ExpressPCB Plus"},
	"max":     {"a board of OrCAD Layout", "Auto > Run Post Processor, with a Gerber film for each layer and the drill tape"},
	"ddb":     {"a design of Protel 99 SE", "File > CAM Manager with Gerber and NC Drill"},
	"lyt":     {"a layout of Proteus ARES", "Output > Gerber/Excellon Output"},
	"ddf":     {"an Ultiboard board", "File > Export with Gerber RS-274X and NC drill"},
	"upv":     {"an Upverter design", "its export of Gerber and NC drill"},
	"rrb":     {"a Copper Connection board", "File > Export > Gerber files"},
	"ewprj":   {"an Ultiboard project", "File > Export with Gerber RS-274X and NC drill"},
	"t3001":   {"a TARGET 3001! project", "File > Input/Output Formats > Production > XGerber and Excellon Out"},
	"pdsprj":  {"a Proteus project", "Output > Generate Gerber/Excellon Files"},
	"pcbdoc":  {"an Altium board", "File > Fabrication Outputs > Gerber Files and File > Fabrication Outputs > NC Drill Files"},
	"prjpcb":  {"an Altium project", "File > Fabrication Outputs > Gerber Files and File > Fabrication Outputs > NC Drill Files of its board"},
	"schdoc":  {"an Altium schematic", ""},
	"dsn":     {"an OrCAD schematic or a design for an autorouter", ""},
	"opj":     {"an OrCAD project", ""},
	"sch":     {"a schematic", ""},
	"pcblib":  {"a library of Altium", ""},
	"schlib":  {"a library of Altium", ""},
	"lbr":     {"an EAGLE library", ""},
	"lib":     {"a library", ""},
	"sym":     {"a symbol of a library", ""},
	"mod":     {"a footprint of a library", ""},
	"json5":   {"a file of a design tool", ""},
	"kicad 3": {"a KiCad board from before KiCad 4", "File > Plot and Generate Drill Files, or save it as .kicad_pcb in a KiCad of today and send that"},
	"geda":    {"a board of gEDA pcb", "File > Export layout > gerber"},
	"protel":  {"a Protel board", "File > CAM Manager with Gerber and NC Drill, or save it as .PcbDoc in Altium Designer and send that"},
	"pcad":    {"a P-CAD board", "File > Export > Gerber and File > Export > N/C Drill"},
}

// key is the entry of a file in designs: by what it holds where one extension is that of
// several tools.
func (r *Result) key() string {
	head := bytes.TrimSpace(r.file.Data[:min(len(r.file.Data), 4096)])
	has := func(s string) bool { return bytes.Contains(head, []byte(s)) }
	switch {
	case bytes.HasPrefix(head, []byte("PCBNEW-BOARD")):
		return "kicad 3"
	case bytes.HasPrefix(head, []byte("!PADS-")), r.ext == "pcb" && bytes.HasPrefix(head, []byte("\x00\xff")):
		return "pads"
	case bytes.HasPrefix(head, []byte("ha:pcb-rnd")):
		return "pcb-rnd"
	case horizonFile(r.file.Data, r.ext):
		return "horizon"
	case easyEDA(head, r.ext):
		return "easyeda"
	case r.ext == "pcb" && (has("release: pcb") || has("PCB[")):
		return "geda"
	case has("ACCEL_ASCII"):
		return "pcad"
	case r.ext == "pcb" && (has("PCB 6.0 Binary") || has("PCB 5.0 Binary") || has("PCB FILE") || has("Protel")):
		return "protel"
	}
	return r.ext
}

// horizonFile tells what Horizon EDA keeps: a project, and the board in a file of its own.
func horizonFile(data []byte, ext string) bool {
	has := func(s string) bool { return bytes.Contains(data, []byte(s)) }
	switch ext {
	case "hprj":
		return has(`"board_filename"`)
	case "json":
		return has(`"type": "board"`) && has(`"fab_output_settings"`)
	}
	return false
}

// easyEDA tells what EasyEDA saves beside its boards.
func easyEDA(head []byte, ext string) bool {
	return ext == "json" && bytes.Contains(head, []byte(`"docType"`)) && bytes.Contains(head, []byte(`"editorVersion"`))
}

// viewer is the viewer of films that a file is a workspace of; "" for none.
func (r *Result) viewer() string {
	head := r.file.Data[:min(len(r.file.Data), 256)]
	switch {
	case r.ext == "gwk" && bytes.HasPrefix(head, []byte("\x1f\x8b")), bytes.Contains(head, []byte("GCJob")) && bytes.Contains(head, []byte("GC-Prevue")):
		return "GC-Prevue"
	case bytes.Contains(head, []byte("(gerbv-file-version!")):
		return "gerbv"
	}
	return ""
}

// Unread says what a file is that is not read, and what to send in its place, as a sentence
// without its stop.
func (r *Result) Unread() string {
	const send = "send Gerbers and drill files"
	whole, _ := sources.Find(r.Format)
	d, known := designs[r.key()]
	switch {
	case r.Format == FormatWorkspace:
		return fmt.Sprintf("the file is a workspace of the viewer %s: nothing is built of it, only of Gerbers and drill files themselves", r.viewer())
	case whole.Unread != "":
		return whole.Unread
	case !known:
		return fmt.Sprintf("the file is the own file (.%s) of a design tool, which is not read: %s", strings.ToLower(r.rawExt), send)
	case d.export == "":
		return fmt.Sprintf("the file is %s, which holds no board that could be built: %s", d.name, send)
	}
	return fmt.Sprintf("the file is %s, which is not read: %s, which its tool makes in %s", d.name, send, d.export)
}
