package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/testkit/uploads"
)

// Where the files of one board state different builds, both are told, and what counts.
func TestSourcesThatDifferAreTold(t *testing.T) {
	t.Parallel()
	job := func(thickness, finish string, copper float64) string {
		return fmt.Sprintf(`{"Header":{"GenerationSoftware":{"Vendor":"KiCad"}},"GeneralSpecs":{"LayerNumber":2,"Size":{"X":20,"Y":10},"BoardThickness":%s,"Finish":%q},
 "MaterialStackup":[{"Type":"Copper","Thickness":%v},{"Type":"Dielectric","Material":"FR4","Thickness":0.7},{"Type":"Copper","Thickness":%v}]}`, thickness, finish, copper, copper)
	}
	pcb := `(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 0.8)) (layers (0 "F.Cu" signal) (31 "B.Cu" signal) (44 "Edge.Cuts" user))
 (setup (stackup (layer "F.Cu" (type "copper") (thickness 0.07)) (layer "dielectric 1" (type "core") (thickness 0.66) (material "FR-4")) (layer "B.Cu" (type "copper") (thickness 0.07)) (copper_finish "ENIG")))
 (net 0 "") (gr_rect (start 0 0) (end 20 10) (layer "Edge.Cuts") (width 0.1)))`
	for name, tt := range map[string]struct {
		files uploads.Set
		want  []string
	}{
		"alike":             {uploads.Set{"x.gbrjob": job("0.8", "ENIG", 0.07), "x.kicad_pcb": pcb}, nil},
		"another thickness": {uploads.Set{"x.gbrjob": job("1.0", "ENIG", 0.07), "x.kicad_pcb": pcb}, []string{"thickness: x.gbrjob says 1 mm, x.kicad_pcb says 0.8 mm; x.kicad_pcb counts", "gives the board's thickness as 1 mm, but the layers of its stackup add up to 0.84 mm"}},
		"another finish":    {uploads.Set{"x.gbrjob": job("0.8", "OSP", 0.07), "x.kicad_pcb": pcb}, []string{`surface finish: x.gbrjob says "OSP", x.kicad_pcb says "ENIG"; x.kicad_pcb counts`}},
		"other copper":      {uploads.Set{"x.gbrjob": job("0.9", "ENIG", 0.105), "x.kicad_pcb": pcb}, []string{"outer copper: x.gbrjob says 3 oz, x.kicad_pcb says 2 oz", "thickness: x.gbrjob says 0.9 mm"}},
		"untouched copper":  {uploads.Set{"x.gbrjob": job("0.8", "ENIG", 0.035), "x.kicad_pcb": pcb}, nil},
		"notes of copper":   {uploads.Set{"readme.txt": "PCB notes\n2 layers\n1oz copper\n", "x.gbrjob": job("0.8", "ENIG", 0.07)}, []string{"readme.txt says 1 oz of outer copper, x.gbrjob says 2 oz"}},
	} {
		var got []string
		for _, f := range uploads.Ordinary().Merge(tt.files).Read(t).Boards[0].Findings {
			if f.Code == "sources_differ" || f.Code == "thickness_mismatch" || f.Code == "notes_differ" {
				got = append(got, f.Message)
			}
		}
		reported := len(got) == len(tt.want)
		for _, w := range tt.want {
			reported = reported && strings.Contains(strings.Join(got, "\n"), w)
		}
		if !reported {
			t.Errorf("%s: %q; want %q", name, got, tt.want)
		}
	}
}

// TestDielectricsOfTwoSources: a job file and a project that put other sheets between the
// copper layers are told.
func TestDielectricsOfTwoSources(t *testing.T) {
	t.Parallel()
	job := func(prepreg, core float64) string {
		sheet := func(kind string, mm float64) string { return fmt.Sprintf(`{"Type":%q,"Thickness":%v}`, kind, mm) }
		return fmt.Sprintf(`{"Header":{"GenerationSoftware":{"Vendor":"KiCad"}},"GeneralSpecs":{"LayerNumber":4,"Size":{"X":20,"Y":10},"BoardThickness":1.5},"MaterialStackup":[%s]}`, strings.Join([]string{
			sheet("Copper", 0.07), sheet("Dielectric", prepreg), sheet("Copper", 0.07), sheet("Dielectric", core), sheet("Copper", 0.07), sheet("Dielectric", prepreg), sheet("Copper", 0.07)}, ","))
	}
	pcb := `(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 1.5)) (layers (0 "F.Cu" signal) (1 "In1.Cu" signal) (2 "In2.Cu" signal) (31 "B.Cu" signal) (44 "Edge.Cuts" user))
 (setup (stackup (layer "F.Cu" (type "copper") (thickness 0.07)) (layer "dielectric 1" (type "prepreg") (thickness 0.2) (material "FR4")) (layer "In1.Cu" (type "copper") (thickness 0.07))
 (layer "dielectric 2" (type "core") (thickness 0.82) (material "FR4")) (layer "In2.Cu" (type "copper") (thickness 0.07)) (layer "dielectric 3" (type "prepreg") (thickness 0.2) (material "FR4")) (layer "B.Cu" (type "copper") (thickness 0.07))))
 (net 0 "") (gr_rect (start 0 0) (end 20 10) (layer "Edge.Cuts") (width 0.1)))`
	four := uploads.Ordinary().Merge(uploads.Set{"x-B_Cu.gbr": uploads.Gerber(uploads.Function("Copper,L4,Bot"), "5,5", "10,5", "15,5"), "x-In1_Cu.gbr": uploads.Gerber(uploads.Function("Copper,L2,Inr"), "5,5"), "x-In2_Cu.gbr": uploads.Gerber(uploads.Function("Copper,L3,Inr"), "10,5")})
	for name, tt := range map[string]struct{ job, want string }{
		"alike":        {job(0.2, 0.82), ""},
		"other sheets": {job(0.1, 1.02), "what lies between the copper layers: x.gbrjob says 0.1, 1.02, 0.1 mm, x.kicad_pcb says 0.2, 0.82, 0.2 mm"},
	} {
		b := four.Merge(uploads.Set{"x.gbrjob": tt.job, "x.kicad_pcb": pcb}).Read(t).Boards[0]
		got := ""
		for _, f := range b.Findings {
			if f.Code == "sources_differ" {
				got += f.Message
			}
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" || !b.Facts.Dielectrics.IsStated() {
			t.Errorf("%s: %q, want %q; %+v", name, got, tt.want, b.Facts.Dielectrics)
		}
	}
}
