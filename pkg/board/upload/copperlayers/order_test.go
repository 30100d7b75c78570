package copperlayers_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload"
)

// TestLayerOrder: the order of inner layers that sources state in two ways is asked for; one
// that nothing states is told.
func TestLayerOrder(t *testing.T) {
	t.Parallel()
	layerFile := func(layer string) string {
		return uploads.Gerber(fmt.Sprintf("G04 Film Name:  x*\nG04 Layer:  ETCH/%s*\nG04 Layer:  PIN/%s*\n", layer, layer), "5,5")
	}
	outer := uploads.Set{"TOP.art": uploads.Gerber("", "5,5"), "BOTTOM.art": uploads.Gerber("", "5,5"), "OUTLINE.art": uploads.Gerber("", uploads.OutlineLines...), "x.drl": uploads.Drill("", "5,5")}
	plain := uploads.Gerber("", "5,5")
	for _, c := range []struct {
		name  string
		more  uploads.Set
		order string
		level pcb.Level // of the finding; a note for none
		says  []string
	}{
		{"numbers from the top", uploads.Set{"L2_GND2.art": plain, "L3_GND1.art": plain}, "L2_GND2 L3_GND1", pcb.Note, nil},
		{"the record agrees", uploads.Set{"L02_gnd3.art": layerFile("L2_GND3"), "L03_gnd1.art": layerFile("L3_GND1")}, "L02_gnd3 L03_gnd1", pcb.Note, nil},
		{"the record says another layer", uploads.Set{"L02_gnd.art": layerFile("L3_GND"), "L03_pwr.art": layerFile("L2_PWR")}, "", pcb.Problem, []string{`taken for layers 2 and 3 (Allegro film "x"), are layers 3 and 2 by name`}},
		{"names count the inner layers", uploads.Set{"LAYER_1.art": layerFile("L2_GND"), "LAYER_2.art": layerFile("L3_PWR")}, "LAYER_1 LAYER_2", pcb.Note, nil},
		{"notes agree", uploads.Set{"GND.art": plain, "PWR.art": plain, "readme.txt": "Films\nGND.art   Layer 3\nPWR.art   Layer 2\n"}, "PWR GND", pcb.Note, nil},
		{"notes say another layer", uploads.Set{"L2.art": plain, "L3.art": plain, "readme.txt": "L2.art is layer 3\nL3.art is layer 2\n"}, "", pcb.Problem, []string{"readme.txt", "L2.art is layer 3"}},
		{"notes that count the inner layers", uploads.Set{"L2.art": plain, "L3.art": plain, "readme.txt": "L2.art: inner layer 2\nL3.art: inner layer 1\n"}, "L2 L3", pcb.Note, nil},
		{"a numbered list against names", uploads.Set{"In1.art": plain, "In2.art": plain, "readme.txt": "Stackup\n1. Front : TOP.art\n2. Inner 2 : In2.art\n3. Inner 1 : In1.art\n4. Back : BOTTOM.art\n"}, "", pcb.Problem,
			[]string{`2 "In2.art", 3 "In1.art"`, "are inner layers 2 and 1 by their names"}},
		{"a numbered list that agrees", uploads.Set{"GND.art": plain, "PWR.art": plain, "readme.txt": "1) TOP.art top\n2) PWR.art power\n3) GND.art ground\n4) BOTTOM.art bottom\n"}, "PWR GND", pcb.Note, nil},
		{"a numbered list of some files", uploads.Set{"In1.art": plain, "In2.art": plain, "readme.txt": "Please look at\n1. In2.art\n2. In1.art\n"}, "In1 In2", pcb.Note, nil},
		{"a numbered list that names one twice", uploads.Set{"In1.art": plain, "In2.art": plain, "readme.txt": "1. TOP.art\n2. In2.art\n2. In1.art\n4. BOTTOM.art\n"}, "In1 In2", pcb.Note, nil},
		{"names of planes only", uploads.Set{"GND.art": plain, "PWR.art": plain}, "GND PWR", pcb.Warning, []string{`2 "GND.art", 3 "PWR.art"`}},
		{"one inner layer", uploads.Set{"GND.art": plain}, "GND", pcb.Note, nil},
		{"extensions against names", uploads.Set{"L3_GND.G1": plain, "L2_PWR.G2": plain}, "", pcb.Problem, []string{"L3_GND.G1", "L2_PWR.G2"}},
		{"extensions against the tool", uploads.Set{"x.G1": uploads.Gerber(uploads.Function("Copper,L3,Inr"), "5,5"), "x.G2": uploads.Gerber(uploads.Function("Copper,L2,Inr"), "5,5")}, "x x", pcb.Note, nil},
		{"names of sides against the tool", uploads.Set{"TOP.art": "", "BOTTOM.art": "", "x-F_Cu.gtl": uploads.Gerber(uploads.Function("Copper,L2,Bot"), "5,5"), "x-B_Cu.gbl": uploads.Gerber(uploads.Function("Copper,L1,Top"), "5,5")}, "", pcb.Problem,
			[]string{`1 "x-B_Cu.gbl", 2 "x-F_Cu.gtl"`, "are the bottom and the top by"}},
		{"a name of a side and none", uploads.Set{"TOP.art": "", "BOTTOM.art": "", "x.gbr": uploads.Gerber(uploads.Function("Copper,L2,Bot"), "5,5"), "x-B_Cu.gbl": uploads.Gerber(uploads.Function("Copper,L1,Top"), "5,5")}, "", pcb.Note, nil},
		{"an inner layer called top", uploads.Set{"TOP.art": uploads.Gerber(uploads.Function("Copper,L2,Inr"), "5,5"), "x-In1_Cu.gbr": uploads.Gerber(uploads.Function("Copper,L1,Top"), "5,5"), "x-In2_Cu.gbr": uploads.Gerber(uploads.Function("Copper,L3,Inr"), "5,5"), "BOTTOM.art": uploads.Gerber(uploads.Function("Copper,L4,Bot"), "5,5")}, "", pcb.Problem,
			[]string{"are the inner layer and the top by"}},
		{"each laminate has a front and a back", uploads.Set{"TOP.art": "", "BOTTOM.art": "", "x-F.RO.gtl": uploads.Gerber(uploads.Function("Copper,L1,Top"), "5,5"), "x-B.RO.g2": uploads.Gerber(uploads.Function("Copper,L2,Inr"), "5,5"),
			"x-F.FR4.g3": uploads.Gerber(uploads.Function("Copper,L3,Inr"), "5,5"), "x-B.FR4.gbl": uploads.Gerber(uploads.Function("Copper,L4,Bot"), "5,5")}, "x-B x-F", pcb.Note, nil},
		{"fronts of which none is the top", uploads.Set{"TOP.art": "", "BOTTOM.art": "", "x.gtl": uploads.Gerber(uploads.Function("Copper,L1,Top"), "5,5"), "x-B.RO.g2": uploads.Gerber(uploads.Function("Copper,L2,Inr"), "5,5"),
			"x-F.FR4.g3": uploads.Gerber(uploads.Function("Copper,L3,Inr"), "5,5"), "x-F.RO.gbl": uploads.Gerber(uploads.Function("Copper,L4,Bot"), "5,5")}, "", pcb.Problem, []string{"x-B.RO.g2", "x-F.FR4.g3"}},
		{"names of inner layers against the tool", uploads.Set{"x-In1_Cu.g2": uploads.Gerber(uploads.Function("Copper,L3,Inr"), "5,5"), "x-In2_Cu.g3": uploads.Gerber(uploads.Function("Copper,L2,Inr"), "5,5")}, "", pcb.Problem, []string{"are inner layers 2 and 1 by their names"}},
		{"planes have numbers of their own", uploads.Set{"GND2.gbr": uploads.Gerber(uploads.Function("Copper,L2,Inr"), "5,5"), "GND1.gbr": uploads.Gerber(uploads.Function("Copper,L3,Inr"), "5,5")}, "GND2 GND1", pcb.Note, nil},
		{"the bottom is layer 1", uploads.Set{"TOP.art": "", "BOTTOM.art": "", "TOP_L4.art": plain, "L3.art": plain, "L2.art": plain, "BOTTOM_L1.art": plain}, "", pcb.Problem, []string{"BOTTOM_L1.art"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := maps.Clone(outer).Merge(c.more).Read(t)
			if got := uploads.CopperOrder(p); c.order != "" && got != c.order {
				t.Errorf("order %s, want %s", got, c.order)
			}
			found := slices.DeleteFunc(slices.Clone(p.Boards[0].Findings), func(f pcb.Finding) bool { return f.Code != "layer_order" })
			if len(found) > 1 || len(found) == 1 && found[0].Level != c.level || len(found) == 0 && c.level != pcb.Note {
				t.Fatalf("want level %v: %+v", c.level, found)
			}
			if len(found) == 1 {
				whole := maps.Clone(outer).Merge(c.more)
				messages := append([]string{"TOP.art"}, append(slices.Sorted(maps.Keys(c.more)), "BOTTOM.art")...)
				messages = slices.DeleteFunc(messages, func(n string) bool {
					return whole[n] == "" || !strings.HasPrefix(whole[n], "%") && strings.HasSuffix(n, ".txt")
				})
				answered := upload.Read(t.Context(), whole.Files(), upload.Options{Answers: &answers.FileAnswers{LayerOrder: messages}})
				if b := answered.Boards[0]; len(answered.Refused) == 0 && slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == "layer_order" }) || len(found[0].Answers) == 0 {
					t.Errorf("with the order %v said: findings %+v, want no layer_order", messages, b.Findings)
				}
			}
			for _, s := range c.says {
				if !strings.Contains(found[0].Message, s) {
					t.Errorf("finding says %q, want %q in it", found[0].Message, s)
				}
			}
			for _, f := range p.Files {
				if c.level == pcb.Warning && f.Layer > 1 && f.Side == pcb.Inner && f.Confidence > 0.5 {
					t.Errorf("%s is guessed with a confidence of %v, want 0.5 at most", f.Name, f.Confidence)
				}
			}
		})
	}
}
