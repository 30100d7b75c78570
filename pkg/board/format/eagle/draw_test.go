package eagle

import (
	"strings"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// features counts what a layer draws: lines, arcs, flashes and regions.
func features(l *board.Layer) string {
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
			b := one(t, setup+`<signals><signal name="A">`+c.body+`</signal></signals>`)
			top := b.Copper()[0]
			if got := features(top); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			for i := range top.Features {
				if n := b.Nets[top.Features[i].Net].Name; n != "A" {
					t.Errorf("of net %q", n)
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
		side board.Side
	}{
		"":       {at(11, 12), board.Top},
		"R0":     {at(11, 12), board.Top},
		"R90":    {at(8, 11), board.Top},
		"R180":   {at(9, 8), board.Top},
		"R270":   {at(12, 9), board.Top},
		"SR90":   {at(8, 11), board.Top}, // spin: text may stand on its head
		"MR0":    {at(9, 12), board.Bottom},
		"MR180":  {at(11, 8), board.Bottom},
		"MR270":  {at(8, 9), board.Bottom},
		"R720":   {at(11, 12), board.Top},
		"R1e300": {at(11, 12), board.Top},
		"Rx":     {at(11, 12), board.Top},
	} {
		t.Run(rot, func(t *testing.T) {
			t.Parallel()
			b := one(t, setup+`<elements><element name="R1" library="L" package="P" x="10" y="10" rot="`+rot+`"/></elements>`)
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
		b := one(t, setup+`<elements>`+element+`</elements>`)
		if len(b.Components) != 1 || len(b.Findings) == 0 {
			t.Errorf("%s: %d components, findings %+v", name, len(b.Components), b.Findings)
		}
	}
}
