package panel_test

import (
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// TestPanelStatedInArtwork: EasyEDA's word that the board is to be repeated is said where
// the outline is not that of the panel.
func TestPanelStatedInArtwork(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, comment string
		reported      bool
	}{
		{"nothing", "", false},
		{"a panel", "G04 Panelize: V-CUT, Column: 1, Row: 6, Board Size: 20mm x 10mm, Panelized Board Size: 20mm x 60mm*\n", true},
		{"a panel without a way to part it", "G04 Panelize: , Column: 3, Row: 3, Board Size: 20mm x 10mm, Panelized Board Size: 64.5mm x 34.5mm*\n", true},
		{"one board", "G04 Panelize: , Column: 1, Row: 1, Board Size: 20mm x 10mm, Panelized Board Size: 20mm x 10mm*\n", false},
		{"a panel that is drawn", "G04 Panelize: , Column: 2, Row: 1, Board Size: 10mm x 10mm, Panelized Board Size: 20mm x 10mm*\n", false},
		{"numbers that are none", "G04 Panelize: , Column: 2, Row: 1, Board Size: 1.2.3mm x 10mm, Panelized Board Size: ...mm x 10mm*\n", false},
	} {
		p := uploads.Ordinary().Merge(uploads.Set{"x-F_Cu.gbr": c.comment + uploads.Ordinary()["x-F_Cu.gbr"]}).Read(t)
		if reported := slices.Contains(uploads.Codes(p, pcb.Warning), "panel_stated"); reported != c.reported {
			t.Errorf("%s: panel_stated told %v, want %v: %q", c.name, reported, c.reported, uploads.Codes(p, pcb.Note))
		}
		if !p.Boards[0].Facts.Width.Known {
			t.Errorf("%s: the board has no size", c.name)
		}
	}
}
