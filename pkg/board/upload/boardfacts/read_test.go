package boardfacts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

func TestBlindVias(t *testing.T) {
	t.Parallel()
	p := uploads.Ordinary().Merge(uploads.Set{
		"x-In1_Cu.gbr": uploads.Gerber("", "5,5"), "x-In2_Cu.gbr": uploads.Gerber("", "5,5"),
		"x-front-in1.drl": uploads.Drill("; #@! TF.FileFunction,Plated,1,2,Blind\n", "5,5", "7,7"),
	}).Read(t)
	b := p.Boards[0]
	if !b.Facts.BlindVias.Value || b.Facts.CopperLayers.Value != 4 || len(b.Holes) != 5 {
		t.Errorf("blind %v, %d layers, %d holes; want true, 4, 5", b.Facts.BlindVias.Value, b.Facts.CopperLayers.Value, len(b.Holes))
	}
}

// TestStatedSpanWithoutFile: vias that a report states lead to people, whatever file holds them.
func TestStatedSpanWithoutFile(t *testing.T) {
	t.Parallel()
	for ldp, want := range map[string]bool{
		"LayersSetName=L1_L2_Blind_Vias|DrillFile=|\nLayersSetName=L2_L3_Buried_Vias|DrillFile=|\n": true,
		"LayersSetName=Top_Bot_Thru_Holes|DrillFile=|\n":                                            false,
	} {
		b := uploads.Ordinary().Merge(uploads.Set{"x-In1_Cu.gbr": uploads.Gerber("", "5,5"), "x-In2_Cu.gbr": uploads.Gerber("", "5,5"), "x.LDP": ldp}).Read(t).Boards[0]
		reported := slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool {
			return f.Code == "drill_span" && strings.Contains(f.Message, "special_notes")
		})
		if b.Facts.BlindVias.Value != want || reported != want {
			t.Errorf("%s: blind %v, told %v; want both %v", ldp, b.Facts.BlindVias.Value, reported, want)
		}
	}
}

func TestCastellations(t *testing.T) {
	t.Parallel()
	pads := []string{"5,5", "20,3", "20,7"}
	p := uploads.Ordinary().Merge(uploads.Set{
		"x-F_Cu.gbr": uploads.Gerber("", pads...), "x-B_Cu.gbr": uploads.Gerber("", pads...), "x-PTH.drl": uploads.Drill("", "5,5", "20,3", "20,7"),
	}).Read(t)
	if !p.Boards[0].Facts.Castellations.Value {
		t.Errorf("plated holes with pads on the edge: %+v, want castellations", p.Boards[0].Facts.Castellations)
	}
	p = uploads.Ordinary().Merge(uploads.Set{"x-PTH.drl": uploads.Drill("", "5,5", "20,3", "20,7")}).Read(t)
	if p.Boards[0].Facts.Castellations.Known {
		t.Errorf("holes without pads on the edge: %+v, want nothing known: the board breaks out of a panel there", p.Boards[0].Facts.Castellations)
	}
}

// TestGoldFingers: long pads in a row at the edge, without paste.
func TestGoldFingers(t *testing.T) {
	t.Parallel()
	fingers := func(y float64) string {
		s := "%FSLAX46Y46*%\n%MOMM*%\n%ADD12R,1X4*%\nG01*\nD12*\n"
		for i := range 9 {
			s += fmt.Sprintf("X%dY%dD03*\n", int64(2e6+2e6*float64(i)), int64(y*1e6))
		}
		return s + "M02*\n"
	}
	const guessed, sure = 0.6, 0.85
	paste := uploads.Gerber("", "5,8")
	bars := func(length float64) string { // eight along the left edge
		s := fmt.Sprintf("%%FSLAX46Y46*%%\n%%MOMM*%%\n%%ADD12R,%gX0.6*%%\nG01*\nD12*\n", length)
		for i := range 8 {
			s += fmt.Sprintf("X%dY%dD03*\n", int64((0.65+length/2)*1e6), int64(1.6e6+0.9e6*float64(i)))
		}
		return s + "M02*\n"
	}
	connector := strings.Replace(fingers(2.5), "%ADD12", "%TA.AperFunction,ConnectorPad*%\n%ADD12", 1)
	for _, c := range []struct {
		name   string
		change uploads.Set
		want   float64
	}{
		{"at the edge of one side", uploads.Set{"x-F_Cu.gbr": fingers(2.5), "x-F_Paste.gbr": paste}, guessed},
		{"at the edge of both sides", uploads.Set{"x-F_Cu.gbr": fingers(2.5), "x-B_Cu.gbr": fingers(2.5), "x-F_Paste.gbr": paste, "x-B_Paste.gbr": paste}, sure},
		{"at two edges", uploads.Set{"x-F_Cu.gbr": fingers(2.5), "x-B_Cu.gbr": fingers(7.5), "x-F_Paste.gbr": paste, "x-B_Paste.gbr": paste}, guessed},
		{"at the edge, with paste on the other side", uploads.Set{"x-F_Cu.gbr": fingers(2.5), "x-B_Cu.gbr": fingers(2.5), "x-F_Paste.gbr": paste, "x-B_Paste.gbr": fingers(2.5)}, guessed},
		{"of a connector, as they say", uploads.Set{"x-F_Cu.gbr": connector, "x-F_Paste.gbr": paste}, sure},
		{"as long as those of old modules", uploads.Set{"x-F_Cu.gbr": bars(12.7), "x-F_Paste.gbr": paste}, guessed},
		{"longer than any contact", uploads.Set{"x-F_Cu.gbr": bars(16), "x-F_Paste.gbr": paste}, 0},
		{"with paste", uploads.Set{"x-F_Cu.gbr": fingers(2.5), "x-F_Paste.gbr": fingers(2.5)}, 0},
		{"in the middle", uploads.Set{"x-F_Cu.gbr": fingers(5), "x-F_Paste.gbr": paste}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := uploads.Ordinary().Merge(c.change).Merge(uploads.Set{"x-PTH.drl": uploads.Drill("", "3,9")}).Read(t).Boards[0].Facts.GoldFingers; got.Value != (c.want > 0) || got.Confidence != c.want {
				t.Errorf("gold fingers: %+v, want confidence %v", got, c.want)
			}
		})
	}
}

// TestRimOfWholeBoards: what lies at the edge counts in a design tool's own file as it does in
// Gerbers, whether or not the tool has a word for it.
func TestRimOfWholeBoards(t *testing.T) {
	t.Parallel()
	vias := func(y float64, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `(via (at %d %g) (size 1) (drill 0.5) (layers "F.Cu" "B.Cu") (net 0))`, 3+2*i, y)
		}
		return b.String()
	}
	contacts := func(y float64, layers string) string {
		var b strings.Builder
		b.WriteString(`(footprint "edge" (layer "F.Cu") (at 0 0)`)
		for i := range 10 {
			fmt.Fprintf(&b, `(pad "%d" connect rect (at %d %g) (size 0.6 2.5) (layers %s))`, i+1, 3+i, y, layers)
		}
		return b.String() + `)(footprint "part" (layer "F.Cu") (at 10 5)(pad "1" smd rect (at 0 0) (size 1 1) (layers "F.Cu" "F.Paste" "F.Mask")))`
	}
	for name, c := range map[string]struct {
		content              string
		castellated, fingers bool
	}{
		"vias on the edge":       {vias(0, 4), true, false},
		"one via on the edge":    {vias(0, 1), false, false},
		"vias within":            {vias(2, 4), false, false},
		"contacts at the edge":   {contacts(8.5, `"F.Cu" "F.Mask"`) + contacts(8.5, `"B.Cu" "B.Mask"`), false, true},
		"pads that get paste":    {contacts(8.5, `"F.Cu" "F.Mask" "F.Paste"`), false, false},
		"contacts in the middle": {contacts(5, `"F.Cu" "F.Mask"`) + contacts(5, `"B.Cu" "B.Mask"`), false, false},
	} {
		p := uploads.Set{"x.kicad_pcb": `(kicad_pcb (version 20221018) (generator pcbnew) (layers (0 "F.Cu" signal) (31 "B.Cu" signal) (44 "Edge.Cuts" user))
(gr_rect (start 0 0) (end 20 10) (layer "Edge.Cuts") (width 0.1))` + c.content + ")"}.Read(t)
		if len(p.Boards) != 1 {
			t.Errorf("%s: %d boards, want one: %+v", name, len(p.Boards), p.Findings)
			continue
		}
		if f := p.Boards[0].Facts; f.Castellations.Value != c.castellated || f.GoldFingers.Value != c.fingers {
			t.Errorf("%s: castellated %v, fingers %v, want %v, %v", name, f.Castellations.Value, f.GoldFingers.Value, c.castellated, c.fingers)
		}
	}
}
