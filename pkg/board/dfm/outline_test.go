package dfm

import (
	"math"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// round is a chain of n chords for a circle.
func round(x, y, r int64, n int) geom.Path {
	p := geom.Path{Closed: true}
	for i := range n {
		p.LineTo(geom.Pt(x, y).Polar(float64(r), 2*math.Pi*float64(i)/float64(n)))
	}
	return p
}

func TestNecks(t *testing.T) {
	t.Parallel()
	whole := poly(0, 0, 40000, 0, 40000, 30000, 0, 30000)
	for _, c := range []struct {
		name        string
		outer       geom.Path
		cutouts     []geom.Path
		gap, sliver int64 // 0 is none
	}{
		{"plain", whole, nil, 0, 0},
		{"slot", poly(0, 0, 40000, 0, 40000, 30000, 20800, 30000, 20800, 20000, 20000, 20000, 20000, 30000, 0, 30000), nil, 800, 0},
		{"wide slot", poly(0, 0, 40000, 0, 40000, 30000, 22100, 30000, 22100, 20000, 20000, 20000, 20000, 30000, 0, 30000), nil, 0, 0},
		{"slot run the other way", poly(0, 0, 40000, 0, 40000, 30000, 20800, 30000, 20800, 20000, 20000, 20000, 20000, 30000, 0, 30000).Reverse(), nil, 800, 0},
		{"round cutout", whole, []geom.Path{geom.Circle(geom.Pt(20*milli, 20*milli), 300*micron)}, 600, 0},
		{"cutout of chords", whole, []geom.Path{round(20*milli, 20*milli, 300*micron, 64)}, 596, 0},
		{"large cutout of chords", whole, []geom.Path{round(20*milli, 20*milli, 5*milli, 720)}, 0, 0},
		{"cutout near the edge", whole, []geom.Path{poly(1000, 30000-700, 9000, 30000-700, 9000, 20000, 1000, 20000)}, 0, 700},
		{"two cutouts", whole, []geom.Path{poly(5000, 5000, 9000, 5000, 9000, 9000, 5000, 9000), poly(9600, 5000, 14000, 5000, 14000, 9000, 9600, 9000)}, 0, 600},
		{"tip against an edge", poly(0, 0, 40000, 0, 40000, 30000, 20000, 30000, 20000, 20000, 15000, 10000, 10000, 20000, 10000, 30000, 0, 30000),
			[]geom.Path{poly(1000, 9500, 30000, 9500, 30000, 5000, 1000, 5000)}, 0, 500},
		{"acute corner", poly(0, 0, 40000, 0, 0, 8000), nil, 0, 0},
		{"notch like a V", poly(0, 0, 40000, 0, 40000, 30000, 21000, 30000, 20000, 20000, 19000, 30000, 0, 30000), nil, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := newKit().outline(c.outer, c.cutouts...)
			r := k.judge(necks, map[Name]int64{SlotTooNarrow: 1 * milli, BoardNeck: 1 * milli})
			for n, want := range map[Name]int64{SlotTooNarrow: c.gap, BoardNeck: c.sliver} {
				f := r.want(t, n, Warning, int(min(want, 1)))
				if d := f.Value - want*micron; d > micron || d < -micron {
					t.Errorf("%s: %d, want %d µm", n, f.Value, want)
				}
			}
		})
	}
}

func TestCorners(t *testing.T) {
	t.Parallel()
	arc := geom.Path{Closed: true}
	arc.LineTo(geom.Pt(0, 0))
	arc.LineTo(geom.Pt(40*milli, 0))
	arc.LineTo(geom.Pt(40*milli, 20*milli))
	arc.LineTo(geom.Pt(30*milli, 20*milli))
	arc.ArcTo(geom.Pt(29600*micron, 20400*micron), geom.Pt(30*milli, 20400*micron), true)
	arc.LineTo(geom.Pt(29600*micron, 30*milli))
	arc.LineTo(geom.Pt(0, 30*milli))
	for _, c := range []struct {
		name   string
		outer  geom.Path
		cut    []geom.Path
		count  int
		radius int64
	}{
		{"plain", poly(0, 0, 40000, 0, 40000, 30000, 0, 30000), nil, 0, 0},
		{"one inner corner", poly(0, 0, 40000, 0, 40000, 20000, 30000, 20000, 30000, 30000, 0, 30000), nil, 1, 0},
		{"square cutout", poly(0, 0, 40000, 0, 40000, 30000, 0, 30000), []geom.Path{poly(5000, 5000, 9000, 5000, 9000, 9000, 5000, 9000)}, 4, 0},
		{"rounded too tightly", arc, nil, 1, 400 * micron},
		{"round cutout of chords", poly(0, 0, 40000, 0, 40000, 30000, 0, 30000), []geom.Path{round(20*milli, 20*milli, 5*milli, 360)}, 0, 0},
		{"slight bend", poly(0, 0, 40000, 0, 40000, 30000, 20000, 29000, 0, 30000), nil, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := newKit().outline(c.outer, c.cut...)
			r := k.judge(corners, map[Name]int64{OutlineRadius: 500 * micron})
			if f := r.want(t, OutlineRadius, Note, c.count); f.Value != c.radius {
				t.Errorf("radius %d, want %d", f.Value, c.radius)
			}
		})
	}
}

func TestOutlineOpen(t *testing.T) {
	t.Parallel()
	open := geom.Path{Points: []geom.Point{{X: 1 * milli, Y: 1 * milli}, {X: 5 * milli, Y: 1 * milli}}}
	for _, c := range []struct {
		name  string
		set   func(*kit)
		check Name
		level Level
	}{
		{"closed", func(*kit) {}, "", Note},
		{"missing", func(k *kit) {
			k.Outline = board.Outline{}
			k.pad(5*milli, 5*milli, milli, 0, "A")
		}, OutlineMissing, MustFix},
		{"missing, but nothing on the board", func(k *kit) { k.Outline = board.Outline{} }, "", Note},
		{"open", func(k *kit) { k.Outline = board.Outline{Open: []geom.Path{open}} }, OutlineOpen, MustFix},
		{"lines beside", func(k *kit) { k.Outline.Open, k.Outline.Closed = []geom.Path{open}, false }, OutlineOpen, Warning},
		{"drawing on the board", func(k *kit) { k.Outline.Open = []geom.Path{open} }, OutlineOpen, Note},
		{"bridged", func(k *kit) {
			k.Outline.Closed = false
			k.Findings = []board.Finding{{Code: "outline_open", Level: board.Problem, At: &geom.Point{}, Size: 2 * milli}}
		}, OutlineOpen, MustFix},
		{"small gap closed", func(k *kit) {
			k.Findings = []board.Finding{{Code: "outline_gap", Level: board.Warning, At: &geom.Point{}, Size: 60 * micron}}
		}, OutlineOpen, Note},
		{"gap closed", func(k *kit) {
			k.Findings = []board.Finding{{Code: "outline_gap", Level: board.Warning, At: &geom.Point{}, Size: 300 * micron}}
		}, OutlineOpen, Warning},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			c.set(k)
			r := k.judge(outlines, nil)
			if c.check == "" {
				if len(r.findings) > 0 {
					t.Errorf("found %+v", r.findings)
				}
				return
			}
			r.want(t, c.check, c.level, 1)
		})
	}
}
