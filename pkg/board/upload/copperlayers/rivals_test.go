package copperlayers_test

import (
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

func TestTwoFilesForTheCopperOfOneSide(t *testing.T) {
	t.Parallel()
	_, lands := uploads.BoardWithHoles()
	for _, c := range []struct {
		name   string
		more   uploads.Set
		layers int
		code   string
		level  pcb.Level
	}{
		{"one", nil, 2, "", pcb.Note},
		{"one that draws parts", uploads.Set{"x-top.gbr": uploads.Gerber(uploads.Function("Copper,L1,Top"), "1,1 4,1", "4,1 4,6", "7,1 9,1")}, 2, "layer_twice", pcb.Warning},
		{"one with lands on a quarter of the holes", uploads.Set{"x-top.gbr": uploads.Gerber(uploads.Function("Copper,L1,Top"), lands[:3]...)}, 3, "layer_count_odd", pcb.Warning},
		{"inner layers of one number, three in all", uploads.Set{
			"x-a.gbr": uploads.Gerber(uploads.Function("Copper,L2,Inr"), append(lands, "1,1 4,1")...), "x-b.gbr": uploads.Gerber(uploads.Function("Copper,L2,Inr"), append(lands, "1,1 5,1")...),
			"x-c.gbr": uploads.Gerber(uploads.Function("Copper,L3,Inr"), lands...)}, 5, "layer_twice", pcb.Problem},
		{"inner layers of one number, four in all", uploads.Set{
			"x-a.gbr": uploads.Gerber(uploads.Function("Copper,L2,Inr"), append(lands, "1,1 4,1")...), "x-b.gbr": uploads.Gerber(uploads.Function("Copper,L2,Inr"), append(lands, "1,1 5,1")...)}, 4, "layer_twice", pcb.Warning},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, _ := uploads.BoardWithHoles()
			p := s.Merge(c.more).Read(t)
			if len(p.Boards) != 1 {
				t.Fatalf("%s: %d boards, want 1", c.name, len(p.Boards))
			}
			b := p.Boards[0]
			if n := len(b.Copper()); n != c.layers || b.Facts.CopperLayers.Value != c.layers {
				t.Errorf("%d layers, stated %d, want %d: %+v", n, b.Facts.CopperLayers.Value, c.layers, b.Findings)
			}
			for i, l := range b.Copper() {
				if l.Order != i+1 {
					t.Errorf("%s: layer %d is number %d, want its place", c.name, i+1, l.Order)
				}
			}
			found := c.code == ""
			for _, f := range b.Findings {
				found = found || f.Code == c.code && f.Level == c.level
				if c.code == "" && f.Code == "layer_twice" {
					t.Errorf("%s: finding %+v, want no layer_twice", c.name, f)
				}
			}
			if !found {
				t.Errorf("%s: findings %+v, want %s among them", c.name, b.Findings, c.code)
			}
		})
	}
}
