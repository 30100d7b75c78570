package conductor

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

const thin = 60 * kit.Micron

// letter draws an E of thin strokes on the top, its stem from x, y upwards; in millimetres.
func letter(k *kit.Kit, x, y int64) {
	at := func(dx, dy int64) geom.Point { return geom.Pt((x+dx)*kit.Milli, (y+dy)*kit.Milli) }
	for _, s := range [][2]geom.Point{{at(0, 0), at(0, 2)}, {at(0, 0), at(1, 0)}, {at(0, 1), at(1, 1)}, {at(0, 2), at(1, 2)}} {
		k.Top.Line(s[0], s[1], thin, artwork.Meta{})
	}
}

// TestOrnaments: thin strokes that hang on one pour and on nothing else are no tracks; those
// that lead to a pad, a hole, a wider track, bare copper or a second pour are.
func TestOrnaments(t *testing.T) {
	t.Parallel()
	pour := func(k *kit.Kit, x int64) {
		k.Top.Region(geom.Polygon{Outer: kit.Poly(x, 4000, x+6000, 4000, x+6000, 5020, x, 5020)}, artwork.Meta{})
		k.Top.Flash(geom.Pt((x+5000)*kit.Micron, 4500*kit.Micron), artwork.Circle(800*kit.Micron), 0, false, artwork.Meta{})
		k.Hole((x+5000)*kit.Micron, 4500*kit.Micron, 400*kit.Micron, pcb.Plated)
	}
	for name, c := range map[string]struct {
		draw func(k *kit.Kit)
		want dfm.Level
	}{
		"a letter that runs into a pour":  {func(k *kit.Kit) { letter(k, 3, 5) }, dfm.Warning},
		"a letter that touches nothing":   {func(k *kit.Kit) { letter(k, 3, 7) }, dfm.Warning},
		"letters that hang on each other": {func(k *kit.Kit) { letter(k, 3, 5); letter(k, 4, 5) }, dfm.Warning},
		"a track from the pour to a land": {func(k *kit.Kit) {
			letter(k, 3, 5)
			k.Top.Flash(geom.Pt(4*kit.Milli, 7*kit.Milli), artwork.Circle(kit.Milli), 0, false, artwork.Meta{})
		}, dfm.MustFix},
		"a track from the pour to a hole": {func(k *kit.Kit) { letter(k, 3, 5); k.Hole(4*kit.Milli, 7*kit.Milli, 300*kit.Micron, pcb.Plated) }, dfm.MustFix},
		"a track that is wider further on": {func(k *kit.Kit) {
			letter(k, 3, 5)
			k.Top.Line(geom.Pt(4*kit.Milli, 7*kit.Milli), geom.Pt(4*kit.Milli, 9*kit.Milli), 300*kit.Micron, artwork.Meta{})
		}, dfm.MustFix},
		"strokes that the mask leaves bare": {func(k *kit.Kit) {
			letter(k, 3, 5)
			k.Mask.Flash(geom.Pt(4*kit.Milli, 7*kit.Milli), artwork.Circle(kit.Milli), 0, false, artwork.Meta{})
		}, dfm.MustFix},
		"strokes from one pour to another": {func(k *kit.Kit) {
			pour(k, 12000)
			k.Top.Line(geom.Pt(7900*kit.Micron, 4500*kit.Micron), geom.Pt(12100*kit.Micron, 4500*kit.Micron), thin, artwork.Meta{})
		}, dfm.MustFix},
		"strokes of a net":                   {func(k *kit.Kit) { k.Track("a", 3000, 5000, 3000, 7000, 60) }, dfm.MustFix},
		"a board whose mask nobody has seen": {func(k *kit.Kit) { letter(k, 3, 5); k.Layers = k.Layers[:2] }, dfm.MustFix},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Mask.Flash(geom.Pt(30*kit.Milli, 20*kit.Milli), artwork.Circle(kit.Milli), 0, false, artwork.Meta{})
			pour(k, 2000)
			c.draw(k)
			r := k.Judge(widths, map[dfm.Name]int64{dfm.TrackWidth: 100 * kit.Micron})
			worst := dfm.Note
			for _, f := range r.Findings {
				worst = max(worst, f.Level)
			}
			if worst != c.want {
				t.Errorf("%v, want %v: %+v", worst, c.want, r.Findings)
			}
		})
	}
}

// TestPictures: the columns of a picture are no pads, where the file rounds them and where some
// are joined to larger ones, and columns beside them are told mildly. Pads are as bad as ever.
func TestPictures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		columns, joined int
		wide, step      int64 // of a column, in micrometres; of the file, in nanometres
		paste, track    bool
		beside          int64 // width of what lies beside it, in micrometres; 48 for none
		want            bool
	}{
		"a pad beside it":                 {columns: 12, wide: 48, step: 2540, beside: 500, want: true},
		"a shape as wide as one of it":    {columns: 12, joined: 2, wide: 48, step: 2540, beside: 400},
		"columns that are rounded":        {columns: 12, wide: 48, step: 2540},
		"some of them joined":             {columns: 12, joined: 2, wide: 48, step: 2540},
		"most of them joined":             {columns: 9, joined: 8, wide: 48, step: 2540, want: true},
		"few":                             {columns: 6, wide: 48, step: 2540, want: true},
		"few beside a pad":                {columns: 6, wide: 48, step: 2540, beside: 400, want: true},
		"as wide as pads":                 {columns: 12, wide: 200, step: 2540, want: true},
		"with paste":                      {columns: 12, wide: 48, step: 2540, paste: true, want: true},
		"with a track":                    {columns: 12, wide: 48, step: 2540, track: true, want: true},
		"of sizes that no rounding makes": {columns: 12, wide: 48, step: 1, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.beside == 0 {
				c.beside = 48
			}
			k := kit.New()
			k.Top.Layer.Step = c.step
			k.AddVia("A", 15000, 15000, 600, 300)
			stencil := artwork.NewSheet("paste", "paste.gbr", pcb.RolePaste, pcb.Top)
			stencil.Flash(geom.Pt(2*kit.Milli, 2*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{})
			x := 8 * kit.Milli
			for n := range c.columns + c.joined {
				w := c.wide*kit.Micron + int64(n%2)*4000
				if n >= c.columns {
					w = 400 * kit.Micron
				}
				k.Top.Flash(geom.Pt(x+w/2, 8*kit.Milli), artwork.Rect(w, kit.Milli), 0, false, artwork.Meta{})
				x += w
			}
			if c.paste {
				stencil.Flash(geom.Pt(8100*kit.Micron, 8*kit.Milli), artwork.Rect(kit.Milli, kit.Milli), 0, false, artwork.Meta{})
			}
			if c.track {
				k.Top.Line(geom.Pt(8100*kit.Micron, 8*kit.Milli), geom.Pt(8100*kit.Micron, 12*kit.Milli), 200*kit.Micron, artwork.Meta{})
			}
			k.Mask.Flash(geom.Pt((8*kit.Milli+x)/2, 8*kit.Milli), artwork.Rect(x-8*kit.Milli, kit.Milli), 0, false, artwork.Meta{})
			at := geom.Pt(x+c.beside*kit.Micron/2+40*kit.Micron, 8*kit.Milli)
			k.Top.Flash(at, artwork.Rect(c.beside*kit.Micron, kit.Milli), 0, false, artwork.Meta{})
			k.Mask.Flash(at, artwork.Rect(c.beside*kit.Micron, kit.Milli), 0, false, artwork.Meta{})
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
