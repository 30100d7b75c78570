package holes

import (
	"fmt"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/drills"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/places"
)

// markBackDrills marks the programs that drill plated holes a second time, wider and down to a
// layer only, so that no stub is left of the barrel. Their holes are part of those they lie
// in: they are neither rings nor blind holes, and tell nothing of what other files plate.
func (s Drilling) markBackDrills() {
	for _, d := range s.Programs {
		stated := statesBackDrill(d)
		if !stated && !s.isNamedBackDrill(d) {
			continue
		}
		d.Again, d.Plating = true, pcb.NonPlated
		for t := range d.Tools {
			d.Tools[t].Function, d.Tools[t].Plating = "BackDrill", pcb.NonPlated
		}
		f := d.Result
		f.Plating = pcb.NonPlated
		f.Why += "; it drills holes a second time, from one side"
		s.Board.Facts.Needs(pcb.State(pcb.BackDrilling, pcb.Source{File: f.Name}, 0.9, "a program for it"))
		s.Add(pcb.Finding{
			Code: "back_drill", Level: pcb.Warning, File: f.Name, Count: d.Holes(),
			Message: fmt.Sprintf("%d holes are drilled a second time, from one side and down to a layer (back-drilled): ask whether the fabricator does that", d.Holes()),
		})
	}
}

// statesBackDrill reports whether the program says so of every tool that it uses.
func statesBackDrill(d *drills.Program) bool {
	for _, h := range d.Hits {
		if d.Tools[h.Tool].Function != "BackDrill" {
			return false
		}
	}
	return len(d.Hits) > 0 && len(d.Slots)+len(d.Paths) == 0
}

// isNamedBackDrill reports whether a file is called so, and every hole of it lies on a
// narrower one of another file: "back drill" may be the drills of the back as well.
func (s Drilling) isNamedBackDrill(d *drills.Program) bool {
	name := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(group.BaseName(d.Result.Name)))
	if !strings.Contains(name, "backdrill") || len(d.Hits) == 0 || len(d.Slots)+len(d.Paths) > 0 {
		return false
	}
	narrow := map[geom.Point]int64{}
	looked := s.Meter.Tally(pcb.Lookups)
	for _, o := range s.Programs {
		if o == d {
			continue
		}
		for _, h := range o.Hits {
			if !looked.Add(1) {
				return false
			}
			p := places.Round(h.At)
			if size := o.Tools[h.Tool].Diameter; narrow[p] == 0 || size < narrow[p] {
				narrow[p] = size
			}
		}
	}
	for _, h := range d.Hits {
		if !looked.Add(9) || !isNarrower(narrow, places.Round(h.At), d.Tools[h.Tool].Diameter) {
			return false
		}
	}
	return true
}

// isNarrower reports whether a narrower hole is at a point of the grid, or next to it.
func isNarrower(sizes map[geom.Point]int64, at geom.Point, than int64) bool {
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			if s := sizes[geom.Pt(at.X+dx, at.Y+dy)]; s > 0 && s < than {
				return true
			}
		}
	}
	return false
}
