package holes_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestHolesOfTwoPlatings: where a file says of holes that they are not plated and another
// that they are, they are plated, and both are named.
func TestHolesOfTwoPlatings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		more         uploads.Set
		plated, bare int
		reported     pcb.Level // of the repeated file
	}{
		{"all of them", uploads.Set{"x-NPTH.drl": uploads.Drill("", "5,5", "10,5", "15,5")}, 3, 0, pcb.Warning},
		{"beside one that is not plated", uploads.Set{"x-NPTH.drl": uploads.Drill("", "2,2"), "y-NPTH.drl": uploads.Drill("", "5,5", "10,5", "15,5")}, 3, 1, pcb.Warning},
		{"one file of both, first by its name, beside its parts", uploads.Set{"a.drl": uploads.Drill("", "5,5", "10,5", "15,5", "2,2"), "x-NPTH.drl": uploads.Drill("", "2,2")}, 3, 1, pcb.Note},
		{"the same holes without plating twice", uploads.Set{"x-NPTH.drl": uploads.Drill("", "2,2"), "y-NPTH.drl": uploads.Drill("", "2,2")}, 3, 1, pcb.Note},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := uploads.Ordinary().Merge(c.more).Read(t).Boards[0]
			if f := b.Facts; f.PlatedHoles.Value != c.plated || f.NonPlatedHoles.Value != c.bare {
				t.Errorf("%s: %d plated, %d bare; want %d and %d", c.name, f.PlatedHoles.Value, f.NonPlatedHoles.Value, c.plated, c.bare)
			}
			for _, f := range b.Findings {
				if f.Code == "drill_repeated" {
					if f.Level != c.reported || strings.Contains(f.Message, "which is right") != (c.reported == pcb.Warning) {
						t.Errorf("%s: drill_repeated is %v: %s; want %v", c.name, f.Level, f.Message, c.reported)
					}
					return
				}
			}
			t.Errorf("%s: findings %v, want drill_repeated among them", c.name, b.Findings)
		})
	}
}

// TestHolesOnce: a merged drill file beside its parts adds nothing.
func TestHolesOnce(t *testing.T) {
	t.Parallel()
	p := uploads.Ordinary().Merge(uploads.Set{"x-NPTH.drl": uploads.Drill("", "2,2"), "x.drl": uploads.Drill("", "5,5", "10,5", "15,5", "2,2")}).Read(t)
	f := p.Boards[0].Facts
	if f.PlatedHoles.Value != 3 || f.NonPlatedHoles.Value != 1 || f.UnknownHoles.Value != 0 {
		t.Errorf("%d plated, %d bare, %d open; want 3, 1 and 0", f.PlatedHoles.Value, f.NonPlatedHoles.Value, f.UnknownHoles.Value)
	}
	if got := uploads.Codes(p, pcb.Note); !slices.Contains(got, "drill_repeated") {
		t.Errorf("findings are %v, want drill_repeated among them", got)
	}
}

// TestPlating: what the files leave open follows from other files and pads.
func TestPlating(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                string
		change              uploads.Set
		plated, bare, opens int
	}{
		{"the other file is the bare one", uploads.Set{"x-PTH.drl": "", "x.drl": uploads.Drill("", "5,5", "3,3"), "x-NPTH.drl": uploads.Drill("", "2,2")}, 2, 1, 0},
		{"pads around the holes", uploads.Set{"x-PTH.drl": "", "x.drl": uploads.Drill("", "5,5", "10,5", "3,8", "7,5")}, 2, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := uploads.Ordinary().Merge(c.change).Read(t).Boards[0].Facts
			if f.PlatedHoles.Value != c.plated || f.NonPlatedHoles.Value != c.bare || f.UnknownHoles.Value != c.opens {
				t.Errorf("%d plated, %d bare, %d open; want 3, 1 and 0", f.PlatedHoles.Value, f.NonPlatedHoles.Value, f.UnknownHoles.Value)
			}
		})
	}
}

// TestShortSlots: a slot whose ends differ by the rounding of numbers is a round hole.
func TestShortSlots(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		to   string
		kind pcb.HoleKind
	}{
		{"X5.0003Y5.0", pcb.DrillHole}, {"X5.0099Y5.0", pcb.DrillHole}, {"X5.05Y5.0", pcb.DrillHole}, {"X5.06Y5.0", pcb.SlotHole},
	} {
		p := uploads.Ordinary().Merge(uploads.Set{"x-PTH.drl": "M48\nMETRIC\nT1C0.800\n%\nG90\nG05\nT1\nX5.0Y5.0G85" + c.to + "\nX10.0Y5.0\nX15.0Y5.0\nM30\n"}).Read(t)
		holes := p.Boards[0].Holes
		h := holes[slices.IndexFunc(holes, func(h pcb.Hole) bool { return h.A.X < 6*geom.Millimetre })]
		if h.Kind != c.kind || (h.A == h.B) != (c.kind == pcb.DrillHole) {
			t.Errorf("to %s: %+v, want %v", c.to, h, c.kind)
		}
	}
}

func TestDrillsAsGerber(t *testing.T) {
	t.Parallel()
	p := uploads.Ordinary().Merge(uploads.Set{"x-PTH.drl": uploads.Gerber("", "5,5", "10,5")}).Read(t)
	if n := len(p.Boards[0].Holes); n != 2 || !slices.Contains(uploads.Codes(p, pcb.Note), "drill_as_gerber") {
		t.Errorf("%d holes, findings %v; want 2 and drill_as_gerber", n, uploads.Codes(p, pcb.Note))
	}
}

// TestDrillsAsGerberX2: the slots of a drill file in Gerber X2 are strokes; one that draws
// anything else is told of.
func TestDrillsAsGerberX2(t *testing.T) {
	t.Parallel()
	file := func(tool string) string {
		return uploads.Gerber(uploads.Function("Plated,1,2,PTH,Mixed")+"%TA.AperFunction,"+tool+"*%\n", "5,5", "10,5", "15,4 15,6")
	}
	p := uploads.Ordinary().Merge(uploads.Set{"x-PTH.drl": "", "x-PTH-drl.gbr": file("ComponentDrill")}).Read(t)
	holes := p.Boards[0].Holes
	if len(holes) != 3 || holes[2].Kind != pcb.SlotHole || holes[2].Plating != pcb.Plated || len(uploads.Codes(p, pcb.Warning)) > 0 {
		t.Errorf("holes %+v, warnings %v; want three, the last a plated slot, and none", holes, uploads.Codes(p, pcb.Warning))
	}
	p = uploads.Ordinary().Merge(uploads.Set{"x-PTH.drl": "", "x-PTH-drl.gbr": file("OtherDrawing")}).Read(t)
	if got := strings.Join(uploads.Codes(p, pcb.Warning), " "); len(p.Boards[0].Holes) > 0 || got != "drill_missing role_doubtful" {
		t.Errorf("%d holes, warnings %s; want none, drill_missing and role_doubtful", len(p.Boards[0].Holes), got)
	}
	area := "G36*\nX0Y0D02*\nX1000000Y0D01*\nX0Y1000000D01*\nX0Y0D01*\nG37*\nM02*\n"
	p = uploads.Ordinary().Merge(uploads.Set{"x-PTH.drl": "", "x-PTH-drl.gbr": strings.Replace(file("ComponentDrill"), "M02*\n", area, 1)}).Read(t)
	if got := strings.Join(uploads.Codes(p, pcb.Warning), " "); len(p.Boards[0].Holes) != 3 || got != "role_doubtful" {
		t.Errorf("with an area: %d holes, warnings %s; want 3, role_doubtful", len(p.Boards[0].Holes), got)
	}
	p = uploads.Ordinary().Merge(uploads.Set{"x-PTH-drl.gbr": file("OtherDrawing")}).Read(t)
	if got := uploads.Codes(p, pcb.Warning); len(p.Boards[0].Holes) != 3 || len(got) > 0 {
		t.Errorf("beside a drill program: %d holes, warnings %v; want 3, none", len(p.Boards[0].Holes), got)
	}
}

// TestSlotsBesideHoles: a Gerber file of slots alone is no repetition of the holes that
// the drill program has.
func TestSlotsBesideHoles(t *testing.T) {
	t.Parallel()
	slots := uploads.Function("NonPlated,1,2,NPTH,Route") + "%TA.AperFunction,MechanicalDrill*%\n"
	for items, want := range map[string]int{"3,4 3,6": 4, "5,4 5,6": 3} {
		p := uploads.Ordinary().Merge(uploads.Set{"x-slots.gbr": uploads.Gerber(slots, items)}).Read(t)
		if n := len(p.Boards[0].Holes); n != want {
			t.Errorf("%s: %d holes, want %d", items, n, want)
		}
	}
}
