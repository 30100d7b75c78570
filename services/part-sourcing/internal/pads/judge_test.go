package pads_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/services/part-sourcing/internal/pads"
	"boardorder/services/part-sourcing/internal/placement"
)

const mm = geom.Millimetre

// A fixture is a board with chips and transistors, and the list that places them.
type fixture struct {
	board *pcb.Board
	frame geom.Box
	list  placement.List
}

// build makes a board of 60 × 40 mm with n parts: chips of three sizes and every eighth a
// transistor, every third on the bottom where below says so. With named, layers say which
// part a pad is of.
func build(n int, below, named bool) *fixture {
	f := &fixture{board: pcb.NewBoard("b"), frame: geom.Box{Max: geom.Pt(60*mm, 40*mm)}}
	f.list = placement.List{File: "pos.csv", Unit: placement.Millimetre, Stated: true}
	layers := map[placement.Side]*pcb.Layer{}
	for side, of := range map[placement.Side]pcb.Side{placement.Top: pcb.Top, placement.Bottom: pcb.Bottom} {
		l := pcb.NewLayer(string(side), string(side))
		l.Role, l.Side = pcb.RoleCopper, of
		l.Apertures = []pcb.Aperture{pcb.Rect(mm/2, mm/2)}
		layers[side], f.board.Layers = l, append(f.board.Layers, l)
	}
	for i := range int64(n) {
		q := placement.Part{Ref: fmt.Sprintf("R%d", i), Side: placement.Top, At: geom.Pt((3+(i*i*7+i*13)%54)*mm+i*10_000, (3+(i*17+i*i)%34)*mm-i*13_000)}
		if below && i%3 == 0 {
			q.Side = placement.Bottom
		}
		pitch := []int64{mm, 16 * mm / 10, 2 * mm}[i%3]
		q.Footprint = []string{"R_0402", "C_0603_1608Metric", "0805"}[i%3]
		ends := []geom.Point{geom.Pt(-pitch/2, 0), geom.Pt(pitch/2, 0)}
		if i%8 == 7 {
			q.Ref, q.Footprint = fmt.Sprintf("Q%d", i), "SOT-23"
			ends = []geom.Point{geom.Pt(-mm, 95*mm/100), geom.Pt(-mm, -95*mm/100), geom.Pt(mm, 0)}
		}
		for k, end := range ends {
			flash := pcb.Feature{Kind: pcb.FlashFeature, A: q.At.Add(end)}
			if named {
				flash.Pin = f.board.Pin(q.Ref, fmt.Sprint(k+1))
			}
			layers[q.Side].Features = append(layers[q.Side].Features, flash)
		}
		f.list.Parts = append(f.list.Parts, q)
	}
	return f
}

// exchange gives a list with the places of two parts exchanged.
func exchange(l placement.List, a, b int) placement.List {
	out := changeParts(l, func(*placement.Part) {})
	out.Parts[a].At, out.Parts[b].At = l.Parts[b].At, l.Parts[a].At
	return out
}

// TestJudge: positions that lie on no pads are held to be meant in another way where one fits,
// whatever it is, and single parts are told apart from all.
func TestJudge(t *testing.T) {
	t.Parallel()
	all := func(change func(*placement.Part)) func(placement.List) placement.List {
		return func(l placement.List) placement.List { return changeParts(l, change) }
	}
	same := all(func(*placement.Part) {})
	const none = "no reading"
	for name, tt := range map[string]struct {
		parts        int
		below, named bool
		change       func(placement.List) placement.List
		elsewhere    bool
		words        string // of the doubt
		misplaced    string
		stays        bool // no pads say that it is meant otherwise
	}{
		"as listed":         {parts: 24, below: true, change: same, stays: true},
		"named, as listed":  {parts: 24, below: true, named: true, change: same, stays: true},
		"on the other side": {parts: 24, change: all(func(q *placement.Part) { q.Side = placement.Bottom }), words: "on the other side of the board"},
		"sides exchanged":   {parts: 24, below: true, change: all(func(q *placement.Part) { q.Side = turn(q.Side) }), words: "on the other side of the board"},
		"all listed on top": {parts: 40, below: true, change: all(func(q *placement.Part) { q.Side = placement.Top }), words: "with each part on the side that has its pads"},
		"mirrored":          {parts: 24, change: all(func(q *placement.Part) { q.At.X = 60*mm - q.At.X }), words: "with x growing to the left moved by 60.00 mm in x"},
		"mirrored at zero":  {parts: 24, change: all(func(q *placement.Part) { q.At.X = -q.At.X }), words: "with x growing to the left"},
		"y downwards":       {parts: 24, change: all(func(q *placement.Part) { q.At.Y = 40*mm - q.At.Y }), words: "with y growing downwards moved by 0.00 mm in x and 40.00 mm in y"},
		"in inches":         {parts: 24, change: all(func(q *placement.Part) { q.At = geom.Pt(q.At.X*10/254, q.At.Y*10/254) }), words: "with the numbers in inches"},
		"in mils":           {parts: 24, change: all(func(q *placement.Part) { q.At = geom.Pt(q.At.X*10000/254, q.At.Y*10000/254) }), words: "with the numbers in mils"},
		"moved":             {parts: 24, change: all(func(q *placement.Part) { q.At = q.At.Add(geom.Pt(-2*mm, 1300*mm/1000)) }), words: "moved by 2.00 mm in x and -1.30 mm in y"},
		"named and moved":   {parts: 24, named: true, change: all(func(q *placement.Part) { q.At = q.At.Add(geom.Pt(-2*mm, 1300*mm/1000)) }), words: "moved by 2.00 mm in x and -1.30 mm in y"},
		"another origin":    {parts: 24, change: all(func(q *placement.Part) { q.At = q.At.Add(geom.Pt(100*mm, -200*mm)) }), elsewhere: true},
		"a mirrored bottom": {parts: 40, below: true, change: all(func(q *placement.Part) {
			if q.Side == placement.Bottom {
				q.At.X = -q.At.X
			}
		}), stays: true},
		"five, moved":      {parts: 5, change: all(func(q *placement.Part) { q.At = q.At.Add(geom.Pt(-2*mm, 1300*mm/1000)) }), words: none, stays: true},
		"five, in inches":  {parts: 5, change: all(func(q *placement.Part) { q.At = geom.Pt(q.At.X*10/254, q.At.Y*10/254) }), words: "with the numbers in inches"},
		"two tell nothing": {parts: 2, change: all(func(q *placement.Part) { q.At.X += 7 * mm }), stays: true},
		"nowhere": {parts: 24, change: func(l placement.List) placement.List {
			out := changeParts(l, func(*placement.Part) {})
			for i := range out.Parts {
				out.Parts[i].At = geom.Pt(int64(i*i*31%57)*mm, int64(i*23%37)*mm+int64(i)*77_000)
			}
			return out
		}, words: none, stays: true},
		"parts without pads": {parts: 24, change: func(l placement.List) placement.List {
			for i := range int64(9) {
				l.Parts = append(l.Parts, placement.Part{Ref: fmt.Sprintf("FID%d", i), Footprint: "Fiducial", Side: placement.Top, At: geom.Pt(i*6*mm, 39*mm)})
			}
			return l
		}, stays: true},
		"a transistor on a chip's pads": {parts: 24, change: func(l placement.List) placement.List { return exchange(l, 7, 9) }, misplaced: "R9: Its pads do not lie at its position, but where Q7 is placed."},
		"equal chips exchanged":         {parts: 24, change: func(l placement.List) placement.List { return exchange(l, 3, 6) }, stays: true},
		"named, equal chips exchanged":  {parts: 24, named: true, change: func(l placement.List) placement.List { return exchange(l, 3, 6) }, misplaced: "R3: Its pads do not lie at its position, but where R6 is placed. R6: Its pads do not lie at its position, but where R3 is placed."},
		"one on the other side": {parts: 24, change: func(l placement.List) placement.List {
			l = changeParts(l, func(*placement.Part) {})
			l.Parts[4].Side = placement.Bottom
			return l
		}, misplaced: "R4: It is placed on the bottom, and its pads lie on the top."},
		"named, one on the other side": {parts: 24, named: true, change: func(l placement.List) placement.List {
			l = changeParts(l, func(*placement.Part) {})
			l.Parts[4].Side = placement.Bottom
			return l
		}, misplaced: "R4: It is placed on the bottom, and its pads lie on the top."},
		"one on the other side and beside": {parts: 24, change: func(l placement.List) placement.List {
			l = changeParts(l, func(*placement.Part) {})
			l.Parts[4].Side, l.Parts[4].At = placement.Bottom, geom.Pt(58*mm, 38*mm)
			return l
		}, stays: true}, // no pads of either side are there
		"one beside": {parts: 24, change: func(l placement.List) placement.List {
			l = changeParts(l, func(*placement.Part) {})
			l.Parts[4].At = geom.Pt(58*mm, 38*mm)
			return l
		}, misplaced: "R4: Its pads do not lie at its position.", stays: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := build(tt.parts, tt.below, tt.named)
			l := tt.change(f.list)
			v := pads.Gather(f.board, f.frame).Judge(l, nil, tt.elsewhere)
			var wrong []string
			for _, m := range v.Misplaced {
				wrong = append(wrong, m.Ref+": "+m.Why)
			}
			words := ""
			if v.Doubt != nil {
				if words = v.Doubt.Words; words == "" {
					words = none
				}
			}
			if !strings.HasSuffix(words, tt.words) && !strings.HasPrefix(words, tt.words) || (words == "") != (tt.words == "") || strings.Join(wrong, " ") != tt.misplaced {
				t.Errorf("%q, misplaced %q; want %q, %q", words, wrong, tt.words, tt.misplaced)
			}
			if (v.Moved != nil) != tt.elsewhere || (v.ByPads == nil) != (tt.stays || tt.elsewhere) {
				t.Errorf("moved %v, by its pads %v; want moved %v, by its pads %v", v.Moved, v.ByPads != nil, tt.elsewhere, !tt.stays && !tt.elsewhere)
			}
			if v.ByPads == nil {
				return
			}
			for i, q := range v.ByPads.Parts {
				if was := f.list.Parts[i]; q.At.Dist(was.At) > 0.1e6 || q.Side != was.Side {
					t.Errorf("%s is put at %v on the %s, want %v on the %s", q.Ref, q.At, q.Side, was.At, was.Side)
				}
			}
		})
	}
}

// TestJudgeByCases: where placements name no case, that of the list of parts tells.
func TestJudgeByCases(t *testing.T) {
	t.Parallel()
	f := build(24, false, false)
	cases := map[string]string{}
	l := changeParts(f.list, func(q *placement.Part) {
		cases[q.Ref], q.Footprint, q.Side = q.Footprint, "", placement.Bottom
	})
	p := pads.Gather(f.board, f.frame)
	if v := p.Judge(l, cases, false); v.Doubt == nil || v.Doubt.Known != 21 || v.Doubt.Listed != 0 || v.Doubt.Fit != 21 {
		t.Errorf("doubt %+v, want 21 known, none as listed, 21 that fit", v.Doubt)
	}
	l = exchange(changeParts(f.list, func(q *placement.Part) { q.Footprint = "" }), 7, 9)
	if v := p.Judge(l, cases, false); len(v.Misplaced) != 1 || !strings.Contains(v.Misplaced[0].Why, "Q7") || v.ByPads == nil || v.ByPads.Parts[7].At != f.list.Parts[7].At {
		t.Errorf("exchanged: %+v, want Q7 misplaced alone, and part 7 by its pads at %v", v, f.list.Parts[7].At)
	}
	if v := p.Judge(l, nil, false); v.Doubt != nil {
		t.Errorf("without any case: %+v, want no doubt", v.Doubt)
	}
}

// TestCopies: a list of one board whose pads come several times is told, and rows of equal
// parts, lists of all boards and single parts that come again are none.
func TestCopies(t *testing.T) {
	t.Parallel()
	// repeat adds the pads again, moved by each offset, turned by 180 degrees where turns says so.
	repeat := func(f *fixture, turns bool, offsets ...geom.Point) {
		for _, l := range f.board.Layers {
			for _, flash := range l.Features[:len(l.Features):len(l.Features)] {
				for _, o := range offsets {
					if turns {
						flash.A = geom.Pt(60*mm-flash.A.X, 40*mm-flash.A.Y)
					}
					again := flash
					again.A = again.A.Add(o)
					l.Features = append(l.Features, again)
				}
			}
		}
		f.frame = geom.Box{Max: geom.Pt(130*mm, 90*mm)}
	}
	for name, tt := range map[string]struct {
		parts int
		make  func(*fixture)
		want  int
	}{
		"one board":  {24, func(*fixture) {}, 0},
		"two beside": {24, func(f *fixture) { repeat(f, false, geom.Pt(62*mm, 0)) }, 2},
		"four":       {24, func(f *fixture) { repeat(f, false, geom.Pt(62*mm, 0), geom.Pt(0, 42*mm), geom.Pt(62*mm, 42*mm)) }, 4},
		"one turned": {24, func(f *fixture) { repeat(f, true, geom.Pt(0, 42*mm)) }, 2},
		"few parts":  {6, func(f *fixture) { repeat(f, false, geom.Pt(62*mm, 0)) }, 2},
		"all are listed": {24, func(f *fixture) {
			repeat(f, false, geom.Pt(62*mm, 0))
			for _, q := range f.list.Parts[:24:24] {
				q.Ref, q.At = q.Ref+"0", q.At.Add(geom.Pt(62*mm, 0))
				f.list.Parts = append(f.list.Parts, q)
			}
		}, 0},
		"half of it again": {24, func(f *fixture) {
			for _, l := range f.board.Layers {
				for _, flash := range l.Features[:len(l.Features)/2] {
					flash.A.X += 62 * mm
					l.Features = append(l.Features, flash)
				}
			}
		}, 0},
		"a row": {0, func(f *fixture) {
			l := f.board.Layers[0]
			for i := range int64(30) {
				at := geom.Pt((2+i*2)*mm, 20*mm)
				l.Features = append(l.Features, pcb.Feature{Kind: pcb.FlashFeature, A: at.Add(geom.Pt(0, mm/2))}, pcb.Feature{Kind: pcb.FlashFeature, A: at.Add(geom.Pt(0, -mm/2))})
				if i < 28 {
					side := placement.Top
					if l.Side == pcb.Bottom {
						side = placement.Bottom
					}
					f.list.Parts = append(f.list.Parts, placement.Part{Ref: fmt.Sprintf("R%d", i), Footprint: "0402", At: at, Side: side})
				}
			}
		}, 0},
	} {
		f := build(tt.parts, false, false)
		tt.make(f)
		v, got := pads.Gather(f.board, f.frame).Judge(f.list, nil, false), 0
		if v.Doubt != nil {
			got = v.Doubt.Copies
		}
		if got != tt.want {
			t.Errorf("%s: %d copies, want %d", name, got, tt.want)
		}
	}
}

// TestTooManyPads: what would cost too much to look at is not held against the pads, and
// nothing is said of it.
func TestTooManyPads(t *testing.T) {
	t.Parallel()
	for name, grow := range map[string]func(*pcb.Layer){
		"pads": func(l *pcb.Layer) {
			for i := range int64(100_001) {
				l.Features = append(l.Features, pcb.Feature{Kind: pcb.FlashFeature, A: geom.Pt(100*mm+i%1000*mm, 100*mm+i/1000*mm)})
			}
		},
		"pieces of a turned aperture": func(l *pcb.Layer) {
			large := pcb.Rect(mm, mm)
			for len(large.Primitives) < 1000 {
				large.Primitives = append(large.Primitives, large.Primitives[0])
			}
			l.Apertures = append(l.Apertures, large)
			l.Transforms = append(l.Transforms, geom.Transform{Rotation: 30})
			for i := range int64(10_001) {
				l.Features = append(l.Features, pcb.Feature{Kind: pcb.FlashFeature, Shape: 1, Transform: int32(len(l.Transforms) - 1), A: geom.Pt(100*mm+i%100*mm, 100*mm+i/100*mm)})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := build(24, false, false)
			for i := range f.list.Parts {
				f.list.Parts[i].At.X += 7 * mm / 2
			}
			if v := pads.Gather(f.board, f.frame).Judge(f.list, nil, false); v.Doubt == nil {
				t.Errorf("positions beside all pads give %+v, want a doubt", v)
			}
			grow(f.board.Find(pcb.RoleCopper, pcb.Top)[0])
			p := pads.Gather(f.board, f.frame)
			if v := p.Judge(f.list, nil, false); v.Doubt != nil || v.Misplaced != nil || v.ByPads != nil || p.Fits(f.list, nil) {
				t.Errorf("with too many %s: %+v, want nothing said", name, v)
			}
		})
	}
}
