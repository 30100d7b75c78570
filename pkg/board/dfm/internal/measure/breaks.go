package measure

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Bounds on rows of holes along which a board is broken off its panel (mouse bites).
const (
	narrowestBite = 300 * geom.Micrometre
	widestBite    = 1500 * geom.Micrometre
	fewestBites   = 3
	bitePlay      = 30 * geom.Micrometre   // of their places in the row
	tabEnd        = 1500 * geom.Micrometre // from the last hole to the slot beside the tab
)

// breakHoles tells of each hole whether it belongs to a row along which the board is broken
// off: small holes of which no copper is left, all alike and evenly close, along the edge or
// from slot to slot across a tab.
func breakHoles(in *Input) []bool {
	out := make([]bool, len(in.Board.Holes))
	c, err := in.Copper()
	if err != nil || in.Border().IsEmpty() {
		return out
	}
	r := biteRows{in: in, at: map[geom.Point]int{}, may: make([]bool, len(out))}
	for i := range in.Board.Holes {
		if h := &in.Board.Holes[i]; h.Kind == pcb.DrillHole && h.Diameter >= narrowestBite && h.Diameter <= widestBite && (c.Holes[i] < 0 || in.Away()[c.Holes[i]]) {
			r.at[biteCell(h.A)], r.may[i] = i, true
		}
	}
	t := in.Drills()
	t.Index.Pairs(widestBite*6/5, func(i, j int) {
		a, b := t.List[i].At, t.List[j].At
		for _, row := range [2][]int{r.row(a, b), r.row(b, a)} {
			if r.breaks(row) {
				for _, k := range row {
					out[k] = true
				}
			}
		}
	})
	return out
}

func biteCell(p geom.Point) geom.Point { return geom.Pt(floor(p.X, bitePlay), floor(p.Y, bitePlay)) }

// biteRows finds rows among the holes that may be in one.
type biteRows struct {
	in  *Input
	at  map[geom.Point]int // by cell
	may []bool             // of each hole of the board
}

// hole gives the hole at a place.
func (r *biteRows) hole(p geom.Point) (int, bool) {
	for _, d := range [9]geom.Point{{}, {X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {X: 1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: 1}, {X: -1, Y: -1}} {
		if i, ok := r.at[biteCell(p).Add(d)]; ok && r.in.Meter.Spend(pcb.Lookups, 1) {
			return i, true
		}
	}
	return 0, false
}

// row gives the row that begins with two holes; nil where it began before them, or where
// they are too far apart or not alike.
func (r *biteRows) row(a, b int) []int {
	holes := r.in.Board.Holes
	step := holes[b].A.Sub(holes[a].A)
	d := holes[a].Diameter
	if !r.may[a] || !r.may[b] || holes[b].Diameter != d || step.Len() <= float64(d) || step.Len() > 2.2*float64(d) {
		return nil
	}
	first, ok := r.hole(holes[a].A)
	if _, before := r.hole(holes[a].A.Sub(step)); !ok || first != a || before {
		return nil
	}
	row := []int{a}
	for next, ok := r.hole(holes[a].A.Add(step)); ok && holes[next].Diameter == d; next, ok = r.hole(holes[next].A.Add(step)) {
		row = append(row, next)
	}
	return row
}

// breaks reports whether a row leads along the edge or across a tab: both of its ends lie near
// the edge or a slot.
func (r *biteRows) breaks(row []int) bool {
	near := func(i int) bool { return r.in.Border().Reaches(r.in.Board.Holes[i].A, tabEnd) }
	return len(row) >= fewestBites && near(row[0]) && near(row[len(row)-1])
}
