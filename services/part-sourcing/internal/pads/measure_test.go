package pads_test

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/pads"
	"boardorder/services/part-sourcing/internal/placement"
)

// A rect is a pad of a land pattern, in micrometres from its middle.
type rect struct{ x, y, w, h int64 }

// chipLand are the two pads of a chip, so far apart, moved by x and y.
func chipLand(pitch, x, y int64) []rect {
	return []rect{{x - pitch/2, y, 800, 950}, {x + pitch/2, y, 800, 950}}
}

// rowsLand are pads in rows on two or four sides, and one of exposed size in the middle.
func rowsLand(sides, each int, pitch, span, exposed int64) (out []rect) {
	for i := range int64(each) {
		at := i*pitch - int64(each-1)*pitch/2
		out = append(out, rect{-span / 2, at, 1500, pitch / 2}, rect{span / 2, at, 1500, pitch / 2})
		if sides == 4 {
			out = append(out, rect{at, -span / 2, pitch / 2, 1500}, rect{at, span / 2, pitch / 2, 1500})
		}
	}
	if exposed > 0 {
		out = append(out, rect{0, 0, exposed, exposed})
	}
	return out
}

// move gives pads moved in x.
func move(list []rect, by int64) []rect {
	for i := range list {
		list[i].x += by
	}
	return list
}

// landBoard is a board without names of parts, with these pads round (30, 20) mm, on films
// of these kinds.
func landBoard(list []rect, roles ...pcb.Role) *pcb.Board {
	b := pcb.NewBoard("b")
	for _, role := range roles {
		l := pcb.NewLayer(string(role), string(role))
		l.Role, l.Side = role, pcb.Top
		for i, r := range list {
			l.Apertures = append(l.Apertures, pcb.Rect(r.w*1000, r.h*1000))
			l.Features = append(l.Features, pcb.Feature{Kind: pcb.FlashFeature, Shape: int32(i), A: geom.Pt(30*mm+r.x*1000, 20*mm+r.y*1000)})
		}
		b.Layers = append(b.Layers, l)
	}
	return b
}

// TestMeasure: a part is excluded where the pads round its place can plainly not be its land
// pattern, and nowhere else.
func TestMeasure(t *testing.T) {
	t.Parallel()
	sot23 := []rect{{-1000, 950, 600, 700}, {-1000, -950, 600, 700}, {1000, 0, 600, 700}}
	crowd := append(append(chipLand(1600, 0, 0), chipLand(1600, 3000, 500)...), chipLand(1600, -700, 2500)...)
	for name, tt := range map[string]struct {
		pads []rect
		part string
		want bool // it is excluded
	}{
		"LQFP-48 on two pads":                     {chipLand(1600, 0, 0), "LQFP-48", true},
		"LQFP-48 on two pads among others":        {crowd, "LQFP-48_7x7mm_P0.5mm", true},
		"LQFP-48 on nothing":                      {chipLand(1600, 25_000, 0), "LQFP-48", true},
		"SOT-23 on two pads":                      {chipLand(1600, 0, 0), "SOT-23", true},
		"SOT-23-6 on two pads among others":       {crowd, "SOT-23-6", true},
		"SOIC-8 on two pads":                      {chipLand(1900, 0, 0), "SOIC-8", true},
		"0603 on 48 pads":                         {rowsLand(4, 12, 500, 8500, 0), "0603", true},
		"0603 on 48 pads, one in the middle":      {rowsLand(4, 12, 500, 7000, 5000), "0603", true},
		"SOD-123 on 48 pads":                      {rowsLand(4, 12, 500, 8500, 0), "SOD-123", true},
		"LQFP-100 on eight pads":                  {rowsLand(2, 4, 1270, 5400, 0), "TQFP-100", true},
		"LQFP-48 on its pads":                     {rowsLand(4, 12, 500, 8500, 0), "LQFP-48", false},
		"odd rows":                                {rowsLand(4, 13, 500, 8500, 0), "LQFP-52", false},
		"QFN-48 with an exposed pad":              {rowsLand(4, 12, 500, 7000, 5000), "QFN-48-1EP_7x7mm", false},
		"exposed pad in two windows":              {append(rowsLand(2, 4, 500, 2900, 0), rect{0, -500, 900, 700}, rect{0, 500, 900, 700}), "DFN-8", false},
		"drain pins of one pad":                   {append(rowsLand(2, 1, 1270, 0, 0)[:0], rect{-2700, -1900, 800, 600}, rect{-2700, -630, 800, 600}, rect{-2700, 630, 800, 600}, rect{-2700, 1900, 800, 600}, rect{900, 0, 4000, 4500}), "PowerPAK SO-8", false},
		"SOT-23 on its pads":                      {sot23, "SOT-23", false},
		"SOT-23 on its pads between others":       {append(append(sot23[:3:3], chipLand(1600, 0, 2600)...), chipLand(1600, 0, -2600)...), "SOT-23-3", false},
		"SOT-23-5":                                {append(rowsLand(2, 3, 950, 2200, 0)[:5], chipLand(1600, 3500, 0)...), "SOT-23-5", false},
		"SOT-223":                                 {[]rect{{-3150, 2300, 2000, 1500}, {-3150, 0, 2000, 1500}, {-3150, -2300, 2000, 1500}, {3150, 0, 2000, 3800}}, "SOT-223", false},
		"SOIC-8":                                  {rowsLand(2, 4, 1270, 5400, 0), "SOIC-8", false},
		"0603 on its pads":                        {chipLand(1600, 0, 0), "0603", false},
		"0603 on its pads between two connectors": {append(rowsLand(2, 20, 500, 9000, 0), chipLand(1600, 0, 0)...), "0603", false},
		"SOT-23 placed between two of its pads":   {[]rect{{0, 950, 900, 800}, {0, -950, 900, 800}, {2000, 0, 900, 800}}, "SOT23_3", false},
		"QFN-56 placed in a row of its pads":      {move(rowsLand(4, 14, 400, 7000, 5500), 3500), "QFN-56", false},
		"0603 array of eight pads":                {append(rowsLand(2, 4, 800, 1800, 0), rowsLand(2, 8, 800, 9000, 0)...), "0603x4", false},
		"a pad drawn as an area":                  {append(chipLand(1600, 0, 0)[:1], rowsLand(2, 20, 500, 9000, 0)...), "0603", false},
		"SON drawn as areas":                      {chipLand(1600, 7000, 0), "SON-8", false},
		"0603 beside its place":                   {chipLand(1600, 3000, 0), "0603", false}, // placements as a whole tell
		"package not known":                       {chipLand(1600, 0, 0), "MODULE-48P", false},
		"connector, fewer pads used":              {rowsLand(2, 4, 1000, 3000, 0), "Conn_02x10_SMD", false},
		"DIP, whose pads are drilled":             {chipLand(1600, 0, 0), "DIP-8", false},
	} {
		p := pads.Gather(landBoard(tt.pads, pcb.RolePaste, pcb.RoleCopper), geom.Box{Max: geom.Pt(60*mm, 40*mm)})
		l := p.Measure(placement.Part{Ref: "X1", Side: placement.Top, At: geom.Pt(30*mm, 20*mm)})
		if l == nil {
			t.Errorf("%s: nothing was measured, want a land", name)
			continue
		}
		if why := l.Exclude(casecode.Parse(tt.part)); (why != "") != tt.want {
			t.Errorf("%s: %s on %d pads (%+v) is excluded for %q; want excluded %t", name, tt.part, len(tt.pads), *l, why, tt.want)
		}
	}
}

// TestMeasureNothing: without a stencil, and of a part whose side is not known, nothing is said.
func TestMeasureNothing(t *testing.T) {
	t.Parallel()
	frame, at := geom.Box{Max: geom.Pt(60*mm, 40*mm)}, placement.Part{Ref: "U1", Side: placement.Top, At: geom.Pt(30*mm, 20*mm)}
	if l := pads.Gather(landBoard(chipLand(1600, 0, 0), pcb.RoleMask, pcb.RoleCopper), frame).Measure(at); l != nil {
		t.Errorf("without a stencil: %+v, want nothing", *l)
	}
	at.Side = placement.Unknown
	if l := pads.Gather(landBoard(chipLand(1600, 0, 0), pcb.RolePaste), frame).Measure(at); l != nil {
		t.Errorf("of no side: %+v, want nothing", *l)
	}
}
