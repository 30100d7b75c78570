package altium

import (
	"slices"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/pcbdoc"
)

// TestPartKinds: what is bought and how it is fitted follows from a part's kind and
// its pads.
func TestPartKinds(t *testing.T) {
	t.Parallel()
	pad := func(layer int, drill float64, name string) pcbdoc.Pad {
		return pcbdoc.Pad{Object: pcbdoc.Object{Layer: layer, Net: pcbdoc.None, Pour: pcbdoc.None}, Name: name, X: 1500, Y: 1500, W: 60, H: 60, Shape: pcbdoc.Round, Drill: drill, Plated: drill > 0, MaskMode: pcbdoc.ByRule}
	}
	for name, tt := range map[string]struct {
		kind  string
		pads  []pcbdoc.Pad
		mount pcb.Mount
		noBOM bool
	}{
		"standard, surface":      {"", []pcbdoc.Pad{pad(pcbdoc.Top, 0, "1")}, pcb.SurfaceMount, false},
		"standard, holes":        {"|COMPONENTKIND=0", []pcbdoc.Pad{pad(pcbdoc.Multi, 30, "1")}, pcb.ThroughHole, false},
		"both":                   {"", []pcbdoc.Pad{pad(pcbdoc.Multi, 30, "1"), pad(pcbdoc.Top, 0, "2")}, pcb.ThroughHole, false},
		"a pad without a number": {"", []pcbdoc.Pad{pad(pcbdoc.Top, 0, "")}, pcb.MountOther, true},
		"no pads":                {"", nil, pcb.MountOther, true},
		"mechanical":             {"|COMPONENTKIND=1", []pcbdoc.Pad{pad(pcbdoc.Top, 0, "1")}, pcb.SurfaceMount, true},
		"graphical":              {"|COMPONENTKIND=2", nil, pcb.MountOther, true},
		"a tie that is bought":   {"|COMPONENTKIND=3", []pcbdoc.Pad{pad(pcbdoc.Top, 0, "1")}, pcb.SurfaceMount, false},
		"a tie":                  {"|COMPONENTKIND=4", []pcbdoc.Pad{pad(pcbdoc.Top, 0, "1")}, pcb.SurfaceMount, true},
		"not in the list":        {"|COMPONENTKIND=5", []pcbdoc.Pad{pad(pcbdoc.Top, 0, "1")}, pcb.SurfaceMount, true},
		"stencil only":           {"", []pcbdoc.Pad{pad(pcbdoc.TopPaste, 0, "1")}, pcb.MountOther, true},
	} {
		f := pcbdoc.New(2000, 1000)
		f.Part("|SOURCEDESIGNATOR=U1|X=1500mil|Y=1500mil|LAYER=TOP" + tt.kind)
		for _, p := range tt.pads {
			f.Pad(p)
		}
		c := readBoard(t, f).Components[0]
		if c.Mount != tt.mount || c.NoBOM != tt.noBOM {
			t.Errorf("%s: mount %v, left out of the list %v; want %v, %v", name, c.Mount, c.NoBOM, tt.mount, tt.noBOM)
		}
	}
}

// TestPartPlaces: rotations are within a turn, and a second part of one name changes
// nothing of the first.
func TestPartPlaces(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]float64{"": 0, "90": 90, "360": 0, "450": 90, " 2.70000000000000E+0002": 270, "1e9": 0, "-1e9": 0, "x": 0} {
		f := pcbdoc.New(2000, 1000)
		f.Part("|SOURCEDESIGNATOR=U1|X=1500mil|Y=1500mil|LAYER=BOTTOM|ROTATION=" + in)
		f.Part("|SOURCEDESIGNATOR=U1|X=1600mil|Y=1600mil|LAYER=TOP|ROTATION=45")
		f.Part("|X=1mil|Y=1mil|LAYER=TOP")
		b := readBoard(t, f)
		if len(b.Components) != 1 {
			t.Fatalf("%d parts of rotation %q, want one", len(b.Components), in)
		}
		if c := b.Components[0]; c.Rotation != want || c.At != geom.Pt(12_700_000, 12_700_000) || c.Side != pcb.Bottom {
			t.Errorf("rotation %q: %+v, want %g on the bottom at 12.7, 12.7 mm", in, c, want)
		}
	}
}

// TestParameters: parameters belong to the part that the record before names, unless
// it is of a variant or of something else.
func TestParameters(t *testing.T) {
	t.Parallel()
	record := pcbdoc.Properties
	f := pcbdoc.New(2000, 1000)
	f.Part("|SOURCEDESIGNATOR=R1|X=1500mil|Y=1500mil|LAYER=TOP")
	f.Part("|SOURCEDESIGNATOR=R2|X=1600mil|Y=1500mil|LAYER=TOP|SOURCELIBREFERENCE=RES")
	f.Streams["PrimitiveParameters"] = slices.Concat(
		record("|NAME=Lost|VALUE=1"),
		record("|ID=Component#1|COUNT=2"), record("|NAME=Manufacturer Part Number|VALUE=RC0402"), record("|NAME=Tolerance|VALUE=1%"),
		record("|ID=Component#0|VARIANTGUID=A"), record("|NAME=Manufacturer Part Number|VALUE=OTHER"),
		record("|ID=Component#9"), record("|NAME=Manufacturer Part Number|VALUE=OTHER"),
		record("|ID=Component#-1"), record("|NAME=Manufacturer Part Number|VALUE=OTHER"),
		record("|ID=Net#0"), record("|NAME=Manufacturer Part Number|VALUE=OTHER"),
		[]byte{200, 0, 0, 0, '|'},
	)
	b := readBoard(t, f)
	if one, two := b.Components[0], b.Components[1]; one.MPN != "" || two.MPN != "RC0402" || two.Fields["Tolerance"] != "1%" || two.Fields["Library reference"] != "RES" || len(one.Fields) != 0 {
		t.Errorf("parts %+v and %+v; want nothing of the first, and RC0402, 1%% and RES of the second", one, two)
	}
}

// TestRuleForAll: of the rules that hold for everything the first counts, and one that
// is off or for some objects does not.
func TestRuleForAll(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		rules []string
		want  int64
	}{
		"none":               {nil, 7},
		"one":                {[]string{"|SCOPE1EXPRESSION=All|EXPANSION=1mil"}, 25_400},
		"in other letters":   {[]string{"|SCOPE1EXPRESSION= all |SCOPE2EXPRESSION=ALL|EXPANSION=1mil"}, 25_400},
		"the first by rank":  {[]string{"|SCOPE1EXPRESSION=All|PRIORITY=2|EXPANSION=1mil", "|SCOPE1EXPRESSION=All|PRIORITY=1|EXPANSION=2mil"}, 50_800},
		"one that is off":    {[]string{"|SCOPE1EXPRESSION=All|ENABLED=FALSE|EXPANSION=1mil"}, 7},
		"one that is on":     {[]string{"|SCOPE1EXPRESSION=All|ENABLED=TRUE|EXPANSION=1mil"}, 25_400},
		"for some":           {[]string{"|SCOPE1EXPRESSION=IsVia|EXPANSION=1mil"}, 7},
		"between some":       {[]string{"|SCOPE1EXPRESSION=All|SCOPE2EXPRESSION=IsVia|EXPANSION=1mil"}, 7},
		"a negative one":     {[]string{"|SCOPE1EXPRESSION=All|EXPANSION=-1mil"}, -25_400},
		"for some, then all": {[]string{"|SCOPE1EXPRESSION=IsVia|PRIORITY=1|EXPANSION=9mil", "|SCOPE1EXPRESSION=All|PRIORITY=2|EXPANSION=1mil"}, 25_400},
		"without a size":     {[]string{"|SCOPE1EXPRESSION=All"}, 0},
	} {
		r := &reader{meter: pcb.MeterOf(t.Context())}
		for _, u := range tt.rules {
			if err := r.rule(&cursor{data: slices.Concat([]byte{0, 0}, pcbdoc.Properties("|RULEKIND=SolderMaskExpansion"+u))}); err != nil {
				t.Fatal(err)
			}
		}
		if got := r.design.expansion("SolderMaskExpansion", 7); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
		if got := r.design.expansion("PasteMaskExpansion", 9); got != 9 {
			t.Errorf("%s: of another kind %d, want 9, what was offered", name, got)
		}
	}
}

// TestUse: every layer that is no copper has a use.
func TestUse(t *testing.T) {
	t.Parallel()
	type use struct {
		role pcb.Role
		side pcb.Side
	}
	for l, want := range map[layer]use{
		topOverlay: {pcb.RoleSilk, pcb.Top}, bottomOverlay: {pcb.RoleSilk, pcb.Bottom}, topPaste: {pcb.RolePaste, pcb.Top}, bottomPaste: {pcb.RolePaste, pcb.Bottom},
		topSolder: {pcb.RoleMask, pcb.Top}, bottomSolder: {pcb.RoleMask, pcb.Bottom}, drillGuide: {pcb.RoleDrillDrawing, pcb.NoSide}, drillDrawing: {pcb.RoleDrillDrawing, pcb.NoSide},
		keepOut: {pcb.RoleKeepOut, pcb.NoSide}, firstMechanical: {pcb.RoleMechanical, pcb.NoSide}, lastMechanical: {pcb.RoleMechanical, pcb.NoSide},
	} {
		if role, side := l.use(); (use{role, side}) != want {
			t.Errorf("layer %d: %v on side %v, want %+v", l, role, side, want)
		}
		if l.signal() || l.plane() {
			t.Errorf("layer %d is copper", l)
		}
	}
	for l, want := range map[layer][3]bool{0: {}, 1: {true}, 32: {true}, 33: {}, 39: {false, true}, 54: {false, true}, 55: {}, 57: {false, false, true}, 72: {false, false, true}, 74: {}} {
		if got := [3]bool{l.signal(), l.plane(), l.mechanical()}; got != want {
			t.Errorf("layer %d is signal, plane, mechanical: %v, want %v", l, got, want)
		}
	}
}
