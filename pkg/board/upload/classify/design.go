package classify

import (
	"bytes"
	"fmt"
	"strings"
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
	"lpp":     {"a LibrePCB project", "Output > Generate Gerber/Excellon Files in the board editor"},
	"pcb":     {"a PADS or P-CAD board", "File > CAM in PADS, with a document for each layer and one for NC drill, or File > Export > Gerber and N/C Drill in P-CAD"},
	"cpa":     {"a CADSTAR archive", "Manufacturing Export > Batch Process with Gerber and N.C. Drill"},
	"epro":    {"an EasyEDA Pro project", "Fabrication > PCB Fabrication File (Gerber)"},
	"f3z":     {"a Fusion 360 archive", "Manufacturing > CAM > Export Gerber, Drill and Assembly Files in the PCB editor"},
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
	case r.ext == "pcb" && (has("release: pcb") || has("PCB[")):
		return "geda"
	case has("ACCEL_ASCII"):
		return "pcad"
	case r.ext == "pcb" && (has("PCB 6.0 Binary") || has("PCB 5.0 Binary") || has("PCB FILE") || has("Protel")):
		return "protel"
	}
	return r.ext
}

// Unread says what a file is that is not read, and what to send in its place, as a sentence
// without its stop.
func (r *Result) Unread() string {
	const send = "send Gerbers and drill files"
	d, known := designs[r.key()]
	switch {
	case r.Format == FormatODB:
		return "no board was read from this ODB++ job: send Gerbers and drill files, or export the job again"
	case r.Format == FormatIPC2581:
		return "no board was read from this IPC-2581 file: send Gerbers and drill files, or export it again"
	case r.Format == FormatEagleBoard:
		return "this EAGLE board could not be read: " + send + ", which EAGLE makes in File > CAM Processor"
	case !known:
		return fmt.Sprintf("the file is the own file (.%s) of a design tool, which is not read: %s", strings.ToLower(r.rawExt), send)
	case d.export == "":
		return fmt.Sprintf("the file is %s, which holds no board that could be built: %s", d.name, send)
	}
	return fmt.Sprintf("the file is %s, which is not read: %s, which its tool makes in %s", d.name, send, d.export)
}
