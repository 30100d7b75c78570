package upload

import (
	"fmt"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/places"
)

// Bounds on tools whose sizes are in another unit than the file states.
const (
	fewestMisfits = 2 // holes on pads, of which nearly all are as large as their pads
	finestDrill   = 100 * geom.Micrometre
	inchMM        = 25.4
)

// toolUnit asks for the sizes of a drill file's tools where they do not fit the pads that they
// lie on, and would in the other unit: a header that says inches over sizes in millimetres
// makes holes that take their pads away. What the customer answers is taken.
func (a *assembly) toolUnit(d *drill) {
	unit, other, scale := "inches", "millimetres", 1/inchMM
	if d.Format.Unit == excellon.Millimetre {
		unit, other, scale = other, unit, inchMM
	}
	sizes := places.PadSizesOf(a.board.Copper())
	on, misfits, fitting := 0, 0, 0
	var worst excellon.Tool
	var pad int64
	for _, h := range d.Hits {
		p, t := sizes.SizeAt(h.At), d.Tools[h.Tool]
		if p == 0 || t.Diameter == 0 {
			continue
		}
		if on++; t.Diameter < p && t.Diameter >= finestDrill/2 {
			continue
		}
		if misfits++; t.Diameter > worst.Diameter {
			worst, pad = t, p
		}
		if rescaled := int64(float64(t.Diameter) * scale); rescaled < p && rescaled >= finestDrill {
			fitting++
		}
	}
	if misfits < fewestMisfits || 10*misfits < 9*on || 10*fitting < 9*misfits {
		return
	}
	file := d.Result.Name
	said, rescaled, answered := a.said.Sizes(file), map[string]float64{}, true
	for i := range d.Tools {
		t := &d.Tools[i]
		if t.Diameter == 0 {
			continue
		}
		rescaled[answers.ToolName(t.Number)] = geom.Millimetres(int64(float64(t.Diameter)*scale+500) / 1000 * 1000)
		if answered = answered && said[t.Number] > 0; said[t.Number] > 0 {
			t.Diameter = said[t.Number]
		}
	}
	if answered {
		return
	}
	a.Add(pcb.Finding{
		Code: "drill_tool_unit", Level: pcb.Problem, File: file, Line: worst.Line, Count: misfits, Answers: []answers.Answer{answers.ToolUnit(file, rescaled, other)},
		Message: fmt.Sprintf("the file is in %s by its header, so that tool %s would be %s mm wide, on pads of %s mm: in %s the tools fit their pads; give their sizes with file_answers.tool_sizes, or send the file with the right unit",
			unit, answers.ToolName(worst.Number), mm(worst.Diameter), mm(pad), other),
	})
}
