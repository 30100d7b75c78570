package conductor

import (
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// TestLostPads: pads to be soldered beyond the outline or in its cutouts are the board's where
// they are many; vias, marks and a few lands of a coupon are not.
func TestLostPads(t *testing.T) {
	t.Parallel()
	window := kit.Poly(4000, 4000, 36000, 4000, 36000, 14000, 4000, 14000)
	rows := func(k *kit.Kit, n int64, y int64) {
		for i := range n {
			k.Pad((6+i)*kit.Milli, y*kit.Milli, 600*kit.Micron, 50*kit.Micron, "A")
		}
	}
	for name, tt := range map[string]struct {
		draw  func(k *kit.Kit)
		level dfm.Level
		count int
	}{
		"all in a window of the frame":  {func(k *kit.Kit) { rows(k, 20, 8) }, dfm.MustFix, 20},
		"all beyond the outline":        {func(k *kit.Kit) { rows(k, 20, 35) }, dfm.MustFix, 20},
		"half of them":                  {func(k *kit.Kit) { rows(k, 10, 8); rows(k, 10, 20) }, dfm.MustFix, 10},
		"fewer than half":               {func(k *kit.Kit) { rows(k, 9, 8); rows(k, 10, 20) }, dfm.Warning, 9},
		"a tenth":                       {func(k *kit.Kit) { rows(k, 4, 8); rows(k, 18, 20); rows(k, 18, 24) }, dfm.Warning, 4},
		"less than a tenth":             {func(k *kit.Kit) { rows(k, 4, 8); rows(k, 20, 20); rows(k, 17, 24) }, dfm.Warning, 0},
		"spare lands of a small board":  {func(k *kit.Kit) { rows(k, 3, 35); rows(k, 3, 20) }, dfm.Warning, 0},
		"none":                          {func(k *kit.Kit) { rows(k, 20, 20) }, dfm.Warning, 0},
		"pads across the window's edge": {func(k *kit.Kit) { rows(k, 20, 4) }, dfm.MustFix, 0},
		"vias that the mask covers": {func(k *kit.Kit) {
			for x := range int64(20) {
				k.AddVia("A", 6000+x*1000, 8000, 600, 300)
			}
		}, dfm.Warning, 0},
		"marks for cameras, by their openings": {func(k *kit.Kit) {
			for x := range int64(6) {
				at := geom.Pt((6+4*x)*kit.Milli, 35*kit.Milli)
				k.Top.Flash(at, artwork.Circle(kit.Milli), 0, false, artwork.Meta{})
				k.Mask.Flash(at, artwork.Circle(2*kit.Milli), 0, false, artwork.Meta{})
			}
			rows(k, 6, 20)
		}, dfm.Warning, 0},
		"marks for cameras, by their function": {func(k *kit.Kit) {
			for x := range int64(6) {
				at := geom.Pt((6+4*x)*kit.Milli, 35*kit.Milli)
				k.Top.Flash(at, artwork.Circle(kit.Milli), 0, false, artwork.Meta{Function: pcb.FuncFiducial})
				k.Mask.Flash(at, artwork.Circle(1200*kit.Micron), 0, false, artwork.Meta{})
			}
			rows(k, 6, 20)
		}, dfm.Warning, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.SetOutline(k.Outline.Areas[0].Outer, window)
			tt.draw(k)
			r := k.Judge(judgeEdges, nil)
			for _, f := range r.Findings {
				if !strings.Contains(f.What, "to be soldered") {
					continue
				}
				if f.Check != dfm.CopperOutside || f.Level != tt.level || f.Count != tt.count {
					t.Errorf("%v %v of %d, want %v of %d: %s", f.Level, f.Check, f.Count, tt.level, tt.count, f.What)
				}
				if len(f.Answers) == 0 || f.Level == dfm.MustFix && !strings.Contains(f.What, "special_requirements") {
					t.Errorf("no way on: %+v, want answers, and special_requirements in what must be fixed", f)
				}
				return
			}
			if tt.count > 0 {
				t.Errorf("no finding on what is to be soldered, want %v of %d: %+v", tt.level, tt.count, r.Findings)
			}
		})
	}
}
