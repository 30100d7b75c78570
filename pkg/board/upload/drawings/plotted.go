// Package drawings finds strokes in the copper of a board that are no tracks but drawings: the
// outline and mechanical layers that a tool plots along, and what is too fine for a plotter.
package drawings

import (
	"fmt"
	"math/bits"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/shape"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/places"
)

// Bounds on drawings that are plotted along with other layers.
const (
	plottedFew        = 4   // strokes; fewer may be alike by chance
	plottedShare      = 90  // percent of a drawing's strokes are in the other layer
	plottedLayerFiles = 2   // that a drawing which is not the outline has to be in
	plottedOnPads     = 10  // percent of the strokes that may end on pads; more are tracks
	maxPlotted        = 1e5 // strokes of a drawing; more are artwork
)

// A drawnStroke is what two layers draw alike. Its ends are in order.
type drawnStroke struct {
	a, b, centre geom.Point
	width        int64
	arc, turned  bool
}

func strokeOn(l *pcb.Layer, f *pcb.Feature) drawnStroke {
	s := drawnStroke{a: f.A, b: f.B, width: l.Width(f)}
	swap := s.b.X < s.a.X || s.b.X == s.a.X && s.b.Y < s.a.Y
	if swap {
		s.a, s.b = s.b, s.a
	}
	if f.Kind == pcb.ArcFeature {
		g := l.Arcs[f.Arc]
		s.arc, s.centre, s.turned = true, g.Centre, g.Clockwise != swap
	}
	return s
}

// Settle finds the strokes of copper that repeat the outline or a mechanical layer, as tools
// draw these that are set to plot them along with all layers. They are no tracks: those along
// the board's edge, which is cut there, are taken out of the copper, others are marked, so
// that what is too close to one is told mildly.
func (d Drawings) Settle(m pcb.Meter, b *pcb.Board, list *findings.List) {
	if d.Empty() {
		return
	}
	repeats := map[*pcb.Layer]repeated{}
	copies := make([]int, len(d.of))
	for _, l := range b.Layers {
		switch l.Role {
		case pcb.RoleCopper, pcb.RoleMask, pcb.RolePaste, pcb.RoleSilk:
			repeats[l] = matchDrawings(m, l, d)
			for k := range copies {
				if repeats[l].whole&(1<<k) != 0 {
					copies[k]++
				}
			}
		}
	}
	sure, cut, marked, layers := uint64(0), 0, 0, 0
	for k, l := range d.of {
		if l.Role == pcb.RoleOutline || copies[k] >= plottedLayerFiles {
			sure |= 1 << k
		}
	}
	edges, stated := places.NewEdges(b.Outline, m), uint64(0)
	for _, l := range b.Copper() {
		r := repeats[l]
		at := r.featuresIn(sure & r.whole)
		if len(at) == 0 {
			continue
		}
		if on, ok := findOnPads(m, l, at); ok {
			c, n := settlePlotted(l, at, on, edges)
			cut, marked, layers, stated = cut+c, marked+n, layers+1, stated|sure&r.whole
		}
	}
	if layers > 0 {
		list.Add(pcb.Finding{Code: "drawing_in_copper", Level: pcb.Note, File: d.of[bits.TrailingZeros64(stated)].File, Count: cut + marked,
			Message: fmt.Sprintf("%d strokes on %d copper layers repeat what the file draws, as tools plot that along with other layers: %d along the board's edge were left out of the copper, %d elsewhere are not taken for tracks",
				cut+marked, layers, cut, marked)})
	}
}

// Drawings are layers that tools plot along with others.
type Drawings struct {
	closed  bool // the outline of the board
	of      []*pcb.Layer
	size    []int                  // strokes of each
	strokes map[drawnStroke]uint64 // the layers that draw one, by bits
	widths  map[int64]bool
}

// Find gives the outline and the mechanical layers of a board whose outline is closed.
func Find(m pcb.Meter, b *pcb.Board) Drawings {
	d := Drawings{strokes: map[drawnStroke]uint64{}, widths: map[int64]bool{}}
	for _, l := range b.Layers {
		if l.Role != pcb.RoleOutline && l.Role != pcb.RoleMechanical || len(l.Features) > maxPlotted || len(d.of) == 64 || !m.Spend(pcb.Lookups, len(l.Features)) {
			continue
		}
		bit, n := uint64(1)<<len(d.of), 0
		for i := range l.Features {
			if f := &l.Features[i]; isPlain(f) {
				s := strokeOn(l, f)
				if d.strokes[s]&bit == 0 {
					d.strokes[s] |= bit
					d.widths[s.width] = true
					n++
				}
			}
		}
		d.of, d.size = append(d.of, l), append(d.size, n)
	}
	d.closed = b.Outline.Closed
	return d
}

// Empty tells whether nothing can be said to repeat the drawings.
func (d Drawings) Empty() bool { return !d.closed || len(d.strokes) == 0 }

// isPlain tells whether a feature is a stroke with a length that belongs to no net.
func isPlain(f *pcb.Feature) bool {
	return !f.Clear && (f.Kind == pcb.LineFeature && f.A != f.B || f.Kind == pcb.ArcFeature) &&
		f.Net == 0 && f.Pin == 0 && f.Function != pcb.FuncConductor && f.Function != pcb.FuncEtched && f.Function != pcb.FuncPour && !f.Function.Pad()
}

// A repeated is what a layer repeats of drawings.
type repeated struct {
	at    []int    // features of the layer
	by    []uint64 // the drawings that each of these is in
	whole uint64   // drawings of which nearly all is there
}

func matchDrawings(m pcb.Meter, l *pcb.Layer, d Drawings) (r repeated) {
	if l.Negative || !m.Spend(pcb.Lookups, len(l.Features)) {
		return r
	}
	seen, count := map[drawnStroke]bool{}, make([]int, len(d.of))
	for i := range l.Features {
		f := &l.Features[i]
		if !isPlain(f) || !d.widths[l.Width(f)] {
			continue
		}
		s := strokeOn(l, f)
		by := d.strokes[s]
		if by == 0 {
			continue
		}
		r.at, r.by = append(r.at, i), append(r.by, by)
		if !seen[s] {
			seen[s] = true
			for k := range count {
				count[k] += int(by >> k & 1)
			}
		}
	}
	for k, n := range count {
		if n >= plottedFew && 100*n >= plottedShare*d.size[k] {
			r.whole |= 1 << k
		}
	}
	return r
}

// featuresIn gives the features that are in one of the drawings.
func (r repeated) featuresIn(drawings uint64) (at []int) {
	for i, k := range r.at {
		if r.by[i]&drawings != 0 {
			at = append(at, k)
		}
	}
	return at
}

// findOnPads tells which of a layer's features end on pads. ok is false when more than a few of
// them do, as tracks do.
func findOnPads(m pcb.Meter, l *pcb.Layer, at []int) (on map[int]bool, ok bool) {
	var pads []geom.Box
	for i := range l.Features {
		f := &l.Features[i]
		if f.Kind != pcb.FlashFeature || f.Clear {
			continue
		}
		if !m.Spend(pcb.Lookups, l.BoundsWork(f)) {
			return nil, false
		}
		pads = append(pads, l.FeatureBounds(f))
	}
	x := shape.NewIndex(pads).SetMeter(m)
	onPad := func(p geom.Point) bool {
		on := false
		x.Search(geom.BoxOf(p), func(int) bool { on = true; return false })
		return on
	}
	on = map[int]bool{}
	for _, i := range at {
		if onPad(l.Features[i].A) || onPad(l.Features[i].B) {
			on[i] = true
		}
	}
	return on, 100*len(on) <= plottedOnPads*len(at)
}

// settlePlotted takes those of a layer's strokes out that run along the board's edge, but
// for those that end on pads, and marks the others as part of a drawing.
func settlePlotted(l *pcb.Layer, at []int, onPads map[int]bool, edges *places.Edges) (cut, marked int) {
	const along = 5 * geom.Micrometre
	gone := map[int]bool{}
	for _, i := range at {
		f := &l.Features[i]
		if e := l.Edge(f); !onPads[i] && edges.ComeWithin(e.A, float64(along)) && edges.ComeWithin(e.Mid(), float64(along)) && edges.ComeWithin(e.B, float64(along)) {
			gone[i] = true
			continue
		}
		f.Function = pcb.FuncProfile
		marked++
	}
	n := 0
	for i := range l.Features {
		if !gone[i] {
			l.Features[n] = l.Features[i]
			n++
		}
	}
	l.Features = l.Features[:n]
	return len(gone), marked
}
