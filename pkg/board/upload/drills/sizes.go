package drills

import (
	"fmt"
	"maps"
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/places"
)

// Bounds on tools whose sizes are in another unit than the file states.
const (
	fewestMisfits = 2 // holes on pads, of which nearly all are as large as their pads
	finestDrill   = 100 * geom.Micrometre
	inchMM        = 25.4
)

// askForUnit asks for the sizes of a drill file's tools where they do not fit the pads that they
// lie on, and would in the other unit: a header that says inches over sizes in millimetres
// makes holes that take their pads away. What the customer answers is taken.
func (s Reader) askForUnit(d *Program) {
	unit, other, scale := "inches", "millimetres", 1/inchMM
	if d.Format.Unit == excellon.Millimetre {
		unit, other, scale = other, unit, inchMM
	}
	sizes := places.PadSizesOf(s.Board.Copper())
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
	stated, rescaled, answered := s.FileAnswers.Sizes(file), map[string]float64{}, true
	for i := range d.Tools {
		t := &d.Tools[i]
		if t.Diameter == 0 {
			continue
		}
		rescaled[answers.ToolName(t.Number)] = geom.Millimetres(int64(float64(t.Diameter)*scale+500) / 1000 * 1000)
		if answered = answered && stated[t.Number] > 0; stated[t.Number] > 0 {
			t.Diameter = stated[t.Number]
		}
	}
	if answered {
		return
	}
	s.Add(pcb.Finding{
		Code: "drill_tool_unit", Level: pcb.Problem, File: file, Line: worst.Line, Count: misfits, Answers: []answers.Answer{answers.ToolUnit(file, rescaled, other)},
		Message: fmt.Sprintf("the file is in %s by its header, so that tool %s would be %s mm wide, on pads of %s mm: in %s the tools fit their pads; give their sizes with file_answers.tool_sizes, or send the file with the right unit",
			unit, answers.ToolName(worst.Number), findings.Millimetres(worst.Diameter), findings.Millimetres(pad), other),
	})
}

// refuseSizes refuses the sizes of tools that a drill file does not have, or gives
// another size itself.
func (s Reader) refuseSizes(d *Program) (out []answers.Refused) {
	file := d.Result.Name
	stated := s.FileAnswers.Sizes(file)
	for _, n := range slices.Sorted(maps.Keys(stated)) {
		i := slices.IndexFunc(d.Tools, func(t excellon.Tool) bool { return t.Number == n })
		switch {
		case i < 0:
			var have []string
			for _, t := range d.Tools {
				have = append(have, answers.ToolName(t.Number))
			}
			out = append(out, answers.Refused{Field: "tool_sizes", Problem: "unknown", Allowed: have,
				Message: fmt.Sprintf("%s has no tool %s.", group.BaseName(file), answers.ToolName(n))})
		case d.Tools[i].Diameter != stated[n]:
			out = append(out, answers.Refused{Field: "tool_sizes", Problem: "contradicts_files",
				Message: fmt.Sprintf("%s states the size of tool %s itself: leave it out.", group.BaseName(file), answers.ToolName(n))})
		}
	}
	return out
}
