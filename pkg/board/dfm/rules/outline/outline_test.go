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

// round is a chain of n chords for a circle.
func round(x, y, r int64, n int) geom.Path {
	p := geom.Path{Closed: true}
	for i := range n {
		p.LineTo(geom.Pt(x, y).Polar(float64(r), 2*math.Pi*float64(i)/float64(n)))
	}
	return p
}

func TestPieces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		pieces int64
		panel  pcb.Fact[bool]
		level  dfm.Level
		want   int
	}{
		{"one", 1, pcb.Fact[bool]{}, dfm.Warning, 0},
		{"three, and nothing says why", 3, pcb.Fact[bool]{}, dfm.Warning, 3},
		{"three, taken for a panel because there are three", 3, pcb.State(true, pcb.Source{}, 0.6, ""), dfm.Warning, 3},
		{"three, and the files say that it is a panel", 3, pcb.State(true, pcb.Source{}, 0.9, ""), dfm.Note, 3},
		{"three, and the files say that it is none", 3, pcb.State(false, pcb.Source{}, 0.9, ""), dfm.Warning, 3},
		{"more than are shown", 80, pcb.Fact[bool]{}, dfm.Warning, 80},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Outline.Areas, k.Facts.Panel = nil, c.panel
			for i := range c.pieces {
				k.Outline.Areas = append(k.Outline.Areas, geom.Polygon{Outer: kit.Poly(i*2000, 0, i*2000+1000, 0, i*2000+1000, 1000, i*2000, 1000)})
			}
			r := k.Judge(pieces, nil)
			if f := kit.Want(t, &r, dfm.BoardPieces, c.level, c.want); len(f.Places) != min(c.want, dfm.MaxPlaces) {
				t.Errorf("%d places, want %d", len(f.Places), min(c.want, dfm.MaxPlaces))
			}
		})
	}
}

// TestPiecesThatTouch: boards that a V-score parts are joined, and told so.
func TestPiecesThatTouch(t *testing.T) {
	t.Parallel()
	for words, gap := range map[string]int64{"that share straight edges, ": 0, "that are not joined, ": 2000} {
		k := kit.New()
		k.Outline.Areas, k.Facts.Panel = nil, pcb.State(true, pcb.Source{}, 0.75, "")
		if gap > 0 {
			k.Facts.Panel = pcb.Fact[bool]{}
		}
		for i := range int64(2) {
			x := i * (20000 + gap)
			k.Outline.Areas = append(k.Outline.Areas, geom.Polygon{Outer: kit.Poly(x, 0, x+20000, 0, x+20000, 30000, x, 30000)})
		}
		r := k.Judge(pieces, nil)
		if f := kit.Want(t, &r, dfm.BoardPieces, dfm.Warning, 2); !strings.Contains(f.What, words) {
			t.Errorf("%d µm apart: %q does not say %q", gap, f.What, words)
		}
		k.Facts.Panel = pcb.State(true, pcb.Source{}, 0.9, "")
		r = k.Judge(pieces, nil)
		kit.Want(t, &r, dfm.BoardPieces, dfm.Note, 2)
	}
}

func TestNecks(t *testing.T) {
	t.Parallel()
	whole := kit.Poly(0, 0, 40000, 0, 40000, 30000, 0, 30000)
	for _, c := range []struct {
		name        string
		outer       geom.Path
		cutouts     []geom.Path
		gap, sliver int64 // 0 is none
	}{
		{"plain", whole, nil, 0, 0},
		{"slot", kit.Poly(0, 0, 40000, 0, 40000, 30000, 20800, 30000, 20800, 20000, 20000, 20000, 20000, 30000, 0, 30000), nil, 800, 0},
		{"wide slot", kit.Poly(0, 0, 40000, 0, 40000, 30000, 22100, 30000, 22100, 20000, 20000, 20000, 20000, 30000, 0, 30000), nil, 0, 0},
		{"slot run the other way", kit.Poly(0, 0, 40000, 0, 40000, 30000, 20800, 30000, 20800, 20000, 20000, 20000, 20000, 30000, 0, 30000).Reverse(), nil, 800, 0},
		{"round cutout", whole, []geom.Path{geom.Circle(geom.Pt(20*kit.Milli, 20*kit.Milli), 300*kit.Micron)}, 600, 0},
		{"cutout of chords", whole, []geom.Path{round(20*kit.Milli, 20*kit.Milli, 300*kit.Micron, 64)}, 596, 0},
		{"large cutout of chords", whole, []geom.Path{round(20*kit.Milli, 20*kit.Milli, 5*kit.Milli, 720)}, 0, 0},
		{"cutout near the edge", whole, []geom.Path{kit.Poly(1000, 30000-700, 9000, 30000-700, 9000, 20000, 1000, 20000)}, 0, 700},
		{"two cutouts", whole, []geom.Path{kit.Poly(5000, 5000, 9000, 5000, 9000, 9000, 5000, 9000), kit.Poly(9600, 5000, 14000, 5000, 14000, 9000, 9600, 9000)}, 0, 600},
		{"tip against an edge", kit.Poly(0, 0, 40000, 0, 40000, 30000, 20000, 30000, 20000, 20000, 15000, 10000, 10000, 20000, 10000, 30000, 0, 30000),
			[]geom.Path{kit.Poly(1000, 9500, 30000, 9500, 30000, 5000, 1000, 5000)}, 0, 500},
		{"acute corner", kit.Poly(0, 0, 40000, 0, 0, 8000), nil, 0, 0},
		{"notch like a V", kit.Poly(0, 0, 40000, 0, 40000, 30000, 21000, 30000, 20000, 20000, 19000, 30000, 0, 30000), nil, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New().SetOutline(c.outer, c.cutouts...)
			r := k.Judge(necks, map[dfm.Name]int64{dfm.SlotTooNarrow: 1 * kit.Milli, dfm.BoardNeck: 1 * kit.Milli})
			for n, want := range map[dfm.Name]int64{dfm.SlotTooNarrow: c.gap, dfm.BoardNeck: c.sliver} {
				f := kit.Want(t, &r, n, dfm.Warning, int(min(want, 1)))
				if d := f.Value - want*kit.Micron; d > kit.Micron || d < -kit.Micron {
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
	arc.LineTo(geom.Pt(40*kit.Milli, 0))
	arc.LineTo(geom.Pt(40*kit.Milli, 20*kit.Milli))
	arc.LineTo(geom.Pt(30*kit.Milli, 20*kit.Milli))
	arc.ArcTo(geom.Pt(29600*kit.Micron, 20400*kit.Micron), geom.Pt(30*kit.Milli, 20400*kit.Micron), true)
	arc.LineTo(geom.Pt(29600*kit.Micron, 30*kit.Milli))
	arc.LineTo(geom.Pt(0, 30*kit.Milli))
	for _, c := range []struct {
		name   string
		outer  geom.Path
		cut    []geom.Path
		count  int
		radius int64
	}{
		{"plain", kit.Poly(0, 0, 40000, 0, 40000, 30000, 0, 30000), nil, 0, 0},
		{"one inner corner", kit.Poly(0, 0, 40000, 0, 40000, 20000, 30000, 20000, 30000, 30000, 0, 30000), nil, 1, 0},
		{"square cutout", kit.Poly(0, 0, 40000, 0, 40000, 30000, 0, 30000), []geom.Path{kit.Poly(5000, 5000, 9000, 5000, 9000, 9000, 5000, 9000)}, 4, 0},
		{"rounded too tightly", arc, nil, 1, 400 * kit.Micron},
		{"round cutout of chords", kit.Poly(0, 0, 40000, 0, 40000, 30000, 0, 30000), []geom.Path{round(20*kit.Milli, 20*kit.Milli, 5*kit.Milli, 360)}, 0, 0},
		{"slight bend", kit.Poly(0, 0, 40000, 0, 40000, 30000, 20000, 29000, 0, 30000), nil, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New().SetOutline(c.outer, c.cut...)
			r := k.Judge(corners, map[dfm.Name]int64{dfm.OutlineRadius: 500 * kit.Micron})
			if f := kit.Want(t, &r, dfm.OutlineRadius, dfm.Note, c.count); f.Value != c.radius {
				t.Errorf("radius %d, want %d", f.Value, c.radius)
			}
		})
	}
}

func TestOutlineOpen(t *testing.T) {
	t.Parallel()
	open := geom.Path{Points: []geom.Point{{X: 1 * kit.Milli, Y: 1 * kit.Milli}, {X: 5 * kit.Milli, Y: 1 * kit.Milli}}}
	for _, c := range []struct {
		name  string
		set   func(*kit.Kit)
		check dfm.Name
		level dfm.Level
	}{
		{"closed", func(*kit.Kit) {}, "", dfm.Note},
		{"missing", func(k *kit.Kit) {
			k.Outline = pcb.Outline{}
			k.Pad(5*kit.Milli, 5*kit.Milli, kit.Milli, 0, "A")
		}, dfm.OutlineMissing, dfm.MustFix},
		{"missing, but nothing on the board", func(k *kit.Kit) { k.Outline = pcb.Outline{} }, "", dfm.Note},
		{"open", func(k *kit.Kit) { k.Outline = pcb.Outline{Open: []geom.Path{open}} }, dfm.OutlineOpen, dfm.MustFix},
		{"lines beside", func(k *kit.Kit) { k.Outline.Open, k.Outline.Closed = []geom.Path{open}, false }, dfm.OutlineOpen, dfm.Warning},
		{"drawing on the board", func(k *kit.Kit) { k.Outline.Open = []geom.Path{open} }, dfm.OutlineOpen, dfm.Note},
		{"bridged", func(k *kit.Kit) {
			k.Outline.Closed = false
			k.Findings = []pcb.Finding{{Code: "outline_open", Level: pcb.Problem, At: &geom.Point{}, Size: 2 * kit.Milli}}
		}, dfm.OutlineOpen, dfm.MustFix},
		{"small gap closed", func(k *kit.Kit) {
			k.Findings = []pcb.Finding{{Code: "outline_gap", Level: pcb.Warning, At: &geom.Point{}, Size: 60 * kit.Micron}}
		}, dfm.OutlineOpen, dfm.Note},
		{"gap closed", func(k *kit.Kit) {
			k.Findings = []pcb.Finding{{Code: "outline_gap", Level: pcb.Warning, At: &geom.Point{}, Size: 300 * kit.Micron}}
		}, dfm.OutlineOpen, dfm.Warning},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			c.set(k)
			r := k.Judge(judgeClosed, nil)
			if c.check == "" {
				if len(r.Findings) > 0 {
					t.Errorf("findings %+v, want none", r.Findings)
				}
				return
			}
			kit.Want(t, &r, c.check, c.level, 1)
		})
	}
}
