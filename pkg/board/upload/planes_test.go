package upload_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board"
)

// TestPlanesDrawnAsNegatives: an inner layer whose file says that what it draws is taken
// away, or that bears the name PADS gives to such planes, is a plane where it holds
// nothing but clearances.
func TestPlanesDrawnAsNegatives(t *testing.T) {
	t.Parallel()
	clearances := gerberFile("", "5,5", "10,5", "15,5", "12,0 12,10")
	tracks := gerberFile("", "5,5", "5,5 10,5", "10,5 15,5")
	area := strings.Replace(gerberFile("", "5,5", "10,5"), "M02*", "G36*\nX1000000Y1000000D02*\nX2000000D01*\nY2000000D01*\nX1000000Y1000000D01*\nG37*\nM02*", 1)
	const comment, attribute = "G04 #@! TF.FilePolarity,Negative*\n", "%TF.FilePolarity,Negative*%\n"
	for _, c := range []struct {
		name, file, data string
		want             bool
	}{
		{"said in a comment", "x.GP1", comment + clearances, true},
		{"said as an attribute", "x.GP1", attribute + clearances, true},
		{"said of an inner layer of signals", "x.G1", comment + clearances, true},
		{"not said", "x.GP1", clearances, false},
		{"said to be positive", "x.GP1", strings.Replace(comment, "Negative", "Positive", 1) + clearances, false},
		{"said, but drawn in tracks", "x.GP1", comment + tracks, false},
		{"said, but an area is drawn", "x.GP1", comment + area, false},
		{"said of an outer layer", "x.GTL", comment + clearances, false},
		{"PADS' plane", "pgp002.pho", clearances, true},
		{"PADS' plane drawn in tracks", "pgp002.pho", tracks, false},
		{"PADS' signals", "art002.pho", clearances, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pads := gerberFile("", "5,5", "10,5", "15,5")
			s := set{"x.GTL": pads, "x.GBL": pads, "x.GKO": gerberFile("", outlineLines...), "x.TXT": drillFile("", "5,5", "10,5", "15,5")}
			if strings.HasSuffix(c.file, ".pho") {
				s = set{"art001.pho": pads, "art004.pho": pads, "art003.pho": pads, "x.GKO": s["x.GKO"], "x.TXT": s["x.TXT"]}
			}
			for _, b := range s.with(set{c.file: c.data}).read(t).Boards {
				for _, l := range b.Copper() {
					if l.Name == c.file {
						if l.Negative != c.want {
							t.Errorf("negative %v, want %v", l.Negative, c.want)
						}
						return
					}
				}
			}
			t.Error("the layer is not copper")
		})
	}
}

// TestBackupsOfTools: what a design tool kept by itself is no board of the order
// beside another one, and is one alone.
func TestBackupsOfTools(t *testing.T) {
	t.Parallel()
	pcb := `(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 1.6))
 (layers (0 "F.Cu" signal) (31 "B.Cu" signal) (44 "Edge.Cuts" user))
 (gr_rect (start 0 0) (end 30 30) (stroke (width 0.1) (type solid)) (layer "Edge.Cuts"))
 (segment (start 5 5) (end 20 5) (width 0.25) (layer "F.Cu") (net 0)))`
	for name, backup := range map[string]bool{
		"a.rar!/x-backups/x-2023-12-02_211351.zip!/x.kicad_pcb": true,
		"x-backups/x-2023-12-02_211351.zip/x.kicad_pcb":         true,
		"x-backups/older.zip!/x.kicad_pcb":                      false,
		"_autosave-x.kicad_pcb":                                 true,
		"autosave-x.kicad_pcb":                                  false,
		"x.kicad_pcb-bak":                                       true,
		"y.kicad_pcb":                                           false,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := ordinary().with(set{name: pcb}).read(t)
			told := false
			for _, f := range p.Findings {
				told = told || f.Code == "tool_backup" && f.Level == board.Note && f.File == name && f.Count == 1
			}
			if told != backup {
				t.Errorf("told %v, want %v: %v", told, backup, p.Findings)
			}
			for _, f := range p.Files {
				if f.Name == name && f.Used == backup {
					t.Errorf("used %v", f.Used)
				}
			}
			if strings.HasSuffix(name, "-bak") {
				return
			}
			if alone := (set{name: pcb}).read(t); len(alone.Boards) != 1 {
				t.Errorf("alone: %d boards", len(alone.Boards))
			}
		})
	}
}
