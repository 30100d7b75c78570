package dfm

import (
	"context"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

const (
	micron = geom.Micrometre
	milli  = geom.Millimetre
)

// A kit is a board of 40 by 30 mm with two copper layers that tests draw on.
type kit struct {
	*board.Board
	top, bottom, mask, maskBottom, silk *artwork.Sheet
}

func newKit() *kit {
	k := &kit{
		Board:      board.NewBoard("kit"),
		top:        artwork.On("top", "top.gbr", board.RoleCopper, board.Top),
		bottom:     artwork.On("bottom", "bottom.gbr", board.RoleCopper, board.Bottom),
		mask:       artwork.On("mask", "mask.gbr", board.RoleMask, board.Top),
		maskBottom: artwork.On("mask bottom", "maskb.gbr", board.RoleMask, board.Bottom),
		silk:       artwork.On("silk", "silk.gbr", board.RoleSilk, board.Top),
	}
	k.top.Layer.Order, k.bottom.Layer.Order = 1, 2
	for _, s := range []*artwork.Sheet{k.top, k.bottom, k.mask, k.maskBottom, k.silk} {
		k.Layers = append(k.Layers, s.Layer)
	}
	k.outline(geom.Rect(geom.Box{Max: geom.Pt(40*milli, 30*milli)}))
	return k
}

// outline sets the shape of the board.
func (k *kit) outline(outer geom.Path, cutouts ...geom.Path) *kit {
	k.Outline = board.Outline{Areas: []geom.Polygon{{Outer: outer, Holes: cutouts}}, Closed: true}
	return k
}

// pad puts a square pad on the top, with an opening larger by grow on every side.
func (k *kit) pad(x, y, side, grow int64, net string) {
	k.top.Flash(geom.Pt(x, y), artwork.Rect(side, side), 0, false, artwork.Meta{Function: board.FuncSMDPad, Net: k.Net(net)})
	k.mask.Flash(geom.Pt(x, y), artwork.Rect(side+2*grow, side+2*grow), 0, false, artwork.Meta{})
}

// hole drills at x, y.
func (k *kit) hole(x, y, d int64, p board.Plating) *board.Hole {
	k.Holes = append(k.Holes, board.Hole{A: geom.Pt(x, y), B: geom.Pt(x, y), Diameter: d, Plating: p})
	return &k.Holes[len(k.Holes)-1]
}

// limits of which only these checks have one.
func limits(of map[Name]int64) Limits {
	l := Limits{Outer: map[Name]Limit{}}
	for n, v := range of {
		l.Outer[n] = Limit{Min: v}
	}
	return l
}

// judge runs one rule.
func (k *kit) judge(rule func(context.Context, *input) result, of map[Name]int64) result {
	return rule(context.Background(), newInput(context.Background(), k.Board, Options{Limits: limits(of)}))
}

// want holds the findings of a check to a count, 0 for none, and gives the first.
func (r *result) want(t *testing.T, n Name, level Level, count int) Finding {
	t.Helper()
	total := 0
	var first Finding
	for _, f := range r.findings {
		if f.Check == n && f.Level == level {
			if total == 0 {
				first = f
			}
			total += f.Count
		}
	}
	if total != count {
		t.Errorf("%s %s: %d, want %d; all findings: %+v", level, n, total, count, r.findings)
	}
	return first
}

// measured gives the value of a measure.
func (r *result) measured(t *testing.T, n Name) int64 {
	t.Helper()
	for _, m := range r.measures {
		if m.Check == n {
			return m.Place.Value
		}
	}
	t.Errorf("%s was not measured", n)
	return 0
}

// poly is a closed path through points given in micrometres.
func poly(xy ...int64) geom.Path {
	p := geom.Path{Closed: true}
	for i := 0; i+1 < len(xy); i += 2 {
		p.LineTo(geom.Pt(xy[i]*micron, xy[i+1]*micron))
	}
	return p
}
