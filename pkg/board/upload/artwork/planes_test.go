package artwork_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestPlanesDrawnAsNegatives: an inner layer whose file says that what it draws is taken
// away, or that bears the name PADS gives to such planes, is a plane where it holds
// nothing but clearances.
func TestPlanesDrawnAsNegatives(t *testing.T) {
	t.Parallel()
	clearances := uploads.Gerber("", "5,5", "10,5", "15,5", "12,0 12,10")
	tracks := uploads.Gerber("", "5,5", "5,5 10,5", "10,5 15,5")
	area := strings.Replace(uploads.Gerber("", "5,5", "10,5"), "M02*", "G36*\nX1000000Y1000000D02*\nX2000000D01*\nY2000000D01*\nX1000000Y1000000D01*\nG37*\nM02*", 1)
	pour := strings.Replace(uploads.Gerber("", "5,1", "5,9", "15,9", "15,1"), "M02*", "G36*\nX1000000Y1000000D02*\nX19000000D01*\nY9000000D01*\nX1000000D01*\nY1000000D01*\nG37*\nM02*", 1)
	layerFile := func(cleared, drawn string) string { // as Allegro draws a negative
		at := strings.Split(strings.Repeat("4,2 6,4 8,6 10,8 ", 2), " ")[:8]
		for i := range at[4:] {
			at[4+i] = strings.Replace(at[4+i], ",", ".5,", 1)
		}
		return strings.Replace(uploads.Gerber("", at...), "G01*\n", "G01*\nG36*\nX0Y0D02*\nX20000000D01*\nY10000000D01*\nX0D01*\nY0D01*\nG37*\n%LPC*%\nG36*\nX1000000Y1000000D02*\nX"+cleared+
			"D01*\nY9000000D01*\nX1000000D01*\nY1000000D01*\nG37*\n%LPD*%\n"+drawn, 1)
	}
	sheet := func(drawn string) string { // a layer file larger than the board on it
		return strings.NewReplacer("X0Y0D02*\nX20000000D01*\nY10000000D01*\nX0D01*\nY0D01*", "X-90000000Y-90000000D02*\nX90000000D01*\nY90000000D01*\nX-90000000D01*\nY-90000000D01*").Replace(layerFile("19000000", drawn))
	}
	allegro := func(mode string) string {
		return "G04 Film Name:    L2*\nG04 File Origin:  Cadence Allegro 16.6-P004*\nG04 Layer:  ANTI ETCH/L2*\nG04 Layer:  PIN/L2*\nG04 Layer:  ETCH/L2*\nG04 Mode:      " + mode + "*\n"
	}
	relieved := func(items ...string) string { // one hole is joined by a thermal relief
		return strings.NewReplacer("%ADD10C", "%AMTHD12*\n7,0,0,1.6,1.2,0.3,45*\n%\n%ADD12THD12*%\n%ADD10C", "M02*", "D12*\nX5000000Y5000000D03*\nM02*").Replace(uploads.Gerber("", items...))
	}
	const altium, plane = "%TF.GenerationSoftware,Altium Limited,Altium Designer,20.0.13 (296)*%\n", "%TF.FileFunction,Copper,L2,Inr,Plane*%\n"
	const comment, attribute = "G04 #@! TF.FilePolarity,Negative*\n", "%TF.FilePolarity,Negative*%\n"
	for _, c := range []struct {
		name, file, data string
		want             bool
	}{
		{"said in a comment", "x.GP1", comment + clearances, true},
		{"said as an attribute", "x.GP1", attribute + clearances, true},
		{"said of an inner layer of signals", "x.G1", comment + clearances, true},
		{"not said, of a layer of signals", "x.G1", clearances, false},
		{"thermal reliefs among clearances, of a layer that nothing calls a plane", "x.G1", relieved("10,5", "15,5", "0,0 20,0"), true},
		{"thermal reliefs beside tracks", "x.G1", relieved("10,5", "10,5 15,5"), false},
		{"thermal reliefs, said to be positive", "x.G1", strings.Replace(comment, "Negative", "Positive", 1) + relieved("10,5", "15,5"), false},
		{"thermal reliefs of an outer layer", "x.GTL", relieved("10,5", "15,5"), false},
		{"Protel's internal plane", "x.GP1", clearances, true},
		{"Protel's internal plane with lines that part it", "x.GP1", uploads.Gerber("", "5,1", "5,9", "15,9", "12,0 12,10", "12,5 20,5", "0,3 12,3", "0,0 20,0", "0,10 20,10"), true},
		{"Protel's internal plane within a sheet's frame", "x.GP1", uploads.Gerber("", "5,1", "5,9", "15,9", "-90,-90 90,-90", "90,-90 90,90", "90,90 -90,90", "-90,90 -90,-90"), true},
		{"Protel's internal plane drawn as it will be", "x.GP1", pour, false},
		{"a plane of Altium's, before it said so", "x_Copper_Plane_1.gbr", altium + plane + clearances, true},
		{"a plane of Altium's, drawn as it will be", "x_Copper_Plane_1.gbr", altium + plane + pour, false},
		{"a plane of another tool's", "x_Copper_Plane_1.gbr", plane + clearances, false},
		{"Allegro's film", "L2.art", layerFile("19000000", ""), true},
		{"Allegro's film with a rim and a pour within", "L2.art", layerFile("19000000", "G36*\nX2000000Y2000000D02*\nX18000000D01*\nY8000000D01*\nX2000000D01*\nY2000000D01*\nG37*\n"), false},
		{"a pour of Allegro's with a small opening", "L2.art", layerFile("3000000", ""), false},
		{"Allegro's film, larger than the board", "L2.art", sheet(""), true},
		{"Allegro's record of a negative", "L2.art", allegro("Negative") + sheet(""), true},
		{"Allegro's record of a negative without a frame", "L2.art", allegro("Negative") + clearances, true},
		{"Allegro's record of a negative with areas that part the plane", "L2.art", allegro("Negative") + area, true},
		{"Allegro's record of a positive, with what the plane is kept from", "L2.art", allegro("Positive") + clearances, false},
		{"Allegro's record of a negative, drawn in tracks", "L2.art", allegro("Negative") + tracks, false},
		{"said to be positive", "x.GP1", strings.Replace(comment, "Negative", "Positive", 1) + clearances, false},
		{"tracks with the extension of a plane", "x.GP1", tracks, false},
		{"tracks said to be a negative, with the extension of a plane", "x.GP1", comment + tracks, false},
		{"said of an inner layer with a title beside it", "x.G1", comment + uploads.Gerber("", "5,5", "10,5", "15,5", "30,0 31,1", "31,0 32,1", "32,0 33,1", "33,0 34,1"), true},
		{"said of an inner layer with more lines than clearances", "x.G1", comment + uploads.Gerber("", "5,5", "10,5", "5,8 6,9", "7,8 8,9", "9,8 10,9", "11,8 12,9"), false},
		{"said, but drawn in tracks", "x.G1", comment + tracks, false},
		{"said, but an area is drawn", "x.G1", comment + area, false},
		{"said of an outer layer", "x.GTL", comment + clearances, false},
		{"PADS' plane", "pgp002.pho", clearances, true},
		{"PADS' plane with a title beside it", "pgp002.pho", uploads.Gerber("", "5,5", "10,5", "15,5", "30,0 31,1", "31,0 32,1", "32,0 33,1", "33,0 34,1"), true},
		{"PADS' plane with reliefs that are drawn", "pgp002.pho", uploads.Gerber("", "5,5", "10,5", "15,5", "5,8 6,9", "7,8 8,9", "9,8 10,9", "11,8 12,9"), true},
		{"PADS' plane drawn as it will be", "pgp002.pho", pour, false},
		{"PADS' plane drawn in tracks", "pgp002.pho", tracks, false},
		{"PADS' signals", "art002.pho", clearances, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pads := uploads.Gerber("", "5,5", "10,5", "15,5")
			s := uploads.Set{"x.GTL": pads, "x.GBL": pads, "x.GKO": uploads.Gerber("", uploads.OutlineLines...), "x.TXT": uploads.Drill("", "5,5", "10,5", "15,5")}
			if strings.HasSuffix(c.file, ".pho") {
				s = uploads.Set{"art001.pho": pads, "art004.pho": pads, "art003.pho": pads, "x.GKO": s["x.GKO"], "x.TXT": s["x.TXT"]}
			}
			for _, b := range s.Merge(uploads.Set{c.file: c.data}).Read(t).Boards {
				assumed := slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == "plane_assumed" && f.File == c.file })
				if want := c.want && strings.HasPrefix(c.name, "thermal reliefs"); assumed != want {
					t.Errorf("said to be assumed %v, want %v", assumed, want)
				}
				for _, l := range b.Copper() {
					if l.Name == c.file {
						if l.Negative != c.want {
							t.Errorf("negative %v, want %v", l.Negative, c.want)
						}
						return
					}
				}
			}
			t.Errorf("%s is no copper, want it among the copper layers", c.file)
		})
	}
}

// TestBackupsOfTools: what a design tool kept by itself is no board of the order
// beside another one, and is one alone.
func TestBackupsOfTools(t *testing.T) {
	t.Parallel()
	source := `(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 1.6))
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
			p := uploads.Ordinary().Merge(uploads.Set{name: source}).Read(t)
			reported := false
			for _, f := range p.Findings {
				reported = reported || f.Code == "tool_backup" && f.Level == pcb.Note && f.File == name && f.Count == 1
			}
			if reported != backup {
				t.Errorf("told %v, want %v: %v", reported, backup, p.Findings)
			}
			for _, f := range p.Files {
				if f.Name == name && f.Used == backup {
					t.Errorf("%s is used %v, want %v", f.Name, f.Used, !backup)
				}
			}
			if strings.HasSuffix(name, "-bak") {
				return
			}
			if alone := (uploads.Set{name: source}).Read(t); len(alone.Boards) != 1 {
				t.Errorf("%s alone: %d boards, want one", name, len(alone.Boards))
			}
		})
	}
}
