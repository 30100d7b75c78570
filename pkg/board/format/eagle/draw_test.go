package eagle

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// features counts what a layer draws: lines, arcs, flashes and regions.
func features(l *pcb.Layer) string {
	var n [4]int
	for i := range l.Features {
		n[l.Features[i].Kind]++
	}
	var out []string
	for i, name := range []string{"line", "arc", "flash", "region"} {
		if n[i] > 0 {
			out = append(out, strings.Repeat(name+" ", n[i]))
		}
	}
	return strings.TrimSpace(strings.Join(out, ""))
}

// TestDrawnOnCopper: what signals draw on the top.
func TestDrawnOnCopper(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body, want string }{
		{"a wire", `<wire x1="1" y1="1" x2="5" y2="1" width="0.2" layer="1"/>`, "line"},
		{"an arc", `<wire x1="1" y1="1" x2="5" y2="1" width="0.2" layer="1" curve="90"/>`, "arc"},
		{"an arc the other way", `<wire x1="1" y1="1" x2="5" y2="1" width="0.2" layer="1" curve="-180"/>`, "arc"},
		{"on another layer", `<wire x1="1" y1="1" x2="5" y2="1" width="0.2" layer="16"/>`, ""},
		{"an air wire", `<wire x1="1" y1="1" x2="5" y2="1" width="0" layer="19"/>`, ""},
		{"a via", `<via x="10" y="5" extent="1-16" drill="0.3"/>`, "flash"},
		{"a square via", `<via x="10" y="5" extent="1-16" drill="0.3" shape="square"/>`, "flash"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := readOne(t, setup+`<signals><signal name="A">`+c.body+`</signal></signals>`)
			top := b.Copper()[0]
			if got := features(top); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			for i := range top.Features {
				if n := b.Nets[top.Features[i].Net].Name; n != "A" {
					t.Errorf("feature %d is of net %q, want A", i, n)
				}
			}
		})
	}
}

// TestPlacedParts: where the pad of a part lies by how the part is put down.
func TestPlacedParts(t *testing.T) {
	t.Parallel()
	at := func(x, y float64) geom.Point { return geom.Pt(geom.MM(x), geom.MM(y)) }
	for rot, want := range map[string]struct { // of a pad at 1, 2 of a part at 10, 10
		at   geom.Point
		side pcb.Side
	}{
		"":       {at(11, 12), pcb.Top},
		"R0":     {at(11, 12), pcb.Top},
		"R90":    {at(8, 11), pcb.Top},
		"R180":   {at(9, 8), pcb.Top},
		"R270":   {at(12, 9), pcb.Top},
		"SR90":   {at(8, 11), pcb.Top}, // spin: text may stand on its head
		"MR0":    {at(9, 12), pcb.Bottom},
		"MR180":  {at(11, 8), pcb.Bottom},
		"MR270":  {at(8, 9), pcb.Bottom},
		"R720":   {at(11, 12), pcb.Top},
		"R1e300": {at(11, 12), pcb.Top},
		"Rx":     {at(11, 12), pcb.Top},
	} {
		t.Run(rot, func(t *testing.T) {
			t.Parallel()
			b := readOne(t, setup+`<elements><element name="R1" library="L" package="P" x="10" y="10" rot="`+rot+`"/></elements>`)
			if p := b.Pins[b.Pin("R1", "1")]; p.At.Dist(want.at) > 2 || p.Side != want.side {
				t.Errorf("at %v on the %s, want %v on the %s", p.At, p.Side, want.at, want.side)
			}
		})
	}
}

// TestPartsWithoutPackage: a part whose library or package is not in the file has no
// pads, and that is said.
func TestPartsWithoutPackage(t *testing.T) {
	t.Parallel()
	for name, element := range map[string]string{
		"no such package": `<element name="X" library="L" package="NONE" x="1" y="1"/>`,
		"no such library": `<element name="X" library="NONE" package="P" x="1" y="1"/>`,
	} {
		b := readOne(t, setup+`<elements>`+element+`</elements>`)
		if len(b.Components) != 1 || len(b.Findings) == 0 {
			t.Errorf("%s: %d components, findings %+v; want one, and a finding", name, len(b.Components), b.Findings)
		}
	}
}

// TestStoredPours: EAGLE 9.7 and Fusion keep the copper of a pour with it. It is drawn as it
// is, and nothing says that it was made up.
func TestStoredPours(t *testing.T) {
	t.Parallel()
	square := func(kind string, from, to int) string {
		s := "<" + kind + ">"
		for _, c := range [][2]int{{from, from}, {to, from}, {to, to}, {from, to}} {
			s += fmt.Sprintf(`<vertex x="%d" y="%d"/>`, c[0], c[1])
		}
		return s + "</" + kind + ">"
	}
	drawn := square("polygonoutlineobjects", 1, 11)
	for _, c := range []struct {
		name, details, want string
		madeUp              bool
	}{
		{"an area with an opening", `<polygonfilldetails><polygonshape layer="1">` + square("polygonoutlineobjects", 1, 10) + square("polygonoutlinesegments", 1, 10) +
			`<polygonholelist>` + square("polygonholesegments", 4, 6) + `</polygonholelist></polygonshape></polygonfilldetails>`, "region", false},
		{"hatched", `<polygonfilldetails><wire x1="1" y1="1" x2="1" y2="9" width="0.2" layer="1"/><wire x1="3" y1="1" x2="3" y2="9" width="0.2" layer="1"/></polygonfilldetails>`, "line line", false},
		{"empty", `<polygonfilldetails></polygonfilldetails>`, "line line line line region", true},
		{"none", ``, "line line line line region", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := readOne(t, setup+`<signals><signal name="A"><polygonpour layer="1" width="0.254">`+drawn+c.details+`</polygonpour></signal></signals>`)
			top := b.Copper()[0]
			if got := features(top); got != c.want {
				t.Errorf("drawn %q, want %q", got, c.want)
			}
			if got := slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == "pours_unfilled" }); got != c.madeUp {
				t.Errorf("said to be without its fill: %v, want %v", got, c.madeUp)
			}
			if c.details != "" && !c.madeUp && len(top.Regions) == 1 {
				if area := top.Regions[0].Area(); math.Abs(area-(81-4)*mm*mm) > mm {
					t.Errorf("area %.3f mm², want 77", area/mm/mm)
				}
			}
			for i := range top.Features {
				if n := b.Nets[top.Features[i].Net].Name; n != "A" {
					t.Errorf("feature %d is of net %q, want A", i, n)
				}
			}
		})
	}
}

// TestFlatEnds: only arcs may end square; the end of a round one reaches half its width on.
func TestFlatEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		attrs string
		top   int64 // of what is drawn
	}{
		{`curve="0.1" cap="flat"`, 8 * mm},
		{`curve="-0.1" cap="flat"`, 8 * mm},
		{`curve="0.1"`, 8*mm + 250_000},
		{`cap="flat"`, 8*mm + 250_000},
		{``, 8*mm + 250_000},
	} {
		b := readOne(t, setup+`<signals><signal name="A"><wire x1="10" y1="4" x2="10" y2="8" width="0.5" layer="1" `+c.attrs+`/></signal></signals>`)
		top := b.Copper()[0]
		box := top.FeatureBounds(&top.Features[0])
		if len(top.Features) != 1 || math.Abs(float64(box.Max.Y-c.top)) > 2000 || math.Abs(float64(box.Width()-500_000)) > 5000 {
			t.Errorf("%q: %d things, up to %d, %d wide, want %d", c.attrs, len(top.Features), box.Max.Y, box.Width(), c.top)
		}
	}
}
