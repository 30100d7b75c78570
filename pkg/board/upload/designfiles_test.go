package upload_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestDesignsThatAreNotRead: a file of a design tool is called by its name, with the menu
// that makes what can be read.
func TestDesignsThatAreNotRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, data, is, menu string }{
		{"x.brd", "\x03\x00\x15\x00\x00binary", "an Allegro or OrCAD board", "NC Drill"},
		{"x.brd", "\x10\x80rest", "EAGLE before version 6", "CAM Processor"},
		{"x.brd", "\x10\xc0rest", "EAGLE before version 6", "CAM Processor"},
		{"x.brd", "PCBNEW-BOARD Version 1 date Mon Apr 16 11:47:36 2012\n", "a KiCad board from before KiCad 4", ".kicad_pcb"},
		{"x.dip", "\x07DTBOARD\x00", "a DipTrace board", "N/C Drill"},
		{"x.lay6", "\x06\x33\xaa\xff\x00\x01", "a Sprint-Layout board", "Excellon"},
		{"x.fzz!/x.fz", "<?xml version=\"1.0\"?><module fritzingVersion=\"0.9.3\">", "a Fritzing sketch", "Extended Gerber"},
		{"x.lpp", "LIBREPCB-PROJECT\n", "a LibrePCB project", "Gerber/Excellon"},
		{"x.pcb", "\x00\xff\x27\x20binary", "a PADS board", "File > CAM"},
		{"x.pcb", "# release: pcb 4.0\nPCB[\"\" 100 100]\n", "a board of gEDA pcb", "gerber"},
		{"x.PcbDoc", "|RECORD=Board|KIND=Protel_Advanced_PCB|X=1\n", "an ASCII file of Altium", "Fabrication Outputs"},
		{"x.pcb", "\x01\x02\x03\x04binary", "a board of P-CAD, CADSTAR, DesignSpark PCB", "Manufacturing Plots"},
		{"x.asc", "!PADS-POWERPCB-V9.5-MILS! DESIGN DATABASE ASCII FILE 1.0\n", "a PADS board", "File > CAM"},
		{"x.lht", "ha:pcb-rnd-board-v8 {\n", "a pcb-rnd board", "cam"},
		{"x.hprj", "{\n \"board_filename\": \"board.json\",\n \"name\": \"x\"\n}", "a Horizon EDA project", "Fabrication Output"},
		{"board.json", "{\n \"arcs\": {},\n \"fab_output_settings\": {},\n \"type\": \"board\"\n}", "a Horizon EDA project", "Fabrication Output"},
		{"sch.json", "{\"docType\":\"5\",\"editorVersion\":\"6.4\",\"schematics\":[]}", "an EasyEDA schematic or library", ""},
		{"x.epro", "PK\x03\x04packed", "the EasyEDA Pro project could not be read", "Fabrication File"},
		{"x.epro2", "PK\x03\x04packed", "the EasyEDA Pro project could not be read", "Fabrication File"},
		{"x.eprj", "SQLite format 3\x00", "an EasyEDA Pro project", "Fabrication File"},
		{"x.lppz", "PK\x03\x04packed", "a LibrePCB project", "Gerber/Excellon"},
		{"x.f3z", "PK\x03\x04packed", "a Fusion 360 archive", "CAM"},
		{"x.pdsprj", "PK\x03\x04packed", "a Proteus project", "Gerber/Excellon"},
		{"x.fzz", "PK\x03\x04packed", "a Fritzing sketch", "Extended Gerber"},
		{"x.cpa", "\x1f\x8b\x08\x00packed", "a CADSTAR archive", "Drill"},
		{"x.gvp", "(gerbv-file-version! \"2.0A\")\n(define-layer! 0 (cons 'filename \"x.gbr\"))\n", "a workspace of the viewer gerbv", "themselves"},
		{"x.gwk", "\x1f\x8b\x08\x00packed", "a workspace of the viewer GC-Prevue", "themselves"},
		{"x.gwk!/x", "\x06CGCJob\x00\x00w\x02GC-Prevue (TM) for Windows", "a workspace of the viewer GC-Prevue", "themselves"},
		{"x.sch", "<?xml version=\"1.0\"?><eagle version=\"9\"><drawing><schematic>", "a schematic", ""},
	} {
		p := uploads.Set{c.name: c.data}.Read(t)
		i := slices.IndexFunc(p.Findings, func(f pcb.Finding) bool { return f.Code == "format_unread" })
		if i < 0 || !strings.Contains(p.Findings[i].Message, c.is) || !strings.Contains(p.Findings[i].Message, c.menu) || strings.Contains(p.Findings[i].Message, "cad design") {
			t.Errorf("%s: findings %+v, want format_unread with %q and %q", c.name, p.Findings, c.is, c.menu)
		}
		reported := 0
		for _, f := range p.Findings {
			if f.Code == "format_unread" {
				reported++
			}
		}
		if reported > 1 {
			t.Errorf("%s: %d findings of one file that is not read, want one: %+v", c.name, reported, p.Findings)
		}
	}
}

// TestFilesBesideABoard: a workspace of a viewer beside a board is told and stops nothing;
// what only looks like one, or like a design, stays what it is.
func TestFilesBesideABoard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, data, code string
		level            pcb.Level
	}{
		{"x.gwk", "\x1f\x8b\x08\x00packed", "format_unread", pcb.Note},
		{"x.gvp", "(gerbv-file-version! \"2.0A\")\n", "format_unread", pcb.Note},
		{"board.json", "{\n \"arcs\": {},\n \"fab_output_settings\": {},\n \"type\": \"board\"\n}", "format_unread", pcb.Note},
		{"x.tgz", "\x1f\x8b\x08\x00packed", "archive_unread", pcb.Problem},
		{"options.json", "{\"type\": \"board\"}", "format_unknown", pcb.Note},
	} {
		p := uploads.Ordinary().Merge(uploads.Set{c.name: c.data}).Read(t)
		i := slices.IndexFunc(p.Findings, func(f pcb.Finding) bool { return f.File == c.name && f.Code != "files_unread" })
		if len(p.Boards) != 1 || i < 0 || p.Findings[i].Code != c.code || p.Findings[i].Level != c.level {
			t.Errorf("%s: %d boards, %+v, want %s", c.name, len(p.Boards), p.Findings, c.code)
		}
	}
}
