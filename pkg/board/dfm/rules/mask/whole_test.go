package mask

import (
	"slices"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

// TestWholeMasks: a mask that opens all of the board with its tracks, or hardly a pad, is no
// mask of that side.
func TestWholeMasks(t *testing.T) {
	t.Parallel()
	whole := geom.Rect(geom.Box{Max: geom.Pt(40*kit.Milli, 30*kit.Milli)})
	half := geom.Rect(geom.Box{Max: geom.Pt(20*kit.Milli, 30*kit.Milli)})
	for name, c := range map[string]struct {
		tracks, pads, open int
		opening            geom.Path
		want               dfm.Name
	}{
		"all of a board":            {12, 24, 24, whole, dfm.ExposedCopper},
		"all of one without tracks": {0, 24, 24, whole, ""},
		"half of it":                {12, 24, 24, half, ""},
		"its pads":                  {12, 24, 24, geom.Path{}, ""},
		"none of its pads":          {12, 24, 0, geom.Path{}, dfm.MaskMissing},
		"a quarter of them":         {12, 24, 6, geom.Path{}, ""},
		"none of a few":             {12, 8, 0, geom.Path{}, ""},
	} {
		k := kit.New()
		for i := range int64(c.tracks) {
			k.Top.Line(geom.Pt(kit.Milli, (2+i)*kit.Milli), geom.Pt(9*kit.Milli, (2+i)*kit.Milli), 200*kit.Micron, artwork.Meta{})
		}
		for i := range c.pads {
			x, y := int64(12+3*(i%8))*kit.Milli, int64(5+5*(i/8))*kit.Milli
			k.Pad(x, y, kit.Milli, 50*kit.Micron, "")
		}
		k.Mask.Layer.Features = k.Mask.Layer.Features[:c.open]
		if len(c.opening.Points) > 0 {
			k.Mask.Region(geom.Polygon{Outer: c.opening}, artwork.Meta{})
		} else if c.open == 0 {
			k.Mask.Flash(geom.Pt(38*kit.Milli, 28*kit.Milli), artwork.Circle(kit.Milli), 0, false, artwork.Meta{})
		}
		r := k.Judge(pads, nil)
		r.Add(k.Judge(judgeExposed, nil))
		var got dfm.Name
		if i := slices.IndexFunc(r.Findings, func(f dfm.Finding) bool { return f.Level == dfm.MustFix }); i >= 0 {
			got = r.Findings[i].Check
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q: %+v", name, got, c.want, r.Findings)
		}
	}
}
