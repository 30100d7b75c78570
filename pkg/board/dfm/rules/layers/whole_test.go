package layers

import (
	"slices"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// TestWholeLayers: a layer that as a whole is not that of the board is named.
func TestWholeLayers(t *testing.T) {
	t.Parallel()
	at := func(x, y int64) geom.Point { return geom.Pt(x*kit.Milli, y*kit.Milli) }
	tracks := func(s *artwork.Sheet, n int, dx int64) {
		for i := range int64(n) {
			s.Line(at(2+dx, 2+2*i), at(10+dx, 2+2*i), 300*kit.Micron, artwork.Meta{})
		}
	}
	paste := func(k *kit.Kit) {
		s := artwork.NewSheet("paste", "paste.gbr", pcb.RolePaste, pcb.Top)
		s.Flash(at(3, 3), artwork.Circle(kit.Milli), 0, false, artwork.Meta{})
		k.Layers = append(k.Layers, s.Layer)
	}
	for name, c := range map[string]struct {
		draw  func(k *kit.Kit)
		check dfm.Name
		level dfm.Level
	}{
		"both on the board":             {func(k *kit.Kit) { tracks(k.Top, 12, 0); tracks(k.Bottom, 12, 1) }, "", 0},
		"the top beside it":             {func(k *kit.Kit) { tracks(k.Top, 12, 200); tracks(k.Bottom, 12, 0) }, dfm.CopperOutside, dfm.MustFix},
		"the top reaching out":          {func(k *kit.Kit) { tracks(k.Top, 12, 35); tracks(k.Bottom, 12, 0) }, "", 0},
		"both beside it":                {func(k *kit.Kit) { tracks(k.Top, 12, 200); tracks(k.Bottom, 12, 201) }, "", 0},
		"a copy":                        {func(k *kit.Kit) { tracks(k.Top, 12, 0); tracks(k.Bottom, 12, 0) }, dfm.LayerExtra, dfm.Warning},
		"a few tracks on both":          {func(k *kit.Kit) { tracks(k.Top, 4, 0); tracks(k.Bottom, 4, 0) }, "", 0},
		"an empty top with a stencil":   {func(k *kit.Kit) { tracks(k.Bottom, 12, 0); paste(k) }, dfm.LayerEmpty, dfm.MustFix},
		"an empty top":                  {func(k *kit.Kit) { tracks(k.Bottom, 12, 0) }, "", 0},
		"no copper at all, a stencil":   {paste, "", 0},
		"a copper top with its stencil": {func(k *kit.Kit) { tracks(k.Top, 12, 0); paste(k) }, "", 0},
	} {
		k := kit.New()
		c.draw(k)
		r := k.Judge(present, nil)
		found := slices.ContainsFunc(r.Findings, func(f dfm.Finding) bool { return f.Check == c.check && f.Level == c.level })
		bad := slices.ContainsFunc(r.Findings, func(f dfm.Finding) bool {
			return f.Level == dfm.MustFix || f.Check == dfm.LayerExtra
		})
		if found != (c.check != "") || bad != (c.check != "") {
			t.Errorf("%s: found %+v, want %q", name, r.Findings, c.check)
		}
	}
}
