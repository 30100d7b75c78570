package panel

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestFilledPieces: rails of a panel are no boards of it.
func TestFilledPieces(t *testing.T) {
	t.Parallel()
	b := pcb.NewBoard("")
	for x := range int64(4) {
		b.Outline.Areas = append(b.Outline.Areas, geom.Polygon{Outer: geom.Rect(geom.Box{Min: geom.Pt(10*x, 0), Max: geom.Pt(10*x+8, 8)})})
	}
	for _, c := range []struct {
		holes []geom.Point
		want  int
	}{
		{nil, 4},
		{[]geom.Point{geom.Pt(12, 2), geom.Pt(22, 2), geom.Pt(24, 4)}, 2},
		{[]geom.Point{geom.Pt(9, 2)}, 4},
	} {
		b.Holes = nil
		for _, p := range c.holes {
			b.Holes = append(b.Holes, pcb.Hole{A: p, B: p})
		}
		if got := countFilledPieces(b); got != c.want {
			t.Errorf("holes at %v: %d boards, want %d", c.holes, got, c.want)
		}
	}
}

// TestNamesPanel: a panel of boards, and not one of a case.
func TestNamesPanel(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"Archim_Panel_0.3b":          true,
		"board_panelized":            true,
		"NoU3-Panelized":             true,
		"panel":                      true,
		"4x2panel-sensor":            true,
		"front panel, panel of 4":    true,
		"Module17-Side_Panels_Front": false,
		"synth frontpanel":           false,
		"Panel Graphics (JLCPCB)":    false,
		"solar-panel charger":        false,
		"control_panel":              false,
		"panel-mount usb":            false,
		"sensor":                     false,
	} {
		if got := namesPanel(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
