package conductor

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// TestMarks: bars of a mark under one opening, on which the stencil prints nothing, are no
// pads; pads under an opening of their own, with paste or of a board without a stencil
// are, and so are those that a track leads to.
func TestMarks(t *testing.T) {
	t.Parallel()
	const gap = 40 * kit.Micron
	for name, c := range map[string]struct {
		own, paste, stencil, track bool
		want                       bool
	}{
		"a mark":                        {stencil: true},
		"with an opening for each":      {stencil: true, own: true, want: true},
		"with paste":                    {stencil: true, paste: true, want: true},
		"of a board without a stencil":  {want: true},
		"with a track from one of them": {stencil: true, track: true, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.AddVia("A", 15000, 15000, 600, 300)
			stencil := artwork.NewSheet("paste", "paste.gbr", pcb.RolePaste, pcb.Top)
			if c.stencil {
				stencil.Flash(geom.Pt(2*kit.Milli, 2*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{})
			}
			for n := range int64(2) {
				at := geom.Pt(8*kit.Milli+n*(300*kit.Micron+gap), 8*kit.Milli)
				bar := artwork.Rect(300*kit.Micron, 900*kit.Micron)
				k.Top.Flash(at, bar, 0, false, artwork.Meta{})
				if c.own {
					k.Mask.Flash(at, artwork.Rect(330*kit.Micron, 930*kit.Micron), 0, false, artwork.Meta{})
				}
				if c.paste {
					stencil.Flash(at, bar, 0, false, artwork.Meta{})
				}
				if c.track {
					k.Top.Line(at, geom.Pt(at.X, 12*kit.Milli), 200*kit.Micron, artwork.Meta{})
				}
			}
			if !c.own {
				k.Mask.Flash(geom.Pt(8*kit.Milli, 8*kit.Milli), artwork.Rect(3*kit.Milli, 3*kit.Milli), 0, false, artwork.Meta{})
			}
			k.Layers = append(k.Layers, stencil.Layer)
			r := k.Judge(clearances, map[dfm.Name]int64{dfm.TrackClearance: 100 * kit.Micron, dfm.PadClearance: 100 * kit.Micron})
			found := false
			for _, f := range r.Findings {
				found = found || f.Check == dfm.PadClearance && f.Level == dfm.MustFix
			}
			if found != c.want {
				t.Errorf("must_fix %v, want %v: %+v", found, c.want, r.Findings)
			}
		})
	}
}
