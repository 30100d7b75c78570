package outline

import (
	"math"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestSizes: what a board is as a whole, by upper limits: lengths may miss theirs by what files
// round, counts by nothing.
func TestSizes(t *testing.T) {
	t.Parallel()
	const nm = 1
	src := pcb.Source{}
	for _, c := range []struct {
		name  string
		check dfm.Name
		limit int64
		draw  func(*kit.Kit)
		count int
		words string
	}{
		{"as long as may be", dfm.BoardLength, 40 * kit.Milli, nil, 0, ""},
		{"longer by a rounding", dfm.BoardLength, 40*kit.Milli - dfm.Tolerance, nil, 0, ""},
		{"longer", dfm.BoardLength, 40*kit.Milli - dfm.Tolerance - nm, nil, 1, "The board is 40.00 mm long"},
		{"a shorter side that is too long", dfm.BoardWidth, 29 * kit.Milli, nil, 1, "The board's shorter side is 30.00 mm"},
		{"the shorter side is not the longer one", dfm.BoardWidth, 30 * kit.Milli, nil, 0, ""},
		{"upright, the longer side is the same", dfm.BoardLength, 39 * kit.Milli, func(k *kit.Kit) { k.SetOutline(geom.Rect(geom.Box{Max: geom.Pt(30*kit.Milli, 40*kit.Milli)})) }, 1, "The board is 40.00 mm long"},
		{"no outline", dfm.BoardLength, kit.Milli, func(k *kit.Kit) { k.Outline = pcb.Outline{} }, 0, ""},
		{"too thick", dfm.BoardThickness, 2 * kit.Milli, func(k *kit.Kit) { k.Facts.Thickness = pcb.State(2400*kit.Micron, src, 1, "") }, 1, "The board is 2.40 mm thick"},
		{"as thick as is assumed", dfm.BoardThickness, 1600 * kit.Micron, nil, 0, ""},
		{"as many layers as may be", dfm.LayerCount, 4, func(k *kit.Kit) { k.Facts.CopperLayers = pcb.State(4, src, 1, "") }, 0, ""},
		{"one more", dfm.LayerCount, 4, func(k *kit.Kit) { k.Facts.CopperLayers = pcb.State(5, src, 1, "") }, 1, "The board has 5 copper layers; the fabricator builds up to 4."},
		{"as much copper as may be", dfm.CopperWeight, 2000, func(k *kit.Kit) { k.Facts.OuterCopper = pcb.State(2.0, src, 1, "") }, 0, ""},
		{"more copper", dfm.CopperWeight, 2000, func(k *kit.Kit) { k.Facts.OuterCopper = pcb.State(3.0, src, 1, "") }, 1, "The outer copper is to be 3 oz; the fabricator builds up to 2 oz."},
		{"without a limit", dfm.LayerCount, 0, func(k *kit.Kit) { k.Facts.CopperLayers = pcb.State(60, src, 1, "") }, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			if c.draw != nil {
				c.draw(k)
			}
			r := k.Judge(sizes, map[dfm.Name]int64{c.check: c.limit})
			if f := kit.Want(t, &r, c.check, dfm.MustFix, c.count); !strings.HasPrefix(f.What, c.words) {
				t.Errorf("%s with a limit of %d says %q, want %q", c.check, c.limit, f.What, c.words)
			}
		})
	}
}

// TestRoundCorners: inner corners that are drawn as arcs, by their radius and how far they turn.
func TestRoundCorners(t *testing.T) {
	t.Parallel()
	// An L with its inner corner at 20, 15 mm rounded by r, or by a slight bend of it.
	ell := func(r int64) geom.Path {
		x, y := int64(20*kit.Milli), int64(15*kit.Milli)
		p := geom.Path{Closed: true}
		for _, q := range []geom.Point{{}, {X: 40 * kit.Milli}, {X: 40 * kit.Milli, Y: y}, {X: x + r, Y: y}} {
			p.LineTo(q)
		}
		if r > 0 {
			p.ArcTo(geom.Pt(x, y+r), geom.Pt(x+r, y+r), true)
		}
		p.LineTo(geom.Pt(x, 30*kit.Milli))
		p.LineTo(geom.Pt(0, 30*kit.Milli))
		return p
	}
	for _, c := range []struct {
		name  string
		path  geom.Path
		count int
		value int64
	}{
		{"as round as the cutter", ell(500 * kit.Micron), 0, 500 * kit.Micron},
		{"sharper", ell(400 * kit.Micron), 1, 400 * kit.Micron},
		{"sharp", ell(0), 1, 0},
		{"sharp, the other way round", ell(0).Reverse(), 1, 0},
		{"round, the other way round", ell(400 * kit.Micron).Reverse(), 1, 400 * kit.Micron},
		{"outer corners alone", geom.Rect(geom.Box{Max: geom.Pt(kit.Milli, kit.Milli)}), 0, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New().SetOutline(c.path)
			r := k.Judge(corners, map[dfm.Name]int64{dfm.OutlineRadius: 500 * kit.Micron})
			kit.Want(t, &r, dfm.OutlineRadius, dfm.Note, c.count)
			if c.value < 0 {
				if len(r.Measures) != 0 {
					t.Errorf("measured are %+v of an outline without inner corners, want none", r.Measures)
				}
				return
			}
			if got := kit.ValueOf(t, &r, dfm.OutlineRadius); math.Abs(float64(got-c.value)) > 1 {
				t.Errorf("the sharpest inner corner has a radius of %d nm, want %d", got, c.value)
			}
		})
	}
}
