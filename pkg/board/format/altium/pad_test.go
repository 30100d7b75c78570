package altium

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/pcbdoc"
)

// TestLandShapes: a land grows on every side alike, and one that shrinks to nothing is
// none.
func TestLandShapes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		land land
		grow int64
		want string // "" for none
	}{
		"a circle":             {land{shape: roundPad, x: 1_000_000, y: 1_000_000}, 0, "circle 1000000x1000000"},
		"round ends":           {land{shape: roundPad, x: 2_000_000, y: 1_000_000}, 0, "obround 2000000x1000000"},
		"grown":                {land{shape: roundPad, x: 1_000_000, y: 1_000_000}, 50_000, "circle 1100000x1100000"},
		"shrunk":               {land{shape: squarePad, x: 1_000_000, y: 600_000}, -100_000, "rectangle 800000x400000"},
		"shrunk to nothing":    {land{shape: squarePad, x: 1_000_000, y: 600_000}, -300_000, ""},
		"an octagon":           {land{shape: octagonPad, x: 1_000_000, y: 600_000}, 0, "chamfered rectangle 1000000x600000"},
		"rounded":              {land{shape: roundRectPad, x: 1_000_000, y: 600_000, round: 50}, 0, "rounded rectangle 1000000x600000"},
		"rounded by nothing":   {land{shape: roundRectPad, x: 1_000_000, y: 600_000}, -100_000, "rounded rectangle 800000x400000"},
		"of no size":           {land{shape: roundPad}, 0, ""},
		"of one side":          {land{shape: squarePad, x: 1_000_000}, 0, ""},
		"of a shape not known": {land{shape: 77, x: 1_000_000, y: 1_000_000}, 0, "rectangle 1000000x1000000"},
	} {
		got := ""
		if shape, ok := tt.land.shapeOf(tt.grow); ok {
			s := artwork.NewSheet("x", "f", pcb.RoleCopper, pcb.Top).SetMeter(pcb.MeterOf(t.Context()))
			s.Flash(geom.Point{}, shape, 0, false, artwork.Meta{})
			f := &s.Layer.Features[0]
			box := s.Layer.FeatureBounds(f)
			got = fmt.Sprintf("%s %dx%d", s.Layer.Aperture(f).Kind, box.Width(), box.Height())
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestPadStates: pads whose record says what cannot be are damaged, or said.
func TestPadStates(t *testing.T) {
	t.Parallel()
	base := pcbdoc.Pad{Object: pcbdoc.LayerObject(pcbdoc.Multi), Name: "1", X: 1500, Y: 1500, W: 60, H: 60, Shape: pcbdoc.Round, Drill: 30, Plated: true, MaskMode: pcbdoc.ByRule, Sized: true}
	for name, tt := range map[string]struct {
		change func(*pcbdoc.Pad)
		code   string // of the finding; "" for none
		holes  []string
	}{
		"as it is":                 {func(*pcbdoc.Pad) {}, "", []string{"500,500 30 plated drill"}},
		"not plated":               {func(p *pcbdoc.Pad) { p.Plated = false }, "", []string{"500,500 30 non-plated drill"}},
		"a slot":                   {func(p *pcbdoc.Pad) { p.Hole, p.Slot = pcbdoc.SlotHole, 50 }, "", []string{"490,500 30 plated slot to 510,500"}},
		"a slot with the pad":      {func(p *pcbdoc.Pad) { p.Hole, p.Slot, p.Turn = pcbdoc.SlotHole, 50, 90 }, "", []string{"500,490 30 plated slot to 500,510"}},
		"a slot as wide as long":   {func(p *pcbdoc.Pad) { p.Hole, p.Slot = pcbdoc.SlotHole, 30 }, "", []string{"500,500 30 plated drill"}},
		"a square hole":            {func(p *pcbdoc.Pad) { p.Hole = pcbdoc.SquareHole }, "hole_square", []string{"500,500 30 plated drill"}},
		"a hole not known":         {func(p *pcbdoc.Pad) { p.Hole = 9 }, "hole_unknown", []string{"500,500 30 plated drill"}},
		"a shape not known":        {func(p *pcbdoc.Pad) { p.AltShape = 12 }, "pad_shape_unknown", []string{"500,500 30 plated drill"}},
		"an old shape not known":   {func(p *pcbdoc.Pad) { p.Shape, p.Sized = 8, false }, "pad_shape_unknown", []string{"500,500 30 plated drill"}},
		"a shape of nothing":       {func(p *pcbdoc.Pad) { p.Shape, p.W, p.H, p.Sized = 8, 0, 0, false }, "", []string{"500,500 30 plated drill"}},
		"no hole":                  {func(p *pcbdoc.Pad) { p.Drill = 0 }, "", nil},
		"a hole below nothing":     {func(p *pcbdoc.Pad) { p.Drill = -30 }, "", nil},
		"a hole on the silk alone": {func(p *pcbdoc.Pad) { p.Layer = pcbdoc.TopOverlay }, "", []string{"500,500 30 plated drill"}},
	} {
		p := base
		tt.change(&p)
		f := pcbdoc.New(2000, 1000)
		f.Pad(p)
		b := readBoard(t, f)
		code := ""
		if len(b.Findings) > 0 {
			code = b.Findings[0].Code
		}
		if code != tt.code || len(b.Findings) > 1 {
			t.Errorf("%s: findings %v, want %q", name, b.Findings, tt.code)
		}
		same(t, name, holes(b), tt.holes)
	}
	for _, layer := range []int{0, 75, 255} {
		p := base
		p.Layer = layer
		f := pcbdoc.New(2000, 1000)
		f.Pad(p)
		if boards, findings := Read(t.Context(), []File{{"x.PcbDoc", f.Bytes()}}); len(boards) != 0 || len(findings) != 1 || findings[0].Code != "file_damaged" {
			t.Errorf("a pad on layer %d: %d boards, findings %v; want none, and file_damaged", layer, len(boards), findings)
		}
	}
}

// TestTents: a via or pad that is covered has no opening on that side.
func TestTents(t *testing.T) {
	t.Parallel()
	for flags, want := range map[byte][2]int{0: {2, 2}, 0x20: {0, 2}, 0x40: {2, 0}, 0x60: {0, 0}, 0x9F: {2, 2}} {
		o := pcbdoc.LayerObject(pcbdoc.Multi)
		o.Flags = flags
		f := pcbdoc.New(2000, 1000)
		f.AddVia(o, 1100, 1100, 20, 10, 1, 32, 3)
		f.Pad(pcbdoc.Pad{Object: o, X: 1500, Y: 1500, W: 60, H: 60, Shape: pcbdoc.Round, Drill: 30, Plated: true, MaskMode: pcbdoc.Manual, Mask: 2})
		b := readBoard(t, f)
		got := [2]int{len(layerAt(b, pcb.RoleMask, pcb.Top).Features), len(layerAt(b, pcb.RoleMask, pcb.Bottom).Features)}
		if got != want {
			t.Errorf("flags %#x: openings %v, want %v", flags, got, want)
		}
	}
}

// TestOpened: what a track opens over itself follows from its mode.
func TestOpened(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string][2]bool{"Manual": {true, false}, "Rule": {true, true}, "None": {}, "": {}, "manual": {}} {
		if open, byRule := parseMaskMode(mode); ([2]bool{open, byRule}) != want {
			t.Errorf("%q: open %v, by rule %v; want %v, %v", mode, open, byRule, want[0], want[1])
		}
	}
}

// TestSpecialTexts: words with a dot before them stand for others, and those that
// Altium fills in on output are said.
func TestSpecialTexts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		layer    int
		words    string
		want     string // on the layer; "" for nothing
		reported bool
	}{
		"plain":                  {pcbdoc.TopOverlay, "V1.0", "V1.0", false},
		"a line's end":           {pcbdoc.TopOverlay, "V1 \r\n", "V1", false},
		"a dot":                  {pcbdoc.TopOverlay, ".", ".", false},
		"a number":               {pcbdoc.TopOverlay, ".5 mm", ".5 mm", false},
		"the designator":         {pcbdoc.TopOverlay, ".Designator", "R1", false},
		"the comment":            {pcbdoc.TopOverlay, ".COMMENT", "10k", false},
		"the layer":              {pcbdoc.TopOverlay, ".Layer_Name", "Ink", false},
		"the date":               {pcbdoc.TopOverlay, ".Print_Date", "", true},
		"the date, in a drawing": {pcbdoc.Mechanical1, ".Print_Date", ".Print_Date", false},
		"nothing":                {pcbdoc.TopOverlay, "", "", false},
	} {
		f := pcbdoc.New(2000, 1000)
		f.Board += "|LAYER33NAME=Ink"
		f.Part("|SOURCEDESIGNATOR=R1|X=1200mil|Y=1300mil|LAYER=TOP")
		part := pcbdoc.Object{Layer: tt.layer, Net: pcbdoc.None, Pour: pcbdoc.None}
		hidden := part
		f.Text(pcbdoc.Text{Object: hidden, Comment: true, Words: "10k", X: 1, Y: 1, Height: 40, Pen: 6})
		f.Text(pcbdoc.Text{Object: part, Words: tt.words, X: 1200, Y: 1300, Height: 40, Pen: 6})
		b := readBoard(t, f)
		var got []string
		for _, l := range b.Layers {
			for _, x := range l.Texts {
				got = append(got, x.Text)
			}
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%s: texts %q, want %q", name, got, tt.want)
		}
		reported := false
		for _, x := range b.Findings {
			reported = reported || x.Code == "text_unread"
		}
		if reported != tt.reported {
			t.Errorf("%s: text_unread told %v, want %v: %v", name, reported, tt.reported, b.Findings)
		}
	}
}

// TestFrames: lines of no part that frame all copper more closely than the board shape
// are worth a question; those of parts, and wider ones, are not.
func TestFrames(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		layer, part int
		least, most float64
		reported    bool
	}{
		"on the keep-out":   {pcbdoc.KeepOut, pcbdoc.None, 1200, 1800, true},
		"on a drawing":      {pcbdoc.Mechanical1, pcbdoc.None, 1200, 1800, true},
		"of a part":         {pcbdoc.Mechanical1, 0, 1200, 1800, false},
		"the shape itself":  {pcbdoc.Mechanical1, pcbdoc.None, 1000, 2000, false},
		"beyond the shape":  {pcbdoc.Mechanical1, pcbdoc.None, 900, 2100, false},
		"within the copper": {pcbdoc.Mechanical1, pcbdoc.None, 1420, 1580, false},
		"ink":               {pcbdoc.TopOverlay, pcbdoc.None, 1200, 1800, false},
	} {
		f := pcbdoc.New(1000, 1000)
		f.Part("|SOURCEDESIGNATOR=R1|X=1200mil|Y=1300mil|LAYER=TOP")
		f.Track(pcbdoc.LayerObject(pcbdoc.Top), 1400, 1400, 1600, 1600, 10)
		o := pcbdoc.LayerObject(tt.layer)
		o.Part = tt.part
		a, z := tt.least, tt.most
		for _, e := range [][4]float64{{a, a, z, a}, {z, a, z, z}, {z, z, a, z}, {a, z, a, a}} {
			f.Track(o, e[0], e[1], e[2], e[3], 1)
		}
		b := readBoard(t, f)
		reported := false
		for _, x := range b.Findings {
			reported = reported || x.Code == "outline_doubt"
		}
		if reported != tt.reported {
			t.Errorf("%s: outline_doubt told %v, want %v: %v", name, reported, tt.reported, b.Findings)
		}
		if box, want := b.Outline.Bounds(), (geom.Box{Max: geom.Pt(25_400_000, 25_400_000)}); box != want {
			t.Errorf("%s: the board is %v, want %v", name, box, want)
		}
	}
}
