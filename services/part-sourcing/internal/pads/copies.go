package pads

import (
	"math"
	"slices"

	"boardorder/pkg/board/geom"
)

const (
	fewestCopied = 3 // samples that tell that a board comes again
	fewestPads   = 6 // and pads among them
)

// countCopies is how often the board has the pads of all samples: 1 where it has them where
// they are placed only. Copies lie beside each other, as they are or turned by 180 degrees;
// rows of equal parts, which fit when moved by one, are none.
func (p *Pads) countCopies(groups []group) int {
	var all []sample
	box := geom.EmptyBox()
	for i := range groups {
		g := &groups[i]
		if g.doubtful {
			return 1
		}
		for _, s := range g.samples {
			q := g.Apply(*s.part)
			s.part = &q
			all = append(all, s)
			box = box.Add(q.At)
		}
	}
	if len(all) < fewestCopied || !coversAll(p.count(all, Reading{}), len(all)) || slices.ContainsFunc(all, func(s sample) bool { return s.own != nil }) {
		return 1
	}
	found := []Reading{{}}
	for _, r := range []Reading{{}, {MirrorX: true, MirrorY: true}} {
		for _, c := range p.findCopies(all, r, box) {
			if !slices.ContainsFunc(found, func(o Reading) bool { return liesNear(c, o, box) }) {
				found = append(found, c)
			}
		}
	}
	return len(found)
}

// findCopies gives the readings with offsets by which nearly all samples lie on pads beside
// their own.
func (p *Pads) findCopies(all []sample, r Reading, box geom.Box) (out []Reading) {
	votes := p.vote(all, r)
	cast := 0
	for i := 0; i < len(all); i += max(1, len(all)/voters) {
		cast++
	}
	var likely []candidate
	for k, b := range votes {
		if 3*b.n >= cast { // the votes for an offset lie in up to four bins
			likely = append(likely, candidate{k, b.n})
		}
	}
	for _, c := range rankCandidates(likely, maxCopies) {
		r.Offset = c.offset()
		if liesNear(r, Reading{}, box) {
			continue
		}
		if r.Offset = r.Offset.Add(p.residue(all, r)); coversAll(p.count(all, r), len(all)) && p.repeats(box.Grow(geom.Millimetre), r) {
			out = append(out, r)
		}
	}
	return out
}

// repeats reports whether nearly all pads in a box come again as a reading has it.
func (p *Pads) repeats(box geom.Box, r Reading) bool {
	n, again := 0, 0
	for _, f := range []*field{&p.top, &p.bottom} {
		for i := range f.pads {
			if at := f.pads[i].at; box.Contains(at) {
				n++
				if len(f.padsAround(r.place(at), blur)) > 0 {
					again++
				}
			}
		}
	}
	return n >= fewestPads && coversAll(again, n)
}

// maxCopies bounds the offsets that are tried.
const maxCopies = 64

// minBoard is what the parts of a board reach over at least, for boards that lie beside it.
const minBoard = 2 * geom.Millimetre

// liesNear reports whether two readings put the middle of a box so near to each other that
// boards of that size would overlap.
func liesNear(a, b Reading, box geom.Box) bool {
	d := a.place(box.Centre()).Sub(b.place(box.Centre()))
	return math.Abs(float64(d.X)) < 0.9*float64(max(box.Width(), minBoard)) && math.Abs(float64(d.Y)) < 0.9*float64(max(box.Height(), minBoard))
}
