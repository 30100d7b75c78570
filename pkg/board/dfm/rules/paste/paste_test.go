package paste

import (
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// stencilOf adds a stencil of the top to a board.
func stencilOf(k *kit.Kit) *artwork.Sheet {
	s := artwork.NewSheet("paste", "paste.gbr", pcb.RolePaste, pcb.Top)
	k.Layers = append(k.Layers, s.Layer)
	return s
}

// TestRelease: openings on both sides of the ratio of IPC-7525, in each way to draw one. Of
// a circle the ratio is a quarter of its diameter by the stencil's thickness, so is a square's
// of its side: 0.264 mm.
func TestRelease(t *testing.T) {
	t.Parallel()
	at := geom.Pt(10*kit.Milli, 10*kit.Milli)
	square := func(side int64) geom.Polygon {
		return geom.Polygon{Outer: geom.Rect(geom.Box{Min: at, Max: at.Add(geom.Pt(side, side))})}
	}
	for name, tt := range map[string]struct {
		draw func(s *artwork.Sheet)
		want int
	}{
		"circle of 0.26 mm": {func(s *artwork.Sheet) { s.Flash(at, artwork.Circle(260*kit.Micron), 0, false, artwork.Meta{}) }, 1},
		"circle of 0.27 mm": {func(s *artwork.Sheet) { s.Flash(at, artwork.Circle(270*kit.Micron), 0, false, artwork.Meta{}) }, 0},
		"square of 0.26 mm": {func(s *artwork.Sheet) {
			s.Flash(at, artwork.Rect(260*kit.Micron, 260*kit.Micron), 0, false, artwork.Meta{})
		}, 1},
		"square of 0.27 mm": {func(s *artwork.Sheet) {
			s.Flash(at, artwork.Rect(270*kit.Micron, 270*kit.Micron), 0, false, artwork.Meta{})
		}, 0},
		"long pin, 0.16 mm wide": {func(s *artwork.Sheet) { s.Flash(at, artwork.Rect(160*kit.Micron, kit.Milli), 0, false, artwork.Meta{}) }, 0},
		"long pin, 0.14 mm wide": {func(s *artwork.Sheet) { s.Flash(at, artwork.Rect(140*kit.Micron, kit.Milli), 0, false, artwork.Meta{}) }, 1},
		"stroke of 0.15 mm":      {func(s *artwork.Sheet) { s.Line(at, at.Add(geom.Pt(kit.Milli, 0)), 150*kit.Micron, artwork.Meta{}) }, 0},
		"stroke of 0.12 mm":      {func(s *artwork.Sheet) { s.Line(at, at.Add(geom.Pt(kit.Milli, 0)), 120*kit.Micron, artwork.Meta{}) }, 1},
		"region of 0.26 mm":      {func(s *artwork.Sheet) { s.Region(square(260*kit.Micron), artwork.Meta{}) }, 1},
		"region of 0.27 mm":      {func(s *artwork.Sheet) { s.Region(square(270*kit.Micron), artwork.Meta{}) }, 0},
		"large one drawn by fine strokes": {func(s *artwork.Sheet) {
			for y := range int64(10) {
				s.Line(at.Add(geom.Pt(0, y*100*kit.Micron)), at.Add(geom.Pt(kit.Milli, y*100*kit.Micron)), 120*kit.Micron, artwork.Meta{})
			}
		}, 0},
		"two that overlap": {func(s *artwork.Sheet) {
			s.Flash(at, artwork.Circle(200*kit.Micron), 0, false, artwork.Meta{})
			s.Flash(at.Add(geom.Pt(150*kit.Micron, 0)), artwork.Circle(200*kit.Micron), 0, false, artwork.Meta{})
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			tt.draw(stencilOf(k))
			r := k.Judge(Openings.Run, nil)
			kit.Want(t, &r, dfm.PasteRelease, dfm.Note, tt.want)
		})
	}
}

// TestStray: paste on a pad, on a part of one, on bare laminate in an opening, and on mask.
func TestStray(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		x, y    int64 // of the opening, in mm from a pad of 2 mm at 10, 10
		pad     bool
		opening bool
		want    int
	}{
		"on the pad":                   {0, 0, true, true, 0},
		"over its rim":                 {1, 0, true, true, 0},
		"beside it":                    {3, 0, true, true, 1},
		"on a pad that mask covers":    {0, 0, true, false, 0}, // mask_missing says so
		"in an opening without copper": {0, 0, false, true, 0},
		"text beside the board":        {-12, 0, true, true, 0},
		"on mask, where nothing is":    {0, 0, false, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Pad(30*kit.Milli, 20*kit.Milli, kit.Milli, 50*kit.Micron, "B")
			at := geom.Pt(10*kit.Milli, 10*kit.Milli)
			if tt.pad {
				k.Top.Flash(at, artwork.Rect(2*kit.Milli, 2*kit.Milli), 0, false, artwork.Meta{Function: pcb.FuncSMDPad, Net: k.Net("A")})
			}
			if tt.opening {
				k.Mask.Flash(at, artwork.Rect(2*kit.Milli, 2*kit.Milli), 0, false, artwork.Meta{})
			}
			stencilOf(k).Flash(at.Add(geom.Pt(tt.x*kit.Milli, tt.y*kit.Milli)), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{})
			r := k.Judge(Openings.Run, nil)
			kit.Want(t, &r, dfm.PasteOnMask, dfm.Note, tt.want)
		})
	}
}

// TestForeignStencil: a stencil of which most prints on mask is of something else, which is
// said once; from a stencil that erases nothing is known.
func TestForeignStencil(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ on, beside, notes, warnings int }{
		"all fit":     {20, 0, 0, 0},
		"half do":     {10, 10, 10, 0},
		"most do not": {9, 10, 0, 10},
		"few in all":  {0, 9, 9, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			s := stencilOf(k)
			for i := range int64(20) {
				x := kit.Milli + i*1500*kit.Micron
				if i < int64(max(tt.on, 1)) {
					k.Pad(x, 10*kit.Milli, kit.Milli, 50*kit.Micron, "A")
				}
				if i < int64(tt.on) {
					s.Flash(geom.Pt(x, 10*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{})
				}
				if i < int64(tt.beside) {
					s.Flash(geom.Pt(x, 20*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{})
				}
			}
			r := k.Judge(Openings.Run, nil)
			kit.Want(t, &r, dfm.PasteOnMask, dfm.Note, tt.notes)
			kit.Want(t, &r, dfm.PasteOnMask, dfm.Warning, tt.warnings)
		})
	}
	k := kit.New()
	s := stencilOf(k)
	s.Flash(geom.Pt(0, 0), artwork.Circle(100*kit.Micron), 0, false, artwork.Meta{})
	s.Flash(geom.Pt(0, 0), artwork.Circle(50*kit.Micron), 0, false, artwork.Meta{Clear: true})
	if r := k.Judge(Openings.Run, nil); len(r.Findings) > 0 || len(r.Unchecked) != 1 || !strings.Contains(r.Unchecked[0], "erases") {
		t.Errorf("a stencil that erases: found %+v, unchecked %q; want nothing found and one sentence", r.Findings, r.Unchecked)
	}
}
