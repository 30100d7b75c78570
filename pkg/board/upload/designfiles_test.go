package upload_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board"
)

// TestDesignsThatAreNotRead: a file of a design tool is called by its name, with the menu
// that makes what can be read.
func TestDesignsThatAreNotRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, data, is, menu string }{
		{"x.brd", "\x03\x00\x15\x00\x00binary", "an Allegro or OrCAD board", "NC Drill"},
		{"x.brd", "\x10\x80rest", "EAGLE before version 6", "CAM Processor"},
		{"x.brd", "PCBNEW-BOARD Version 1 date Mon Apr 16 11:47:36 2012\n", "a KiCad board from before KiCad 4", ".kicad_pcb"},
		{"x.dip", "\x07DTBOARD\x00", "a DipTrace board", "N/C Drill"},
		{"x.lay6", "\x06\x33\xaa\xff\x00\x01", "a Sprint-Layout board", "Excellon"},
		{"x.fzz!/x.fz", "<?xml version=\"1.0\"?><module fritzingVersion=\"0.9.3\">", "a Fritzing sketch", "Extended Gerber"},
		{"x.lpp", "LIBREPCB-PROJECT\n", "a LibrePCB project", "Gerber/Excellon"},
		{"x.pcb", "\x00\xff\x27\x20binary", "a PADS or P-CAD board", "CAM"},
		{"x.pcb", "# release: pcb 4.0\nPCB[\"\" 100 100]\n", "a board of gEDA pcb", "gerber"},
		{"x.PcbDoc", "|RECORD=Board|KIND=Protel_Advanced_PCB|X=1\n", "an ASCII file of Altium", "Fabrication Outputs"},
		{"x.sch", "<?xml version=\"1.0\"?><eagle version=\"9\"><drawing><schematic>", "a schematic", ""},
	} {
		p := set{c.name: c.data}.read(t)
		i := slices.IndexFunc(p.Findings, func(f board.Finding) bool { return f.Code == "format_unread" })
		if i < 0 || !strings.Contains(p.Findings[i].Message, c.is) || !strings.Contains(p.Findings[i].Message, c.menu) || strings.Contains(p.Findings[i].Message, "cad design") {
			t.Errorf("%s: %+v", c.name, p.Findings)
		}
	}
}
