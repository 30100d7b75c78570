package holes_test

import (
	"fmt"
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/holes"
	"boardorder/pkg/board/upload/places"
)

// TestDrilling: holes are made once each, plated as the programs and the pads say.
func TestDrilling(t *testing.T) {
	t.Parallel()
	type program struct {
		name    string
		plating pcb.Plating
		data    string
	}
	for name, c := range map[string]struct {
		programs []program
		want     string // plated, bare and open holes
		codes    []string
	}{
		"one program on pads":           {[]program{{"x.drl", pcb.PlatingUnknown, uploads.Drill("", "5,5", "10,5")}}, "2 0 0", []string{"plating_deduced"}},
		"one of them away from copper":  {[]program{{"x.drl", pcb.PlatingUnknown, uploads.Drill("", "5,5", "30,5")}}, "1 1 0", []string{"plating_deduced"}},
		"the same holes in two":         {[]program{{"a.drl", pcb.Plated, uploads.Drill("", "5,5", "10,5")}, {"b.drl", pcb.Plated, uploads.Drill("", "5,5", "10,5")}}, "2 0 0", []string{"drill_repeated"}},
		"the rest is plated":            {[]program{{"a.drl", pcb.NonPlated, uploads.Drill("", "30,5")}, {"b.drl", pcb.PlatingUnknown, uploads.Drill("", "10,5")}}, "1 1 0", nil},
		"one holds all of another":      {[]program{{"a.drl", pcb.Plated, uploads.Drill("", "5,5", "10,5", "15,5", "18,5")}, {"b.drl", pcb.Plated, uploads.Drill("", "5,5", "10,5", "15,5", "3,5", "2,5")}}, "9 0 0", []string{"drill_versions"}},
		"nothing":                       {nil, "0 0 0", nil},
		"a program of its own per side": {[]program{{"a.drl", pcb.Plated, uploads.Drill("", "5,5")}, {"b.drl", pcb.NonPlated, uploads.Drill("", "30,5")}}, "1 1 0", nil},
	} {
		s := uploads.NewStage()
		pads := []string{"5,5", "10,5", "15,5"}
		s.AddArtwork("top.gbr", pcb.RoleCopper, pcb.Top, 1, uploads.Gerber("", pads...))
		s.AddArtwork("bottom.gbr", pcb.RoleCopper, pcb.Bottom, 2, uploads.Gerber("", pads...))
		for _, p := range c.programs {
			s.AddProgram(p.name, p.plating, p.data)
		}
		holes.Drilling{Upload: s.Upload, List: findings.ListOf(s.Board), Art: s.Art, Board: s.Board, Programs: s.Programs}.Make(places.Flashes(s.Art[0].Layer))
		n := map[pcb.Plating]int{}
		for _, h := range s.Board.Holes {
			n[h.Plating]++
		}
		var codes []string
		for _, f := range s.Board.Findings {
			codes = append(codes, f.Code)
		}
		if got := fmt.Sprint(n[pcb.Plated], n[pcb.NonPlated], n[pcb.PlatingUnknown]); got != c.want || !slices.Equal(codes, c.codes) {
			t.Errorf("%s: plated, bare and open holes %s, findings %v; want %s, %v", name, got, codes, c.want, c.codes)
		}
	}
}
