package missingholes

import (
	"fmt"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/places"
)

// Bounds of what is taken for the pads of vias and of leads: one on each outer side, opposite
// each other.
const (
	minPad    = 500 * geom.Micrometre // the shorter side of one that is not round; contacts of small parts are narrower
	longPad   = 2.5                   // times as long as wide: longer ones are contacts of an edge
	playPad   = 20 * geom.Micrometre  // by which the two lie apart
	alikePads = 2                     // times as large as the other one of the two is
	surePads  = 10                    // from which on lands that lack holes beside others that have some tell
	barePads  = 80                    // percent of them that have none
)

// throughPads are the places of a board where pads of both outer sides lie opposite each
// other, and how many of them no hole goes through. Places of holes without plating are none.
type throughPads struct{ all, bare int }

// lack reports whether holes of a board are missing by its lands: nearly all of many have
// none, or none of any has one and nothing is plated.
func (t throughPads) lack(b *pcb.Board) bool {
	if t.all >= surePads && 100*t.bare >= barePads*t.all {
		return true
	}
	return t.bare > 0 && t.bare == t.all && !slices.ContainsFunc(b.Holes, func(h pcb.Hole) bool { return h.Plating == pcb.Plated })
}

// AskAboutPads asks about pads on both sides that no hole goes through, of a board that nothing
// else was said of: the file of plated holes is easily forgotten beside that of the others.
func AskAboutPads(m pcb.Meter, files []classify.File, b *pcb.Board, fileAnswers *answers.FileAnswers) {
	if len(b.Copper()) < 2 || slices.ContainsFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == Missing || f.Code == Denied }) {
		return
	}
	t := countPads(m, b)
	if !t.lack(b) {
		return
	}
	pads, drilled := pluralPads(t.bare), "there is no drill file"
	if n := len(b.Holes); n > 0 {
		drilled = fmt.Sprintf("the drill files (%s) make %d hole%s", listDrills(files, b), n, pluralEnd(n))
	}
	f := pcb.Finding{Code: Missing, Level: pcb.Problem, Count: t.bare}
	f.Message = fmt.Sprintf("%s, and %s on both sides of the board, opposite each other as those of vias and leads do, without a hole: upload the file that drills them too (such as .drl, .xln or .txt), or, if none of them is to be drilled, as of test points, say so with file_answers.no_holes", drilled, pads)
	f.Answers = []answers.Answer{answers.ZeroMoreHoles(t.bare)}
	if fileAnswers != nil && fileAnswers.NoHoles {
		f = pcb.Finding{Code: Denied, Level: pcb.Warning, Count: t.bare,
			Message: fmt.Sprintf("the request says that no holes are missing, though %s on both sides of the board, opposite each other, without a hole: make sure that none are to be drilled", pads)}
	}
	b.Findings = append(b.Findings, f)
}

func pluralPads(n int) string {
	if n == 1 {
		return "1 pad lies"
	}
	return fmt.Sprintf("%d pads lie", n)
}

func pluralEnd(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// listDrills names the files that a board's holes are of, a few of many.
func listDrills(all []classify.File, b *pcb.Board) string {
	const few = 3
	var files []int32
	for i := range b.Holes {
		if k := b.Holes[i].File; !slices.Contains(files, k) && len(files) <= few {
			files = append(files, k)
		}
	}
	out := ""
	for i, k := range files {
		switch {
		case i == few:
			return out + " and others"
		case i > 0:
			out += ", "
		}
		out += fmt.Sprintf("%q", group.BaseName(all[k].Name))
	}
	return out
}

// countPads counts the places of a board that vias and leads may go through.
func countPads(m pcb.Meter, b *pcb.Board) throughPads {
	top, bottom := padsOf(m, b, pcb.Top), padsOf(m, b, pcb.Bottom)
	if len(top) == 0 || len(bottom) == 0 || !m.SpendTimes(pcb.Lookups, len(b.Holes), 1) {
		return throughPads{}
	}
	bottoms, held, made := padCells{}, []geom.Box{}, []geom.Box{} // by a hole without plating, by another
	for _, p := range bottom {
		bottoms.add(p)
	}
	for i := range b.Holes {
		if h := &b.Holes[i]; h.Plating == pcb.NonPlated {
			held = append(held, b.HoleBounds(h))
		} else {
			made = append(made, b.HoleBounds(h))
		}
	}
	bare, drilled := shape.NewIndex(held).SetMeter(m), shape.NewIndex(made).SetMeter(m)
	var t throughPads
	seen := padCells{}
	for _, p := range top {
		if !m.Spend(pcb.Lookups, 18) {
			return throughPads{}
		}
		if !bottoms.hasCounterpart(p) || seen.hasCounterpart(p) || meetsAny(bare, p) {
			continue
		}
		seen.add(p)
		if t.all++; !meetsAny(drilled, p) {
			t.bare++
		}
	}
	return t
}

// meetsAny reports whether a hole goes through a pad.
func meetsAny(holes *shape.Index, p pad) bool {
	met := false
	holes.Search(geom.BoxOf(p.at).Grow(p.narrow()/2), func(int) bool { met = true; return false })
	return met
}

// A pad is what is flashed on an outer side and may have a hole.
type pad struct {
	at         geom.Point
	wide, high int64
	round      bool
}

func (p pad) narrow() int64 { return min(p.wide, p.high) }

// mayShareHole reports whether two pads may be those of one hole: of one place, and round or of
// much the same size.
func (p pad) mayShareHole(q pad) bool {
	if p.at.Dist(q.at) > float64(playPad) {
		return false
	}
	return p.round && q.round || max(p.wide, q.wide) <= alikePads*min(p.wide, q.wide) && max(p.high, q.high) <= alikePads*min(p.high, q.high)
}

// padCells are pads by cells of a grid.
type padCells map[geom.Point][]pad

func (s padCells) add(p pad) {
	const most = 8 // of a cell: more say nothing new
	if c := places.Cell(p.at); len(s[c]) < most {
		s[c] = append(s[c], p)
	}
}

// hasCounterpart reports whether one of the pads may be of the same hole as another.
func (s padCells) hasCounterpart(p pad) bool {
	c := places.Cell(p.at)
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			if slices.ContainsFunc(s[geom.Pt(c.X+dx, c.Y+dy)], p.mayShareHole) {
				return true
			}
		}
	}
	return false
}

// padsOf are the pads of an outer side that may have holes: round ones, and others that are
// about as wide as long and get no paste.
func padsOf(m pcb.Meter, b *pcb.Board, s pcb.Side) []pad {
	var pasted []geom.Box
	for _, l := range b.Find(pcb.RolePaste, s) {
		for i := range l.Features {
			f := &l.Features[i]
			if !m.Spend(pcb.Lookups, l.BoundsWork(f)) {
				return nil
			}
			if !f.Clear {
				pasted = append(pasted, l.FeatureBounds(f))
			}
		}
	}
	paste := shape.NewIndex(pasted).SetMeter(m)
	var out []pad
	for _, l := range b.Copper() {
		if l.Side != s || l.Negative {
			continue
		}
		for i := range l.Features {
			if !m.Spend(pcb.Lookups, l.BoundsWork(&l.Features[i])) {
				return nil
			}
			if p, ok := padOf(l, &l.Features[i]); ok && (p.round || !meetsAny(paste, p)) {
				out = append(out, p)
			}
		}
	}
	return out
}

// padOf is the pad that a feature may be.
func padOf(l *pcb.Layer, f *pcb.Feature) (pad, bool) {
	if f.Kind != pcb.FlashFeature || f.Clear {
		return pad{}, false
	}
	switch f.Function {
	case pcb.FuncUnknown, pcb.FuncViaPad, pcb.FuncComponentPad:
	default:
		return pad{}, false
	}
	box := l.FeatureBounds(f)
	if box.Empty() {
		return pad{}, false
	}
	p := pad{f.A, box.Width(), box.Height(), l.Apertures[f.Shape].Kind == pcb.CircleShape}
	long := max(p.wide, p.high)
	return p, p.round || p.narrow() >= minPad && float64(long) <= longPad*float64(p.narrow())
}
