package artwork

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A Repeat puts another drawing of a file down in a panel, NX by NY times, DX and DY
// apart, from At on.
type Repeat struct {
	Step   string // the drawing's name
	At     geom.Point
	DX, DY int64
	NX, NY int
	Angle  float64 // degrees, counterclockwise
	Mirror bool
}

// Repeat puts a board down as often as x says; false when the budget is used up.
func (p *Panel) Repeat(b *pcb.Board, x Repeat) bool {
	for i := range x.NX {
		for k := range x.NY {
			at := x.At.Add(geom.Pt(int64(i)*x.DX, int64(k)*x.DY))
			if !p.Place(b, geom.Transform{Offset: at, Rotation: x.Angle, Mirror: x.Mirror}) {
				return false
			}
		}
	}
	return true
}

// State says of the panel's board that it is one, of how many boards, and what holes
// it has.
func (p *Panel) State(src pcb.Source) {
	p.b.Facts.Panel = pcb.State(true, src, 0.97, "step and repeat")
	p.b.Facts.BoardsInPanel = pcb.State(p.Count(), src, 0.97, "step and repeat")
	StateHoles(p.b, src)
}
