package upload_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestGenerations: of two plots in a folder whose names differ only by what stands between
// the words, and whose files state the same layers, the later is used, where both say when
// they were made.
func TestGenerations(t *testing.T) {
	t.Parallel()
	functions := map[string]string{"F_Cu": "Copper,L1,Top", "B_Cu": "Copper,L2,Bot", "F_Mask": "Soldermask,Top", "B_Mask": "Soldermask,Bot", "Edge_Cuts": "Profile,NP"}
	plot := func(when, sep string, lands ...string) uploads.Set {
		s := uploads.Set{}
		for name, f := range functions {
			items := lands
			if name == "Edge_Cuts" {
				items = uploads.OutlineLines
			}
			s["x-"+strings.ReplaceAll(name, "_", sep)+".gbr"] = uploads.Gerber(when+uploads.Function(f), items...)
		}
		return s
	}
	kicad := func(date string) string { return "G04 Created by KiCad (PCBNEW 4.0.2) date " + date + "*\n" }
	at := func(date string) string { return "%TF.CreationDate," + date + "*%\n" }
	for _, c := range []struct {
		name         string
		older, newer string
		reported     bool
	}{
		{"by attributes", at("2019-03-01T10:00:00+01:00"), at("2019-03-02T10:00:00+01:00"), true},
		{"by KiCad's comment", kicad("Wed Jun 29 20:04:26 2016"), kicad("Thu Jun 30 20:04:26 2016"), true},
		{"by the year, in other languages", kicad("Mi 14 Okt 2015 21:54:47 CEST"), kicad("Wed Jun 29 20:04:26 2016"), true},
		{"of one time", at("2019-03-01T10:00:00Z"), at("2019-03-01T10:00:00Z"), false},
		{"of no time", "", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := plot(c.older, ".", "4,5", "11,5", "15,5").Merge(plot(c.newer, "_", "5,5", "10,5", "15,5")).Merge(uploads.Set{"x.drl": uploads.Drill("", "5,5", "10,5", "15,5")})
			p := s.Read(t)
			reported := len(p.Boards) == 1 && p.Boards[0].Facts.CopperLayers.Value == 2 && slices.ContainsFunc(p.Findings, func(f pcb.Finding) bool { return f.Code == "layer_twice" && f.File == "x-F.Cu.gbr" })
			if reported != c.reported {
				t.Fatalf("told %v, want %v: %d boards, %v", reported, c.reported, len(p.Boards), uploads.Codes(p, pcb.Warning))
			}
			for _, f := range p.Files {
				if reported && f.Used == strings.Contains(f.Name, ".Cu.") && strings.Contains(f.Name, "Cu.gbr") {
					t.Errorf("%s: used %v, want the newer plot alone", f.Name, f.Used)
				}
			}
		})
	}
}
