package reader

import (
	"fmt"

	"boardorder/pkg/board"
	"boardorder/pkg/board/classify"
	"boardorder/pkg/board/geom"
)

// platingLeftOver takes a drill file that says nothing of plating for the
// plated one when another file holds the holes without.
func (a *assembly) platingLeftOver() {
	bare := false
	for _, d := range a.drills {
		bare = bare || d.Plating == board.NonPlated
	}
	if !bare {
		return
	}
	for _, d := range a.drills {
		f := a.result(d.index)
		if d.Plating != board.PlatingUnknown || f.Format != classify.FormatExcellon || len(d.Hits)+len(d.Slots) == 0 {
			continue
		}
		d.Plating, f.Plating = board.Plated, board.Plated
		for t := range d.Tools {
			if d.Tools[t].Plating == board.PlatingUnknown {
				d.Tools[t].Plating = board.Plated
			}
		}
		f.Why += "; plated, as another file holds the holes without plating"
	}
}

// platingByPads settles holes whose files say nothing: one in the middle of a
// larger pad is plated.
func (a *assembly) platingByPads() {
	open := 0
	for i := range a.board.Holes {
		if a.board.Holes[i].Plating == board.PlatingUnknown {
			open++
		}
	}
	if open == 0 {
		return
	}
	sizes := a.padSizes()
	found := 0
	for i := range a.board.Holes {
		h := &a.board.Holes[i]
		if h.Plating == board.PlatingUnknown && h.Diameter > 0 && sizes.around(h.A.Mid(h.B)) > h.Diameter {
			h.Plating = board.Plated
			found++
		}
	}
	if found > 0 {
		a.board.Findings = append(a.board.Findings, board.Finding{
			Code: "plating_deduced", Level: board.Note, Count: found,
			Message: fmt.Sprintf("no file says which holes are plated; %d of %d lie in pads and are taken as plated", found, open),
		})
	}
}

// padSizes maps places to the smaller side of the pad that is flashed there.
type padSizes map[geom.Point]int64

// padSizes gathers the flashes of the outer copper layers.
func (a *assembly) padSizes() padSizes {
	out := padSizes{}
	for _, l := range a.board.Copper() {
		if l.Side != board.Top && l.Side != board.Bottom {
			continue
		}
		for i := range l.Features {
			f := &l.Features[i]
			if f.Kind != board.FlashFeature || f.Clear {
				continue
			}
			b := l.Apertures[f.Shape].Box
			if k := gridPoint(f.A); !b.Empty() {
				out[k] = max(out[k], min(b.Width(), b.Height()))
			}
		}
	}
	return out
}

// around is the size of the pad at p, 0 for none.
func (s padSizes) around(p geom.Point) int64 {
	g := gridPoint(p)
	var most int64
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			most = max(most, s[geom.Pt(g.X+dx, g.Y+dy)])
		}
	}
	return most
}
