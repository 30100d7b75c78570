package odb

import (
	"math"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const um = geom.Micrometre

// TestStandardSymbols holds the box of each standard symbol, in micrometres, to the
// sizes that its name gives.
func TestStandardSymbols(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]int64{
		"r500":                       {500, 500},
		"R500":                       {500, 500}, // names come in capitals too
		"r0.5":                       {0, 0},     // half a micrometre
		"s500":                       {500, 500},
		"rect1000x500":               {1000, 500},
		"rect1000x500xr50":           {1000, 500},
		"rect1000x500xc50":           {1000, 500},
		"rect1000x500xr50x13":        {1000, 500},
		"rect1000x500xc50x24":        {1000, 500},
		"oval1000x500":               {1000, 500},
		"oval500x1000":               {500, 1000},
		"oval_h1000x500":             {1000, 500},
		"di1000x500":                 {1000, 500},
		"oct1000x500x100":            {1000, 500},
		"tri1000x500":                {1000, 500},
		"el1000x500":                 {1000, 500},
		"hex_l1000x500x100":          {1000, 500},
		"hex_s500x1000x100":          {500, 1000},
		"donut_r1000x500":            {1000, 1000},
		"donut_s1000x500":            {1000, 1000},
		"donut_sr1000x500":           {1000, 1000},
		"donut_rc1000x600x100":       {1000, 600},
		"donut_o1000x600x100":        {1000, 600},
		"bfr1000":                    {1000, 1000},
		"bfs1000":                    {1000, 1000},
		"moire50x50x3x20x600x0":      {600, 600},
		"rc_ths1000x600x0x4x100x80":  {1000, 600},
		"rc_tho1000x600x45x4x100x80": {1000, 600},
		"o_ths1000x600x0x4x100x80":   {1000, 600},
		"hole300xpx0x0":              {300, 300},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, empty, ok := standardSymbol(name, float64(um))
			if name == "hole300xpx0x0" { // its plating is no number, and no fabricator draws it
				if ok {
					t.Error("was read")
				}
				return
			}
			if !ok || empty {
				t.Fatalf("read %v, empty %v; want true, false", ok, empty)
			}
			a := s.Build()
			const slack = 12 // micrometres that circles made of chords may miss
			if w, h := a.Box.Width()/um, a.Box.Height()/um; w < want[0]-slack || w > want[0]+slack || h < want[1]-slack || h > want[1]+slack {
				t.Errorf("%d × %d µm, want %d × %d", w, h, want[0], want[1])
			}
			if s.Key == "" {
				t.Error("has no key to be told by")
			}
		})
	}
}

// TestSymbolUnits: the numbers are mils or micrometres.
func TestSymbolUnits(t *testing.T) {
	t.Parallel()
	for unit, want := range map[float64]int64{nmPerInch / 1000: 254_000, nmPerMM / 1000: 10_000} {
		s, _, ok := standardSymbol("r10", unit)
		if a := s.Build(); !ok || a.Kind != pcb.CircleShape || a.X != want {
			t.Errorf("r10 in %v nm: %+v, want %d", unit, a, want)
		}
	}
}

func TestSymbolsThatDrawNothing(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"null1", "null25", "hole0"} {
		if _, empty, ok := standardSymbol(name, float64(um)); !ok || !empty {
			t.Errorf("%s: read %v, empty %v; want both", name, ok, empty)
		}
	}
}

// TestSymbolsUnknown: names that are no standard symbol are the job's own, or are said
// to be missing; nothing is guessed.
func TestSymbolsUnknown(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "r", "rect", "round50", "rx10", "r10x", "rectx", "rect10xx20", "rect10x20xr", "rect10x20xrq", "r1e400", "rnan", "donut_x10x5", "logo", "s-5", "10", "rect35.5x27.5_111", "s20_225", "rect100x60xr5_30", "1_0"} {
		if s, empty, ok := standardSymbol(name, float64(um)); ok || empty {
			t.Errorf("%q is %+v, want no standard symbol", name, s)
		}
	}
}

// TestDonutsHaveHoles: what rings leave out is left out.
func TestDonutsHaveHoles(t *testing.T) {
	t.Parallel()
	for name, hole := range map[string]float64{ // area of the hole, in square micrometres
		"donut_r1000x500":      math.Pi * 250 * 250,
		"donut_s1000x500":      500 * 500,
		"donut_sr1000x500":     math.Pi * 250 * 250,
		"donut_rc1000x600x100": 800 * 400,
	} {
		s, _, ok := standardSymbol(name, float64(um))
		if !ok {
			t.Fatalf("%s is not read", name)
		}
		a, clear := s.Build(), 0.0
		for i := range a.Primitives {
			p := &a.Primitives[i]
			if !p.Clear {
				continue
			}
			if p.Kind == pcb.AreaPrimitive {
				clear += math.Abs(p.Area.Area()) / 1e6
			} else {
				clear += math.Pi * float64(p.Radius) * float64(p.Radius) / 1e6
			}
		}
		if len(a.Primitives) > 1 && math.Abs(clear-hole) > hole/50 {
			t.Errorf("%s leaves out %.0f µm², want %.0f", name, clear, hole)
		}
	}
}

func TestDimensions(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]struct {
		raw         []float64
		radius, cut float64
		which       string
	}{
		"60":            {raw: []float64{60}},
		"60x30":         {raw: []float64{60, 30}},
		"60.5x.5":       {raw: []float64{60.5, 0.5}},
		"60x30xr5":      {raw: []float64{60, 30}, radius: 5},
		"60x30xc7.5":    {raw: []float64{60, 30}, cut: 7.5},
		"60x30xr5x1234": {raw: []float64{60, 30}, radius: 5, which: "1234"},
	} {
		d, ok := parseDimensions(in, 1)
		same := ok && len(d.raw) == len(want.raw) && d.radius == want.radius && d.cut == want.cut && d.which == want.which
		for i := range want.raw {
			same = same && d.raw[i] == want.raw[i]
		}
		if !same {
			t.Errorf("%q: %+v %v, want %+v", in, d, ok, want)
		}
	}
	d, _ := parseDimensions("60x-30", 1000)
	if d.length(0) != 60_000 || d.length(1) != 0 || d.length(9) != 0 || d.number(9) != 0 {
		t.Errorf("lengths of 60x-30 in µm: %d, %d, %d; want 60000, 0, 0", d.length(0), d.length(1), d.length(9))
	}
}

// TestTurnedSymbols: a name that says by how much a symbol is turned clockwise is that
// symbol turned.
func TestTurnedSymbols(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]int64{ // extents in micrometres
		"rect1000x600_90":   {600, 1000},
		"rect1000x600_0":    {1000, 600},
		"rect1000x600_450":  {},
		"rect1000x600_x":    {},
		"rect1000x600":      {},
		"logo_90":           {},
		"s1000_45":          {1414, 1414},
		"rect1000x600_30.0": {1166, 1020},
	} {
		s, _, ok := rotateSymbol(name, float64(um))
		if ok != (want != [2]int64{}) {
			t.Errorf("%s: read %v, want size %v", name, ok, want)
		}
		if !ok {
			continue
		}
		a := s.Build()
		if w, h := a.Box.Width()/um, a.Box.Height()/um; w < want[0]-1 || w > want[0]+1 || h < want[1]-1 || h > want[1]+1 {
			t.Errorf("%s is %d × %d µm, want %d × %d", name, w, h, want[0], want[1])
		}
	}
	// Clockwise: the corner at the upper right of a long bar comes down.
	s, _, _ := rotateSymbol("rect1000x2_30", float64(um))
	for _, p := range s.Build().Primitives[0].Area.Points {
		if p.X > 400*um && p.Y > 0 {
			t.Errorf("turned clockwise, the corner at the upper right is at %v, want it below 0", p)
		}
	}
}
