package eagle

import (
	"cmp"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// A plane gathers the copper of one layer, so that pours come first.
type plane struct {
	items   []copperItem
	pours   []pour
	cutouts []geom.Path
}

// A copperItem is drawn as it is, or larger to keep a pour away from it.
type copperItem struct {
	meta artwork.Meta
	box  geom.Box
	draw func(s *artwork.Sheet, grow int64, m artwork.Meta)
}

type pour struct {
	area    geom.Polygon
	net     int32
	width   int64
	isolate int64
	rank    int
	line    int
}

// chordLoss is how much nearer than its gap a pour comes where the curves round which it
// is drawn back become chords, in nanometres.
const chordLoss = 1500

func newPour(it *item, path geom.Path, net int32) pour {
	return pour{area: geom.Polygon{Outer: path}, net: net, width: it.width, isolate: it.isolate, rank: it.rank, line: it.line}
}

// fill draws a layer: pours, those of rank 1 last as they win over others, each
// kept away from what is of other nets, then everything else.
func (b *builder) fill(s *artwork.Sheet, p *plane) {
	slices.SortStableFunc(p.pours, func(x, y pour) int { return cmp.Compare(y.rank, x.rank) })
	tests := b.meter.Tally(pcb.Pairs)
	for i := range p.pours {
		q := &p.pours[i]
		gap := max(q.isolate, b.b.Rules.Clearance, b.rules.length("mdWireWire")) + chordLoss
		if i > 0 {
			q.draw(s, gap, artwork.Meta{Clear: true, Line: q.line})
		}
		q.draw(s, 0, artwork.Meta{Net: q.net, Function: pcb.FuncPour, Line: q.line})
		for _, c := range p.cutouts {
			s.Region(geom.Polygon{Outer: c}, artwork.Meta{Clear: true, Line: q.line})
		}
		reach := q.area.Bounds().Grow(gap + q.width)
		if !tests.Add(len(p.items) / 8) {
			return
		}
		for k := range p.items {
			it := &p.items[k]
			if it.meta.Net == q.net && q.net != 0 || !reach.Overlaps(it.box) {
				continue
			}
			if !tests.Add(1 + q.area.Outer.Len()) {
				return
			}
			if q.touches(it.box, gap) {
				m := it.meta
				m.Clear, m.Net, m.Pin, m.Function = true, 0, 0, pcb.FuncAntipad
				it.draw(s, gap, m)
			}
		}
	}
	for k := range p.items {
		p.items[k].draw(s, 0, p.items[k].meta)
	}
}

func (q *pour) draw(s *artwork.Sheet, grow int64, m artwork.Meta) {
	s.Region(q.area, m)
	if w := q.width + 2*grow; w > 0 {
		s.Path(q.area.Outer, w, m)
	}
}

// touches tells whether the pour comes nearer than gap to what a box holds, as
// far as the box's middle tells.
func (q *pour) touches(box geom.Box, gap int64) bool {
	c := box.Centre()
	if q.area.Contains(c) {
		return true
	}
	d, _ := q.area.EdgeDistance(c)
	return d <= float64(max(box.Width(), box.Height()))+float64(gap+q.width)
}
