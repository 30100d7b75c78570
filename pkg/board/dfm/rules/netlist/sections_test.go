package netlist

import (
	"fmt"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/geom"
)

// TestBoardsOnBars: two boards that bars hold without holes along which they break are told apart
// where nothing on the bars joins them.
func TestBoardsOnBars(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bar    int64 // width, in millimetres
		second int   // lands on the second board
		across bool  // copper leads from one to the other
		level  dfm.Level
	}{
		"narrow bars":              {2, 12, false, dfm.Warning},
		"wide bars":                {4, 12, false, dfm.MustFix},
		"a track on a bar":         {2, 12, true, dfm.MustFix},
		"too few lands for boards": {2, 5, false, dfm.MustFix},
	} {
		k := kit.New()
		slot := geom.Rect(geom.Box{Min: geom.Pt(18*kit.Milli, c.bar*kit.Milli), Max: geom.Pt(22*kit.Milli, (20-c.bar)*kit.Milli)})
		k.SetOutline(geom.Rect(geom.Box{Max: geom.Pt(40*kit.Milli, 20*kit.Milli)}), slot)
		k.Hole(35*kit.Milli, 18*kit.Milli, kit.Milli, 0)
		for i := range 12 {
			k.Land(int64(3+2*(i%6)), int64(5+3*(i/6)), fmt.Sprint("L", i), fmt.Sprint("U", i%4), fmt.Sprint(i))
		}
		for i := range c.second {
			k.Land(int64(25+2*(i%6)), int64(5+3*(i/6)), fmt.Sprint("R", i), fmt.Sprint("V", i%4), fmt.Sprint(i))
		}
		k.Land(10, 12, "A", "J1", "1")
		k.Land(30, 12, "A", "J2", "1")
		if c.across {
			k.Land(10, 1, "B", "J1", "2")
			k.Land(30, 1, "B", "J2", "2")
			k.Wire(10, 1, 30, 1, "B")
		}
		r := k.Judge(nets, nil)
		if got, want := levelsOf(r.Findings, dfm.Open), []dfm.Level{c.level}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: boards on bars of %d mm, %d lands on the second: open of levels %v, want %v; all %+v", name, c.bar, c.second, got, want, r.Findings)
		}
	}
}

// levelsOf are the levels of the findings of one check.
func levelsOf(all []dfm.Finding, check dfm.Name) []dfm.Level {
	var out []dfm.Level
	for _, f := range all {
		if f.Check == check {
			out = append(out, f.Level)
		}
	}
	return out
}
