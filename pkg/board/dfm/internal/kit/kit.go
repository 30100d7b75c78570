// Package kit gives tests of rules a small board to draw on, and holds what a rule
// finds there.
package kit

import (
	"context"
	"slices"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// NetMeta is the meta of copper of a net.
func (k *Kit) NetMeta(name string) artwork.Meta { return artwork.Meta{Net: k.Net(name)} }

// Track draws on the top, in micrometres, with a via at its start.
func (k *Kit) Track(net string, x0, y0, x1, y1, width int64) {
	m := k.NetMeta(net)
	m.Function = pcb.FuncConductor
	a, b := geom.Pt(x0*Micron, y0*Micron), geom.Pt(x1*Micron, y1*Micron)
	k.Top.Line(a, b, width*Micron, m)
}

// AddVia joins both layers at a place, in micrometres.
func (k *Kit) AddVia(net string, x, y, pad, drill int64) *pcb.Hole {
	for _, s := range []*artwork.Sheet{k.Top, k.Bottom} {
		s.Flash(geom.Pt(x*Micron, y*Micron), artwork.Circle(pad*Micron), 0, false, artwork.Meta{Net: k.Net(net), Function: pcb.FuncViaPad})
	}
	h := k.Hole(x*Micron, y*Micron, drill*Micron, pcb.Plated)
	h.Function, h.Net = pcb.FuncViaDrill, k.Net(net)
	return h
}

// Area pours copper of a net on the top.
func (k *Kit) Area(net string, outer geom.Path, holes ...geom.Path) {
	m := k.NetMeta(net)
	m.Function = pcb.FuncPour
	k.Top.Region(geom.Polygon{Outer: outer, Holes: holes}, m)
}

// WantBad is want for faults that must be fixed, or are warned of when they miss the
// limit by little: see margins. Lower levels have to be met.
func WantBad(t *testing.T, r *rule.Result, n dfm.Name, level dfm.Level, count int) dfm.Finding {
	t.Helper()
	if level == dfm.MustFix && !slices.ContainsFunc(r.Findings, func(f dfm.Finding) bool { return f.Check == n && f.Level == dfm.MustFix }) {
		level = dfm.Warning
	}
	return Want(t, r, n, level, count)
}

const (
	Micron = geom.Micrometre
	Milli  = geom.Millimetre
)

// A Kit is a board of 40 by 30 mm with two copper layers that tests draw on.
type Kit struct {
	*pcb.Board
	Top, Bottom, Mask, MaskBottom, Silk *artwork.Sheet
}

// New gives an empty board with its outline.
func New() *Kit {
	k := &Kit{
		Board:      pcb.NewBoard("kit"),
		Top:        artwork.NewSheet("top", "top.gbr", pcb.RoleCopper, pcb.Top),
		Bottom:     artwork.NewSheet("bottom", "bottom.gbr", pcb.RoleCopper, pcb.Bottom),
		Mask:       artwork.NewSheet("mask", "mask.gbr", pcb.RoleMask, pcb.Top),
		MaskBottom: artwork.NewSheet("mask bottom", "maskb.gbr", pcb.RoleMask, pcb.Bottom),
		Silk:       artwork.NewSheet("silk", "silk.gbr", pcb.RoleSilk, pcb.Top),
	}
	k.Top.Layer.Order, k.Bottom.Layer.Order = 1, 2
	for _, s := range []*artwork.Sheet{k.Top, k.Bottom, k.Mask, k.MaskBottom, k.Silk} {
		k.Layers = append(k.Layers, s.Layer)
	}
	k.SetOutline(geom.Rect(geom.Box{Max: geom.Pt(40*Milli, 30*Milli)}))
	return k
}

// SetOutline sets the shape of the board.
func (k *Kit) SetOutline(outer geom.Path, cutouts ...geom.Path) *Kit {
	k.Outline = pcb.Outline{Areas: []geom.Polygon{{Outer: outer, Holes: cutouts}}, Closed: true}
	return k
}

// Pad puts a square pad on the top, with an opening larger by grow on every side.
func (k *Kit) Pad(x, y, side, grow int64, net string) {
	k.Top.Flash(geom.Pt(x, y), artwork.Rect(side, side), 0, false, artwork.Meta{Function: pcb.FuncSMDPad, Net: k.Net(net)})
	k.Mask.Flash(geom.Pt(x, y), artwork.Rect(side+2*grow, side+2*grow), 0, false, artwork.Meta{})
}

// Hole drills at x, y.
func (k *Kit) Hole(x, y, d int64, p pcb.Plating) *pcb.Hole {
	k.Holes = append(k.Holes, pcb.Hole{A: geom.Pt(x, y), B: geom.Pt(x, y), Diameter: d, Plating: p})
	return &k.Holes[len(k.Holes)-1]
}

// Limits of which only these checks have one.
func Limits(of map[dfm.Name]int64) dfm.Limits {
	l := dfm.Limits{Outer: map[dfm.Name]dfm.Limit{}}
	for n, v := range of {
		l.Outer[n] = dfm.Limit{Min: v}
	}
	return l
}

// Judge runs one rule.
func (k *Kit) Judge(rule func(context.Context, *measure.Input) rule.Result, of map[dfm.Name]int64) rule.Result {
	return rule(context.Background(), measure.New(context.Background(), k.Board, dfm.Options{Limits: Limits(of)}))
}

// Want holds the findings of a check to a count, 0 for none, and gives the first.
func Want(t *testing.T, r *rule.Result, n dfm.Name, level dfm.Level, count int) dfm.Finding {
	t.Helper()
	total := 0
	var first dfm.Finding
	for _, f := range r.Findings {
		if f.Check == n && f.Level == level {
			if total == 0 {
				first = f
			}
			total += f.Count
		}
	}
	if total != count {
		t.Errorf("%s %s: %d, want %d; all findings: %+v", level, n, total, count, r.Findings)
	}
	return first
}

// ValueOf gives the value of a measure.
func ValueOf(t *testing.T, r *rule.Result, n dfm.Name) int64 {
	t.Helper()
	for _, m := range r.Measures {
		if m.Check == n {
			return m.Place.Value
		}
	}
	t.Errorf("%s was not measured", n)
	return 0
}

// Poly is a closed path through points given in micrometres.
func Poly(xy ...int64) geom.Path {
	p := geom.Path{Closed: true}
	for i := 0; i+1 < len(xy); i += 2 {
		p.LineTo(geom.Pt(xy[i]*Micron, xy[i+1]*Micron))
	}
	return p
}

// MetaOf is what a feature carries of a net and a pin.
func (k *Kit) MetaOf(net, ref, pin string) artwork.Meta {
	m := artwork.Meta{Net: k.Net(net), Function: pcb.FuncConductor}
	if ref != "" {
		m.Pin, m.Function = k.Pin(ref, pin), pcb.FuncSMDPad
	}
	return m
}

// Land puts a pad of a pin on the top.
func (k *Kit) Land(x, y int64, net, ref, pin string) {
	k.Top.Flash(geom.Pt(x*Milli, y*Milli), artwork.Rect(Milli, Milli), 0, false, k.MetaOf(net, ref, pin))
}

// Wire draws a track on the top.
func (k *Kit) Wire(x1, y1, x2, y2 int64, net string) {
	k.Top.Line(geom.Pt(x1*Milli, y1*Milli), geom.Pt(x2*Milli, y2*Milli), Milli/5, k.MetaOf(net, "", ""))
}

// ListPin adds a pin that only a netlist knows.
func (k *Kit) ListPin(x, y int64, net, ref, pin string, side pcb.Side) {
	p := &k.Pins[k.Pin(ref, pin)]
	p.At, p.HasAt, p.Net, p.Side = geom.Pt(x*Milli, y*Milli), true, k.Net(net), side
}

// Pair draws two tracks of two nets on the top, gap apart.
func (k *Kit) Pair(gap int64, x, y string) {
	const width = 200 * Micron
	k.Top.Line(geom.Pt(5*Milli, 10*Milli), geom.Pt(20*Milli, 10*Milli), width, artwork.Meta{Net: k.Net(x), Function: pcb.FuncConductor})
	k.Top.Line(geom.Pt(5*Milli, 10*Milli+width+gap), geom.Pt(20*Milli, 10*Milli+width+gap), width, artwork.Meta{Net: k.Net(y), Function: pcb.FuncConductor})
}
