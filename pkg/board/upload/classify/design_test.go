package classify

import (
	"slices"
	"strings"
	"testing"
)

// TestUnread: what is said of a file that nothing reads, and what to send in its place.
func TestUnread(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, data string
		want       string // what is said first
		parts      []string
	}{
		{"x.brd", "\x00\x00\x00allegro", "the file is an Allegro or OrCAD board", []string{"Manufacture > Artwork"}},
		{"x.brd", "PCBNEW-BOARD Version 1 date", "the file is a KiCad board from before KiCad 4", []string{".kicad_pcb"}},
		{"x.brd", "\x10\x80\x2b\x00", "this EAGLE board could not be read", []string{"File > CAM Processor"}},
		{"x.pcb", "!PADS-POWERPCB-V9.4-METRIC!", "the file is a PADS board", []string{"File > CAM"}},
		{"x.pcb", "\x00\xff\x01\x02", "the file is a PADS board", nil},
		{"x.pcb", "# release: pcb 4.0\nPCB[\"\" 1 1]\n", "the file is a board of gEDA pcb", []string{"File > Export layout > gerber"}},
		{"x.pcb", "ACCEL_ASCII \"x.pcb\"\n", "the file is a P-CAD board", nil},
		{"x.pcb", "PCB 6.0 Binary File\x00", "the file is a Protel board", []string{".PcbDoc"}},
		{"x.pcb", "PCB FILE 6 VERSION 2.80", "the file is a Protel board", nil},
		{"x.pcb", "something else", "the file is a board of P-CAD, CADSTAR, DesignSpark PCB, Easy-PC or Pulsonix", nil},
		{"x.bin", "ha:pcb-rnd-board-v6", "the file is a pcb-rnd board", []string{"File > Export > cam"}},
		{"x.hprj", `{"board_filename": "b"}`, "the file is a Horizon EDA project", nil},
		{"b.json", `{"docType": 1, "editorVersion": "6"}`, "the file is an EasyEDA schematic or library, which holds no board that could be built", nil},
		{"x.dip", "\x01\x02", "the file is a DipTrace board", []string{"File > Export > Gerber"}},
		{"x.dch", "\x01\x02", "the file is a DipTrace schematic, which holds no board that could be built", nil},
		{"x.LBR", "<lib>", "the file is an EAGLE library, which holds no board that could be built", nil},
		{"x.gvp", "(gerbv-file-version! \"2.0A\")", "the file is a workspace of the viewer gerbv", nil},
		{"x.gwk", "\x1f\x8b\x08", "the file is a workspace of the viewer GC-Prevue", nil},
		{"job/matrix/matrix", "STEP {\n", "no board was read from this ODB++ job", []string{"export the job again"}},
		{"x.xml", "<IPC-2581 revision=\"C\">", "no board was read from this IPC-2581 file", []string{"export it again"}},
		{"x.WKS", "\x01", "the file is the own file (.wks) of a design tool", nil},
	} {
		r := classifyAll(c.name, c.data).Results[0]
		got := r.Unread()
		if !strings.HasPrefix(got, c.want) || slices.ContainsFunc(c.parts, func(p string) bool { return !strings.Contains(got, p) }) {
			t.Errorf("%q with %q is %q, want %q and %q", c.name, c.data, got, c.want, c.parts)
		}
		if !strings.Contains(got, "Gerbers") || strings.HasSuffix(got, ".") {
			t.Errorf("%q with %q is %q, want what to send, and no stop", c.name, c.data, got)
		}
	}
}

// TestDesignsAreSentences: every entry has an article, and a menu begins like one.
func TestDesignsAreSentences(t *testing.T) {
	t.Parallel()
	for key, d := range designs {
		if !strings.HasPrefix(d.name, "a ") && !strings.HasPrefix(d.name, "an ") {
			t.Errorf("designs[%q].name = %q, want an article before it", key, d.name)
		}
		if strings.HasSuffix(d.export, ".") || strings.HasPrefix(d.export, "in ") {
			t.Errorf("designs[%q].export = %q, want what follows upon \"makes in\"", key, d.export)
		}
		if key != strings.ToLower(key) {
			t.Errorf("designs[%q] is never found: extensions are looked up in lower case", key)
		}
	}
}
