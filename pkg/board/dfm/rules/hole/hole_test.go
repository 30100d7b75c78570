package hole

import (
	"context"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/rules/conductor"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

func TestHoleSpacing(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.HoleToHole: 200 * kit.Micron, dfm.ComponentHoleToHole: 450 * kit.Micron}
	type hole struct {
		x, d     int64 // micrometres
		plating  pcb.Plating
		function pcb.Function
	}
	via, pin := pcb.FuncViaDrill, pcb.FuncComponentDrill
	for name, tt := range map[string]struct {
		a, b  hole
		check dfm.Name
		level dfm.Level
		count int
	}{
		"vias":                       {hole{5000, 300, pcb.Plated, via}, hole{5500, 300, pcb.Plated, via}, dfm.HoleToHole, dfm.MustFix, 0},
		"vias too close":             {hole{5000, 300, pcb.Plated, via}, hole{5498, 300, pcb.Plated, via}, dfm.HoleToHole, dfm.MustFix, 1},
		"leads":                      {hole{5000, 800, pcb.Plated, pin}, hole{6248, 800, pcb.Plated, pin}, dfm.ComponentHoleToHole, dfm.MustFix, 1},
		"lead and via":               {hole{5000, 800, pcb.Plated, pin}, hole{5800, 300, pcb.Plated, via}, dfm.ComponentHoleToHole, dfm.MustFix, 0},
		"vias under a part":          {hole{5000, 300, pcb.Plated, pin}, hole{5600, 300, pcb.Plated, pin}, dfm.ComponentHoleToHole, dfm.MustFix, 0},
		"row that is meant to break": {hole{5000, 500, pcb.NonPlated, 0}, hole{5600, 500, pcb.NonPlated, 0}, dfm.HoleToHole, dfm.Warning, 1},
		"one drilled over another":   {hole{5000, 300, pcb.Plated, via}, hole{5100, 300, pcb.Plated, via}, dfm.HoleToHole, dfm.Note, 1},
		"the same hole twice":        {hole{5000, 300, pcb.Plated, via}, hole{5000, 300, pcb.Plated, via}, dfm.HoleToHole, dfm.Note, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			for _, h := range []hole{tt.a, tt.b} {
				k.Hole(h.x*kit.Micron, 5*kit.Milli, h.d*kit.Micron, h.plating).Function = h.function
			}
			r := k.Judge(spacings, of)
			kit.WantBad(t, &r, tt.check, tt.level, tt.count)
			if tt.count == 0 && len(r.Findings) > 0 {
				t.Errorf("findings: %+v, want none", r.Findings)
			}
		})
	}
}

// A slot drawn as a row of hits is one hole: pairs of the row that do not overlap are not
// judged, what lies beside the row is.
func TestRowsOfHits(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.HoleToHole: 200 * kit.Micron, dfm.ComponentHoleToHole: 450 * kit.Micron}
	for name, tt := range map[string]struct {
		x     []int64 // micrometres
		leads int     // pairs that are too close
	}{
		"overlapping":             {[]int64{5000, 5400, 5800, 6200}, 0},
		"the last one 0.1 mm off": {[]int64{5000, 5400, 5800, 6700}, 1},
		"two that do not overlap": {[]int64{5000, 5900}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			for _, x := range tt.x {
				k.Hole(x*kit.Micron, 5*kit.Milli, 800*kit.Micron, pcb.Plated).Function = pcb.FuncComponentDrill
			}
			r := k.Judge(spacings, of)
			kit.WantBad(t, &r, dfm.ComponentHoleToHole, dfm.MustFix, tt.leads)
		})
	}
}

// TestBreakRows: rows of holes along the edge or across a tab are meant to break; holes that
// are fewer, uneven, joined to copper or away from the edge are not.
func TestBreakRows(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.HoleToHole: 200 * kit.Micron, dfm.ComponentHoleToHole: 450 * kit.Micron, dfm.HoleToEdge: 300 * kit.Micron}
	along := func(y int64, xs ...int64) (out [][2]int64) {
		for _, x := range xs {
			out = append(out, [2]int64{x, y})
		}
		return out
	}
	slots := []geom.Path{ // on both sides of a tab, from x 10 to 14 mm
		geom.Rect(geom.Box{Min: geom.Pt(2*kit.Milli, 14*kit.Milli), Max: geom.Pt(10*kit.Milli, 16*kit.Milli)}),
		geom.Rect(geom.Box{Min: geom.Pt(14*kit.Milli, 14*kit.Milli), Max: geom.Pt(22*kit.Milli, 16*kit.Milli)}),
	}
	for name, tt := range map[string]struct {
		at     [][2]int64 // micrometres
		copper int64      // diameter of the pads
		breaks bool
	}{
		"along the edge":                  {along(200, 5000, 6000, 7000, 8000), 0, true},
		"upright, along the edge":         {[][2]int64{{100, 5000}, {100, 6000}, {100, 7000}}, 0, true},
		"across a tab":                    {along(14000, 10800, 11700, 12600, 13500), 0, true},
		"two":                             {along(200, 5000, 6000), 0, false},
		"uneven":                          {along(200, 5000, 5900, 7000), 0, false},
		"far apart":                       {along(200, 5000, 7000, 9000), 0, false},
		"with copper":                     {along(200, 5000, 6000, 7000, 8000), 1000, false},
		"with pads that are drilled away": {along(200, 5000, 6000, 7000, 8000), 850, true},
		"within the board":                {along(25000, 5000, 6000, 7000, 8000), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.SetOutline(k.Outline.Areas[0].Outer, slots...)
			for _, p := range tt.at {
				k.Hole(p[0]*kit.Micron, p[1]*kit.Micron, 850*kit.Micron, pcb.Plated).Function = pcb.FuncComponentDrill
				if tt.copper > 0 {
					k.Top.Flash(geom.Pt(p[0]*kit.Micron, p[1]*kit.Micron), artwork.Circle(tt.copper*kit.Micron), 0, false, artwork.Meta{})
				}
			}
			close, edge, bare := k.Judge(spacings, of), k.Judge(judgeEdges, of), k.Judge(strays, of)
			judged := !tt.breaks && name != "far apart" // of each other
			reported := slices.ContainsFunc(bare.Findings, func(f dfm.Finding) bool { return strings.Contains(f.What, "broken off") })
			if reported != tt.breaks || judged != (len(close.Findings) > 0) || tt.breaks && len(edge.Findings) > 0 {
				t.Errorf("said %v, want %v: %v %v %v", reported, tt.breaks, close.Findings, edge.Findings, bare.Findings)
			}
		})
	}
}

func TestHolesOfDifferentLayersDoNotMeet(t *testing.T) {
	t.Parallel()
	k := kit.New()
	a, b := k.Hole(5*kit.Milli, 5*kit.Milli, 200*kit.Micron, pcb.Plated), k.Hole(5300*kit.Micron, 5*kit.Milli, 200*kit.Micron, pcb.Plated)
	k.Holes[0].From, k.Holes[0].To = 1, 2
	b.From, b.To = 3, 4
	_ = a
	r := k.Judge(spacings, map[dfm.Name]int64{dfm.HoleToHole: 200 * kit.Micron})
	kit.WantBad(t, &r, dfm.HoleToHole, dfm.MustFix, 0)
	b.From = 1
	r = k.Judge(spacings, map[dfm.Name]int64{dfm.HoleToHole: 200 * kit.Micron})
	kit.WantBad(t, &r, dfm.HoleToHole, dfm.MustFix, 1)
}

func TestHoleEdges(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.HoleToEdge: 300 * kit.Micron, dfm.CastellationSize: 500 * kit.Micron}
	for name, tt := range map[string]struct {
		y, d    int64 // micrometres
		plating pcb.Plating
		check   dfm.Name
		level   dfm.Level
		count   int
	}{
		"far enough":            {800, 1000, pcb.NonPlated, dfm.HoleToEdge, dfm.MustFix, 0},
		"close":                 {798, 1000, pcb.NonPlated, dfm.HoleToEdge, dfm.MustFix, 1},
		"cut, non-plated":       {200, 1000, pcb.NonPlated, dfm.HoleToEdge, dfm.Note, 1},
		"half hole":             {0, 600, pcb.Plated, dfm.Castellation, dfm.Note, 1},
		"small half hole":       {0, 400, pcb.Plated, dfm.CastellationSize, dfm.MustFix, 1},
		"nicked, plated":        {400, 1000, pcb.Plated, dfm.HoleToEdge, dfm.MustFix, 1},
		"via right on the edge": {0, 200, pcb.Plated, dfm.HoleToEdge, dfm.MustFix, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Hole(10*kit.Milli, tt.y*kit.Micron, tt.d*kit.Micron, tt.plating)
			r := k.Judge(judgeEdges, of)
			kit.WantBad(t, &r, tt.check, tt.level, tt.count)
			if tt.count == 0 && len(r.Findings) > 0 {
				t.Errorf("findings: %+v, want none", r.Findings)
			}
		})
	}
}

func TestRings(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.AnnularRing: 150 * kit.Micron, dfm.ViaRing: 100 * kit.Micron, dfm.NPTHRing: 200 * kit.Micron}
	at := geom.Pt(10*kit.Milli, 10*kit.Milli)
	both := func(k *kit.Kit, s artwork.Shape, shift int64, m artwork.Meta) {
		for _, sheet := range []*artwork.Sheet{k.Top, k.Bottom} {
			sheet.Flash(at.Add(geom.Pt(shift*kit.Micron, 0)), s, 0, false, m)
		}
	}
	pin := artwork.Meta{Function: pcb.FuncComponentPad}
	lead := func(k *kit.Kit, d int64, p pcb.Plating) *pcb.Hole {
		h := k.Hole(at.X, at.Y, d*kit.Micron, p)
		h.Function = pcb.FuncComponentDrill
		return h
	}
	for name, tt := range map[string]struct {
		draw  func(k *kit.Kit)
		check dfm.Name
		level dfm.Level
		value int64 // micrometres; 0 for no finding
	}{
		"round":         {func(k *kit.Kit) { lead(k, 1000, pcb.Plated); both(k, artwork.Circle(1300*kit.Micron), 0, pin) }, dfm.AnnularRing, dfm.MustFix, 0},
		"round, narrow": {func(k *kit.Kit) { lead(k, 1000, pcb.Plated); both(k, artwork.Circle(1290*kit.Micron), 0, pin) }, dfm.AnnularRing, dfm.MustFix, 145},
		"off centre":    {func(k *kit.Kit) { lead(k, 1000, pcb.Plated); both(k, artwork.Circle(1400*kit.Micron), 60, pin) }, dfm.AnnularRing, dfm.MustFix, 140},
		"breaks out":    {func(k *kit.Kit) { lead(k, 1000, pcb.Plated); both(k, artwork.Circle(1200*kit.Micron), 150, pin) }, dfm.AnnularRing, dfm.MustFix, -50},
		"square": {func(k *kit.Kit) {
			lead(k, 1000, pcb.Plated)
			both(k, artwork.Rect(1280*kit.Micron, 2*kit.Milli), 0, pin)
		}, dfm.AnnularRing, dfm.MustFix, 140},
		"oblong": {func(k *kit.Kit) {
			lead(k, 1000, pcb.Plated)
			both(k, artwork.Obround(2*kit.Milli, 1280*kit.Micron), 300, pin)
		}, dfm.AnnularRing, dfm.MustFix, 140},
		"drawn with its hole": {func(k *kit.Kit) {
			lead(k, 1000, pcb.Plated)
			both(k, artwork.Donut(1280*kit.Micron, 1000*kit.Micron, false), 0, pin)
		}, dfm.AnnularRing, dfm.MustFix, 140},
		"no pad below": {func(k *kit.Kit) {
			lead(k, 1000, pcb.Plated)
			k.Top.Flash(at, artwork.Circle(1400*kit.Micron), 0, false, pin)
		}, dfm.AnnularRing, dfm.MustFix, 0},
		"inside a pour": {func(k *kit.Kit) {
			lead(k, 1000, pcb.Plated)
			both(k, artwork.Circle(1200*kit.Micron), 0, pin)
			for _, s := range []*artwork.Sheet{k.Top, k.Bottom} {
				s.Region(geom.Polygon{Outer: kit.Poly(8000, 8000, 12000, 8000, 12000, 12000, 8000, 12000)}, artwork.Meta{})
			}
		}, dfm.AnnularRing, dfm.MustFix, 0},
		"painted": {func(k *kit.Kit) {
			lead(k, 1000, pcb.Plated)
			for _, s := range []*artwork.Sheet{k.Top, k.Bottom} {
				for y := int64(-900); y <= 900; y += 100 {
					s.Line(at.Add(geom.Pt(-kit.Milli, y*kit.Micron)), at.Add(geom.Pt(kit.Milli, y*kit.Micron)), 150*kit.Micron, artwork.Meta{})
				}
				s.Flash(at, artwork.Circle(500*kit.Micron), 0, false, pin)
			}
		}, dfm.AnnularRing, dfm.MustFix, 0},
		"slot": {func(k *kit.Kit) {
			h := lead(k, 1000, pcb.Plated)
			h.Kind, h.A, h.B = pcb.SlotHole, at.Sub(geom.Pt(kit.Milli, 0)), at.Add(geom.Pt(kit.Milli, 0))
			both(k, artwork.Obround(3280*kit.Micron, 1280*kit.Micron), 0, pin)
		}, dfm.AnnularRing, dfm.MustFix, 140},
		"slot, a pad of three parts that is just as large":       {func(k *kit.Kit) { drawSlotInParts(k, at, 600, 600) }, dfm.AnnularRing, dfm.Warning, 0},
		"large slot, a pad of three parts that is just as large": {func(k *kit.Kit) { drawSlotInParts(k, at, 2000, 2000) }, dfm.AnnularRing, dfm.Warning, 0},
		"slot, a pad of three parts that is smaller":             {func(k *kit.Kit) { drawSlotInParts(k, at, 600, 500) }, dfm.AnnularRing, dfm.Warning, 0},
		"slot, a pad of three parts that is smaller, with a track": {func(k *kit.Kit) {
			drawSlotInParts(k, at, 600, 500)
			k.Bottom.Line(at, at.Add(geom.Pt(0, 3*kit.Milli)), 300*kit.Micron, artwork.Meta{})
		}, dfm.AnnularRing, dfm.MustFix, -50},
		"slot, a pad of three parts with a ring": {func(k *kit.Kit) { drawSlotInParts(k, at, 600, 880) }, dfm.AnnularRing, dfm.MustFix, 140},
		"via":                                    {func(k *kit.Kit) { k.AddVia("A", 10000, 10000, 500, 310) }, dfm.ViaRing, dfm.MustFix, 95},
		"bare":                                   {func(k *kit.Kit) { lead(k, 1000, pcb.NonPlated); both(k, artwork.Circle(1300*kit.Micron), 0, pin) }, dfm.NPTHRing, dfm.MustFix, 150},
		"bare, no pad":                           {func(k *kit.Kit) { lead(k, 1000, pcb.NonPlated); both(k, artwork.Circle(1000*kit.Micron), 0, pin) }, dfm.NPTHRing, dfm.MustFix, 0},
		"plated, pad of the hole's size":         {func(k *kit.Kit) { lead(k, 3000, pcb.Plated); both(k, artwork.Circle(3000*kit.Micron), 0, pin) }, dfm.AnnularRing, dfm.Warning, 0},
		"small, pad of the hole's size":          {func(k *kit.Kit) { lead(k, 800, pcb.Plated); both(k, artwork.Circle(800*kit.Micron), 0, pin) }, dfm.AnnularRing, dfm.Warning, 0},
		"small, a ring of 5 µm":                  {func(k *kit.Kit) { lead(k, 800, pcb.Plated); both(k, artwork.Circle(810*kit.Micron), 0, pin) }, dfm.AnnularRing, dfm.Warning, 0},
		"small, a ring of 20 µm":                 {func(k *kit.Kit) { lead(k, 800, pcb.Plated); both(k, artwork.Circle(840*kit.Micron), 0, pin) }, dfm.AnnularRing, dfm.MustFix, 20},
		"small, pad of the hole's size, with a track": {func(k *kit.Kit) {
			lead(k, 800, pcb.Plated)
			both(k, artwork.Circle(806*kit.Micron), 0, pin)
			k.Bottom.Line(at, at.Add(geom.Pt(3*kit.Milli, 0)), 300*kit.Micron, artwork.Meta{})
		}, dfm.AnnularRing, dfm.MustFix, 3},
		"small, pad of the hole's size, of a net": {func(k *kit.Kit) {
			lead(k, 800, pcb.Plated)
			both(k, artwork.Circle(806*kit.Micron), 0, artwork.Meta{Function: pcb.FuncComponentPad, Net: k.Net("A")})
		}, dfm.AnnularRing, dfm.MustFix, 3},
		"small, pad of the hole's size, a plane that ends at the wall": {func(k *kit.Kit) {
			lead(k, 800, pcb.Plated)
			both(k, artwork.Circle(800*kit.Micron), 0, pin)
			plane(k, at, 401)
		}, dfm.AnnularRing, dfm.Warning, 0},
		"small, pad of the hole's size, a plane that it cuts": {func(k *kit.Kit) {
			lead(k, 800, pcb.Plated)
			both(k, artwork.Circle(800*kit.Micron), 0, pin)
			plane(k, at, 380)
		}, dfm.AnnularRing, dfm.MustFix, 1},
		"small, square pad of the hole's size": {func(k *kit.Kit) {
			lead(k, 800, pcb.Plated)
			both(k, artwork.Rect(806*kit.Micron, 806*kit.Micron), 0, pin)
		}, dfm.AnnularRing, dfm.MustFix, 3},
		"nobody says whether plated, pad of the hole's size": {func(k *kit.Kit) {
			lead(k, 3000, pcb.PlatingUnknown)
			both(k, artwork.Circle(3000*kit.Micron), 0, pin)
		}, dfm.AnnularRing, dfm.MustFix, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			tt.draw(k)
			r := k.Judge(rings, of)
			count := 0
			if tt.value != 0 || tt.level == dfm.Warning {
				count = 1
			}
			f := kit.WantBad(t, &r, tt.check, tt.level, count)
			if d := f.Value - tt.value*kit.Micron; tt.value != 0 && max(d, -d) > 1000 {
				t.Errorf("ring %d, want %d µm", f.Value, tt.value)
			}
			if count == 0 && len(r.Findings) > 0 {
				t.Errorf("findings: %+v, want none", r.Findings)
			}
		})
	}
}

// A plated hole that the mask covers on both sides takes no lead.
func TestRingUnderMask(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.AnnularRing: 150 * kit.Micron, dfm.ViaRing: 100 * kit.Micron}
	at, elsewhere := geom.Pt(10*kit.Milli, 10*kit.Milli), geom.Pt(20*kit.Milli, 10*kit.Milli)
	for name, tt := range map[string]struct {
		pad, drill  int64 // micrometres
		top, bottom geom.Point
		function    pcb.Function // of the hole
		land        pcb.Function
		check       dfm.Name // "" for none
	}{
		"covered on both sides":                      {pad: 1220, drill: 1000, top: elsewhere, bottom: elsewhere},
		"covered, narrow for a via too":              {pad: 1180, drill: 1000, top: elsewhere, bottom: elsewhere, check: dfm.ViaRing},
		"covered, of a screw":                        {pad: 1320, drill: 1100, top: elsewhere, bottom: elsewhere, check: dfm.AnnularRing},
		"open at the top":                            {pad: 1220, drill: 1000, top: at, bottom: elsewhere, check: dfm.AnnularRing},
		"open at the bottom":                         {pad: 1220, drill: 1000, top: elsewhere, bottom: at, check: dfm.AnnularRing},
		"open beside the hole's middle":              {pad: 1220, drill: 1000, top: at.Add(geom.Pt(900*kit.Micron, 0)), bottom: elsewhere, check: dfm.AnnularRing},
		"covered, stated to be of a part":            {pad: 1220, drill: 1000, top: elsewhere, bottom: elsewhere, function: pcb.FuncComponentDrill, check: dfm.AnnularRing},
		"covered, its land is stated to be a part's": {pad: 1220, drill: 1000, top: elsewhere, bottom: elsewhere, land: pcb.FuncComponentPad, check: dfm.AnnularRing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			for _, s := range []*artwork.Sheet{k.Top, k.Bottom} {
				s.Flash(at, artwork.Circle(tt.pad*kit.Micron), 0, false, artwork.Meta{Function: tt.land})
				s.Flash(elsewhere, artwork.Circle(2*kit.Milli), 0, false, artwork.Meta{})
			}
			k.Mask.Flash(tt.top, artwork.Circle(1200*kit.Micron), 0, false, artwork.Meta{})
			k.MaskBottom.Flash(tt.bottom, artwork.Circle(1200*kit.Micron), 0, false, artwork.Meta{})
			k.Hole(at.X, at.Y, tt.drill*kit.Micron, pcb.Plated).Function = tt.function
			r := k.Judge(rings, of)
			if tt.check != "" {
				kit.WantBad(t, &r, tt.check, dfm.MustFix, 1)
			} else if len(r.Findings) > 0 {
				t.Errorf("findings: %+v, want none", r.Findings)
			}
		})
	}
}

// drawSlotInParts draws a slot of a width with its pad as some tools write it: a bar, and a disc at
// either end. Widths are in micrometres.
func drawSlotInParts(k *kit.Kit, at geom.Point, slot, pad int64) {
	half := geom.Pt(400*kit.Micron, 0)
	h := k.Hole(at.X, at.Y, slot*kit.Micron, pcb.Plated)
	h.Kind, h.Function, h.A, h.B = pcb.SlotHole, pcb.FuncComponentDrill, at.Sub(half), at.Add(half)
	for _, s := range []*artwork.Sheet{k.Top, k.Bottom} {
		m := artwork.Meta{Function: pcb.FuncComponentPad}
		s.Flash(at, artwork.Rect(2*half.X, pad*kit.Micron), 0, false, m)
		s.Flash(h.A, artwork.Circle(pad*kit.Micron), 0, false, m)
		s.Flash(h.B, artwork.Circle(pad*kit.Micron), 0, false, m)
	}
}

// TestCutByChance: copper that a plated hole cuts beside its own middle is no ring of that
// hole: outside that has to be asked, inside the hole may pass what is none of its own.
func TestCutByChance(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.AnnularRing: 150 * kit.Micron, dfm.ViaRing: 100 * kit.Micron}
	at := geom.Pt(10*kit.Milli, 10*kit.Milli)
	um := func(x, y int64) geom.Point { return at.Add(geom.Pt(x*kit.Micron, y*kit.Micron)) }
	pad := func(x int64) func(*artwork.Sheet) {
		return func(s *artwork.Sheet) {
			s.Flash(um(x, 0), artwork.Circle(600*kit.Micron), 0, false, artwork.Meta{Function: pcb.FuncComponentPad})
		}
	}
	track := func(x0, y0, x1, y1 int64) func(*artwork.Sheet) {
		return func(s *artwork.Sheet) { s.Line(um(x0, y0), um(x1, y1), 600*kit.Micron, artwork.Meta{}) }
	}
	for name, tt := range map[string]struct {
		draw   func(*artwork.Sheet)
		inner  bool
		level  dfm.Level
		chance bool
	}{
		"a pad beside the middle":             {pad(450), false, dfm.MustFix, true},
		"a pad beside the middle, inside":     {pad(450), true, dfm.Warning, true},
		"a pad that holds the middle":         {pad(250), false, dfm.MustFix, false},
		"a pad that holds the middle, inside": {pad(250), true, dfm.MustFix, false},
		"a track that ends at the hole":       {track(250, 0, 3000, 0), false, dfm.MustFix, false},
		"a track through the middle, inside":  {track(-3000, 0, 3000, 0), true, dfm.MustFix, false},
		"a cross of tracks through the middle, inside": {func(s *artwork.Sheet) {
			for _, x := range []int64{-200, 0, 200} {
				s.Line(um(x, -3000), um(x, 3000), 210*kit.Micron, artwork.Meta{})
				s.Line(um(-3000, x), um(3000, x), 210*kit.Micron, artwork.Meta{})
			}
		}, true, dfm.MustFix, false},
		"a track that passes by the middle":         {track(-3000, 250, 3000, 250), false, dfm.MustFix, true},
		"a track that passes by the middle, inside": {track(-3000, 250, 3000, 250), true, dfm.Warning, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			sheet := k.Top
			if tt.inner {
				sheet = artwork.NewSheet("inner", "in1.gbr", pcb.RoleCopper, pcb.Inner)
				sheet.Layer.Order, k.Bottom.Layer.Order = 2, 3
				k.Layers = append(k.Layers, sheet.Layer)
				for _, s := range []*artwork.Sheet{k.Top, k.Bottom} {
					s.Flash(at, artwork.Circle(2*kit.Milli), 0, false, artwork.Meta{Function: pcb.FuncComponentPad})
				}
			}
			k.Hole(at.X, at.Y, 1000*kit.Micron, pcb.Plated).Function = pcb.FuncComponentDrill
			tt.draw(sheet)
			r := k.Judge(rings, of)
			f := kit.Want(t, &r, dfm.AnnularRing, tt.level, 1)
			if got := strings.Contains(f.What, "beside"); got != tt.chance {
				t.Errorf("said to be chance: %v, want %v: %s", got, tt.chance, f.What)
			}
		})
	}
}

// plane pours the bottom but for a square hole, and joins it to a via elsewhere.
func plane(k *kit.Kit, at geom.Point, clear int64) {
	r := clear * kit.Micron
	hole := geom.Rect(geom.Box{Min: at.Sub(geom.Pt(r, r)), Max: at.Add(geom.Pt(r, r))})
	k.Bottom.Region(geom.Polygon{Outer: kit.Poly(5000, 5000, 25000, 5000, 25000, 25000, 5000, 25000), Holes: []geom.Path{hole}},
		artwork.Meta{Net: k.Net("GND"), Function: pcb.FuncPour})
	k.AddVia("GND", 20000, 20000, 600, 300)
}

func TestCopperHoles(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.CopperToHole: 200 * kit.Micron}
	for name, tt := range map[string]struct {
		draw  func(k *kit.Kit)
		level dfm.Level
		count int
	}{
		"far enough": {func(k *kit.Kit) {
			k.Hole(10*kit.Milli, 10*kit.Milli, 2*kit.Milli, pcb.NonPlated)
			k.Track("A", 5000, 11300, 15000, 11300, 200)
		}, dfm.MustFix, 0},
		"track": {func(k *kit.Kit) {
			k.Hole(10*kit.Milli, 10*kit.Milli, 2*kit.Milli, pcb.NonPlated)
			k.Track("A", 5000, 11298, 15000, 11298, 200)
		}, dfm.MustFix, 1},
		"track, much too close": {func(k *kit.Kit) {
			k.Hole(10*kit.Milli, 10*kit.Milli, 2*kit.Milli, pcb.NonPlated)
			k.Track("A", 5000, 11150, 15000, 11150, 200)
		}, dfm.MustFix, 1},
		"pour, much too close": {func(k *kit.Kit) {
			k.Hole(10*kit.Milli, 10*kit.Milli, 2*kit.Milli, pcb.NonPlated)
			k.Area("A", kit.Poly(5000, 11050, 15000, 11050, 15000, 15000, 5000, 15000))
			k.AddVia("A", 6000, 14000, 600, 300)
		}, dfm.Warning, 1},
		"pour": {func(k *kit.Kit) {
			k.Hole(10*kit.Milli, 10*kit.Milli, 2*kit.Milli, pcb.NonPlated)
			k.Area("A", kit.Poly(5000, 11100, 15000, 11100, 15000, 15000, 5000, 15000), nil...)
			k.AddVia("A", 6000, 14000, 600, 300)
		}, dfm.Warning, 1},
		"its own pad": {func(k *kit.Kit) {
			k.Hole(10*kit.Milli, 10*kit.Milli, 2*kit.Milli, pcb.NonPlated)
			k.Top.Flash(geom.Pt(10*kit.Milli, 10*kit.Milli), artwork.Circle(3*kit.Milli), 0, false, k.NetMeta("A"))
			k.Track("A", 10000, 10000, 15000, 10000, 300)
		}, dfm.MustFix, 0},
		"drilled through": {func(k *kit.Kit) {
			k.Hole(10*kit.Milli, 10*kit.Milli, 2*kit.Milli, pcb.NonPlated)
			k.Track("A", 5000, 10000, 15000, 10000, 300)
		}, dfm.MustFix, 1},
		"plated, of another net, no pad here": {func(k *kit.Kit) {
			h := k.Hole(10*kit.Milli, 10*kit.Milli, kit.Milli/2, pcb.Plated)
			h.Net = k.Net("B")
			k.Bottom.Flash(geom.Pt(10*kit.Milli, 10*kit.Milli), artwork.Circle(kit.Milli), 0, false, k.NetMeta("B"))
			k.Track("A", 5000, 10500, 15000, 10500, 200)
		}, dfm.MustFix, 1},
		"plated, of another net, with a pad": {func(k *kit.Kit) {
			k.AddVia("B", 10000, 10000, 600, 500)
			k.Track("A", 5000, 10500, 15000, 10500, 200)
		}, dfm.Warning, 1},
		"plated, of the same net": {func(k *kit.Kit) {
			k.AddVia("A", 10000, 10000, 600, 500)
			k.Track("A", 5000, 10500, 15000, 10500, 200)
		}, dfm.MustFix, 0},
		"blind, on other layers": {func(k *kit.Kit) {
			h := k.Hole(10*kit.Milli, 10*kit.Milli, kit.Milli/2, pcb.NonPlated)
			h.From, h.To = 2, 2
			k.Track("A", 5000, 10300, 15000, 10300, 200)
		}, dfm.MustFix, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			tt.draw(k)
			r := k.Judge(conductor.ToHole.Run, of)
			kit.WantBad(t, &r, dfm.CopperToHole, tt.level, tt.count)
			if tt.count == 0 && len(r.Findings) > 0 {
				t.Errorf("findings: %+v, want none", r.Findings)
			}
		})
	}
}

func TestAcidTraps(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		draw  func(k *kit.Kit)
		count int
	}{
		"right angle": {func(k *kit.Kit) { k.Track("A", 5000, 5000, 9000, 5000, 200); k.Track("A", 5000, 5000, 5000, 9000, 200) }, 0},
		"sharp":       {func(k *kit.Kit) { k.Track("A", 5000, 5000, 9000, 5000, 200); k.Track("A", 5000, 5000, 9000, 6500, 200) }, 1},
		"in a pad": {func(k *kit.Kit) {
			k.Pad(5*kit.Milli, 5*kit.Milli, 3*kit.Milli, 0, "A")
			k.Track("A", 5000, 5000, 9000, 5000, 200)
			k.Track("A", 5000, 5000, 9000, 6500, 200)
		}, 0},
		"out of a pour, sharp": {func(k *kit.Kit) {
			k.Area("A", kit.Poly(5000, 5000, 15000, 5000, 15000, 10000, 5000, 10000))
			k.Track("A", 10000, 9000, 18000, 11500, 200)
			k.AddVia("A", 18000, 11500, 600, 300)
		}, 1},
		"out of a pour, straight": {func(k *kit.Kit) {
			k.Area("A", kit.Poly(5000, 5000, 15000, 5000, 15000, 10000, 5000, 10000))
			k.Track("A", 10000, 9000, 10500, 15000, 200)
			k.AddVia("A", 10500, 15000, 600, 300)
		}, 0},
		"short stub": {func(k *kit.Kit) { k.Track("A", 5000, 5000, 9000, 5000, 200); k.Track("A", 5000, 5000, 5200, 5075, 200) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.AddVia("A", 9000, 5000, 600, 300)
			tt.draw(k)
			r := k.Judge(conductor.AcidTrap.Run, nil)
			kit.Want(t, &r, dfm.AcidTrap, dfm.Note, tt.count)
		})
	}
}

func TestViasInPads(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		draw  func(k *kit.Kit)
		level dfm.Level
		count int
	}{
		"beside": {func(k *kit.Kit) {
			k.Pad(5*kit.Milli, 5*kit.Milli, kit.Milli, 0, "A")
			k.AddVia("A", 6000, 5000, 600, 300)
		}, dfm.Warning, 0},
		"in": {func(k *kit.Kit) {
			k.Pad(5*kit.Milli, 5*kit.Milli, kit.Milli, 0, "A")
			k.AddVia("A", 5200, 5000, 600, 300)
		}, dfm.Warning, 1},
		"in a large pad": {func(k *kit.Kit) {
			k.Pad(5*kit.Milli, 5*kit.Milli, 3*kit.Milli, 0, "A")
			k.AddVia("A", 5200, 5000, 600, 300)
			k.AddVia("A", 4200, 5000, 600, 300)
		}, dfm.Note, 2},
		"filled": {func(k *kit.Kit) {
			k.Pad(5*kit.Milli, 5*kit.Milli, kit.Milli, 0, "A")
			k.AddVia("A", 5200, 5000, 600, 300)
			k.Facts.ViaProcess = pcb.State("filled and capped", pcb.Source{}, 1, "")
		}, dfm.Warning, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			tt.draw(k)
			r := k.Judge(viasInPads, nil)
			kit.Want(t, &r, dfm.ViaInPad, tt.level, tt.count)
			if tt.count == 0 && len(r.Findings) > 0 {
				t.Errorf("findings: %+v, want none", r.Findings)
			}
		})
	}
}

// TestRingInPlane: a hole that is joined to a plane given as a negative has no pad there.
// A line that parts the plane, or its edge, may lie close on one side of it.
func TestRingInPlane(t *testing.T) {
	t.Parallel()
	of := map[dfm.Name]int64{dfm.ViaRing: 50 * kit.Micron}
	for name, tt := range map[string]struct {
		draw  func(s *artwork.Sheet)
		count int
	}{
		"nothing near": {func(*artwork.Sheet) {}, 0},
		"a line beside it": {func(s *artwork.Sheet) {
			s.Line(geom.Pt(5270*kit.Micron, 0), geom.Pt(5270*kit.Micron, 30*kit.Milli), 200*kit.Micron, artwork.Meta{})
		}, 0},
		"lines on all sides": {func(s *artwork.Sheet) {
			for _, d := range []int64{-270, 270} {
				s.Line(geom.Pt((5000+d)*kit.Micron, 4*kit.Milli), geom.Pt((5000+d)*kit.Micron, 6*kit.Milli), 200*kit.Micron, artwork.Meta{})
				s.Line(geom.Pt(4*kit.Milli, (5000+d)*kit.Micron), geom.Pt(6*kit.Milli, (5000+d)*kit.Micron), 200*kit.Micron, artwork.Meta{})
			}
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Bottom.Layer.Order = 3
			in := artwork.NewSheet("L2", "l2.art", pcb.RoleCopper, pcb.Inner)
			in.Layer.Order, in.Layer.Negative = 2, true
			k.Layers = append(k.Layers, in.Layer)
			k.AddVia("A", 5000, 5000, 800, 300)
			tt.draw(in)
			r := rings(context.Background(), measure.New(context.Background(), k.Board, dfm.Options{Limits: dfm.Limits{
				Outer: kit.Limits(of).Outer, Inner: kit.Limits(of).Outer}}))
			kit.Want(t, &r, dfm.ViaRing, dfm.MustFix, tt.count)
		})
	}
}
