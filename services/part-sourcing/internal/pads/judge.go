package pads

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/refdes"
)

// A Verdict is how a list of placements lies on the pads of the board.
type Verdict struct {
	Doubt     *Doubt                     // they lie on no pads as listed
	Misplaced []Misplaced                // single parts that do not, while the others do
	Moved     *geom.Point                // the offset between the list's origin and the board's
	ByPads    *placement.List            // the list as it fits the pads, where that is another one
	Readings  map[placement.Side]Reading // how the parts of a side are meant, where that is clear
}

// A Doubt is that the positions of a file lie on no pads as they are listed.
type Doubt struct {
	File   string
	Known  int    // parts whose pads are known
	Listed int    // those of them that lie on pads as listed
	Fit    int    // and in another reading, where one fits
	Words  string // what that reading is; "" where none fits
	Copies int    // how many equal boards there are, where the file places the parts of one
}

// A Misplaced is a part that does not lie on its pads while nearly all others do.
type Misplaced struct {
	Ref string
	Why string // a sentence
}

const (
	fewest       = 3 // samples that tell anything
	fewestToMove = 8 // samples that tell an offset
)

// coversAll reports whether n are nearly all of some, and coversMost whether they are most.
func coversAll(n, of int) bool { return 10*n >= 9*of }

func coversMost(n, of int) bool { return 10*n >= 7*of }

// Judge holds a list against the pads. cases are names of cases by folded designator;
// elsewhere says that the list surely has another origin than the board.
func (p *Pads) Judge(l placement.List, cases map[string]string, elsewhere bool) Verdict {
	all := p.samplesOf(&l, cases)
	var groups []group
	for _, side := range []placement.Side{placement.Top, placement.Bottom} {
		g := group{side: side, samples: slices.DeleteFunc(slices.Clone(all), func(s sample) bool { return s.part.Side != side })}
		if p.read(&g, l.Unit, elsewhere) {
			groups = append(groups, g)
		}
	}
	j := judgement{pads: p, list: &l, cases: cases, groups: groups}
	j.correct()
	v := j.verdict()
	v.Readings = readingsOf(groups, elsewhere)
	if n := p.countCopies(groups); v.Doubt == nil && n > 1 {
		v.Doubt, v.ByPads = &Doubt{File: l.File, Copies: n}, nil
		for i := range groups {
			v.Doubt.Known, v.Doubt.Listed = v.Doubt.Known+len(groups[i].samples), v.Doubt.Listed+groups[i].fit
		}
	}
	return v
}

// readingsOf tells how parts of a side are meant. Too few to tell are meant as listed, but for
// those of the bottom, which some tools mirror, and lists that surely have another origin.
func readingsOf(groups []group, elsewhere bool) map[placement.Side]Reading {
	out := map[placement.Side]Reading{}
	if !elsewhere {
		out[placement.Top] = Reading{}
	}
	for i := range groups {
		if g := &groups[i]; !g.doubtful {
			out[g.side] = g.Reading
		}
	}
	return out
}

// Fits reports whether a list lies on the pads as it is, or with a bottom that is mirrored
// as some tools write it. Where too few parts tell, it does not.
func (p *Pads) Fits(l placement.List, cases map[string]string) bool {
	all := p.samplesOf(&l, cases)
	if len(all) < fewest {
		return false
	}
	listed, mirrored := 0, 0
	for i := range all {
		q := all[i].part
		if p.liesOn(&all[i], q.At, q.Side) {
			listed++
		}
		if r := (Reading{MirrorX: q.Side == placement.Bottom}); p.liesOn(&all[i], r.place(q.At), q.Side) {
			mirrored++
		}
	}
	return coversAll(max(listed, mirrored), len(all))
}

// A group is the parts that a list has on one side, and how they are meant.
type group struct {
	Reading
	side        placement.Side
	samples     []sample
	listed, fit int  // samples on their pads as listed, and in the reading
	doubtful    bool // they lie on no pads as listed
	unread      bool // nor in any other reading
	eachSide    bool // each lies on pads of one side or the other
}

// read finds how the parts of a group are meant; false where too few tell.
func (p *Pads) read(g *group, unit placement.Unit, elsewhere bool) bool {
	n := len(g.samples)
	if n < fewest || elsewhere && n < fewestToMove {
		return false
	}
	g.listed = p.count(g.samples, Reading{})
	g.fit = g.listed
	if coversMost(g.listed, n) {
		return true
	}
	if r := (Reading{MirrorX: true}); g.side == placement.Bottom && coversAll(p.count(g.samples, r), n) {
		g.Reading, g.fit = r, p.count(g.samples, r)
		return true
	}
	p.readFixed(g, unit)
	if !coversAll(g.fit, n) && n >= fewestToMove {
		p.readMoved(g, unit)
	}
	switch each := p.countEachSide(g.samples); {
	case coversAll(g.fit, n):
		usual := g.Unit == 0 && !g.OtherSide && !g.MirrorY && (!g.MirrorX || g.side == placement.Bottom)
		g.doubtful = !usual || !elsewhere
	case coversAll(each, n) && g.listed >= fewest:
		g.Reading, g.fit, g.eachSide, g.doubtful = Reading{}, each, true, true
	case 2*g.listed >= n:
		g.Reading, g.fit = Reading{}, g.listed
	default:
		g.doubtful, g.unread = true, true
	}
	return true
}

func (p *Pads) readFixed(g *group, unit placement.Unit) {
	for _, r := range p.readingsInPlace(unit) {
		if n := p.count(g.samples, r); n > g.fit && p.isSpread(g.samples, r) {
			g.Reading, g.fit = r, n
		}
	}
}

func (p *Pads) readMoved(g *group, unit placement.Unit) {
	for _, r := range p.readingsToMove(unit) {
		if coversAll(g.fit, len(g.samples)) {
			return
		}
		if r, n := p.search(g.samples, r); n > g.fit && p.isSpread(g.samples, r) {
			g.Reading, g.fit = r, n
		}
	}
}

// countEachSide is how many samples lie on their pads on one side or the other.
func (p *Pads) countEachSide(list []sample) (n int) {
	for i := range list {
		if q := list[i].part; p.liesOn(&list[i], q.At, placement.Top) || p.liesOn(&list[i], q.At, placement.Bottom) {
			n++
		}
	}
	return n
}

// isSpread reports whether parts that a reading makes small or moves do not all lie in one
// corner: there they may fit by chance.
func (p *Pads) isSpread(list []sample, r Reading) bool {
	if r.Unit == 0 && r.Offset == (geom.Point{}) {
		return true
	}
	box := geom.EmptyBox()
	for i := range list {
		box = box.Add(r.place(list[i].part.At))
	}
	return 6*box.Width() >= p.frame.Width() || 6*box.Height() >= p.frame.Height()
}

// A judgement is what is found out of a list.
type judgement struct {
	pads   *Pads
	list   *placement.List
	cases  map[string]string // by folded designator, where the list names none
	groups []group
	fixed  []placement.Part // the list's parts as they fit the pads
	wrong  []Misplaced
}

func (j *judgement) verdict() Verdict {
	v := Verdict{Misplaced: j.wrong}
	d := Doubt{File: j.list.File}
	var words []string
	doubtful, unread := false, false
	for i := range j.groups {
		g := &j.groups[i]
		d.Known, d.Listed, d.Fit = d.Known+len(g.samples), d.Listed+g.listed, d.Fit+g.fit
		if w := g.words(len(j.groups) > 1); g.doubtful && !slices.Contains(words, w) {
			words = append(words, w)
		}
		doubtful, unread = doubtful || g.doubtful, unread || g.unread
		if !g.doubtful && g.Offset != (geom.Point{}) {
			v.Moved = &g.Offset
		}
	}
	if d.Words = strings.Join(words, ", and "); unread {
		d.Words, d.Fit = "", 0
	}
	if doubtful {
		v.Doubt, v.Misplaced, v.Moved = &d, nil, nil
	}
	if !unread && !slices.Equal(j.fixed, j.list.Parts) {
		l := *j.list
		l.Parts = j.fixed
		v.ByPads = &l
	}
	return v
}

// correct puts parts where their pads are.
func (j *judgement) correct() {
	j.fixed = slices.Clone(j.list.Parts)
	reported := map[placement.Side]*group{}
	var main *group
	for i := range j.groups {
		g := &j.groups[i]
		reported[g.side] = g
		if main == nil || len(g.samples) > len(main.samples) {
			main = g
		}
	}
	for i := range j.fixed {
		g := reported[j.fixed[i].Side]
		if g == nil {
			g = main // too few lie on that side to tell of themselves
		}
		if g != nil && g.doubtful && !g.unread {
			j.fixed[i] = g.Apply(j.fixed[i])
		}
	}
	for i := range j.groups {
		switch g := &j.groups[i]; {
		case g.eachSide:
			j.turnEach(g)
		case !g.doubtful:
			j.findMisplaced(g)
		}
	}
	if main != nil && !main.doubtful {
		j.findTurnedOver(main, reported)
	}
}

// findTurnedOver finds parts on a side that too few lie on to tell of themselves, whose pads
// lie on the other one, where main tells how the list is meant.
func (j *judgement) findTurnedOver(main *group, reported map[placement.Side]*group) {
	all := j.pads.samplesOf(j.list, j.cases)
	for i := range all {
		s := &all[i]
		if reported[s.part.Side] != nil {
			continue
		}
		q, mirrored := main.Apply(*s.part), Reading{MirrorX: true}.Apply(*s.part)
		if j.pads.liesOn(s, q.At, q.Side) || j.pads.liesOn(s, mirrored.At, q.Side) || !j.pads.liesOn(s, q.At, opposite(q.Side)) {
			continue
		}
		j.turnOver(s, q.Side)
	}
}

// turnOver puts a sample on the other side than it is listed on.
func (j *judgement) turnOver(s *sample, listed placement.Side) {
	j.fixed[s.index].Side = opposite(listed)
	j.report(s.part.Ref, fmt.Sprintf("It is placed on the %s, and its pads lie on the %s.", listed, opposite(listed)))
}

// legs is how far from the middle of a part its nearest pads lie, at most.
const legs = 3 * geom.Millimetre

// turnEach puts each sample on the side that has its pads, and of the other parts those
// round which pads lie on the other side only.
func (j *judgement) turnEach(g *group) {
	for i := range j.fixed {
		if q := &j.fixed[i]; q.Side == g.side && len(j.pads.side(q.Side).padsAround(q.At, legs/2)) == 0 && len(j.pads.side(opposite(q.Side)).padsAround(q.At, legs/2)) > 0 {
			q.Side = opposite(q.Side)
		}
	}
	for i := range g.samples {
		s := &g.samples[i]
		if !j.pads.liesOn(s, s.part.At, s.part.Side) && j.pads.liesOn(s, s.part.At, opposite(s.part.Side)) {
			j.fixed[s.index].Side = opposite(s.part.Side)
		}
	}
}

func opposite(s placement.Side) placement.Side { return Reading{OtherSide: true}.side(s) }

// findMisplaced finds the parts of a group that do not lie on their pads though the others
// do.
func (j *judgement) findMisplaced(g *group) {
	for i := range g.samples {
		s := &g.samples[i]
		q := g.Apply(*s.part)
		if j.pads.liesOn(s, q.At, q.Side) {
			continue
		}
		b := j.findExchanged(g, s)
		switch {
		case j.pads.liesOn(s, q.At, opposite(q.Side)):
			j.turnOver(s, q.Side)
		case b != nil:
			j.fixed[s.index].At = b.At
			if k := slices.IndexFunc(j.list.Parts, func(o placement.Part) bool { return o == *b }); j.fixed[k].At == b.At {
				j.fixed[k].At = s.part.At
			}
			j.report(q.Ref, "Its pads do not lie at its position, but where "+refdes.Name([]string{b.Ref})+" is placed.")
		case !j.pads.mayLieOn(s, q.At, q.Side):
			j.report(q.Ref, "Its pads do not lie at its position.")
		}
	}
}

func (j *judgement) report(ref, why string) { j.wrong = append(j.wrong, Misplaced{ref, why}) }

// findExchanged finds a part that is placed where a sample's pads are, and does not belong
// there.
func (j *judgement) findExchanged(g *group, s *sample) *placement.Part {
	for i := range j.list.Parts {
		q := g.Apply(j.list.Parts[i])
		if i == s.index || j.list.Parts[i].Side != g.side || !j.pads.liesOn(s, q.At, q.Side) {
			continue
		}
		k := slices.IndexFunc(g.samples, func(o sample) bool { return o.index == i })
		switch {
		case k >= 0 && j.pads.liesOn(&g.samples[k], q.At, q.Side):
			continue
		case k < 0 && (!hasManyLegs(cmp.Or(q.Footprint, j.cases[refdes.Fold(q.Ref)])) || len(j.pads.side(q.Side).padsAround(g.place(s.part.At), legs)) < 3):
			continue
		}
		return &j.list.Parts[i]
	}
	return nil
}

// words says what the reading of a group is.
func (g *group) words(several bool) string {
	var out []string
	if several {
		out = append(out, "for the parts of the "+string(g.side))
	}
	if g.eachSide {
		out = append(out, "with each part on the side that has its pads")
	}
	if g.OtherSide {
		out = append(out, "on the other side of the board")
	}
	if g.Unit != 0 {
		out = append(out, "with the numbers in "+g.Unit.String())
	}
	if g.MirrorX {
		out = append(out, "with x growing to the left")
	}
	if g.MirrorY {
		out = append(out, "with y growing downwards")
	}
	if g.Offset != (geom.Point{}) {
		out = append(out, fmt.Sprintf("moved by %.2f mm in x and %.2f mm in y", geom.Millimetres(g.Offset.X), geom.Millimetres(g.Offset.Y)))
	}
	return strings.Join(out, " ")
}
