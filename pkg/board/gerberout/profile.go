package gerberout

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// profilePen is how wide the outline is drawn: its centre line is what counts.
const profilePen = 100 * geom.Micrometre

// profile plots the shape of the board and its cutouts. One that does not close
// is drawn as far as it goes. A board without any has no profile file.
func (p *plotter) profile() {
	o := p.board.Outline
	w := newWriter(p.board, pcb.RoleOutline)
	w.use(w.apertures.pen(profilePen, pcb.FuncProfile, true))
	for _, a := range o.Areas {
		w.path(a.Outer)
		for _, h := range a.Holes {
			w.path(h)
		}
	}
	if !o.Closed {
		for _, open := range o.Open {
			w.path(open)
		}
	}
	if !w.placed {
		return
	}
	function := "Profile,NP"
	if f := p.board.Facts.EdgePlating; f.Known && f.Value {
		function = "Profile,P"
	}
	p.add("Edge_Cuts.gbr", function, "Positive", p.gerber(w, function, ""))
}

// path draws along every edge of a path.
func (w *writer) path(p geom.Path) {
	for e := range p.Edges() {
		if e.A != e.B || e.IsArc() {
			w.edge(e)
		}
	}
}
