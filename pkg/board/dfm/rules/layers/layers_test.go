package layers

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/rules/outline"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// TestMissingDrills: copper on two sides and no hole is told where no reader has.
func TestMissingDrills(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		message string // code of a reader's finding
		holes   int
		found   int
	}{
		"no holes":                       {"", 0, 1},
		"a hole":                         {"", 1, 0},
		"no holes, and a reader says so": {"drill_missing", 0, 0},
		"no holes, which is meant":       {"holes_denied", 0, 0},
		"no holes, and something else":   {"mask_missing", 0, 1},
	} {
		k := kit.New()
		for _, s := range []*artwork.Sheet{k.Mask, k.MaskBottom, k.Top, k.Bottom} {
			s.Flash(geom.Pt(kit.Milli, kit.Milli), artwork.Circle(kit.Milli), 0, false, artwork.Meta{})
		}
		for range c.holes {
			k.Hole(kit.Milli, kit.Milli, 300*kit.Micron, pcb.Plated)
		}
		if c.message != "" {
			k.Findings = append(k.Findings, pcb.Finding{Code: c.message, Level: pcb.Warning})
		}
		r := k.Judge(present, nil)
		if len(r.Findings) != c.found {
			t.Errorf("%s: found %+v, want %d", name, r.Findings, c.found)
		}
	}
}

func TestLayers(t *testing.T) {
	t.Parallel()
	without := func(k *kit.Kit, role pcb.Role, s pcb.Side) {
		k.Layers = slices.DeleteFunc(k.Layers, func(l *pcb.Layer) bool { return l.Role == role && l.Side == s })
	}
	for _, c := range []struct {
		name  string
		set   func(*kit.Kit)
		check dfm.Name
		level dfm.Level
	}{
		{"whole", func(*kit.Kit) {}, "", dfm.Note},
		{"no top mask", func(k *kit.Kit) { without(k, pcb.RoleMask, pcb.Top) }, dfm.LayerMissing, dfm.Warning},
		{"no holes", func(k *kit.Kit) { k.Holes = nil }, dfm.LayerMissing, dfm.Warning},
		{"numbering skips one", func(k *kit.Kit) { k.Bottom.Layer.Order = 3 }, dfm.LayerMissing, dfm.MustFix},
		{"files tell of four", func(k *kit.Kit) { k.Facts.CopperLayers = pcb.State(4, pcb.Source{}, 1, "job file") }, dfm.LayerMissing, dfm.MustFix},
		{"drills go deeper", func(k *kit.Kit) { k.Holes[0].From, k.Holes[0].To = 1, 4 }, dfm.LayerMissing, dfm.MustFix},
		{"two tops", func(k *kit.Kit) {
			x := artwork.NewSheet("top2", "top2.gbr", pcb.RoleCopper, pcb.Top)
			x.Layer.Order = 3
			x.Line(geom.Pt(0, 0), geom.Pt(kit.Milli, 0), kit.Milli, artwork.Meta{})
			k.Layers = append(k.Layers, x.Layer)
		}, dfm.LayerExtra, dfm.MustFix},
		{"an inner layer of lands", func(k *kit.Kit) { inner(k, false) }, dfm.LayerEmpty, dfm.Warning},
		{"an inner layer with a track", func(k *kit.Kit) { inner(k, true) }, "", dfm.Note},
		{"mask without openings", func(k *kit.Kit) { k.Mask.Layer.Features = nil }, dfm.LayerEmpty, dfm.Warning},
		{"bottom empty", func(k *kit.Kit) { k.Bottom.Layer.Features = nil }, dfm.LayerEmpty, dfm.Note},
		{"bottom empty, but negative", func(k *kit.Kit) { k.Bottom.Layer.Features, k.Bottom.Layer.Negative = nil, true }, "", dfm.Note},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Pad(5*kit.Milli, 5*kit.Milli, kit.Milli, 0, "A")
			k.Bottom.Line(geom.Pt(5*kit.Milli, 5*kit.Milli), geom.Pt(9*kit.Milli, 5*kit.Milli), kit.Milli, artwork.Meta{})
			k.Hole(5*kit.Milli, 5*kit.Milli, 300*kit.Micron, pcb.Plated)
			c.set(k)
			r := k.Judge(present, nil)
			want := 1
			if c.check == "" {
				want = 0
			}
			if len(r.Findings) != want || want == 1 && (r.Findings[0].Check != c.check || r.Findings[0].Level != c.level) {
				t.Errorf("findings %+v, want %d of %s, %v", r.Findings, want, c.check, c.level)
			}
		})
	}
}

// inner puts a layer with one land, and perhaps a track, between the two others.
func inner(k *kit.Kit, track bool) {
	in := artwork.NewSheet("in1", "in1.gbr", pcb.RoleCopper, pcb.Inner)
	in.Layer.Order, k.Bottom.Layer.Order = 2, 3
	in.Flash(geom.Pt(5*kit.Milli, 5*kit.Milli), artwork.Circle(600*kit.Micron), 0, false, artwork.Meta{})
	if track {
		in.Line(geom.Pt(5*kit.Milli, 5*kit.Milli), geom.Pt(9*kit.Milli, 5*kit.Milli), 200*kit.Micron, artwork.Meta{})
	}
	k.Layers = append(k.Layers, in.Layer)
}

// TestLayersAreNamedAsTheyAre: a place names its layer as the files do; quotes are for sentences.
func TestLayersAreNamedAsTheyAre(t *testing.T) {
	t.Parallel()
	const name = "my first plane"
	for _, c := range []struct {
		check dfm.Name
		set   func(*kit.Kit, *pcb.Layer)
	}{
		{dfm.NegativePlane, func(_ *kit.Kit, l *pcb.Layer) { l.Negative = true }},
		{dfm.LayerEmpty, func(k *kit.Kit, l *pcb.Layer) {
			l.Features = nil
			k.Track("A", kit.Milli, kit.Milli, 9*kit.Milli, kit.Milli, kit.Milli)
			k.Bottom.Line(geom.Pt(0, 0), geom.Pt(kit.Milli, 0), kit.Milli, artwork.Meta{})
		}},
		{dfm.LayerExtra, func(k *kit.Kit, l *pcb.Layer) {
			counterpart := *l
			k.Layers = append(k.Layers, &counterpart)
		}},
	} {
		k := kit.New()
		inner(k, true)
		l := k.Layers[len(k.Layers)-1]
		l.Name, l.File = name, name+".gbr"
		c.set(k, l)
		found := 0
		for _, r := range []rule.Result{k.Judge(present, nil), k.Judge(Negative.Run, nil)} {
			for _, f := range r.Findings {
				if f.Check != c.check {
					continue
				}
				found++
				if len(f.Places) == 0 || f.Places[0].Layer != name || !strings.Contains(f.What, strconv.Quote(name)) {
					t.Errorf("%s: %q at %+v, want the layer %s, and in the sentence with quotes", c.check, f.What, f.Places, name)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s was not found", c.check)
		}
	}
}

// TestArtworkThatMayBeMissing: where a copper layer is missing, artwork that nothing tells the
// place of is named, as long as it is little.
func TestArtworkThatMayBeMissing(t *testing.T) {
	t.Parallel()
	for n, want := range []string{"missing.", `missing. Nothing tells which layer "odd0.xyz" is; it may be that one.`, `"odd0.xyz" and "odd1.xyz" are; one may be it.`, "odd2", "odd3", "missing."} {
		k := kit.New()
		k.Top.Line(geom.Pt(0, 0), geom.Pt(kit.Milli, 0), kit.Milli, artwork.Meta{})
		k.Bottom.Line(geom.Pt(0, 0), geom.Pt(kit.Milli, 0), kit.Milli, artwork.Meta{})
		k.Bottom.Layer.Order = 3
		for i := range n {
			x := artwork.NewSheet("", "odd"+strconv.Itoa(i)+".xyz", pcb.RoleUnknown, pcb.NoSide)
			x.Line(geom.Pt(0, 0), geom.Pt(kit.Milli, 0), kit.Milli, artwork.Meta{})
			k.Layers = append(k.Layers, x.Layer)
		}
		r := k.Judge(func(_ context.Context, in *measure.Input) rule.Result { return missingCopper(in) }, nil)
		if len(r.Findings) != 1 || !strings.Contains(r.Findings[0].What, want) || n > 4 && strings.Contains(r.Findings[0].What, "odd") {
			t.Errorf("%d files of no known place: %+v, want %q", n, r.Findings, want)
		}
	}
}

func TestNegativePlanes(t *testing.T) {
	t.Parallel()
	build := func(size int64, lines int) *kit.Kit {
		k := kit.New()
		in := artwork.NewSheet("in1", "in1.gbr", pcb.RoleCopper, pcb.Inner)
		in.Layer.Order = 2
		k.Layers = append(k.Layers, in.Layer)
		for i := range int64(12) {
			k.Hole((2+i)*kit.Milli, 5*kit.Milli, 300*kit.Micron, pcb.Plated)
			k.Top.Flash(geom.Pt((2+i)*kit.Milli, 5*kit.Milli), artwork.Circle(600*kit.Micron), 0, false, artwork.Meta{})
			in.Flash(geom.Pt((2+i)*kit.Milli, 5*kit.Milli), artwork.Circle(size), 0, false, artwork.Meta{})
		}
		for i := range int64(lines) {
			in.Line(geom.Pt(0, i*kit.Milli), geom.Pt(9*kit.Milli, i*kit.Milli), 200*kit.Micron, artwork.Meta{})
		}
		return k
	}
	k := build(900*kit.Micron, 4)
	r := k.Judge(negatives, nil)
	kit.Want(t, &r, dfm.NegativePlane, dfm.Warning, 1)
	k.Layers[len(k.Layers)-1].Negative = true
	r = k.Judge(negatives, nil)
	kit.Want(t, &r, dfm.NegativePlane, dfm.Note, 1)
	r = build(600*kit.Micron, 4).Judge(negatives, nil) // pads as large as outside
	kit.Want(t, &r, dfm.NegativePlane, dfm.Warning, 0)
	r = build(900*kit.Micron, 40).Judge(negatives, nil) // a layer of tracks
	kit.Want(t, &r, dfm.NegativePlane, dfm.Warning, 0)
}

func TestSizes(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.Facts.Thickness = pcb.State(3*kit.Milli, pcb.Source{}, 1, "")
	k.Facts.OuterCopper = pcb.State(3.0, pcb.Source{}, 1, "")
	r := k.Judge(outline.Size.Run, map[dfm.Name]int64{dfm.BoardLength: 39 * kit.Milli, dfm.BoardWidth: 30 * kit.Milli, dfm.BoardThickness: 2 * kit.Milli, dfm.LayerCount: 2, dfm.CopperWeight: 2000})
	for n, want := range map[dfm.Name]int{dfm.BoardLength: 1, dfm.BoardWidth: 0, dfm.BoardThickness: 1, dfm.LayerCount: 0, dfm.CopperWeight: 1} {
		kit.Want(t, &r, n, dfm.MustFix, want)
	}
}
