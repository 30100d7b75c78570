package note

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
)

func show(ss []Statement) string {
	var b strings.Builder
	for _, s := range ss {
		fmt.Fprintf(&b, "%d %s", s.Line, s.Topic)
		if s.Text != "" {
			fmt.Fprintf(&b, " %s", s.Text)
		}
		if s.Number != 0 {
			fmt.Fprintf(&b, " %d", s.Number)
		}
		if s.Length != 0 {
			fmt.Fprintf(&b, " %.4g mm", geom.Millimetres(s.Length))
		}
		if s.Ounces != 0 {
			fmt.Fprintf(&b, " %g oz", s.Ounces)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"a list", " * 6 layers\n * black soldermask both sides\n * white silkscreen both sides\n * rectangular, 95mm x 73mm\n * 1.6mm finished thickness\n" +
			" * minimum trace/space 4mil.\n * Need 90 ohm impedance +/- 10% on pairs 7mil thick with 8mil spacing.\n",
			"1 layers 6\n2 mask colour black\n3 legend colour white\n4 width 95 mm\n4 height 73 mm\n5 thickness 1.6 mm\n7 impedance\n"},
		{"fields", "Overall thickness: 1.5354mm\nLayers: 6 (see x)\nSolder mask colour: Matte Black\nSilkscreen colour: White\nFinish: ENIG\nBase material: Isola FR408HR\n" +
			"Controlled impedance\nVias: 0.203mm vias to be tented on both sides\n",
			"1 thickness 1.535 mm\n2 layers 6\n3 mask colour matte black\n4 legend colour white\n5 finish ENIG\n6 material ISOLA FR408HR\n7 impedance\n8 via process tented\n"},
		{"commas", "panel size, 107x204mm\nPCB thickness, 1.6mm\nnumber of layers, 2\noz copper, 1oz\nfinish, HASL lead free\npcs per panel, 12\n",
			"1 panel\n2 thickness 1.6 mm\n3 layers 2\n4 outer copper 1 oz\n5 finish HASL lead free\n6 pieces a panel 12\n"},
		{"sentences", "    * Boards panelised in 2x1 pattern using tab/route.\n    * Board material is S1000-2\n    * All 0.2mm vias capped/filled/plated over (Via in Pad).\n" +
			"    1   35 um (1 oz) copper         Signal\n    2   0.5oz inner copper\n",
			"1 panel\n2 material S1000-2\n3 via process filled and capped\n4 layer copper 1 1 oz\n5 inner copper 0.5 oz\n"},
		{"vias that are not filled", "Finish: ENIG\nVias tented, not filled\n", "1 finish ENIG\n2 via process tented\n"},
		{"no via filling", "Finish: ENIG\nNo vias to be plugged\nvias: capped: no\nThickness: 1 mm\n", "1 finish ENIG\n4 thickness 1 mm\n"},
		{"copper paste", "Finish: ENIG\nVias filled with copper paste and capped\n", "1 finish ENIG\n2 via process copper_paste_filled_capped\n"},
		{"filled only", "Finish: ENIG\nVias filled\n", "1 finish ENIG\n2 via process filled\n"},
		{"nothing of the sort", "# My project\nA 4-layer cake. Build with make.\n", ""},
		{"denials of what is present", "Finish: ENIG\nThe design does not contain Blind Vias\nBlind & Buried Via: Not present.\nThickness: 1 mm\n", "1 finish ENIG\n4 thickness 1 mm\n"},
		{"vias that are present", "Finish: ENIG\nThe design contains blind vias\nThickness: 1 mm\n", "1 finish ENIG\n2 blind vias\n3 thickness 1 mm\n"},
		{"dielectrics", "Dielectric thickness between Top layer and 2nd layer: 173 um (6.8 mils)\nDielectric thickness from top to L2 = 173um (6.8 mils)\nFinish: ENIG\n", "3 finish ENIG\n"},
		{"glass transition first", "Laminate: 180 Tg FR4 OR EQUIVALENT\n", "1 material 180 TG FR4 OR EQUIVALENT\n"},
		{"denials", "No castellations\nGold fingers: no\nFinish: ENIG\nThickness: 1.0 mm\n", "3 finish ENIG\n4 thickness 1 mm\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, show(Read("README.txt", []byte(c.in)).Statements)); diff != "" {
				t.Errorf("Read(%q) (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("6 layers\nthickness 1.6mm\nfinish: ENIG\n10mm x 20 mm\n1/2 oz copper\npcs per panel: 4\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range Read("a.txt", data).Statements {
			if s.Topic == "" || s.Line == 0 || s.Length < 0 {
				t.Errorf("Read(%q) gives %+v, want a topic, a line and no length below 0", data, s)
			}
		}
	})
}
