package altium

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/pcbdoc"
)

// TestRegionsTwice: files hold regions in two forms, whose numbers must agree.
func TestRegionsTwice(t *testing.T) {
	t.Parallel()
	triangle := []float64{1100, 1100, 1900, 1100, 1900, 1900}
	one := func() *pcbdoc.File {
		f := pcbdoc.New(2000, 1000)
		f.Net("GND")
		f.Region(pcbdoc.NetObject(pcbdoc.Top, 0), "|KIND=0", triangle)
		return f
	}
	want := []string{"region 100,100 800x800 GND"}
	both := one()
	same(t, "both forms", describeFeatures(readBoard(t, both), readBoard(t, both).Copper()[0]), want)
	chords := one()
	delete(chords.Streams, "ShapeBasedRegions6")
	b := readBoard(t, chords)
	same(t, "chords alone", describeFeatures(b, b.Copper()[0]), want)
	uneven := one()
	uneven.Streams["ShapeBasedRegions6"] = slices.Concat(uneven.Streams["ShapeBasedRegions6"], uneven.Streams["ShapeBasedRegions6"])
	if boards, findings := Read(t.Context(), []File{{"x.PcbDoc", uneven.Bytes()}}); len(boards) != 0 || len(findings) != 1 || !strings.Contains(findings[0].Message, "2 regions with arcs and 1 with chords") {
		t.Errorf("uneven: %d boards, findings %v; want none, and one that counts 2 regions with arcs and 1 with chords", len(boards), findings)
	}
}

// TestRegionsThatAreNoCopper: cutouts of pours, outlines of areas and keep-outs are
// not drawn, and holes of less than three corners are none.
func TestRegionsThatAreNoCopper(t *testing.T) {
	t.Parallel()
	triangle := []float64{1100, 1100, 1900, 1100, 1900, 1900}
	for name, tt := range map[string]struct {
		layer      int
		properties string
		holes      [][]float64
		keepOut    bool
		want       int
	}{
		"copper":                {pcbdoc.Top, "|KIND=0", nil, false, 1},
		"a cutout of a pour":    {pcbdoc.Top, "|KIND=1", nil, false, 0},
		"a dashed outline":      {pcbdoc.Top, "|KIND=2", nil, false, 0},
		"a cavity":              {pcbdoc.Top, "|KIND=4", nil, false, 0},
		"a keep-out on copper":  {pcbdoc.Top, "|KIND=0", nil, true, 0},
		"a keep-out":            {pcbdoc.KeepOut, "|KIND=0", nil, false, 0},
		"a cutout of the board": {pcbdoc.Top, "|KIND=0|ISBOARDCUTOUT=TRUE", nil, false, 0},
		"a hole of two corners": {pcbdoc.Top, "|KIND=0", [][]float64{{1500, 1200, 1600, 1200}}, false, 1},
	} {
		f := pcbdoc.New(2000, 1000)
		o := pcbdoc.LayerObject(tt.layer)
		o.KeepOut = tt.keepOut
		f.Region(o, tt.properties, triangle, tt.holes...)
		b := readBoard(t, f)
		top := b.Copper()[0]
		if len(top.Features) != tt.want {
			t.Errorf("%s: %d things on copper, want %d", name, len(top.Features), tt.want)
		}
		if len(top.Regions) > 0 && len(top.Regions[0].Holes) != 0 {
			t.Errorf("%s: %d holes, want none", name, len(top.Regions[0].Holes))
		}
	}
}

// TestCorners: a record that states more corners than it has room for is damaged, and
// is not given that room first.
func TestCorners(t *testing.T) {
	t.Parallel()
	m := pcb.MeterOf(t.Context())
	pair := make([]byte, 16)
	for name, tt := range map[string]struct {
		data   []byte
		n      int
		curved bool
		ok     bool
	}{
		"two pairs":            {slices.Concat(pair, pair), 2, false, true},
		"none":                 {nil, 0, false, true},
		"one too many":         {slices.Concat(pair, pair), 3, false, false},
		"a bent one":           {make([]byte, 37), 1, true, true},
		"a bent one cut":       {make([]byte, 36), 1, true, false},
		"sixteen million":      {pair, 1 << 24, false, false},
		"less than one's room": {pair[:15], 1, false, false},
	} {
		c := &cursor{data: tt.data}
		got, err := c.corners(m, tt.n, tt.curved)
		if (err == nil) != tt.ok || tt.ok && len(got) != tt.n {
			t.Errorf("%s: %d corners, %v; want %d, read %v", name, len(got), err, tt.n, tt.ok)
		}
	}
	c := &cursor{err: errShort}
	if _, err := c.corners(m, 0, false); err == nil {
		t.Error("corners behind the end of a record")
	}
}

// TestPours: a pour that no copper belongs to is said, with its name and its net.
func TestPours(t *testing.T) {
	t.Parallel()
	shape := pcbdoc.Outline(1000, 1000, 2000, 1000, 2000, 2000)
	for name, tt := range map[string]struct {
		properties string
		reported   bool
	}{
		"without copper":     {"|LAYER=TOP|NET=0|NAME=71,78,68" + shape, true},
		"of no net":          {"|LAYER=BOTTOM|NAME=71" + shape, true},
		"put aside":          {"|LAYER=TOP|NET=0|SHELVED=TRUE" + shape, false},
		"on another layer":   {"|LAYER=TOPOVERLAY|NET=0" + shape, false},
		"on no layer":        {"|LAYER=NOWHERE|NET=0" + shape, false},
		"of too few corners": {"|LAYER=TOP|NET=0|VX0=1mil|VY0=1mil|VX1=2mil|VY1=2mil", false},
	} {
		f := pcbdoc.New(2000, 1000)
		f.Net("GND")
		f.Add("Polygons6", pcbdoc.Properties(tt.properties))
		b := readBoard(t, f)
		if reported := len(b.Findings) == 1 && b.Findings[0].Code == "pours_unfilled"; reported != tt.reported || !tt.reported && len(b.Findings) > 0 {
			t.Errorf("%s: findings %v, want pours_unfilled: %v", name, b.Findings, tt.reported)
		}
		if want := tt.reported && strings.Contains(tt.properties, "NET=0"); (len(b.Unfilled) == 1) != want {
			t.Errorf("%s: unfilled nets %v, want one: %v", name, b.Unfilled, want)
		}
	}
}

// TestWideStrings: letters beyond the code page stand in a stream by the text's
// number; one that is cut short ends the list, not the file.
func TestWideStrings(t *testing.T) {
	t.Parallel()
	entry := func(n uint32, letters ...uint16) []byte {
		b := binary.LittleEndian.AppendUint32(nil, n)
		b = binary.LittleEndian.AppendUint32(b, uint32(2*len(letters)))
		for _, l := range letters {
			b = binary.LittleEndian.AppendUint16(b, l)
		}
		return b
	}
	f := pcbdoc.New(2000, 1000)
	f.Text(pcbdoc.Text{Object: pcbdoc.LayerObject(pcbdoc.TopOverlay), Words: "?", X: 1200, Y: 1300, Height: 40, Pen: 6})
	f.Streams["WideStrings6"] = slices.Concat(entry(3, 'x'), entry(0xFFFFFFFF, 0x3A9, '1', 0), []byte{1, 0, 0, 0, 9, 0, 0, 0, 'x'})
	b := readBoard(t, f)
	if l := layerAt(b, pcb.RoleSilk, pcb.Top); len(l.Texts) != 1 || l.Texts[0].Text != "Ω1" {
		t.Errorf("texts %+v, want Ω1", l.Texts)
	}
}
