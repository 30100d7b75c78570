package notes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestNotesThatLeaveOptionsOpen: several values for one option, wherever they stand, are
// left to the customer; what says the same in other words is one value.
func TestNotesThatLeaveOptionsOpen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files uploads.Set
		want  string
	}{
		"one value":                        {uploads.Ordinary().Merge(uploads.Set{"a.txt": "Thickness: 0.8 mm\nFinish: ENIG\n"}), ""},
		"two in one file":                  {uploads.Ordinary().Merge(uploads.Set{"a.txt": "Thickness: 0.8 mm\nFinish: HASL\nThickness: 1.2 mm\n"}), "thickness_mm: 0.8 mm (a.txt:1), 1.2 mm (a.txt:3)"},
		"two files":                        {uploads.Ordinary().Merge(uploads.Set{"a.txt": "Thickness: 0.8 mm\n", "b.txt": "Thickness: 1.2 mm\n"}), "thickness_mm: 0.8 mm (a.txt:1), 1.2 mm (b.txt:1)"},
		"the same in mil":                  {uploads.Ordinary().Merge(uploads.Set{"a.txt": "Thickness: 1.6 mm\n", "b.txt": "Thickness: 62 mil\n"}), ""},
		"a range":                          {uploads.Ordinary().Merge(uploads.Set{"a.txt": "Finish: ENIG\nThickness: 0.8 - 1.0 mm\n"}), "thickness_mm: 0.8 - 1.0 mm (a.txt:2)"},
		"two masks":                        {uploads.Ordinary().Merge(uploads.Set{"a.txt": "Finish: ENIG\nSolder mask: black top, white bottom\n"}), "solder_mask: black (a.txt:2), white (a.txt:2)"},
		"two finishes":                     {uploads.Ordinary().Merge(uploads.Set{"a.txt": "Material: FR-4\nFinish: ENIG or HASL\n"}), "surface_finish: ENIG (a.txt:2), HASL (a.txt:2)"},
		"more of the same":                 {uploads.Ordinary().Merge(uploads.Set{"a.txt": "Material: FR-4\nMaterial: FR-4 TG170\nFinish: HASL\nFinish: HASL lead free\n"}), ""},
		"a foil and what it is plated to":  {uploads.Ordinary().Merge(uploads.Set{"a.txt": "Base copper: 18 um\nFinish: ENIG\nOuter copper: 1 oz\n"}), ""},
		"outer layers that differ":         {uploads.Ordinary().Merge(uploads.Set{"a.txt": "Finish: ENIG\nCopper: 2 oz top, 1 oz bottom\n"}), "copper_oz: 2 oz (a.txt:2), 1 oz (a.txt:2)"},
		"layers by number":                 {uploads.FourLayers().Merge(uploads.Set{"a.txt": "Layer stack: 1 Top 2 oz, 2 GND 1 oz, 3 PWR 1 oz, 4 Bottom 2 oz\n"}), ""},
		"inner layers that differ":         {uploads.FourLayers().Merge(uploads.Set{"a.txt": "Layer 2: 2 oz\nLayer 3: 1 oz\nFinish: ENIG\n"}), "inner_copper_oz: 2 oz (a.txt:1), 1 oz (a.txt:2)"},
		"flexible, and rigid":              {uploads.Ordinary().Merge(uploads.Set{"a.txt": "Material: FR-4\nFlexible PCB, 2 layers\n"}), "material: FR-4 (a.txt:1), a flexible board (a.txt:2)"},
		"flexible of polyimide":            {uploads.Ordinary().Merge(uploads.Set{"a.txt": "Material: polyimide\nFlexible PCB, 2 layers\n"}), ""},
		"a table of layers, and a note":    {uploads.Ordinary().Merge(uploads.Set{"s.csv": "Layer,Type,Thickness (mm)\nTop,Copper,0.035\nCore,Core,1.5\nBottom,Copper,0.035\n", "a.txt": "Thickness: 1.0 mm\n"}), "thickness_mm: 1 mm (a.txt:1), 1.57 mm (s.csv:0)"},
		"a table of layers, and its total": {uploads.Ordinary().Merge(uploads.Set{"s.csv": "Layer,Type,Thickness (mm)\nTop,Copper,0.035\nCore,Core,1.5\nBottom,Copper,0.035\n", "a.txt": "Thickness: 1.6 mm\n"}), ""},
	} {
		var got []string
		p := c.files.Read(t)
		for _, u := range p.Boards[0].Facts.Unsettled {
			var messages []string
			for _, s := range u.Statements {
				messages = append(messages, fmt.Sprintf("%s (%s:%d)", s.Words, s.Source.File, s.Source.Line))
			}
			got = append(got, u.Option+": "+strings.Join(messages, ", "))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
		codes := uploads.Codes(p, pcb.Warning)
		if reported := slices.Contains(codes, "notes_unsettled"); reported != (c.want != "") || reported && slices.Contains(codes, "notes_differ") {
			t.Errorf("%s: findings %v, want notes_unsettled among them: %v", name, codes, c.want != "")
		}
	}
}

// TestCopperOfNumberedLayers: the first and the last are outer, the others inner.
func TestCopperOfNumberedLayers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Layer stack: 1 Top 2 oz, 2 GND 1 oz, 3 PWR 1 oz, 4 Bottom 2 oz\n": "2 1",
		"Finish: ENIG\nLayer 2 and 3: 70 um\n":                             "0 2",
		"L2 Copper 1 oz\nFinish: ENIG\n":                                   "0 1",
		"Finish: ENIG\nInner layers: 1 oz\n":                               "0 1",
	} {
		p := uploads.FourLayers().Merge(uploads.Set{"stackup.txt": text}).Read(t)
		f := p.Boards[0].Facts
		if got := fmt.Sprint(f.OuterCopper.Value, f.InnerCopper.Value); got != want || slices.Contains(uploads.Codes(p, pcb.Warning), "layer_count_mismatch") {
			t.Errorf("%q: %s, want %s; %v", text, got, want, uploads.Codes(p, pcb.Warning))
		}
	}
}

// TestLayersOfNotes: a count behind a label stops as that of a job file does; one in a
// sentence is told.
func TestLayersOfNotes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Layers: 4\nFinish: ENIG\n":          "problem",
		"Layers: 2\nFinish: ENIG\n":          "",
		"4-layer board, ENIG\n":              "warning",
		"Inner layers: 1 oz\nFinish: ENIG\n": "",
	} {
		got := ""
		for _, f := range uploads.Ordinary().Merge(uploads.Set{"a.txt": text}).Read(t).Boards[0].Findings {
			if f.Code == "layer_count_mismatch" {
				got = f.Level.String()
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestTableOfLayers: a table of layers that people write is read, and held against the
// copper files.
func TestTableOfLayers(t *testing.T) {
	t.Parallel()
	const rogers = "Layer,Type,Material,Thickness (mm),Copper (oz)\nL1,Signal,Copper,0.07,2\nPP1,Prepreg,RO4450F,0.1,\nL2,Plane,Copper,0.035,1\n" +
		"Core,Core,RO4350B,0.51,\nL3,Plane,Copper,0.035,1\nPP2,Prepreg,RO4450F,0.1,\nL4,Signal,Copper,0.07,2\n"
	p := uploads.FourLayers().Merge(uploads.Set{"stackup.csv": rogers}).Read(t)
	f := p.Boards[0].Facts
	got := fmt.Sprintln(f.Thickness.Value, f.OuterCopper.Value, f.InnerCopper.Value, f.Material.Value)
	if want := "920000 2 1 RO4350B\n"; got != want || slices.Contains(uploads.Codes(p, pcb.Problem), "layer_count_mismatch") {
		t.Errorf("%s, want %s; %v", got, want, uploads.Codes(p, pcb.Warning))
	}
	if p := uploads.Ordinary().Merge(uploads.Set{"stackup.csv": rogers}).Read(t); !slices.Contains(uploads.Codes(p, pcb.Problem), "layer_count_mismatch") {
		t.Errorf("four layers in the table beside two files: findings %v, want layer_count_mismatch", uploads.Codes(p, pcb.Note))
	}
	mixed := strings.ReplaceAll(rogers, "RO4450F", "FR4")
	if p := uploads.FourLayers().Merge(uploads.Set{"stackup.csv": mixed}).Read(t).Boards[0]; len(p.Facts.Processes) != 1 || p.Facts.Processes[0].Value != pcb.HybridStack {
		t.Errorf("sheets of two kinds: processes %v, want a hybrid stackup", p.Facts.Processes)
	}
	plain := strings.ReplaceAll(strings.ReplaceAll(rogers, "L3,Plane,Copper,0.035,1\nPP2,Prepreg,RO4450F,0.1,\n", ""), "L2,Plane,Copper,0.035,1\n", "")
	kicad := uploads.Set{"b.kicad_pcb": `(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 1.6))
		(layers (0 "F.Cu" signal)(31 "B.Cu" signal)(44 "Edge.Cuts" user)) (net 0 "")
		(gr_rect (start 0 0) (end 20 10) (layer "Edge.Cuts") (width 0.1)))`}
	f = kicad.Merge(uploads.Set{"stackup.csv": plain}).Read(t).Boards[0].Facts
	if got := fmt.Sprintln(f.OuterCopper.Value, f.Material.Value, f.Thickness.Source.File); got != "2 RO4350B stackup.csv\n" {
		t.Errorf("a table beside a project gives %s, want 2 oz, RO4350B, by stackup.csv", got)
	}
	if p := kicad.Merge(uploads.Set{"stackup.csv": rogers}).Read(t); !slices.Contains(uploads.Codes(p, pcb.Problem), "layer_count_mismatch") {
		t.Errorf("four layers in the table beside a project of two: findings %v, want layer_count_mismatch", uploads.Codes(p, pcb.Note))
	}
	if p := uploads.Ordinary().Merge(uploads.Set{"parts.csv": "Designator,Value,Quantity\nR1,10k,1\n"}).Read(t); p.Boards[0].Facts.Thickness.Known {
		t.Errorf("a table of parts states the thickness %+v, want none", p.Boards[0].Facts.Thickness)
	}
}

// TestUnread: lines that name a subject of fabrication, and files and drawings from which
// nothing was taken, are named; what was understood, and what speaks of no build, is not.
func TestUnread(t *testing.T) {
	t.Parallel()
	var strokes, beside, long []string
	for i := range 100 {
		strokes = append(strokes, fmt.Sprintf("%d.%d,6 %d.%d,7", 6+i/10, i%10, 6+i/10, i%10))
		beside = append(beside, fmt.Sprintf("%d.%d,32 %d.%d,33", 6+i/10, i%10, 6+i/10, i%10))
		long = append(long, fmt.Sprintf("%d.%d,32 %d.%d,43", 6+i/10, i%10, 6+i/10, i%10))
	}
	mechanical := func(strokes []string) uploads.Set {
		return uploads.Set{"x.gm13": uploads.Gerber("", strokes...)}
	}
	for name, c := range map[string]struct {
		files uploads.Set
		want  string
	}{
		"notes that are understood":  {uploads.Set{"fab.txt": "Finish: ENIG\nThickness: 0.8 mm\n"}, ""},
		"a line":                     {uploads.Set{"fab.txt": "Finish: ENIG\nThickness: 0.8 mm\nUL marking required\n"}, "note_unread fab.txt:3"},
		"a document":                 {uploads.Set{"FabSpecifications.pdf": "%PDF-1.4 x"}, "files_unread FabSpecifications.pdf:0"},
		"a drawing of strokes":       {uploads.Set{"x-Fab_Drawing.gbr": uploads.Gerber(uploads.Function("FabricationDrawing"), strokes...)}, "files_unread x-Fab_Drawing.gbr:0"},
		"a drill drawing of strokes": {uploads.Set{"x-drill_drawing.gbr": uploads.Gerber(uploads.Function("Drillmap"), strokes...)}, "files_unread x-drill_drawing.gbr:0"},
		"lettering beside the board, on a layer of no meaning": {mechanical(beside), "files_unread x.gm13:0"},
		"bodies of parts on such a layer":                      {mechanical(strokes), ""},
		"a word beside the board":                              {mechanical(beside[:50]), ""},
		"lines of a sheet":                                     {mechanical(long), ""},
		"a text of no build":                                   {uploads.Set{"README.md": "# My robot\nBuild it with make. Have fun.\n"}, "files_unread README.md:0"},
		"a text in another language":                           {uploads.Set{"objednavka.txt": "Tloušťka desky: 0,8 mm\n"}, "files_unread objednavka.txt:0"},
		"a licence":                                            {uploads.Set{"LICENSE": "Permission is hereby granted\n", "LICENSE.txt": "Finish: ENIG\n"}, ""},
		"a map of the drills":                                  {uploads.Set{"x-PTH-drl_map.pdf": "%PDF-1.4 x"}, ""},
		"a bill of materials":                                  {uploads.Set{"bom.csv": "Reference,Value,Quantity\nR1,10k,1\nR2,10k,1\n"}, ""},
		"changes of another revision":                          {uploads.Set{"fab.txt": "Finish: ENIG\nThickness: 0.8 mm\nPreviously 1.6 mm thick, HASL\n"}, "note_unread fab.txt:3"},
	} {
		var got []string
		p := uploads.Ordinary().Merge(c.files).Read(t)
		for _, f := range append(p.Boards[0].Findings, p.Findings...) {
			if f.Code == "note_unread" || f.Code == "files_unread" {
				got = append(got, fmt.Sprintf("%s %s:%d", f.Code, f.File, f.Line))
			}
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
		if len(uploads.Codes(p, pcb.Warning)) > 0 {
			t.Errorf("%s: findings %v, want no warning", name, uploads.Codes(p, pcb.Warning))
		}
	}
}

// TestWordsOfDesigns: the layers for documentation, the title block and the description of
// a design are read as notes are; what is printed on the board is not.
func TestWordsOfDesigns(t *testing.T) {
	t.Parallel()
	kicad := func(title, layer, text string) uploads.Set {
		return uploads.Set{"b.kicad_pcb": `(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 1.6)) (title_block (title "b") (comment 1 "` + title + `"))
			(layers (0 "F.Cu" signal)(31 "B.Cu" signal)(37 "F.SilkS" user)(41 "Cmts.User" user)(44 "Edge.Cuts" user)) (net 0 "")
			(gr_rect (start 0 0) (end 20 10) (layer "Edge.Cuts") (width 0.1))
			(gr_text "` + text + `" (at 50 5) (layer "` + layer + `") (effects (font (size 1 1) (thickness 0.15)))))`}
	}
	eagle := func(description, layer, text string) uploads.Set {
		return uploads.Set{"b.brd": `<?xml version="1.0"?><eagle version="9.6.2"><drawing><layers><layer number="1" name="Top"/><layer number="16" name="Bottom"/>
			<layer number="20" name="Dimension"/><layer number="21" name="tPlace"/><layer number="51" name="tDocu"/></layers><board><description>` + description + `</description><plain>
			<wire x1="0" y1="0" x2="20" y2="0" width="0" layer="20"/><wire x1="20" y1="0" x2="20" y2="10" width="0" layer="20"/>
			<wire x1="20" y1="10" x2="0" y2="10" width="0" layer="20"/><wire x1="0" y1="10" x2="0" y2="0" width="0" layer="20"/>
			<text x="1" y="1" size="1" layer="` + layer + `">` + text + `</text></plain></board></drawing></eagle>`}
	}
	for name, c := range map[string]struct {
		files uploads.Set
		want  string
	}{
		"a KiCad text":            {kicad("", "Cmts.User", `Material: Rogers RO4003C\nFinish: immersion silver\nThickness: 0.8 mm`), "ROGERS RO4003C immersion silver 0.8 false"},
		"a KiCad legend":          {kicad("", "F.SilkS", `Material: Rogers RO4003C\nFinish: immersion silver`), "  1.6 false"},
		"a KiCad title block":     {kicad("ENIG, 0.8 mm, blind vias L1-L2", "Cmts.User", "x"), " ENIG 0.8 true"},
		"a KiCad table's labels":  {kicad("", "Cmts.User", `Board Thickness: \nCopper Finish: \nImpedance Control: `), "  1.6 false"},
		"an EAGLE description":    {eagle("&lt;b&gt;Material: Rogers RO4003C&lt;/b&gt;&lt;br&gt;Finish: ENIG, Thickness 0.8 mm", "21", "x"), "ROGERS RO4003C ENIG 0.8 false"},
		"an EAGLE documentation":  {eagle("", "51", "FR-4 Tg170 / ENIG / 0.8 mm / Blind vias L1-L2"), "FR-4 TG170 ENIG 0.8 true"},
		"the legend of EAGLE":     {eagle("", "21", "FR-4 Tg170 / ENIG / 0.8 mm"), "  1.57 false"},
		"a KiCad board's Gerbers": {uploads.Ordinary().Merge(kicad("", "Cmts.User", `Finish: ENIG\nMaterial: FR-4 TG170`)), "FR-4 TG170 ENIG 1.6 false"},
	} {
		f := c.files.Read(t).Boards[0].Facts
		if got := fmt.Sprintf("%s %s %.2g %v", f.Material.Value, f.Finish.Value, float64(f.Thickness.Value)/1e6, f.BlindVias.Value); got != c.want && !strings.HasPrefix(name, "the legend") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		} else if strings.HasPrefix(name, "the legend") && (f.Finish.IsStated() || f.Material.IsStated()) {
			t.Errorf("%s: finish %+v, material %+v; want neither stated", name, f.Finish, f.Material)
		}
	}
}

// TestLetteringOfManyLines: what is beyond the lines that are read is said.
func TestLetteringOfManyLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines    int
		reported bool
	}{"as many as are read": {3990, false}, "more": {4100, true}} {
		text := strings.Repeat(`a\n`, c.lines) + `Finish: ENIG`
		p := uploads.Set{"b.kicad_pcb": `(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 1.6))
			(layers (0 "F.Cu" signal)(31 "B.Cu" signal)(41 "Cmts.User" user)(44 "Edge.Cuts" user)) (net 0 "")
			(gr_rect (start 0 0) (end 20 10) (layer "Edge.Cuts") (width 0.1))
			(gr_text "` + text + `" (at 50 5) (layer "Cmts.User") (effects (font (size 1 1) (thickness 0.15)))))`}.Read(t)
		reported := slices.ContainsFunc(p.Boards[0].Findings, func(f pcb.Finding) bool { return f.Code == "files_unread" && f.File == "b.kicad_pcb" })
		if reported != c.reported || p.Boards[0].Facts.Finish.IsStated() == c.reported {
			t.Errorf("%s: told %v, finish %q; want told %v", name, reported, p.Boards[0].Facts.Finish.Value, c.reported)
		}
	}
}

// TestStiffenersOnAssemblyLayers: a label of a stiffener on a layer of assembly counts; what else
// stands there is of parts.
func TestStiffenersOnAssemblyLayers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`Stiffener\nBOTTOM`:         true,
		"FR4 stiffener top":         true,
		"Stiffener":                 true,
		"J1 with stiffener":         false,
		"stiffener side of the FPC": false,
		"R12":                       false,
	} {
		p := uploads.Set{"b.kicad_pcb": `(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 0.2))
			(layers (0 "F.Cu" signal)(31 "B.Cu" signal)(49 "F.Fab" user)(44 "Edge.Cuts" user)) (net 0 "")
			(gr_rect (start 0 0) (end 20 10) (layer "Edge.Cuts") (width 0.1))
			(gr_text "` + text + `" (at 5 5) (layer "F.Fab") (effects (font (size 1 1) (thickness 0.15)))))`}.Read(t)
		got := false
		for name, fact := range p.Boards[0].Facts.List() {
			got = got || name == string(pcb.Stiffening) && fact.Known
		}
		if got != want {
			t.Errorf("%q: a stiffener is stated %v, want %v", text, got, want)
		}
	}
}
