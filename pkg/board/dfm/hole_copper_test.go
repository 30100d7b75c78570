package dfm

import (
	"slices"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

func TestHoleSpacing(t *testing.T) {
	t.Parallel()
	of := map[Name]int64{HoleToHole: 200 * micron, ComponentHoleToHole: 450 * micron}
	type hole struct {
		x, d     int64 // micrometres
		plating  board.Plating
		function board.Function
	}
	via, pin := board.FuncViaDrill, board.FuncComponentDrill
	for name, tt := range map[string]struct {
		a, b  hole
		check Name
		level Level
		count int
	}{
		"vias":                       {hole{5000, 300, board.Plated, via}, hole{5500, 300, board.Plated, via}, HoleToHole, MustFix, 0},
		"vias too close":             {hole{5000, 300, board.Plated, via}, hole{5498, 300, board.Plated, via}, HoleToHole, MustFix, 1},
		"leads":                      {hole{5000, 800, board.Plated, pin}, hole{6248, 800, board.Plated, pin}, ComponentHoleToHole, MustFix, 1},
		"lead and via":               {hole{5000, 800, board.Plated, pin}, hole{5800, 300, board.Plated, via}, ComponentHoleToHole, MustFix, 0},
		"vias under a part":          {hole{5000, 300, board.Plated, pin}, hole{5600, 300, board.Plated, pin}, ComponentHoleToHole, MustFix, 0},
		"row that is meant to break": {hole{5000, 500, board.NonPlated, 0}, hole{5600, 500, board.NonPlated, 0}, HoleToHole, Warning, 1},
		"one drilled over another":   {hole{5000, 300, board.Plated, via}, hole{5100, 300, board.Plated, via}, HoleToHole, Note, 1},
		"the same hole twice":        {hole{5000, 300, board.Plated, via}, hole{5000, 300, board.Plated, via}, HoleToHole, Note, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			for _, h := range []hole{tt.a, tt.b} {
				k.hole(h.x*micron, 5*milli, h.d*micron, h.plating).Function = h.function
			}
			r := k.judge(holeSpacing, of)
			r.wantBad(t, tt.check, tt.level, tt.count)
			if tt.count == 0 && len(r.findings) > 0 {
				t.Errorf("findings: %+v", r.findings)
			}
		})
	}
}

func TestHolesOfDifferentLayersDoNotMeet(t *testing.T) {
	t.Parallel()
	k := newKit()
	a, b := k.hole(5*milli, 5*milli, 200*micron, board.Plated), k.hole(5300*micron, 5*milli, 200*micron, board.Plated)
	k.Holes[0].From, k.Holes[0].To = 1, 2
	b.From, b.To = 3, 4
	_ = a
	r := k.judge(holeSpacing, map[Name]int64{HoleToHole: 200 * micron})
	r.wantBad(t, HoleToHole, MustFix, 0)
	b.From = 1
	r = k.judge(holeSpacing, map[Name]int64{HoleToHole: 200 * micron})
	r.wantBad(t, HoleToHole, MustFix, 1)
}

// wantBad is want for faults that must be fixed, or are warned of when they miss the
// limit by little: see margins. Lower levels have to be met.
func (r *result) wantBad(t *testing.T, n Name, level Level, count int) Finding {
	t.Helper()
	if level == MustFix && !slices.ContainsFunc(r.findings, func(f Finding) bool { return f.Check == n && f.Level == MustFix }) {
		level = Warning
	}
	return r.want(t, n, level, count)
}

func TestHoleEdges(t *testing.T) {
	t.Parallel()
	of := map[Name]int64{HoleToEdge: 300 * micron, CastellationSize: 500 * micron}
	for name, tt := range map[string]struct {
		y, d    int64 // micrometres
		plating board.Plating
		check   Name
		level   Level
		count   int
	}{
		"far enough":            {800, 1000, board.NonPlated, HoleToEdge, MustFix, 0},
		"close":                 {798, 1000, board.NonPlated, HoleToEdge, MustFix, 1},
		"cut, non-plated":       {200, 1000, board.NonPlated, HoleToEdge, Note, 1},
		"half hole":             {0, 600, board.Plated, Castellation, Note, 1},
		"small half hole":       {0, 400, board.Plated, CastellationSize, MustFix, 1},
		"nicked, plated":        {400, 1000, board.Plated, HoleToEdge, MustFix, 1},
		"via right on the edge": {0, 200, board.Plated, HoleToEdge, MustFix, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			k.hole(10*milli, tt.y*micron, tt.d*micron, tt.plating)
			r := k.judge(holeEdges, of)
			r.wantBad(t, tt.check, tt.level, tt.count)
			if tt.count == 0 && len(r.findings) > 0 {
				t.Errorf("findings: %+v", r.findings)
			}
		})
	}
}

func TestRings(t *testing.T) {
	t.Parallel()
	of := map[Name]int64{AnnularRing: 150 * micron, ViaRing: 100 * micron, NPTHRing: 200 * micron}
	at := geom.Pt(10*milli, 10*milli)
	both := func(k *kit, s artwork.Shape, shift int64, m artwork.Meta) {
		for _, sheet := range []*artwork.Sheet{k.top, k.bottom} {
			sheet.Flash(at.Add(geom.Pt(shift*micron, 0)), s, 0, false, m)
		}
	}
	pin := artwork.Meta{Function: board.FuncComponentPad}
	lead := func(k *kit, d int64, p board.Plating) *board.Hole {
		h := k.hole(at.X, at.Y, d*micron, p)
		h.Function = board.FuncComponentDrill
		return h
	}
	for name, tt := range map[string]struct {
		draw  func(k *kit)
		check Name
		level Level
		value int64 // micrometres; 0 for no finding
	}{
		"round":         {func(k *kit) { lead(k, 1000, board.Plated); both(k, artwork.Circle(1300*micron), 0, pin) }, AnnularRing, MustFix, 0},
		"round, narrow": {func(k *kit) { lead(k, 1000, board.Plated); both(k, artwork.Circle(1290*micron), 0, pin) }, AnnularRing, MustFix, 145},
		"off centre":    {func(k *kit) { lead(k, 1000, board.Plated); both(k, artwork.Circle(1400*micron), 60, pin) }, AnnularRing, MustFix, 140},
		"breaks out":    {func(k *kit) { lead(k, 1000, board.Plated); both(k, artwork.Circle(1200*micron), 150, pin) }, AnnularRing, MustFix, -50},
		"square":        {func(k *kit) { lead(k, 1000, board.Plated); both(k, artwork.Rect(1280*micron, 2*milli), 0, pin) }, AnnularRing, MustFix, 140},
		"oblong":        {func(k *kit) { lead(k, 1000, board.Plated); both(k, artwork.Obround(2*milli, 1280*micron), 300, pin) }, AnnularRing, MustFix, 140},
		"drawn with its hole": {func(k *kit) {
			lead(k, 1000, board.Plated)
			both(k, artwork.Donut(1280*micron, 1000*micron, false), 0, pin)
		}, AnnularRing, MustFix, 140},
		"no pad below": {func(k *kit) {
			lead(k, 1000, board.Plated)
			k.top.Flash(at, artwork.Circle(1400*micron), 0, false, pin)
		}, AnnularRing, MustFix, 0},
		"inside a pour": {func(k *kit) {
			lead(k, 1000, board.Plated)
			both(k, artwork.Circle(1200*micron), 0, pin)
			for _, s := range []*artwork.Sheet{k.top, k.bottom} {
				s.Region(geom.Polygon{Outer: poly(8000, 8000, 12000, 8000, 12000, 12000, 8000, 12000)}, artwork.Meta{})
			}
		}, AnnularRing, MustFix, 0},
		"painted": {func(k *kit) {
			lead(k, 1000, board.Plated)
			for _, s := range []*artwork.Sheet{k.top, k.bottom} {
				for y := int64(-900); y <= 900; y += 100 {
					s.Line(at.Add(geom.Pt(-milli, y*micron)), at.Add(geom.Pt(milli, y*micron)), 150*micron, artwork.Meta{})
				}
				s.Flash(at, artwork.Circle(500*micron), 0, false, pin)
			}
		}, AnnularRing, MustFix, 0},
		"slot": {func(k *kit) {
			h := lead(k, 1000, board.Plated)
			h.Kind, h.A, h.B = board.SlotHole, at.Sub(geom.Pt(milli, 0)), at.Add(geom.Pt(milli, 0))
			both(k, artwork.Obround(3280*micron, 1280*micron), 0, pin)
		}, AnnularRing, MustFix, 140},
		"via":                            {func(k *kit) { k.via("A", 10000, 10000, 500, 310) }, ViaRing, MustFix, 95},
		"bare":                           {func(k *kit) { lead(k, 1000, board.NonPlated); both(k, artwork.Circle(1300*micron), 0, pin) }, NPTHRing, MustFix, 150},
		"bare, no pad":                   {func(k *kit) { lead(k, 1000, board.NonPlated); both(k, artwork.Circle(1000*micron), 0, pin) }, NPTHRing, MustFix, 0},
		"plated, pad of the hole's size": {func(k *kit) { lead(k, 3000, board.Plated); both(k, artwork.Circle(3000*micron), 0, pin) }, AnnularRing, Warning, 0},
		"nobody says whether plated, pad of the hole's size": {func(k *kit) {
			lead(k, 3000, board.PlatingUnknown)
			both(k, artwork.Circle(3000*micron), 0, pin)
		}, AnnularRing, MustFix, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			tt.draw(k)
			r := k.judge(rings, of)
			count := 0
			if tt.value != 0 || tt.level == Warning {
				count = 1
			}
			f := r.wantBad(t, tt.check, tt.level, count)
			if d := f.Value - tt.value*micron; tt.value != 0 && max(d, -d) > 1000 {
				t.Errorf("ring %d, want %d µm", f.Value, tt.value)
			}
			if count == 0 && len(r.findings) > 0 {
				t.Errorf("findings: %+v", r.findings)
			}
		})
	}
}

func TestCopperHoles(t *testing.T) {
	t.Parallel()
	of := map[Name]int64{CopperToHole: 200 * micron}
	for name, tt := range map[string]struct {
		draw  func(k *kit)
		level Level
		count int
	}{
		"far enough": {func(k *kit) {
			k.hole(10*milli, 10*milli, 2*milli, board.NonPlated)
			k.track("A", 5000, 11300, 15000, 11300, 200)
		}, MustFix, 0},
		"track": {func(k *kit) {
			k.hole(10*milli, 10*milli, 2*milli, board.NonPlated)
			k.track("A", 5000, 11298, 15000, 11298, 200)
		}, MustFix, 1},
		"track, much too close": {func(k *kit) {
			k.hole(10*milli, 10*milli, 2*milli, board.NonPlated)
			k.track("A", 5000, 11150, 15000, 11150, 200)
		}, MustFix, 1},
		"pour, much too close": {func(k *kit) {
			k.hole(10*milli, 10*milli, 2*milli, board.NonPlated)
			k.area("A", poly(5000, 11050, 15000, 11050, 15000, 15000, 5000, 15000))
			k.via("A", 6000, 14000, 600, 300)
		}, Warning, 1},
		"pour": {func(k *kit) {
			k.hole(10*milli, 10*milli, 2*milli, board.NonPlated)
			k.area("A", poly(5000, 11100, 15000, 11100, 15000, 15000, 5000, 15000), nil...)
			k.via("A", 6000, 14000, 600, 300)
		}, Warning, 1},
		"its own pad": {func(k *kit) {
			k.hole(10*milli, 10*milli, 2*milli, board.NonPlated)
			k.top.Flash(geom.Pt(10*milli, 10*milli), artwork.Circle(3*milli), 0, false, k.net("A"))
			k.track("A", 10000, 10000, 15000, 10000, 300)
		}, MustFix, 0},
		"drilled through": {func(k *kit) {
			k.hole(10*milli, 10*milli, 2*milli, board.NonPlated)
			k.track("A", 5000, 10000, 15000, 10000, 300)
		}, MustFix, 1},
		"plated, of another net, no pad here": {func(k *kit) {
			h := k.hole(10*milli, 10*milli, milli/2, board.Plated)
			h.Net = k.Net("B")
			k.bottom.Flash(geom.Pt(10*milli, 10*milli), artwork.Circle(milli), 0, false, k.net("B"))
			k.track("A", 5000, 10500, 15000, 10500, 200)
		}, MustFix, 1},
		"plated, of another net, with a pad": {func(k *kit) {
			k.via("B", 10000, 10000, 600, 500)
			k.track("A", 5000, 10500, 15000, 10500, 200)
		}, Warning, 1},
		"plated, of the same net": {func(k *kit) {
			k.via("A", 10000, 10000, 600, 500)
			k.track("A", 5000, 10500, 15000, 10500, 200)
		}, MustFix, 0},
		"blind, on other layers": {func(k *kit) {
			h := k.hole(10*milli, 10*milli, milli/2, board.NonPlated)
			h.From, h.To = 2, 2
			k.track("A", 5000, 10300, 15000, 10300, 200)
		}, MustFix, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			tt.draw(k)
			r := k.judge(copperHoles, of)
			r.wantBad(t, CopperToHole, tt.level, tt.count)
			if tt.count == 0 && len(r.findings) > 0 {
				t.Errorf("findings: %+v", r.findings)
			}
		})
	}
}

func TestAcidTraps(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		draw  func(k *kit)
		count int
	}{
		"right angle": {func(k *kit) { k.track("A", 5000, 5000, 9000, 5000, 200); k.track("A", 5000, 5000, 5000, 9000, 200) }, 0},
		"sharp":       {func(k *kit) { k.track("A", 5000, 5000, 9000, 5000, 200); k.track("A", 5000, 5000, 9000, 6500, 200) }, 1},
		"in a pad": {func(k *kit) {
			k.pad(5*milli, 5*milli, 3*milli, 0, "A")
			k.track("A", 5000, 5000, 9000, 5000, 200)
			k.track("A", 5000, 5000, 9000, 6500, 200)
		}, 0},
		"out of a pour, sharp": {func(k *kit) {
			k.area("A", poly(5000, 5000, 15000, 5000, 15000, 10000, 5000, 10000))
			k.track("A", 10000, 9000, 18000, 11500, 200)
			k.via("A", 18000, 11500, 600, 300)
		}, 1},
		"out of a pour, straight": {func(k *kit) {
			k.area("A", poly(5000, 5000, 15000, 5000, 15000, 10000, 5000, 10000))
			k.track("A", 10000, 9000, 10500, 15000, 200)
			k.via("A", 10500, 15000, 600, 300)
		}, 0},
		"short stub": {func(k *kit) { k.track("A", 5000, 5000, 9000, 5000, 200); k.track("A", 5000, 5000, 5200, 5075, 200) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			k.via("A", 9000, 5000, 600, 300)
			tt.draw(k)
			r := k.judge(acidTraps, nil)
			r.want(t, AcidTrap, Note, tt.count)
		})
	}
}

func TestViasInPads(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		draw  func(k *kit)
		level Level
		count int
	}{
		"beside": {func(k *kit) { k.pad(5*milli, 5*milli, milli, 0, "A"); k.via("A", 6000, 5000, 600, 300) }, Warning, 0},
		"in":     {func(k *kit) { k.pad(5*milli, 5*milli, milli, 0, "A"); k.via("A", 5200, 5000, 600, 300) }, Warning, 1},
		"in a large pad": {func(k *kit) {
			k.pad(5*milli, 5*milli, 3*milli, 0, "A")
			k.via("A", 5200, 5000, 600, 300)
			k.via("A", 4200, 5000, 600, 300)
		}, Note, 2},
		"filled": {func(k *kit) {
			k.pad(5*milli, 5*milli, milli, 0, "A")
			k.via("A", 5200, 5000, 600, 300)
			k.Facts.ViaProcess = board.State("filled and capped", board.Source{}, 1, "")
		}, Warning, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			tt.draw(k)
			r := k.judge(viasInPads, nil)
			r.want(t, ViaInPad, tt.level, tt.count)
			if tt.count == 0 && len(r.findings) > 0 {
				t.Errorf("findings: %+v", r.findings)
			}
		})
	}
}
